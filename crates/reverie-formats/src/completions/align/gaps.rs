//! What does it mean that lines are missing between two that were found? Somebody has removed them, or a client keeps the
//! beginning of a long chat and cuts out its middle, which was said all the same.

use super::pairs::Pair;
use super::verdict::{Scene, Walk};
use super::{Stored, words_of};
use crate::completions::dialogue::By;
use crate::completions::words::Words;

/// So many messages a client keeps of a beginning. One exchange that is missing behind them is cut out if many follow it.
const MOST_KEPT: usize = 4;
const MANY: usize = 12;
/// So far it is looked along a branch that was left.
const MOST_STEPS: usize = 4;

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// Whether the lines up to the first of these pairs were cut out of the middle: all before them is the beginning of the path,
    /// all behind them its end, and one message at most is new. One exchange alone may as well have been removed.
    pub(super) fn is_middle_cut(
        &self,
        rest: &[Pair],
        children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    ) -> bool {
        let Some(next) = rest.first().filter(|_| self.is_from_beginning && self.scene.reaches_the_end(rest))
        else {
            return false;
        };
        let gone = self.scene.path_words.get(self.line..next.line).unwrap_or_default();
        let exchanges = gone.iter().filter(|line| line.by == By::User).count();
        let behind = self.scene.said.len() - self.said;
        exchanges > 1
            || (self.said <= MOST_KEPT && behind >= MANY)
            || self.was_left_here(gone.len(), children)
    }

    /// Whether the path is a branch that something was taken out of at this place already: then the client cuts out more from
    /// turn to turn.
    fn was_left_here(&self, gone: usize, children: &mut impl FnMut(K) -> Vec<Stored<K>>) -> bool {
        let lines = self.scene.path.lines;
        let after = self.line.checked_sub(1).and_then(|before| lines.get(before));
        let (Some(after), Some(first), Some(words)) =
            (after, lines.get(self.line), self.scene.path_words.get(self.line))
        else {
            return false;
        };
        let mut others: Vec<Stored<K>> = children(after.key);
        others.retain(|line| line.key != first.key);
        for _ in 0..gone.min(MOST_STEPS) {
            others = others.iter().flat_map(|line| children(line.key)).collect();
            if others.iter().any(|line| words.is_same(&words_of(line))) {
                return true;
            }
        }
        false
    }
}

impl<K> Scene<'_, K> {
    /// Whether these pairs leave no line out up to the end of the path, and one message at most is new behind them.
    fn reaches_the_end(&self, pairs: &[Pair]) -> bool {
        let leaves_nothing_out = |two: &[Pair]| match two {
            [one, next] => {
                let (new, gone) = (next.said - one.said - 1, next.line - one.line - one.lines);
                gone == 0 || new == gone
            }
            _ => true,
        };
        let Some(last) = pairs.last() else { return false };
        let new = self.said_words.len() - last.said - 1;
        let left: &[Words<'_>] = self.path_words.get(last.line + last.lines..).unwrap_or_default();
        let is_asked_again = new == 0 && left.iter().all(|line| line.by == By::Assistant);
        // A word that everybody says may be new, and was said before by chance.
        let is_telling = |pair: &Pair| self.said_words.get(pair.said).is_some_and(Words::is_telling);
        pairs.windows(2).all(leaves_nothing_out)
            && pairs.iter().any(is_telling)
            && ((left.is_empty() && new <= 1) || is_asked_again)
    }
}
