//! Does a list have words between known lines that stand on a branch beside the path? Somebody asked at the same time as others
//! and was recorded beside them, and the client has both in one history.

use std::ops::Range;

use super::verdict::Walk;
use super::{Stored, words_of};

/// So many lines back branches may begin that the list joins to the path.
const MOST_BACK: usize = 12;

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// Whether one of these messages, which stand before the next line of the path, was said so. What was recorded beside several
    /// lines is a note of the client's all the same: it is at another place each time.
    pub(super) fn was_said_beside(
        &self,
        messages: Range<usize>,
        children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    ) -> bool {
        let lines = self.scene.path.lines;
        let is_on_the_path = |key: K| lines.iter().any(|line| line.key == key);
        let before = lines.get(self.line.saturating_sub(MOST_BACK)..self.line).unwrap_or_default();
        let beside: Vec<Stored<K>> = before
            .iter()
            .flat_map(|line| children(line.key))
            .filter(|line| !is_on_the_path(line.key))
            .collect();
        let mut said = messages.filter_map(|place| self.scene.said_words.get(place));
        said.any(|said| {
            let is_repeated = self.scene.path_words.iter().any(|line| said.is_same(line));
            !is_repeated && beside.iter().filter(|line| said.is_same(&words_of(line))).count() == 1
        })
    }
}
