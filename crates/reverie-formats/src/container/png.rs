//! Which text chunk of a PNG holds the card, and what takes its place?

use reverie_core::{Error, Result};
use serde_json::{Value, json};

use super::chunk::{Chunk, chunks, text_chunk};
use super::encode;
use crate::document::{self, Parsed};
use crate::merge::{apply, diff, get, set};
use crate::{Limits, Warning};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// In the order in which they are preferred: cards V3, cards V2, books of NovelAI.
const KEYWORDS: [&str; 3] = ["ccv3", "chara", "naidata"];

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Parsed> {
    let picture = Picture::of(bytes, limits)?;
    let mut warnings = Vec::new();
    if !picture.has_end {
        warnings.push(Warning::new("the picture has no end; it may have been cut off"));
    }
    let mut first_error = None;
    for keyword in KEYWORDS {
        let Some((chunk, others)) = picture.with(keyword) else { continue };
        match parse(chunk, limits) {
            Ok(parsed) => {
                warnings.extend(parsed.warnings);
                if !chunk.has_right_checksum() {
                    warnings.push(Warning::new(format!("the checksum of the chunk {keyword} is wrong")));
                }
                if others > 0 {
                    warnings.push(Warning::new(format!(
                        "the picture has {} chunks {keyword}; the first is read, the others are replaced when it is written",
                        others + 1
                    )));
                }
                return Ok(Parsed { value: parsed.value, warnings });
            }
            Err(error) => {
                warnings.push(Warning::new(format!("the chunk {keyword} cannot be read: {error}")));
                first_error.get_or_insert(error);
            }
        }
    }
    Err(first_error.unwrap_or_else(|| {
        Error::invalid("there is no card in this picture").hint("it has no text chunk `chara` or `ccv3`")
    }))
}

pub(super) fn holds_card(bytes: &[u8], limits: &Limits) -> Result<bool> {
    let picture = Picture::of(bytes, limits)?;
    Ok(KEYWORDS.iter().any(|keyword| picture.with(keyword).is_some()))
}

/// The picture without any text, and without what follows its end.
pub(super) fn without_texts(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    let picture = Picture::of(bytes, limits)?;
    let kept = picture.chunks.iter().filter(|chunk| chunk.keyword().is_none());
    Ok(kept.fold(SIGNATURE.to_vec(), |mut out, chunk| {
        out.extend(chunk.raw);
        out
    }))
}

pub(super) fn write(bytes: &[u8], value: &Value, limits: &Limits) -> Result<Vec<u8>> {
    let current = read(bytes, limits).ok();
    if current.as_ref().is_some_and(|current| current.value == *value) {
        return Ok(bytes.to_vec());
    }
    let picture = Picture::of(bytes, limits)?;
    let mut new = replacements(&picture, current.as_ref(), value, limits)?;
    let mut out = SIGNATURE.to_vec();
    for chunk in &picture.chunks {
        if chunk.kind == b"IEND" {
            out.extend(new.drain(..).flat_map(|(_, chunk)| chunk));
        }
        match keyword_of(chunk) {
            // The first makes room for its replacement; there is at most one card of a kind afterwards.
            Some(keyword) => {
                if let Some(at) = new.iter().position(|(name, _)| *name == keyword) {
                    out.extend(new.remove(at).1);
                }
            }
            None => out.extend(chunk.raw),
        }
    }
    out.extend(new.drain(..).flat_map(|(_, chunk)| chunk));
    out.extend(picture.after);
    Ok(out)
}

/// A new chunk for every kind of card that the picture has, or for the one that it gets.
fn replacements(
    picture: &Picture<'_>,
    current: Option<&Parsed>,
    value: &Value,
    limits: &Limits,
) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let present: Vec<&str> = KEYWORDS.into_iter().filter(|keyword| picture.with(keyword).is_some()).collect();
    let values: Vec<(&str, Value)> = match present.as_slice() {
        [] => vec![(keyword_for(value), value.clone())],
        [keyword] => vec![(*keyword, value.clone())],
        [..] => {
            let of = |keyword: &&'static str| {
                let old = picture.with(keyword).and_then(|(chunk, _)| parse(chunk, limits).ok());
                (*keyword, follow(old.as_ref(), current, value, keyword))
            };
            present.iter().map(of).collect()
        }
    };
    let too_long = || Error::invalid("the card is too long for a chunk of a PNG");
    values
        .into_iter()
        .map(|(keyword, value)| Ok((keyword, text_chunk(keyword, &encode(&value)).ok_or_else(too_long)?)))
        .collect()
}

/// Two cards in one picture say the same for readers of different age: the other one gets the same changes.
fn follow(old: Option<&Parsed>, current: Option<&Parsed>, value: &Value, keyword: &str) -> Value {
    let mut new = match (old, current) {
        (Some(old), Some(current)) if old.value == current.value => return value.clone(),
        (Some(old), Some(current)) => {
            let mut new = old.value.clone();
            let changes = diff(&current.value, value);
            let is_label =
                |path: &[String]| matches!(path, [name] if name == "spec" || name == "spec_version");
            if changes.iter().filter(|change| !is_label(&change.path)).all(|change| apply(&mut new, change)) {
                complete_book(&old.value, value, &mut new);
                return new;
            }
            value.clone()
        }
        _ => value.clone(),
    };
    let label = match keyword {
        "ccv3" => Some(("chara_card_v3", "3.0")),
        "chara" => Some(("chara_card_v2", "2.0")),
        _ => None,
    };
    if let (Some((spec, version)), Some(map)) = (label, new.as_object_mut())
        && map.contains_key("spec")
    {
        map.insert("spec".to_owned(), json!(spec));
        map.insert("spec_version".to_owned(), json!(version));
    }
    new
}

/// A card that had no book gets the other's as a whole and not only what was changed of it, with the member that every version
/// requires.
fn complete_book(old: &Value, value: &Value, new: &mut Value) {
    const BOOK: &[&str] = &["data", "character_book"];
    let is_there = |value: &Value| get(value, BOOK).is_some_and(Value::is_object);
    if is_there(old) || !is_there(new) {
        return;
    }
    let Some(Value::Object(mut book)) = get(value, BOOK).cloned() else { return };
    book.entry("extensions").or_insert_with(|| json!({}));
    let _ = set(new, BOOK, Value::Object(book));
}

fn keyword_for(value: &Value) -> &'static str {
    match value.get("spec").and_then(Value::as_str) {
        Some("chara_card_v3") => "ccv3",
        _ if value.get("lorebookVersion").is_some() => "naidata",
        _ => "chara",
    }
}

fn parse(chunk: &Chunk<'_>, limits: &Limits) -> Result<Parsed> {
    document::parse(&chunk.json(limits)?, limits)
}

fn keyword_of(chunk: &Chunk<'_>) -> Option<&'static str> {
    let keyword = chunk.keyword()?;
    KEYWORDS.into_iter().find(|known| keyword.eq_ignore_ascii_case(known.as_bytes()))
}

struct Picture<'b> {
    chunks: Vec<Chunk<'b>>,
    has_end: bool,
    /// What follows the end.
    after: &'b [u8],
}

impl<'b> Picture<'b> {
    fn of(bytes: &'b [u8], limits: &Limits) -> Result<Self> {
        let rest = bytes.strip_prefix(SIGNATURE).unwrap_or_default();
        let (chunks, after) = chunks(rest, limits)?;
        let has_end = chunks.last().is_some_and(|chunk| chunk.kind == b"IEND");
        Ok(Self { chunks, has_end, after })
    }

    /// The first chunk with this keyword, and how many more there are.
    fn with(&self, keyword: &str) -> Option<(&Chunk<'b>, usize)> {
        let mut found = self.chunks.iter().filter(|chunk| keyword_of(chunk) == Some(keyword));
        Some((found.next()?, found.count()))
    }
}
