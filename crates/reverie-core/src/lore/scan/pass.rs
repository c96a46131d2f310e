//! Who becomes active in one pass?
//!
//! Everybody is looked at, then groups decide, then rolls, then the budget.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Active, MOST_MACRO_DRAWS, Pass, Scan};
use crate::lore::dice::Draw;
use crate::lore::groups::{self, Candidate};
use crate::lore::hearing;
use crate::lore::macros::{self, Own};
use crate::lore::shelf::{Item, Problem};
use crate::lore::trigger::Looking;
use crate::lore::watch::{Decision, Standing};
use crate::lore::why::{By, Outcome};

/// Someone who was set off in a pass.
struct SetOff {
    item: u32,
    by: By,
    is_sticky: bool,
}

/// Someone whose content the next pass searches.
pub(super) struct Found {
    pub(super) item: u32,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// Of the active entry at this place.
    Active(usize),
    /// Of one that did not fit.
    LeftOut(String),
}

impl Scan<'_, '_> {
    /// One look at everything. Gives back whose contents may be searched next.
    pub(super) fn pass(&mut self, pass: Pass, draw: &mut dyn FnMut(Draw) -> f64) -> Vec<Found> {
        let Pass { number, reason, level, further } = pass;
        let looking = Looking { ground: &self.ground, reason, level, further };
        let mut set_off = Vec::new();
        for watched in self.watch.open() {
            let Some(item) = self.shelf.items.get(watched.item as usize) else { continue };
            match looking.at(watched.item, item) {
                Ok(by) => {
                    let is_sticky = looking.is_sticky(watched.item);
                    set_off.push(SetOff { item: watched.item, by, is_sticky });
                }
                Err(outcome) => watched.decision = Some(Decision::new(number, outcome)),
            }
        }
        self.quiet = if set_off.is_empty() { self.quiet + 1 } else { 0 };
        if set_off.iter().any(|set_off| set_off.is_sticky) {
            set_off.sort_by_key(|set_off| !set_off.is_sticky);
        }
        let lost = self.contests(&set_off, &looking, draw);
        if !lost.is_empty() {
            set_off.retain(|set_off| !lost.contains_key(&set_off.item));
            for (item, outcome) in lost {
                // Who lost before is told how, not that it is still so.
                if !self.watch.has_lost_before(item, &outcome) {
                    self.watch.decide(item, Standing::Open, Decision::new(number, outcome));
                }
            }
        }
        self.admit(number, set_off, draw)
    }

    fn contests(
        &self,
        set_off: &[SetOff],
        looking: &Looking<'_, '_, '_>,
        draw: &mut dyn FnMut(Draw) -> f64,
    ) -> HashMap<u32, Outcome> {
        let members: Vec<Candidate<'_>> = set_off
            .iter()
            .filter_map(|set_off| Some((set_off, self.item(set_off.item)?)))
            .filter(|(_, item)| !item.entry.groups.is_empty())
            .map(|(set_off, item)| Candidate {
                item: set_off.item,
                id: &item.entry.id,
                groups: &item.entry.groups,
                order: item.entry.order,
                preferred: item.entry.group_override,
                weight: item.entry.group_weight,
                is_scored: item.entry.group_scoring.unwrap_or(self.ground.rules.group_scoring),
                is_sticky: set_off.is_sticky,
            })
            .collect();
        if members.is_empty() {
            return HashMap::new();
        }
        let only_group = |item: u32| {
            let entry = &self.item(item)?.entry;
            match entry.groups.as_slice() {
                [only] => Some((only.as_str(), &entry.id)),
                _ => None,
            }
        };
        let taken = self.watch.active().filter_map(only_group).collect();
        let score = |item: u32| self.item(item).map_or(0, |found| looking.score(item, found));
        groups::decide(&members, &taken, score, &mut || draw(Draw::Roll))
    }

    /// Rolls, then the budget: after the first that does not fit only those come that ignore it. Those who give way when
    /// it is short come last.
    fn admit(
        &mut self,
        pass: u32,
        mut set_off: Vec<SetOff>,
        draw: &mut dyn FnMut(Draw) -> f64,
    ) -> Vec<Found> {
        self.budget.begin_pass();
        if self.shelf.gives_way {
            set_off.sort_by_key(|set_off| {
                self.item(set_off.item).is_some_and(|item| item.orders.ignore_on_max_context)
            });
        }
        let mut found = Vec::with_capacity(set_off.len());
        for SetOff { item: index, by, is_sticky } in set_off {
            let Some(item) = self.item(index) else { continue };
            let entry = &item.entry;
            if self.budget.is_closed_to(item) {
                let too_late = self.budget.too_late(&entry.content);
                self.watch.decide(index, Standing::Open, Decision::new(pass, too_late));
                found.push(Found { item: index, content: Content::LeftOut(entry.content.clone()) });
                continue;
            }
            let chance = entry.probability.filter(|chance| *chance != 100.0 && !is_sticky);
            if let Some(chance) = chance {
                let roll = draw(Draw::Roll) * 100.0;
                self.watch.rolled(index, pass, roll);
                if roll > chance {
                    self.watch.decide(index, Standing::Unlucky, Decision::new(pass, Outcome::Unlucky));
                    continue;
                }
            }
            let content = self.spell_out(item, draw);
            if let Err(outcome) = self.budget.take(item, &content) {
                self.watch.decide(index, Standing::Open, Decision::new(pass, outcome));
                if !item.orders.ignore_on_max_context {
                    found.push(Found { item: index, content: Content::LeftOut(content) });
                }
                continue;
            }
            self.watch.decide(index, Standing::Active, Decision::new(pass, Outcome::Active(by)));
            found.push(Found { item: index, content: Content::Active(self.active.len()) });
            let known_by = hearing::known_by(item, self.ground.request);
            self.active.push(item.active(content, known_by));
        }
        found
    }
}

impl Scan<'_, '_> {
    /// The content with its macros expanded.
    fn spell_out(&mut self, item: &Item, draw: &mut dyn FnMut(Draw) -> f64) -> String {
        let names = hearing::names(item, self.ground.request);
        let (dice, left) = (&mut self.dice, &mut self.macro_draws);
        let mut is_over = false;
        let content = macros::expand_drawing(&item.entry.content, &names, &mut |own| {
            let Some(fewer) = left.checked_sub(1) else {
                is_over = true;
                return None;
            };
            *left = fewer;
            let own = match own {
                Own::Next => dice.draw(),
                Own::Fixed(own) => own,
            };
            Some(draw(Draw::Macro(own)))
        });
        if is_over {
            let message = format!(
                "macros are left as they are written: one search draws for at most {MOST_MACRO_DRAWS}"
            );
            self.cut.get_or_insert(item.problem(message));
        }
        content
    }
}

impl Item {
    fn problem(&self, message: String) -> Problem {
        Problem { book: Arc::clone(&self.book), entry: Arc::clone(&self.entry.id), message }
    }

    fn active(&self, content: String, known_by: Vec<String>) -> Active {
        let entry = &self.entry;
        Active {
            book: Arc::clone(&self.book),
            entry: Arc::clone(&entry.id),
            comment: entry.comment.clone(),
            content,
            constant: entry.constant,
            position: entry.position,
            depth: entry.depth,
            role: entry.role,
            outlet: entry.outlet.clone(),
            order: entry.order,
            known_by,
        }
    }
}
