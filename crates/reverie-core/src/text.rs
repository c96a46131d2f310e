//! Which characters may enter the log, and what replaces the others?
//!
//! Hosts put our text into XML saves, so what XML 1.0 cannot carry never gets in.

use std::borrow::Cow;

/// Stands for every character that cannot be kept.
pub const REPLACEMENT: char = '\u{FFFD}';

/// True for characters that no XML 1.0 document can hold, not even escaped.
pub fn is_illegal_in_xml(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// The text with illegal characters replaced, and how many there were.
pub fn clean(text: &str) -> (Cow<'_, str>, usize) {
    let illegal = text.chars().filter(|c| is_illegal_in_xml(*c)).count();
    if illegal == 0 {
        return (Cow::Borrowed(text), 0);
    }
    let cleaned = text.chars().map(|c| if is_illegal_in_xml(c) { REPLACEMENT } else { c }).collect();
    (Cow::Owned(cleaned), illegal)
}

/// Replaces illegal characters where they stand; how many there were.
pub fn clean_in_place(text: &mut String) -> usize {
    let (cleaned, count) = clean(text);
    if count > 0 {
        *text = cleaned.into_owned();
    }
    count
}
