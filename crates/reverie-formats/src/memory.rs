//! What does a character's `memory.json` hold, and what does it become here?
//!
//! The file is `{characterUuid, episodic[], semantic[], traits[], goals[], lastSyncedAt}`, one folder for each character.
//! Its records say when they come to mind (keywords, trigger, priority, weights), which is what an entry of a world book
//! says, so each becomes an entry that only this character knows. Kinds differ in what they assume where a record is
//! silent:
//!
//! | kind | priority | constant | relevance | emotion | decay a day |
//! |---|---|---|---|---|---|
//! | episodic | 50 | no | 0.8 | 0.5 | 0.1 |
//! | semantic | 60 | no | 0.9 | 0.3 | 0.05 |
//! | trait | 70 | yes | 1.0 | 0.5 | 0.01 |
//! | goal | 60 | no | 0.8 | 0.7 | 0.02 |

mod book;
mod record;
mod written;

use std::collections::HashSet;
use std::sync::Arc;

use reverie_core::lore::Entry;
use reverie_core::time::Tick;
use reverie_core::{Error, Result};
use serde_json::Value;

use crate::chat::time;
use crate::document::{Parsed, file};
use crate::warning::{cap, excerpt};
use crate::{Limits, Warning, field};

pub use record::{MemoryKind, MemoryRecord};

#[derive(Debug, Clone, PartialEq)]
pub struct MemoryFile {
    /// The whole file.
    pub source: Value,
    pub character: Option<String>,
    pub last_synced_ms: Option<i64>,
    /// In the order of the file, kind by kind.
    pub records: Vec<MemoryRecord>,
    /// What could not be understood and is left aside.
    pub warnings: Vec<Warning>,
}

impl MemoryFile {
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let Parsed { value: source, mut warnings } = file(bytes, limits, "memory")?;
        if !Self::is_memory(&source) {
            return Err(Error::invalid("this is no memory: it has none of the lists episodic, semantic, traits, goals")
                .hint("a memory.json is {\"characterUuid\":…,\"episodic\":[…],\"semantic\":[…],\"traits\":[…],\"goals\":[…]}"));
        }
        let mut records = Vec::new();
        for kind in MemoryKind::ALL {
            let list = match source.get(kind.list()) {
                Some(Value::Array(list)) => Some(list),
                None | Some(Value::Null) => None,
                Some(other) => {
                    let message = format!("{} is not a list; it is left aside", excerpt(&other.to_string()));
                    warnings.push(Warning::field(kind.list(), message));
                    None
                }
            };
            for (index, record) in list.into_iter().flatten().enumerate() {
                if records.len() == limits.entries {
                    return Err(Error::invalid(format!("there are more than {} records", limits.entries))
                        .hint("divide the file into several"));
                }
                match MemoryRecord::read(kind, record) {
                    Some(record) => records.push(record),
                    None => warnings.push(Warning::new(format!("{}[{index}] has no text", kind.list()))),
                }
            }
        }
        warnings.extend(doubled(&records));
        cap(&mut warnings);
        Ok(Self {
            character: field::filled(&source, "characterUuid"),
            last_synced_ms: source.get("lastSyncedAt").and_then(time::read).map(|time| time.ms),
            records,
            warnings,
            source,
        })
    }

    /// Whether this has the shape of one.
    pub fn is_memory(value: &Value) -> bool {
        MemoryKind::ALL.iter().any(|kind| value.get(kind.list()).is_some_and(Value::is_array))
    }

    /// The file again, equal in value.
    pub fn write(&self) -> String {
        self.source.to_string()
    }

    /// What the character knows, as entries of a world book; their comment tells the kind. Times of the wall clock are no
    /// ticks of a world, so entries have none.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries_at(&|_| None)
    }

    /// As `entries`, in a world that knows which tick a time of the wall clock (in milliseconds) is.
    pub fn entries_at(&self, tick: &dyn Fn(i64) -> Option<Tick>) -> Vec<Entry> {
        let mut taken: HashSet<Arc<str>> = HashSet::new();
        let mut entries = Vec::with_capacity(self.records.len());
        for (index, record) in self.records.iter().enumerate() {
            let mut entry = record.entry(self.character.as_deref());
            // Ids that are missing or doubled are made from the place in the file.
            if entry.id.is_empty() || taken.contains(&entry.id) {
                entry.id = Arc::from(format!("{}-{index}", record.kind.as_str()));
            }
            while !taken.insert(entry.id.clone()) {
                entry.id = Arc::from(format!("{}'", entry.id));
            }
            entry.tick = record.timestamp_ms.and_then(tick);
            entries.push(entry);
        }
        entries
    }
}

/// Both are kept; the later one goes by its place in the file.
fn doubled(records: &[MemoryRecord]) -> impl Iterator<Item = Warning> {
    let mut seen = HashSet::new();
    let doubled =
        records.iter().filter(move |record| !record.id.is_empty() && !seen.insert(record.id.as_str()));
    doubled.map(|record| {
        let list = record.kind.list();
        let message =
            format!("another record has the same id; this one, of {list}, goes by its place in the file");
        Warning::field("id", message).of_entry(&record.id)
    })
}

#[cfg(test)]
#[path = "memory/tests.rs"]
mod tests;
