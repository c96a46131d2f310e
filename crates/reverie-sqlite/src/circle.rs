//! How is a set of characters stored once and found again?

use std::collections::HashMap;

use reverie_core::CharacterId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;

/// The number of a set of characters (given by number), stored on first use.
pub(crate) fn intern(connection: &Connection, world: i64, members: &[i64]) -> Result<i64> {
    let members = sorted(members);
    if let Some(circle) = find(connection, world, &members)? {
        return Ok(circle);
    }
    connection
        .prepare_cached("INSERT INTO circle (world, key) VALUES (?1, ?2)")?
        .execute(params![world, key(&members)])?;
    let circle = connection.last_insert_rowid();
    let mut insert =
        connection.prepare_cached("INSERT INTO circle_member (circle, character) VALUES (?1, ?2)")?;
    for member in members {
        insert.execute([circle, member])?;
    }
    Ok(circle)
}

pub(crate) fn find(connection: &Connection, world: i64, members: &[i64]) -> Result<Option<i64>> {
    let found = connection
        .prepare_cached("SELECT no FROM circle WHERE world = ?1 AND key = ?2")?
        .query_row(params![world, key(&sorted(members))], |row| row.get(0))
        .optional()?;
    Ok(found)
}

pub(crate) fn members(connection: &Connection, circle: i64) -> Result<Vec<i64>> {
    let mut statement = connection
        .prepare_cached("SELECT character FROM circle_member WHERE circle = ?1 ORDER BY character")?;
    let members = statement.query_map([circle], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(members)
}

pub(crate) fn contains(connection: &Connection, circle: i64, character: i64) -> Result<bool> {
    let contains = connection
        .prepare_cached("SELECT 1 FROM circle_member WHERE circle = ?1 AND character = ?2")?
        .exists([circle, character])?;
    Ok(contains)
}

/// The sets of witnesses that occur in a conversation and include all of these characters.
pub(crate) fn streams(connection: &Connection, conversation: i64, witnesses: &[i64]) -> Result<Vec<i64>> {
    let all: Vec<i64> = connection
        .prepare_cached("SELECT circle FROM stream WHERE conversation = ?1")?
        .query_map([conversation], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut heard = Vec::with_capacity(all.len());
    for circle in all {
        if includes(connection, circle, witnesses)? {
            heard.push(circle);
        }
    }
    Ok(heard)
}

pub(crate) fn includes(connection: &Connection, circle: i64, characters: &[i64]) -> Result<bool> {
    for character in characters {
        if !contains(connection, circle, *character)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Resolves circles to ids, each only once per reading.
#[derive(Default)]
pub(crate) struct Circles {
    known: HashMap<i64, Vec<CharacterId>>,
}

impl Circles {
    pub(crate) fn ids(&mut self, connection: &Connection, circle: i64) -> Result<Vec<CharacterId>> {
        if let Some(ids) = self.known.get(&circle) {
            return Ok(ids.clone());
        }
        let mut statement = connection.prepare_cached(
            "SELECT c.id FROM circle_member m JOIN character c ON c.no = m.character WHERE m.circle = ?1",
        )?;
        let mut ids = Vec::new();
        let mut rows = statement.query([circle])?;
        while let Some(row) = rows.next()? {
            ids.push(CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
        }
        ids.sort_unstable();
        self.known.insert(circle, ids.clone());
        Ok(ids)
    }
}

fn sorted(members: &[i64]) -> Vec<i64> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.dedup();
    members
}

fn key(sorted: &[i64]) -> String {
    let numbers: Vec<String> = sorted.iter().map(i64::to_string).collect();
    numbers.join(",")
}
