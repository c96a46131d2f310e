//! How are vectors added so that the order, the machine and the compiler make no difference?

use crate::format::{DIMENSIONS, ZERO};
use crate::spelled::Spelled;
use crate::table::Row;

/// A sum of vectors, in whole numbers.
pub(crate) struct Sum {
    /// Since the last carry.
    recent: [i32; DIMENSIONS],
    total: [i64; DIMENSIONS],
    count: u32,
}

/// So many of the largest values fit into 32 bits.
const CARRY_AFTER: u32 = 4096;

impl Sum {
    pub(crate) fn new() -> Self {
        Self { recent: [0; DIMENSIONS], total: [0; DIMENSIONS], count: 0 }
    }

    pub(crate) fn add(&mut self, row: &Row<'_>) {
        let (low, high) = self.recent.split_at_mut(DIMENSIONS / 2);
        for ((low, high), halves) in low.iter_mut().zip(high).zip(row.halves) {
            *low += (i32::from(halves & 15) - ZERO) * row.scale;
            *high += (i32::from(halves >> 4) - ZERO) * row.scale;
        }
        self.counted();
    }

    pub(crate) fn add_spelled(&mut self, spelled: Spelled, scale: i32) {
        let mut values = spelled;
        for sixteen in self.recent.chunks_exact_mut(16) {
            let mut bits = values.next_bits();
            for place in sixteen {
                *place += ((bits & 15) as i32 * 2 - 15) * scale;
                bits >>= 4;
            }
        }
        self.counted();
    }

    /// True if nothing was added, or all of it cancelled out.
    pub(crate) fn is_nothing(&self) -> bool {
        self.recent.iter().all(|value| *value == 0) && self.total.iter().all(|value| *value == 0)
    }

    /// The direction of the sum, of length 1. Squares are added in order; a root and a division are rounded alike everywhere.
    pub(crate) fn direction(&mut self) -> Vec<f32> {
        self.carry();
        let squares = self.total.iter().fold(0.0f64, |sum, value| sum + (*value as f64) * (*value as f64));
        let length = squares.sqrt();
        self.total.iter().map(|value| (*value as f64 / length) as f32).collect()
    }

    pub(crate) fn clear(&mut self) {
        self.recent.fill(0);
        self.total.fill(0);
        self.count = 0;
    }

    fn counted(&mut self) {
        self.count += 1;
        if self.count == CARRY_AFTER {
            self.carry();
        }
    }

    fn carry(&mut self) {
        for (total, recent) in self.total.iter_mut().zip(&mut self.recent) {
            *total += i64::from(*recent);
            *recent = 0;
        }
        self.count = 0;
    }
}
