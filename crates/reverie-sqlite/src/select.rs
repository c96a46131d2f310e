//! Which rows are meant: the one with an id, or a page of them in the order of their ids?

use reverie_core::store::Select;
use rusqlite::{Connection, Row, params};

use crate::error::Result;

/// `sql` ends where the condition on `id` begins; the world, if there is one, is its `?3`.
pub(crate) fn rows<T>(
    connection: &Connection,
    sql: &str,
    world: Option<i64>,
    select: &Select,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let (end, id, limit) = match select {
        Select::One(id) => ("id = ?1 LIMIT ?2", id.as_str(), 1),
        Select::Page { after, limit } => {
            ("id > ?1 ORDER BY id LIMIT ?2", after.as_deref().unwrap_or(""), *limit as i64)
        }
    };
    let mut statement = connection.prepare_cached(&format!("{sql} {end}"))?;
    let found: rusqlite::Result<Vec<T>> = match world {
        Some(world) => statement.query_map(params![id, limit, world], read)?.collect(),
        None => statement.query_map(params![id, limit], read)?.collect(),
    };
    Ok(found?)
}
