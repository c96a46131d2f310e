//! What came to mind when the same was asked of the same mind?
//!
//! Of one moment a prompt is often made twice: a request is tried again, an answer was not liked, somebody wants to know why. What
//! comes to mind depends on the mind, on what is said and on the rules, and on nothing else: neither on the clock nor on who listens,
//! which are looked at each time. So it is kept beside the mind that it came to, known again only by the whole of what was asked, and
//! gone with the first thing that the mind learns. No other save, branch or character ever sees it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::laps::Laps;
use crate::mind::Mind;
use crate::rank::{Candidate, Question, recollect};
use crate::settings::RecallRules;

/// So many questions are known to each mind.
const KEPT: usize = 4;

/// What came to one mind lately, the newest last.
#[derive(Default)]
pub(super) struct Recent {
    results: Mutex<VecDeque<Arc<Recollection>>>,
    bytes: AtomicUsize,
}

struct Recollection {
    question: Question,
    rules: RecallRules,
    found: Vec<Candidate>,
}

/// What came to mind before, and how often that was good for something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultsAtHand {
    pub bytes: usize,
    /// How often the same was asked again, and how often it was looked for.
    pub found: u64,
    pub made: u64,
}

/// Of all minds.
#[derive(Default)]
pub(super) struct Counts {
    found: AtomicU64,
    made: AtomicU64,
}

impl Counts {
    pub(super) fn told(&self, bytes: usize) -> ResultsAtHand {
        let told = |count: &AtomicU64| count.load(Ordering::Relaxed);
        ResultsAtHand { bytes, found: told(&self.found), made: told(&self.made) }
    }
}

impl Recent {
    /// What comes to this mind, as [`recollect`] says. `mind` is always the same one, and `forget` is called when it changes.
    pub(super) fn recollect(
        &self,
        mind: &Mind,
        (question, rules): (&Question, &RecallRules),
        laps: &Laps,
        counts: &Counts,
    ) -> Vec<Candidate> {
        if let Some(known) = self.find(question, rules) {
            counts.found.fetch_add(1, Ordering::Relaxed);
            return known.found.clone();
        }
        counts.made.fetch_add(1, Ordering::Relaxed);
        let found = recollect(mind, question, rules, &|_| true, laps);
        self.keep(Recollection { question: question.clone(), rules: rules.clone(), found: found.clone() });
        found
    }

    pub(super) fn forget(&self) {
        let mut results = self.results();
        results.clear();
        self.bytes.store(0, Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn find(&self, question: &Question, rules: &RecallRules) -> Option<Arc<Recollection>> {
        let mut results = self.results();
        let place = results.iter().position(|known| known.question == *question && known.rules == *rules)?;
        let known = results.remove(place)?;
        results.push_back(Arc::clone(&known));
        Some(known)
    }

    fn keep(&self, result: Recollection) {
        let mut results = self.results();
        if results.len() >= KEPT {
            results.pop_front();
        }
        results.push_back(Arc::new(result));
        self.bytes.store(results.iter().map(|result| result.bytes()).sum(), Ordering::Relaxed);
    }

    fn results(&self) -> MutexGuard<'_, VecDeque<Arc<Recollection>>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recollection {
    fn bytes(&self) -> usize {
        let Question { said, meaning, newest, days, lines, feelings, moods, called, .. } = &self.question;
        let texts =
            said.parts.iter().chain(&said.names).map(|(text, _)| text.len() + size_of::<(String, f32)>());
        let moods = moods.iter().chain(called).map(|name| name.len() + size_of::<String>());
        let meanings = [meaning, newest].into_iter().flatten();
        let meanings: usize = meanings.map(|meaning| size_of_val(meaning.0.as_ref())).sum();
        size_of::<Self>()
            + texts.chain(moods).sum::<usize>()
            + meanings
            + size_of_val(days.as_slice())
            + lines.len() * 2 * size_of::<u64>()
            + size_of_val(feelings.as_slice())
            + self.found.capacity() * size_of::<Candidate>()
    }
}
