//! What does a character of a pattern match that stands for itself?
//!
//! Where spellings count as one, a letter and the marks behind it are one character, as they are in the text.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir};

use super::Reader;
use crate::lore::pattern::form;
use crate::lore::pattern::letters::Letters;

impl Reader<'_> {
    /// The last of what it adds is what may be repeated.
    pub(super) fn literal(&mut self, point: u32, terms: &mut Vec<Hir>) {
        match self.respelled(point) {
            Some(spelled) if self.flags.unicode => {
                terms.extend(spelled.chars().map(|char| self.one(u32::from(char))));
            }
            Some(spelled) => {
                terms.extend(spelled.encode_utf16().map(|unit| self.one(unit.into())));
            }
            None => terms.push(self.one(point)),
        }
    }

    /// How a character with its marks is spelled in the text, if that is not as it stands there; reads the marks.
    pub(super) fn respelled(&mut self, point: u32) -> Option<String> {
        if !self.folding.joins_characters() {
            return None;
        }
        let from = self.at;
        let first = self.whole(point)?;
        let mut written = String::from(first);
        let mut before = first;
        while let Some(mark) = self.mark(before) {
            written.push(mark);
            before = mark;
        }
        let spelled = self.folding.fold(&written);
        if spelled == written {
            self.at = from;
            return None;
        }
        Some(spelled)
    }

    /// The character whose first unit was just read.
    fn whole(&mut self, point: u32) -> Option<char> {
        if let Some(char) = char::from_u32(point) {
            return Some(char);
        }
        let first = u16::try_from(point).ok()?;
        let second = u16::try_from(*self.units.get(self.at)?).ok()?;
        let char = char::decode_utf16([first, second]).next()?.ok()?;
        self.at += 1;
        Some(char)
    }

    /// A mark upon the character before it, written out or as an escape.
    fn mark(&mut self, before: char) -> Option<char> {
        let from = self.at;
        let mut point = self.next();
        if point == Some(u32::from('\\')) {
            point = if self.eat('u') { self.hex(4) } else { None };
        }
        let mark = point.and_then(char::from_u32).filter(|char| self.folding.is_mark(before, *char));
        if mark.is_none() {
            self.at = from;
        }
        mark
    }

    /// A single unit or character, in either case where that does not count.
    fn one(&self, point: u32) -> Hir {
        let Some(char) = self.char(point) else { return Hir::fail() };
        let alike = match self.flags.ignore_case {
            true => Letters::of(self.flags.unicode).like(char),
            false => &[],
        };
        if alike.is_empty() {
            return Hir::literal(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        let ranges = alike.iter().map(|char| ClassUnicodeRange::new(*char, *char));
        Hir::class(Class::Unicode(ClassUnicode::new(ranges)))
    }

    /// None: half a character where texts have none.
    pub(super) fn char(&self, point: u32) -> Option<char> {
        let half = || if self.flags.unicode { None } else { form::half(point) };
        char::from_u32(point).or_else(half)
    }
}
