//! Which texts must be there for a pattern to match at all?
//!
//! `/gold(?!en)|silver (?:coin|bar)s?/` needs `gold` or `silver `. Such texts are looked for together with all plain
//! keys, and the pattern is tried only where one was found: a book of a thousand patterns costs what is said.

use crate::lore::fold::{has_width, is_caseless};

/// More alternatives than this are not worth it.
const MOST: usize = 64;

/// Fed with the parts of a pattern as they are read.
#[derive(Default)]
pub(super) struct Needs {
    group: Group,
    outer: Vec<Group>,
}

/// A group that is open: what its alternatives need, those before the last and the last.
#[derive(Default)]
struct Group {
    /// What stands inside must not be there, or stands elsewhere.
    is_aside: bool,
    /// One of the earlier alternatives needs nothing.
    is_free: bool,
    before: Vec<String>,
    /// The best of this alternative so far.
    best: Vec<String>,
    /// Literal characters that follow each other.
    run: String,
    /// What the last thing read needs, as long as it is not known how often it must be there.
    last: Last,
}

#[derive(Default)]
enum Last {
    #[default]
    Nothing,
    Char,
    Texts(Vec<String>),
}

impl Needs {
    /// None if nothing is known.
    pub(super) fn finish(mut self) -> Vec<String> {
        match self.outer.is_empty() {
            true => self.group.finish(),
            false => Vec::new(),
        }
    }

    pub(super) fn literal(&mut self, char: char, ignore_case: bool) {
        // Only what is spelled alike however the text is folded, and never stands between two messages.
        let has_one_case = !ignore_case || char.is_ascii() || is_caseless(char);
        if !has_one_case || has_width(char) || char.is_control() {
            return self.anything();
        }
        self.group.settle();
        self.group.run.push(char);
        self.group.last = Last::Char;
    }

    /// Something that may be this or that.
    pub(super) fn anything(&mut self) {
        self.group.settle();
        self.group.end_run();
    }

    /// `counts`: it must match where it stands.
    pub(super) fn open(&mut self, counts: bool) {
        self.group.settle();
        self.group.end_run();
        let inner = Group { is_aside: !counts, ..Group::default() };
        self.outer.push(std::mem::replace(&mut self.group, inner));
    }

    pub(super) fn close(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let mut inner = std::mem::replace(&mut self.group, outer);
        if !inner.is_aside {
            self.group.last = Last::Texts(inner.finish());
        }
    }

    pub(super) fn or(&mut self) {
        self.group.end_alternative();
    }

    /// The last thing is repeated, at least once or perhaps not at all.
    pub(super) fn repeat(&mut self, at_least_once: bool) {
        let group = &mut self.group;
        match std::mem::take(&mut group.last) {
            Last::Texts(texts) if at_least_once => group.offer(texts),
            Last::Char if !at_least_once => {
                group.run.pop();
            }
            _ => {}
        }
        group.end_run();
    }
}

impl Group {
    /// What was read last stands there once.
    fn settle(&mut self) {
        if let Last::Texts(texts) = std::mem::take(&mut self.last) {
            self.offer(texts);
        }
    }

    fn end_run(&mut self) {
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

    fn end_alternative(&mut self) {
        self.settle();
        self.end_run();
        let best = std::mem::take(&mut self.best);
        self.is_free |= best.is_empty();
        self.before.extend(best);
    }

    fn finish(&mut self) -> Vec<String> {
        self.end_alternative();
        if self.is_free || self.before.len() > MOST {
            return Vec::new();
        }
        std::mem::take(&mut self.before)
    }
}
