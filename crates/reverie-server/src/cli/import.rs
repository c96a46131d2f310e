//! `reverie import`: whatever is at a path becomes part of the data file. What it is, its content tells.
//!
//! In reading order: `detect` (what is in a file), `tables`, `chats`, `books`, `cards`, `memories` (one file of a kind),
//! `folder` (many of them).

mod books;
mod cards;
mod chats;
mod detect;
mod folder;
mod keep;
mod memories;
mod tables;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use reverie_api::{Api, export};
use reverie_core::{Code, Error, Result, WorldId};
use reverie_formats::{Limits, Warning};
use serde_json::{Value, json};

use self::detect::{What, what};
use super::cannot_read;
use crate::data;
use crate::output::{Failure, Output};
use crate::progress::{Progress, Watched};
use crate::settings::Settings;

const BUFFER: usize = 64 << 10;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// An export of Reverie, a table of lines, a world book, a character card, a chat, a memory.json, or a folder of them.
    path: PathBuf,
    /// The world to import into. Default: the exported one's id; for lines the file's name; for a folder its name. Books
    /// and cards go to the library, which all worlds share, and into a world only where this names one.
    #[arg(long)]
    world: Option<String>,
    /// Of a book or card: its id in the library; default: the file's name.
    #[arg(long)]
    id: Option<String>,
    /// Of a book, card or memory: the character of the world whom it is for; a card's default is its name.
    #[arg(long = "as", value_name = "CHARACTER")]
    character: Option<String>,
    /// Of lines: the name of the conversation; default: the file's name. Of a book: the conversation that it is for.
    #[arg(long)]
    conversation: Option<String>,
    /// Of a book: its place in the stack; of entries of equal order those of the lowest book come first. Default: 0.
    #[arg(long, allow_hyphen_values = true)]
    rank: Option<i64>,
    /// Of a table: the id of the newest line of the save; default: the last row.
    #[arg(long)]
    head: Option<String>,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let world = options.world.as_deref().map(WorldId::new).transpose()?;
    if std::fs::metadata(&options.path).is_ok_and(|path| path.is_dir()) {
        options.check("a folder", &["--world"])?;
        return folder::run(output, settings, &options.path, world);
    }
    let mut progress = Progress::new(output, "importing");
    let mut file = open_file(&options.path, &mut progress)?;
    let beginning = file.fill_buf().map_err(|error| cannot_read(&options.path, &error))?;
    if export::is_export(beginning) {
        options.check("an export", &["--world"])?;
        // What is in a file is no burden; what is packed in it may be.
        let most = match beginning.starts_with(b"{") {
            true => u64::MAX,
            false => settings.limits.import_bytes as u64,
        };
        let api = open(settings)?;
        let made = export::read(api.engine(), world.as_ref(), &mut file, most)
            .map_err(|error| in_this_house(error, "import it under another id with --world ID"))?;
        drop(file);
        drop(progress);
        let (id, revision) = (made.value.id.as_str(), made.value.revision);
        output.answer(
            &format!("imported the world {id} at revision {revision}{}", not_kept(made.replaced)),
            &json!({"world": id, "revision": revision, "replaced": made.replaced}),
        );
        return Ok(());
    }
    let limits = limits(settings);
    let bytes = read_all(file, &options.path, limits.file_bytes)?;
    drop(progress);
    match what(&bytes, &limits)? {
        What::Table => {
            options.check("a table of lines", &["--world", "--conversation", "--head"])?;
            tables::run(output, settings, options, world, &bytes)
        }
        What::Chat => {
            options.check("a chat", &["--world", "--conversation"])?;
            chats::run(output, settings, options, world, &bytes)
        }
        What::Book(book) => {
            options.check("a book", &["--world", "--id", "--as", "--conversation", "--rank"])?;
            books::run(output, settings, options, world, &book)
        }
        What::Card(card) => {
            options.check("a card", &["--world", "--id", "--as"])?;
            cards::run(output, settings, options, world, &card, bytes)
        }
        What::Memory(memory) => {
            options.check("a memory", &["--world", "--id", "--as", "--rank"])?;
            memories::run(output, settings, options, world, *memory)
        }
    }
}

impl Options {
    /// What means nothing for this kind is refused, so that nobody waits for its effect.
    fn check(&self, kind: &str, known: &[&str]) -> Result<(), Failure> {
        let given = [
            ("--world", self.world.is_some()),
            ("--id", self.id.is_some()),
            ("--as", self.character.is_some()),
            ("--conversation", self.conversation.is_some()),
            ("--rank", self.rank.is_some()),
            ("--head", self.head.is_some()),
        ];
        let odd = given.iter().find(|(name, is_given)| *is_given && !known.contains(name));
        if let Some((name, _)) = odd {
            let error = Error::invalid(format!("{} is {kind}, for which {name} means nothing", self.shown()));
            return Err(Failure::usage(error.hint(format!("use only {}", known.join(", ")))));
        }
        let is_for_somebody = self.character.is_some() || self.rank.is_some();
        if is_for_somebody && self.world.is_none() {
            let error = Error::invalid("--as and --rank say how a world uses it, and no world is named");
            return Err(Failure::usage(error.hint("add --world ID")));
        }
        Ok(())
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// The hint for a conflict speaks of requests; whoever types a command is told what to type.
fn in_this_house(error: Error, hint: &str) -> Error {
    match error.code() {
        Code::Conflict => error.hint(hint),
        _ => error,
    }
}

fn open_file<'p>(path: &Path, progress: &'p mut Progress) -> Result<BufReader<Watched<'p, File>>> {
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    let length = file.metadata().map_or(0, |file| file.len());
    Ok(BufReader::with_capacity(BUFFER, Watched { from: file, read: 0, length, progress }))
}

fn read_all(file: impl Read, path: &Path, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = file.take(most as u64 + 1);
    file.read_to_end(&mut bytes).map_err(|error| cannot_read(path, &error))?;
    if bytes.len() <= most {
        return Ok(bytes);
    }
    Err(Error::invalid(format!("{} is longer than {most} bytes", path.display()))
        .hint("raise limits.import_bytes if this is right"))
}

fn limits(settings: &Settings) -> Limits {
    Limits { file_bytes: settings.limits.import_bytes, ..Limits::default() }
}

fn not_kept(replaced: usize) -> String {
    match replaced {
        0 => String::new(),
        _ => format!("; U+FFFD stands for {replaced} characters that could not be kept"),
    }
}

fn open(settings: &Settings) -> Result<Api> {
    data::check_writable(settings)?;
    Ok(data::open(settings)?.1)
}

/// A file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "import".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Answers hold no null.
fn filled(mut json: Value) -> Value {
    if let Some(fields) = json.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    json
}

/// What was odd, for people; programs find it in the answer.
fn tell(output: Output, warnings: &[Warning]) -> Vec<String> {
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    if !output.json {
        told.iter().for_each(|warning| output.warning(warning));
    }
    told
}
