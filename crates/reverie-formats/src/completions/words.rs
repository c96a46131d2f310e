//! When do two texts say the same?
//!
//! Clients trim, join and reformat what they were given, and take out markup that only they show. Two texts are the same if
//! they are so without white space, in one Unicode form, and where necessary without markup or the name before the words.

use std::borrow::Cow;

use reverie_core::text::{REPLACEMENT, is_illegal_in_xml};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::dialogue::By;
use super::names;

/// Who says less than this says what everybody says: "ok", "继续". Chinese and Japanese characters count twice.
const TELLING: usize = 8;
/// What tells a model how to answer is longer than what somebody says to everybody. Counted in the same way.
const INSTRUCTIVE: usize = 16;

/// What stands where a text was cut off.
const CUT: &[&str] = &["[…]", "[...]", "(…)", "(...)", "…", "..."];
/// What a program writes in brackets is seldom anybody's words.
const BRACKETS: &[(char, char)] = &[('[', ']'), ('【', '】'), ('［', '］'), ('<', '>')];
/// So much longer is a text that was put away to save room than what stands instead of it, and so long at least.
const FAR_SHORTER: usize = 4;
const WORTH_SAVING: usize = 80;
/// Shorter words are in every text.
const WORD: usize = 4;

/// A text, ready to be compared with others.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    pub(super) by: By,
    name: Option<&'a str>,
    text: &'a str,
    /// Without any white space.
    pub(super) flat: String,
    /// Without markup, if it has some and says something else besides.
    plain: Option<String>,
    /// What may be a name before the words, and where these begin in the flat text.
    prefixed: Option<(&'a str, usize)>,
    /// Characters.
    pub(super) size: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(by: By, name: Option<&'a str>, text: &'a str) -> Self {
        let flat = flat(text);
        let plain = without_markup(text).map(|plain| self::flat(&plain)).filter(|plain| !plain.is_empty());
        let prefixed = names::prefix(text).map(|(name, _)| (name, flat.find([':', '：'])));
        let prefixed = prefixed.and_then(|(name, at)| {
            let colon = flat.get(at?..)?.chars().next()?;
            Some((name, at? + colon.len_utf8()))
        });
        let size = flat.chars().count();
        Self { by, name, text, flat, plain, prefixed, size }
    }

    pub(super) fn is_same(&self, other: &Words<'_>) -> bool {
        self.by == other.by
            && (self.flat == other.flat
                || self.plain() == other.plain()
                || self.is_named(other)
                || other.is_named(self))
    }

    /// True if it is the other with the name of who said it before the words.
    fn is_named(&self, other: &Words<'_>) -> bool {
        let Some((name, begin)) = self.prefixed else { return false };
        self.flat.get(begin..) == Some(other.flat.as_str())
            && [self.name, other.name].into_iter().flatten().any(|known| known == name)
    }

    /// True if one of them goes on where the other ends.
    pub(super) fn is_extended(&self, other: &Words<'_>) -> bool {
        let (long, short) = longer_first((&self.flat, self.size), (&other.flat, other.size));
        self.by == other.by && !short.is_empty() && long.starts_with(short.as_str())
    }

    /// True if one of them is some whole lines of the other: a client has joined something to it, or taken it away again.
    pub(super) fn is_near(&self, other: &Words<'_>) -> bool {
        let (mine, theirs) = (lined(self.text), lined(other.text));
        let (long, short) = longer_first((&mine, self.size), (&theirs, other.size));
        let begins = |at: usize| at == 0 || long.as_bytes().get(at - 1) == Some(&b'\n');
        let mut places = long.match_indices(short.as_str());
        self.by == other.by && !short.is_empty() && places.any(|(at, _)| begins(at))
    }

    /// True if it is the other with a few characters changed: a slip that was put right.
    pub(super) fn is_reworded(&self, other: &Words<'_>) -> bool {
        let same = |one: &mut dyn Iterator<Item = char>, two: &mut dyn Iterator<Item = char>| {
            one.zip(two).take_while(|(one, two)| one == two).count()
        };
        let (short, long) = (self.size.min(other.size), self.size.max(other.size));
        let before = same(&mut self.flat.chars(), &mut other.flat.chars());
        let behind = same(&mut self.flat.chars().rev(), &mut other.flat.chars().rev());
        self.by == other.by && (before + behind).min(short) * 3 >= long * 2
    }

    /// True if it is the beginning of the other, and enough of it to be no chance.
    pub(super) fn is_cut_from(&self, other: &Words<'_>) -> bool {
        let kept = without_cut(&self.flat);
        let is_enough = letters(kept) >= TELLING || (self.is_marked_as_cut() && !kept.is_empty());
        is_enough && kept.len() < other.flat.len() && other.flat.starts_with(kept)
    }

    pub(super) fn is_marked_as_cut(&self) -> bool {
        without_cut(&self.flat).len() < self.flat.len()
    }

    /// True if it looks like what a program puts where the other was: in brackets, or much shorter and about nothing of it.
    pub(super) fn is_put_instead_of(&self, other: &Words<'_>) -> bool {
        if is_bracketed(&self.flat) && !is_bracketed(&other.flat) {
            return true;
        }
        let is_far_shorter = letters(&self.flat) * FAR_SHORTER <= letters(&other.flat);
        is_far_shorter && letters(&other.flat) >= WORTH_SAVING && !shares_a_word(self.text, &other.flat)
    }

    /// True if a blank line stands behind one of these beginnings of it.
    pub(super) fn is_parted_behind(&self, beginnings: &[String]) -> bool {
        let mut before = String::new();
        self.text.lines().any(|line| {
            squeeze(&composed(line), &mut before);
            line.trim().is_empty() && beginnings.contains(&before)
        })
    }

    /// True if it is more than a few words that everybody says.
    pub(super) fn is_telling(&self) -> bool {
        letters(&self.flat) >= TELLING
    }

    /// True if it is long enough to tell a model how to answer.
    pub(super) fn is_instructive(&self) -> bool {
        letters(&self.flat) >= INSTRUCTIVE
    }

    pub(super) fn is_same_name(&self, other: &Words<'_>) -> bool {
        self.name.is_some() && self.name == other.name
    }

    fn plain(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.flat)
    }
}

/// True if a text is more than a few words that everybody says.
pub fn is_telling(text: &str) -> bool {
    letters(&flat(text)) >= TELLING
}

/// How much is said in it.
fn letters(flat: &str) -> usize {
    flat.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_of_the_east(c) { 2 } else { 1 }).sum()
}

fn is_of_the_east(c: char) -> bool {
    c >= '\u{2E80}'
}

fn without_cut(flat: &str) -> &str {
    CUT.iter().find_map(|mark| flat.strip_suffix(mark)).unwrap_or(flat)
}

fn is_bracketed(flat: &str) -> bool {
    BRACKETS.iter().any(|(open, close)| flat.starts_with(*open) && flat.ends_with(*close))
}

/// Whether a word of the text, or two characters of one where words are not spaced, are in the other.
fn shares_a_word(text: &str, flat: &str) -> bool {
    let flat = flat.to_lowercase();
    let text = composed(text).to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let is_in_it = |word: &str| {
        let characters: Vec<char> = word.chars().collect();
        let has_two = |two: &[char]| {
            two.iter().all(|c| is_of_the_east(*c)) && flat.contains(&two.iter().collect::<String>())
        };
        (characters.len() >= WORD && flat.contains(word)) || characters.windows(2).any(has_two)
    };
    words.filter(|word| !word.is_empty()).any(is_in_it)
}

fn longer_first<'t>(one: (&'t String, usize), other: (&'t String, usize)) -> (&'t String, &'t String) {
    if one.1 >= other.1 { (one.0, other.0) } else { (other.0, one.0) }
}

/// Each line without white space and with a break behind it; empty ones are dropped.
pub(super) fn lined(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in composed(text).lines() {
        let before = out.len();
        squeeze(line, &mut out);
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

fn flat(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    squeeze(&composed(text), &mut out);
    out
}

fn squeeze(text: &str, out: &mut String) {
    let says_something = |c: &char| !c.is_whitespace() && !matches!(c, '\u{200B}' | '\u{FEFF}');
    let as_recorded = |c: char| if is_illegal_in_xml(c) { REPLACEMENT } else { c };
    out.extend(text.chars().filter(says_something).map(as_recorded));
}

/// In one Unicode form. Most texts are in it, and have only characters of which that is known at a glance.
fn composed(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\0'..='\u{2FF}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3020}' | '\u{3400}'..='\u{9FFF}' | '\u{FF00}'..='\u{FF60}');
    match text.chars().all(is_plain) || is_nfc(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect()),
    }
}

/// So many openings that are never closed end the search: each of them costs a look at all that follows.
const MOST_UNCLOSED: usize = 32;

/// The text without `<tag>…</tag>`, comments, fenced blocks and pictures; None if it has none.
fn without_markup(text: &str) -> Option<String> {
    if !text.contains(['<', '`', '!']) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut removed = false;
    let mut unclosed = 0;
    while let Some(at) = rest.find(['<', '`', '!']).filter(|_| unclosed < MOST_UNCLOSED) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match markup(from) {
            Markup::Closed(length) => {
                removed = true;
                rest = from.get(length..).unwrap_or_default();
            }
            Markup::Tag(length) => {
                removed = true;
                unclosed += 1;
                rest = from.get(length..).unwrap_or_default();
            }
            other => {
                unclosed += usize::from(other == Markup::Unclosed);
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

#[derive(PartialEq, Eq)]
enum Markup {
    /// So long.
    Closed(usize),
    /// A tag of this length that nothing closes.
    Tag(usize),
    /// An opening that is never closed is a part of the words.
    Unclosed,
    None,
}

/// The markup that begins here.
fn markup(text: &str) -> Markup {
    let to = |end: &str, from: usize| Some(from + text.get(from..)?.find(end)? + end.len());
    let closed = |end: Option<usize>| end.map_or(Markup::Unclosed, Markup::Closed);
    if text.starts_with("```") {
        return closed(to("```", 3));
    }
    if text.starts_with("<!--") {
        return closed(to("-->", 4));
    }
    if text.starts_with("![") {
        return closed(to("](", 2).and_then(|label| to(")", label)));
    }
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let inner = text.strip_prefix('<').unwrap_or_default();
    let name: &str = inner.split(|c| !is_of_name(c)).next().unwrap_or_default();
    if name.is_empty() {
        return Markup::None;
    }
    let Some(opened) = to(">", 1) else { return Markup::Unclosed };
    to(&format!("</{name}>"), opened).map_or(Markup::Tag(opened), Markup::Closed)
}
