//! How do changes, keys and checkpoints come in, each checked against what came before it?

use reverie_core::LineId;
use reverie_core::record::KeyRecord;
use reverie_core::world::{Change, Checkpoint};
use rusqlite::{Connection, params};

use super::arrival::Arrival;
use super::broken;
use crate::error::Result;
use crate::log::{self, Kind};
use crate::round::{RoundRow, state_number};

impl Arrival {
    pub(super) fn change(&mut self, connection: &Connection, revision: u64, change: &Change) -> Result<()> {
        self.check_revision(revision)?;
        let (kind, subject, value) = match change {
            Change::Head { conversation, line } => {
                let no = self.room(conversation)?.no;
                if let Some(line) = line {
                    self.check_line(connection, *line, Some(no))?;
                }
                (Kind::Head, no, line.map(|line| line.get() as i64))
            }
            Change::Wording { line, version } => {
                self.check_line(connection, *line, None)?;
                let sql = "SELECT 1 FROM line_version WHERE line = ?1 AND version = ?2";
                check_version(connection, *version, sql, self.row.line_key(line.get()))?;
                (Kind::Wording, line.get() as i64, Some(i64::from(*version)))
            }
            Change::Hidden { line, hidden } => {
                self.check_line(connection, *line, None)?;
                (Kind::Hidden, line.get() as i64, Some(i64::from(*hidden)))
            }
            Change::Unshown { line, unshown } => {
                self.check_line(connection, *line, None)?;
                (Kind::Unshown, line.get() as i64, Some(i64::from(*unshown)))
            }
            Change::Forgotten { line, by } => {
                self.check_line(connection, *line, None)?;
                let circle = if by.is_empty() { None } else { Some(self.circle(connection, by)?) };
                self.check_witnesses(connection, *line, circle)?;
                (Kind::Forgotten, line.get() as i64, circle)
            }
            Change::Round { round, state } => {
                if RoundRow::look(connection, &self.row, *round)?.is_none() {
                    return Err(broken(&format!("a change speaks of round {round}, which is not in it")));
                }
                (Kind::Round, round.get() as i64, state.map(state_number))
            }
            Change::Holding { memory, holder, version } => {
                let no = self.holding_no(connection, *memory, holder)?;
                if let Some(version) = version {
                    let sql = "SELECT 1 FROM holding_version WHERE holding = ?1 AND version = ?2";
                    check_version(connection, *version, sql, no)?;
                }
                (Kind::Holding, no, version.map(i64::from))
            }
            Change::Card { character, version } => {
                let no = self.character_no(character)?;
                let sql = "SELECT 1 FROM character_version WHERE character = ?1 AND version = ?2";
                check_version(connection, *version, sql, no)?;
                (Kind::Card, no, Some(i64::from(*version)))
            }
            Change::Beginning { conversation, people } => {
                let no = self.room(conversation)?.no;
                let is_scene = connection
                    .prepare_cached("SELECT 1 FROM conversation WHERE no = ?1 AND name IS NOT NULL")?
                    .exists([no])?;
                if !is_scene {
                    return Err(broken(&format!("{conversation:?} is no scene, but has a beginning")));
                }
                let circle = people.as_ref().map(|people| self.circle(connection, people)).transpose()?;
                (Kind::Beginning, no, circle)
            }
            Change::ConversationAway { conversation, away } => {
                (Kind::ConversationAway, self.room(conversation)?.no, Some(i64::from(*away)))
            }
            Change::CharacterAway { character, away } => {
                (Kind::CharacterAway, self.character_no(character)?, Some(i64::from(*away)))
            }
            Change::Settings { version } => {
                let sql = "SELECT 1 FROM setting WHERE world = ?1 AND version = ?2";
                check_version(connection, *version, sql, self.row.no)?;
                (Kind::Settings, 0, Some(i64::from(*version)))
            }
        };
        log::set(connection, self.row.no, revision, kind, subject, value)
    }

    pub(super) fn key(&mut self, connection: &Connection, record: &KeyRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let conversation = self.room(&record.conversation)?.no;
        let why = |why: &str| broken(&format!("the key {:?} {why}", record.key));
        let first = record.first.get();
        let end = first.checked_add(record.count).filter(|end| *end > first && *end <= self.head.next_line);
        let end = end.ok_or_else(|| why("stands for lines that are not in it"))?;
        let (lines, strangers): (u64, u64) = connection
            .prepare_cached(
                "SELECT count(*), coalesce(sum(conversation <> ?3), 0) FROM line WHERE id BETWEEN ?1 AND ?2",
            )?
            .query_row([self.row.line_key(first), self.row.line_key(end - 1), conversation], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        if strangers > 0 {
            return Err(why("stands for lines of another conversation"));
        }
        // A line has one key at most. So looking at the lines of all keys costs no more than writing them did.
        self.keyed_lines += lines;
        if self.keyed_lines > self.lines {
            return Err(why("stands for lines that have a key already"));
        }
        connection
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

    pub(super) fn checkpoint(&mut self, connection: &Connection, checkpoint: &Checkpoint) -> Result<()> {
        self.check_revision(checkpoint.revision)?;
        if log::find(connection, &self.row, &checkpoint.id).is_ok() {
            return Err(broken(&format!("the checkpoint {:?} comes twice", checkpoint.id)));
        }
        log::write_checkpoint(connection, self.row.no, checkpoint)
    }

    /// Only whoever witnessed a line can forget it.
    fn check_witnesses(&self, connection: &Connection, line: LineId, circle: Option<i64>) -> Result<()> {
        let is_stranger = connection
            .prepare_cached(
                "SELECT 1 FROM circle_member g WHERE g.circle = ?2 AND NOT EXISTS
                   (SELECT 1 FROM line l JOIN circle_member w ON w.circle = l.witnesses
                    WHERE l.id = ?1 AND w.character = g.character)",
            )?
            .exists(params![self.row.line_key(line.get()), circle])?;
        if is_stranger {
            return Err(broken(&format!("line {line} was forgotten by somebody who did not witness it")));
        }
        Ok(())
    }

    fn check_line(&self, connection: &Connection, line: LineId, conversation: Option<i64>) -> Result<()> {
        let exists = connection
            .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND conversation = coalesce(?2, conversation)")?
            .exists(params![self.row.line_key(line.get()), conversation])?;
        if exists {
            return Ok(());
        }
        Err(broken(&format!("it mentions line {line}, which is not where it should be")))
    }
}

/// The first version of anything is always there.
fn check_version(connection: &Connection, version: u32, sql: &str, subject: i64) -> Result<()> {
    if version == 0 || connection.prepare_cached(sql)?.exists(params![subject, version])? {
        return Ok(());
    }
    Err(broken(&format!("a change refers to version {version} of something that has no such version")))
}
