//! `reverie lore try`: which entries of some books a chat sets off, and of every entry why or why not. Needs no store.

mod table;

use std::io::Read;
use std::path::{Path, PathBuf};

use reverie_api::lore;
use reverie_api::wire::{ProblemView, ScanBody};
use reverie_api::wording::plain;
use reverie_core::{Error, Limits, Result};
use reverie_formats::container::{self, Container};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Limits as FileLimits, Opened, book, card, chat, document};
use serde_json::{Map, Value, json};

use super::read_file;
use crate::output::{Failure, Output};

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// A dry run: search books for what was said, and tell of every entry why it is active or is not.
    Try(Options),
}

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// World books, character cards or a memory.json, in any format that can be imported; the lowest of the stack first.
    #[arg(required = true)]
    books: Vec<PathBuf>,
    /// Something that was said, `name: text` or only the text; repeat for several, oldest first.
    #[arg(long = "message", short = 'm', value_name = "TEXT")]
    messages: Vec<String>,
    /// A chat to search: `.jsonl` of SillyTavern, or a JSON array of {name, text}; - reads standard input.
    #[arg(long, value_name = "FILE")]
    chat: Option<PathBuf>,
    /// A setting of the search: depth=4, recursive=true, whole_words=true …; repeat for several.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// A fact of the scene, for conditions; repeat for several.
    #[arg(long = "fact", value_name = "NAME=VALUE")]
    facts: Vec<String>,
    /// Who is about to speak: filters, `known_by` and {{char}} mean it.
    #[arg(long = "as", value_name = "NAME")]
    character: Option<String>,
    /// A tag of who is about to speak, for filters; repeat for several. Default: nobody knows them.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// An emotion in the air, for emotional entries; repeat for several.
    #[arg(long, value_name = "EMOTION")]
    mood: Vec<String>,
    /// What it is about, for entries that name topics; repeat for several.
    #[arg(long = "topic", value_name = "TOPIC")]
    topics: Vec<String>,
    /// An entry that is near in meaning, for semantic and vectorized entries: city/3=0.8; repeat for several.
    #[arg(long, value_name = "BOOK/ENTRY=SCORE")]
    similar: Vec<String>,
    /// The time of the world, for temporal entries and for what fades.
    #[arg(long, allow_hyphen_values = true)]
    tick: Option<i64>,
    /// How long a day of the world is.
    #[arg(long, value_name = "TICKS")]
    ticks_per_day: Option<f64>,
    /// What the prompt is made for: normal, continue, impersonate, swipe, regenerate, quiet.
    #[arg(long, value_name = "KIND")]
    generation: Option<String>,
    /// Whom {{user}} names.
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Random draws come from it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(super) fn run(output: Output, command: Command) -> Result<(), Failure> {
    let Command::Try(options) = command;
    let body = body(&options).map_err(Failure::usage)?;
    let mut problems = Vec::new();
    let read = options.books.iter().map(|path| book_of(path, &mut problems));
    let books: Vec<Value> = read.collect::<Result<_>>()?;
    let messages = messages(&options)?;
    let mut body = body;
    body.insert("books".to_owned(), json!(books));
    body.insert("messages".to_owned(), json!(messages));
    let body: ScanBody = serde_json::from_value(Value::Object(body)).map_err(|error| {
        Failure::usage(Error::invalid(plain(&error)).hint("see `reverie lore try --help`"))
    })?;
    let mut found = lore::run(body, &Limits { window_lines: usize::MAX, ..Limits::default() })?;
    found.problems.splice(0..0, problems);
    output.answer(&table::told(&found), &serde_json::to_value(&found).unwrap_or_default());
    Ok(())
}

fn body(options: &Options) -> Result<Map<String, Value>> {
    let mut body = Map::new();
    body.insert("explain".to_owned(), json!(true));
    body.insert("seed".to_owned(), json!(options.seed));
    body.insert("settings".to_owned(), Value::Object(pairs(&options.settings, "--set")?));
    body.insert("facts".to_owned(), Value::Object(pairs(&options.facts, "--fact")?));
    body.insert("mood".to_owned(), json!(options.mood));
    body.insert("topics".to_owned(), json!(options.topics));
    let similar: Vec<Value> = options.similar.iter().map(|text| near(text)).collect::<Result<_>>()?;
    body.insert("similar".to_owned(), json!(similar));
    body.insert("tick".to_owned(), json!(options.tick));
    body.insert("ticks_per_day".to_owned(), json!(options.ticks_per_day));
    body.insert("generation".to_owned(), json!(options.generation));
    let mut names = Map::new();
    let mut character = Map::new();
    if let Some(name) = &options.character {
        names.insert("char".to_owned(), json!(name));
        character.insert("names".to_owned(), json!([name]));
    }
    if !options.tags.is_empty() {
        character.insert("tags".to_owned(), json!(options.tags));
    }
    if !character.is_empty() {
        body.insert("character".to_owned(), Value::Object(character));
    }
    if let Some(user) = &options.user {
        names.insert("user".to_owned(), json!(user));
    }
    body.insert("names".to_owned(), Value::Object(names));
    Ok(body)
}

/// `depth=4` is a number, `recursive=true` a flag, anything else a text.
pub(super) fn pairs(pairs: &[String], flag: &str) -> Result<Map<String, Value>> {
    pairs
        .iter()
        .map(|pair| {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| Error::invalid(format!("{flag} cannot be {pair:?}")).hint("use NAME=VALUE"))?;
            let value = serde_json::from_str(value).ok().filter(|value: &Value| !value.is_object());
            Ok((
                key.to_owned(),
                value.unwrap_or_else(|| json!(pair.split_once('=').map_or("", |pair| pair.1))),
            ))
        })
        .collect()
}

/// The book's own name may have slashes in it; an entry's rarely does.
fn near(text: &str) -> Result<Value> {
    let read = || {
        let (name, score) = text.rsplit_once('=')?;
        let (book, entry) = name.rsplit_once('/')?;
        Some(json!({"book": book, "entry": entry, "score": score.parse::<f64>().ok()?}))
    };
    read().ok_or_else(|| {
        Error::invalid(format!("--similar cannot be {text:?}"))
            .hint("use BOOK/ENTRY=SCORE, such as city/3=0.8")
    })
}

/// What is odd about the file is noted; what is odd about its entries, the search tells.
fn book_of(path: &Path, problems: &mut Vec<ProblemView>) -> Result<Value> {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let of_file = |error: Error| error.within(path.display().to_string());
    let bytes = read_file(path)?;
    if let Some(memory) = memory_of(&bytes).map_err(of_file)? {
        let mut document = memory.to_book(&name).map_err(of_file)?;
        // Named in answers as the library names them: by the ids of the records.
        for entry in &mut document.entries {
            if let Value::Object(fields) = &mut entry.source {
                fields.insert("uid".to_owned(), json!(entry.id));
            }
        }
        problems.extend(memory.warnings.iter().map(|warning| ProblemView {
            book: name.clone(),
            entry: None,
            message: warning.to_string(),
        }));
        return Ok(json!({"id": name, "document": book::write(&document)}));
    }
    let (document, of_card) = match reverie_formats::open(&bytes, &FileLimits::default()).map_err(of_file)? {
        Opened::Book(book) => (book, Vec::new()),
        Opened::Card(card) => {
            let book = card.book.ok_or_else(|| {
                Error::invalid(format!("the card {} has no book", path.display()))
                    .hint("name a world book, or a card that carries one")
            })?;
            (book, card.warnings)
        }
    };
    let of_file = of_card.iter().chain(&document.warnings).filter(|warning| warning.entry.is_none());
    problems.extend(of_file.map(|warning| ProblemView {
        book: name.clone(),
        entry: None,
        message: warning.to_string(),
    }));
    Ok(json!({"id": name, "document": book::write(&document)}))
}

/// What a character remembers is searched as the book that an import makes of it. A book or card is never taken for one.
fn memory_of(bytes: &[u8]) -> Result<Option<MemoryFile>> {
    let limits = FileLimits::default();
    if container::detect(bytes, &limits)? != Container::Json {
        return Ok(None);
    }
    let Ok(parsed) = document::parse(bytes, &limits) else { return Ok(None) };
    let is_other = card::is_card(&parsed.value) || book::detect(&parsed.value).is_ok();
    let is_memory = !is_other && MemoryFile::is_memory(&parsed.value);
    is_memory.then(|| MemoryFile::read(bytes, &limits)).transpose()
}

fn messages(options: &Options) -> Result<Vec<Value>> {
    let mut messages = match &options.chat {
        None => Vec::new(),
        Some(path) if path.as_os_str() == "-" => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| Error::invalid(format!("standard input cannot be read: {error}")))?;
            chat_of(&bytes)?
        }
        Some(path) => chat_of(&read_file(path)?)?,
    };
    messages.extend(options.messages.iter().map(|said| match said.split_once(": ") {
        Some((name, text)) => json!({"name": name, "text": text}),
        None => json!({"text": said}),
    }));
    if messages.is_empty() {
        return Err(Error::invalid("nothing was said").hint("give --message TEXT, or --chat FILE"));
    }
    Ok(messages)
}

fn chat_of(bytes: &[u8]) -> Result<Vec<Value>> {
    if !chat::is_chat(bytes) {
        return match document::parse(bytes, &FileLimits::default())?.value {
            Value::Array(messages) => Ok(messages),
            _ => Err(Error::invalid("the chat is neither a `.jsonl` chat nor a list of messages")
                .hint("use a `.jsonl` chat, or a JSON array of {\"name\":…,\"text\":…}")),
        };
    }
    let chat = chat::read(bytes, &Default::default())?;
    let said = chat.messages.iter().filter(|message| !message.hidden);
    Ok(said
        .map(|message| {
            let text = message.wordings.get(message.chosen).map_or("", |wording| wording.text.as_str());
            json!({"name": message.name, "text": text})
        })
        .collect())
}
