//! Whom does a search look at, and what became of each?
//!
//! Only those are here that something speaks of; the others cost nothing.

use std::collections::HashMap;

use super::why::{Contest, Outcome};

/// Someone to look at.
pub(super) struct Watched {
    pub(super) item: u32,
    pub(super) standing: Standing,
    pub(super) decision: Option<Decision>,
}

/// What was decided last of somebody.
pub(super) struct Decision {
    pub(super) pass: u32,
    pub(super) outcome: Outcome,
}

impl Decision {
    pub(super) fn new(pass: u32, outcome: Outcome) -> Self {
        Self { pass, outcome }
    }
}

/// Somebody is not for this scene; and, for those who ask, why.
pub(super) struct Refused(pub(super) Option<Outcome>);

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
    /// Rolls for chances, in percent, and the pass of each; few have a chance.
    rolls: HashMap<u32, (u32, f64)>,
}

impl Watch {
    /// `refused` is asked once about everybody who was not there.
    pub(super) fn add(&mut self, pass: u32, mut items: Vec<u32>, refused: impl Fn(u32) -> Option<Refused>) {
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
                decision: refused.and_then(|Refused(why)| Some(Decision::new(pass, why?))),
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
            let outcome = watched.decision.as_ref().map(|decision| &decision.outcome);
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

    /// True if a group is taken that somebody lost in an earlier pass.
    pub(super) fn has_lost_before(&self, item: u32, now: &Outcome) -> bool {
        let Outcome::LostGroup { group, how: Contest::Taken { .. } } = now else { return false };
        let place = self.list.binary_search_by_key(&item, |watched| watched.item);
        let decision = place.ok().and_then(|place| self.list.get(place)?.decision.as_ref());
        let before = decision.map(|decision| &decision.outcome);
        matches!(before, Some(Outcome::LostGroup { group: lost, .. }) if lost == group)
    }

    /// Writes down the roll for somebody's chance.
    pub(super) fn rolled(&mut self, item: u32, pass: u32, roll: f64) {
        self.rolls.insert(item, (pass, roll));
    }

    /// Tells more of somebody who stays as they are.
    pub(super) fn note(&mut self, item: u32, pass: u32, outcome: Outcome) {
        self.decide(item, Standing::Open, Decision::new(pass, outcome));
    }

    /// Writes down what became of somebody.
    pub(super) fn decide(&mut self, item: u32, standing: Standing, decision: Decision) {
        if let Ok(place) = self.list.binary_search_by_key(&item, |watched| watched.item)
            && let Some(watched) = self.list.get_mut(place)
        {
            watched.standing = standing;
            watched.decision = Some(decision);
        }
    }

    /// Of each what was decided, and the roll that was made for it.
    pub(super) fn decisions(self) -> impl Iterator<Item = (u32, Decision, Option<f64>)> {
        self.list.into_iter().filter_map(move |watched| {
            let decision = watched.decision?;
            let roll = self.rolls.get(&watched.item).filter(|(pass, _)| *pass == decision.pass);
            let roll = roll.map(|(_, roll)| *roll);
            Some((watched.item, decision, roll))
        })
    }
}
