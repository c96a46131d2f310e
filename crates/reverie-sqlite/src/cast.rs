//! Who is meant? A host's names are resolved inside one transaction, and strangers created on first mention.

use std::collections::HashMap;

use reverie_core::character::{
    CharacterKind, Directory, ERASED_PREFIX, Namespace, Resolved, Who, is_erased, resolve,
};
use reverie_core::settings::narrator_names;
use reverie_core::{CharacterId, Error};
use rusqlite::{Connection, OptionalExtension, params};

use crate::away;
use crate::character::{insert, learn};
use crate::error::Result;
use crate::naming;
use crate::world::WorldRow;

/// Somebody of the world at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) no: i64,
    pub(crate) id: CharacterId,
    pub(crate) is_narrator: bool,
    /// How it is called now.
    pub(crate) label: Option<String>,
    /// A restore went back behind the first mention.
    pub(crate) is_away: bool,
}

/// Resolves hosts' names inside one transaction, each only once.
pub(crate) struct Cast<'c> {
    connection: &'c Connection,
    world: WorldRow,
    known: HashMap<Who, Known>,
    /// True once somebody was created or is back, or a strong id learned: then the commit is a new revision.
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
        if let Some(id) = who.id()
            && let Some(known) = self.by_id(id)?
        {
            return self.meet(who, known);
        }
        let resolved = self.resolve(who)?;
        self.wrote |= resolved.create.is_some() || !resolved.learn.is_empty();
        if let Some(card) = &resolved.create {
            check_new(&resolved.id)?;
            insert(self.connection, self.world.no, &resolved.id, card, self.revision()?)?;
        }
        let known = self.by_id(&resolved.id)?.ok_or_else(|| Error::not_found("a character vanished"))?;
        learn(self.connection, self.world.no, known.no, &resolved.learn)?;
        self.meet(who, known)
    }

    /// Whoever is mentioned is there.
    fn meet(&mut self, who: &Who, known: Known) -> Result<Known> {
        if known.is_away {
            away::character_returns(self.connection, &self.world, known.no, self.revision()?)?;
            self.wrote = true;
        }
        let known = Known { is_away: false, ..known };
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
        if let Some(id) = who.id() {
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
        let (known, strangers) = self.tell_apart(all)?;
        Ok(strangers.is_empty().then_some(known))
    }

    /// The numbers of those who are known, as `persons` has them, and the ids that the others would get. A narrator is none of
    /// either.
    pub(crate) fn tell_apart(&self, all: &[Who]) -> Result<(Vec<i64>, Vec<CharacterId>)> {
        let mut numbers = Vec::with_capacity(all.len());
        let mut strangers = Vec::new();
        for who in all {
            match self.look(who)? {
                Some(known) if known.is_narrator => {}
                Some(known) => numbers.push(known.no),
                None => strangers.extend(self.stranger(who)?),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok((numbers, strangers))
    }

    /// The id that somebody unknown would get; None for a narrator of whom nobody has heard yet, who is no person either way.
    fn stranger(&self, who: &Who) -> Result<Option<CharacterId>> {
        let resolved = self.resolve(who)?;
        let is_narrator = resolved.create.is_some_and(|card| card.kind == CharacterKind::Narrator);
        Ok((!is_narrator).then_some(resolved.id))
    }

    fn resolve(&self, who: &Who) -> Result<Resolved> {
        let (_, pairs) = self.world.settings(self.connection)?;
        let rows = Rows { connection: self.connection, world: self.world.no };
        Ok(resolve(who, &rows, &narrator_names(&pairs))?)
    }

    fn by_id(&self, id: &CharacterId) -> Result<Option<Known>> {
        let known = self
            .connection
            .prepare_cached(
                "SELECT no, kind, display_name, away FROM character WHERE world = ?1 AND id = ?2",
            )?
            .query_row(params![self.world.no, id.as_str()], |row| {
                let kind: String = row.get(1)?;
                let is_narrator = kind == CharacterKind::Narrator.as_str();
                let (no, label, is_away) = (row.get(0)?, row.get(2)?, row.get(3)?);
                Ok(Known { no, id: id.clone(), is_narrator, label, is_away })
            })
            .optional()?;
        Ok(known)
    }
}

/// The character tables as the resolving rule sees them.
pub(crate) struct Rows<'c> {
    pub(crate) connection: &'c Connection,
    pub(crate) world: i64,
}

impl Directory for Rows<'_> {
    fn by_host_id(&self, namespace: Namespace, value: &str) -> reverie_core::Result<Option<CharacterId>> {
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

    fn by_alias(&self, alias: &str) -> reverie_core::Result<Vec<CharacterId>> {
        let found = naming::bearers(self.connection, self.world, alias)?;
        found.iter().map(|id| CharacterId::new(id)).collect()
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
