//! What are characters called besides, and who is called so?

use std::collections::BTreeSet;

use reverie_core::CharacterId;
use reverie_core::character::Card;
use reverie_core::names::{Called, CalledBesides};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;

/// Says what somebody is called who has no other names yet.
pub(crate) fn add(connection: &Connection, world: i64, no: i64, card: &Card) -> Result<()> {
    let mut insert = connection
        .prepare_cached("INSERT OR IGNORE INTO other_name (world, name, character) VALUES (?1, ?2, ?3)")?;
    for alias in &card.aliases {
        insert.execute(params![world, alias, no])?;
    }
    Ok(())
}

/// Says what somebody is called from now on.
pub(crate) fn replace(connection: &Connection, no: i64, card: &Card) -> Result<()> {
    let world: i64 = connection
        .prepare_cached("SELECT world FROM character WHERE no = ?1")?
        .query_row([no], |row| row.get(0))?;
    let mut before: BTreeSet<String> = connection
        .prepare_cached(
            "SELECT name FROM other_name INDEXED BY other_name_by_character WHERE character = ?1",
        )?
        .query_map([no], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    card.aliases.iter().for_each(|alias| _ = before.remove(alias));
    for gone in before {
        connection
            .prepare_cached("DELETE FROM other_name WHERE world = ?1 AND name = ?2 AND character = ?3")?
            .execute(params![world, gone, no])?;
    }
    add(connection, world, no, card)
}

/// Everyone who is called this besides, by id.
pub(crate) fn bearers(connection: &Connection, world: i64, alias: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT c.id FROM other_name n CROSS JOIN character c ON c.no = n.character
         WHERE n.world = ?1 AND n.name = ?2 AND c.erased = 0 ORDER BY c.id",
    )?;
    let found = statement.query_map(params![world, alias], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// All who are called something besides, unless that is known.
pub(crate) fn read(connection: &Connection, world: i64, known: Option<u64>) -> Result<CalledBesides> {
    let mark: u64 = connection
        .prepare_cached("SELECT seq FROM name_change WHERE world = ?1")?
        .query_row([world], |row| row.get(0))
        .optional()?
        .unwrap_or_default();
    if known == Some(mark) {
        return Ok(CalledBesides { mark: Some(mark), people: None });
    }
    let mut statement = connection.prepare_cached(
        "SELECT id, coalesce(display_name, id), aliases FROM character
         WHERE world = ?1 AND erased = 0 AND no IN (SELECT character FROM other_name WHERE world = ?1) ORDER BY id",
    )?;
    let mut rows = statement.query([world])?;
    let mut people = Vec::new();
    while let Some(row) = rows.next()? {
        let aliases: Option<String> = row.get(2)?;
        let aliases = aliases.iter().flat_map(|aliases| aliases.lines()).map(str::to_owned).collect();
        let id = CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
        people.push(Called { id, name: row.get(1)?, aliases });
    }
    Ok(CalledBesides { mark: Some(mark), people: Some(people) })
}

/// All that somebody was ever called besides.
pub(crate) fn ever(connection: &Connection, no: i64) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT aliases FROM character WHERE no = ?1 AND aliases IS NOT NULL
         UNION SELECT aliases FROM character_version WHERE character = ?1 AND aliases IS NOT NULL",
    )?;
    let lists: Vec<String> = statement.query_map([no], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(lists.iter().flat_map(|list| list.lines()).map(str::to_owned).collect())
}
