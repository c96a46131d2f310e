//! Does a program find something in a text, and how many steps does that take?
//!
//! Where no group is referred to, a step that failed at a place fails there for whoever comes again: then the steps grow
//! with the text and not with its square, and what would turn round for ever is seen to come back. Every step is counted,
//! and when there are no more the search is given up.

mod known;

use regex_syntax::hir::Look;

use super::Search;
use super::letters::Letters;
use super::program::{Place, Program, Step};
use known::{Came, Known};

/// Choices that may be open at once, and slots to be restored.
const MOST_OPEN: usize = 1 << 18;
/// Bytes that are compared or skipped in one step.
const BYTES_OF_A_STEP: usize = 16;

/// Takes what it uses from `steps`.
///
/// `alike`: the letters whose case does not count.
pub(super) fn search(program: &Program, text: &str, alike: Option<&Letters>, steps: &mut usize) -> Search {
    let known = Known::new(program, text, steps);
    let slots = vec![None; program.slots];
    let mut machine =
        Machine { program, text, alike, steps, slots, open: Vec::new(), changed: Vec::new(), known };
    let mut from = Some(0);
    while let Some(start) = from.and_then(|from| machine.next_start(from)) {
        match machine.run(0, start) {
            Ok(true) => return Search::Found,
            Ok(false) => {}
            Err(TooMany) => return Search::GivenUp,
        }
        from = machine.behind(start);
    }
    Search::NotFound
}

struct TooMany;

/// A fork whose second way is open, or whose end is not known.
struct Open {
    fork: usize,
    second: Option<Place>,
    at: usize,
    /// How many slots had changed.
    changed: usize,
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a str,
    alike: Option<&'a Letters>,
    steps: &'a mut usize,
    slots: Vec<Option<usize>>,
    open: Vec<Open>,
    /// Slots and what was in them.
    changed: Vec<(usize, Option<usize>)>,
    known: Known,
}

impl Machine<'_> {
    /// The next place at which a match may begin.
    fn next_start(&mut self, from: usize) -> Option<usize> {
        let Some(start) = self.program.start() else { return Some(from) };
        let found = self.text.get(from..)?.find(start);
        let read = found.unwrap_or(self.text.len() - from);
        *self.steps = self.steps.saturating_sub(read / BYTES_OF_A_STEP);
        found.map(|found| from + found)
    }

    /// The place behind the character at this one.
    fn behind(&self, at: usize) -> Option<usize> {
        Some(at + self.text.get(at..)?.chars().next()?.len_utf8())
    }

    /// From a step to the next [`Step::Found`].
    fn run(&mut self, mut step: Place, mut at: usize) -> Result<bool, TooMany> {
        let (base, changed) = (self.open.len(), self.changed.len());
        loop {
            self.pay(1)?;
            let next = match self.program.steps.get(step) {
                None => None,
                Some(Step::Found) => return Ok(self.found(base)),
                Some(Step::Fork { first, second, number }) => match self.known.get(*number, at) {
                    Came::Found => return Ok(self.found(base)),
                    // It came back to where it is, without reading anything: that leads nowhere new.
                    Came::Failed | Came::Back => None,
                    Came::Unknown => {
                        self.keep_open(*number, *second, at)?;
                        Some((*first, at))
                    }
                },
                Some(Step::Around { wanted, behind, number }) => {
                    (self.around(*number, *wanted, step + 1, at)? == *wanted).then_some((*behind, at))
                }
                Some(Step::Goto(place)) => Some((*place, at)),
                Some(Step::Save(_) | Step::Clear { .. } | Step::Moved(_)) if self.known.is_kept() => {
                    Some((step + 1, at))
                }
                Some(Step::Save(slot)) => {
                    self.save(*slot, Some(at))?;
                    Some((step + 1, at))
                }
                Some(Step::Clear { from, to }) => {
                    (*from..*to).try_for_each(|slot| self.save(slot, None))?;
                    Some((step + 1, at))
                }
                Some(Step::Moved(slot)) => {
                    (self.slots.get(*slot).copied().flatten() != Some(at)).then_some((step + 1, at))
                }
                Some(other) => self.read(other, at)?.map(|at| (step + 1, at)),
            };
            match next.or_else(|| self.other_way(base)) {
                Some(next) => (step, at) = next,
                None => {
                    self.restore(changed);
                    return Ok(false);
                }
            }
        }
    }

    fn pay(&mut self, price: usize) -> Result<(), TooMany> {
        let left = self.steps.checked_sub(price);
        *self.steps = left.unwrap_or(0);
        left.map(|_| ()).ok_or(TooMany)
    }

    /// Where it stands behind a step that reads or looks; None: it fails.
    fn read(&mut self, step: &Step, at: usize) -> Result<Option<usize>, TooMany> {
        Ok(match step {
            Step::One { class, backwards } => {
                let Some(class) = self.program.classes.get(*class) else { return Ok(None) };
                let char = if *backwards { self.before(at) } else { self.after(at) };
                char.filter(|char| class.has(*char)).map(|char| moved(at, char.len_utf8(), *backwards))
            }
            Step::Text { text, backwards } => {
                self.pay(text.len() / BYTES_OF_A_STEP)?;
                let bytes = self.text.as_bytes();
                let is_there = match backwards {
                    true => bytes.get(..at).is_some_and(|before| before.ends_with(text)),
                    false => bytes.get(at..).is_some_and(|behind| behind.starts_with(text)),
                };
                is_there.then(|| moved(at, text.len(), *backwards))
            }
            Step::Stands(look) => self.stands(*look, at).then_some(at),
            Step::Again { group, backwards } => self.again(*group, at, *backwards)?,
            _ => None,
        })
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    fn after(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn stands(&self, look: Look, at: usize) -> bool {
        let is_word =
            |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric() || char == '_');
        match look {
            Look::Start => at == 0,
            Look::End => at == self.text.len(),
            Look::StartLF => self.before(at).is_none_or(ends_line),
            Look::EndLF => self.after(at).is_none_or(ends_line),
            Look::WordAscii => is_word(self.before(at)) != is_word(self.after(at)),
            Look::WordAsciiNegate => is_word(self.before(at)) == is_word(self.after(at)),
            // Nothing else is ever written.
            _ => false,
        }
    }

    /// What a group matched, once more.
    fn again(&mut self, group: usize, at: usize, backwards: bool) -> Result<Option<usize>, TooMany> {
        let slot = |slot: usize| self.slots.get(slot).copied().flatten();
        let (Some(start), Some(end)) = (slot(2 * group), slot(2 * group + 1)) else { return Ok(Some(at)) };
        let text = self.text;
        let Some(wanted) = text.get(start..end) else { return Ok(None) };
        self.pay(wanted.len() / if self.alike.is_some() { 1 } else { BYTES_OF_A_STEP })?;
        let rest = if backwards { text.get(..at) } else { text.get(at..) }.unwrap_or_default();
        let Some(alike) = self.alike else {
            let is_there = if backwards { rest.ends_with(wanted) } else { rest.starts_with(wanted) };
            return Ok(is_there.then(|| moved(at, wanted.len(), backwards)));
        };
        Ok(match backwards {
            true => same(alike, wanted.chars().rev(), rest.chars().rev()),
            false => same(alike, wanted.chars(), rest.chars()),
        }
        .map(|length| moved(at, length, backwards)))
    }

    /// True if it is there, ahead or behind.
    fn around(&mut self, number: usize, wanted: bool, inside: Place, at: usize) -> Result<bool, TooMany> {
        match self.known.get(number, at) {
            Came::Found => return Ok(true),
            Came::Failed | Came::Back => return Ok(false),
            Came::Unknown => {}
        }
        let changed = self.changed.len();
        let found = self.run(inside, at)?;
        if !wanted {
            self.restore(changed);
        }
        self.known.set(number, at, if found { Came::Found } else { Came::Failed });
        Ok(found)
    }

    /// All forks on the way here lead to where it is found.
    fn found(&mut self, base: usize) -> bool {
        for open in self.open.drain(base..) {
            self.known.set(open.fork, open.at, Came::Found);
        }
        true
    }

    fn keep_open(&mut self, fork: usize, second: Place, at: usize) -> Result<(), TooMany> {
        if self.open.len() >= MOST_OPEN {
            return Err(TooMany);
        }
        self.known.set(fork, at, Came::Back);
        self.open.push(Open { fork, second: Some(second), at, changed: self.changed.len() });
        Ok(())
    }

    /// The second way of the last fork that has one left.
    fn other_way(&mut self, base: usize) -> Option<(Place, usize)> {
        while self.open.len() > base {
            let last = self.open.last_mut()?;
            let (fork, at, changed) = (last.fork, last.at, last.changed);
            let second = last.second.take();
            self.restore(changed);
            if let Some(second) = second {
                // It stays as long as it is wanted to know what came of it.
                if !self.known.is_kept() {
                    self.open.pop();
                }
                return Some((second, at));
            }
            self.known.set(fork, at, Came::Failed);
            self.open.pop();
        }
        None
    }

    fn save(&mut self, slot: usize, value: Option<usize>) -> Result<(), TooMany> {
        if self.changed.len() >= MOST_OPEN {
            return Err(TooMany);
        }
        if let Some(there) = self.slots.get_mut(slot) {
            self.changed.push((slot, *there));
            *there = value;
        }
        Ok(())
    }

    fn restore(&mut self, changed: usize) {
        for (slot, value) in self.changed.drain(changed..).rev() {
            if let Some(there) = self.slots.get_mut(slot) {
                *there = value;
            }
        }
    }
}

/// As JavaScript has it: more than Rust's engines know.
pub(super) fn ends_line(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn moved(at: usize, by: usize, backwards: bool) -> usize {
    if backwards { at.saturating_sub(by) } else { at + by }
}

/// How many bytes of the text are spelled like what is wanted, whatever the case.
fn same(
    alike: &Letters,
    wanted: impl Iterator<Item = char>,
    mut text: impl Iterator<Item = char>,
) -> Option<usize> {
    let mut length = 0;
    for wanted in wanted {
        let char = text.next().filter(|char| alike.are_alike(*char, wanted))?;
        length += char.len_utf8();
    }
    Some(length)
}
