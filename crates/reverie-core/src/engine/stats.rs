//! How much is there, and what waits?

use std::collections::BTreeMap;

use super::minds::Standings;
use super::{Engine, Listed, MindsAtHand};
use crate::Result;
use crate::embed::SetAside;
use crate::id::{CharacterId, WorldId};
use crate::layers::Dormant;
use crate::memories::{BacklogsQuery, Embedding, Spaces};
use crate::memory::{Kind, Layer};
use crate::mind::Mind;
use crate::sharing::Sharing;
use crate::store::Counts;

/// What a world holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    pub revision: u64,
    pub counts: Counts,
    /// Conversations in which something waits to be remembered; at most [`MOST_WAITING`] are counted.
    pub waiting: usize,
    /// Texts of memories that have a vector; those that were set aside are none of them.
    pub spaces: Spaces,
    /// Texts of memories that the embedder refused, by space.
    pub aside_by_space: BTreeMap<String, usize>,
    /// Texts that the embedder refused, those of entries too, the first hundred of them.
    pub set_aside: Vec<SetAside>,
    /// In the order of their ids.
    pub characters: Listed<CharacterStats>,
}

/// What a character can recall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterStats {
    pub character: CharacterId,
    pub memories: usize,
    pub kinds: BTreeMap<Kind, usize>,
    pub layers: BTreeMap<Layer, usize>,
    pub pinned: usize,
    /// How many of all are summaries of one memory alone, in its own words.
    pub repeats: usize,
    /// Kept, but not put before the character, by reason.
    pub dormant: Vec<(Dormant, usize)>,
}

/// A longer backlog is only known to be long.
pub const MOST_WAITING: usize = 10_000;
/// More are not listed.
const MOST_ASIDE: usize = 100;
/// A model that refuses more than these has other troubles.
const MOST_ASIDE_COUNTED: usize = 100_000;
const PAGE: usize = 1000;

impl Engine {
    /// Of the characters so many, behind one in the order of ids: what each can recall is looked through.
    pub fn stats(&self, world: &WorldId, after: Option<&str>, limit: usize) -> Result<Stats> {
        let revision = self.world(world)?.revision;
        let counts = self.store.counts(world)?;
        let waiting = self.waiting(Some(world))?;
        let page = self.characters(world, after, limit)?;
        let of_each = page.items.iter().map(|character| self.character_stats(world, &character.id));
        let characters = Listed { items: of_each.collect::<Result<_>>()?, has_more: page.has_more };
        let mut spaces = self.spaces(world)?;
        let mut aside_by_space: BTreeMap<String, usize> = BTreeMap::new();
        for aside in self.store.aside(&Embedding::World(world.clone()), MOST_ASIDE_COUNTED)? {
            *aside_by_space.entry(aside.space).or_default() += 1;
        }
        // For the store they are done with; for whoever looks they are not embedded.
        for (space, count) in &aside_by_space {
            spaces.embedded.entry(space.clone()).and_modify(|all| *all = all.saturating_sub(*count));
        }
        let set_aside = self.set_aside_texts(world, MOST_ASIDE)?;
        Ok(Stats { revision, counts, waiting, spaces, aside_by_space, set_aside, characters })
    }

    /// Who can recall the same as whom, of at most so many who can recall most; no more than [`Sharing::MOST`].
    pub fn sharing(&self, world: &WorldId, most: usize) -> Result<Sharing> {
        self.store.sharing(world, most)
    }

    /// Whose memories and which meanings are at hand, and what that was good for.
    pub fn minds_at_hand(&self) -> MindsAtHand {
        let queries = self.meanings.queries.stats();
        MindsAtHand { most_bytes: self.limits.minds_bytes, queries, ..self.minds.stats() }
    }

    /// How much there is, without what each character can recall.
    pub fn counts(&self, world: &WorldId) -> Result<Counts> {
        self.store.counts(world)
    }

    /// Conversations in which something waits to be remembered, of a world or of all; at most [`MOST_WAITING`] are counted.
    pub fn waiting(&self, world: Option<&WorldId>) -> Result<usize> {
        let mut waiting = 0;
        let mut query = BacklogsQuery { world: world.cloned(), after: None, limit: PAGE };
        while waiting < MOST_WAITING {
            let page = self.store.backlogs(&query)?;
            waiting += page.len();
            if page.len() < PAGE {
                break;
            }
            query.after = page.last().cloned();
        }
        Ok(waiting.min(MOST_WAITING))
    }

    fn character_stats(&self, world: &WorldId, character: &CharacterId) -> Result<CharacterStats> {
        self.look_into(world, character, |mind, standings| count(character, mind, standings))
    }
}

/// What is in a mind.
pub(super) fn count(character: &CharacterId, mind: &Mind, standings: &Standings<'_>) -> CharacterStats {
    let (mut kinds, mut layers) = (BTreeMap::new(), BTreeMap::new());
    let mut dormant = [(Dormant::Faded, 0), (Dormant::Crowded, 0), (Dormant::Past, 0)];
    for (slot, note) in mind.notes() {
        *kinds.entry(note.held.memory.kind).or_default() += 1;
        if let Some(layer) = note.held.state.layer {
            *layers.entry(layer).or_default() += 1;
        }
        let reason = standings.of(slot).and_then(|standing| standing.dormant);
        let counted = dormant.iter_mut().filter(|(other, _)| reason == Some(*other));
        counted.for_each(|(_, count)| *count += 1);
    }
    CharacterStats {
        character: character.clone(),
        memories: mind.len(),
        kinds,
        layers,
        pinned: mind.pinned().count(),
        repeats: mind.repeating().count(),
        dormant: dormant.to_vec(),
    }
}
