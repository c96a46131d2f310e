//! What sets an entry off in a pass, or keeps it back?

use super::entry::{Logic, Trigger};
use super::key::{Key, Read, Written};
use super::macros;
use super::pattern::Search;
use super::rules::{Request, Rules};
use super::scan::Reason;
use super::shelf::Item;
use super::timers::{Kind, Timers};
use super::why::{By, Outcome};
use super::window::{Origin, View, Window};
use crate::lore::dice::Dice;

/// Below this, something is too long ago.
const NEAR: f64 = 0.3;

/// A look at the window in one pass.
pub(super) struct Looking<'a> {
    pub(super) rules: &'a Rules,
    pub(super) request: &'a Request<'a>,
    pub(super) window: &'a Window<'a>,
    pub(super) timers: &'a Timers,
    pub(super) messages: u32,
    pub(super) reason: Reason,
    /// Delayed entries up to this level may come.
    pub(super) level: u32,
    /// Messages searched beyond the usual depth.
    pub(super) further: u32,
}

impl Looking<'_> {
    pub(super) fn is_sticky(&self, item: &Item) -> bool {
        [Kind::Sticky, Kind::Kept]
            .into_iter()
            .any(|kind| self.timers.find(kind, &item.book, &item.entry.id).is_some())
    }

    pub(super) fn at(&self, item: &Item, similarity: Option<f64>) -> Result<By, Outcome> {
        let entry = &item.entry;
        let is_sticky = self.is_sticky(item);
        self.check_time(item, is_sticky)?;
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
        if let Some(by) = self.by_nature(item, similarity) {
            return Ok(by);
        }
        if item.primary.is_empty() {
            return Err(Outcome::NoKeys);
        }
        self.by_keys(item)
    }

    /// Delays, cooldowns, and the orders about when.
    fn check_time(&self, item: &Item, is_sticky: bool) -> Result<(), Outcome> {
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
        if is_sticky {
            return Ok(());
        }
        let timer = |kind| self.timers.find(kind, &item.book, &item.entry.id);
        if timer(Kind::Spent).is_some() {
            return Err(Outcome::Spent);
        }
        match timer(Kind::Cooldown) {
            Some(timer) => Err(Outcome::CoolingDown { left: timer.end.saturating_sub(self.messages) }),
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

    /// Meaning, time and mood.
    fn by_nature(&self, item: &Item, similarity: Option<f64>) -> Option<By> {
        let entry = &item.entry;
        if let Some(similarity) =
            similarity.filter(|_| entry.vectorized || entry.trigger == Trigger::Semantic)
        {
            return Some(By::Similarity(similarity));
        }
        match entry.trigger {
            Trigger::Temporal => {
                let age =
                    (self.request.tick? as f64 - entry.tick? as f64).abs() / self.request.ticks_per_day?;
                let near =
                    entry.relevance_weight.unwrap_or(1.0) * (-entry.time_decay.unwrap_or(0.1) * age).exp();
                (near >= NEAR).then_some(By::Time(near))
            }
            Trigger::Emotional => {
                let mood = self.request.mood.iter();
                let felt =
                    mood.flat_map(|mood| entry.emotions.iter().filter(move |emotion| same(emotion, mood)));
                felt.into_iter().next().cloned().map(By::Mood)
            }
            Trigger::Keyword | Trigger::Semantic => None,
        }
    }

    fn by_keys(&self, item: &Item) -> Result<By, Outcome> {
        let Some((key, origin)) = item.primary.iter().find_map(|key| Some((key, self.find(key, item)?)))
        else {
            return Err(Outcome::NoKeyFound);
        };
        let found = |keys: &[Written]| -> Vec<String> {
            let found = keys.iter().filter(|key| self.find(key, item).is_some());
            found.map(|key| key.text.clone()).collect()
        };
        if let Some(by) = found(&item.excluded).pop() {
            return Err(Outcome::ExcludedBy { key: key.text.clone(), by });
        }
        if found(&item.additional).is_empty() && !item.additional.is_empty() {
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
        match is_met {
            true => Ok(By::Key { key: key.text.clone(), origin, secondary }),
            false => Err(Outcome::Secondary { key: key.text.clone(), logic, found: secondary }),
        }
    }

    /// How many of its keys are in the text: what a group is decided by, where it is scored.
    pub(super) fn score(&self, item: &Item) -> u32 {
        let count =
            |keys: &[Written]| keys.iter().filter(|key| self.find(key, item).is_some()).count() as u32;
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
        let usual = item.book_depth.unwrap_or(self.rules.depth) + self.further;
        let depth = item.entry.scan_depth.unwrap_or(usual);
        // Nothing at all: not even what other entries say.
        (depth > 0).then_some(View {
            depth,
            sources: item.entry.sources,
            entries: self.reason != Reason::Further,
        })
    }

    fn find(&self, written: &Written, item: &Item) -> Option<Origin> {
        let view = self.view(item)?;
        let whole_words = item.entry.whole_words.unwrap_or(self.rules.whole_words);
        match &written.key {
            Key::Plain(key) => self.window.find(*key, view, whole_words),
            Key::Pattern(pattern) => self.search(|text| pattern.search(text), view),
            Key::Macro(text) => {
                let expanded = macros::expand(text, &self.request.names, &mut Dice::new(0));
                match item.reading.read_expanded(&expanded) {
                    Read::Plain(plain) | Read::Wrong(plain, _) => {
                        let text = self.window.text(view, Some(item.reading.folding));
                        plain.is_in(&text, whole_words).then_some(Origin::Message(0))
                    }
                    Read::Pattern(pattern) => self.search(|text| pattern.search(text), view),
                    Read::Nothing | Read::Macro(_) => None,
                }
            }
        }
    }

    /// Patterns see the text as a whole, so it cannot be said which part it was.
    fn search(&self, search: impl Fn(&str) -> Search, view: View) -> Option<Origin> {
        (search(&self.window.text(view, None)) == Search::Found).then_some(Origin::Message(0))
    }
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
