//! At most how many tokens does a run of kana and ideographs make?
//!
//! Each character of the run is one token alone. A complete encoding never leaves two neighbours apart that
//! are a token together, so among all ways to cut the run that respect this, the longest is the answer:
//! tokens of one character, of two where the table knows the pair, of three and more anywhere.

use super::bonds::{Bond, bond};

/// No cut reaches this state.
const NEVER: i64 = i64::MIN / 2;

/// The most tokens so far, by what the last character is.
#[derive(Debug, Clone, Copy)]
struct Most {
    /// A token by itself.
    single: i64,
    /// The first of a longer token; that token is already counted.
    first: i64,
    /// A later one of a token of three or more that goes on.
    inner: i64,
    /// The last of a longer token, or the start of the run.
    last: i64,
}

const AT_START: Most = Most { single: NEVER, first: NEVER, inner: NEVER, last: 0 };

/// Sums runs up, character by character.
#[derive(Debug)]
pub(super) struct Ideographs {
    total: usize,
    most: Most,
    previous: Option<char>,
}

impl Ideographs {
    pub(super) fn new() -> Self {
        Self { total: 0, most: AT_START, previous: None }
    }

    /// The next character of the run; it is one token alone.
    pub(super) fn push(&mut self, c: char) {
        let bond = self.previous.map_or(Bond::None, |previous| bond(previous, c));
        if bond == Bond::Torn {
            // One of the two may fall into two parts; what the other part joins is unknown.
            self.interrupt();
            self.total += 2;
            return;
        }
        let together = bond == Bond::Token;
        let Most { single, first, inner, last } = self.most;
        self.most = Most {
            single: 1 + if together { last } else { last.max(single) },
            first: 1 + last.max(single),
            inner: first.max(inner),
            last: if together { first.max(inner) } else { inner },
        };
        self.previous = Some(c);
    }

    /// Whatever comes next is not bound to the run.
    pub(super) fn interrupt(&mut self) {
        self.total += usize::try_from(self.most.single.max(self.most.last)).unwrap_or(0);
        self.most = AT_START;
        self.previous = None;
    }

    pub(super) fn finish(mut self) -> usize {
        self.interrupt();
        self.total
    }
}
