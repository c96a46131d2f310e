//! What goes when something is deleted for good, now and in every state that could be restored?

use std::collections::BTreeMap;

use reverie_core::character::{Card, ERASED_PREFIX, is_erased};
use reverie_core::conversation::AppendKey;
use reverie_core::digest;
use reverie_core::keepsake::KeptFor;
use reverie_core::library::Scope;
use reverie_core::memories::{HeldQuery, WhichHeld};
use reverie_core::memory::{Held, Memory};
use reverie_core::{CharacterId, Error, Result};

use super::no_line;
use super::world::{Key, ModelWorld, State};

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
        decided.retain(|held| held.holder != *id);
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
            person.aliases.clear();
            person.cards = BTreeMap::from([(0, card)]);
            person.erased = true;
        }
        stirred.into_iter().try_for_each(|room| self.remember_anew(room, &decided))
    }

    /// What anybody decided about some memories.
    fn decided(&self, goes: impl Fn(&Memory) -> bool) -> Vec<Held> {
        let query = HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::Any) };
        let mut all = self.held(&query);
        all.retain(|held| (held.state.pinned || held.state.forgotten) && goes(&held.memory));
        all
    }

    fn remember_anew(&mut self, room: usize, decided: &[Held]) -> Result<()> {
        let backlog = self.backlog(&self.room_id(room), usize::MAX)?;
        let lines = backlog.lines.iter().map(|line| line.line.id).collect();
        let query = HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::From(lines)) };
        let commit = digest::remember_anew(&backlog, &self.held(&query), decided);
        self.remember(&commit).map(drop)
    }

    pub(super) fn all_states(&mut self) -> impl Iterator<Item = &mut State> {
        std::iter::once(&mut self.now).chain(self.states.values_mut())
    }
}
