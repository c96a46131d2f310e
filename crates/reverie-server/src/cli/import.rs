//! `reverie import`: whatever is at a path becomes part of the data file. What it is, its content tells.
//!
//! In reading order: `detect` (what is in a file), `tables`, `chats`, `books`, `cards`, `memories` (one file of a kind),
//! `folder` (many of them); `keep` and `brought` (what an earlier import brought is not brought again); `afterwards` (what to know
//! of all that).

mod afterwards;
mod books;
mod brought;
mod cards;
mod chats;
mod detect;
mod folder;
mod keep;
mod mem0;
mod memories;
mod tables;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use reverie_api::{Api, export};
use reverie_core::{Code, Conversation, Engine, Error, Result, WorldId};
use reverie_formats::chat::Zone;
use reverie_formats::{Limits, Warning};
use serde_json::{Value, json};

use self::detect::{What, what};
use super::{cannot_read, conversations};
use crate::data;
use crate::output::{Failure, Output};
use crate::progress::{Progress, Watched};
use crate::settings::Settings;

const BUFFER: usize = 64 << 10;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The world, if --world names none: of an export its own id; of a chat or a table of lines the file's name; of a folder \
                  its name. A book, card or memory then goes only to the library.\n\
                  All of it goes into the data file of --data DIR; a server may be running on it. The same file again changes nothing, \
                  not even what was changed or taken away here since; only a book, card or character that was deleted comes back. A file \
                  that says something else than last time replaces what it brought.\n\
                  Exit codes: 0 all of it is there, 1 something could not be imported (the rest of a folder is there), 2 the \
                  command line or a setting is wrong."
)]
pub(super) struct Options {
    /// An export of Reverie, a table of lines, a world book, a character card, a chat, a memory.json; a SillyTavern folder, or
    /// a folder of such files.
    path: PathBuf,
    /// Another program whose memories these are: an export of theirs, or their store. For mem0 a JSON file of what `get_all` or
    /// `GET /memories` answers, or the folder of its local Qdrant store; the world is then that of the setting mem0.world.
    #[arg(long, value_name = "PROGRAM")]
    from: Option<Program>,
    /// The world to import into; it is made if it is not there. Books and cards go to the library, which all worlds share,
    /// and into a world only where this names one.
    #[arg(long)]
    world: Option<String>,
    /// Of a book or card: its id in the library; default: the file's name, and for a card whose file is called like that of
    /// another character FILE~NAME.
    #[arg(long)]
    id: Option<String>,
    /// The character of the world whom it is for. Of a book: one that is there. Of a card or a memory: made if it is not; a
    /// card's default is its name.
    #[arg(long = "as", value_name = "CHARACTER")]
    character: Option<String>,
    /// A conversation by its name, or by the id of one that is there. Of a chat or lines: the one that they go into, made if
    /// it is not there; default: the file's name. Of a book: the one that it is for.
    #[arg(long, value_name = "NAME")]
    conversation: Option<String>,
    /// Of a book or memory: its place in the stack. Of entries of equal order those of the book with the lowest rank are chosen
    /// first, as far as the budget reaches, and stand last in the prompt, nearest to what is said. Default: 0.
    #[arg(long, allow_hyphen_values = true)]
    rank: Option<i64>,
    /// Of a table: the id of the newest line of the save; default: the last row.
    #[arg(long)]
    head: Option<String>,
    /// Of chats: the zone of dates that name none, such as Asia/Shanghai or +08:00. Default: UTC.
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    timezone: Option<String>,
}

/// Whose files cannot be told by their content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    Mem0,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    if options.from == Some(Program::Mem0) {
        return mem0::run(output, settings, options);
    }
    let world = options.world.as_deref().map(WorldId::new).transpose()?;
    if std::fs::metadata(&options.path).is_ok_and(|path| path.is_dir()) {
        options.check("a folder", &["--world", "--timezone"])?;
        return folder::run(output, settings, &options.path, world, options.zone()?);
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
        What::Nothing(error) => Err(error.into()),
        What::Table => {
            options.check("a table of lines", &["--world", "--conversation", "--head"])?;
            tables::run(output, settings, options, world, &bytes)
        }
        What::Chat => {
            options.check("a chat", &["--world", "--conversation", "--timezone"])?;
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
            ("--timezone", self.timezone.is_some()),
        ];
        let odd = given.iter().find(|(name, is_given)| *is_given && !known.contains(name));
        if let Some((name, _)) = odd {
            let error = Error::invalid(format!("{} is {kind}, for which {name} means nothing", self.shown()));
            return Err(Failure::usage(error.hint(format!("use only {}", known.join(", ")))));
        }
        let is_for_somebody = (self.character.is_some() && self.from.is_none()) || self.rank.is_some();
        if is_for_somebody && self.world.is_none() {
            let error = Error::invalid("--as and --rank say how a world uses it, and no world is named");
            return Err(Failure::usage(error.hint("add --world ID")));
        }
        Ok(())
    }

    /// That of the user's clock.
    fn zone(&self) -> Result<Zone, Failure> {
        let zone = self.timezone.as_deref().map(Zone::parse).transpose().map_err(Failure::usage)?;
        Ok(zone.unwrap_or_default())
    }

    /// The conversation that lines go into, if it is there: by name, and by id where somebody typed it.
    fn there(&self, engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Conversation>> {
        match self.conversation {
            Some(_) => conversations::find(engine, world, name),
            None => conversations::named(engine, world, name),
        }
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
