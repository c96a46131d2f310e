//! Where does something stand that the table does not know? Where its spelling puts it.

use crate::format::{HASH_BEGIN, hash};

/// Endless bits that depend on a spelling alone.
pub(crate) struct Spelled {
    state: u64,
}

impl Spelled {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let low = bytes.iter().fold(HASH_BEGIN, |state, byte| hash(state, *byte));
        let high = bytes.iter().rev().fold(HASH_BEGIN, |state, byte| hash(state, *byte));
        Self { state: u64::from(low) | u64::from(high) << 32 }
    }

    /// SplitMix64.
    pub(crate) fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
