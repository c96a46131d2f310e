//! How do records become a world again, all of it or nothing?

use std::collections::HashMap;

use reverie_core::character::is_erased;
use reverie_core::line::{Order, check_tick};
use reverie_core::record::{CharacterRecord, ConversationRecord, KeyRecord, LineRecord, Record, WorldRecord};
use reverie_core::settings::WorldSettings;
use reverie_core::world::{Change, World};
use reverie_core::{CharacterId, ConversationId, Error, LineId, WorldId};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use crate::error::Result;
use crate::line;
use crate::log::{self, Kind};
use crate::new_line::{self, NewRow};
use crate::world::{self, WorldRow};
use crate::{character, circle, conversation, recency, tree};

/// No world gets here by honest work, and one more always fits.
const MAX_REVISION: u64 = 1 << 53;

pub(crate) fn import(
    connection: &Connection,
    id: &WorldId,
    records: &mut dyn Iterator<Item = reverie_core::Result<Record>>,
) -> Result<World> {
    if WorldRow::look(connection, id)?.is_some() {
        return Err(Error::conflict(format!("the world {id:?} exists already"))
            .hint("import under another id, or DELETE that world first")
            .into());
    }
    let first = records.next().transpose()?;
    let Some(Record::World(head)) = first else { return Err(broken("it does not begin with a world")) };
    if head.next_line == 0 || head.next_line > LineId::LIMIT || head.revision > MAX_REVISION {
        return Err(broken("its counters are out of range"));
    }
    let row = world::insert(connection, id, head.forked_from.as_ref(), head.created_ms)?;
    let mut arrival = Arrival {
        connection,
        row,
        head,
        characters: HashMap::new(),
        conversations: HashMap::new(),
        circles: HashMap::new(),
        last_line: 0,
    };
    for record in records {
        arrival.take(record?).map_err(said_twice)?;
    }
    arrival.finish()?;
    world::read(connection, id)
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

struct Arrival<'c> {
    connection: &'c Connection,
    row: WorldRow,
    head: WorldRecord,
    characters: HashMap<CharacterId, i64>,
    /// Number, circle of the beginning.
    conversations: HashMap<ConversationId, (i64, i64)>,
    circles: HashMap<Vec<CharacterId>, i64>,
    last_line: u64,
}

impl Arrival<'_> {
    fn take(&mut self, record: Record) -> Result<()> {
        match record {
            Record::World(_) => Err(broken("it holds two worlds")),
            Record::Settings { version, preset, pairs } => {
                WorldSettings::resolve(preset, &pairs)?;
                world::write_settings(self.connection, self.row.no, version, preset, &pairs)
            }
            Record::Character(record) => self.character(record),
            Record::Conversation(record) => self.conversation(record),
            Record::Line(record) => self.line(&record),
            Record::Change { revision, change } => self.change(revision, &change),
            Record::Key(record) => self.key(&record),
            Record::Checkpoint(checkpoint) => {
                self.check_revision(checkpoint.revision)?;
                if log::find(self.connection, &self.row, &checkpoint.id).is_ok() {
                    return Err(broken(&format!("the checkpoint {:?} comes twice", checkpoint.id)));
                }
                log::write_checkpoint(self.connection, self.row.no, &checkpoint)
            }
        }
    }

    fn character(&mut self, record: CharacterRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let (first, others) = match record.cards.split_first() {
            Some(((0, first), others)) => (first, others),
            _ => return Err(broken(&format!("character {:?} has no first card", record.id))),
        };
        let no = character::insert(self.connection, self.row.no, &record.id, first, record.revision)?;
        if is_erased(&record.id) {
            self.connection.execute("UPDATE character SET erased = 1 WHERE no = ?1", [no])?;
        }
        for (version, card) in others {
            character::keep_old(self.connection, no, *version, card)?;
        }
        for (namespace, value) in &record.aliases {
            self.connection
                .prepare_cached(
                    "INSERT INTO alias (world, namespace, value, character) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![self.row.no, namespace.as_str(), value, no])?;
        }
        self.characters.insert(record.id, no);
        Ok(())
    }

    fn conversation(&mut self, record: ConversationRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        if self.conversations.contains_key(&record.id) {
            return Err(broken(&format!("the conversation {:?} comes twice", record.id)));
        }
        let mut persons = Vec::with_capacity(record.participants.len());
        for id in &record.participants {
            persons.push(self.character_no(id)?);
        }
        let row = conversation::insert(
            self.connection,
            self.row.no,
            &record.id,
            record.name.as_deref(),
            &persons,
            record.revision,
        )?;
        self.conversations.insert(record.id, (row.no, row.beginning));
        Ok(())
    }

    fn line(&mut self, record: &LineRecord) -> Result<()> {
        let number = record.id.get();
        if number <= self.last_line || number >= self.head.next_line {
            return Err(broken(&format!("line {number} is out of order")));
        }
        self.last_line = number;
        let (conversation, beginning) = self.conversation_no(&record.conversation)?;
        let (parent_present, parent_at, said_before) = match record.parent {
            Some(parent) => self.parent(record.id, parent, conversation)?,
            None => (beginning, Order::BEFORE_TIME, 0),
        };
        check_time(record, parent_at)?;
        let Some(((0, wording), others)) = record.wordings.split_first() else {
            return Err(broken(&format!("line {number} has no first wording")));
        };
        let present = self.circle(&record.present)?;
        let witnesses = self.circle(&record.witnesses)?;
        let speaker = record.speaker.as_ref().map(|id| self.character_no(id)).transpose()?;
        let key = self.row.line_key(number);
        let fork = match record.parent {
            Some(parent) => {
                !tree::continue_with(self.connection, &self.row, parent.get() as i64, number as i64)?
            }
            None => true,
        };
        new_line::insert(
            self.connection,
            &[NewRow {
                key,
                conversation,
                parent: record.parent.map(|parent| parent.get() as i64),
                child: None,
                fork,
                said: said_before + i64::from(record.attribute.is_some()),
                attribute: record.attribute,
                speaker,
                display_name: record.display_name.as_deref(),
                wording: Some(wording),
                tick: record.tick,
                at: record.at,
                wall_ms: record.wall_ms,
                host_id: record.host_id.as_deref(),
                present,
                arrival: record.parent.is_none() || present != parent_present,
                witnesses,
                hidden: false,
                active: false,
                revision: record.revision,
            }],
        )?;
        for (version, wording) in others {
            line::keep_old(self.connection, key, *version, wording)?;
        }
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO stream (conversation, circle) VALUES (?1, ?2)")?
            .execute([conversation, witnesses])?;
        self.check_revision(record.revision)
    }

    /// Who was present at the parent, when it was said, and the how-manieth it was.
    fn parent(&self, line: LineId, parent: LineId, conversation: i64) -> Result<(i64, i64, i64)> {
        let found: Option<(i64, i64, i64, i64)> = self
            .connection
            .prepare_cached("SELECT conversation, present, at, said FROM line WHERE id = ?1")?
            .query_row([self.row.line_key(parent.get())], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()?;
        match found {
            Some((of, present, at, said)) if of == conversation => Ok((present, at, said)),
            _ => {
                Err(broken(&format!("line {line} names the parent {parent}, which does not come before it")))
            }
        }
    }

    fn change(&mut self, revision: u64, change: &Change) -> Result<()> {
        self.check_revision(revision)?;
        let (kind, subject, value) = match change {
            Change::Head { conversation, line } => {
                let (no, _) = self.conversation_no(conversation)?;
                if let Some(line) = line {
                    self.check_line(*line, Some(no))?;
                }
                (Kind::Head, no, line.map(|line| line.get() as i64))
            }
            Change::Wording { line, version } => {
                self.check_line(*line, None)?;
                let key = self.row.line_key(line.get());
                self.check_version(
                    *version,
                    "SELECT 1 FROM line_version WHERE line = ?1 AND version = ?2",
                    key,
                )?;
                (Kind::Wording, line.get() as i64, Some(i64::from(*version)))
            }
            Change::Hidden { line, hidden } => {
                self.check_line(*line, None)?;
                (Kind::Hidden, line.get() as i64, Some(i64::from(*hidden)))
            }
            Change::Card { character, version } => {
                let no = self.character_no(character)?;
                let sql = "SELECT 1 FROM character_version WHERE character = ?1 AND version = ?2";
                self.check_version(*version, sql, no)?;
                (Kind::Card, no, Some(i64::from(*version)))
            }
            Change::Beginning { conversation, people } => {
                let (no, _) = self.conversation_no(conversation)?;
                let is_scene = self
                    .connection
                    .prepare_cached("SELECT 1 FROM conversation WHERE no = ?1 AND name IS NOT NULL")?
                    .exists([no])?;
                if !is_scene {
                    return Err(broken(&format!("{conversation:?} is no scene, but has a beginning")));
                }
                let circle = people.as_ref().map(|people| self.circle(people)).transpose()?;
                (Kind::Beginning, no, circle)
            }
            Change::Settings { version } => {
                let sql = "SELECT 1 FROM setting WHERE world = ?1 AND version = ?2";
                self.check_version(*version, sql, self.row.no)?;
                (Kind::Settings, 0, Some(i64::from(*version)))
            }
        };
        log::set(self.connection, self.row.no, revision, kind, subject, value)
    }

    fn key(&mut self, record: &KeyRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let (conversation, _) = self.conversation_no(&record.conversation)?;
        let first = record.first.get();
        let Some(end) = first.checked_add(record.count).filter(|end| *end <= self.head.next_line) else {
            return Err(broken(&format!("the key {:?} stands for lines that are not in it", record.key)));
        };
        let strangers = self
            .connection
            .prepare_cached("SELECT 1 FROM line WHERE id >= ?1 AND id < ?2 AND conversation <> ?3")?
            .exists([self.row.line_key(first), self.row.line_key(end), conversation])?;
        if strangers {
            return Err(broken(&format!(
                "the key {:?} stands for lines of another conversation",
                record.key
            )));
        }
        self.connection
            .prepare_cached(
                "INSERT INTO append_key (conversation, key, digest, first, count, revision)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                conversation,
                record.key,
                record.digest,
                record.first.get(),
                record.count,
                record.revision
            ])?;
        Ok(())
    }

    /// Derives what the log implies: current values, heads, paths, seats.
    fn finish(&self) -> Result<()> {
        let connection = self.connection;
        connection.execute(
            "UPDATE world SET revision = ?2, next_line = ?3, next_conversation = ?4 WHERE no = ?1",
            params![self.row.no, self.head.revision, self.head.next_line, self.next_conversation()?],
        )?;
        let things: Vec<(i64, i64)> = connection
            .prepare("SELECT DISTINCT kind, subject FROM change WHERE world = ?1")?
            .query_map([self.row.no], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        world::apply_settings(connection, self.row.no, 0)?;
        for (kind, subject) in things {
            let kind = Kind::from_number(kind)?;
            let value = log::value_at(connection, self.row.no, kind, subject, self.head.revision)?;
            log::apply(connection, &self.row, kind, subject, value)?;
        }
        let has_settings = connection
            .prepare("SELECT 1 FROM setting WHERE world = ?1 AND version = 0 AND key = ''")?
            .exists([self.row.no])?;
        if !has_settings {
            return Err(broken("it has no settings"));
        }
        for (no, _) in self.conversations.values() {
            tree::refresh(connection, &self.row, *no)?;
        }
        recency::cool_all(connection, self.row.no)?;
        Ok(())
    }

    /// Behind those of our own ids that are taken, so that nobody has to try them all again.
    fn next_conversation(&self) -> Result<u64> {
        let mut next = 1;
        while self.conversations.contains_key(&ConversationId::new(&format!("c{next}"))?) {
            next += 1;
        }
        Ok(next)
    }

    fn circle(&mut self, ids: &[CharacterId]) -> Result<i64> {
        if let Some(circle) = self.circles.get(ids) {
            return Ok(*circle);
        }
        let mut numbers = Vec::with_capacity(ids.len());
        for id in ids {
            numbers.push(self.character_no(id)?);
        }
        let circle = circle::intern(self.connection, self.row.no, &numbers)?;
        self.circles.insert(ids.to_vec(), circle);
        Ok(circle)
    }

    fn character_no(&self, id: &CharacterId) -> Result<i64> {
        self.characters
            .get(id)
            .copied()
            .ok_or_else(|| broken(&format!("it mentions {id:?}, who is not in it")))
    }

    fn conversation_no(&self, id: &ConversationId) -> Result<(i64, i64)> {
        let found = self.conversations.get(id).copied();
        found.ok_or_else(|| broken(&format!("it mentions the conversation {id:?}, which is not in it")))
    }

    fn check_line(&self, line: LineId, conversation: Option<i64>) -> Result<()> {
        let exists = self
            .connection
            .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND conversation = coalesce(?2, conversation)")?
            .exists(params![self.row.line_key(line.get()), conversation])?;
        if exists {
            Ok(())
        } else {
            Err(broken(&format!("it mentions line {line}, which is not where it should be")))
        }
    }

    /// The first version of anything is always there.
    fn check_version(&self, version: u32, sql: &str, subject: i64) -> Result<()> {
        if version == 0 || self.connection.prepare_cached(sql)?.exists(params![subject, version])? {
            return Ok(());
        }
        Err(broken(&format!("a change refers to version {version} of something that has no such version")))
    }

    fn check_revision(&self, revision: u64) -> Result<()> {
        if revision <= self.head.revision {
            return Ok(());
        }
        Err(broken(&format!("revision {revision} lies behind its last one, {}", self.head.revision)))
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

fn broken(why: &str) -> crate::error::Error {
    Error::invalid(format!("this is not a whole export: {why}"))
        .hint("export the world again; nothing was imported")
        .into()
}
