//! In which form does a key read the text?
//!
//! Spellings that count as one are made one in the text as in the key. JavaScript reads a text as units of 16 bits where
//! there is no flag `u`, and a character beyond them is two; here its halves are written as characters of their own, from
//! a range that no text has then: whoever would write them there is written as halves too.

use std::borrow::Cow;

use crate::lore::fold::Folding;

/// The first of the characters that stand for halves, and the first half.
const HALVES: u32 = 0x10_F800;
const FIRST_HALF: u32 = 0xD800;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in crate::lore) struct Form {
    pub(in crate::lore) folding: Folding,
    /// Characters beyond 16 bits are two.
    pub(super) halves: bool,
    /// The long s and the sign of the kelvin are letters of ASCII, which count as parts of words.
    pub(super) ascii_letters: bool,
}

impl Form {
    pub(in crate::lore) fn folded(folding: Folding) -> Self {
        Self { folding, ..Self::default() }
    }

    pub(in crate::lore) fn spell(self, text: &str) -> Cow<'_, str> {
        let folded = match self.folding == Folding::default() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(self.folding.fold(text)),
        };
        let is_changed = |char: char| {
            (self.halves && char > '\u{FFFF}') || (self.ascii_letters && matches!(char, 'ſ' | '\u{212A}'))
        };
        if !folded.contains(is_changed) {
            return folded;
        }
        let mut spelled = String::with_capacity(folded.len() + 16);
        for char in folded.chars() {
            match char {
                _ if self.halves && char > '\u{FFFF}' => spelled.extend(halves(char)),
                'ſ' if self.ascii_letters => spelled.push('s'),
                '\u{212A}' if self.ascii_letters => spelled.push('k'),
                _ => spelled.push(char),
            }
        }
        Cow::Owned(spelled)
    }
}

/// The character that stands for half a character.
pub(super) fn half(unit: u32) -> Option<char> {
    char::from_u32(HALVES + unit.checked_sub(FIRST_HALF)?)
}

/// The half that a character stands for.
pub(super) fn unit(char: char) -> Option<u16> {
    u16::try_from(u32::from(char).checked_sub(HALVES)? + FIRST_HALF).ok()
}

fn halves(char: char) -> impl Iterator<Item = char> {
    char.encode_utf16(&mut [0; 2]).to_vec().into_iter().filter_map(|unit| half(unit.into()))
}
