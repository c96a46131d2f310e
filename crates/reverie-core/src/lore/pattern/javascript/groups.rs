//! Which groups has a pattern, and what does one mean?
//!
//! Groups that remember, groups that look around and references back are all kept as named groups of Rust's syntax. The
//! name is a word that says what it is, and a number.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_syntax::hir::ClassUnicode;

use super::{Refusal, properties, wrong};
use crate::lore::pattern::letters::has;

/// More groups than any author has; each takes room in every search.
const MOST: usize = 1000;

/// Looks around without moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lore::pattern) struct Around {
    pub(in crate::lore::pattern) behind: bool,
    /// It must be there; else it must not.
    pub(in crate::lore::pattern) wanted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lore::pattern) enum Meaning {
    /// Remembers what it matched, under this number.
    Remembers(u32),
    Looks(Around),
    /// Stands for what that group matched.
    Refers(u32),
}

impl Meaning {
    /// No two groups have the same, so that nobody takes one for the other.
    pub(super) fn name(self, number: usize) -> String {
        match self {
            Self::Remembers(group) => format!("g_{group}"),
            Self::Refers(group) => format!("r_{group}_{number}"),
            Self::Looks(around) => {
                let not = if around.wanted { "" } else { "not" };
                let place = if around.behind { "behind" } else { "ahead" };
                format!("{not}{place}_{number}")
            }
        }
    }
}

/// What the name of a group says.
pub(in crate::lore::pattern) fn meaning(name: &str) -> Option<Meaning> {
    let around = |behind, wanted| Some(Meaning::Looks(Around { behind, wanted }));
    let mut parts = name.split('_');
    let (kind, number) = (parts.next()?, parts.next()?.parse().ok()?);
    match kind {
        "g" => Some(Meaning::Remembers(number)),
        "r" => Some(Meaning::Refers(number)),
        "ahead" => around(false, true),
        "notahead" => around(false, false),
        "behind" => around(true, true),
        "notbehind" => around(true, false),
        _ => None,
    }
}

/// The groups of a pattern that remember. What is referred to may come later, so they are counted first.
pub(super) struct Groups {
    count: usize,
    named: HashMap<String, usize>,
}

impl Groups {
    pub(super) fn written_in(units: &[u32]) -> Result<Self, Refusal> {
        let mut groups = Self { count: 0, named: HashMap::new() };
        let is = |at: usize, char: char| units.get(at) == Some(&u32::from(char));
        let (mut at, mut in_class) = (0, false);
        while at < units.len() {
            match units.get(at).copied().and_then(char::from_u32) {
                Some('\\') => at += 1,
                Some('[') => in_class = true,
                Some(']') => in_class = false,
                Some('(') if !in_class => {
                    let is_named = is(at + 1, '?') && is(at + 2, '<') && !is(at + 3, '=') && !is(at + 3, '!');
                    groups.count += usize::from(is_named || !is(at + 1, '?'));
                    if is_named {
                        groups.add(units, at + 3)?;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        match groups.count > MOST {
            true => Err(Refusal::TooMuch(format!("more than {MOST} groups"))),
            false => Ok(groups),
        }
    }

    fn add(&mut self, units: &[u32], at: usize) -> Result<(), Refusal> {
        let Some((name, _)) = name(units, at) else { return wrong("a group whose name is none") };
        match self.named.insert(name, self.count) {
            Some(_) => wrong("two groups have the same name"),
            None => Ok(()),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn have_names(&self) -> bool {
        !self.named.is_empty()
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.named.get(name).copied()
    }
}

/// The name that begins here, and the place behind the bracket that ends it.
pub(super) fn name(units: &[u32], mut at: usize) -> Option<(String, usize)> {
    let mut name = String::new();
    loop {
        let unit = *units.get(at)?;
        if unit == u32::from('>') {
            return (!name.is_empty()).then_some((name, at + 1));
        }
        let (point, end) = match char::from_u32(unit) {
            Some('\\') if units.get(at + 1) == Some(&u32::from('u')) => escaped(units, at + 2)?,
            Some(_) => (unit, at + 1),
            None => (pair(unit, *units.get(at + 1)?)?, at + 2),
        };
        let char = char::from_u32(point)?;
        let fits = match name.is_empty() {
            true => matches!(char, '$' | '_') || may_name("ID_Start", char),
            false => matches!(char, '$' | '\u{200C}' | '\u{200D}') || may_name("ID_Continue", char),
        };
        if !fits {
            return None;
        }
        name.push(char);
        at = end;
    }
}

fn may_name(property: &str, char: char) -> bool {
    static FIRST: OnceLock<Option<ClassUnicode>> = OnceLock::new();
    static NEXT: OnceLock<Option<ClassUnicode>> = OnceLock::new();
    let kept = if property == "ID_Start" { &FIRST } else { &NEXT };
    kept.get_or_init(|| properties::find(property)).as_ref().is_some_and(|set| has(set, char))
}

/// The character that is written behind `\u`, and the place behind it.
pub(super) fn escaped(units: &[u32], at: usize) -> Option<(u32, usize)> {
    if units.get(at) == Some(&u32::from('{')) {
        let length = units.get(at + 1..)?.iter().position(|unit| *unit == u32::from('}'))?;
        let digits = units.get(at + 1..at + 1 + length)?;
        let mut point = None;
        for digit in digits {
            let value = point.unwrap_or(0) * 16 + char::from_u32(*digit)?.to_digit(16)?;
            point = Some(value).filter(|point| *point <= u32::from(char::MAX));
            point?;
        }
        return Some((point?, at + length + 2));
    }
    let first = hex(units, at, 4)?;
    let is_escape = |at: usize| units.get(at..at + 2) == Some(&[u32::from('\\'), u32::from('u')]);
    let second = if is_escape(at + 4) { hex(units, at + 6, 4) } else { None };
    match second.and_then(|second| pair(first, second)) {
        Some(point) => Some((point, at + 10)),
        None => Some((first, at + 4)),
    }
}

/// So many digits.
pub(super) fn hex(units: &[u32], at: usize, digits: usize) -> Option<u32> {
    units
        .get(at..at + digits)?
        .iter()
        .try_fold(0, |point, digit| Some(point * 16 + char::from_u32(*digit)?.to_digit(16)?))
}

/// The character of two halves.
fn pair(first: u32, second: u32) -> Option<u32> {
    let halves = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    match char::decode_utf16(halves).next()? {
        Ok(char) if u32::from(char) > 0xFFFF => Some(char.into()),
        _ => None,
    }
}
