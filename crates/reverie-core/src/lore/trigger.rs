//! What sets an entry off in a pass, or keeps it back?

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::dice::Dice;
use super::entry::Logic;
use super::hearing;
use super::key::{self, Key, Read, Written};
use super::macros;
use super::nature;
use super::nearest::Nearest;
use super::origin::{Spot, View};
use super::patience::{Asker, Patience};
use super::pattern::{Form, Pattern, Purse};
use super::rules::{Request, Rules};
use super::scan::Reason;
use super::shelf::Item;
use super::timers::Timed;
use super::why::{By, Outcome};
use super::window::Window;

/// What all looks of a search share.
pub(super) struct Ground<'s, 'r> {
    pub(super) rules: &'r Rules,
    pub(super) request: &'r Request<'r>,
    pub(super) window: Window<'s>,
    pub(super) timed: HashMap<u32, Timed>,
    pub(super) similar: Nearest,
    pub(super) patience: Patience,
    pub(super) expanded: Expanded,
    pub(super) messages: u32,
}

/// A look at the window in one pass.
pub(super) struct Looking<'g, 's, 'r> {
    pub(super) ground: &'g Ground<'s, 'r>,
    pub(super) reason: Reason,
    /// Delayed entries up to this level may come.
    pub(super) level: u32,
    /// Messages searched beyond the usual depth.
    pub(super) further: u32,
}

/// Keys that name somebody, as they are read when it is known who: the same in every pass.
pub(super) struct Expanded {
    keys: RefCell<HashMap<u32, Rc<Read>>>,
    purse: RefCell<Purse>,
}

impl Default for Expanded {
    fn default() -> Self {
        Self { keys: RefCell::default(), purse: RefCell::new(Purse::for_scan()) }
    }
}

impl Looking<'_, '_, '_> {
    pub(super) fn is_sticky(&self, index: u32) -> bool {
        self.timed(index).stays()
    }

    fn timed(&self, index: u32) -> Timed {
        self.ground.timed.get(&index).copied().unwrap_or_default()
    }

    /// `index` is where the item stands on the shelf.
    pub(super) fn at(&self, index: u32, item: &Item) -> Result<By, Outcome> {
        let entry = &item.entry;
        let timed = self.timed(index);
        let is_sticky = timed.stays();
        timed.check(item, self.ground.messages)?;
        if !is_sticky {
            self.check_recursion(item)?;
        }
        match item.orders.activate {
            Some(true) => return Ok(By::Order),
            Some(false) => return Err(Outcome::Forbidden),
            None => {}
        }
        if entry.constant {
            return Ok(By::Constant);
        }
        if is_sticky {
            return Ok(By::Sticky);
        }
        if let Some(by) = nature::set_off(entry, self.ground.request, self.ground.similar.of(index)) {
            return Ok(by);
        }
        if item.primary.is_empty() {
            let refused = item.refused.clone();
            return Err(refused.map_or(Outcome::NoKeys, |key| Outcome::NotSearched { key }));
        }
        self.by_keys(index, item)
    }

    fn check_recursion(&self, item: &Item) -> Result<(), Outcome> {
        let level = item.entry.delay_until_recursion;
        let recursion = self.reason == Reason::Recursion;
        if level > 0 && (!recursion || level > self.level) {
            return Err(Outcome::WaitsForRecursion { level });
        }
        if recursion && self.ground.rules.recursive && item.entry.exclude_recursion {
            return Err(Outcome::ExcludedFromRecursion);
        }
        Ok(())
    }

    fn by_keys(&self, index: u32, item: &Item) -> Result<By, Outcome> {
        let Some((key, spot)) = item.primary.iter().find_map(|key| Some((key, self.find(key, index, item)?)))
        else {
            let refused = || item.refused.clone();
            let unsearched = self.unsearched(&item.primary).or_else(refused);
            return Err(unsearched.map_or(Outcome::NoKeyFound, |key| Outcome::NotSearched { key }));
        };
        let found = |keys: &[Written]| -> Vec<String> {
            let found = keys.iter().filter(|key| self.find(key, index, item).is_some());
            found.map(|key| key.text.clone()).collect()
        };
        if let Some(by) = found(&item.excluded).pop() {
            return Err(Outcome::ExcludedBy { key: key.text.clone(), by });
        }
        if found(&item.additional).is_empty() && !item.additional.is_empty() {
            if let Some(key) = self.unsearched(&item.additional) {
                return Err(Outcome::NotSearched { key });
            }
            return Err(Outcome::Secondary {
                key: key.text.clone(),
                logic: Logic::AndAny,
                found: Vec::new(),
            });
        }
        if !item.entry.selective || item.entry.secondary_keys.is_empty() {
            return Ok(self.by_key(key, spot, Vec::new()));
        }
        let secondary = found(&item.secondary);
        let all = secondary.len() == item.entry.secondary_keys.len();
        let logic = item.entry.logic;
        let is_met = match logic {
            Logic::AndAny => !secondary.is_empty(),
            Logic::NotAll => !all,
            Logic::NotAny => secondary.is_empty(),
            Logic::AndAll => all,
        };
        let wants_more = matches!(logic, Logic::AndAny | Logic::AndAll);
        if let Some(key) = self.unsearched(&item.secondary).filter(|_| !is_met && wants_more) {
            return Err(Outcome::NotSearched { key });
        }
        match is_met {
            true => Ok(self.by_key(key, spot, secondary)),
            false => Err(Outcome::Secondary { key: key.text.clone(), logic, found: secondary }),
        }
    }

    fn by_key(&self, written: &Written, spot: Spot, secondary: Vec<String>) -> By {
        let window = &self.ground.window;
        let at = if self.ground.request.explain { window.at(spot) } else { None };
        By::Key { key: written.text.clone(), origin: window.origin(spot), at, secondary }
    }

    /// A key that was not looked for to the end.
    fn unsearched(&self, keys: &[Written]) -> Option<String> {
        let is_refused = |number: &u32| {
            matches!(
                self.ground.expanded.keys.borrow().get(number).map(|read| &**read),
                Some(Read::Refused(_))
            )
        };
        let is_unsearched = |written: &&Written| match &written.key {
            Key::Plain(_) => false,
            Key::Pattern { number, .. } => self.ground.patience.has_dropped(*number),
            Key::Macro { number } => self.ground.patience.has_dropped(*number) || is_refused(number),
        };
        keys.iter().find(is_unsearched).map(|written| key::short(&written.text))
    }

    /// How many of its keys are in the text: what a group is decided by, where it is scored.
    pub(super) fn score(&self, index: u32, item: &Item) -> u32 {
        let count =
            |keys: &[Written]| keys.iter().filter(|key| self.find(key, index, item).is_some()).count() as u32;
        let primary = count(&item.primary);
        if item.primary.is_empty() || item.secondary.is_empty() {
            return primary;
        }
        let secondary = count(&item.secondary);
        match item.entry.logic {
            Logic::AndAny => primary + secondary,
            Logic::AndAll if secondary as usize == item.entry.secondary_keys.len() => primary + secondary,
            _ => primary,
        }
    }

    fn view(&self, item: &Item) -> Option<View> {
        let usual = item.book_depth.unwrap_or(self.ground.rules.depth).saturating_add(self.further);
        let depth = item.entry.scan_depth.unwrap_or(usual);
        // Nothing at all: not even what other entries say.
        (depth > 0).then_some(View {
            depth,
            sources: item.entry.sources,
            entries: self.reason != Reason::Further,
        })
    }

    fn find(&self, written: &Written, index: u32, item: &Item) -> Option<Spot> {
        let view = self.view(item)?;
        let whole_words = item.entry.whole_words.unwrap_or(self.ground.rules.whole_words);
        // Patterns see the text as a whole. Where they were found is looked up only for those who ask.
        let asker = |number| Asker { number, item: index, key: &written.text };
        let search = |pattern: &Pattern, number| {
            let text = || self.ground.window.text(view, pattern.form());
            let is_found = self.ground.patience.search(pattern, text, asker(number));
            is_found.then(|| self.locate(view, |part| self.ground.patience.finds_again(pattern, part)))
        };
        match &written.key {
            Key::Plain(key) => self.ground.window.find(*key, view, whole_words),
            Key::Pattern { pattern, number, needs } => {
                let may_be_there = needs.is_empty() || needs.iter().any(|key| self.ground.window.has(*key));
                may_be_there.then(|| search(pattern, *number)).flatten()
            }
            Key::Macro { number } => match &*self.expanded(written, *number, index, item) {
                Read::Plain(plain) | Read::Wrong(plain, _) => {
                    let folding = item.reading.folding;
                    let text = self
                        .ground
                        .patience
                        .read(|| self.ground.window.text(view, Form::folded(folding)), asker(*number))?;
                    let is_in = |text: &str| plain.is_in(&folding.fold(text), whole_words);
                    plain.is_in(&text, whole_words).then(|| self.locate(view, is_in))
                }
                Read::Pattern(pattern) => search(pattern, *number),
                Read::Nothing | Read::Macro | Read::Refused(_) => None,
            },
        }
    }

    fn locate(&self, view: View, test: impl Fn(&str) -> bool) -> Spot {
        let wanted = self.ground.request.explain.then(|| self.ground.window.locate(view, test));
        wanted.flatten().unwrap_or(Spot::Several)
    }

    fn expanded(&self, written: &Written, number: u32, index: u32, item: &Item) -> Rc<Read> {
        let read = || {
            let text =
                macros::expand(&written.text, &hearing::names(item, self.ground.request), &mut Dice::new(0));
            let read = item.reading.read_expanded(&text, &mut self.ground.expanded.purse.borrow_mut());
            let told = match &read {
                Read::Refused(why) => Some(format!("is not looked for: {why}")),
                Read::Wrong(_, why) => Some(format!("is looked for as plain text: {why}")),
                _ => None,
            };
            if let Some(why) = told {
                self.ground.patience.tell(Asker { number, item: index, key: &written.text }, why);
            }
            Rc::new(read)
        };
        Rc::clone(self.ground.expanded.keys.borrow_mut().entry(number).or_insert_with(read))
    }
}
