//! Is the newest message of the user the one that is recorded, in other words, while nothing before it says which chat it is?
//!
//! Whoever edits the first one and asks for another answer sends a greeting that every chat begins with, or nothing else at all; whoever edits the
//! second one, a "hi" and its answer. So only words that are nearly the old ones are an edit, and only as long as nothing but their answer was
//! recorded behind them: everything else begins another chat. The same is asked of the oldest message of a window, before which nothing is known.

use super::pairs::Pair;
use super::verdict::Scene;
use super::{Alignment, Then};
use crate::completions::dialogue::By;

impl<K> Scene<'_, K> {
    /// Whether a message of the user is nearly this line, and both are more than everybody says.
    pub(super) fn is_edited(&self, said: usize, line: usize) -> bool {
        let is_users = self.said_words.get(said).is_some_and(|said| said.by == By::User);
        is_users && self.is_nearly(said, line)
    }

    /// The same, whoever says it.
    fn is_nearly(&self, said: usize, line: usize) -> bool {
        let (Some(said), Some(line)) = (self.said_words.get(said), self.path_words.get(line)) else {
            return false;
        };
        let are_telling = said.is_telling() && line.is_telling();
        are_telling && !said.is_same(line) && said.is_reworded(line)
    }

    /// Whether the oldest message of a window stands for the line before the first one that was found, in nearly the same words; but a client may
    /// have cut off its beginning.
    pub(super) fn is_edited_at_the_front(&self, first: &Pair) -> bool {
        let Some(line) = first.line.checked_sub(1).filter(|_| first.said == 1) else { return false };
        let is_cut_off = match (self.said_words.first(), self.path_words.get(line)) {
            (Some(said), Some(line)) => line.flat.ends_with(&said.flat),
            _ => true,
        };
        !is_cut_off && self.is_nearly(0, line)
    }

    /// Whether all that was found is what stands before the newest message from the beginning on, and that is edited.
    pub(super) fn has_edited_newest(&self, pairs: &[Pair]) -> bool {
        let newest = pairs.len();
        let is_before =
            |(place, pair): (usize, &Pair)| (pair.said, pair.line, pair.lines) == (place, place, 1);
        let behind = self.path_words.get(newest + 1..).unwrap_or_default();
        self.path.is_whole
            && self.skipped == 0
            && self.said_words.len() == newest + 1
            && pairs.iter().enumerate().all(is_before)
            && behind.iter().all(|line| line.by == By::Assistant)
            && self.is_edited(newest, newest)
    }
}

/// The same where nothing stands before it: for a list that says that it begins a chat.
pub(super) fn first_of_all<K: Copy>(scene: &Scene<'_, K>) -> Option<Alignment<K>> {
    let beside = scene.path.lines.first().filter(|_| scene.has_edited_newest(&[]))?.key;
    Some(Alignment { then: Then::Branch { after: None, beside, from: 0 }, ..Alignment::elsewhere(false) })
}
