//! When do two texts say the same?
//!
//! Clients trim, join and reformat what they were given, and take out markup that only they show. Two texts are the same if
//! they are so without white space, in one Unicode form, and where necessary without markup or the name before the words.

use reverie_core::text::is_illegal_in_xml;
use unicode_normalization::UnicodeNormalization;

use super::dialogue::By;
use super::names;

/// A text, ready to be compared with others.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub(super) by: By,
    name: Option<String>,
    /// Each line that says something, and a break behind it.
    lined: String,
    /// Without any white space.
    pub(super) flat: String,
    /// Without markup, if it has some and says something else besides.
    plain: Option<String>,
    /// What may be a name before the words, and the words.
    prefixed: Option<(String, String)>,
    /// Characters.
    pub(super) size: usize,
}

impl Words {
    pub(super) fn new(by: By, name: Option<&str>, text: &str) -> Self {
        let lined = lined(text);
        let flat = joined(&lined);
        let plain = without_markup(text).map(|plain| squeeze(&plain)).filter(|plain| !plain.is_empty());
        let prefixed = names::prefix(text).map(|(name, words)| (name.to_owned(), squeeze(words)));
        let size = flat.chars().count();
        Self { by, name: name.map(str::to_owned), lined, flat, plain, prefixed, size }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.by == other.by
            && (self.flat == other.flat
                || self.plain() == other.plain()
                || self.is_named(other)
                || other.is_named(self))
    }

    /// True if it is the other with the name of who said it before the words.
    fn is_named(&self, other: &Self) -> bool {
        let Some((name, words)) = &self.prefixed else { return false };
        *words == other.flat && [&self.name, &other.name].into_iter().flatten().any(|known| known == name)
    }

    /// True if one of them goes on where the other ends.
    pub(super) fn is_extended(&self, other: &Self) -> bool {
        let (long, short) = if self.size >= other.size { (self, other) } else { (other, self) };
        self.by == other.by && !short.flat.is_empty() && long.flat.starts_with(&short.flat)
    }

    /// True if one of them is some whole lines of the other: a client has joined something to it, or taken it away again.
    pub(super) fn is_near(&self, other: &Self) -> bool {
        let (long, short) = if self.size >= other.size { (self, other) } else { (other, self) };
        let begins = |at: usize| at == 0 || long.lined.as_bytes().get(at - 1) == Some(&b'\n');
        let mut places = long.lined.match_indices(short.lined.as_str());
        self.by == other.by && !short.flat.is_empty() && places.any(|(at, _)| begins(at))
    }

    pub(super) fn is_same_name(&self, other: &Self) -> bool {
        self.name.is_some() && self.name == other.name
    }

    fn plain(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.flat)
    }
}

/// Each line without white space and with a break behind it; empty ones are dropped.
pub(super) fn lined(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.nfc().collect::<String>().lines() {
        let before = out.len();
        out.extend(line.chars().filter(|c| says_something(*c)).map(as_recorded));
        if out.len() > before {
            out.push('\n');
        }
    }
    out
}

/// Lines without the breaks between them.
pub(super) fn joined(lined: &str) -> String {
    lined.chars().filter(|c| *c != '\n').collect()
}

fn squeeze(text: &str) -> String {
    joined(&lined(text))
}

fn says_something(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '\u{200B}' | '\u{FEFF}')
}

fn as_recorded(c: char) -> char {
    if is_illegal_in_xml(c) { reverie_core::text::REPLACEMENT } else { c }
}

/// The text without `<tag>…</tag>`, comments, fenced blocks and pictures; None if it has none.
fn without_markup(text: &str) -> Option<String> {
    if !text.contains(['<', '`', '!']) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut removed = false;
    while let Some(at) = rest.find(['<', '`', '!']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match length_of_markup(from).filter(|length| *length > 0) {
            Some(length) => {
                removed = true;
                rest = from.get(length..).unwrap_or_default();
            }
            None => {
                let first = from.chars().next().map_or(0, char::len_utf8);
                let (kept, behind) = from.split_at(first);
                out.push_str(kept);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    removed.then_some(out)
}

/// How far the markup reaches that begins here; an opening that is never closed is no markup.
fn length_of_markup(text: &str) -> Option<usize> {
    let to = |end: &str, from: usize| Some(from + text.get(from..)?.find(end)? + end.len());
    if text.starts_with("```") {
        return to("```", 3);
    }
    if text.starts_with("<!--") {
        return to("-->", 4);
    }
    if text.starts_with("![") {
        let label = to("](", 2)?;
        return to(")", label);
    }
    let inner = text.strip_prefix('<')?;
    let name_end = inner.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))?;
    let name = inner.get(..name_end).filter(|name| !name.is_empty())?;
    let opened = to(">", 1)?;
    match to(&format!("</{name}>"), opened) {
        Some(closed) => Some(closed),
        None => Some(opened),
    }
}
