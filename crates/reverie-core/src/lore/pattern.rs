//! What does a key of the form `/pattern/flags` match?
//!
//! Authors write JavaScript's patterns. They are read as it reads them (`javascript`), on a text in the `form` in which it
//! sees one, and run by one of two engines that count their steps: `straight` reads a text once; `program` and `machine`
//! look around, refer back and try again. A search that takes more steps than it may is given up, and says so. What a
//! pattern will take in memory is known before it is compiled (`size`) and paid from a `purse`; it is compiled when it is
//! first looked for.

mod form;
mod javascript;
mod letters;
mod machine;
mod needs;
mod program;
mod purse;
mod size;
mod straight;

use std::sync::OnceLock;

use super::fold::Folding;
pub(super) use form::Form;
use javascript::{Flags, Javascript};
use letters::Letters;
use program::Program;
pub(super) use purse::Purse;
use straight::Straight;

/// Bytes that one compiled pattern may take.
const MOST_SIZE: usize = 512 << 10;
/// Bytes of a pattern.
const MOST_LENGTH: usize = 4 << 10;

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    source: Box<str>,
    flags: Flags,
    form: Form,
    backtracks: bool,
    asks_for_lines: bool,
    needs: Vec<String>,
    ready: OnceLock<Option<Engine>>,
    /// The one that tries again, for a pattern that does not, in texts whose lines end as the other one does not know.
    ready_for_lines: OnceLock<Option<Engine>>,
}

#[derive(Debug, Clone)]
enum Engine {
    /// Reads the text once.
    Straight(Box<Straight>),
    /// For look-around and back-references.
    Backtracking(Box<Program>),
}

/// Why there is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is none.
    Wrong(String),
    /// It is one, but takes more than it may.
    TooMuch(String),
}

/// What a search said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    Found,
    NotFound,
    /// It would have taken more steps than it had.
    GivenUp,
    /// Compiled it takes more memory than it may.
    TooLarge,
}

impl Pattern {
    /// None: the key is no pattern. An error: it wants to be one.
    pub(super) fn from_key(key: &str, folding: Folding, purse: &mut Purse) -> Option<Result<Self, Refusal>> {
        let (source, flags) = split(key)?;
        Some(Self::new(&source, flags, folding, purse))
    }

    /// Flags say whether case counts, not the folding.
    pub(super) fn new(
        source: &str,
        flags: &str,
        folding: Folding,
        purse: &mut Purse,
    ) -> Result<Self, Refusal> {
        if source.len() > MOST_LENGTH {
            let length = source.len();
            return Err(Refusal::TooMuch(format!(
                "a pattern may have {MOST_LENGTH} bytes, this has {length}"
            )));
        }
        let flags = Flags::new(flags).map_err(Refusal::Wrong)?;
        let form = Form {
            folding: Folding { case: false, ..folding },
            halves: !flags.unicode,
            ascii_letters: flags.unicode && flags.ignore_case,
        };
        let Javascript { pattern, backtracks, asks_for_lines } =
            javascript::read(source, flags, form.folding, purse)?;
        let for_lines = if asks_for_lines && !backtracks { size::of(&pattern, true) } else { 0 };
        let size = size::of(&pattern, backtracks).saturating_add(for_lines).saturating_add(source.len());
        if size > MOST_SIZE {
            return Err(Refusal::TooMuch(format!(
                "compiled it takes about {size} bytes, of {MOST_SIZE} that are allowed"
            )));
        }
        purse.pay_bytes(size)?;
        Ok(Self {
            source: source.into(),
            flags,
            form,
            backtracks,
            asks_for_lines,
            needs: needs::of(&pattern, flags.ignore_case, form),
            ready: OnceLock::new(),
            ready_for_lines: OnceLock::new(),
        })
    }

    /// True if it goes back and tries again in such a text.
    pub(super) fn backtracks(&self, text: &str) -> bool {
        let ends_otherwise = |char| char != '\n' && machine::ends_line(char);
        self.backtracks || (self.asks_for_lines && text.contains(ends_otherwise))
    }

    pub(super) fn ignores_case(&self) -> bool {
        self.flags.ignore_case
    }

    /// In which it wants a text.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Texts of which one is in everything that it matches, folded if case does not count; none: nothing is known.
    pub(super) fn needs(&self) -> &[String] {
        &self.needs
    }

    /// The text is in its form. Takes the steps that it uses; the same search takes the same steps.
    pub(super) fn search(&self, text: &str, steps: &mut usize) -> Search {
        let backtracks = self.backtracks(text);
        let ready = if backtracks == self.backtracks { &self.ready } else { &self.ready_for_lines };
        match ready.get_or_init(|| self.compile(backtracks)) {
            Some(Engine::Straight(straight)) => straight.search(text, steps),
            Some(Engine::Backtracking(program)) => {
                let alike = self.flags.ignore_case.then(|| Letters::of(self.flags.unicode));
                machine::search(program, text, alike, steps)
            }
            None => Search::TooLarge,
        }
    }

    fn compile(&self, backtracks: bool) -> Option<Engine> {
        let mut paid = Purse::bottomless();
        let read = javascript::read(&self.source, self.flags, self.form.folding, &mut paid).ok()?;
        Some(match backtracks {
            true => Engine::Backtracking(Box::new(Program::new(&read.pattern)?)),
            false => Engine::Straight(Box::new(Straight::new(&read.pattern, size::MOST_OFF * MOST_SIZE)?)),
        })
    }
}

/// The inside of `/…/` and the flags behind it. Before a slash inside there must be a backslash, else the key is plain
/// text; the first of them is taken away, as the tool does that authors write for: behind two backslashes that matters.
pub(super) fn split(key: &str) -> Option<(String, &str)> {
    let inner = key.strip_prefix('/')?;
    let end = inner.rfind('/').filter(|end| *end > 0)?;
    let (source, flags) = (inner.get(..end)?, inner.get(end + 1..)?);
    let mut parts = source.split('/');
    parts.next_back();
    let is_escaped = parts.all(|before| before.ends_with('\\'));
    (is_escaped && flags.chars().all(|flag| "gimsuy".contains(flag)))
        .then(|| (source.replacen(r"\/", "/", 1), flags))
}

#[cfg(test)]
mod tests;
