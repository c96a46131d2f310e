//! What does it mean that was remembered only just now?
//!
//! Vectors are made in the background. Where that is done without waiting for anybody, as with the built-in table, whoever asks right after
//! something happened need not miss it: what has no vector yet gets one while the mind is brought up to date. Nothing is written; soon the
//! store has the same.

use super::Engine;
use super::embedding::in_chunks;
use super::recalling::Whole;
use crate::digest::meant;
use crate::embed::Vector;
use crate::recollection::Kept;

/// No prompt waits for more than so many texts; a world that was just imported has thousands, and those come in the background.
const AT_ONCE: usize = 256;

impl Engine {
    /// Gives what was read, and has no place in the world's space yet, its place.
    pub(super) fn place_at_once(&self, whole: &mut Whole) {
        let choice = self.meanings.embedders.of(&whole.settings);
        let Some(source) = choice.source() else { return };
        if !source.embedder.is_local() || whole.space.as_deref() != Some(source.space()) {
            return;
        }
        let settings = &whole.settings;
        let read = whole.gathered.minds.iter_mut().flat_map(|mind| &mut mind.kept);
        for kept in read.filter(|kept| kept.vectors.is_empty()).take(AT_ONCE) {
            let Kept { held, vectors, .. } = kept;
            let chunks = in_chunks(&meant(held.text()), settings);
            let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
            // What it refuses is told of when it is asked in the background.
            let made = source.embedder.embed(&chunks, self.patience_ms()).unwrap_or_default();
            *vectors = made.into_iter().filter_map(Vector::normal).collect();
        }
    }
}
