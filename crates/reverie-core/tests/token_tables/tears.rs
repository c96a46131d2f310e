//! Which tokens end in the middle of a character, and whom do they tear?

use crate::vocabulary::Vocabulary;

/// A token of whole characters and a part of another: the last bytes of the one before, the first bytes of
/// the one after, or both.
pub(crate) struct Tear {
    rank: u32,
    head: Vec<u8>,
    whole: String,
    tail: Vec<u8>,
}

pub(crate) fn tears(vocabulary: &Vocabulary) -> Vec<Tear> {
    let broken = vocabulary.tokens().filter(|(_, token)| std::str::from_utf8(token).is_err());
    broken.map(|(rank, token)| Tear::new(rank, token)).filter(|tear| !tear.whole.is_empty()).collect()
}

impl Tear {
    fn new(rank: u32, token: &[u8]) -> Self {
        let is_inside = |byte: &u8| (0x80..0xc0).contains(byte);
        let (head, rest) = token.split_at(token.iter().take_while(|byte| is_inside(byte)).count());
        let whole_length = match std::str::from_utf8(rest) {
            Ok(_) => rest.len(),
            Err(error) => error.valid_up_to(),
        };
        let (whole, tail) = rest.split_at(whole_length);
        let whole = String::from_utf8(whole.to_vec()).unwrap();
        Self { rank, head: head.to_vec(), whole, tail: tail.to_vec() }
    }

    pub(crate) fn is_head_of(&self, c: char) -> bool {
        !self.head.is_empty() && c.to_string().as_bytes().ends_with(&self.head)
    }

    fn is_tail_of(&self, c: char) -> bool {
        !self.tail.is_empty() && c.to_string().as_bytes().starts_with(&self.tail)
    }

    /// Is this token made before the character is?
    pub(crate) fn wins_over(&self, vocabulary: &Vocabulary, c: char) -> bool {
        self.rank < vocabulary.rank(c.to_string().as_bytes())
    }

    /// The pairs of letters that this token can tear.
    pub(crate) fn pairs(
        &self,
        vocabulary: &Vocabulary,
        tears: &[Self],
        letters: &[char],
    ) -> Vec<(char, char)> {
        let before = self.whole.chars().next_back().filter(|c| letters.contains(c));
        let after = self.whole.chars().next().filter(|c| letters.contains(c));
        // What one token has torn in front can lose its last bytes to any other.
        let is_torn_in_front = |c: char| {
            let bound = tears.iter().filter(|tear| tear.is_tail_of(c) && tear.wins_over(vocabulary, c));
            bound.into_iter().any(|tear| tear.whole.ends_with(letters))
        };
        let mut pairs = Vec::new();
        for &c in letters.iter().filter(|_| before.or(after).is_some()) {
            let loses_end = self.is_head_of(c) && (self.wins_over(vocabulary, c) || is_torn_in_front(c));
            pairs.extend(after.filter(|_| loses_end).map(|after| (c, after)));
            let loses_start = self.is_tail_of(c) && self.wins_over(vocabulary, c);
            pairs.extend(before.filter(|_| loses_start).map(|before| (before, c)));
        }
        pairs
    }
}
