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

/// Where the entries of each 16 first characters start; then the entries, sorted: first, second. The second
/// counts from `FIRST` and has the highest bit set if the pair is torn.
static TABLE: &[u8] = include_bytes!("bonds.bin");
const FIRST: u32 = 0x3000;
const END: u32 = 0xa000;
const BUCKETS: usize = ((END - FIRST) >> 4) as usize;
const TORN: u32 = 0x8000;

/// Is this one of the letters whose bonds the table knows?
pub(super) fn has_bonds(c: char) -> bool {
    (FIRST..END).contains(&u32::from(c))
}

pub(super) fn bond(first: char, second: char) -> Bond {
    look_up(u32::from(first), u32::from(second)).unwrap_or(Bond::None)
}

fn look_up(first: u32, second: u32) -> Option<Bond> {
    let bucket = (first.checked_sub(FIRST)? >> 4) as usize;
    let entries = u16_at(TABLE, bucket)?..u16_at(TABLE, bucket + 1)?;
    for entry in entries {
        let at = BUCKETS + 1 + usize::from(entry) * 2;
        let known = u32::from(u16_at(TABLE, at + 1)?);
        if u32::from(u16_at(TABLE, at)?) == first && (known & !TORN) + FIRST == second {
            return Some(if known & TORN == 0 { Bond::Token } else { Bond::Torn });
        }
    }
    None
}
