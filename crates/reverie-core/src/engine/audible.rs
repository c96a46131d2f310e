//! What of a mind may be told before those who listen?
//!
//! What may not be told takes the place of nothing that may: it is left out before anything is ranked, so that it sets no measure and
//! nobody can tell by what is missing that it is there. That needs to be known of every memory as soon as it is known of one. Who heard the
//! lines that a memory was made of never changes, so it is asked once and kept beside the mind; of all else it is asked each time.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Engine;
use super::audience::Confidence;
use super::minds::Standings;
use crate::Result;
use crate::id::{CharacterId, ConversationId, MemoryId, WorldId};
use crate::laps::Laps;
use crate::mind::{Mind, Note};
use crate::rank::{Candidate, Question, recollect};
use crate::settings::{Audience, RecallRules, WorldSettings};
use crate::store::Gathered;

/// So many circles of listeners are known to each mind.
const CIRCLES: usize = 4;
/// Of each memory, in a table.
const BYTES: usize = 24;

/// Before whom something is told.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listeners {
    audience: Audience,
    people: Vec<CharacterId>,
    voiced: Vec<CharacterId>,
    conversation: Option<ConversationId>,
}

/// What is known of one mind: for each circle, the newest last, which of its memories may not be told.
#[derive(Default)]
pub(super) struct Audible {
    circles: Mutex<VecDeque<(Listeners, HashMap<MemoryId, bool>)>>,
}

/// All that decides what may be told.
pub(super) struct Listening<'a> {
    pub(super) world: &'a WorldId,
    pub(super) gathered: &'a Gathered,
    pub(super) settings: &'a WorldSettings,
    /// What one of those who speak has in mind is not kept from them.
    pub(super) voiced: &'a [CharacterId],
    pub(super) as_of: Option<u64>,
}

impl Engine {
    /// What comes to a mind of what may be told; behind it what would have come otherwise, for whoever asks why.
    pub(super) fn come_to_mind(
        &self,
        (mind, standings): (&Mind, &Standings<'_>),
        (question, rules): (&Question, &RecallRules),
        listening: &Listening<'_>,
        laps: &Laps,
    ) -> Result<Vec<Candidate>> {
        let mut found = standings.recollect((question, rules), laps);
        if listening.settings.audience == Audience::Open {
            return Ok(found);
        }
        let candidates = found.iter().filter_map(|found| mind.note(found.slot));
        if self.kept_back(standings.audible, candidates, listening)?.is_empty() {
            return Ok(found);
        }
        let all = mind.notes().map(|(_, note)| note);
        let kept_back = self.kept_back(standings.audible, all, listening)?;
        let is_told = |note: &Note| !kept_back.contains(&note.held.memory.id);
        let mut told = recollect(mind, question, rules, &is_told, laps);
        found.retain(|found| mind.note(found.slot).is_some_and(|note| !is_told(note)));
        told.append(&mut found);
        Ok(told)
    }

    /// Which of these may not be told.
    fn kept_back<'n>(
        &self,
        audible: &Audible,
        notes: impl Iterator<Item = &'n Arc<Note>>,
        listening: &Listening<'_>,
    ) -> Result<HashSet<MemoryId>> {
        let listeners = Listeners::of(listening);
        let known = audible.take(&listeners);
        let mut kept_back = HashSet::new();
        let mut unknown: Vec<&Note> = Vec::new();
        for note in notes {
            match known.get(&note.held.memory.id) {
                Some(true) => _ = kept_back.insert(note.held.memory.id),
                Some(false) => {}
                None => unknown.push(note),
            }
        }
        let asked: Vec<Confidence<'_>> =
            unknown.iter().map(|note| Confidence::of(&note.held, listening.voiced)).collect();
        let Listening { world, gathered, settings, as_of, .. } = listening;
        let told = self.may_be_told(world, gathered, settings, &asked, *as_of)?;
        let mut learnt = known;
        for (note, telling) in unknown.into_iter().zip(told) {
            let memory = note.held.memory.id;
            let is_kept_back = !telling.is_allowed();
            if is_kept_back {
                kept_back.insert(memory);
            }
            if is_settled(note) {
                learnt.insert(memory, is_kept_back);
            }
        }
        audible.keep(listeners, learnt);
        Ok(kept_back)
    }
}

/// Whether nothing but the lines that it was made of says who knows it.
fn is_settled(note: &Note) -> bool {
    let held = &note.held;
    !held.memory.sources.is_empty() && held.state.text.is_none() && !held.state.shareable
}

impl Listeners {
    fn of(Listening { gathered, settings, voiced, .. }: &Listening<'_>) -> Self {
        let sorted = |people: &[CharacterId]| {
            let mut people = people.to_vec();
            people.sort();
            people
        };
        Self {
            audience: settings.audience,
            people: sorted(&gathered.people),
            voiced: sorted(voiced),
            conversation: gathered.conversation.as_ref().map(|here| here.id.clone()),
        }
    }
}

impl Audible {
    /// The mind has another word for these, or they are gone.
    pub(super) fn forget(&self, changed: impl Iterator<Item = MemoryId>) {
        let mut circles = self.circles();
        for memory in changed {
            circles.iter_mut().for_each(|(_, known)| _ = known.remove(&memory));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.circles().iter().map(|(_, known)| known.capacity() * BYTES).sum()
    }

    /// What is known of a circle. Whoever asks at the same time asks anew.
    fn take(&self, listeners: &Listeners) -> HashMap<MemoryId, bool> {
        let mut circles = self.circles();
        let place = circles.iter().position(|(other, _)| other == listeners);
        place.and_then(|place| circles.remove(place)).map(|(_, known)| known).unwrap_or_default()
    }

    fn keep(&self, listeners: Listeners, known: HashMap<MemoryId, bool>) {
        let mut circles = self.circles();
        circles.retain(|(other, _)| *other != listeners);
        if circles.len() >= CIRCLES {
            circles.pop_front();
        }
        circles.push_back((listeners, known));
    }

    fn circles(&self) -> MutexGuard<'_, VecDeque<(Listeners, HashMap<MemoryId, bool>)>> {
        self.circles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
