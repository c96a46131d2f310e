//! How does a world leave the store, record by record?

mod along;
mod changes;
mod remembered;

use std::collections::HashMap;

use reverie_core::record::{CharacterRecord, ConversationRecord, KeyRecord, LineRecord, Record, WorldRecord};
use reverie_core::store::Select;
use reverie_core::{Attribute, CharacterId, CheckpointId, ConversationId, LineId, RoundId, WorldId};
use rusqlite::{Connection, params};

use crate::character;
use crate::circle::Circles;
use crate::error::Result;
use crate::line::{self, wording_columns};
use crate::log::{self, Kind};
use crate::world::{self, WorldRow};

/// Whether the books that a world uses go with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Books {
    Come,
    /// Where it goes the same library is.
    Stay,
}

pub(crate) type Sink<'s> = &'s mut dyn FnMut(Record) -> reverie_core::Result<()>;

/// The log up to now, or up to a checkpoint's revision.
pub(crate) fn export(
    connection: &Connection,
    id: &WorldId,
    checkpoint: Option<&CheckpointId>,
    books: Books,
    sink: Sink<'_>,
) -> Result<()> {
    let row = WorldRow::find(connection, id)?;
    let world = world::read(connection, id)?;
    let revision = match checkpoint {
        Some(checkpoint) => log::find(connection, &row, checkpoint)?.revision,
        None => world.revision,
    };
    let next: (u64, u64, u64) = match checkpoint {
        None => connection.query_row(
            "SELECT next_line, next_round, next_memory FROM world WHERE no = ?1",
            [row.no],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?,
        Some(_) => (
            next_line_at(connection, &row, revision)?,
            next_at(connection, &row, "round", revision)?,
            next_at(connection, &row, "memory", revision)?,
        ),
    };
    sink(Record::World(WorldRecord {
        id: world.id,
        forked_from: world.forked_from,
        created_ms: world.created_ms,
        revision,
        next_line: next.0,
        next_round: next.1,
        next_memory: next.2,
        checkpoint: checkpoint.cloned(),
        has_keepsakes: along::has_keepsakes(connection, &row, revision)?,
    }))?;
    let mut out = Out { connection, world: &row, revision, sink, ids: Ids::default() };
    out.settings()?;
    out.characters()?;
    out.conversations()?;
    out.rounds()?;
    out.lines()?;
    out.timers()?;
    out.keepsakes()?;
    out.memories()?;
    out.holdings()?;
    out.refreshed()?;
    out.changes()?;
    out.keys()?;
    for checkpoint in log::list(connection, &row, &Select::Page { after: None, limit: i64::MAX as usize })? {
        if checkpoint.revision <= revision {
            (out.sink)(Record::Checkpoint(checkpoint))?;
        }
    }
    let linked = out.links()?;
    match books {
        Books::Come => linked.iter().try_for_each(|book| out.book(book)),
        Books::Stay => Ok(()),
    }
}

fn next_line_at(connection: &Connection, world: &WorldRow, revision: u64) -> Result<u64> {
    // A key remembers the numbers of its lines even when they are deleted; they must not come again.
    let keyed: Option<u64> = connection.query_row(
        "SELECT max(k.first + k.count) FROM append_key k JOIN conversation c ON c.no = k.conversation
         WHERE c.world = ?1 AND k.revision <= ?2",
        params![world.no, revision],
        |row| row.get(0),
    )?;
    Ok(next_at(connection, world, "line", revision)?.max(keyed.unwrap_or(1)))
}

/// Behind everything of a table, keyed like lines, that the log up to the revision knows of.
fn next_at(connection: &Connection, world: &WorldRow, table: &str, revision: u64) -> Result<u64> {
    let sql = format!("SELECT max(id) FROM {table} WHERE id > ?1 AND id <= ?2 AND revision <= ?3");
    let (low, high) = world.keys();
    let last: Option<i64> = connection.query_row(&sql, params![low, high, revision], |row| row.get(0))?;
    Ok(last.map_or(1, |key| line::number(key) + 1))
}

#[derive(Default)]
struct Ids {
    characters: HashMap<i64, CharacterId>,
    conversations: HashMap<i64, ConversationId>,
}

struct Out<'o> {
    connection: &'o Connection,
    world: &'o WorldRow,
    revision: u64,
    sink: Sink<'o>,
    ids: Ids,
}

impl Out<'_> {
    fn settings(&mut self) -> Result<()> {
        let versions: Vec<u32> = self
            .connection
            .prepare("SELECT DISTINCT version FROM setting WHERE world = ?1 ORDER BY version")?
            .query_map([self.world.no], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for version in versions {
            if version == 0 || self.is_logged(Kind::Settings, 0, version)? {
                let (preset, pairs) = world::settings(self.connection, self.world.no, version)?;
                (self.sink)(Record::Settings { version, preset, pairs })?;
            }
        }
        Ok(())
    }

    /// True if the log up to the revision refers to this version; later texts stay behind.
    fn is_logged(&self, kind: Kind, subject: i64, version: u32) -> Result<bool> {
        let logged = self
            .connection
            .prepare_cached(
                "SELECT 1 FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3 AND value = ?4 AND revision <= ?5",
            )?
            .exists(params![self.world.no, kind as i64, subject, version, self.revision])?;
        Ok(logged)
    }

    fn characters(&mut self) -> Result<()> {
        let all: Vec<(i64, String, u64)> = self
            .connection
            .prepare(
                "SELECT no, id, revision FROM character WHERE world = ?1 AND revision <= ?2 ORDER BY no",
            )?
            .query_map(params![self.world.no, self.revision], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?
            .collect::<rusqlite::Result<_>>()?;
        for (no, id, revision) in all {
            let id = CharacterId::new(&id)?;
            self.ids.characters.insert(no, id.clone());
            let (current, version) = character::current(self.connection, no)?;
            let mut cards = vec![(version, current)];
            let mut statement = self.connection.prepare_cached(
                "SELECT kind, display_name, aliases, persona, tags, card, version FROM character_version WHERE character = ?1 AND version <> ?2",
            )?;
            let mut rows = statement.query(params![no, version])?;
            while let Some(row) = rows.next()? {
                cards.push((row.get(6)?, character::card_columns(row)??));
            }
            cards.sort_unstable_by_key(|(version, _)| *version);
            let mut kept = Vec::new();
            for (version, card) in cards {
                if version == 0 || self.is_logged(Kind::Card, no, version)? {
                    kept.push((version, card));
                }
            }
            let host_ids = character::host_ids(self.connection, no)?;
            (self.sink)(Record::Character(CharacterRecord { id, host_ids, cards: kept, revision }))?;
        }
        Ok(())
    }

    fn conversations(&mut self) -> Result<()> {
        let mut circles = Circles::default();
        let mut statement = self.connection.prepare(
            "SELECT no, id, name, beginning, revision FROM conversation WHERE world = ?1 AND revision <= ?2
                 ORDER BY no",
        )?;
        let mut rows = statement.query(params![self.world.no, self.revision])?;
        while let Some(row) = rows.next()? {
            let id = ConversationId::new(&row.get::<_, String>(1)?)?;
            self.ids.conversations.insert(row.get(0)?, id.clone());
            let name: Option<String> = row.get(2)?;
            let participants = match name {
                Some(_) => Vec::new(),
                None => circles.ids(self.connection, row.get(3)?)?,
            };
            let record = ConversationRecord { id, name, participants, revision: row.get(4)? };
            (self.sink)(Record::Conversation(record))?;
        }
        Ok(())
    }

    fn lines(&mut self) -> Result<()> {
        let mut circles = Circles::default();
        let mut statement = self.connection.prepare(
            "SELECT id, conversation, parent, attribute, speaker, display_name, tick, at, wall_ms, host_id, present,
               witnesses, revision, version, content, original_emotion, predicted_emotion, tts, action, audio, round
             FROM line WHERE id > ?1 AND id <= ?2 AND revision <= ?3 ORDER BY id",
        )?;
        let world = self.world;
        let last = world.line_key(LineId::LIMIT - 1);
        let mut rows = statement.query(params![world.line_key(0), last, self.revision])?;
        while let Some(row) = rows.next()? {
            let key: i64 = row.get(0)?;
            let attribute: Option<String> = row.get(3)?;
            let speaker: Option<i64> = row.get(4)?;
            let parent: Option<u64> = row.get(2)?;
            let record = LineRecord {
                id: LineId::new(line::number(key))?,
                conversation: found(&self.ids.conversations, row.get(1)?)?,
                parent: parent.map(LineId::new).transpose()?,
                attribute: attribute.map(|name| Attribute::from_name(&name)).transpose()?,
                speaker: speaker.map(|no| found(&self.ids.characters, no)).transpose()?,
                display_name: row.get(5)?,
                tick: row.get(6)?,
                at: row.get(7)?,
                wall_ms: row.get(8)?,
                host_id: row.get(9)?,
                present: circles.ids(self.connection, row.get(10)?)?,
                witnesses: circles.ids(self.connection, row.get(11)?)?,
                round: row.get::<_, Option<u64>>(20)?.map(RoundId::new).transpose()?,
                revision: row.get(12)?,
                wordings: self.wordings(key, row.get(13)?, wording_columns(row, 14)?)?,
            };
            (self.sink)(Record::Line(Box::new(record)))?;
        }
        Ok(())
    }

    fn wordings(
        &self,
        key: i64,
        version: u32,
        current: reverie_core::line::Wording,
    ) -> Result<Vec<(u32, reverie_core::line::Wording)>> {
        if version == 0 {
            // Never edited, or edited and restored: only the log knows, and most lines never are.
            let edited = self
                .connection
                .prepare_cached("SELECT 1 FROM line_version WHERE line = ?1")?
                .exists([key])?;
            if !edited {
                return Ok(vec![(0, current)]);
            }
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT content, original_emotion, predicted_emotion, tts, action, audio, version FROM line_version
             WHERE line = ?1 AND version <> ?2",
        )?;
        let mut wordings: Vec<(u32, _)> = statement
            .query_map(params![key, version], |row| Ok((row.get(6)?, wording_columns(row, 0)?)))?
            .collect::<rusqlite::Result<_>>()?;
        wordings.push((version, current));
        wordings.sort_unstable_by_key(|(version, _)| *version);
        let mut kept = Vec::new();
        for (version, wording) in wordings {
            if version == 0 || self.is_logged(Kind::Wording, line::number(key) as i64, version)? {
                kept.push((version, wording));
            }
        }
        Ok(kept)
    }

    /// Conversation by conversation, so that nothing has to be sorted.
    fn keys(&mut self) -> Result<()> {
        let mut conversations: Vec<(i64, ConversationId)> =
            self.ids.conversations.iter().map(|(no, id)| (*no, id.clone())).collect();
        conversations.sort_unstable_by_key(|(no, _)| *no);
        let mut statement = self.connection.prepare(
            "SELECT key, digest, first, count, revision FROM append_key WHERE conversation = ?1 AND revision <= ?2
             ORDER BY key",
        )?;
        for (no, conversation) in conversations {
            let mut rows = statement.query(params![no, self.revision])?;
            while let Some(row) = rows.next()? {
                let record = KeyRecord {
                    conversation: conversation.clone(),
                    key: row.get(0)?,
                    digest: row.get(1)?,
                    first: LineId::new(row.get(2)?)?,
                    count: row.get(3)?,
                    revision: row.get(4)?,
                };
                (self.sink)(Record::Key(record))?;
            }
        }
        Ok(())
    }
}

fn found<T: Clone>(ids: &HashMap<i64, T>, no: i64) -> Result<T> {
    ids.get(&no).cloned().ok_or_else(|| {
        reverie_core::Error::new(reverie_core::Code::Corrupt, format!("number {no} refers to nothing"))
            .hint("run `reverie doctor` and restore a backup")
            .into()
    })
}
