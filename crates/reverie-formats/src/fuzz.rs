//! What must hold for every sequence of bytes? The bodies of the fuzz targets, which `cargo test` runs for a moment too.
//!
//! None of them may panic, hang or grow without bound; what can be read must come back equal when it is written.

mod chats;
mod completions;

use reverie_core::digest::Purpose;
use serde_json::{Map, Value};

use crate::book::{self, Format};
use crate::model_json::{MOST_DEPTH, extract_json};
use crate::{Limits, Opened, card, container, document, repeated, utf8};

pub use chats::{chat, chat_time, group, memory, path, settings};
pub use completions::completions;

/// Small enough that a fuzzer notices what grows.
pub fn limits() -> Limits {
    Limits {
        file_bytes: 1 << 20,
        json_bytes: 1 << 20,
        json_values: 20_000,
        chunks: 500,
        members: 100,
        entries: 1000,
        ..Limits::default()
    }
}

/// Any JSON text.
pub fn json(bytes: &[u8]) {
    let parsed = document::parse(bytes, &limits());
    if let Some(repeated) = utf8::text(bytes).ok().and_then(repeated::find) {
        assert!(parsed.is_err(), "no file is read in which {repeated}");
    }
    let Ok(parsed) = parsed else { return };
    let again = document::parse(parsed.value.to_string().as_bytes(), &limits()).map(|parsed| parsed.value);
    assert_eq!(again.as_ref(), Ok(&parsed.value), "JSON is written as it was read");
}

/// Any book: read, understood, written, converted there and back.
pub fn book(bytes: &[u8]) {
    let Ok(parsed) = document::parse(bytes, &limits()) else { return };
    let Ok(format) = book::detect(&parsed.value) else { return };
    let Ok(read) = book::from_value(parsed.value.clone(), format, &limits()) else { return };
    assert_eq!(book::write(&read), parsed.value, "a book is written as it was read");
    let (core, _) = read.to_core("book", 0);
    let mut ids: Vec<_> = core.entries.iter().map(|entry| entry.id.clone()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), core.entries.len(), "ids are unique");
    // Notes of an earlier conversion are replaced by those of the next, so that only books without any come back whole.
    let has_notes = parsed.value.to_string().contains("\"kept\"");
    for to in Format::ALL {
        let there = book::write(&read.to(to));
        let Ok(there) = book::from_value(there, to, &limits()) else { continue };
        assert_eq!(there.entries.len(), read.entries.len(), "no entry is lost");
        let back = book::write(&there.to(format));
        assert!(has_notes || back == parsed.value, "a book comes back from {to:?} as it was: {back}");
    }
}

/// A table of lines.
pub fn rows(bytes: &[u8]) {
    let Ok(rows) = crate::rows::read(bytes) else { return };
    let heads = rows.iter().filter_map(crate::tree::row_id).take(3);
    for head in heads.map(Some).chain([None]) {
        let Ok(plan) = crate::tree::plan(&rows, head.as_deref()) else { continue };
        let mut seen = std::collections::HashSet::new();
        for chain in &plan.chains {
            assert!(chain.parent.is_none_or(|parent| seen.contains(&parent)), "parents come first");
            assert!(
                chain.rows.iter().all(|row| *row < rows.len() && seen.insert(*row)),
                "each row comes once"
            );
        }
        assert!(plan.head.is_none_or(|head| seen.contains(&head)), "the head is among them");
    }
}

/// An edit, as `{"entry": …, "changes": {…}}`.
pub fn patch(bytes: &[u8]) {
    let Ok(parsed) = document::parse(bytes, &limits()) else { return };
    let (Some(entry), Some(Value::Object(changes))) =
        (parsed.value.get("entry"), parsed.value.get("changes"))
    else {
        return;
    };
    for format in Format::ALL {
        let Ok(patched) = book::patch_entry(entry, format, changes) else { continue };
        let again = book::patch_entry(&patched, format, changes);
        assert_eq!(again.as_ref(), Ok(&patched), "an edit made twice is made once");
        assert_eq!(
            book::patch_entry(entry, format, &Map::new()).as_ref(),
            Ok(entry),
            "no edit changes nothing"
        );
    }
}

/// Any card in JSON.
pub fn card(bytes: &[u8]) {
    let Ok(parsed) = document::parse(bytes, &limits()) else { return };
    let Ok(read) = card::from_value(parsed.value.clone(), &limits()) else { return };
    assert_eq!(card::write(&read), parsed.value, "a card is written as it was read");
    read.persona();
}

/// Any file: picture, archive or JSON.
pub fn file(bytes: &[u8]) {
    let _ = crate::open(bytes, &limits()).map(|opened| match opened {
        Opened::Card(card) => card.persona().len(),
        Opened::Book(book) => book.entries.len(),
    });
    if let Ok(Some(portrait)) = container::portrait(bytes, &limits()) {
        let again = container::portrait(&portrait.bytes, &limits()).ok().flatten();
        let is_png = portrait.media_type == "image/png";
        assert!(!is_png || again.as_ref() == Some(&portrait), "a picture is its own picture");
    }
    let Ok(contents) = container::read(bytes, &limits()) else { return };
    let same = container::write(bytes, &contents.value, &limits());
    assert_eq!(same.as_deref(), Ok(bytes), "a file whose card does not change stays as it is");
    let other = serde_json::json!({"name": "another"});
    let Ok(written) = container::write(bytes, &other, &limits()) else { return };
    let roomy = Limits { file_bytes: limits().file_bytes * 2, ..limits() };
    let again = container::read(&written, &roomy).map(|contents| contents.value);
    assert_eq!(again, Ok(other), "what is written is read");
}

/// Any text of a model: no panic, and what is found can be written and found again.
pub fn model_json(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(value) = extract_json(&text) else { return };
    assert!(depth(&value) <= MOST_DEPTH, "nesting is bounded");
    assert_eq!(extract_json(&value.to_string()), Ok(value), "what was found is found again");
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whatever a model may answer.
pub fn answer(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for purpose in [Purpose::Decide, Purpose::Summarise, Purpose::Retell] {
        let _ = crate::answer::read(purpose, &text);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use crate::container::testing::{card_chunk, png, zip};

    /// Every body, on every kind of input.
    fn all(bytes: &[u8]) {
        super::json(bytes);
        super::book(bytes);
        super::patch(bytes);
        super::card(bytes);
        super::file(bytes);
        super::rows(bytes);
    }

    fn seeds() -> Vec<Vec<u8>> {
        let books =
            crate::book::tests::samples().into_iter().map(|(_, value)| value.to_string().into_bytes());
        let cards = crate::card::tests::samples().into_iter().map(|(_, value)| value.to_string());
        let cards: Vec<String> = cards.collect();
        let (first, last) = (cards.first().unwrap(), cards.get(3).unwrap());
        let patch = json!({"entry": {"keys": ["a"], "extensions": {}}, "changes": {"key": ["b"], "position": 4, "sticky": null}});
        let mut seeds: Vec<Vec<u8>> =
            books.chain(cards.iter().map(|card| card.clone().into_bytes())).collect();
        seeds.push(patch.to_string().into_bytes());
        seeds.push(br#"{"entries":{"0":{"key":["a"]},"1":{"key":["a"]},"0":{}}}"#.to_vec());
        seeds.push("\u{FEFF}{\"名\":\"\\ud800\"}".encode_utf16().flat_map(u16::to_le_bytes).collect());
        let rows = json!([{"id": 1, "content": "早"}, {"line_id": "2", "parent_line_id": 1}, {"id": 3, "parent_line_id": "1"}]);
        seeds.push(rows.to_string().into_bytes());
        seeds.push(b"{'id': 'a', \"save\": 1}\n{\"id\": \"b\", \"parent_line_id\": None,}".to_vec());
        seeds.push(png(&[card_chunk("chara", first), card_chunk("ccv3", last)]));
        seeds.push(zip(&[("a", 0, b"a"), ("card.json", 8, last.as_bytes()), ("b", 8, b"b")]));
        seeds.push(zip(&[("card.json", 0, first.as_bytes())]));
        seeds
    }

    #[test]
    fn the_seeds_pass() {
        seeds().iter().for_each(|seed| all(seed));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn mutated_seeds_pass(
            which in any::<prop::sample::Index>(),
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8),
        ) {
            let seeds = seeds();
            let mut bytes = which.get(&seeds).clone();
            for (at, byte, edit) in edits {
                let at = at.index(bytes.len().max(1));
                match edit {
                    0 if at < bytes.len() => bytes[at] = byte,
                    1 if at < bytes.len() => { bytes.remove(at); }
                    2 => bytes.insert(at, byte),
                    _ => bytes.truncate(bytes.len().saturating_sub(at % 16)),
                }
            }
            all(&bytes);
        }

        #[test]
        fn any_bytes_pass(bytes in prop::collection::vec(any::<u8>(), 0..300), head in 0..4_usize) {
            let heads = [&b"\x89PNG\r\n\x1A\n"[..], b"PK\x03\x04", b"{\"entries\":", b""];
            all(&[heads[head], &bytes].concat());
        }
    }
}
