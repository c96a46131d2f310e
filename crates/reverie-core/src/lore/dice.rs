//! Where do random draws come from? From a seed, so that a result can be made again.

/// What something random is drawn for. Whoever searches asks for one after another, in this order: pass by pass, first one for
/// every inclusion group that is drawn, then entry by entry its chance and the macros of its content from left to right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Draw {
    /// A member of a group, or an entry's chance.
    Roll,
    /// `{{random}}`, `{{pick}}` or a die of `{{roll}}`, and what it comes to where nobody injects anything: drawn from the
    /// occasion and the seed, for `{{pick}}` from its text and place.
    Macro(f64),
}

/// Draws between 0 and 1 (`splitmix64`): the same seed gives the same draws on every machine.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Seeded by texts that name the occasion.
    pub fn for_occasion(names: &[&str]) -> Self {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in names.iter().flat_map(|name| name.bytes().chain([0xFF])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Self(hash)
    }

    pub fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}
