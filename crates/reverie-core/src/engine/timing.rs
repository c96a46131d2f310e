//! How long do prompts take, and which part of them?

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Engine;
use crate::laps::{Laps, Part, Stopwatch};

/// So many of the last prompts are looked at.
const WINDOW: usize = 512;

/// How long the last prompts took.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallTimes {
    /// Made since the engine began.
    pub recalls: u64,
    /// Of so many of them, the last ones, the rest is told.
    pub of: usize,
    /// None while there were none.
    pub whole: Option<Quantiles>,
    /// In the order in which a prompt is made.
    pub parts: Vec<(Part, Quantiles)>,
}

/// In milliseconds: half of them took no longer than `p50`, and all but one in a hundred no longer than `p99`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantiles {
    pub p50_ms: f64,
    pub p99_ms: f64,
}

/// What was measured. The window has its room once, and a prompt only writes into it.
pub(super) struct Timing {
    stopwatch: Stopwatch,
    window: Mutex<Window>,
}

#[derive(Default)]
struct Window {
    samples: Vec<Sample>,
    recalls: u64,
}

/// Microseconds.
#[derive(Clone, Copy)]
struct Sample {
    whole: u32,
    parts: [u32; Part::ALL.len()],
}

impl Engine {
    /// Lets it tell how long prompts take. What they say does not depend on it.
    #[must_use]
    pub fn timed_by(mut self, stopwatch: Stopwatch) -> Self {
        self.timing = Some(Timing { stopwatch, window: Mutex::default() });
        self
    }

    /// How long the last prompts took. None: nobody measures.
    pub fn recall_times(&self) -> Option<RecallTimes> {
        self.timing.as_ref().map(Timing::told)
    }

    pub(super) fn laps(&self) -> Laps {
        self.timing.as_ref().map(|timing| Laps::begin(&timing.stopwatch)).unwrap_or_default()
    }

    /// A prompt is made.
    pub(super) fn note_times(&self, laps: &Laps) {
        if let (Some(timing), Some((whole, parts))) = (&self.timing, laps.told()) {
            timing.window().keep(Sample { whole, parts });
        }
    }
}

impl Timing {
    fn window(&self) -> MutexGuard<'_, Window> {
        // Writing a sample down cannot stop halfway.
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> RecallTimes {
        let (recalls, samples) = {
            let window = self.window();
            (window.recalls, window.samples.clone())
        };
        let of_part = |place: usize| {
            let micros = samples.iter().filter_map(|sample| sample.parts.get(place).copied());
            quantiles(micros.collect())
        };
        let parts = Part::ALL.into_iter().enumerate();
        RecallTimes {
            recalls,
            of: samples.len(),
            whole: quantiles(samples.iter().map(|sample| sample.whole).collect()),
            parts: parts.filter_map(|(place, part)| Some((part, of_part(place)?))).collect(),
        }
    }
}

impl Window {
    fn keep(&mut self, sample: Sample) {
        if self.samples.len() < WINDOW {
            self.samples.reserve_exact(WINDOW - self.samples.len());
            self.samples.push(sample);
        } else if let Some(oldest) = self.samples.get_mut((self.recalls % WINDOW as u64) as usize) {
            *oldest = sample;
        }
        self.recalls += 1;
    }
}

/// None of nothing.
fn quantiles(mut micros: Vec<u32>) -> Option<Quantiles> {
    micros.sort_unstable();
    let at = |percent: usize| {
        let rank = (micros.len() * percent).div_ceil(100).max(1);
        micros.get(rank - 1).map(|micros| f64::from(*micros) / 1000.0)
    };
    Some(Quantiles { p50_ms: at(50)?, p99_ms: at(99)? })
}
