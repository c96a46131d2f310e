//! Who was there when a line was recorded, and under which name?

use std::collections::{BTreeSet, HashMap};

use reverie_core::character::CharacterKind;
use reverie_core::memories::PathLine;
use reverie_core::round::Participant;
use reverie_core::{CharacterId, Line};
use rusqlite::{Connection, params};

use crate::character;
use crate::circle;
use crate::error::Result;
use crate::log::Kind;
use crate::world::WorldRow;

/// The names that people had at the time.
pub(super) struct Names<'n> {
    connection: &'n Connection,
    world: i64,
    cards: HashMap<i64, Cards>,
}

/// Somebody's names: which version of the card was the current one since when, and what it says.
struct Cards {
    id: CharacterId,
    since: Vec<(u64, u32)>,
    names: HashMap<u32, Option<String>>,
}

impl Cards {
    fn name_at(&self, revision: u64) -> Option<String> {
        let version =
            self.since.iter().rev().find(|(since, _)| *since <= revision).map_or(0, |(_, version)| *version);
        self.names.get(&version).cloned().flatten()
    }
}

impl<'n> Names<'n> {
    pub(super) fn new(connection: &'n Connection, world: &WorldRow) -> Self {
        Self { connection, world: world.no, cards: HashMap::new() }
    }

    pub(super) fn path_line(&mut self, key: i64, line: Line) -> Result<PathLine> {
        let (speaker, own_name, revision, kind): (Option<i64>, Option<String>, u64, Option<String>) = self
            .connection
            .prepare_cached(
                "SELECT l.speaker, l.display_name, l.revision, s.kind
                 FROM line l LEFT JOIN character s ON s.no = l.speaker WHERE l.id = ?1",
            )?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let people = self.people(key)?;
        let mut present = Vec::with_capacity(people.len());
        for person in people {
            let own_name = own_name.clone().filter(|_| speaker == Some(person));
            let cards = self.cards(person)?;
            let name = own_name.or_else(|| cards.name_at(revision));
            present.push(Participant { character: cards.id.clone(), name });
        }
        present.sort_unstable_by(|one, other| one.character.cmp(&other.character));
        let narrator = CharacterKind::Narrator.as_str();
        Ok(PathLine { line, present, own_name, by_person: kind.is_some_and(|kind| kind != narrator) })
    }

    /// Those present; in a host's round those of it, and who else heard the line.
    fn people(&self, key: i64) -> Result<Vec<i64>> {
        let (circle, round): (i64, Option<i64>) = self
            .connection
            .prepare_cached(
                "SELECT iif(round IS NULL, present, witnesses), (id & ~1099511627775) + round FROM line WHERE id = ?1",
            )?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut people: BTreeSet<i64> = circle::members(self.connection, circle)?.into_iter().collect();
        let mut of_round =
            self.connection.prepare_cached("SELECT character FROM round_person WHERE round = ?1")?;
        for person in of_round.query_map([round], |row| row.get(0))? {
            people.insert(person?);
        }
        Ok(people.into_iter().collect())
    }

    fn cards(&mut self, person: i64) -> Result<&Cards> {
        if !self.cards.contains_key(&person) {
            let cards = self.read(person)?;
            self.cards.insert(person, cards);
        }
        self.cards.get(&person).ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }

    fn read(&self, person: i64) -> Result<Cards> {
        let id = character::ids(self.connection, &[person])?.pop();
        let id = id.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let since = self
            .connection
            .prepare_cached(
                "SELECT revision, coalesce(value, 0) FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3
                 ORDER BY revision",
            )?
            .query_map([self.world, Kind::Card as i64, person], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut names: HashMap<u32, Option<String>> = self
            .connection
            .prepare_cached("SELECT version, display_name FROM character_version WHERE character = ?1")?
            .query_map(params![person], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let (card, version) = character::current(self.connection, person)?;
        names.insert(version, card.display_name);
        Ok(Cards { id, since, names })
    }
}
