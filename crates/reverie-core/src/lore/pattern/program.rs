//! Which steps does a pattern take that looks around or refers back?
//!
//! Made from the parsed pattern: repetitions with a limit are written out, and what is looked for behind is written
//! backwards, as JavaScript reads it.

mod facts;

use std::collections::HashMap;

use regex_syntax::hir::{Capture, Class, Hir, HirKind, Look, Repetition};

use super::javascript::Meaning;
pub(super) use facts::may_be_nothing;
use facts::{Facts, meaning_of};

/// More than any pattern has whose size was reckoned.
const MOST: usize = 1 << 16;

pub(super) type Place = usize;

#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) classes: Vec<Set>,
    /// Places that are remembered: two for each group, and those where loops began.
    pub(super) slots: usize,
    /// Steps that are worth remembering once they failed.
    pub(super) forks: usize,
    /// What fails once at a place fails there always.
    pub(super) is_forgetful: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Found,
    Text {
        text: Box<[u8]>,
        backwards: bool,
    },
    /// One character.
    One {
        class: usize,
        backwards: bool,
    },
    Stands(Look),
    /// The first, and when that fails the second.
    Fork {
        first: Place,
        second: Place,
        number: usize,
    },
    Goto(Place),
    /// What follows up to the next [`Step::Found`] must be there, or must not; then it goes on behind.
    Around {
        wanted: bool,
        behind: Place,
        number: usize,
    },
    Save(usize),
    /// Forgets slots.
    Clear {
        from: usize,
        to: usize,
    },
    /// Fails where nothing was read since that slot was saved.
    Moved(usize),
    /// What a group matched, which is nothing where it did not.
    Again {
        group: usize,
        backwards: bool,
    },
}

/// Characters.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) struct Set {
    ascii: u128,
    ranges: Box<[(char, char)]>,
}

impl Set {
    pub(super) fn has(&self, char: char) -> bool {
        if char.is_ascii() {
            return self.ascii >> u32::from(char) & 1 == 1;
        }
        let place = self.ranges.partition_point(|(_, end)| *end < char);
        self.ranges.get(place).is_some_and(|(start, _)| *start <= char)
    }

    fn new(class: &Class) -> Self {
        let ranges: Box<[(char, char)]> = match class {
            Class::Unicode(class) => {
                class.ranges().iter().map(|range| (range.start(), range.end())).collect()
            }
            // Only those that are ASCII are made of characters.
            Class::Bytes(class) => {
                class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect()
            }
        };
        let in_ascii = |char: &char| ranges.iter().any(|(start, end)| (start..=end).contains(&char));
        let ascii = ('\0'..='\x7f').filter(in_ascii).fold(0, |set, char| set | 1 << u32::from(char));
        Self { ascii, ranges }
    }
}

impl Program {
    /// None: it takes too many steps.
    pub(super) fn new(pattern: &Hir) -> Option<Self> {
        let facts = Facts::of(pattern);
        let program = Self {
            steps: Vec::new(),
            classes: Vec::new(),
            slots: 2 * facts.groups,
            forks: 0,
            is_forgetful: !facts.refers && !facts.turns_inside,
        };
        let mut writer = Writer { program, sets: HashMap::new(), remembers: facts.refers };
        writer.write(pattern, false)?;
        writer.push(Step::Found)?;
        Some(writer.program)
    }

    /// A text with which every match begins.
    pub(super) fn start(&self) -> Option<&str> {
        match self.steps.first() {
            Some(Step::Text { text, backwards: false }) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }
}

struct Writer {
    program: Program,
    sets: HashMap<Set, usize>,
    /// Groups remember: somebody refers to them.
    remembers: bool,
}

impl Writer {
    fn push(&mut self, step: Step) -> Option<Place> {
        let place = self.program.steps.len();
        self.program.steps.push(step);
        (place < MOST).then_some(place)
    }

    fn next(&self) -> Place {
        self.program.steps.len()
    }

    fn fork(&mut self) -> usize {
        self.program.forks += 1;
        self.program.forks - 1
    }

    fn write(&mut self, pattern: &Hir, backwards: bool) -> Option<()> {
        match pattern.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                self.push(Step::Text { text: literal.0.clone(), backwards })?;
            }
            HirKind::Class(class) => {
                let set = Set::new(class);
                let classes = &mut self.program.classes;
                let class = *self.sets.entry(set.clone()).or_insert_with(|| {
                    classes.push(set);
                    classes.len() - 1
                });
                self.push(Step::One { class, backwards })?;
            }
            HirKind::Look(look) => {
                self.push(Step::Stands(*look))?;
            }
            HirKind::Repetition(repeated) => self.repeat(repeated, backwards)?,
            HirKind::Capture(capture) => self.group(capture, backwards)?,
            HirKind::Concat(list) if backwards => {
                list.iter().rev().try_for_each(|part| self.write(part, true))?
            }
            HirKind::Concat(list) => list.iter().try_for_each(|part| self.write(part, false))?,
            HirKind::Alternation(list) => self.choose(list, backwards)?,
        }
        Some(())
    }

    fn choose(&mut self, list: &[Hir], backwards: bool) -> Option<()> {
        let mut ends = Vec::with_capacity(list.len());
        for (index, alternative) in list.iter().enumerate() {
            if index + 1 == list.len() {
                self.write(alternative, backwards)?;
                break;
            }
            let fork = self.open_fork()?;
            self.write(alternative, backwards)?;
            ends.push(self.push(Step::Goto(0))?);
            self.close_fork(fork, true);
        }
        let end = self.next();
        ends.into_iter().for_each(|place| self.put(place, Step::Goto(end)));
        Some(())
    }

    fn repeat(&mut self, repeated: &Repetition, backwards: bool) -> Option<()> {
        for _ in 0..repeated.min {
            self.forget_groups(&repeated.sub)?;
            self.write(&repeated.sub, backwards)?;
        }
        match repeated.max {
            None => self.again_and_again(repeated, backwards),
            Some(most) => {
                let mut forks = Vec::new();
                for _ in repeated.min..most {
                    forks.push(self.open_fork()?);
                    self.once_more(&repeated.sub, backwards)?;
                }
                forks.into_iter().for_each(|fork| self.close_fork(fork, repeated.greedy));
                Some(())
            }
        }
    }

    /// Every time that something is repeated, its groups have matched nothing yet.
    fn forget_groups(&mut self, repeated: &Hir) -> Option<()> {
        let groups = Facts::range_of_groups(repeated).filter(|_| self.remembers);
        if let Some((from, to)) = groups {
            self.push(Step::Clear { from: 2 * from, to: 2 * to + 2 })?;
        }
        Some(())
    }

    fn again_and_again(&mut self, repeated: &Repetition, backwards: bool) -> Option<()> {
        let fork = self.open_fork()?;
        self.once_more(&repeated.sub, backwards)?;
        self.push(Step::Goto(fork))?;
        self.close_fork(fork, repeated.greedy);
        Some(())
    }

    /// More often than it must: then it has to read something, or it would do it for ever.
    fn once_more(&mut self, repeated: &Hir, backwards: bool) -> Option<()> {
        self.forget_groups(repeated)?;
        let began = may_be_nothing(repeated).then_some(self.program.slots);
        if let Some(slot) = began {
            self.program.slots += 1;
            self.push(Step::Save(slot))?;
        }
        self.write(repeated, backwards)?;
        if let Some(slot) = began {
            self.push(Step::Moved(slot))?;
        }
        Some(())
    }

    fn group(&mut self, capture: &Capture, backwards: bool) -> Option<()> {
        match meaning_of(capture) {
            Some(Meaning::Remembers(group)) if self.remembers => {
                let (start, end) = (2 * group as usize, 2 * group as usize + 1);
                let (first, last) = if backwards { (end, start) } else { (start, end) };
                self.push(Step::Save(first))?;
                self.write(&capture.sub, backwards)?;
                self.push(Step::Save(last))?;
            }
            Some(Meaning::Remembers(_)) | None => self.write(&capture.sub, backwards)?,
            Some(Meaning::Refers(group)) => {
                self.push(Step::Again { group: group as usize, backwards })?;
            }
            Some(Meaning::Looks(around)) => {
                let number = self.fork();
                let place = self.push(Step::Around { wanted: around.wanted, behind: 0, number })?;
                self.write(&capture.sub, around.behind)?;
                self.push(Step::Found)?;
                let behind = self.next();
                self.put(place, Step::Around { wanted: around.wanted, behind, number });
            }
        }
        Some(())
    }

    /// What comes next is optional; to be closed where it ends.
    fn open_fork(&mut self) -> Option<Place> {
        let number = self.fork();
        self.push(Step::Fork { first: 0, second: 0, number })
    }

    fn close_fork(&mut self, place: Place, greedy: bool) {
        let (inside, behind) = (place + 1, self.next());
        let (first, second) = if greedy { (inside, behind) } else { (behind, inside) };
        if let Some(Step::Fork { number, .. }) = self.program.steps.get(place) {
            let number = *number;
            self.put(place, Step::Fork { first, second, number });
        }
    }

    fn put(&mut self, place: Place, step: Step) {
        if let Some(there) = self.program.steps.get_mut(place) {
            *there = step;
        }
    }
}
