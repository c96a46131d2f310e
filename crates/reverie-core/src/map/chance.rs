//! Numbers that look random and are the same each time.

/// Spreads a number: neighbours become strangers.
pub(super) fn spread(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A draw after another, from one beginning.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(beginning: u64) -> Self {
        Self(beginning)
    }

    /// From 0 up to 1.
    pub(super) fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(1);
        (spread(self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
}
