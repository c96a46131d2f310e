//! At which text does an embedder fail?
//!
//! One that refuses a text says so, and the text is found at once. One that breaks down at a text (a plain 500) says what it also says when
//! the fault is its own: so the texts are tried again, later, together at first and then by halves, until one that is tried alone fails
//! while another text goes well.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::embedding::{BATCH, ToEmbed};

/// After so many failures texts are not tried all together any more.
const TOGETHER: u32 = 3;
/// A text that was there at so many failures, alone in the end, is what the embedder fails at.
const MOST: u32 = 9;

/// How often each text was among those at which the embedder failed. For this process only: a new one may find it mended.
#[derive(Default)]
pub(super) struct Suspects(Mutex<HashMap<[u8; 16], u32>>);

impl Suspects {
    /// In which order, and how many together, texts are tried: the least suspect first, so that one holds up nobody else.
    pub(super) fn parts<'t>(&self, waiting: &'t [ToEmbed]) -> Vec<Vec<&'t ToEmbed>> {
        let failures = self.failures();
        let count = |text: &ToEmbed| failures.get(&text.digest).copied().unwrap_or(0);
        let mut texts: Vec<&ToEmbed> = waiting.iter().collect();
        texts.sort_by_key(|text| count(text));
        let mut parts: Vec<Vec<&ToEmbed>> = Vec::new();
        for text in texts {
            let most = (BATCH >> count(text).saturating_sub(TOGETHER - 1).min(usize::BITS - 1)).max(1);
            let is_alike = |part: &&mut Vec<&ToEmbed>| {
                part.len() < most && part.last().is_some_and(|last| count(last) == count(text))
            };
            match parts.last_mut().filter(is_alike) {
                Some(part) => part.push(text),
                None => parts.push(vec![text]),
            }
        }
        parts
    }

    /// Whether a failure would be the last that is needed: then it must be known that the embedder is well otherwise.
    pub(super) fn is_prime(&self, part: &[&ToEmbed]) -> bool {
        match part {
            [text] => self.failures().get(&text.digest).is_some_and(|count| count + 1 >= MOST),
            _ => false,
        }
    }

    pub(super) fn note_failure(&self, part: &[&ToEmbed]) {
        let mut failures = self.failures();
        for text in part {
            *failures.entry(text.digest).or_default() += 1;
        }
    }

    /// They have their vectors, or were set aside.
    pub(super) fn clear(&self, part: &[&ToEmbed]) {
        let mut failures = self.failures();
        for text in part {
            failures.remove(&text.digest);
        }
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<[u8; 16], u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
