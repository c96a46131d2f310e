//! Was something recorded as the user's words that a client puts at a depth of the list? The first time it stands beside what is new and looks
//! like it. Later the list has it between lines that were said one behind the other, and not where it was recorded.

use super::verdict::Walk;
use crate::completions::dialogue::By;
use crate::completions::words::Words;

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// `passed`: messages that stand between such lines.
    pub(super) fn moved_on(&self, passed: &[usize]) -> Vec<K> {
        let is_note = |said: &&Words<'_>| said.by == By::User && said.is_telling();
        let notes = || passed.iter().filter_map(|place| self.scene.said_words.get(*place)).filter(is_note);
        if notes().next().is_none() {
            return Vec::new();
        }
        let is_seen = |key: K| self.found.seen.iter().any(|(_, seen)| *seen == key);
        let lines = self.scene.path.lines.iter().zip(self.scene.path_words);
        let unseen = lines.filter(|(line, _)| line.by == By::User && !is_seen(line.key));
        unseen
            .filter(|(_, words)| notes().any(|note| note.is_same(words)))
            .map(|(line, _)| line.key)
            .collect()
    }
}
