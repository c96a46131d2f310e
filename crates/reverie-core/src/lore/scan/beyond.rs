//! Who would have been set off if the search had not ended early?
//!
//! Only for those who ask why: one who was never reached is told so, instead of that none of its keys was found. Nobody becomes
//! active here, nothing is drawn, and the steps taken are not counted.

use super::pass::{Content, Found};
use super::{Pass, Reason, Scan};
use crate::lore::patience::Patience;
use crate::lore::trigger::Looking;
use crate::lore::why::{By, Outcome, Stop};

/// How far chains of entries that set each other off are followed.
const MOST_ROUNDS: u32 = 16;

impl Scan<'_, '_> {
    /// `found` is what the last pass brought, of which nothing was searched.
    pub(super) fn tell_unreached(&mut self, stop: Stop, last: Pass, found: Vec<Found>) {
        if !self.ground.request.explain || last.reason == Reason::Further {
            return;
        }
        let spent = std::mem::replace(&mut self.ground.patience, Patience::new(self.ground.rules.most_steps));
        let mut found = found;
        for _ in 0..MOST_ROUNDS {
            self.search_contents(last.number, found);
            let reached = self.unreached(last);
            if reached.is_empty() {
                break;
            }
            found = reached.iter().filter_map(|(item, _)| self.raw(*item)).collect();
            for (item, by) in reached {
                self.watch.note(item, last.number, Outcome::NotReached { stop, by: Box::new(by) });
            }
        }
        self.ground.patience = spent;
    }

    /// Those that nothing but the end of the search has kept back.
    fn unreached(&self, last: Pass) -> Vec<(u32, By)> {
        let level = self.shelf.levels.last().copied().unwrap_or(0);
        let looking =
            Looking { ground: &self.ground, reason: Reason::Recursion, level, further: last.further };
        let silent = self.watch.silent().filter_map(|index| Some((index, self.item(index)?)));
        silent.filter_map(|(index, item)| Some((index, looking.at(index, item).ok()?))).collect()
    }

    fn raw(&self, item: u32) -> Option<Found> {
        let content = self.item(item).filter(|found| self.feeds(item) && !found.entry.content.is_empty())?;
        Some(Found { item, content: Content::LeftOut(content.entry.content.clone()) })
    }
}
