//! `reverie export`: a world as a file, straight from the data file; a server may be running on it.

mod chats;
mod documents;

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use reverie_api::documents::BookForm;
use reverie_api::export::{self, Format};
use reverie_core::{CheckpointId, Code, Engine, Error, Result, WorldId};
use serde_json::json;

use crate::data;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

const BUFFER: usize = 64 << 10;

#[derive(Debug, clap::Args)]
#[command(after_help = "It is read from the data file of --data DIR; a server may be running on it.")]
pub(super) struct Options {
    /// The world to export; with --book or --card the file to write instead (- is standard output).
    #[arg(value_name = "WORLD|FILE", required_unless_present_any = ["book", "card", "chat", "group"])]
    target: Option<String>,
    /// Export this book of the library in the format that it came in, as its author's tool reads it; --format names another.
    /// A book made of a memory.json becomes one again, unless it says by now what such a file has no place for.
    #[arg(long, value_name = "ID", conflicts_with_all = ["card", "chat", "group", "checkpoint"])]
    book: Option<String>,
    /// Export this card of the library, by its id or its character's name, with the card and its book as they are now: to a .png in its own picture (a plain grey
    /// one if it has none), to a .charx in its own archive, to a .json alone; anywhere else in the file that it came in.
    #[arg(long, value_name = "ID", conflicts_with_all = ["chat", "group", "checkpoint", "format"])]
    card: Option<String>,
    /// Export this conversation of the world, by its name or id, as a SillyTavern chat (.jsonl), of one or of a group. If there
    /// is only one world, it need not be named.
    #[arg(long, value_name = "CONVERSATION", conflicts_with_all = ["group", "checkpoint", "format"])]
    chat: Option<String>,
    /// Export this group of the world, by the name of its file or its own, as the file (groups/*.json) that it came in. If
    /// there is only one world, it need not be named.
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["checkpoint", "format"])]
    group: Option<String>,
    /// As it was at this checkpoint.
    #[arg(long)]
    checkpoint: Option<String>,
    #[arg(long, help = formats())]
    format: Option<String>,
    /// Write here; an existing file is not overwritten. Without it, or with -, the export itself is the answer on standard
    /// output, with --json as without: there --json only turns an error into a JSON document, and the exit code tells which
    /// of the two it is.
    #[arg(long, short)]
    output: Option<PathBuf>,
}

fn formats() -> String {
    format!(
        "jsonl (readable) or save (one compact line); default: save with a checkpoint, else jsonl. Of a book: {}; default: \
         the one it came in. memory is for a book that was made of a memory.json",
        BookForm::names().join(", ")
    )
}

pub(super) fn run(output: Output, settings: &Settings, options: Options) -> Result<(), Failure> {
    if options.book.is_some() || options.card.is_some() {
        return documents::run(output, settings, &options);
    }
    if let Some(name) = &options.chat {
        return chats::run(output, settings, &options, name);
    }
    if let Some(name) = &options.group {
        return chats::group(output, settings, &options, name);
    }
    let (_, api) = data::open_existing(settings)?;
    let world = WorldId::new(options.target.as_deref().unwrap_or_default())?;
    let engine = api.engine();
    check_world(engine, &world)?;
    let checkpoint = options.checkpoint.as_deref().map(CheckpointId::new).transpose()?;
    let format = match options.format.as_deref() {
        Some(name) => Format::from_name(name).map_err(Failure::usage)?,
        None if checkpoint.is_some() => Format::Save,
        None => Format::JsonLines,
    };
    let mut progress = Progress::new(output, "exporting");
    let mut watch = |done, all| progress.at(done, all);
    let Some(path) = options.output.filter(|path| path.as_path() != Path::new("-")) else {
        let mut to = BufWriter::with_capacity(BUFFER, std::io::stdout().lock());
        export::write_watched(engine, &world, checkpoint.as_ref(), format, &mut to, &mut watch)?;
        to.flush().map_err(|error| cannot_write("standard output", &error))?;
        return Ok(());
    };
    let file = create(&path)?;
    let mut to = BufWriter::with_capacity(BUFFER, file);
    let written = export::write_watched(engine, &world, checkpoint.as_ref(), format, &mut to, &mut watch)
        .and_then(|()| close(to));
    drop(progress);
    if let Err(error) = written {
        // Half an export is worse than none.
        let _ = std::fs::remove_file(&path);
        return Err(error.into());
    }
    let bytes = size(&path);
    output.answer(
        &format!("exported {world} to {} ({bytes} bytes)", path.display()),
        &json!({"world": world.as_str(), "file": path.to_string_lossy(), "bytes": bytes}),
    );
    Ok(())
}

/// Most worlds that a hint names.
const NAMED: usize = 20;

/// The engine's hint speaks of requests; whoever types a command is told what there is.
pub(super) fn check_world(engine: &Engine, world: &WorldId) -> Result<()> {
    match engine.world(world) {
        Err(error) if error.code() == Code::NotFound => Err(error.hint(other_worlds(engine)?)),
        found => found.map(drop),
    }
}

fn other_worlds(engine: &Engine) -> Result<String> {
    let found = engine.worlds(None, NAMED.min(engine.limits().page))?;
    let mut names: Vec<&str> = found.items.iter().map(|world| world.id.as_str()).collect();
    if found.has_more {
        names.push("…");
    }
    Ok(match names.is_empty() {
        true => "the data file has no worlds yet; `reverie import` brings one in".to_owned(),
        false => format!("the data file has these: {}", names.join(", ")),
    })
}

/// All of it, or no file.
fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut to = BufWriter::new(create(path)?);
    let written =
        to.write_all(bytes).map_err(|error| cannot_write("the file", &error)).and_then(|()| close(to));
    if written.is_err() {
        // Half a file is worse than none.
        let _ = std::fs::remove_file(path);
    }
    written
}

fn to_stdout(bytes: &[u8]) -> Result<()> {
    let mut to = std::io::stdout().lock();
    let written = to.write_all(bytes).and_then(|()| to.flush());
    written.map_err(|error| cannot_write("standard output", &error))
}

/// An export counts when it is on the disk.
fn close(to: BufWriter<File>) -> Result<()> {
    let file = to.into_inner().map_err(|error| cannot_write("the file", error.error()))?;
    file.sync_all().map_err(|error| cannot_write("the file", &error))
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

fn create(path: &Path) -> Result<File> {
    File::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists_already(path),
        _ => cannot_write(&path.display().to_string(), &error),
    })
}

fn exists_already(path: &Path) -> Error {
    Error::conflict(format!("{} exists already", path.display()))
        .hint("name a file that does not exist; an export never overwrites")
}

fn cannot_write(what: &str, error: &std::io::Error) -> Error {
    Error::new(Code::Unavailable, format!("{what} cannot be written: {error}"))
        .hint("name a file that does not exist, in a folder that you may write to")
}
