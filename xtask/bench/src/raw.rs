//! What would SQLite alone do with the same text? One table, one index, the same promises to the disk.

use std::path::Path;

use anyhow::Result;
use reverie_core::line::NewLine;
use rusqlite::{Connection, params};

pub(crate) fn open(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(60))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.pragma_update(None, "cache_size", -16_000)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS line (
             id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, parent INTEGER, attribute TEXT, speaker TEXT,
             display_name TEXT, content TEXT NOT NULL, original_emotion TEXT, predicted_emotion TEXT, tts TEXT,
             action TEXT, audio TEXT, tick INTEGER, wall_ms INTEGER NOT NULL, host_id TEXT);
         CREATE INDEX IF NOT EXISTS line_by_conversation ON line (conversation, id);",
    )?;
    Ok(connection)
}

/// One transaction.
pub(crate) fn append(connection: &Connection, conversation: i64, lines: &[NewLine]) -> Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for line in lines {
        let speaker = match &line.speaker {
            Some(reverie_core::Who::Id(id)) => Some(id.as_str()),
            _ => None,
        };
        let wording = &line.wording;
        connection
            .prepare_cached(
                "INSERT INTO line (conversation, attribute, speaker, display_name, content, original_emotion,
                     predicted_emotion, tts, action, audio, tick, wall_ms, host_id)
                 VALUES (?1, 'assistant', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                conversation,
                speaker,
                line.display_name,
                wording.content,
                wording.original_emotion,
                wording.predicted_emotion,
                wording.tts,
                wording.action,
                wording.audio,
                line.tick,
                0,
                line.host_id,
            ])?;
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
