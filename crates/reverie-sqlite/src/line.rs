//! Lines: how is one written, read, edited and hidden?

use reverie_core::line::{Line, Wording, no_line};
use reverie_core::store::LinePatch;
use reverie_core::{Attribute, CharacterId, Code, ConversationId, Error, LineId, RoundId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::circle::Circles;
use crate::conversation::{ConversationRow, spoken_head};
use crate::error::Result;
use crate::living;
use crate::log::{self, Kind};
use crate::round::found;
use crate::world::{LINE_BITS, WorldRow};

const COLUMNS: &str =
    "SELECT l.id, l.parent, l.attribute, s.id, coalesce(l.display_name, s.display_name), l.tick, l.wall_ms, l.host_id,
       l.witnesses, l.hidden & 1, l.version,
       l.content, l.original_emotion, l.predicted_emotion, l.tts, l.action, l.audio,
       (SELECT p.attribute IS NULL FROM line p WHERE p.id = (l.id & ~1099511627775) + l.parent),
       l.hidden & 2 = 0, l.round, (SELECT f.circle FROM forgotten f WHERE f.line = l.id)
     FROM line l LEFT JOIN character s ON s.no = l.speaker WHERE";

const NUMBER: i64 = (1 << LINE_BITS) - 1;

pub(crate) fn number(key: i64) -> u64 {
    (key & NUMBER) as u64
}

fn read(
    connection: &Connection,
    row: &Row<'_>,
    conversation: &ConversationId,
    circles: &mut Circles,
) -> Result<Line> {
    let key: i64 = row.get(0)?;
    let parent: Option<i64> = row.get(1)?;
    // Where somebody came or went is a node of the tree, but no line.
    let parent = match row.get::<_, Option<bool>>(17)? {
        Some(true) => spoken_head(connection, key & !NUMBER, parent)?,
        _ => parent.map(|parent| LineId::new(parent as u64)).transpose()?,
    };
    let attribute: String = row.get(2)?;
    let speaker: Option<String> = row.get(3)?;
    Ok(Line {
        id: LineId::new(number(key))?,
        conversation: conversation.clone(),
        parent,
        attribute: Attribute::from_name(&attribute)?,
        speaker: speaker.map(|id| CharacterId::new(&id)).transpose()?,
        name: row.get(4)?,
        tick: row.get(5)?,
        wall_ms: row.get(6)?,
        host_id: row.get(7)?,
        witnesses: circles.ids(connection, row.get(8)?)?,
        forgotten_by: match row.get(20)? {
            Some(circle) => circles.ids(connection, circle)?,
            None => Vec::new(),
        },
        hidden: row.get(9)?,
        shown: row.get(18)?,
        round: row.get::<_, Option<u64>>(19)?.map(RoundId::new).transpose()?,
        version: row.get(10)?,
        wording: wording_columns(row, 11)?,
    })
}

/// One line by its key.
pub(crate) fn by_key(
    connection: &Connection,
    key: i64,
    conversation: &ConversationId,
    circles: &mut Circles,
) -> Result<Option<Line>> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} l.id = ?1"))?;
    let mut rows = statement.query([key])?;
    match rows.next()? {
        Some(row) => Ok(Some(read(connection, row, conversation, circles)?)),
        None => Ok(None),
    }
}

/// Lines by their keys, in this order; what is not there is passed by.
pub(crate) fn by_keys(
    connection: &Connection,
    keys: &[i64],
    conversation: &ConversationId,
) -> Result<Vec<Line>> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} l.id = ?1"))?;
    let mut circles = Circles::default();
    let mut lines = Vec::with_capacity(keys.len());
    for key in keys {
        let mut rows = statement.query([key])?;
        if let Some(row) = rows.next()? {
            lines.push(read(connection, row, conversation, &mut circles)?);
        }
    }
    Ok(lines)
}

/// What was said in a conversation between two keys, both included.
pub(crate) fn of_range(
    connection: &Connection,
    (first, last): (i64, i64),
    conversation: &ConversationRow,
) -> Result<Vec<Line>> {
    let sql = format!(
        "{COLUMNS} l.id BETWEEN ?1 AND ?2 AND l.conversation = ?3 AND l.attribute IS NOT NULL ORDER BY l.id"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([first, last, conversation.no])?;
    let mut circles = Circles::default();
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        lines.push(read(connection, row, &conversation.id, &mut circles)?);
    }
    Ok(lines)
}

pub(crate) fn wording_columns(row: &Row<'_>, first: usize) -> rusqlite::Result<Wording> {
    Ok(Wording {
        content: row.get(first)?,
        original_emotion: row.get(first + 1)?,
        predicted_emotion: row.get(first + 2)?,
        tts: row.get(first + 3)?,
        action: row.get(first + 4)?,
        audio: row.get(first + 5)?,
    })
}

pub(crate) fn revise(
    connection: &Connection,
    world: &WorldRow,
    line: LineId,
    patch: &LinePatch,
) -> Result<Line> {
    let key = world.line_key(line.get());
    let conversation = conversation_of(connection, key, line)?;
    let mut circles = Circles::default();
    let gone = || no_line(line);
    let old = by_key(connection, key, &conversation, &mut circles)?.ok_or_else(gone)?;
    let new_wording = Some(patch.apply(&old.wording)).filter(|wording| *wording != old.wording);
    let new_hidden = patch.hidden.filter(|hidden| *hidden != old.hidden);
    if new_wording.is_none() && new_hidden.is_none() {
        return Ok(old);
    }
    let number = line.get() as i64;
    let at = world.bump(connection)?;
    if let Some(wording) = new_wording {
        keep_old(connection, key, old.version, &old.wording)?;
        let newest: u32 = connection
            .prepare_cached("SELECT max(version) FROM line_version WHERE line = ?1")?
            .query_row([key], |row| row.get(0))?;
        let version = newest.max(old.version) + 1;
        write_wording(connection, key, version, &wording)?;
        log::set(connection, world.no, at, Kind::Wording, number, Some(i64::from(version)))?;
    }
    if let Some(hidden) = new_hidden {
        apply_veil(connection, key, Veil::Hidden, hidden)?;
        log::set(connection, world.no, at, Kind::Hidden, number, Some(i64::from(hidden)))?;
    }
    found::stale(connection, world, line, at)?;
    living::lines_changed(connection, world, &[key])?;
    Ok(by_key(connection, key, &conversation, &mut circles)?.ok_or_else(gone)?)
}

pub(crate) fn conversation_of(connection: &Connection, key: i64, line: LineId) -> Result<ConversationId> {
    let id: Option<String> = connection
        .prepare_cached(
            "SELECT c.id FROM line l JOIN conversation c ON c.no = l.conversation
             WHERE l.id = ?1 AND l.attribute IS NOT NULL",
        )?
        .query_row([key], |row| row.get(0))
        .optional()?;
    let id = id.ok_or_else(|| no_line(line))?;
    Ok(ConversationId::new(&id)?)
}

/// The number of the conversation that a line stands in, if it is there.
pub(crate) fn room_of(connection: &Connection, key: i64) -> Result<Option<i64>> {
    let room = connection
        .prepare_cached("SELECT conversation FROM line WHERE id = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(room)
}

/// Makes a version of the wording the current one.
pub(crate) fn apply_wording(connection: &Connection, key: i64, version: u32) -> Result<()> {
    const CURRENT: &str = "SELECT version, content, original_emotion, predicted_emotion, tts, action, audio
         FROM line WHERE id = ?1";
    let current: Option<(u32, Wording)> = connection
        .prepare_cached(CURRENT)?
        .query_row([key], |row| Ok((row.get(0)?, wording_columns(row, 1)?)))
        .optional()?;
    // Deleted lines do not come back.
    let Some((current_version, current)) = current.filter(|(current, _)| *current != version) else {
        return Ok(());
    };
    let wording = connection
        .prepare_cached(
            "SELECT content, original_emotion, predicted_emotion, tts, action, audio FROM line_version
             WHERE line = ?1 AND version = ?2",
        )?
        .query_row(params![key, version], |row| wording_columns(row, 0))
        .optional()?
        .ok_or_else(|| missing_wording(key, version))?;
    keep_old(connection, key, current_version, &current)?;
    write_wording(connection, key, version, &wording)
}

fn missing_wording(key: i64, version: u32) -> Error {
    Error::new(Code::Corrupt, format!("version {version} of line {} is missing", number(key)))
        .hint("run `reverie doctor` and restore a backup")
}

/// Why a line is out of view; the bits are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Veil {
    /// The host hid it.
    Hidden = 1,
    /// Its round ended before it was shown.
    Unshown = 2,
}

pub(crate) fn apply_veil(connection: &Connection, key: i64, veil: Veil, is_on: bool) -> Result<()> {
    connection
        .prepare_cached("UPDATE line SET hidden = (hidden & ~?2) | iif(?3, ?2, 0) WHERE id = ?1")?
        .execute(params![key, veil as i64, is_on])?;
    Ok(())
}

pub(crate) fn keep_old(connection: &Connection, key: i64, version: u32, wording: &Wording) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO line_version
             (line, version, content, original_emotion, predicted_emotion, tts, action, audio)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            key,
            version,
            wording.content,
            wording.original_emotion,
            wording.predicted_emotion,
            wording.tts,
            wording.action,
            wording.audio
        ])?;
    Ok(())
}

fn write_wording(connection: &Connection, key: i64, version: u32, wording: &Wording) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE line SET version = ?2, content = ?3, original_emotion = ?4, predicted_emotion = ?5, tts = ?6,
             action = ?7, audio = ?8 WHERE id = ?1",
        )?
        .execute(params![
            key,
            version,
            wording.content,
            wording.original_emotion,
            wording.predicted_emotion,
            wording.tts,
            wording.action,
            wording.audio
        ])?;
    Ok(())
}
