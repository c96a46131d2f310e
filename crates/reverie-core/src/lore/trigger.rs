//! What sets an entry off in a pass, or keeps it back?

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::dice::Dice;
use super::entry::{Logic, Trigger};
use super::key::{self, Key, Read, Written};
use super::macros;
use super::patience::{Asker, Patience};
use super::pattern::{Form, Pattern, Purse};
use super::rules::{Request, Rules};
use super::scan::Reason;
use super::shelf::Item;
use super::timers::Timed;
use super::why::{By, Outcome};
use super::window::{Origin, View, Window};

/// Below this, something is too weak to come to mind.
const NEAR: f64 = 0.3;
/// Per day.
const USUAL_DECAY: f64 = 0.1;

/// A look at the window in one pass.
pub(super) struct Looking<'a> {
    pub(super) rules: &'a Rules,
    pub(super) request: &'a Request<'a>,
    pub(super) window: &'a Window<'a>,
    pub(super) timed: &'a HashMap<u32, Timed>,
    pub(super) similar: &'a HashMap<u32, f64>,
    pub(super) patience: &'a Patience,
    pub(super) expanded: &'a Expanded,
    pub(super) messages: u32,
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

impl Looking<'_> {
    pub(super) fn is_sticky(&self, index: u32) -> bool {
        self.timed(index).stays()
    }

    fn timed(&self, index: u32) -> Timed {
        self.timed.get(&index).copied().unwrap_or_default()
    }

    /// `index` is where the item stands on the shelf.
    pub(super) fn at(&self, index: u32, item: &Item) -> Result<By, Outcome> {
        let entry = &item.entry;
        let timed = self.timed(index);
        let is_sticky = timed.stays();
        self.check_time(item, timed)?;
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
        if let Some(by) = self.by_nature(item, self.similar.get(&index).copied()) {
            return Ok(by);
        }
        if item.primary.is_empty() {
            let refused = item.refused.clone();
            return Err(refused.map_or(Outcome::NoKeys, |key| Outcome::NotSearched { key }));
        }
        self.by_keys(index, item)
    }

    /// Delays, cooldowns, and the orders about when.
    fn check_time(&self, item: &Item, timed: Timed) -> Result<(), Outcome> {
        let missing = |wanted: Option<u32>| wanted.and_then(|wanted| wanted.checked_sub(self.messages));
        if let Some(missing) = missing(item.entry.delay).filter(|missing| *missing > 0) {
            return Err(Outcome::Delayed { missing });
        }
        if let Some(missing) = missing(item.orders.only_after).filter(|missing| *missing > 0) {
            return Err(Outcome::Delayed { missing });
        }
        if let Some(every) = item.orders.only_every.filter(|every| !self.messages.is_multiple_of(*every)) {
            return Err(Outcome::NotThisTime { every });
        }
        if timed.stays() {
            return Ok(());
        }
        if timed.spent {
            return Err(Outcome::Spent);
        }
        match timed.rests_until {
            Some(end) => Err(Outcome::CoolingDown { left: end.saturating_sub(self.messages) }),
            None => Ok(()),
        }
    }

    fn check_recursion(&self, item: &Item) -> Result<(), Outcome> {
        let level = item.entry.delay_until_recursion;
        let recursion = self.reason == Reason::Recursion;
        if level > 0 && (!recursion || level > self.level) {
            return Err(Outcome::WaitsForRecursion { level });
        }
        if recursion && self.rules.recursive && item.entry.exclude_recursion {
            return Err(Outcome::ExcludedFromRecursion);
        }
        Ok(())
    }

    /// Meaning, topic, time and mood. Weights and age make each weaker; what is too weak sets nothing off.
    fn by_nature(&self, item: &Item, similarity: Option<f64>) -> Option<By> {
        let entry = &item.entry;
        let fresh = self.freshness(item);
        let relevance = entry.relevance_weight.unwrap_or(1.0) * fresh.unwrap_or(1.0);
        if let Some(similarity) = similarity
            .filter(|_| entry.vectorized || entry.trigger == Trigger::Semantic)
            .map(|similarity| similarity * relevance)
            .filter(|similarity| *similarity >= NEAR)
        {
            return Some(By::Similarity(similarity));
        }
        let spoken_of = |topic: &&String| self.request.topics.iter().any(|spoken| same(spoken, topic));
        if let Some(topic) = entry.topics.iter().find(spoken_of).filter(|_| relevance >= NEAR) {
            return Some(By::Topic(topic.clone()));
        }
        match entry.trigger {
            Trigger::Temporal => fresh.map(|_| relevance).filter(|near| *near >= NEAR).map(By::Time),
            Trigger::Emotional => {
                let strength = entry.emotional_weight.unwrap_or(1.0) * fresh.unwrap_or(1.0);
                let is_felt = |emotion: &&String| self.request.mood.iter().any(|mood| same(emotion, mood));
                entry.emotions.iter().find(is_felt).filter(|_| strength >= NEAR).cloned().map(By::Mood)
            }
            Trigger::Keyword | Trigger::Semantic => None,
        }
    }

    /// From 1 for now towards 0; None: it has no time, or the world has none.
    fn freshness(&self, item: &Item) -> Option<f64> {
        let age = (self.request.tick? as f64 - item.entry.tick? as f64).abs() / self.request.ticks_per_day?;
        Some((-item.entry.time_decay.unwrap_or(USUAL_DECAY) * age).exp())
    }

    fn by_keys(&self, index: u32, item: &Item) -> Result<By, Outcome> {
        let Some((key, origin)) =
            item.primary.iter().find_map(|key| Some((key, self.find(key, index, item)?)))
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
            return Ok(By::Key { key: key.text.clone(), origin, secondary: Vec::new() });
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
            true => Ok(By::Key { key: key.text.clone(), origin, secondary }),
            false => Err(Outcome::Secondary { key: key.text.clone(), logic, found: secondary }),
        }
    }

    /// A key that was not looked for to the end.
    fn unsearched(&self, keys: &[Written]) -> Option<String> {
        let is_refused = |number: &u32| {
            matches!(self.expanded.keys.borrow().get(number).map(|read| &**read), Some(Read::Refused(_)))
        };
        let is_unsearched = |written: &&Written| match &written.key {
            Key::Plain(_) => false,
            Key::Pattern { number, .. } => self.patience.has_dropped(*number),
            Key::Macro { number } => self.patience.has_dropped(*number) || is_refused(number),
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
        let usual = item.book_depth.unwrap_or(self.rules.depth).saturating_add(self.further);
        let depth = item.entry.scan_depth.unwrap_or(usual);
        // Nothing at all: not even what other entries say.
        (depth > 0).then_some(View {
            depth,
            sources: item.entry.sources,
            entries: self.reason != Reason::Further,
        })
    }

    fn find(&self, written: &Written, index: u32, item: &Item) -> Option<Origin> {
        let view = self.view(item)?;
        let whole_words = item.entry.whole_words.unwrap_or(self.rules.whole_words);
        // Patterns see the text as a whole. Where they were found is looked up only for those who ask.
        let asker = |number| Asker { number, item: index, key: &written.text };
        let search = |pattern: &Pattern, number| {
            let text = || self.window.text(view, pattern.form());
            let is_found = self.patience.search(pattern, text, asker(number));
            is_found.then(|| self.locate(view, |part| self.patience.finds_again(pattern, part)))
        };
        match &written.key {
            Key::Plain(key) => self.window.find(*key, view, whole_words),
            Key::Pattern { pattern, number, needs } => {
                let may_be_there = needs.is_empty() || needs.iter().any(|key| self.window.has(*key));
                may_be_there.then(|| search(pattern, *number)).flatten()
            }
            Key::Macro { number } => match &*self.expanded(written, *number, index, item) {
                Read::Plain(plain) | Read::Wrong(plain, _) => {
                    let folding = item.reading.folding;
                    let text = self
                        .patience
                        .read(|| self.window.text(view, Form::folded(folding)), asker(*number))?;
                    let is_in = |text: &str| plain.is_in(&folding.fold(text), whole_words);
                    plain.is_in(&text, whole_words).then(|| self.locate(view, is_in))
                }
                Read::Pattern(pattern) => search(pattern, *number),
                Read::Nothing | Read::Macro | Read::Refused(_) => None,
            },
        }
    }

    fn locate(&self, view: View, test: impl Fn(&str) -> bool) -> Origin {
        let wanted = self.request.explain.then(|| self.window.locate(view, test));
        wanted.flatten().unwrap_or(Origin::Several)
    }

    fn expanded(&self, written: &Written, number: u32, index: u32, item: &Item) -> Rc<Read> {
        let read = || {
            let text = macros::expand(&written.text, &self.request.names, &mut Dice::new(0));
            let read = item.reading.read_expanded(&text, &mut self.expanded.purse.borrow_mut());
            let told = match &read {
                Read::Refused(why) => Some(format!("is not looked for: {why}")),
                Read::Wrong(_, why) => Some(format!("is looked for as plain text: {why}")),
                _ => None,
            };
            if let Some(why) = told {
                self.patience.tell(Asker { number, item: index, key: &written.text }, why);
            }
            Rc::new(read)
        };
        Rc::clone(self.expanded.keys.borrow_mut().entry(number).or_insert_with(read))
    }
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
