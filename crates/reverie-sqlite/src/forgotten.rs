//! Which lines did a witness forget, while the others keep them?

use reverie_core::{CharacterId, LineId};
use rusqlite::{Connection, OptionalExtension};

use crate::circle;
use crate::error::Result;
use crate::log::{self, Kind};
use crate::reading::number_of;
use crate::world::{Revision, WorldRow};

/// Of a row of a table of lines: the viewer, a parameter, did not forget it. Nobody forgot nothing.
pub(crate) fn is_in_mind(lines: &str, viewer: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM forgotten f JOIN circle_member g ON g.circle = f.circle
           WHERE f.line = {lines}.id AND g.character = {viewer})"
    )
}

/// A witness forgets lines, or has them in mind again. Gives back the lines of which that is news.
pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    lines: &[LineId],
    holder: &CharacterId,
    is_forgotten: bool,
    revision: &mut Revision<'_>,
) -> Result<Vec<LineId>> {
    let mut changed = Vec::new();
    let Some(holder) = number_of(connection, world, holder)? else { return Ok(changed) };
    for line in lines {
        let key = world.line_key(line.get());
        let found: Option<(i64, Option<i64>)> = connection
            .prepare_cached(
                "SELECT l.witnesses, f.circle FROM line l LEFT JOIN forgotten f ON f.line = l.id
                 WHERE l.id = ?1 AND l.attribute IS NOT NULL",
            )?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((witnesses, circle)) = found else { continue };
        let mut by = match circle {
            Some(circle) => circle::members(connection, circle)?,
            None => Vec::new(),
        };
        let is_news =
            by.contains(&holder) != is_forgotten && circle::contains(connection, witnesses, holder)?;
        if !is_news {
            continue;
        }
        by.retain(|other| *other != holder);
        by.extend(is_forgotten.then_some(holder));
        let circle = if by.is_empty() { None } else { Some(circle::intern(connection, world.no, &by)?) };
        apply(connection, key, circle)?;
        log::set(connection, world.no, revision.get()?, Kind::Forgotten, line.get() as i64, circle)?;
        changed.push(*line);
    }
    Ok(changed)
}

/// Makes a logged circle the current one.
pub(crate) fn apply(connection: &Connection, key: i64, circle: Option<i64>) -> Result<()> {
    match circle {
        Some(circle) => connection
            .prepare_cached("INSERT OR REPLACE INTO forgotten (line, circle) VALUES (?1, ?2)")?
            .execute([key, circle])?,
        None => connection.prepare_cached("DELETE FROM forgotten WHERE line = ?1")?.execute([key])?,
    };
    Ok(())
}

/// Whether somebody forgot a line.
pub(crate) fn is_forgotten_by(connection: &Connection, key: i64, viewer: i64) -> Result<bool> {
    let is_forgotten = connection
        .prepare_cached(
            "SELECT 1 FROM forgotten f JOIN circle_member g ON g.circle = f.circle AND g.character = ?2
             WHERE f.line = ?1",
        )?
        .exists([key, viewer])?;
    Ok(is_forgotten)
}
