//! How does a record become rows: settings, people, conversations, lines?

use std::collections::{HashMap, HashSet};

use reverie_core::character::is_erased;
use reverie_core::line::{Order, check_tick};
use reverie_core::record::{CharacterRecord, ConversationRecord, LineRecord, Record, WorldRecord};
use reverie_core::settings::WorldSettings;
use reverie_core::{CharacterId, ConversationId, Error, LineId, WorldId};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use super::{broken, leftovers};
use crate::error::Result;
use crate::line;
use crate::new_line::{self, NewRow};
use crate::world::{self, WorldRow};
use crate::{character, circle, conversation, tree};

/// No world gets here by honest work, and one more always fits.
const MAX_REVISION: u64 = 1 << 53;
/// So far a path is taken back to make place for a branch; a longer one is left to the end.
const SHORT_WAY: usize = 512;

/// A world of which some records are written.
pub(super) struct Arrival {
    pub(super) row: WorldRow,
    pub(super) head: WorldRecord,
    characters: HashMap<CharacterId, i64>,
    conversations: HashMap<ConversationId, Room>,
    circles: HashMap<Vec<CharacterId>, i64>,
    streams: HashSet<(i64, i64)>,
    last_line: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) no: i64,
    beginning: i64,
    /// The end of the path that is marked active. Where the head really stands, only the log will say; mostly here.
    pub(super) tip: Option<Tip>,
}

#[derive(Clone, Copy)]
pub(super) struct Tip {
    pub(super) line: i64,
    present: i64,
    at: i64,
}

impl Arrival {
    pub(super) fn begin(connection: &Connection, id: &WorldId, first: Option<Record>) -> Result<Self> {
        if WorldRow::look(connection, id)?.is_some() {
            return Err(taken(id));
        }
        let Some(Record::World(head)) = first else { return Err(broken("it does not begin with a world")) };
        if head.next_line == 0 || head.next_line > LineId::LIMIT || head.revision > MAX_REVISION {
            return Err(broken("its counters are out of range"));
        }
        let row = leftovers::begin(connection, head.forked_from.as_ref(), head.created_ms)?;
        Ok(Self {
            row,
            head,
            characters: HashMap::new(),
            conversations: HashMap::new(),
            circles: HashMap::new(),
            streams: HashSet::new(),
            last_line: 0,
        })
    }

    pub(super) fn number(&self) -> i64 {
        self.row.no
    }

    pub(super) fn keep_alive(&self, connection: &Connection) -> Result<()> {
        leftovers::keep_alive(connection, self.row.no)
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
            Record::Line(record) => self.line(connection, &record),
            Record::Change { revision, change } => self.change(connection, revision, &change),
            Record::Key(record) => self.key(connection, &record),
            Record::Checkpoint(checkpoint) => self.checkpoint(connection, &checkpoint),
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
        for (namespace, value) in &record.aliases {
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

    fn line(&mut self, connection: &Connection, record: &LineRecord) -> Result<()> {
        let number = record.id.get();
        if number <= self.last_line || number >= self.head.next_line {
            return Err(broken(&format!("line {number} is out of order")));
        }
        self.last_line = number;
        self.check_revision(record.revision)?;
        let mut room = self.room(&record.conversation)?;
        let place = self.place(connection, record, &room)?;
        check_time(record, place.parent_at)?;
        let Some(((0, wording), others)) = record.wordings.split_first() else {
            return Err(broken(&format!("line {number} has no first wording")));
        };
        let present = self.circle(connection, &record.present)?;
        let witnesses = self.circle(connection, &record.witnesses)?;
        let speaker = record.speaker.as_ref().map(|id| self.character_no(id)).transpose()?;
        let active = place.is_on_path && self.lead_to(connection, &mut room, record.parent)?;
        let fork = match record.parent {
            Some(parent) => !tree::continue_with(connection, &self.row, parent.get() as i64, number as i64)?,
            None => true,
        };
        let key = self.row.line_key(number);
        let row = NewRow {
            key,
            conversation: room.no,
            parent: record.parent.map(|parent| parent.get() as i64),
            child: None,
            fork,
            attribute: record.attribute,
            speaker,
            display_name: record.display_name.as_deref(),
            wording: Some(wording),
            tick: record.tick,
            at: record.at,
            wall_ms: record.wall_ms,
            host_id: record.host_id.as_deref(),
            present,
            arrival: record.parent.is_none() || present != place.parent_present,
            witnesses,
            hidden: false,
            active,
            revision: record.revision,
        };
        new_line::insert(connection, &[row])?;
        for (version, wording) in others {
            line::keep_old(connection, key, *version, wording)?;
        }
        if self.streams.insert((room.no, witnesses)) {
            connection
                .prepare_cached("INSERT OR IGNORE INTO stream (conversation, circle) VALUES (?1, ?2)")?
                .execute([room.no, witnesses])?;
        }
        if active {
            room.tip = Some(Tip { line: number as i64, present, at: record.at });
        }
        self.conversations.insert(record.conversation.clone(), room);
        Ok(())
    }

    fn place(&self, connection: &Connection, record: &LineRecord, room: &Room) -> Result<Place> {
        let Some(parent) = record.parent else {
            return Ok(Place {
                parent_present: room.beginning,
                parent_at: Order::BEFORE_TIME,
                is_on_path: true,
            });
        };
        if let Some(tip) = room.tip.filter(|tip| tip.line == parent.get() as i64) {
            return Ok(Place { parent_present: tip.present, parent_at: tip.at, is_on_path: true });
        }
        let found: Option<(i64, Place)> = connection
            .prepare_cached("SELECT conversation, present, at, active FROM line WHERE id = ?1")?
            .query_row([self.row.line_key(parent.get())], |row| {
                let place =
                    Place { parent_present: row.get(1)?, parent_at: row.get(2)?, is_on_path: row.get(3)? };
                Ok((row.get(0)?, place))
            })
            .optional()?;
        match found {
            Some((of, place)) if of == room.no => Ok(place),
            _ => Err(broken(&format!(
                "line {} names the parent {parent}, which does not come before it",
                record.id
            ))),
        }
    }

    /// Takes the active path back to a line on it, so that it can go on from there. A line is taken back once at most, so
    /// this costs no more than writing them did.
    fn lead_to(&self, connection: &Connection, room: &mut Room, parent: Option<LineId>) -> Result<bool> {
        let parent = parent.map(|parent| parent.get() as i64);
        let tip = room.tip.map(|tip| tip.line);
        if tip == parent {
            return Ok(true);
        }
        let mut left = SHORT_WAY;
        let (reached, _) = tree::switch_path(connection, &self.row, (tip, parent), &mut left)?;
        room.tip = match reached {
            None => None,
            Some(line) => {
                let node = tree::node(connection, &self.row, line)?;
                Some(Tip { line, present: node.present, at: node.at })
            }
        };
        Ok(reached == parent)
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

/// Where a line hangs.
struct Place {
    parent_present: i64,
    parent_at: i64,
    /// The parent is on the path that is marked active.
    is_on_path: bool,
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

/// Time never runs backwards along a path; merging conversations relies on it.
fn check_time(record: &LineRecord, parent_at: i64) -> Result<()> {
    let is_known = record.at != Order::BEFORE_TIME;
    for tick in record.tick.into_iter().chain(is_known.then_some(record.at)) {
        check_tick(tick)?;
    }
    if record.at < parent_at.max(record.tick.unwrap_or(Order::BEFORE_TIME)) {
        return Err(broken(&format!("line {} comes before its parent or its own tick", record.id)));
    }
    Ok(())
}
