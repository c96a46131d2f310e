//! How does a record become rows, and what is known of those before it?

use std::collections::{HashMap, HashSet};

use reverie_core::character::is_erased;
use reverie_core::record::{CharacterRecord, ConversationRecord, Record, WorldRecord};
use reverie_core::settings::WorldSettings;
use reverie_core::{CharacterId, ConversationId, DocumentId, Error, LineId, WorldId};
use rusqlite::{Connection, ErrorCode, params};

use super::broken;
use super::leftovers::{self, Arriving};
use crate::error::Result;
use crate::world::{self, WorldRow};
use crate::{character, circle, conversation};

/// No world gets here by honest work, and one more always fits.
const MAX_REVISION: u64 = 1 << 53;

/// A world of which some records are written.
pub(super) struct Arrival {
    pub(super) row: WorldRow,
    pub(super) arriving: Arriving,
    pub(super) head: WorldRecord,
    characters: HashMap<CharacterId, i64>,
    pub(super) conversations: HashMap<ConversationId, Room>,
    circles: HashMap<Vec<CharacterId>, i64>,
    /// Sets of witnesses that are listed with their conversations.
    pub(super) streams: HashSet<(i64, i64)>,
    pub(super) last_line: u64,
    pub(super) last_round: u64,
    pub(super) last_memory: u64,
    /// How many came, and how many of them the keys stand for.
    pub(super) lines: u64,
    pub(super) keyed_lines: u64,
    pub(super) books: HashMap<DocumentId, Staged>,
}

/// A book of which some entries are written.
pub(super) struct Staged {
    pub(super) no: i64,
    pub(super) entries: i64,
}

#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) no: i64,
    pub(super) beginning: i64,
    /// The end of the path that is marked active. Where the head really stands, only the log will say; mostly here.
    pub(super) tip: Option<Tip>,
}

#[derive(Clone, Copy)]
pub(super) struct Tip {
    pub(super) line: i64,
    pub(super) present: i64,
    pub(super) at: i64,
    pub(super) said: i64,
    /// The nearest line at or above it.
    pub(super) spoken: Option<i64>,
}

impl Arrival {
    pub(super) fn begin(connection: &Connection, id: &WorldId, first: Option<Record>) -> Result<Self> {
        if WorldRow::look(connection, id)?.is_some() {
            return Err(taken(id));
        }
        let Some(Record::World(head)) = first else { return Err(broken("it does not begin with a world")) };
        let counters = [head.next_line, head.next_round, head.next_memory];
        let is_countable = counters.iter().all(|next| (1..=LineId::LIMIT).contains(next));
        if !is_countable || head.revision > MAX_REVISION {
            return Err(broken("its counters are out of range"));
        }
        let (row, arriving) = leftovers::begin(connection, head.forked_from.as_ref(), head.created_ms)?;
        Ok(Self {
            row,
            arriving,
            head,
            characters: HashMap::new(),
            conversations: HashMap::new(),
            circles: HashMap::new(),
            streams: HashSet::new(),
            last_line: 0,
            last_round: 0,
            last_memory: 0,
            lines: 0,
            keyed_lines: 0,
            books: HashMap::new(),
        })
    }

    pub(super) fn keep_alive(&self, connection: &Connection) -> Result<()> {
        leftovers::keep_alive(connection, self.arriving)
    }

    pub(super) fn rooms(&self) -> Vec<Room> {
        let mut rooms: Vec<Room> = self.conversations.values().copied().collect();
        rooms.sort_unstable_by_key(|room| room.no);
        rooms
    }

    pub(super) fn has_conversation(&self, id: &ConversationId) -> bool {
        self.conversations.contains_key(id)
    }

    pub(super) fn take(&mut self, connection: &Connection, record: Record) -> Result<()> {
        let taken = match record {
            Record::World(_) => Err(broken("it holds two worlds")),
            Record::Settings { version, preset, pairs } => {
                WorldSettings::resolve(preset, &pairs)?;
                world::write_settings(connection, self.row.no, version, preset, &pairs)
            }
            Record::Character(record) => self.character(connection, record),
            Record::Conversation(record) => self.conversation(connection, record),
            Record::Round(record) => self.round(connection, record),
            Record::Line(record) => self.line(connection, &record),
            Record::Timers { line, text } => self.timers(connection, line, &text),
            Record::Keepsake(keepsake) => self.keepsake(connection, &keepsake),
            Record::Memory { memory, fingerprint } => self.memory(connection, &memory, fingerprint),
            Record::Holding(record) => self.holding(connection, &record),
            Record::Refreshed { line, memory, holder } => self.refreshed(connection, line, memory, &holder),
            Record::Change { revision, change } => self.change(connection, revision, &change),
            Record::Key(record) => self.key(connection, &record),
            Record::Checkpoint(checkpoint) => self.checkpoint(connection, &checkpoint),
            Record::Link(link) => self.link(connection, &link),
            Record::Book(book) => self.book(connection, *book),
            Record::Entry { book, entry } => self.entry(connection, &book, &entry),
        };
        taken.map_err(said_twice)
    }

    fn character(&mut self, connection: &Connection, record: CharacterRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let (first, others) = match record.cards.split_first() {
            Some(((0, first), others)) => (first, others),
            _ => return Err(broken(&format!("character {:?} has no first card", record.id))),
        };
        let no = character::insert(connection, self.row.no, &record.id, first, record.revision)?;
        if is_erased(&record.id) {
            connection.execute("UPDATE character SET erased = 1 WHERE no = ?1", [no])?;
        }
        for (version, card) in others {
            character::keep_old(connection, no, *version, card)?;
        }
        for (namespace, value) in &record.host_ids {
            connection
                .prepare_cached(
                    "INSERT INTO alias (world, namespace, value, character) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![self.row.no, namespace.as_str(), value, no])?;
        }
        self.characters.insert(record.id, no);
        Ok(())
    }

    fn conversation(&mut self, connection: &Connection, record: ConversationRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        if self.has_conversation(&record.id) {
            return Err(broken(&format!("the conversation {:?} comes twice", record.id)));
        }
        let mut persons = Vec::with_capacity(record.participants.len());
        for id in &record.participants {
            persons.push(self.character_no(id)?);
        }
        let name = record.name.as_deref();
        let row = conversation::insert(connection, self.row.no, &record.id, name, &persons, record.revision)?;
        self.conversations.insert(record.id, Room { no: row.no, beginning: row.beginning, tip: None });
        Ok(())
    }

    pub(super) fn circle(&mut self, connection: &Connection, ids: &[CharacterId]) -> Result<i64> {
        if let Some(circle) = self.circles.get(ids) {
            return Ok(*circle);
        }
        let mut numbers = Vec::with_capacity(ids.len());
        for id in ids {
            numbers.push(self.character_no(id)?);
        }
        let circle = circle::intern(connection, self.row.no, &numbers)?;
        self.circles.insert(ids.to_vec(), circle);
        Ok(circle)
    }

    pub(super) fn character_no(&self, id: &CharacterId) -> Result<i64> {
        self.characters
            .get(id)
            .copied()
            .ok_or_else(|| broken(&format!("it mentions {id:?}, who is not in it")))
    }

    pub(super) fn room(&self, id: &ConversationId) -> Result<Room> {
        let found = self.conversations.get(id).copied();
        found.ok_or_else(|| broken(&format!("it mentions the conversation {id:?}, which is not in it")))
    }

    pub(super) fn check_revision(&self, revision: u64) -> Result<()> {
        if revision <= self.head.revision {
            return Ok(());
        }
        Err(broken(&format!("revision {revision} lies behind its last one, {}", self.head.revision)))
    }
}

pub(super) fn taken(id: &WorldId) -> crate::error::Error {
    Error::conflict(format!("the world {id:?} exists already"))
        .hint("import under another id, or DELETE that world first")
        .into()
}

/// What the tables hold only once stands twice in the records.
fn said_twice(error: crate::error::Error) -> crate::error::Error {
    match error {
        crate::error::Error::Sql(sql) if sql.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            broken("it says twice what can be said only once")
        }
        error => error,
    }
}
