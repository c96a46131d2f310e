//! Is what one keeps at hand, and brings up to date with nothing but changes, always what there is?

use std::collections::BTreeMap;
use std::sync::PoisonError;

use reverie_core::names::CalledBesides;
use reverie_core::recollection::{Kept, Mark, Recollections};
use reverie_core::store::{Gather, Place, Select};
use reverie_core::{Character, MemoryId, Who, WorldId};

use super::{Twins, Verdict};

/// What was read of one mind so far.
#[derive(Debug, Clone, Default)]
pub(super) struct AtHand {
    mark: Option<Mark>,
    kept: BTreeMap<MemoryId, Kept>,
    /// Of the world.
    names: CalledBesides,
}

impl AtHand {
    fn learn(&mut self, read: Recollections) {
        if read.whole {
            self.kept.clear();
        }
        self.mark = read.mark;
        self.kept.extend(read.kept.into_iter().map(|kept| (kept.held.memory.id, without_numbers(kept))));
        for gone in read.gone {
            self.kept.remove(&gone);
        }
    }
}

/// The store's own number of a conversation is its own affair.
fn without_numbers(mut kept: Kept) -> Kept {
    kept.place.iter_mut().for_each(|place| place.conversation = 0);
    kept
}

/// The space in which the stories put vectors.
pub const SPACE: &str = "甲/3";

impl Twins<'_> {
    pub(super) fn look_at_what_is_at_hand(&self, world: &WorldId) -> Verdict {
        let all = Select::Page { after: None, limit: 12 };
        let people = self.both("characters", |store| store.characters(world, &all))?.unwrap_or_default();
        for Character { id, .. } in people {
            let who = Who::Id(id.clone());
            let key = (world.clone(), id);
            let mut at_hand = self.at_hand.lock().unwrap_or_else(PoisonError::into_inner);
            let mine = at_hand.entry(key).or_default();
            let gather = Gather {
                minds: vec![who.clone()],
                space: Some(SPACE.to_owned()),
                ..Gather::new(who, Place::Nowhere)
            };
            let whole = self.model.gather(world, &gather).map_err(|error| error.to_string())?;
            let mut there = AtHand::default();
            let then = Some(whole.world.revision / 2);
            whole.minds.into_iter().for_each(|mind| there.learn(mind));
            let known = mine.mark.into_iter().collect();
            let gather = Gather { known, known_names: mine.names.mark, ..gather };
            let news = self.other.gather(world, &gather).map_err(|error| error.to_string())?;
            if news.minds.is_empty() {
                *mine = AtHand { names: std::mem::take(&mut mine.names), ..AtHand::default() };
            }
            news.minds.into_iter().for_each(|mind| mine.learn(mind));
            mine.names.mark = news.names.mark;
            mine.names.people = news.names.people.or_else(|| mine.names.people.take());
            if mine.names.people != whole.names.people {
                return Err(format!(
                    "what people are called differs\n   model: {:?}\n   other: {:?}",
                    whole.names, mine.names
                ));
            }
            if mine.kept != there.kept {
                return Err(format!(
                    "what is at hand differs\n   model: {:?}\n   other: {:?}",
                    there.kept, mine.kept
                ));
            }
            let memories: Vec<MemoryId> = mine.kept.keys().copied().collect();
            self.both("where memories come from", |store| store.provenance(world, &memories, None))?;
            self.both("where they came from then", |store| store.provenance(world, &memories, then))?;
        }
        Ok(())
    }
}
