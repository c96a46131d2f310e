//! What does the encoding see in a character, and what does the character cost on its own?

use super::joiners::symbol_of;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// ASCII or a joiner: counted by `merges` under this symbol.
    Known(Class, u16),
    /// Any other character of the table.
    Wide(Wide),
}

/// How the encoding's splitting rules read a known character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Upper,
    Lower,
    Digit,
    Blank,
    Newline,
    Mark,
}

impl Class {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower)
    }

    pub(super) fn is_whitespace(self) -> bool {
        matches!(self, Self::Blank | Self::Newline)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide {
    pub(super) role: Role,
    /// Tokens of the character on its own: one to four.
    pub(super) cost: usize,
    /// A space in front tears the character: one token more.
    pub(super) torn_by_space: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Letter,
    Mark,
    /// A number, a combining mark, or a script that the table does not know: where pieces begin and end
    /// around it is left open, so known characters that touch it cost a token each.
    Unclear,
}

/// Two levels: a block number (a byte) for each 256 characters, then blocks of 256 nibbles.
static TABLE: &[u8] = include_bytes!("chars.bin");
const BLOCK_SHIFT: u32 = 8;
const BLOCK_NIBBLES: usize = 1 << BLOCK_SHIFT;
/// Emoji are the last that the table knows.
const TABLE_END: u32 = 0x1fb00;
const INDEX_BYTES: usize = (TABLE_END >> BLOCK_SHIFT) as usize;

pub(super) fn kind_of(c: char) -> Kind {
    match symbol_of(c) {
        Some(symbol) => Kind::Known(class_of(c), symbol),
        None => Kind::Wide(wide(c)),
    }
}

fn class_of(c: char) -> Class {
    match c {
        'A'..='Z' => Class::Upper,
        'a'..='z' => Class::Lower,
        '0'..='9' => Class::Digit,
        '\r' | '\n' => Class::Newline,
        // What Unicode calls whitespace; `char::is_ascii_whitespace` leaves out the vertical tab.
        '\t' | '\x0b' | '\x0c' | ' ' | '\u{3000}' => Class::Blank,
        _ => Class::Mark,
    }
}

fn wide(c: char) -> Wide {
    let unknown = Wide { role: Role::Unclear, cost: c.len_utf8(), torn_by_space: false };
    let (role, cost, torn_by_space) = match nibble(u32::from(c)) {
        Some(code @ 1..=3) => (Role::Letter, code, false),
        Some(4) => (Role::Letter, 1, true),
        Some(code @ 5..=7) => (Role::Mark, code - 4, false),
        Some(8) => (Role::Mark, 1, true),
        Some(code @ 9..=11) => (Role::Unclear, code - 8, false),
        Some(12) => (Role::Unclear, 1, true),
        _ => return unknown,
    };
    Wide { role, cost: usize::from(cost), torn_by_space }
}

fn nibble(code_point: u32) -> Option<u8> {
    if code_point >= TABLE_END {
        return None;
    }
    let block = usize::from(*TABLE.get((code_point >> BLOCK_SHIFT) as usize)?);
    let within = code_point as usize % BLOCK_NIBBLES;
    let byte = *TABLE.get(INDEX_BYTES + (block * BLOCK_NIBBLES + within) / 2)?;
    Some(if within.is_multiple_of(2) { byte & 0x0f } else { byte >> 4 })
}
