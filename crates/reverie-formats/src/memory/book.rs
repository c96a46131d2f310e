//! What a character remembers as a world book: how is nothing of a record lost?

use reverie_core::Result;
use reverie_core::lore::Entry;
use serde_json::{Map, Value, json};

use super::MemoryFile;
use super::record::{MemoryKind, MemoryRecord};
use super::written::trigger_name;
use crate::book::{self, BookDocument, BookEntry, Format};
use crate::merge::set;

/// Where records stand that say nothing, each with its place in its list.
pub(super) const UNREAD: &str = "memory_unread";

impl MemoryFile {
    /// The book of world info in which every record is an entry that only its character knows. An entry's comment tells
    /// the kind, and the record stands whole in `extensions.memory`; the file without its records is in the book's.
    pub fn to_book(&self, name: &str) -> Result<BookDocument> {
        let mut made = book::new_book(Format::SillyTavern, name);
        for (number, (entry, record)) in self.entries().iter().zip(&self.records).enumerate() {
            // The tool of this format takes only numbers; the library goes by the record's own id, which stays the same
            // when records come and go.
            let mut source = book::new_entry(Format::SillyTavern, &json!(number), &fields(entry))?;
            // A new entry has room for it; so has a new book.
            let _ = set(&mut source, &["extensions", "memory"], record.source.clone());
            let slot = Some(number.to_string()).filter(|slot| **slot != *entry.id);
            made.entries.push(BookEntry { id: entry.id.to_string(), slot, source });
        }
        let mut around = self.source.clone();
        for kind in MemoryKind::ALL {
            let Some(list) = around.get_mut(kind.list()).and_then(Value::as_array_mut) else { continue };
            let unread: Vec<Value> = (list.drain(..).enumerate())
                .filter(|(_, record)| MemoryRecord::read(kind, record).is_none())
                .map(|(place, record)| json!([place, record]))
                .collect();
            if !unread.is_empty() {
                let _ = set(&mut made.rest, &["extensions", UNREAD, kind.list()], json!(unread));
            }
        }
        let _ = set(&mut made.rest, &["extensions", "memory"], around);
        Ok(made)
    }

    /// From now on it is what this one remembers.
    pub fn belongs_to(&mut self, character: &str) {
        let before = self.character.replace(character.to_owned());
        for record in self.records.iter_mut().filter(|record| record.role == before) {
            record.role = None;
        }
    }
}

fn fields(entry: &Entry) -> Map<String, Value> {
    let trigger = trigger_name(entry.trigger);
    let fields = [
        ("comment", json!(entry.comment)),
        ("content", json!(entry.content)),
        ("key", json!(entry.keys)),
        ("constant", json!(entry.constant)),
        ("vectorized", json!(entry.vectorized)),
        ("trigger", json!(trigger)),
        ("priority", json!(entry.priority)),
        ("relevance_weight", json!(entry.relevance_weight)),
        ("emotional_weight", json!(entry.emotional_weight)),
        ("time_decay", json!(entry.time_decay)),
        ("topics", json!(entry.topics)),
        ("emotions", json!(entry.emotions)),
        ("known_by", json!(entry.known_by)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Limits;

    #[test]
    fn a_book_says_what_the_memory_said() {
        let file = json!({"characterUuid": "u-1", "lastSyncedAt": "2024-01-01T00:00:00Z",
            "episodic": [{"id": "a", "content": "我们在港口见面。", "keywords": ["港口"], "emotionalContext": ["happy"], "x": [1]}],
            "semantic": [{"id": "b", "content": "She likes tea.", "triggerType": "semantic", "roleUuid": "u-1"}],
            "traits": [{"name": "性格", "value": "温柔"}], "goals": ["海に行く"]});
        let mut memory = MemoryFile::read(file.to_string().as_bytes(), &Limits::default()).unwrap();
        for whose in ["u-1", "雪"] {
            let book = memory.to_book("memory").unwrap();
            let (core, warnings) = book.to_core("memory", 0);
            assert!(warnings.is_empty(), "{warnings:?}");
            let entries: Vec<Entry> =
                core.entries.iter().map(|entry| Arc::unwrap_or_clone(entry.clone())).collect();
            for (read, meant) in entries.iter().zip(memory.entries()) {
                assert_eq!(fields(read), fields(&meant));
                assert_eq!((&read.id, &read.known_by), (&meant.id, &vec![whose.to_owned()]));
            }
            assert_eq!(book.entries[0].source["extensions"]["memory"], file["episodic"][0]);
            assert_eq!(book.rest["extensions"]["memory"]["lastSyncedAt"], file["lastSyncedAt"]);
            memory.belongs_to("雪");
        }
    }
}
