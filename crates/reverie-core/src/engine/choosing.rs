//! Which memories of a character does somebody want to see?

use std::collections::HashSet;
use std::sync::Arc;

use super::Engine;
use super::minds::Standings;
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::layers::Standing;
use crate::limits::check;
use crate::line::{check_tick, check_wall_ms};
use crate::memories::{HeldQuery, MemoryOrder, Only, Sieve, Spot, WhichHeld};
use crate::memory::{Held, Kind, Layer};
use crate::mind::{Mind, Note};
use crate::{Error, Result};

/// All that is not empty or None counts at once.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoriesQuery {
    pub holder: CharacterId,
    pub kinds: Vec<Kind>,
    pub layers: Vec<Layer>,
    pub about: Vec<CharacterId>,
    pub sieve: Sieve,
    /// Whether it is not put before the character. What cannot be recalled is neither.
    pub dormant: Option<bool>,
    /// Also what cannot be recalled now: off the path, forgotten, superseded.
    pub all: bool,
    /// A summary without a model's words of one memory alone that its holder can recall, too: whether such are asked for, or all others.
    /// What cannot be recalled is neither.
    pub repeats: Option<bool>,
    pub order: MemoryOrder,
    /// Continue behind this one, in this order.
    pub after: Option<Spot>,
    /// What comes last in this order comes first.
    pub newest_first: bool,
    pub limit: usize,
}

impl MemoriesQuery {
    /// All that a character can recall, a hundred at a time.
    pub fn of(holder: CharacterId) -> Self {
        Self {
            holder,
            kinds: Vec::new(),
            layers: Vec::new(),
            about: Vec::new(),
            sieve: Sieve::default(),
            dormant: None,
            repeats: None,
            order: MemoryOrder::Made,
            all: false,
            after: None,
            newest_first: false,
            limit: 100,
        }
    }

    /// Whether all that is asked for can be recalled: then it is in the holder's mind.
    pub(super) fn is_of_mind(&self) -> bool {
        (!self.all && self.sieve.only == Only::Asked) || self.dormant.is_some() || self.repeats.is_some()
    }

    /// What is asked for, where it is not looked for in a mind.
    pub(super) fn in_store(&self) -> HeldQuery {
        let which = match self.about.is_empty() {
            true => WhichHeld::Any,
            false => WhichHeld::About(self.about.clone()),
        };
        HeldQuery {
            kinds: self.kinds.clone(),
            layers: self.layers.clone(),
            sieve: self.sieve.clone(),
            all: self.all,
            order: self.order,
            after: self.after.map(|after| (after, self.holder.clone())),
            newest_first: self.newest_first,
            ..HeldQuery::of(Some(&self.holder), which)
        }
    }

    /// As far as that can be seen from a memory.
    fn lets_through(&self, held: &Held) -> bool {
        let Held { memory, state, .. } = held;
        let is_of_layer = |layer: Layer| self.layers.contains(&layer);
        (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && (self.layers.is_empty() || state.layer.is_some_and(is_of_layer))
            && (self.about.is_empty() || self.about.iter().any(|one| memory.about.contains(one)))
            && self.sieve.lets_through(held)
    }
}

/// What is asked for, ready to be held against what is in a mind.
pub(super) struct Wanted<'q> {
    query: &'q MemoriesQuery,
    /// What the other one can recall, sorted. None: it need not be shared.
    shared: Option<Vec<MemoryId>>,
    /// What only repeats another memory. None: nobody asked.
    repeats: Option<HashSet<MemoryId>>,
}

impl Wanted<'_> {
    /// All that is wanted of a mind.
    pub(super) fn of<'m>(
        &'m self,
        mind: &'m Mind,
        standings: &'m Standings<'_>,
    ) -> impl Iterator<Item = (usize, &'m Arc<Note>)> {
        mind.notes().filter(|(slot, note)| self.admits(&note.held, || standings.of(*slot)))
    }

    pub(super) fn admits(&self, held: &Held, standing: impl FnOnce() -> Option<Standing>) -> bool {
        let is_shared = |all: &Vec<MemoryId>| all.binary_search(&held.memory.id).is_ok();
        let is_dormant = || standing().map(|standing| standing.dormant.is_some());
        self.query.lets_through(held)
            && self.shared.as_ref().is_none_or(is_shared)
            && self
                .repeats
                .as_ref()
                .is_none_or(|all| self.query.repeats == Some(all.contains(&held.memory.id)))
            && (self.query.dormant.is_none() || self.query.dormant == is_dormant())
    }
}

impl Engine {
    /// With whom it is shared and what repeats another is asked once, whatever is looked through.
    pub(super) fn wanted<'q>(&self, world: &WorldId, query: &'q MemoriesQuery) -> Result<Wanted<'q>> {
        let other = query.sieve.shared_with.as_ref();
        let shared = other.map(|other| self.store.recallable(world, other)).transpose()?;
        let repeats = || self.look_into(world, &query.holder, |mind, _| mind.repeating().collect());
        let repeats = query.repeats.is_some().then(repeats).transpose()?;
        Ok(Wanted { query, shared, repeats })
    }

    /// Refuses what makes no sense.
    pub(super) fn check_query(&self, query: &MemoriesQuery) -> Result<()> {
        let Sieve { emotions, from_ms, to_ms, from_tick, to_tick, .. } = &query.sieve;
        check("emotions", emotions.len(), self.limits.words_per_memory, "limits.memory_words")?;
        check("people", query.about.len(), self.limits.people, "limits.participants")?;
        for moment in [from_ms, to_ms].into_iter().flatten() {
            check_wall_ms(*moment)?;
        }
        for tick in [from_tick, to_tick].into_iter().flatten() {
            check_tick(*tick)?;
        }
        query.sieve.check()
    }

    /// Refuses what does not come to mind by itself.
    pub(super) fn check_in_mind(&self, query: &MemoriesQuery) -> Result<()> {
        match query.all || query.sieve.only != Only::Asked {
            true => Err(Error::invalid("what cannot be recalled does not come to mind")
                .hint("leave `all` and `forgotten` out, or search by words")),
            false => Ok(()),
        }
    }
}
