//! Which characters belong to a class?

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir};

use super::escape::Where;
use super::{LOOKED_UP, Reader, Refusal, properties, wrong};
use crate::lore::pattern::letters::has;

type Range = (char, char);

const DIGITS: &[Range] = &[('0', '9')];
const WORD: &[Range] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// The same where letters count as those that Unicode folds them to.
const FOLDED_WORD: &[Range] =
    &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z'), ('\u{17F}', '\u{17F}'), ('\u{212A}', '\u{212A}')];
const SPACE: &[Range] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{A0}', '\u{A0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200A}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202F}', '\u{202F}'),
    ('\u{205F}', '\u{205F}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{FEFF}', '\u{FEFF}'),
];
const LINE_ENDS: &[Range] = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

/// What stands in a class.
enum Member {
    /// A character as it stands there, and as the text is spelled.
    Point {
        written: u32,
        spelled: u32,
    },
    Set(ClassUnicode),
}

impl Member {
    fn point(point: u32) -> Self {
        Self::Point { written: point, spelled: point }
    }
}

/// Every character.
pub(super) fn any() -> Hir {
    Hir::class(Class::Unicode(set_of(&[('\0', char::MAX)])))
}

/// Every character but those that end a line.
pub(super) fn inside_lines() -> Hir {
    Hir::class(Class::Unicode(but(LINE_ENDS)))
}

fn set_of(ranges: &[Range]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(from, to)| ClassUnicodeRange::new(*from, *to)))
}

fn but(ranges: &[Range]) -> ClassUnicode {
    let mut set = set_of(ranges);
    set.negate();
    set
}

impl Reader<'_> {
    /// Behind the bracket that opens it.
    pub(super) fn class(&mut self) -> Result<Hir, Refusal> {
        let negated = self.eat('^');
        let (mut points, mut sets) = (Vec::new(), ClassUnicode::empty());
        while !self.eat(']') {
            let first = self.member()?;
            let hyphen = self.at;
            // At the end a hyphen stands for itself.
            let is_range = self.eat('-') && self.peek() != Some(']');
            if !is_range {
                self.at = hyphen;
                self.add(first, &mut points, &mut sets)?;
                continue;
            }
            match (first, self.member()?) {
                // From and to are what was written; what lies between is respelled as a whole.
                (Member::Point { written: from, .. }, Member::Point { written: to, .. }) if from <= to => {
                    self.add_range(from, to, &mut points);
                }
                (Member::Point { .. }, Member::Point { .. }) => {
                    return wrong("a range from behind to before");
                }
                _ if self.flags.unicode => return wrong("a range that begins or ends with a set"),
                (first, last) => {
                    for member in [first, Member::point(u32::from('-')), last] {
                        self.add(member, &mut points, &mut sets)?;
                    }
                }
            }
        }
        let mut class = ClassUnicode::new(points);
        self.purse.pay_work(class.ranges().len() / LOOKED_UP)?;
        self.respell(&mut class)?;
        self.complete(&mut class)?;
        class.union(&sets);
        if negated {
            class.negate();
        }
        Ok(Hir::class(Class::Unicode(class)))
    }

    fn member(&mut self) -> Result<Member, Refusal> {
        let Some(unit) = self.next() else { return wrong("a class of characters that is not closed") };
        let mut point = unit;
        if unit == u32::from('\\') {
            if let Some(set) = self.known_set()? {
                return Ok(Member::Set(set));
            }
            point = self.character(Where::InClass)?;
        }
        let from = self.at;
        let spelled = self.respelled(point);
        let mut chars = spelled.as_deref().unwrap_or_default().chars();
        match (chars.next(), chars.next()) {
            (Some(one), None) if self.flags.unicode || one <= '\u{FFFF}' => {
                let spelled = one.into();
                let written = if self.at == from { point } else { spelled };
                return Ok(Member::Point { written, spelled });
            }
            _ => {}
        }
        self.at = from;
        Ok(Member::point(point))
    }

    /// The set of an escape such as `\d`, if it is one. It holds all cases of its letters.
    pub(super) fn known_set(&mut self) -> Result<Option<ClassUnicode>, Refusal> {
        let word = if self.flags.unicode && self.flags.ignore_case { FOLDED_WORD } else { WORD };
        let set = match self.peek() {
            Some('d') => set_of(DIGITS),
            Some('D') => but(DIGITS),
            Some('w') => set_of(word),
            Some('W') => but(word),
            Some('s') => set_of(SPACE),
            Some('S') => but(SPACE),
            Some(kind @ ('p' | 'P')) if self.flags.unicode => {
                self.at += 1;
                return self.property(kind == 'P').map(Some);
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(set))
    }

    /// Behind `\p`.
    fn property(&mut self, negated: bool) -> Result<ClassUnicode, Refusal> {
        let mut name = String::new();
        let is_open = self.eat('{');
        while let Some(char) = self.peek().filter(|char| is_open && *char != '}') {
            name.push(char);
            self.at += 1;
        }
        if !self.eat('}') {
            return wrong("\\p needs a property in braces");
        }
        self.purse.pay_work(properties::WORK)?;
        let Some(mut set) = properties::find(&name) else {
            return wrong(format!("there is no property {name:?}"));
        };
        self.purse.pay_work(set.ranges().len() / LOOKED_UP)?;
        self.respell(&mut set)?;
        if negated {
            set.negate();
        }
        self.complete(&mut set)?;
        Ok(set)
    }

    fn add(
        &mut self,
        member: Member,
        points: &mut Vec<ClassUnicodeRange>,
        sets: &mut ClassUnicode,
    ) -> Result<(), Refusal> {
        match member {
            Member::Point { spelled, .. } => self.add_range(spelled, spelled, points),
            Member::Set(set) => {
                sets.union(&set);
                self.purse.pay_work(sets.ranges().len() / LOOKED_UP)?;
            }
        }
        Ok(())
    }

    fn add_range(&self, from: u32, to: u32, into: &mut Vec<ClassUnicodeRange>) {
        // Halves of characters are elsewhere, or nowhere.
        for (first, last) in [(0, 0xD7FF), (0xD800, 0xDFFF), (0xE000, u32::from(char::MAX))] {
            let (from, to) = (from.max(first), to.min(last));
            if from > to {
                continue;
            }
            if let (Some(from), Some(to)) = (self.char(from), self.char(to)) {
                into.push(ClassUnicodeRange::new(from, to));
            }
        }
    }

    /// Adds what members of a set count as, which is how the text is spelled.
    fn respell(&mut self, set: &mut ClassUnicode) -> Result<(), Refusal> {
        let changes = self.folding.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let (mut looked_at, mut spelled) = (0, Vec::new());
        for range in set.ranges() {
            let from = changes.partition_point(|(char, _)| *char < range.start());
            let inside = changes.get(from..).unwrap_or_default();
            for (_, other) in inside.iter().take_while(|(char, _)| *char <= range.end()) {
                looked_at += 1;
                if (self.flags.unicode || *other <= '\u{FFFF}') && !has(set, *other) {
                    spelled.push(ClassUnicodeRange::new(*other, *other));
                }
            }
        }
        if !spelled.is_empty() {
            set.union(&ClassUnicode::new(spelled));
        }
        self.purse.pay_work(looked_at / LOOKED_UP)
    }
}
