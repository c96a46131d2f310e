//! Does the client show one answer where several lines end the path? It asked the model to go on with what was said, without a word about it: that
//! looks like an answer of its own until the next list shows the two as one.

use super::Then;
use super::pairs::Pair;
use super::verdict::Walk;
use super::{Revised, Stored};
use crate::completions::dialogue::By;
use crate::completions::words::Words;

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// The first of the lines gets the words that the client shows, and the path goes on behind it.
    pub(super) fn join(&mut self, pairs: &[Pair]) {
        let Some(last) = pairs.last().filter(|last| last.lines > 1) else { return };
        let (said, words) = (self.scene.said.get(last.said), self.scene.said_words.get(last.said));
        let lines = self.scene.path.lines.get(last.line..).unwrap_or_default();
        let (Some(said), Some(words), Some(first)) = (said, words, lines.first()) else { return };
        let is_end = lines.len() == last.lines && self.found.switch.is_none();
        let is_one = |line: &Stored<K>| line.by == By::Assistant && line.name == first.name;
        // What a client merges because the model takes no two messages of one side in a row stands in paragraphs of its own.
        let line_words = self.scene.path_words.get(last.line..).unwrap_or_default();
        let is_merged = words.is_parted_behind(&beginnings(line_words));
        if !is_end || !lines.iter().all(is_one) || is_merged {
            return;
        }
        self.found.revised.push(Revised { line: first.key, text: said.text.clone() });
        self.found.switch = Some(first.key);
        if let Then::Continue { line } = &mut self.found.then {
            *line = first.key;
        }
    }
}

/// What all of these lines but the last say, up to each of them.
fn beginnings(lines: &[Words<'_>]) -> Vec<String> {
    let joined = |count: usize| lines.iter().take(count).map(|line| line.flat.as_str()).collect();
    (1..lines.len()).map(joined).collect()
}
