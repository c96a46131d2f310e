//! Which texts must be there for a pattern to match at all?
//!
//! `/gold(?!en)|silver (?:coin|bar)s?/` needs `gold` or `silver `. Such texts are looked for together with all plain
//! keys, and the pattern is tried only where one was found: a book of a thousand patterns costs what is said.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::form::{self, Form};
use super::javascript::{Meaning, meaning};
use crate::lore::fold::Folding;

/// More alternatives than this are not worth it.
const MOST: usize = 64;
/// A class of more characters is never one letter in its cases.
const MOST_CASES: usize = 8;
const SECOND_HALVES: u16 = 0xDC00;

/// Texts of which one is in everything that it matches, folded if case does not count; none: nothing is known.
pub(super) fn of(pattern: &Hir, ignores_case: bool, form: Form) -> Vec<String> {
    Needs { folding: Folding { case: ignores_case, ..Folding::default() }, halves: form.halves }.of(pattern)
}

struct Needs {
    folding: Folding,
    halves: bool,
}

/// What stands one behind the other.
#[derive(Default)]
struct Row {
    best: Vec<String>,
    /// Characters that follow each other.
    run: String,
    /// The first half of a character.
    half: Option<u16>,
}

impl Needs {
    fn of(&self, pattern: &Hir) -> Vec<String> {
        match pattern.kind() {
            HirKind::Capture(capture) => self.of_group(capture),
            HirKind::Alternation(list) => self.of_alternatives(list),
            _ => {
                let mut row = Row::default();
                self.read(pattern, &mut row);
                row.end_run();
                row.best
            }
        }
    }

    fn of_group(&self, capture: &Capture) -> Vec<String> {
        match capture.name.as_deref().and_then(meaning) {
            // What is seen ahead or behind is in the same text.
            Some(Meaning::Looks(around)) if around.wanted => self.of(&capture.sub),
            Some(Meaning::Looks(_) | Meaning::Refers(_)) => Vec::new(),
            Some(Meaning::Remembers(_)) | None => self.of(&capture.sub),
        }
    }

    fn of_alternatives(&self, list: &[Hir]) -> Vec<String> {
        let mut all = Vec::new();
        for alternative in list {
            let needs = self.of(alternative);
            if needs.is_empty() || all.len() + needs.len() > MOST {
                return Vec::new();
            }
            all.extend(needs);
        }
        all
    }

    fn read(&self, pattern: &Hir, row: &mut Row) {
        match pattern.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Concat(list) => list.iter().for_each(|part| self.read(part, row)),
            HirKind::Literal(literal) => {
                let chars = std::str::from_utf8(&literal.0).unwrap_or_default().chars();
                chars.for_each(|char| self.push(char, row));
            }
            HirKind::Class(Class::Unicode(set)) => match self.letter(set) {
                Some(char) => self.push(char, row),
                None => row.end_run(),
            },
            // The first of many.
            HirKind::Repetition(repeated) if repeated.min > 0 => {
                match repeated.sub.kind() {
                    HirKind::Literal(_) | HirKind::Class(_) => self.read(&repeated.sub, row),
                    _ => row.offer(self.of(&repeated.sub)),
                }
                row.end_run();
            }
            HirKind::Capture(_) | HirKind::Alternation(_) => {
                row.end_run();
                row.offer(self.of(pattern));
            }
            HirKind::Repetition(_) | HirKind::Class(Class::Bytes(_)) => row.end_run(),
        }
    }

    fn push(&self, char: char, row: &mut Row) {
        let unit = if self.halves { form::unit(char) } else { None };
        let Some(unit) = unit else {
            // Half a character is no text, and what is between two messages is in none.
            if row.half.is_some() || char.is_control() {
                row.end_run();
            }
            if !char.is_control() {
                row.run.push_str(&self.spelled(char));
            }
            return;
        };
        let first = row.half.take();
        match first.and_then(|first| char::decode_utf16([first, unit]).next()?.ok()) {
            Some(whole) => row.run.push_str(&self.spelled(whole)),
            None => {
                let is_first = unit < SECOND_HALVES;
                if first.is_some() || !is_first {
                    row.end_run();
                }
                row.half = is_first.then_some(unit);
            }
        }
    }

    /// One of a set that is a letter in its cases.
    fn letter(&self, set: &ClassUnicode) -> Option<char> {
        let first = set.ranges().first()?.start();
        if set.ranges().iter().map(ClassUnicodeRange::len).sum::<usize>() > MOST_CASES {
            return None;
        }
        let spelled = self.spelled(first);
        let mut all = set.iter().flat_map(|range| range.start()..=range.end());
        all.all(|char| self.spelled(char) == spelled).then_some(first)
    }

    fn spelled(&self, char: char) -> String {
        self.folding.fold(char.encode_utf8(&mut [0; 4]))
    }
}

impl Row {
    fn end_run(&mut self) {
        self.half = None;
        let run = std::mem::take(&mut self.run);
        if !run.is_empty() {
            self.offer(vec![run]);
        }
    }

    /// The longer the shortest text, the seldomer it is found.
    fn offer(&mut self, texts: Vec<String>) {
        let shortest = |texts: &[String]| texts.iter().map(String::len).min().unwrap_or(0);
        if shortest(&texts) > shortest(&self.best) {
            self.best = texts;
        }
    }
}
