//! Which messages stand for a line without saying it? A client that must save room cuts old messages short or puts something
//! else in their place: they are found, but nobody changed what was said.

use std::collections::HashSet;

use super::pairs::Pair;
use super::verdict::Scene;
use crate::completions::dialogue::By;
use crate::completions::words::Words;

impl<K> Scene<'_, K> {
    /// Places in `said`. Only what stands between lines that were found, or directly before them, has a line that it can be.
    pub(super) fn abridged(&self, pairs: &[Pair]) -> HashSet<usize> {
        let places = self.other_words(pairs);
        let newest = self.path_words.iter().rposition(|line| line.by == By::User).unwrap_or_default();
        let words = |(said, line): &(usize, usize)| {
            let two = (self.said_words.get(*said)?, self.path_words.get(*line)?);
            (two.0.by == two.1.by).then_some(two)
        };
        let stands_for_another = |said: &Words<'_>, line: &Words<'_>| {
            places
                .iter()
                .filter_map(words)
                .any(|other| other.0.flat == said.flat && other.1.flat != line.flat)
        };
        let is_abridged = |place: &&(usize, usize)| {
            words(place).is_some_and(|(said, line)| {
                // The end of what was said last is cut off by somebody who reads it, and then nothing shows it.
                let is_cut = said.is_cut_from(line) && (said.is_marked_as_cut() || place.1 < newest);
                is_cut || said.is_put_instead_of(line) || stands_for_another(said, line)
            })
        };
        places.iter().filter(is_abridged).map(|(said, _)| *said).collect()
    }

    /// Messages that were not found, each with the line whose place it has.
    fn other_words(&self, pairs: &[Pair]) -> Vec<(usize, usize)> {
        let before = pairs.first().into_iter().flat_map(|first| {
            (1..=first.said.min(first.line)).map(|back| (first.said - back, first.line - back))
        });
        let between = pairs.windows(2).flat_map(|two| match two {
            [one, next] if next.said - one.said - 1 == next.line - one.line - one.lines => {
                (one.said + 1..next.said).zip(one.line + one.lines..next.line).collect()
            }
            _ => Vec::new(),
        });
        before.chain(between).collect()
    }
}
