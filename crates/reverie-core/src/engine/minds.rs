//! Whose memories are at hand, and are they what the store has now?
//!
//! What somebody can recall is read once and then brought up to date with what changed. The store says whose it is and how far
//! it reaches, in the same snapshot as everything else of a prompt, so that no prompt is made of another save's, another
//! branch's or another character's memories: what does not fit is read anew.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::audible::Audible;
use super::queries::QueriesAtHand;
use super::recent::{Counts, Recent, ResultsAtHand};
use crate::character::Who;
use crate::id::{CharacterId, WorldId};
use crate::laps::Laps;
use crate::layers::{LayerRules, Lively, Now, Order, Standing};
use crate::mind::Mind;
use crate::rank::{Candidate, Question};
use crate::recollection::{Mark, Recollections};
use crate::settings::RecallRules;
use crate::time::Calendar;

/// All minds that are at hand.
pub(super) struct Minds {
    shelf: Mutex<Shelf>,
    most_bytes: usize,
    turn: AtomicU64,
    whole: AtomicU64,
    continued: AtomicU64,
    let_go: AtomicU64,
    results: Counts,
}

#[derive(Default)]
struct Shelf {
    minds: HashMap<Key, Arc<AtHand>>,
    /// Of all minds, as each of them was counted last.
    bytes: usize,
    /// How hosts call them.
    names: HashMap<(WorldId, Who), CharacterId>,
}

type Key = (WorldId, CharacterId);

/// One mind.
#[derive(Default)]
struct AtHand {
    state: RwLock<State>,
    used: AtomicU64,
    bytes: AtomicUsize,
    /// Of these, what finds notes by their words and by their meaning.
    word_bytes: AtomicUsize,
    vector_bytes: AtomicUsize,
    /// And what came to it lately.
    result_bytes: AtomicUsize,
    /// As much of it as the shelf knows of. Changed only by whoever has the shelf.
    counted: AtomicUsize,
}

#[derive(Default)]
struct State {
    mark: Option<Mark>,
    spoken: Spoken,
    mind: Mind,
    order: Mutex<Option<Ordered>>,
    recent: Recent,
    audible: Audible,
}

/// How what is in a mind is ordered, by these rules; and what was liveliest last.
struct Ordered {
    rules: LayerRules,
    order: Arc<Order>,
    lively: Option<(Now, Arc<Lively>)>,
}

/// How the memories of a mind stand to each other now.
pub(super) struct Standings<'s> {
    mind: &'s Mind,
    rules: &'s LayerRules,
    now: &'s Now,
    order: Arc<Order>,
    lively: Arc<Lively>,
    recent: (&'s Recent, &'s Counts),
    /// What may be told of it to whom.
    pub(super) audible: &'s Audible,
}

impl Standings<'_> {
    pub(super) fn of(&self, slot: usize) -> Option<Standing> {
        let note = self.mind.note(slot)?;
        Some(self.order.standing(&self.lively, &note.held, self.rules, self.now))
    }

    /// What comes to this mind, however it stands.
    pub(super) fn recollect(&self, asked: (&Question, &RecallRules), laps: &Laps) -> Vec<Candidate> {
        let (recent, counts) = self.recent;
        recent.recollect(self.mind, asked, laps, counts)
    }
}

/// What a mind is made with, besides memories.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Spoken {
    pub(super) space: Option<String>,
    pub(super) calendar: Option<Calendar>,
}

/// How many minds are at hand, and what that was good for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MindsAtHand {
    pub minds: usize,
    pub bytes: usize,
    /// Of these, what finds memories by their words, and by their meaning.
    pub word_bytes: usize,
    pub vector_bytes: usize,
    pub most_bytes: usize,
    /// How often one was read as a whole, and how often it was there and only brought up to date.
    pub whole: u64,
    pub continued: u64,
    /// How many had to make room.
    pub let_go: u64,
    /// What came to mind before, also of these bytes.
    pub results: ResultsAtHand,
    /// What was asked and is known by its meaning, besides; within `most_bytes`.
    pub queries: QueriesAtHand,
}

/// What was read does not continue what is at hand any more.
pub(super) struct Stale;

/// So many names of hosts are kept in mind.
const NAMES: usize = 100_000;

impl Minds {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self {
            shelf: Mutex::default(),
            most_bytes,
            turn: AtomicU64::new(0),
            whole: AtomicU64::new(0),
            continued: AtomicU64::new(0),
            let_go: AtomicU64::new(0),
            results: Counts::default(),
        }
    }

    /// How far the minds of these are known, in this space.
    pub(super) fn known(&self, world: &WorldId, people: &[Who], space: Option<&str>) -> Vec<Mark> {
        let minds: Vec<Arc<AtHand>> = {
            let shelf = self.shelf();
            let id = |who: &Who| match who.id() {
                Some(id) => Some(id.clone()),
                None => shelf.names.get(&(world.clone(), who.clone())).cloned(),
            };
            let found = people.iter().filter_map(|who| shelf.minds.get(&(world.clone(), id(who)?)));
            found.map(Arc::clone).collect()
        };
        let mark = |mind: &Arc<AtHand>| {
            let state = mind.state.read().unwrap_or_else(PoisonError::into_inner);
            state.mark.filter(|_| state.spoken.space.as_deref() == space)
        };
        minds.iter().filter_map(mark).collect()
    }

    pub(super) fn is_at_hand(&self, world: &WorldId, holder: &CharacterId) -> bool {
        self.shelf().minds.contains_key(&(world.clone(), holder.clone()))
    }

    /// Whether anything in a mind has a place in the space of meanings: what was read, or what is at hand of it.
    pub(super) fn has_vectors(&self, world: &WorldId, read: &Recollections) -> bool {
        let is_new = read.kept.iter().any(|kept| !kept.vectors.is_empty());
        is_new || (!read.whole && self.has_other_vectors(world, read))
    }

    fn has_other_vectors(&self, world: &WorldId, read: &Recollections) -> bool {
        let changed = read.kept.iter().map(|kept| kept.held.memory.id).chain(read.gone.iter().copied());
        let changed = changed.collect();
        self.at_hand(world, read).is_some_and(|at_hand| {
            let state = at_hand.state.read().unwrap_or_else(PoisonError::into_inner);
            state.mind.has_vectors_besides(&changed)
        })
    }

    /// Whether there is anything in a mind: what was read, or what is at hand of it.
    pub(super) fn has_notes(&self, world: &WorldId, read: &Recollections) -> bool {
        let is_left = |at_hand: Arc<AtHand>| {
            let state = at_hand.state.read().unwrap_or_else(PoisonError::into_inner);
            state.mind.len() > read.gone.len()
        };
        !read.kept.is_empty() || (!read.whole && self.at_hand(world, read).is_some_and(is_left))
    }

    fn at_hand(&self, world: &WorldId, read: &Recollections) -> Option<Arc<AtHand>> {
        self.shelf().minds.get(&(world.clone(), read.holder.clone())).map(Arc::clone)
    }

    /// Remembers how a host calls somebody.
    pub(super) fn learn_name(&self, world: &WorldId, who: &Who, id: &CharacterId) {
        if matches!(who, Who::Named(_)) {
            let mut shelf = self.shelf();
            if shelf.names.len() >= NAMES {
                shelf.names.clear();
            }
            shelf.names.insert((world.clone(), who.clone()), id.clone());
        }
    }

    /// Brings a mind up to date with what was read and looks into it.
    pub(super) fn look_into<T>(
        &self,
        world: &WorldId,
        read: Recollections,
        spoken: &Spoken,
        (layers, now): (&LayerRules, &Now),
        look: impl FnOnce(&Mind, &Standings<'_>) -> T,
    ) -> Result<T, Stale> {
        let Some(mark) = read.mark else {
            // This store cannot tell what changed, so nothing is kept.
            let mut state = State::default();
            state.learn(read, spoken);
            return Ok(look(&state.mind, &state.standings(layers, now, &self.results)));
        };
        let key = (world.clone(), read.holder.clone());
        let at_hand = Arc::clone(self.shelf().minds.entry(key.clone()).or_default());
        at_hand.used.store(self.turn.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let is_news = read.whole || !read.kept.is_empty() || !read.gone.is_empty();
        (if read.whole { &self.whole } else { &self.continued }).fetch_add(1, Ordering::Relaxed);
        let looked = {
            if is_news {
                let mut state = at_hand.state.write().unwrap_or_else(PoisonError::into_inner);
                if !state.can_learn(&read, spoken) {
                    return Err(self.stale(&key, &state, spoken));
                }
                state.learn(read, spoken);
            }
            // Between the two others may have brought it further.
            let state = at_hand.state.read().unwrap_or_else(PoisonError::into_inner);
            if state.mark != Some(mark) || state.spoken != *spoken {
                return Err(self.stale(&key, &state, spoken));
            }
            let standings = state.standings(layers, now, &self.results);
            let looked = look(&state.mind, &standings);
            at_hand.measure(&state);
            looked
        };
        self.make_room(&key);
        Ok(looked)
    }

    /// What was made for another space or another calendar is of no use to anybody any more.
    fn stale(&self, key: &Key, state: &State, spoken: &Spoken) -> Stale {
        if state.spoken != *spoken {
            self.shelf().remove(key);
        }
        Stale
    }

    /// Lets those go that were not used for the longest time, this one last.
    fn make_room(&self, last: &Key) {
        let mut shelf = self.shelf();
        shelf.count(last);
        if shelf.bytes <= self.most_bytes {
            return;
        }
        let mut by_age: Vec<(u64, Key)> = shelf
            .minds
            .iter()
            .map(|(key, at_hand)| (at_hand.used.load(Ordering::Relaxed), key.clone()))
            .collect();
        by_age.sort_by_key(|(used, key)| (key == last, *used));
        for (_, key) in by_age {
            if shelf.bytes <= self.most_bytes {
                break;
            }
            shelf.remove(&key);
            self.let_go.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Nothing that was asked is known any more: what is deleted shall be nowhere.
    pub(super) fn forget_questions(&self) {
        let minds: Vec<Arc<AtHand>> = self.shelf().minds.values().map(Arc::clone).collect();
        for at_hand in minds {
            let state = at_hand.state.read().unwrap_or_else(PoisonError::into_inner);
            state.recent.forget();
            at_hand.measure(&state);
        }
    }

    pub(super) fn stats(&self) -> MindsAtHand {
        let shelf = self.shelf();
        let all = |bytes: fn(&AtHand) -> &AtomicUsize| {
            shelf.minds.values().map(|at_hand| bytes(at_hand).load(Ordering::Relaxed)).sum()
        };
        MindsAtHand {
            minds: shelf.minds.len(),
            bytes: shelf.bytes,
            word_bytes: all(|at_hand| &at_hand.word_bytes),
            vector_bytes: all(|at_hand| &at_hand.vector_bytes),
            most_bytes: self.most_bytes,
            whole: self.whole.load(Ordering::Relaxed),
            continued: self.continued.load(Ordering::Relaxed),
            let_go: self.let_go.load(Ordering::Relaxed),
            results: self.results.told(all(|at_hand| &at_hand.result_bytes)),
            queries: QueriesAtHand::default(),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AtHand {
    fn measure(&self, State { mind, recent, audible, .. }: &State) {
        self.bytes.store(mind.bytes() + recent.bytes() + audible.bytes(), Ordering::Relaxed);
        self.result_bytes.store(recent.bytes(), Ordering::Relaxed);
        self.word_bytes.store(mind.word_bytes(), Ordering::Relaxed);
        self.vector_bytes.store(mind.vector_bytes(), Ordering::Relaxed);
    }
}

impl Shelf {
    /// Brings what is known of a mind's size up to date.
    fn count(&mut self, key: &Key) {
        let Some(at_hand) = self.minds.get(key) else { return };
        let bytes = at_hand.bytes.load(Ordering::Relaxed);
        let before = at_hand.counted.swap(bytes, Ordering::Relaxed);
        self.bytes = self.bytes.saturating_sub(before) + bytes;
    }

    fn remove(&mut self, key: &Key) {
        if let Some(gone) = self.minds.remove(key) {
            self.bytes = self.bytes.saturating_sub(gone.counted.load(Ordering::Relaxed));
        }
    }
}

impl State {
    /// Whether what was read is newer than what is known and continues it.
    fn can_learn(&self, read: &Recollections, spoken: &Spoken) -> bool {
        let (Some(known), Some(mark)) = (&self.mark, &read.mark) else { return read.whole };
        let is_same = known.is_of(mark);
        let is_newer = known.change <= mark.change;
        match read.whole {
            // What is known of an earlier life of the same name is void.
            true => !is_same || is_newer,
            false => is_same && is_newer && self.spoken == *spoken,
        }
    }

    fn learn(&mut self, read: Recollections, spoken: &Spoken) {
        if read.whole {
            self.mind = Mind::default();
            self.audible = Audible::default();
            self.spoken = spoken.clone();
        }
        self.mark = read.mark;
        let changed = read.kept.iter().map(|kept| kept.held.memory.id).chain(read.gone.iter().copied());
        self.audible.forget(changed);
        read.gone.into_iter().for_each(|memory| self.mind.remove(memory));
        self.mind.expect(&read.kept);
        for kept in read.kept {
            self.mind.keep(kept, spoken.calendar.as_ref());
        }
        *self.order.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        self.recent.forget();
    }

    /// How the memories stand to each other now.
    fn standings<'s>(&'s self, rules: &'s LayerRules, now: &'s Now, counts: &'s Counts) -> Standings<'s> {
        let mut known = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let ordered = match &mut *known {
            Some(ordered) if ordered.rules == *rules => ordered,
            place => {
                let order = Arc::new(self.mind.order(rules));
                place.insert(Ordered { rules: rules.clone(), order, lively: None })
            }
        };
        let lively = match &ordered.lively {
            Some((then, lively)) if then.is_same(now) => Arc::clone(lively),
            _ => {
                let held = |slot: u32| self.mind.note(slot as usize).map(|note| &note.held);
                let lively = Arc::new(ordered.order.at(held, rules, now));
                ordered.lively = Some((now.clone(), Arc::clone(&lively)));
                lively
            }
        };
        let (order, recent) = (Arc::clone(&ordered.order), (&self.recent, counts));
        Standings { mind: &self.mind, rules, now, order, lively, recent, audible: &self.audible }
    }
}
