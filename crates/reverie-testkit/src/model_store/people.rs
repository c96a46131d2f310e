//! Who is meant, who is new, and what is known of them?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::{
    Card, CharacterKind, CharacterPatch, Directory, Namespace, Resolved, Who, is_erased, resolve,
};
use reverie_core::settings::narrator_names;
use reverie_core::{Character, CharacterId, Error, Result};

use super::world::{ModelWorld, Person};

impl Directory for ModelWorld {
    fn by_host_id(&self, namespace: Namespace, value: &str) -> Result<Option<CharacterId>> {
        let bears = |person: &&Person| person.host_ids.iter().any(|(n, v)| *n == namespace && v == value);
        Ok(self.people.iter().find(bears).map(|person| person.id.clone()))
    }

    fn by_name(&self, name: &str) -> Result<Vec<(CharacterId, bool)>> {
        let mut found = Vec::new();
        for (index, person) in self.people.iter().enumerate() {
            if !person.erased && self.card(index).display_name.as_deref() == Some(name) {
                found.push((person.id.clone(), !person.host_ids.is_empty()));
            }
        }
        found.sort();
        Ok(found)
    }

    fn by_alias(&self, alias: &str) -> Result<Vec<CharacterId>> {
        let people = self.people.iter().enumerate().filter(|(_, person)| !person.erased);
        let bears = |index: usize| self.card(index).aliases.iter().any(|other| other == alias);
        let mut found: Vec<CharacterId> =
            people.filter(|(index, _)| bears(*index)).map(|(_, person)| person.id.clone()).collect();
        found.sort();
        Ok(found)
    }

    fn exists(&self, id: &CharacterId) -> Result<bool> {
        Ok(self.number_of(id).is_some())
    }
}

impl ModelWorld {
    pub(super) fn person(&self, index: usize) -> &Person {
        self.people.get(index).expect("people are never taken off the list")
    }

    pub(super) fn number_of(&self, id: &CharacterId) -> Option<usize> {
        self.people.iter().position(|person| person.id == *id)
    }

    pub(super) fn card(&self, index: usize) -> Card {
        let version = self.now.cards.get(&index).copied().unwrap_or(0);
        self.person(index).cards.get(&version).cloned().unwrap_or_default()
    }

    pub(super) fn is_narrator(&self, index: usize) -> bool {
        self.card(index).kind == CharacterKind::Narrator
    }

    pub(super) fn character(&self, index: usize) -> Character {
        let person = self.person(index);
        let mut host_ids = person.host_ids.clone();
        host_ids.sort();
        Character { id: person.id.clone(), card: self.card(index), host_ids }
    }

    fn resolve(&self, who: &Who) -> Result<Resolved> {
        resolve(who, self, &narrator_names(&self.current_settings().1))
    }

    /// Whoever is meant; created if nobody is.
    pub(super) fn meet(&mut self, who: &Who) -> Result<usize> {
        if let Some((_, index)) = self.met.iter().find(|(met, _)| met == who) {
            return Ok(*index);
        }
        let resolved = self.resolve(who)?;
        let index = match self.number_of(&resolved.id) {
            Some(index) => index,
            None if is_erased(&resolved.id) => return Err(Error::invalid("such ids are for the deleted")),
            None => {
                let cards = BTreeMap::from([(0, resolved.create.unwrap_or_default())]);
                let person = Person {
                    id: resolved.id,
                    host_ids: Vec::new(),
                    cards,
                    erased: false,
                    revision: self.revision + 1,
                };
                self.people.push(person);
                self.people.len() - 1
            }
        };
        if let Some(person) = self.people.get_mut(index) {
            person.host_ids.extend(resolved.learn);
        }
        self.now.people_away.remove(&index);
        self.met.push((who.clone(), index));
        Ok(index)
    }

    /// Whoever is meant, if known already.
    pub(super) fn look(&self, who: &Who) -> Result<Option<usize>> {
        Ok(self.number_of(&self.resolve(who)?.id))
    }

    /// All persons meant: narrators do not count.
    pub(super) fn meet_all(&mut self, all: &[Who]) -> Result<BTreeSet<usize>> {
        let mut people = BTreeSet::new();
        for who in all {
            people.insert(self.meet(who)?);
        }
        people.retain(|person| !self.is_narrator(*person));
        Ok(people)
    }

    /// As `meet_all`, creating nobody: None if somebody is unknown.
    pub(super) fn look_all(&self, all: &[Who]) -> Result<Option<BTreeSet<usize>>> {
        let (people, strangers) = self.tell_apart(all)?;
        Ok(strangers.is_empty().then_some(people))
    }

    /// Those who are known, and the ids that others would get; a narrator is none of either.
    pub(super) fn tell_apart(&self, all: &[Who]) -> Result<(BTreeSet<usize>, BTreeSet<CharacterId>)> {
        let (mut people, mut strangers) = (BTreeSet::new(), BTreeSet::new());
        for who in all {
            let resolved = self.resolve(who)?;
            let is_new_narrator = resolved.create.is_some_and(|card| card.kind == CharacterKind::Narrator);
            match self.number_of(&resolved.id) {
                Some(person) => drop(people.insert(person)),
                None if is_new_narrator => {}
                None => drop(strangers.insert(resolved.id)),
            }
        }
        people.retain(|person| !self.is_narrator(*person));
        Ok((people, strangers))
    }

    pub(super) fn put_person(&mut self, who: &Who, patch: &CharacterPatch) -> Result<(usize, bool)> {
        let known_before = self.people.len();
        let index = self.meet(who)?;
        let created = self.people.len() > known_before;
        if self.person(index).erased {
            return Err(Error::not_found("that character was deleted"));
        }
        let old = self.card(index);
        let new = patch.apply(&old);
        for (namespace, value) in &patch.host_ids {
            let owner = value.as_ref().map(|value| self.by_host_id(*namespace, value)).transpose()?.flatten();
            if let Some(other) = owner.filter(|owner| *owner != self.person(index).id) {
                return Err(Error::conflict(format!("{value:?} belongs to {other:?}")));
            }
            for person in self.people.iter_mut().skip(index).take(1) {
                person.host_ids.retain(|(n, _)| n != namespace);
                person.host_ids.extend(value.clone().map(|value| (*namespace, value)));
            }
        }
        if let Some(person) = self.people.get_mut(index).filter(|_| new != old) {
            let version = person.cards.keys().next_back().map_or(0, |newest| newest + 1);
            person.cards.insert(version, new);
            self.now.cards.insert(index, version);
        }
        Ok((index, created))
    }
}
