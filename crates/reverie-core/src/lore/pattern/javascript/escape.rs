//! What does a backslash and what follows it stand for?

use regex_syntax::hir::{Class, Hir, Look};

use super::{Reader, Refusal, groups, wrong};

/// What means something else where it stands alone.
const SYNTAX: &str = "^$\\.*+?()[]{}|/";

/// Where an escape stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    Outside,
    InClass,
}

impl Reader<'_> {
    /// Outside of a class. True if it may be repeated.
    pub(super) fn escape(&mut self, terms: &mut Vec<Hir>) -> Result<bool, Refusal> {
        let Some(char) = self.peek() else { return wrong("a backslash at the end") };
        if let Some(set) = self.known_set()? {
            terms.push(Hir::class(Class::Unicode(set)));
            return Ok(true);
        }
        match char {
            'b' | 'B' => {
                self.at += 1;
                terms.push(Hir::look(if char == 'b' { Look::WordAscii } else { Look::WordAsciiNegate }));
                return Ok(false);
            }
            '1'..='9' => {
                if let Some(group) = self.numbered()? {
                    terms.push(self.refer(group));
                    return Ok(true);
                }
            }
            'k' if self.flags.unicode || self.groups.have_names() => {
                self.at += 1;
                let name = if self.eat('<') { groups::name(self.units, self.at) } else { None };
                let Some((name, end)) = name else { return wrong("\\k needs the name of a group") };
                self.at = end;
                let Some(group) = self.groups.find(&name) else {
                    return wrong(format!("there is no group {name:?}"));
                };
                terms.push(self.refer(group));
                return Ok(true);
            }
            _ => {}
        }
        let point = self.character(Where::Outside)?;
        self.literal(point, terms);
        Ok(true)
    }

    /// The group that a number names; None: it is the number of a character.
    fn numbered(&mut self) -> Result<Option<usize>, Refusal> {
        let from = self.at;
        let group = self.number().map_or(0, |number| number as usize);
        if group <= self.groups.count() {
            return Ok(Some(group));
        }
        if self.flags.unicode {
            return wrong(format!("there is no group {group}"));
        }
        self.at = from;
        Ok(None)
    }

    /// The single unit or character that an escape stands for.
    pub(super) fn character(&mut self, place: Where) -> Result<u32, Refusal> {
        let Some(unit) = self.next() else { return wrong("a backslash at the end") };
        let strict = self.flags.unicode;
        Ok(match super::syntax(unit) {
            't' => 0x09,
            'n' => 0x0A,
            'v' => 0x0B,
            'f' => 0x0C,
            'r' => 0x0D,
            'b' if place == Where::InClass => 0x08,
            'c' => return self.control(place),
            digit @ '0'..='9' => {
                let is_zero = digit == '0' && !self.peek().is_some_and(|next| next.is_ascii_digit());
                match digit {
                    _ if is_zero => 0,
                    _ if strict => return wrong("a number behind a backslash that names no group"),
                    '8' | '9' => unit,
                    _ => self.octal(unit - u32::from('0')),
                }
            }
            'x' => match self.hex(2) {
                Some(point) => point,
                None if strict => return wrong("\\x needs two digits"),
                None => unit,
            },
            'u' => match self.unicode() {
                Some(point) => point,
                None if strict => return wrong("\\u needs four digits, or some in braces"),
                None => unit,
            },
            '-' if place == Where::InClass => unit,
            other if strict && !SYNTAX.contains(other) => {
                return wrong(format!("with the flag u \\{other} means nothing"));
            }
            'k' if self.groups.have_names() => return wrong("\\k needs the name of a group"),
            _ => unit,
        })
    }

    /// Behind `\c`. What is no control character is a backslash, and the c is still to be read.
    fn control(&mut self, place: Where) -> Result<u32, Refusal> {
        let letter = self.peek().filter(|char| {
            let in_class = char.is_ascii_digit() || *char == '_';
            char.is_ascii_alphabetic() || (in_class && place == Where::InClass && !self.flags.unicode)
        });
        if let Some(letter) = letter {
            self.at += 1;
            return Ok(u32::from(letter) % 32);
        }
        if self.flags.unicode {
            return wrong("\\c needs a letter");
        }
        self.at -= 1;
        Ok(u32::from('\\'))
    }

    /// Of up to three digits, and no more than a byte.
    fn octal(&mut self, first: u32) -> u32 {
        let mut value = first;
        for _ in 0..2 {
            let digit = self.peek().and_then(|char| char.to_digit(8)).filter(|_| value < 32);
            let Some(digit) = digit else { break };
            self.at += 1;
            value = value * 8 + digit;
        }
        value
    }

    /// Behind `\u`. With the flag two halves make a character.
    fn unicode(&mut self) -> Option<u32> {
        match self.flags.unicode {
            true => groups::escaped(self.units, self.at).map(|(point, end)| {
                self.at = end;
                point
            }),
            false => self.hex(4),
        }
    }

    pub(super) fn hex(&mut self, digits: usize) -> Option<u32> {
        let point = groups::hex(self.units, self.at, digits)?;
        self.at += digits;
        Some(point)
    }
}
