//! How far back does a search look when too few entries are active, and when has it looked long enough?

use std::sync::Arc;

use super::{Pass, Reason, Scan};
use crate::lore::key::Key;
use crate::lore::scan::pass::Found;
use crate::lore::shelf::{Item, Problem};
use crate::lore::window::DEEPEST;

/// Passes that every search may take, and those that only a cheap one may.
const USUAL_PASSES: u32 = 200;
const MOST_PASSES: u32 = 2_000;
/// What a search may have cost to go on beyond the usual: things looked at, and bytes read for single keys.
const MOST_LOOKS: usize = 8 << 20;
const MOST_READ: usize = 64 << 20;

/// There is nothing more to search; so many messages more than usual were.
struct AllSearched {
    further: u32,
}

impl Scan<'_, '_> {
    /// Widens the search. False: everything is searched that may be.
    pub(super) fn goes_further(&mut self, pass: &mut Pass) -> bool {
        let before = pass.further;
        let next = self.next_further(*pass);
        let goes_on = next.is_ok();
        pass.further = next.unwrap_or_else(|AllSearched { further }| further);
        // Those that were leapt over would have brought nothing, and are counted like others that bring nothing.
        let leapt = (pass.further - before).saturating_sub(u32::from(goes_on)) as usize;
        let passes = if self.ground.rules.recursive { 2 } else { 1 };
        self.budget.pass_over(leapt * passes);
        goes_on
    }

    /// How many messages more than usual the next pass searches: the next one, or the next in which something stands that
    /// could set somebody off. If there is none, all that may be searched are, for whatever follows.
    fn next_further(&mut self, pass: Pass) -> Result<u32, AllSearched> {
        let depth = self.ground.rules.depth.saturating_add(pass.further);
        let most = match self.ground.rules.min_activations_depth_max {
            0 => u32::MAX,
            most => most,
        };
        let messages = u32::try_from(self.ground.request.messages.len()).unwrap_or(u32::MAX).min(most);
        if depth > messages {
            return Err(AllSearched { further: pass.further });
        }
        let last = messages.min(DEEPEST).saturating_add(1).saturating_sub(self.ground.rules.depth);
        let found = if depth > DEEPEST { None } else { self.next_that_matters(pass, last) };
        if found.is_none() && messages > DEEPEST {
            let message = format!("no search for more entries looks further back than {DEEPEST} messages");
            self.tell_cut(None, message);
        }
        found.ok_or(AllSearched { further: last.max(pass.further) })
    }

    fn next_that_matters(&self, pass: Pass, last: u32) -> Option<u32> {
        let next = pass.further + 1;
        // Two in a row: one for more messages, and one with what was found before. Where passes are counted, all count.
        let was_quiet = self.quiet >= 2 || (self.quiet == 1 && pass.number == 1);
        // The first message more changes what entries say to each other, whatever stands in it: it opens their eyes where
        // the depth is 0, and a pass follows in which those may come that wait for recursion.
        let may_say_more = self.ground.rules.recursive || !self.shelf.levels.is_empty();
        let is_quiet = was_quiet && !(pass.further == 0 && may_say_more);
        if !is_quiet || self.ground.rules.max_recursion_steps > 0 {
            return Some(next);
        }
        let open = self.watch.still_open().filter_map(|index| self.item(index));
        let wanted = open.filter_map(|item| self.next_for(item, pass.further)).min()?;
        (wanted <= last).then_some(wanted)
    }

    /// With how many more messages a quiet entry might be set off.
    fn next_for(&self, item: &Item, further: u32) -> Option<u32> {
        let is_there = |key: &u32| self.ground.window.has(*key);
        let may_be_there = |key: &Key| key.awaited().is_empty() || key.awaited().iter().any(is_there);
        if item.entry.scan_depth.is_some() || !item.primary.iter().any(|written| may_be_there(&written.key)) {
            return None;
        }
        let usual = item.book_depth.unwrap_or(self.ground.rules.depth);
        let seen = usual.saturating_add(further);
        let lists = [&item.primary, &item.secondary, &item.additional, &item.excluded];
        let keys = lists.into_iter().flatten().map(|written| &written.key);
        let next = keys.filter_map(|key| match key {
            Key::Plain(key) => Some(self.ground.window.next_message(*key, seen)? + 1 - usual),
            // What such a key sees as a whole changes with every message.
            _ => may_be_there(key).then_some(further + 1),
        });
        next.min()
    }

    /// True if there must not be another pass, whatever its rules say; then somebody is told.
    pub(super) fn is_cut(&mut self, next: Pass, found: &[Found]) -> bool {
        let number = next.number;
        let looks = (self.shelf.always.len() + self.ground.window.hits()).saturating_mul(number as usize);
        let is_cheap = looks <= MOST_LOOKS && self.ground.patience.bytes_read() <= MOST_READ;
        if number < USUAL_PASSES || (number < MOST_PASSES && is_cheap) {
            return false;
        }
        let what = match next.reason {
            Reason::Further => "messages further back were not searched",
            _ => "what this entry says was not searched for more keys",
        };
        self.tell_cut(found.first(), format!("the search was cut after {number} passes: {what}"));
        true
    }

    fn tell_cut(&mut self, found: Option<&Found>, message: String) {
        let item = found.and_then(|found| self.item(found.item));
        let (book, entry) = match item {
            Some(item) => (Arc::clone(&item.book), Arc::clone(&item.entry.id)),
            None => (Arc::from(""), Arc::from("")),
        };
        self.cut.get_or_insert(Problem { book, entry, message });
    }
}
