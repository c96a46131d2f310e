//! What does it mean that was asked before?
//!
//! Where meanings come over a network, what was said last is often asked again: by a prompt that is made anew for another answer,
//! for another character of the same scene, in another save. What a text means in a space depends on nothing else, so that whoever
//! asks gets what they would have been told: nothing of any world is in it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Result;
use crate::embed::{Embedder, Vector};

/// Texts and what they mean, those that were asked about lately.
pub(super) struct Queries {
    shelf: Mutex<Shelf>,
    most_bytes: usize,
    found: AtomicU64,
    asked: AtomicU64,
}

/// Two generations: what is asked about moves to the young one, and when that is full the old one goes.
#[derive(Default)]
struct Shelf {
    young: Generation,
    old: Generation,
}

#[derive(Default)]
struct Generation {
    /// By space and text. The text itself, because nothing shorter is sure to be of this text alone.
    meanings: HashMap<(String, String), Vector>,
    bytes: usize,
}

/// How many texts are known by their meaning, and what that was good for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueriesAtHand {
    pub texts: usize,
    pub bytes: usize,
    pub most_bytes: usize,
    /// How often a text was known, and how often an embedder was asked.
    pub found: u64,
    pub asked: u64,
}

/// Of the memory for what is at hand, one part in so many, at most so much.
const SHARE: usize = 16;
const MOST_BYTES: usize = 8 << 20;
/// What an entry of a map takes besides what is in it, roughly.
const ENTRY_BYTES: usize = 128;

impl Queries {
    /// How much of the memory for what is at hand is for these.
    pub(super) fn share(most_bytes: usize) -> usize {
        (most_bytes / SHARE).min(MOST_BYTES)
    }

    pub(super) fn new(most_bytes: usize) -> Self {
        Self { shelf: Mutex::default(), most_bytes, found: AtomicU64::new(0), asked: AtomicU64::new(0) }
    }

    /// What a text means; None if it means nothing. One that never waits is asked each time: that costs less than remembering.
    pub(super) fn meaning(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        deadline_ms: i64,
    ) -> Result<Option<Vector>> {
        let ask = || -> Result<Option<Vector>> {
            Ok(embedder.embed(&[text], deadline_ms)?.pop().and_then(Vector::normal))
        };
        if embedder.is_local() {
            return ask();
        }
        let key = (embedder.space().to_owned(), text.to_owned());
        if let Some(known) = self.shelf().find(&key, self.most_bytes) {
            self.found.fetch_add(1, Ordering::Relaxed);
            return Ok(Some(known));
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        let meaning = ask()?;
        if let Some(meaning) = &meaning {
            self.shelf().keep(key, meaning.clone(), self.most_bytes);
        }
        Ok(meaning)
    }

    /// Nothing that was asked is known any more: what is deleted shall be nowhere.
    pub(super) fn forget(&self) {
        *self.shelf() = Shelf::default();
    }

    pub(super) fn stats(&self) -> QueriesAtHand {
        let shelf = self.shelf();
        QueriesAtHand {
            texts: shelf.young.meanings.len() + shelf.old.meanings.len(),
            bytes: shelf.young.bytes + shelf.old.bytes,
            most_bytes: self.most_bytes,
            found: self.found.load(Ordering::Relaxed),
            asked: self.asked.load(Ordering::Relaxed),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn find(&mut self, key: &(String, String), most_bytes: usize) -> Option<Vector> {
        if let Some(known) = self.young.meanings.get(key) {
            return Some(known.clone());
        }
        let (key, known) = self.old.meanings.remove_entry(key)?;
        self.old.bytes = self.old.bytes.saturating_sub(bytes_of(&key, &known));
        self.keep(key, known.clone(), most_bytes);
        Some(known)
    }

    fn keep(&mut self, key: (String, String), meaning: Vector, most_bytes: usize) {
        let (bytes, most) = (bytes_of(&key, &meaning), most_bytes / 2);
        if bytes > most {
            return;
        }
        if self.young.bytes + bytes > most {
            self.old = std::mem::take(&mut self.young);
        }
        // Others may have asked the same meanwhile.
        if self.young.meanings.insert(key, meaning).is_none() {
            self.young.bytes += bytes;
        }
    }
}

fn bytes_of((space, text): &(String, String), meaning: &Vector) -> usize {
    ENTRY_BYTES + space.len() + text.len() + size_of_val(meaning.0.as_ref())
}
