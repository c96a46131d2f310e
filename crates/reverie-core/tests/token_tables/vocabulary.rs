//! What does the vocabulary hold, and how does it encode?

use std::collections::HashMap;

pub(crate) const NO_RANK: u32 = u32::MAX;

pub(crate) struct Vocabulary {
    tokens: Vec<Vec<u8>>,
    ranks: HashMap<Vec<u8>, u32>,
}

impl Vocabulary {
    pub(crate) fn load() -> Self {
        let encoding = tiktoken_rs::o200k_base_singleton();
        let is_ordinary = |rank: &u32| *rank < 199_998;
        let ranks = (0..).take_while(is_ordinary);
        let tokens: Vec<_> = ranks.map(|rank| encoding.decode_bytes(&[rank]).unwrap()).collect();
        let ranks = tokens.iter().cloned().zip(0..).collect();
        Self { tokens, ranks }
    }

    pub(crate) fn has(&self, bytes: &[u8]) -> bool {
        self.ranks.contains_key(bytes)
    }

    pub(crate) fn rank(&self, bytes: &[u8]) -> u32 {
        self.ranks.get(bytes).copied().unwrap_or(NO_RANK)
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip(self.tokens.iter().map(Vec::as_slice))
    }

    /// Tokens that are text; the others begin or end inside a character.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (u32, &str)> {
        self.tokens().filter_map(|(rank, token)| Some((rank, std::str::from_utf8(token).ok()?)))
    }

    /// Byte-pair encoding as it is defined, of a single piece.
    pub(crate) fn cost(&self, piece: &str) -> usize {
        let bytes = piece.as_bytes();
        let mut cuts: Vec<usize> = (0..=bytes.len()).collect();
        loop {
            let pairs = cuts.windows(3).enumerate();
            let best = pairs.map(|(at, cut)| (self.rank(&bytes[cut[0]..cut[2]]), at)).min();
            match best {
                Some((rank, at)) if rank != NO_RANK => cuts.remove(at + 1),
                _ => return cuts.len() - 1,
            };
        }
    }
}
