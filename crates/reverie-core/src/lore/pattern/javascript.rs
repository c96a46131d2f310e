//! What does a pattern of JavaScript say?
//!
//! Read as JavaScript reads it, with what it tolerates for the sake of old pages where there is no flag `u`: a brace or an
//! escape that means nothing stands for itself, and a number behind a backslash is a character where there is no such
//! group. Without `u` the pattern is a row of units of 16 bits, and what is written beyond them is two. What comes out is
//! in the terms of Rust's engines. Looking around and referring back have no place there: they are groups whose names say
//! what they are.

mod class;
mod escape;
mod flags;
mod groups;
mod literal;
mod properties;

use regex_syntax::hir::{Capture, ClassUnicode, Hir, Look, Repetition};

use super::letters::Letters;
use super::program::may_be_nothing;
use super::{Purse, Refusal};
use crate::lore::fold::Folding;
pub(super) use flags::Flags;
use groups::Groups;
pub(super) use groups::{Around, Meaning, meaning};

/// Groups inside each other. Whoever goes through a pattern goes as deep.
const DEEPEST: usize = 250;
/// More often than any text has something: as often as it likes, and never where it must be there so often.
const FAR: u32 = 1 << 16;
/// As often as V8 counts.
const ENDLESS: u32 = i32::MAX as u32;
/// What is looked up in tables, for each tenth of a microsecond.
const LOOKED_UP: usize = 2;

/// A pattern in the terms of Rust's engines.
pub(super) struct Javascript {
    pub(super) pattern: Hir,
    /// It looks around or refers back, which takes an engine that tries again.
    pub(super) backtracks: bool,
    /// It asks where lines begin and end, of which Rust's engines know only one kind.
    pub(super) asks_for_lines: bool,
}

/// Pays from the purse while it reads.
pub(super) fn read(
    source: &str,
    flags: Flags,
    folding: Folding,
    purse: &mut Purse,
) -> Result<Javascript, Refusal> {
    purse.pay_pattern(source.len())?;
    let units: Vec<u32> = match flags.unicode {
        true => source.chars().map(u32::from).collect(),
        false => source.encode_utf16().map(u32::from).collect(),
    };
    let groups = Groups::written_in(&units)?;
    let folding = Folding { case: false, ..folding };
    let mut reader = Reader {
        units: &units,
        at: 0,
        flags,
        folding,
        groups,
        opened: 0,
        specials: 0,
        depth: 0,
        asks_for_lines: false,
        purse,
    };
    let body = reader.disjunction()?;
    if reader.peek().is_some() {
        return wrong("a parenthesis that closes nothing");
    }
    // Sticky: only where the search begins.
    let pattern = if flags.sticky { Hir::concat(vec![Hir::look(Look::Start), body]) } else { body };
    Ok(Javascript { pattern, backtracks: reader.specials > 0, asks_for_lines: reader.asks_for_lines })
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Wrong(why.into()))
}

struct Reader<'a> {
    /// Of 16 bits, or characters.
    units: &'a [u32],
    at: usize,
    flags: Flags,
    /// Leaves the case aside: flags say what becomes of that.
    folding: Folding,
    groups: Groups,
    /// Groups that remember, so far.
    opened: usize,
    /// What looks around or refers back, so far.
    specials: usize,
    /// Groups that are open.
    depth: usize,
    asks_for_lines: bool,
    purse: &'a mut Purse,
}

impl Reader<'_> {
    fn disjunction(&mut self) -> Result<Hir, Refusal> {
        let mut alternatives = Vec::new();
        let mut terms = Vec::new();
        while let Some(char) = self.peek().filter(|char| *char != ')') {
            match char {
                '|' => {
                    self.at += 1;
                    alternatives.push(Hir::concat(std::mem::take(&mut terms)));
                }
                _ => self.term(&mut terms)?,
            }
        }
        alternatives.push(Hir::concat(terms));
        Ok(Hir::alternation(alternatives))
    }

    fn term(&mut self, terms: &mut Vec<Hir>) -> Result<(), Refusal> {
        let Some(unit) = self.next() else { return Ok(()) };
        let may_be_repeated = match syntax(unit) {
            '^' => {
                terms.push(self.edge(Look::Start, Look::StartLF));
                false
            }
            '$' => {
                terms.push(self.edge(Look::End, Look::EndLF));
                false
            }
            '(' => self.group(terms)?,
            '\\' => self.escape(terms)?,
            '[' => {
                terms.push(self.class()?);
                true
            }
            '.' => {
                terms.push(if self.flags.dot_all { class::any() } else { class::inside_lines() });
                true
            }
            repeat @ ('*' | '+' | '?') => return wrong(format!("nothing to repeat before {repeat:?}")),
            bracket @ ('{' | '}' | ']') if self.flags.unicode => {
                return wrong(format!("with the flag u {bracket:?} needs a backslash"));
            }
            '{' if self.count()?.is_some() => return wrong("nothing to repeat before '{'"),
            _ => {
                self.literal(unit, terms);
                true
            }
        };
        if may_be_repeated { self.quantifier(terms) } else { Ok(()) }
    }

    /// Of the text or, where that is asked for, of a line.
    fn edge(&mut self, of_text: Look, of_line: Look) -> Hir {
        self.asks_for_lines |= self.flags.lines;
        Hir::look(if self.flags.lines { of_line } else { of_text })
    }

    /// What was read last is repeated, if that is what follows.
    fn quantifier(&mut self, terms: &mut Vec<Hir>) -> Result<(), Refusal> {
        let from = self.at;
        let counted = match self.next().map(syntax) {
            Some('*') => Some((0, None)),
            Some('+') => Some((1, None)),
            Some('?') => Some((0, Some(1))),
            Some('{') => self.count()?,
            _ => None,
        };
        let Some((min, max)) = counted else {
            self.at = from;
            return Ok(());
        };
        let greedy = !self.eat('?');
        let Some(sub) = terms.pop() else { return Ok(()) };
        if min > FAR && !may_be_nothing(&sub) {
            terms.push(Hir::fail());
            return Ok(());
        }
        // What may be nothing is there as often as one likes.
        let min = if min > FAR { 1 } else { min };
        let max = max.filter(|max| *max <= FAR);
        terms.push(Hir::repetition(Repetition { min, max, greedy, sub: Box::new(sub) }));
        Ok(())
    }

    /// Behind a brace: `2}`, `2,}` and `2,5}` are counts; anything else is none and is not read.
    fn count(&mut self) -> Result<Option<(u32, Option<u32>)>, Refusal> {
        let from = self.at;
        let counted = self.number().map(|min| {
            let max = if self.eat(',') { self.number() } else { Some(min) };
            (min, max)
        });
        let Some((min, max)) = counted.filter(|_| self.eat('}')) else {
            self.at = from;
            return Ok(None);
        };
        match max {
            Some(max) if max < min => wrong(format!("{{{min},{max}}} asks for less than it needs")),
            _ => Ok(Some((min, max))),
        }
    }

    fn number(&mut self) -> Option<u32> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|char| char.to_digit(10)) {
            self.at += 1;
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(ENDLESS));
        }
        number
    }

    /// True if it may be repeated.
    fn group(&mut self, terms: &mut Vec<Hir>) -> Result<bool, Refusal> {
        let meaning = match self.eat('?') {
            false => Some(self.open()),
            true => match self.next().map(syntax) {
                Some(':') => None,
                Some('=') => Some(Meaning::Looks(Around { behind: false, wanted: true })),
                Some('!') => Some(Meaning::Looks(Around { behind: false, wanted: false })),
                Some('<') if self.eat('=') => Some(Meaning::Looks(Around { behind: true, wanted: true })),
                Some('<') if self.eat('!') => Some(Meaning::Looks(Around { behind: true, wanted: false })),
                Some('<') => match groups::name(self.units, self.at) {
                    Some((_, end)) => {
                        self.at = end;
                        Some(self.open())
                    }
                    None => return wrong("a group whose name is none"),
                },
                _ => return wrong("an unknown kind of group"),
            },
        };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Refusal::TooMuch(format!("more than {DEEPEST} groups inside each other")));
        }
        let inside = self.disjunction()?;
        self.depth -= 1;
        if !self.eat(')') {
            return wrong("a group that is not closed");
        }
        terms.push(match meaning {
            Some(meaning) => self.named(meaning, inside),
            None => inside,
        });
        let Some(Meaning::Looks(around)) = meaning else { return Ok(true) };
        Ok(!around.behind && !self.flags.unicode)
    }

    fn open(&mut self) -> Meaning {
        self.opened += 1;
        Meaning::Remembers(self.opened as u32)
    }

    /// A group whose name says what it means.
    fn named(&mut self, meaning: Meaning, inside: Hir) -> Hir {
        self.specials += usize::from(!matches!(meaning, Meaning::Remembers(_)));
        let name = meaning.name(self.specials);
        Hir::capture(Capture { index: 1, name: Some(name.into()), sub: Box::new(inside) })
    }

    fn refer(&mut self, group: usize) -> Hir {
        // Something stands inside, so that it does not pass for nothing.
        self.named(Meaning::Refers(group as u32), Hir::literal(*b"x"))
    }

    /// Adds what counts as one of these characters, where case does not count.
    fn complete(&mut self, set: &mut ClassUnicode) -> Result<(), Refusal> {
        if !self.flags.ignore_case {
            return Ok(());
        }
        let looked_at = Letters::of(self.flags.unicode).complete(set);
        self.purse.pay_work(looked_at / LOOKED_UP)
    }

    /// What is next, for those who look for signs.
    fn peek(&self) -> Option<char> {
        self.units.get(self.at).copied().map(syntax)
    }

    fn next(&mut self) -> Option<u32> {
        let unit = self.units.get(self.at).copied()?;
        self.at += 1;
        Some(unit)
    }

    fn eat(&mut self, char: char) -> bool {
        let is_there = self.peek() == Some(char);
        self.at += usize::from(is_there);
        is_there
    }
}

/// The character of a unit; half a character is none that means anything.
fn syntax(unit: u32) -> char {
    char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
}
