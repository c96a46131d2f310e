//! Characters: how are they found, created on first mention, and changed?

use std::collections::HashMap;

use reverie_core::character::{
    Card, Character, CharacterKind, CharacterPatch, Directory, ERASED_PREFIX, Namespace, Resolved, Who,
    is_erased, resolve,
};
use reverie_core::settings::narrator_names;
use reverie_core::store::Select;
use reverie_core::{CharacterId, Error};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::log::{self, Kind};
use crate::world::WorldRow;

/// Somebody of the world at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) no: i64,
    pub(crate) id: CharacterId,
    pub(crate) is_narrator: bool,
    /// How it is called now.
    pub(crate) label: Option<String>,
}

/// Resolves hosts' names inside one transaction, each only once.
pub(crate) struct Cast<'c> {
    connection: &'c Connection,
    world: WorldRow,
    known: HashMap<Who, Known>,
    /// True once somebody was created or a strong id learned: then the commit is a new revision.
    wrote: bool,
    /// The revision of this commit, if it was taken before anybody was resolved.
    commits: Option<u64>,
}

impl<'c> Cast<'c> {
    pub(crate) fn new(connection: &'c Connection, world: &WorldRow) -> Self {
        Self { connection, world: world.clone(), known: HashMap::new(), wrote: false, commits: None }
    }

    /// For a commit that has its revision already.
    pub(crate) fn at(connection: &'c Connection, world: &WorldRow, revision: u64) -> Self {
        Self { commits: Some(revision), ..Self::new(connection, world) }
    }

    /// Whoever is meant; created if nobody is.
    pub(crate) fn get(&mut self, who: &Who) -> Result<Known> {
        if let Some(known) = self.known.get(who) {
            return Ok(known.clone());
        }
        // Most lines name somebody by an id that is known.
        if let Who::Id(id) = who
            && let Some(known) = self.by_id(id)?
        {
            self.known.insert(who.clone(), known.clone());
            return Ok(known);
        }
        let resolved = self.resolve(who)?;
        self.wrote |= resolved.create.is_some() || !resolved.learn.is_empty();
        if let Some(card) = &resolved.create {
            check_new(&resolved.id)?;
            insert(self.connection, self.world.no, &resolved.id, card, self.revision()?)?;
        }
        let known = self.by_id(&resolved.id)?.ok_or_else(|| Error::not_found("a character vanished"))?;
        learn(self.connection, self.world.no, known.no, &resolved.learn)?;
        self.known.insert(who.clone(), known.clone());
        Ok(known)
    }

    /// The revision that this commit makes.
    fn revision(&self) -> Result<u64> {
        match self.commits {
            Some(revision) => Ok(revision),
            None => Ok(self.world.revision(self.connection)? + 1),
        }
    }

    pub(crate) fn has_written(&self) -> bool {
        self.wrote
    }

    /// Whoever is meant, if known already.
    pub(crate) fn look(&self, who: &Who) -> Result<Option<Known>> {
        if let Who::Id(id) = who {
            return self.by_id(id);
        }
        let resolved = self.resolve(who)?;
        if resolved.create.is_some() { Ok(None) } else { self.by_id(&resolved.id) }
    }

    /// The numbers of all persons meant, sorted, without narrators and doubles.
    pub(crate) fn persons(&mut self, all: &[Who]) -> Result<Vec<i64>> {
        let mut numbers = Vec::with_capacity(all.len());
        for who in all {
            let known = self.get(who)?;
            if !known.is_narrator {
                numbers.push(known.no);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// As `persons`, creating nobody: None if somebody is unknown.
    pub(crate) fn known_persons(&self, all: &[Who]) -> Result<Option<Vec<i64>>> {
        let mut numbers = Vec::with_capacity(all.len());
        for who in all {
            let resolved = self.resolve(who)?;
            match (self.by_id(&resolved.id)?, resolved.create) {
                (Some(known), _) if known.is_narrator => {}
                (Some(known), _) => numbers.push(known.no),
                // Nobody has heard of this narrator yet; it would not count either way.
                (None, Some(card)) if card.kind == CharacterKind::Narrator => {}
                (None, _) => return Ok(None),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Some(numbers))
    }

    fn resolve(&self, who: &Who) -> Result<Resolved> {
        let (_, pairs) = self.world.settings(self.connection)?;
        let rows = Rows { connection: self.connection, world: self.world.no };
        Ok(resolve(who, &rows, &narrator_names(&pairs))?)
    }

    fn by_id(&self, id: &CharacterId) -> Result<Option<Known>> {
        let known = self
            .connection
            .prepare_cached("SELECT no, kind, display_name FROM character WHERE world = ?1 AND id = ?2")?
            .query_row(params![self.world.no, id.as_str()], |row| {
                let kind: String = row.get(1)?;
                let is_narrator = kind == CharacterKind::Narrator.as_str();
                Ok(Known { no: row.get(0)?, id: id.clone(), is_narrator, label: row.get(2)? })
            })
            .optional()?;
        Ok(known)
    }
}

/// The character tables as the resolving rule sees them.
struct Rows<'c> {
    connection: &'c Connection,
    world: i64,
}

impl Directory for Rows<'_> {
    fn by_alias(&self, namespace: Namespace, value: &str) -> reverie_core::Result<Option<CharacterId>> {
        let id: Option<String> = self
            .connection
            .prepare_cached(
                "SELECT c.id FROM alias a JOIN character c ON c.no = a.character
                 WHERE a.world = ?1 AND a.namespace = ?2 AND a.value = ?3",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![self.world, namespace.as_str(), value], |row| row.get(0))
                    .optional()
            })
            .map_err(crate::error::Error::from)?;
        id.map(|id| CharacterId::new(&id)).transpose()
    }

    fn by_name(&self, name: &str) -> reverie_core::Result<Vec<(CharacterId, bool)>> {
        let read = || -> Result<Vec<(String, bool)>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, EXISTS (SELECT 1 FROM alias WHERE character = no) FROM character
                 WHERE world = ?1 AND display_name = ?2 AND erased = 0 ORDER BY id",
            )?;
            let found =
                statement.query_map(params![self.world, name], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        };
        read()?.into_iter().map(|(id, strong)| Ok((CharacterId::new(&id)?, strong))).collect()
    }

    fn exists(&self, id: &CharacterId) -> reverie_core::Result<bool> {
        let exists = self
            .connection
            .prepare_cached("SELECT 1 FROM character WHERE world = ?1 AND id = ?2")
            .and_then(|mut statement| statement.exists(params![self.world, id.as_str()]))
            .map_err(crate::error::Error::from)?;
        Ok(exists)
    }
}

fn check_new(id: &CharacterId) -> Result<()> {
    if is_erased(id) {
        return Err(Error::invalid(format!(
            "ids that begin with {ERASED_PREFIX:?} are for deleted characters"
        ))
        .hint("choose another id")
        .into());
    }
    Ok(())
}

pub(crate) fn insert(
    connection: &Connection,
    world: i64,
    id: &CharacterId,
    card: &Card,
    revision: u64,
) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO character (world, id, version, kind, display_name, persona, revision)
             VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            world,
            id.as_str(),
            card.kind.as_str(),
            card.display_name,
            card.persona,
            revision
        ])?;
    Ok(connection.last_insert_rowid())
}

pub(crate) fn learn(
    connection: &Connection,
    world: i64,
    no: i64,
    aliases: &[(Namespace, String)],
) -> Result<()> {
    for (namespace, value) in aliases {
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
    let aliases_before = before.map_or_else(|| Ok(Vec::new()), |before| aliases(connection, before.no))?;
    let known = cast.get(who)?;
    if is_erased(&known.id) {
        return Err(Error::not_found(format!("{:?} was deleted", known.id)).into());
    }
    let (old, version) = current(connection, known.no)?;
    let new = patch.apply(&old);
    for (namespace, value) in &patch.aliases {
        put_alias(connection, world, &known, *namespace, value.as_deref())?;
    }
    // An id that was learned by being named can be taken away again in the same breath: what counts is the end.
    let wrote = created || aliases(connection, known.no)? != aliases_before;
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
fn put_alias(
    connection: &Connection,
    world: &WorldRow,
    known: &Known,
    namespace: Namespace,
    value: Option<&str>,
) -> Result<()> {
    let rows = Rows { connection, world: world.no };
    let owner = value.map(|value| rows.by_alias(namespace, value)).transpose()?.flatten();
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
            "SELECT kind, display_name, persona FROM character_version WHERE character = ?1 AND version = ?2",
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
            "INSERT OR REPLACE INTO character_version (character, version, kind, display_name, persona)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![no, version, card.kind.as_str(), card.display_name, card.persona])?;
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
            "UPDATE character SET version = ?2, kind = ?3, display_name = ?4, persona = ?5 WHERE no = ?1",
        )?
        .execute(params![no, version, card.kind.as_str(), card.display_name, card.persona])?;
    Ok(())
}

pub(crate) fn current(connection: &Connection, no: i64) -> Result<(Card, u32)> {
    let (card, version) = connection
        .prepare_cached("SELECT kind, display_name, persona, version FROM character WHERE no = ?1")?
        .query_row([no], |row| Ok((card_columns(row)?, row.get(3)?)))?;
    Ok((card?, version))
}

pub(crate) fn card_columns(row: &Row<'_>) -> rusqlite::Result<Result<Card>> {
    let kind: String = row.get(0)?;
    let (display_name, persona) = (row.get(1)?, row.get(2)?);
    Ok(CharacterKind::from_name(&kind).map(|kind| Card { kind, display_name, persona }).map_err(Into::into))
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

pub(crate) fn aliases(connection: &Connection, no: i64) -> Result<Vec<(Namespace, String)>> {
    let mut statement =
        connection.prepare_cached("SELECT namespace, value FROM alias WHERE character = ?1")?;
    let mut rows = statement.query([no])?;
    let mut aliases = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        if let Some(namespace) = Namespace::ALL.into_iter().find(|namespace| namespace.as_str() == name) {
            aliases.push((namespace, row.get(1)?));
        }
    }
    aliases.sort_unstable();
    Ok(aliases)
}

pub(crate) fn list(connection: &Connection, world: &WorldRow, select: &Select) -> Result<Vec<Character>> {
    const COLUMNS: &str = "SELECT no, id FROM character WHERE world = ?1 AND erased = 0";
    let columns = |row: &Row<'_>| -> rusqlite::Result<(i64, String)> { Ok((row.get(0)?, row.get(1)?)) };
    let found: Vec<(i64, String)> = match select {
        Select::One(id) => connection
            .prepare_cached(&format!("{COLUMNS} AND id = ?2"))?
            .query_map(params![world.no, id], columns)?
            .collect::<rusqlite::Result<_>>()?,
        Select::Page { after, limit } => connection
            .prepare_cached(&format!("{COLUMNS} AND id > ?2 ORDER BY id LIMIT ?3"))?
            .query_map(params![world.no, after.as_deref().unwrap_or(""), *limit as i64], columns)?
            .collect::<rusqlite::Result<_>>()?,
    };
    found
        .into_iter()
        .map(|(no, id)| {
            let (card, _) = current(connection, no)?;
            Ok(Character { id: CharacterId::new(&id)?, card, aliases: aliases(connection, no)? })
        })
        .collect()
}
