//! Which lines did a witness forget, while the others keep them?

use reverie_core::{CharacterId, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle;
use crate::error::Result;
use crate::log::{self, Kind};
use crate::reading::number_of;
use crate::world::{Revision, WorldRow};

/// Of a row of `line`: the viewer, a parameter, did not forget it. No viewer forgot nothing.
pub(crate) fn is_in_mind(viewer: &str) -> String {
    format!(
        "(forgetters IS NULL OR NOT EXISTS
           (SELECT 1 FROM circle_member g WHERE g.circle = forgetters AND g.character = {viewer}))"
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
            .prepare_cached("SELECT witnesses, forgetters FROM line WHERE id = ?1 AND attribute IS NOT NULL")?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((witnesses, forgetters)) = found else { continue };
        let mut by = match forgetters {
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

/// Makes a logged circle of forgetters the current one.
pub(crate) fn apply(connection: &Connection, key: i64, circle: Option<i64>) -> Result<()> {
    connection
        .prepare_cached("UPDATE line SET forgetters = ?2 WHERE id = ?1")?
        .execute(params![key, circle])?;
    Ok(())
}

/// Whether somebody forgot a line.
pub(crate) fn is_forgotten_by(connection: &Connection, key: i64, viewer: i64) -> Result<bool> {
    let is_forgotten = connection
        .prepare_cached(
            "SELECT 1 FROM line l JOIN circle_member g ON g.circle = l.forgetters AND g.character = ?2 WHERE l.id = ?1",
        )?
        .exists([key, viewer])?;
    Ok(is_forgotten)
}
