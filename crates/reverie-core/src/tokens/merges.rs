//! At most how many tokens does a piece of ASCII text and common punctuation make?

use super::joiners::JOINERS;
use super::u16_at;

/// The number of symbols; by left symbol, where its merges start; the merges, sorted by right symbol: right,
/// result. Symbols are the ASCII characters, the joiners, and the results in the vocabulary's
/// order, so that of two merges the one with the smaller result comes first.
const TABLE: &[u8] = include_bytes!("merges.bin");

/// The result of a merge that the vocabulary ranks after those that have symbols. It happens, unless one of
/// its sides is merged with another neighbour instead.
const LATE: u16 = u16::MAX - 1;
/// The pair is no token.
const NONE: u16 = u16::MAX;

/// Longer pieces are rulers and noise. They cost a token per character, which bounds the work per character.
const LONGEST: usize = 128;

/// What stands beside the piece?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// Nothing that the encoding could merge with it.
    Closed,
    /// Characters of the same piece with costs of their own. No early merge reaches across to them, a late
    /// one may.
    Open,
    /// Something of which nothing is known.
    Unclear,
}

/// One piece after the other: collected symbol by symbol, merged in place, counted, forgotten.
#[derive(Debug)]
pub(super) struct Piece {
    symbols: [u16; LONGEST],
    /// What each symbol makes with the next one.
    results: [u16; LONGEST],
    length: usize,
}

impl Piece {
    pub(super) fn new() -> Self {
        Self { symbols: [0; LONGEST], results: [NONE; LONGEST], length: 0 }
    }

    pub(super) fn push(&mut self, symbol: u16) {
        if let Some(slot) = self.symbols.get_mut(self.length) {
            *slot = symbol;
        }
        self.length += 1;
    }

    /// Counts the piece and leaves an empty one.
    pub(super) fn take_tokens(&mut self, edges: Edges) -> usize {
        let tokens = self.merged_tokens(edges);
        self.length = 0;
        tokens
    }

    fn merged_tokens(&mut self, edges: Edges) -> usize {
        if self.length < 2 || self.length > LONGEST || edges == Edges::Unclear {
            return self.length;
        }
        for position in 0..self.length {
            self.look_up(position);
        }
        while let Some(position) = self.first_merge() {
            self.merge(position);
        }
        if edges == Edges::Closed { self.length - self.certain_late_merges() } else { self.length }
    }

    /// Of the pair that the vocabulary ranks first, the leftmost.
    fn first_merge(&self) -> Option<usize> {
        let results = self.results.get(..self.length)?;
        let (position, result) = results.iter().enumerate().min_by_key(|&(_, result)| result)?;
        (*result < LATE).then_some(position)
    }

    fn merge(&mut self, position: usize) {
        if let (Some(symbol), Some(result)) = (self.symbols.get_mut(position), self.results.get(position)) {
            *symbol = *result;
        }
        self.symbols.copy_within(position + 2..self.length, position + 1);
        self.results.copy_within(position + 2..self.length, position + 1);
        self.length -= 1;
        self.look_up(position);
        if let Some(before) = position.checked_sub(1) {
            self.look_up(before);
        }
    }

    fn look_up(&mut self, position: usize) {
        let pair = match self.symbols.get(position..self.length) {
            Some([left, right, ..]) => result_of(*left, *right),
            _ => NONE,
        };
        if let Some(slot) = self.results.get_mut(position) {
            *slot = pair;
        }
    }

    /// A late pair does not stay side by side: one of the two is merged, with the other or with what stands
    /// on its far side. One merge can serve three pairs in a row, so only pairs three apart count.
    fn certain_late_merges(&self) -> usize {
        let mut certain = 0;
        let mut next = 0;
        for (position, result) in self.results.iter().take(self.length).enumerate() {
            if *result == LATE && position >= next {
                certain += 1;
                next = position + 3;
            }
        }
        certain
    }
}

fn result_of(left: u16, right: u16) -> u16 {
    let first = FIRST_RESULTS.get(usize::from(left)).and_then(|results| results.get(usize::from(right)));
    first.copied().unwrap_or_else(|| search(left, right).unwrap_or(NONE))
}

fn search(left: u16, right: u16) -> Option<u16> {
    let symbols = usize::from(u16_at(TABLE, 0)?);
    let starts = 1 + usize::from(left);
    let merges = 1 + symbols + 1;
    let mut low = usize::from(u16_at(TABLE, starts)?);
    let mut high = usize::from(u16_at(TABLE, starts + 1)?);
    while low < high {
        let middle = low.midpoint(high);
        match u16_at(TABLE, merges + middle * 2)?.cmp(&right) {
            std::cmp::Ordering::Equal => return u16_at(TABLE, merges + middle * 2 + 1),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

/// What two characters make, looked up by far the most often: the start of the table, spread out.
static FIRST_RESULTS: [[u16; CHARACTERS]; CHARACTERS] = first_results();
const CHARACTERS: usize = 128 + JOINERS.len();

#[expect(clippy::indexing_slicing, reason = "runs at compile time")]
const fn first_results() -> [[u16; CHARACTERS]; CHARACTERS] {
    const fn word(index: usize) -> usize {
        u16::from_le_bytes([TABLE[index * 2], TABLE[index * 2 + 1]]) as usize
    }
    let mut results = [[NONE; CHARACTERS]; CHARACTERS];
    let merges = 1 + word(0) + 1;
    let mut left = 0;
    while left < CHARACTERS {
        let mut merge = word(1 + left);
        while merge < word(1 + left + 1) {
            let right = word(merges + merge * 2);
            if right < CHARACTERS {
                results[left][right] = word(merges + merge * 2 + 1) as u16;
            }
            merge += 1;
        }
        left += 1;
    }
    results
}
