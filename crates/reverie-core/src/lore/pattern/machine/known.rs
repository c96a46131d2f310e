//! What came of a step at a place, so that nobody tries it again?

use crate::lore::pattern::program::Program;

/// Bits of what is known about steps and places.
const MOST_KNOWN: usize = 1 << 25;

/// What a step came to at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    Unknown,
    Failed,
    Found,
    /// It is being found out.
    Back,
}

/// Two bits for each fork and place; none where it would not help.
pub(super) struct Known {
    bits: Vec<u64>,
    row: usize,
}

impl Known {
    pub(super) fn new(program: &Program, text: &str, steps: &mut usize) -> Self {
        let row = text.len() + 1;
        let bits = program.forks.saturating_mul(row).saturating_mul(2);
        if !program.is_forgetful || bits > MOST_KNOWN {
            return Self { bits: Vec::new(), row };
        }
        let words = bits / 64 + 1;
        *steps = steps.saturating_sub(words / super::BYTES_OF_A_STEP);
        Self { bits: vec![0; words], row }
    }

    pub(super) fn get(&self, fork: usize, place: usize) -> Came {
        let at = 2 * (fork * self.row + place);
        match self.bits.get(at / 64).map_or(0, |word| word >> (at % 64) & 3) {
            1 => Came::Failed,
            2 => Came::Found,
            3 => Came::Back,
            _ => Came::Unknown,
        }
    }

    pub(super) fn set(&mut self, fork: usize, place: usize, came: Came) {
        let at = 2 * (fork * self.row + place);
        let bits = match came {
            Came::Unknown => 0,
            Came::Failed => 1,
            Came::Found => 2,
            Came::Back => 3,
        };
        if let Some(word) = self.bits.get_mut(at / 64) {
            *word = *word & !(3 << (at % 64)) | bits << (at % 64);
        }
    }

    pub(super) fn is_kept(&self) -> bool {
        !self.bits.is_empty()
    }
}
