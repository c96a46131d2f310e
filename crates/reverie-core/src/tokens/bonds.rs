//! Do two neighbouring kana or ideographs stay apart?

use super::u16_at;

/// What the vocabulary knows about two neighbouring letters of one token each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bond {
    None,
    /// Together they are a token: no complete encoding leaves them side by side.
    Token,
    /// A token that ends inside one of the two tears it apart.
    Torn,
}

/// Starts of the entries of 16 first characters each, then the entries, sorted: first, second, torn.
static BONDS: &[u8] = include_bytes!("bonds.bin");
const BONDS_FIRST: u32 = 0x3000;
const BONDS_END: u32 = 0xa000;
const BONDS_INDEX: usize = ((BONDS_END - BONDS_FIRST) >> 4) as usize + 1;
const BOND_WORDS: usize = 3;

/// Letters whose bonds the table knows: kana and ideographs.
pub(super) fn has_bonds(c: char) -> bool {
    (BONDS_FIRST..BONDS_END).contains(&u32::from(c))
}

pub(super) fn bond(first: char, second: char) -> Bond {
    let key = (u32::from(first), u32::from(second));
    let bucket = (key.0.wrapping_sub(BONDS_FIRST) >> 4) as usize;
    let (Some(start), Some(end)) = (u16_at(BONDS, bucket), u16_at(BONDS, bucket + 1)) else {
        return Bond::None;
    };
    for entry in usize::from(start)..usize::from(end) {
        let at = BONDS_INDEX + entry * BOND_WORDS;
        if (u16_at(BONDS, at).map(u32::from), u16_at(BONDS, at + 1).map(u32::from))
            == (Some(key.0), Some(key.1))
        {
            return if u16_at(BONDS, at + 2) == Some(0) { Bond::Token } else { Bond::Torn };
        }
    }
    Bond::None
}
