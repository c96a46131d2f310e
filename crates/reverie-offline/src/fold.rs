//! Which spellings of a text are one to the table?
//!
//! Upper and lower case, full and half width, a letter and its marks written as one or apart, traditional, simplified and
//! Japanese characters. It has rules of its own, because a vector must stay where it is: of a character that Unicode has
//! assigned, neither the normal form nor the lower case ever changes, and which characters are one is written in the table.

use unicode_normalization::UnicodeNormalization;

use crate::table::Table;

/// Appends what the text is spelled like.
pub(crate) fn fold_into(table: &Table<'_>, text: &str, folded: &mut String) {
    if text.chars().all(is_plain) {
        return folded.extend(text.chars().map(|c| table.one_form(narrow(c))));
    }
    for c in text.chars().filter(|c| !is_invisible(*c)).map(upon).nfkc() {
        match c {
            // One letter at the end of a Greek word and inside it.
            'ς' | 'Σ' => folded.push('σ'),
            _ => folded.extend(c.to_lowercase().map(|c| table.one_form(c))),
        }
    }
}

/// Most of what is written in Chinese, Japanese and English: one step for each character, whatever its neighbours are.
fn is_plain(c: char) -> bool {
    matches!(c,
        '\0'..='\x7F' | '\u{2010}' | '\u{2012}'..='\u{2016}' | '\u{2018}'..='\u{2023}' | '\u{2026}'
        | '\u{3000}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FE}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF5E}' | '\u{1F300}'..='\u{1F64F}')
}

/// Lower case, and half width, of a plain character.
fn narrow(c: char) -> char {
    match c {
        '\0'..='\x7F' => c.to_ascii_lowercase(),
        '\u{3000}' => ' ',
        // Wide forms stand in the order of ASCII.
        '\u{FF01}'..='\u{FF5E}' => {
            let ascii = (u32::from(c) - 0xFF01 + 0x21) as u8;
            char::from(ascii.to_ascii_lowercase())
        }
        _ => c,
    }
}

/// Says how a character looks or where a line may end, not what is written.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0100}'..='\u{E01EF}')
}

/// A sound mark that was written beside its kana stands upon it.
fn upon(c: char) -> char {
    match c {
        '\u{309B}' => '\u{3099}',
        '\u{309C}' => '\u{309A}',
        _ => c,
    }
}
