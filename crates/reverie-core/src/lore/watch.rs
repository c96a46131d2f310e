//! Whom does a search look at, and what became of each?
//!
//! Only those are here that something speaks of; the others cost nothing.

use super::why::Outcome;

/// Someone to look at.
pub(super) struct Watched {
    pub(super) item: u32,
    pub(super) standing: Standing,
    /// The pass that decided last, and what.
    pub(super) verdict: Option<(u32, Outcome)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Is looked at in every pass.
    Open,
    /// Not for this scene, whatever is said.
    Refused,
    /// Its roll failed, and there is only one.
    Unlucky,
    Active,
}

/// In the order of the shelf, each once.
#[derive(Default)]
pub(super) struct Watch {
    list: Vec<Watched>,
}

impl Watch {
    /// `refused` is asked once about everybody who was not there.
    pub(super) fn add(&mut self, pass: u32, mut items: Vec<u32>, refused: impl Fn(u32) -> Option<Outcome>) {
        items.sort_unstable();
        items.dedup();
        let known = self.list.len();
        for item in items {
            let is_known = self
                .list
                .get(..known)
                .is_some_and(|list| list.binary_search_by_key(&item, |w| w.item).is_ok());
            if is_known {
                continue;
            }
            let refused = refused(item);
            self.list.push(Watched {
                item,
                standing: if refused.is_some() { Standing::Refused } else { Standing::Open },
                verdict: refused.map(|outcome| (pass, outcome)),
            });
        }
        // Two runs in order: the sort only merges them.
        self.list.sort_by_key(|watched| watched.item);
    }

    pub(super) fn open(&mut self) -> impl Iterator<Item = &mut Watched> {
        self.list.iter_mut().filter(|watched| watched.standing == Standing::Open)
    }

    pub(super) fn still_open(&self) -> impl Iterator<Item = u32> {
        self.list.iter().filter(|watched| watched.standing == Standing::Open).map(|watched| watched.item)
    }

    pub(super) fn active(&self) -> impl Iterator<Item = u32> {
        self.list.iter().filter(|watched| watched.standing == Standing::Active).map(|watched| watched.item)
    }

    /// Those of whom nothing was found so far.
    pub(super) fn silent(&self) -> impl Iterator<Item = u32> {
        let is_silent = |watched: &&Watched| {
            let outcome = watched.verdict.as_ref().map(|(_, outcome)| outcome);
            let is_quiet = matches!(
                outcome,
                None | Some(
                    Outcome::NoKeyFound | Outcome::WaitsForRecursion { .. } | Outcome::Secondary { .. }
                )
            );
            watched.standing == Standing::Open && is_quiet
        };
        self.list.iter().filter(is_silent).map(|watched| watched.item)
    }

    /// Tells more of somebody who stays as they are.
    pub(super) fn note(&mut self, item: u32, pass: u32, outcome: Outcome) {
        self.decide(item, Standing::Open, pass, outcome);
    }

    /// Writes down what became of somebody.
    pub(super) fn decide(&mut self, item: u32, standing: Standing, pass: u32, outcome: Outcome) {
        if let Ok(place) = self.list.binary_search_by_key(&item, |watched| watched.item)
            && let Some(watched) = self.list.get_mut(place)
        {
            watched.standing = standing;
            watched.verdict = Some((pass, outcome));
        }
    }

    pub(super) fn verdicts(self) -> impl Iterator<Item = (u32, u32, Outcome)> {
        self.list.into_iter().filter_map(|watched| {
            let (pass, outcome) = watched.verdict?;
            Some((watched.item, pass, outcome))
        })
    }
}
