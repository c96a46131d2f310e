//! What is known of a character, and how does it change?

use reverie_core::character::{
    Card, Character, CharacterKind, CharacterPatch, Directory, Namespace, Who, is_erased,
};
use reverie_core::store::Select;
use reverie_core::{CharacterId, DocumentId, Error};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::away;
use crate::cast::{Cast, Known, Rows};
use crate::error::Result;
use crate::log::{self, Kind};
use crate::naming;
use crate::select::rows;
use crate::world::WorldRow;

pub(crate) fn insert(
    connection: &Connection,
    world: i64,
    id: &CharacterId,
    card: &Card,
    revision: u64,
) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO character (world, id, version, kind, display_name, aliases, persona, tags, card, revision)
             VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            world,
            id.as_str(),
            card.kind.as_str(),
            card.display_name,
            aliases_text(card),
            card.persona,
            tags_text(card),
            document_text(card),
            revision
        ])?;
    let no = connection.last_insert_rowid();
    naming::add(connection, world, no, card)?;
    Ok(no)
}

pub(crate) fn learn(
    connection: &Connection,
    world: i64,
    no: i64,
    host_ids: &[(Namespace, String)],
) -> Result<()> {
    for (namespace, value) in host_ids {
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO alias (world, namespace, value, character) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![world, namespace.as_str(), value, no])?;
    }
    Ok(())
}

pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    who: &Who,
    patch: &CharacterPatch,
) -> Result<(Character, bool)> {
    let mut cast = Cast::new(connection, world);
    let before = cast.look(who)?;
    let created = before.is_none();
    let returns = before.as_ref().is_some_and(|before| before.is_away);
    let host_ids_before = before.map_or_else(|| Ok(Vec::new()), |before| host_ids(connection, before.no))?;
    let known = cast.get(who)?;
    if is_erased(&known.id) {
        return Err(Error::not_found(format!("{:?} was deleted", known.id)).into());
    }
    let (old, version) = current(connection, known.no)?;
    let new = patch.apply(&old);
    for (namespace, value) in &patch.host_ids {
        put_host_id(connection, world, &known, *namespace, value.as_deref())?;
    }
    // An id that was learned by being named can be taken away again in the same breath: what counts is the end.
    let wrote = created || returns || host_ids(connection, known.no)? != host_ids_before;
    if wrote || new != old {
        let revision = world.bump(connection)?;
        if new != old {
            keep_old(connection, known.no, version, &old)?;
            let next = newest_version(connection, known.no)?.max(version) + 1;
            write(connection, known.no, next, &new)?;
            log::set(connection, world.no, revision, Kind::Card, known.no, Some(i64::from(next)))?;
        }
    }
    let character = list(connection, world, &Select::One(known.id.as_str().to_owned()))?.pop();
    Ok((character.ok_or_else(|| Error::not_found("a character vanished"))?, created))
}

/// Gives somebody one id, or none, in a namespace.
fn put_host_id(
    connection: &Connection,
    world: &WorldRow,
    known: &Known,
    namespace: Namespace,
    value: Option<&str>,
) -> Result<()> {
    let rows = Rows { connection, world: world.no };
    let owner = value.map(|value| rows.by_host_id(namespace, value)).transpose()?.flatten();
    if let Some(other) = owner.filter(|owner| *owner != known.id) {
        let message = format!("{} {:?} belongs to {other:?}", namespace.as_str(), value.unwrap_or_default());
        return Err(Error::conflict(message)
            .hint(
                "give each character its own ids; take it away from the other one first if it was a mistake",
            )
            .into());
    }
    connection
        .prepare_cached("DELETE FROM alias WHERE character = ?1 AND namespace = ?2")?
        .execute(params![known.no, namespace.as_str()])?;
    if let Some(value) = value {
        learn(connection, world.no, known.no, &[(namespace, value.to_owned())])?;
    }
    Ok(())
}

/// Makes a version of the card the current one.
pub(crate) fn apply_card(connection: &Connection, no: i64, version: u32) -> Result<()> {
    let (old, old_version) = current(connection, no)?;
    if old_version == version {
        return Ok(());
    }
    let card = connection
        .prepare_cached(
            "SELECT kind, display_name, aliases, persona, tags, card FROM character_version WHERE character = ?1 AND version = ?2",
        )?
        .query_row(params![no, version], card_columns)
        .optional()?;
    // Erased in the meantime: nothing comes back.
    let Some(card) = card else { return Ok(()) };
    keep_old(connection, no, old_version, &old)?;
    write(connection, no, version, &card?)
}

pub(crate) fn keep_old(connection: &Connection, no: i64, version: u32, card: &Card) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO character_version (character, version, kind, display_name, aliases, persona, tags, card)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            no,
            version,
            card.kind.as_str(),
            card.display_name,
            aliases_text(card),
            card.persona,
            tags_text(card),
            document_text(card)
        ])?;
    Ok(())
}

fn newest_version(connection: &Connection, no: i64) -> Result<u32> {
    let newest: Option<u32> = connection
        .prepare_cached("SELECT max(version) FROM character_version WHERE character = ?1")?
        .query_row([no], |row| row.get(0))?;
    Ok(newest.unwrap_or(0))
}

fn write(connection: &Connection, no: i64, version: u32, card: &Card) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE character SET version = ?2, kind = ?3, display_name = ?4, aliases = ?5, persona = ?6, tags = ?7, card = ?8
             WHERE no = ?1",
        )?
        .execute(params![
            no,
            version,
            card.kind.as_str(),
            card.display_name,
            aliases_text(card),
            card.persona,
            tags_text(card),
            document_text(card)
        ])?;
    naming::replace(connection, no, card)
}

pub(crate) fn current(connection: &Connection, no: i64) -> Result<(Card, u32)> {
    let (card, version) = connection
        .prepare_cached(
            "SELECT kind, display_name, aliases, persona, tags, card, version FROM character WHERE no = ?1",
        )?
        .query_row([no], |row| Ok((card_columns(row)?, row.get(6)?)))?;
    Ok((card?, version))
}

pub(crate) fn card_columns(row: &Row<'_>) -> rusqlite::Result<Result<Card>> {
    let kind: String = row.get(0)?;
    let (display_name, persona) = (row.get(1)?, row.get(3)?);
    let aliases: Option<String> = row.get(2)?;
    let aliases = aliases.iter().flat_map(|aliases| aliases.lines()).map(str::to_owned).collect();
    let tags: Option<String> = row.get(4)?;
    let tags = tags.map(|tags| tags.lines().map(str::to_owned).collect());
    let document: Option<String> = row.get(5)?;
    let document = document.as_deref().map(DocumentId::new).transpose();
    let card = CharacterKind::from_name(&kind)
        .and_then(|kind| Ok(Card { kind, display_name, aliases, persona, tags, document: document? }));
    Ok(card.map_err(Into::into))
}

/// One on a line: no tag has a line break in it.
fn tags_text(card: &Card) -> Option<String> {
    card.tags.as_ref().map(|tags| tags.join("\n"))
}

/// As tags are; nobody tells having none from not being known.
fn aliases_text(card: &Card) -> Option<String> {
    (!card.aliases.is_empty()).then(|| card.aliases.join("\n"))
}

fn document_text(card: &Card) -> Option<&str> {
    card.document.as_ref().map(DocumentId::as_str)
}

/// Whether somebody was deleted.
pub(crate) fn is_gone(connection: &Connection, no: i64) -> Result<bool> {
    let is_gone = connection
        .prepare_cached("SELECT erased FROM character WHERE no = ?1")?
        .query_row([no], |row| row.get(0))?;
    Ok(is_gone)
}

/// The ids of these numbers, sorted.
pub(crate) fn ids(connection: &Connection, numbers: &[i64]) -> Result<Vec<CharacterId>> {
    let mut ids = Vec::with_capacity(numbers.len());
    for number in numbers {
        let id: String = connection
            .prepare_cached("SELECT id FROM character WHERE no = ?1")?
            .query_row([number], |row| row.get(0))?;
        ids.push(CharacterId::new(&id)?);
    }
    ids.sort_unstable();
    Ok(ids)
}

pub(crate) fn host_ids(connection: &Connection, no: i64) -> Result<Vec<(Namespace, String)>> {
    let mut statement =
        connection.prepare_cached("SELECT namespace, value FROM alias WHERE character = ?1")?;
    let mut rows = statement.query([no])?;
    let mut host_ids = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        if let Some(namespace) = Namespace::ALL.into_iter().find(|namespace| namespace.as_str() == name) {
            host_ids.push((namespace, row.get(1)?));
        }
    }
    host_ids.sort_unstable();
    Ok(host_ids)
}

pub(crate) fn list(connection: &Connection, world: &WorldRow, select: &Select) -> Result<Vec<Character>> {
    let columns = |row: &Row<'_>| -> rusqlite::Result<(i64, String)> { Ok((row.get(0)?, row.get(1)?)) };
    let sql =
        format!("SELECT no, id FROM character WHERE world = ?3 AND erased = 0 {} AND", away::listed(select));
    rows(connection, &sql, Some(world.no), select, columns)?
        .into_iter()
        .map(|(no, id)| {
            let (card, _) = current(connection, no)?;
            Ok(Character { id: CharacterId::new(&id)?, card, host_ids: host_ids(connection, no)? })
        })
        .collect()
}
