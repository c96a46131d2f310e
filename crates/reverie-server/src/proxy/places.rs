//! Which chats are going on, so that two requests of one chat do not run into each other?

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reverie_core::{CharacterId, Conversation, ConversationId, LineId, RoundId, WorldId};

use super::came_alone::Alone;

/// More of them are forgotten as soon as nobody uses them.
const MANY: usize = 10_000;

/// What is known of the chats of some people. Locked while somebody looks for theirs and says something in it.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Where they talked last.
    pub(super) newest: Option<ConversationId>,
    /// Whether their client was seen to send more than the newest words: then a list without a history begins a new chat.
    pub(super) keeps_history: bool,
    /// The oldest first, and few of them.
    pub(super) alone: Vec<Alone>,
}

pub(super) type Shared = Arc<Mutex<Place>>;

/// Held by whoever changes a conversation, however they came to it. Taken after the lock of a [`Place`], never before.
pub(super) type Turn = Arc<Mutex<()>>;

#[derive(Debug, Default)]
pub(super) struct Places {
    all: Mutex<HashMap<(WorldId, Vec<CharacterId>), Shared>>,
    turns: Mutex<HashMap<(WorldId, ConversationId), Turn>>,
    rooms: Mutex<HashMap<(WorldId, String), Turn>>,
    /// Rounds whose answer is being said, and by whom, each as often as asked: the same words may be asked again.
    under_way: Mutex<Rounds>,
    ended: Condvar,
    /// Rounds that became others while their answer was being said.
    moved: Mutex<HashMap<(WorldId, RoundId), Moved>>,
}

/// Where an answer belongs whose words stand elsewhere now.
#[derive(Debug, Clone)]
pub(super) struct Moved {
    pub(super) conversation: Conversation,
    pub(super) line: LineId,
    pub(super) round: RoundId,
}

type Rounds = HashMap<(WorldId, RoundId), Vec<Option<CharacterId>>>;

impl Places {
    /// Of these people, in any order.
    pub(super) fn of(&self, world: &WorldId, mut people: Vec<CharacterId>) -> Shared {
        people.sort_unstable();
        people.dedup();
        one_of(&self.all, (world.clone(), people))
    }

    pub(super) fn turn(&self, world: &WorldId, conversation: &ConversationId) -> Turn {
        one_of(&self.turns, (world.clone(), conversation.clone()))
    }

    /// Held by whoever opens a conversation by its name until something is said in it: until then it begins with whoever opened it last.
    /// Taken before the turn in it.
    pub(super) fn room(&self, world: &WorldId, name: &str) -> Turn {
        one_of(&self.rooms, (world.clone(), name.to_owned()))
    }

    /// `by`: who answers.
    pub(super) fn begin(&self, world: &WorldId, round: RoundId, by: Option<&CharacterId>) {
        self.rounds().entry((world.clone(), round)).or_default().push(by.cloned());
    }

    pub(super) fn end(&self, world: &WorldId, round: RoundId, by: Option<&CharacterId>) {
        let mut rounds = self.rounds();
        let key = (world.clone(), round);
        if let Some(answering) = rounds.get_mut(&key) {
            let ended = answering.iter().position(|one| one.as_ref() == by).unwrap_or_default();
            answering.remove(ended);
            if answering.is_empty() {
                rounds.remove(&key);
                self.all_moved().retain(|(of, _), moved| (of, moved.round) != (world, round));
            }
        }
        drop(rounds);
        self.ended.notify_all();
    }

    /// Whether somebody but this one is answering in it.
    pub(super) fn is_anothers(&self, world: &WorldId, round: RoundId, character: &CharacterId) -> bool {
        let rounds = self.rounds();
        let mut answering = rounds.get(&(world.clone(), round)).into_iter().flatten().flatten();
        answering.any(|one| one != character)
    }

    pub(super) fn is_under_way(&self, world: &WorldId, round: RoundId) -> bool {
        self.rounds().contains_key(&(world.clone(), round))
    }

    /// Whoever answers in a round answers in another one from now on.
    pub(super) fn go_along(&self, world: &WorldId, before: RoundId, moved: Moved) {
        let mut rounds = self.rounds();
        let Some(answering) = rounds.remove(&(world.clone(), before)) else { return };
        rounds.insert((world.clone(), moved.round), answering);
        self.all_moved().insert((world.clone(), before), moved);
        drop(rounds);
        self.ended.notify_all();
    }

    pub(super) fn moved(&self, world: &WorldId, round: RoundId) -> Option<Moved> {
        self.all_moved().get(&(world.clone(), round)).cloned()
    }

    /// Locked behind the rounds, never before them.
    fn all_moved(&self) -> MutexGuard<'_, HashMap<(WorldId, RoundId), Moved>> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks. Whether its answer has ended after so long at most.
    pub(super) fn ends_within(&self, world: &WorldId, round: RoundId, patience: Duration) -> bool {
        let key = (world.clone(), round);
        let is_under_way = |rounds: &mut Rounds| rounds.contains_key(&key);
        let waited = self.ended.wait_timeout_while(self.rounds(), patience, is_under_way);
        let (rounds, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !rounds.contains_key(&key)
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn one_of<K: Eq + Hash, V: Default>(all: &Mutex<HashMap<K, Arc<V>>>, key: K) -> Arc<V> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() > MANY {
        all.retain(|_, one| Arc::strong_count(one) > 1);
    }
    Arc::clone(all.entry(key).or_default())
}
