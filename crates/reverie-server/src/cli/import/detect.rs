//! What is in a file, by its content alone? And if it is nothing: what does it look like?

use reverie_core::{Error, Result};
use reverie_formats::book::{self, BookDocument};
use reverie_formats::card::{self, CardDocument};
use reverie_formats::container::{self, Container};
use reverie_formats::memory::MemoryFile;
use reverie_formats::rows::{self, Row};
use reverie_formats::{Limits, Opened, chat, document, look, open};
use serde_json::Value;

pub(super) enum What {
    Card(Box<CardDocument>),
    Book(Box<BookDocument>),
    Memory(Box<MemoryFile>),
    Chat,
    Table,
    /// None of these, and why. What looks like one of them and is broken is an error instead.
    Nothing(Error),
}

const KNOWN: &str = "what can be imported: exports of Reverie, world books, cards (PNG, .charx, JSON), chats and tables of \
                     lines (one JSON object a line), memory.json, and folders of these or of SillyTavern";

const OF_MEM0: &str = "if these are memories of mem0: `reverie import --from mem0 FILE`";

/// As [`look`] calls it.
const EMPTY: &str = "an empty file";

pub(super) fn what(bytes: &[u8], limits: &Limits) -> Result<What> {
    if look(bytes) == EMPTY {
        return Ok(What::Nothing(nothing(EMPTY)));
    }
    if !container::holds_card(bytes, limits)? {
        return Ok(What::Nothing(nothing(&format!("{} without a card", look(bytes)))));
    }
    if container::detect(bytes, limits)? != Container::Json {
        return opened(bytes, limits);
    }
    if chat::is_chat(bytes) {
        return Ok(What::Chat);
    }
    let value = match document::parse(bytes, limits) {
        Ok(parsed) => parsed.value,
        Err(problem) => return by_rows(bytes, problem),
    };
    if card::is_card(&value) || !has_lines(&value) && book::detect(&value).is_ok() {
        return opened(bytes, limits);
    }
    if MemoryFile::is_memory(&value) {
        return Ok(What::Memory(Box::new(MemoryFile::read(bytes, limits)?)));
    }
    let rows = match &value {
        Value::Array(rows) => rows.as_slice(),
        row => std::slice::from_ref(row),
    };
    // An array of nothing is a table of nothing.
    if value == Value::Array(Vec::new()) || rows.iter().filter_map(Value::as_object).any(is_line) {
        return Ok(What::Table);
    }
    let unknown = nothing(&format!("JSON of an unknown kind{}", members(rows.first())));
    // What mem0 answers is told from other lists of results by nobody but its owner.
    let is_list = value.get("results").is_some_and(Value::is_array);
    Ok(What::Nothing(if is_list { unknown.hint(OF_MEM0) } else { unknown }))
}

/// Not one JSON value: one object a line, JSON as people write it, or broken.
fn by_rows(bytes: &[u8], problem: Error) -> Result<What> {
    match rows::read(bytes) {
        Ok(rows) if rows.is_empty() || rows.iter().any(is_line) => Ok(What::Table),
        Ok(rows) => {
            let first = rows.into_iter().next().map(Value::Object);
            Ok(What::Nothing(nothing(&format!("JSON lines of an unknown kind{}", members(first.as_ref())))))
        }
        Err(_) if !matches!(look(bytes), "JSON" | "text in UTF-16" | "text in UTF-32") => {
            Ok(What::Nothing(nothing(look(bytes))))
        }
        Err(error) => Err(broken(bytes, problem, &error)),
    }
}

/// The line and column of the damage, counted from the top of the file.
fn broken(bytes: &[u8], problem: Error, by_line: &Error) -> Error {
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let is_by_line = lines.next().is_some_and(|line| serde_json::from_slice::<Row>(line).is_ok())
        && lines.next().is_some();
    let why = |error: &Error| {
        let text = error.message();
        text.split_once(": ").map_or(text, |(_, why)| why).to_owned()
    };
    if is_by_line {
        let why = why(by_line).replace(" at line 1 column ", " at column ");
        let hint = by_line.hint_text().filter(|hint| *hint != rows::HINT);
        return Error::invalid(format!(
            "this looks like one JSON object a line, but it cannot be read: {why}"
        ))
        .hint(hint.unwrap_or("is the file whole? Without that line the rest can be read"));
    }
    Error::invalid(format!("this looks like JSON, but it cannot be read: {}", why(&problem)))
        .hint(problem.hint_text().unwrap_or("is the file whole?"))
}

fn nothing(looks_like: &str) -> Error {
    Error::invalid(format!("this looks like {looks_like}, which cannot be imported")).hint(KNOWN)
}

/// What a stranger among JSON files has, so that its owner knows which one it is.
fn members(value: Option<&Value>) -> String {
    const SHOWN: usize = 5;
    let Some(members) = value.and_then(Value::as_object).filter(|members| !members.is_empty()) else {
        return String::new();
    };
    let mut names: Vec<&str> = members.keys().take(SHOWN).map(String::as_str).collect();
    if members.len() > SHOWN {
        names.push("…");
    }
    format!(" (it has {})", names.join(", "))
}

fn opened(bytes: &[u8], limits: &Limits) -> Result<What> {
    Ok(match open(bytes, limits)? {
        Opened::Card(card) => What::Card(card),
        Opened::Book(book) => What::Book(Box::new(book)),
    })
}

/// Rows of a table may have columns that entries have, too.
fn has_lines(value: &Value) -> bool {
    let rows = value.as_array().into_iter().flatten();
    rows.into_iter().any(|row| row.get("attribute").is_some())
}

fn is_line(row: &Row) -> bool {
    row.contains_key("attribute") || row.contains_key("content")
}
