//! What must be known about a pattern before its steps are written?

use regex_syntax::hir::{Capture, Hir, HirKind};

use crate::lore::pattern::javascript::{Meaning, meaning};

/// What must be known before anything is written.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) groups: usize,
    pub(super) refers: bool,
    /// Something that looks around may turn round without reading. What failed there because it came back need not
    /// fail for somebody who comes from elsewhere.
    pub(super) turns_inside: bool,
}

impl Facts {
    pub(super) fn of(pattern: &Hir) -> Self {
        let mut facts = Self::default();
        facts.look_at(pattern, false);
        facts
    }

    fn look_at(&mut self, pattern: &Hir, mut inside: bool) {
        match pattern.kind() {
            HirKind::Capture(capture) => match meaning_of(capture) {
                Some(Meaning::Remembers(group)) => self.groups = self.groups.max(group as usize + 1),
                Some(Meaning::Refers(_)) => self.refers = true,
                Some(Meaning::Looks(_)) => inside = true,
                None => {}
            },
            HirKind::Repetition(repeated) if inside && repeated.max.is_none() => {
                self.turns_inside |= may_be_nothing(&repeated.sub);
            }
            _ => {}
        }
        pattern.kind().subs().iter().for_each(|sub| self.look_at(sub, inside));
    }

    /// The first and the last group inside.
    pub(super) fn range_of_groups(pattern: &Hir) -> Option<(usize, usize)> {
        let own = match pattern.kind() {
            HirKind::Capture(capture) => match meaning_of(capture) {
                Some(Meaning::Remembers(group)) => Some((group as usize, group as usize)),
                _ => None,
            },
            _ => None,
        };
        let subs = pattern.kind().subs().iter().filter_map(Self::range_of_groups);
        subs.chain(own).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

pub(super) fn meaning_of(capture: &Capture) -> Option<Meaning> {
    meaning(capture.name.as_deref()?)
}

/// True if it may match without reading anything.
pub(in crate::lore::pattern) fn may_be_nothing(pattern: &Hir) -> bool {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repeated) => repeated.min == 0 || may_be_nothing(&repeated.sub),
        HirKind::Capture(capture) => match meaning_of(capture) {
            Some(Meaning::Looks(_) | Meaning::Refers(_)) => true,
            _ => may_be_nothing(&capture.sub),
        },
        HirKind::Concat(list) => list.iter().all(may_be_nothing),
        HirKind::Alternation(list) => list.iter().any(may_be_nothing),
    }
}
