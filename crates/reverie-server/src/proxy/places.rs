//! Which chats are going on, so that two requests of one chat do not run into each other?

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use reverie_core::{ConversationId, RoundId, WorldId};

/// More of them are forgotten as soon as nobody uses them.
const MANY: usize = 10_000;

/// What is known of the chats of some people, or of one conversation that has a name. Locked while somebody works on it.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Where they talked last.
    pub(super) newest: Option<ConversationId>,
    /// Whether their client was seen to send more than the newest words: then a list without a history begins a new chat.
    pub(super) keeps_history: bool,
}

pub(super) type Shared = Arc<Mutex<Place>>;

#[derive(Debug, Default)]
pub(super) struct Places {
    all: Mutex<HashMap<(WorldId, String), Shared>>,
    /// Rounds whose answer is being said.
    under_way: Mutex<HashSet<(WorldId, RoundId)>>,
}

impl Places {
    pub(super) fn of(&self, world: &WorldId, name: String) -> Shared {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > MANY {
            all.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(all.entry((world.clone(), name)).or_default())
    }

    pub(super) fn begin(&self, world: &WorldId, round: RoundId) {
        self.rounds().insert((world.clone(), round));
    }

    pub(super) fn end(&self, world: &WorldId, round: RoundId) {
        self.rounds().remove(&(world.clone(), round));
    }

    pub(super) fn is_under_way(&self, world: &WorldId, round: RoundId) -> bool {
        self.rounds().contains(&(world.clone(), round))
    }

    fn rounds(&self) -> std::sync::MutexGuard<'_, HashSet<(WorldId, RoundId)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
