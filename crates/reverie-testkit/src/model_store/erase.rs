//! What goes when something is deleted for good, now and in every state that could be restored?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::{Card, ERASED_PREFIX, is_erased};
use reverie_core::conversation::AppendKey;
use reverie_core::digest;
use reverie_core::keepsake::KeptFor;
use reverie_core::library::Scope;
use reverie_core::memories::{Effect, HeldQuery, NewMemory, WhichHeld};
use reverie_core::memory::{self, Held, Memory};
use reverie_core::{CharacterId, Error, MemoryId, Result};

use super::no_line;
use super::world::{Key, ModelWorld, State};

/// A memory about which its holder decided something, what it ever was, and at which revision it was what.
struct Decided {
    held: Held,
    versions: BTreeMap<u32, memory::State>,
    course: BTreeMap<u64, u32>,
}

impl ModelWorld {
    pub(super) fn erase_line(&mut self, number: u64) -> Result<()> {
        if !self.is_spoken(number) {
            return Err(no_line(number));
        }
        self.forget_jobs(None);
        let room = self.nodes.get(&number).map(|node| node.room);
        let decided = self.decided(|memory| memory.sources.iter().any(|source| source.line.get() == number));
        self.let_go_of(number);
        self.splice(number);
        room.into_iter().try_for_each(|room| self.remember_anew(room, &decided))
    }

    /// Takes a line out of its tree: its children, and every head that ever stood on it, move up to its parent.
    fn splice(&mut self, number: u64) {
        let Some(node) = self.nodes.remove(&number) else { return };
        self.keepsakes.retain(|of, _| !matches!(of, KeptFor::Line(line) if line.get() == number));
        if let Some(host_id) = &node.host_id {
            let AppendKey { key, digest } = AppendKey::of_erased(host_id);
            let mark = Key { digest, first: number, count: 1, revision: node.revision };
            self.keys.entry((node.room, key)).or_insert(mark);
        }
        for child in self.nodes.values_mut().filter(|child| child.parent == Some(number)) {
            child.parent = node.parent;
        }
        for state in self.all_states() {
            state.wordings.remove(&number);
            state.hidden.remove(&number);
            state.unshown.remove(&number);
            state.forgotten.remove(&number);
            if state.heads.get(&node.room) == Some(&number) {
                match node.parent {
                    Some(parent) => state.heads.insert(node.room, parent),
                    None => state.heads.remove(&node.room),
                };
            }
        }
    }

    /// A person's own words and whatever tells who they were go; in other people's lines a number stays behind.
    pub(super) fn erase_person(&mut self, id: &CharacterId) -> Result<()> {
        let gone = self.number_of(id).filter(|_| !is_erased(id));
        let gone = gone.ok_or_else(|| Error::not_found(format!("there is no character {id:?}")))?;
        self.forget_jobs(Some(id));
        let said: Vec<u64> =
            self.nodes.iter().filter(|(_, node)| node.speaker == Some(gone)).map(|(n, _)| *n).collect();
        let goes = |memory: &Memory| {
            memory.sources.iter().any(|source| said.contains(&source.line.get()))
                || self.is_derived_before(memory, gone)
        };
        let mut decided = self.decided(goes);
        decided.retain(|one| one.held.holder != *id);
        let stirred = self.rooms_with(gone, &said);
        self.forget_person(gone);
        for number in said {
            self.let_go_of(number);
            self.splice(number);
        }
        self.forget_keepsakes(gone);
        let card = Card { kind: self.card(gone).kind, ..Card::default() };
        let gone_before = self.people.iter().filter(|person| person.erased).count();
        let mut ids =
            (gone_before + 1..).filter_map(|n| CharacterId::new(&format!("{ERASED_PREFIX}{n}")).ok());
        let id = ids.find(|id| self.number_of(id).is_none());
        for state in self.all_states() {
            state.cards.remove(&gone);
        }
        let own = Scope::Character(self.person(gone).id.clone());
        self.links.retain(|link| link.scope != own);
        if let (Some(person), Some(id)) = (self.people.get_mut(gone), id) {
            person.id = id;
            person.host_ids.clear();
            person.cards = BTreeMap::from([(0, card)]);
            person.erased = true;
        }
        stirred.into_iter().try_for_each(|room| self.remember_anew(room, &decided))
    }

    /// What anybody decided about some memories.
    fn decided(&self, goes: impl Fn(&Memory) -> bool) -> Vec<Decided> {
        let query = HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::Any) };
        let mut all = self.held(&query);
        let was_decided = |held: &Held| {
            let holder = self.number_of(&held.holder);
            let versions = holder.and_then(|holder| self.holdings.get(&(held.memory.id, holder)));
            versions.into_iter().flat_map(|all| all.values()).any(|state| state.pinned || state.forgotten)
        };
        all.retain(|held| was_decided(held) && goes(&held.memory));
        all.into_iter().map(|held| self.with_course(held)).collect()
    }

    fn with_course(&self, held: Held) -> Decided {
        let key = self.number_of(&held.holder).map(|holder| (held.memory.id, holder));
        let versions = key.and_then(|key| self.holdings.get(&key)).cloned().unwrap_or_default();
        let at = |state: &State| key.and_then(|key| state.holdings.get(&key)).copied();
        let course =
            self.states.iter().filter_map(|(revision, state)| Some((*revision, at(state)?))).collect();
        Decided { held, versions, course }
    }

    fn remember_anew(&mut self, room: usize, decided: &[Decided]) -> Result<()> {
        let erased: Vec<Held> = decided.iter().map(|one| one.held.clone()).collect();
        let backlog = self.backlog(&self.room_id(room), usize::MAX)?;
        let lines = backlog.lines.iter().map(|line| line.line.id).collect();
        let query = HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::From(lines)) };
        let commit = digest::remember_anew(&backlog, &self.held(&query), &erased);
        let Some((memories, _)) = self.remember(&commit)? else { return Ok(()) };
        let made = commit.effects.iter().filter_map(|effect| match effect {
            Effect::Remember(new) => Some(new),
            _ => None,
        });
        for (new, id) in made.zip(memories) {
            for (holder, _) in &new.holders {
                let before = digest::predecessor(new, holder, &erased).map(Held::place);
                let before = decided.iter().find(|one| Some(one.held.place()) == before);
                before.into_iter().for_each(|before| self.go_on_from(new, id, holder, before));
            }
        }
        Ok(())
    }

    /// What is left of a memory was to its holder what that was, whenever that was there.
    fn go_on_from(&mut self, new: &NewMemory, id: MemoryId, holder: &CharacterId, before: &Decided) {
        let Some(key) = self.number_of(holder).map(|holder| (id, holder)) else { return };
        let has_a_past = self.states.values().any(|state| state.holdings.contains_key(&key));
        let Some(mut versions) = self.holdings.get(&key).filter(|versions| versions.len() == 1).cloned()
        else {
            return;
        };
        if has_a_past {
            return;
        }
        let used: BTreeSet<u32> = before.course.values().copied().collect();
        let next = used.last().map_or(0, |last| last + 1);
        let now = versions.remove(&0);
        versions.extend(now.map(|now| (next, now)));
        for (version, state) in before.versions.iter().filter(|(version, _)| used.contains(version)) {
            versions.insert(*version, digest::as_before(new, state));
        }
        self.holdings.insert(key, versions);
        self.now.holdings.insert(key, next);
        for (revision, version) in &before.course {
            if let Some(state) = self.states.get_mut(revision) {
                state.holdings.insert(key, *version);
            }
        }
        if let Some(kept) = self.memories.get_mut(&id) {
            kept.memory.revision = kept.memory.revision.min(before.held.memory.revision);
        }
    }

    pub(super) fn all_states(&mut self) -> impl Iterator<Item = &mut State> {
        std::iter::once(&mut self.now).chain(self.states.values_mut())
    }
}
