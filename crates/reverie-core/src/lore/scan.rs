//! Which entries become active, pass by pass?
//!
//! A pass looks at every entry that something speaks of, lets groups and rolls decide, and fills the budget. What became
//! active is searched in the next pass; when nothing follows, more messages or the next level of delayed entries may.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::admission;
use super::dice::Dice;
use super::entry::Position;
use super::fold::Folding;
use super::groups::{self, Candidate};
use super::macros;
use super::rules::{Meter, Request, Rules};
use super::shelf::{Item, Shelf};
use super::timers::{Kind, Timers, Timing};
use super::trigger::Looking;
use super::why::{By, Outcome, Verdict};
use super::window::{Origin, Window};
use crate::perspective::Role;

/// No search looks further back.
const DEEPEST: u32 = 1000;
/// Passes that a search may take, whatever its rules say.
const MOST_PASSES: u32 = 200;

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Activation {
    /// In the order in which they became active.
    pub active: Vec<Active>,
    /// The branch's timers as they are when the answer is recorded.
    pub timers: Timers,
    /// For every entry if asked for, else for the active ones.
    pub verdicts: Vec<Verdict>,
    pub budget: usize,
    /// True if an entry did not fit.
    pub is_over_budget: bool,
}

/// An entry that belongs into the prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Active {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    pub comment: String,
    /// With its macros expanded.
    pub content: String,
    pub constant: bool,
    pub position: Position,
    pub depth: u32,
    pub role: Role,
    pub outlet: String,
    pub order: i64,
}

/// Why there is another pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Start,
    Recursion,
    /// More messages, because too few entries are active.
    Further,
}

pub fn scan(
    shelf: &Shelf,
    rules: &Rules,
    request: &Request<'_>,
    timers: Timers,
    meter: Meter,
    draw: &mut dyn FnMut() -> f64,
) -> Activation {
    Scan::new(shelf, rules, request, timers, meter).run(draw)
}

struct Scan<'s, 'r> {
    shelf: &'s Shelf,
    rules: &'r Rules,
    request: &'r Request<'r>,
    meter: Meter,
    messages: u32,
    window: Window<'s>,
    timers: Timers,
    similar: HashMap<u32, f64>,
    /// Whom to look at.
    watched: BTreeSet<u32>,
    refused: HashMap<u32, Option<Outcome>>,
    active: BTreeMap<u32, usize>,
    list: Vec<Active>,
    unlucky: HashSet<u32>,
    verdicts: BTreeMap<u32, (u32, Outcome)>,
    budget: usize,
    over: bool,
    /// Length of what earlier passes brought into the search.
    searched: usize,
    book_lengths: HashMap<Arc<str>, usize>,
    dice: Dice,
}

impl<'s, 'r> Scan<'s, 'r> {
    fn new(
        shelf: &'s Shelf,
        rules: &'r Rules,
        request: &'r Request<'r>,
        mut timers: Timers,
        meter: Meter,
    ) -> Self {
        let messages = request.message_count.unwrap_or(request.messages.len() as u32);
        timers.advance(messages, |timer| {
            let item = shelf.items.get(shelf.find(&timer.book, &timer.entry)? as usize)?;
            Some(Timing { sticky: item.entry.sticky, cooldown: item.entry.cooldown })
        });
        let folding =
            |case| Folding { case, width: rules.spelling.fold_width, script: rules.spelling.fold_script };
        let mut window = Window::new(shelf, (folding(true), folding(false)));
        let keys = window.add(texts(shelf, rules, request));
        let mut watched: BTreeSet<u32> = shelf.always.iter().copied().collect();
        shelf.users_of(keys.into_iter(), &mut watched);
        let similar: HashMap<u32, f64> = request
            .similar
            .iter()
            .filter_map(|(book, entry, score)| Some((shelf.find(book, entry)?, *score)))
            .collect();
        watched.extend(similar.keys());
        watched.extend(timers.list.iter().filter_map(|timer| shelf.find(&timer.book, &timer.entry)));
        if request.explain {
            watched.extend(0..shelf.items.len() as u32);
        }
        let names = [request.names.char.as_str(), request.names.user.as_str()];
        let newest = request.messages.last().map_or("", |(_, text)| text);
        Self {
            shelf,
            rules,
            request,
            meter,
            messages,
            window,
            timers,
            similar,
            watched,
            refused: HashMap::new(),
            active: BTreeMap::new(),
            list: Vec::new(),
            unlucky: HashSet::new(),
            verdicts: BTreeMap::new(),
            budget: rules.budget(request.max_context),
            over: false,
            searched: 0,
            book_lengths: HashMap::new(),
            dice: Dice::for_occasion(&[names[0], names[1], newest, &messages.to_string()]),
        }
    }

    fn run(mut self, draw: &mut dyn FnMut() -> f64) -> Activation {
        let mut levels = self.shelf.levels.iter().copied();
        let mut level = levels.next().unwrap_or(0);
        let mut levels = levels.peekable();
        let mut further = 0;
        let mut reason = Reason::Start;
        let most = match self.rules.max_recursion_steps {
            0 => MOST_PASSES,
            most => most.min(MOST_PASSES),
        };
        for pass in 1..=most {
            let found = self.pass(pass, reason, level, further, draw);
            let recursive = found.iter().any(|(item, _)| self.feeds(*item));
            let too_few = (self.active.len() as u32) < self.rules.min_activations;
            let next = if (recursive && !self.over) || self.can_recurse_again(reason) {
                Some(Reason::Recursion)
            } else if too_few && !self.over && self.can_go_further(further) {
                further += 1;
                Some(Reason::Further)
            } else if let Some(next_level) = levels.next() {
                level = next_level;
                Some(Reason::Recursion)
            } else {
                None
            };
            let Some(next) = next else { break };
            reason = next;
            self.search_contents(pass, found);
        }
        self.finish()
    }

    /// Entries of a pass for more messages are searched only together with what was found before.
    fn can_recurse_again(&self, reason: Reason) -> bool {
        self.rules.recursive && !self.over && reason == Reason::Further && self.searched > 0
    }

    fn can_go_further(&self, further: u32) -> bool {
        let depth = self.rules.depth + further;
        let limit = self.rules.min_activations_depth_max;
        !(limit > 0 && depth > limit) && depth as usize <= self.request.messages.len()
    }

    /// True if the content of an entry may set off others.
    fn feeds(&self, item: u32) -> bool {
        self.item(item).is_some_and(|item| {
            item.book_recursive.unwrap_or(self.rules.recursive) && !item.entry.prevent_recursion
        })
    }

    fn item(&self, index: u32) -> Option<&'s Item> {
        self.shelf.items.get(index as usize)
    }

    /// One look at everything. Gives back who passed the rolls, with the contents.
    fn pass(
        &mut self,
        pass: u32,
        reason: Reason,
        level: u32,
        further: u32,
        draw: &mut dyn FnMut() -> f64,
    ) -> Vec<(u32, String)> {
        let looking = Looking {
            rules: self.rules,
            request: self.request,
            window: &self.window,
            timers: &self.timers,
            messages: self.messages,
            reason,
            level,
            further,
        };
        let mut candidates: Vec<(u32, By)> = Vec::new();
        for index in &self.watched {
            if self.active.contains_key(index) || self.unlucky.contains(index) {
                continue;
            }
            let Some(item) = self.shelf.items.get(*index as usize) else { continue };
            let refused =
                self.refused.entry(*index).or_insert_with(|| admission::refuse(&item.entry, self.request));
            let outcome = match refused {
                Some(outcome) => Err(outcome.clone()),
                None => looking.at(item, self.similar.get(index).copied()),
            };
            match outcome {
                Ok(by) => candidates.push((*index, by)),
                Err(outcome) => {
                    self.verdicts.insert(*index, (pass, outcome));
                }
            }
        }
        let sticky: HashSet<u32> = candidates
            .iter()
            .map(|(index, _)| *index)
            .filter(|index| self.item(*index).is_some_and(|item| looking.is_sticky(item)))
            .collect();
        candidates.sort_by_key(|(index, _)| (!sticky.contains(index), *index));
        let lost: HashMap<u32, Outcome> = self.contests(&candidates, &looking, draw).into_iter().collect();
        candidates.retain(|(index, _)| !lost.contains_key(index));
        self.verdicts.extend(lost.into_iter().map(|(index, outcome)| (index, (pass, outcome))));
        self.admit(pass, candidates, &sticky, draw)
    }

    fn contests(
        &self,
        candidates: &[(u32, By)],
        looking: &Looking<'_>,
        draw: &mut dyn FnMut() -> f64,
    ) -> Vec<(u32, Outcome)> {
        let members: Vec<Candidate<'_>> = candidates
            .iter()
            .filter_map(|(index, _)| Some((*index, self.item(*index)?)))
            .filter(|(_, item)| !item.entry.groups.is_empty())
            .map(|(index, item)| Candidate {
                item: index,
                id: &item.entry.id,
                groups: &item.entry.groups,
                order: item.entry.order,
                preferred: item.entry.group_override,
                weight: item.entry.group_weight,
                is_scored: item.entry.group_scoring.unwrap_or(self.rules.group_scoring),
                is_sticky: looking.is_sticky(item),
            })
            .collect();
        if members.is_empty() {
            return Vec::new();
        }
        let taken: HashSet<&str> = self
            .active
            .keys()
            .filter_map(|index| match self.item(*index)?.entry.groups.as_slice() {
                [only] => Some(only.as_str()),
                _ => None,
            })
            .collect();
        groups::decide(&members, &taken, |index| self.item(index).map_or(0, |item| looking.score(item)), draw)
    }

    /// Rolls, then the budget: after the first that does not fit only those come that ignore it.
    fn admit(
        &mut self,
        pass: u32,
        candidates: Vec<(u32, By)>,
        exempt: &HashSet<u32>,
        draw: &mut dyn FnMut() -> f64,
    ) -> Vec<(u32, String)> {
        let before = self.meter.tokens(self.searched);
        let mut length = 0;
        let mut passed = Vec::with_capacity(candidates.len());
        for (index, by) in candidates {
            let Some(item) = self.item(index) else { continue };
            let entry = &item.entry;
            if self.over && !entry.ignore_budget {
                let needed = before + self.meter.tokens(length + (self.meter.length)(&entry.content));
                self.verdicts.insert(index, (pass, Outcome::OverBudget { needed, budget: self.budget }));
                passed.push((index, entry.content.clone()));
                continue;
            }
            if let Some(chance) =
                entry.probability.filter(|chance| *chance != 100.0 && !exempt.contains(&index))
            {
                let roll = draw() * 100.0;
                if roll > chance {
                    self.unlucky.insert(index);
                    self.verdicts.insert(index, (pass, Outcome::Unlucky { roll, chance }));
                    continue;
                }
            }
            let content = macros::expand(&entry.content, &self.request.names, &mut self.dice);
            passed.push((index, content.clone()));
            let own = (self.meter.length)(&content) + (self.meter.length)("\n");
            length += own;
            let needed = before + self.meter.tokens(length);
            if !entry.ignore_budget && !self.fits(item, own, needed) {
                let budget = self.budget;
                self.verdicts.insert(index, (pass, Outcome::OverBudget { needed, budget }));
                continue;
            }
            self.verdicts.insert(index, (pass, Outcome::Active(by)));
            self.active.insert(index, self.list.len());
            self.list.push(Active {
                book: Arc::clone(&item.book),
                entry: Arc::clone(&entry.id),
                comment: entry.comment.clone(),
                content,
                constant: entry.constant,
                position: entry.position,
                depth: entry.depth,
                role: entry.role,
                outlet: entry.outlet.clone(),
                order: entry.order,
            });
        }
        passed
    }

    /// A book's own budget refuses its entries only; the common one ends the search.
    fn fits(&mut self, item: &Item, own: usize, needed: usize) -> bool {
        if needed >= self.budget {
            self.over = true;
            return false;
        }
        let Some(most) = item.book_budget.filter(|most| *most > 0) else { return true };
        let used = self.book_lengths.entry(Arc::clone(&item.book)).or_default();
        if self.meter.tokens(*used + own) > most as usize {
            return false;
        }
        *used += own;
        true
    }

    /// What a pass brought is searched in the next one.
    fn search_contents(&mut self, pass: u32, found: Vec<(u32, String)>) {
        let mut texts = Vec::with_capacity(found.len());
        for (index, content) in found.into_iter().rev() {
            if self.item(index).is_none_or(|item| item.entry.prevent_recursion) {
                continue;
            }
            self.searched += (self.meter.length)(&content) + (self.meter.length)("\n");
            texts.push((Origin::Entry { pass, item: index }, content));
        }
        let keys = self.window.add(texts);
        self.shelf.users_of(keys.into_iter(), &mut self.watched);
    }

    fn finish(mut self) -> Activation {
        for index in self.active.keys() {
            let Some(item) = self.shelf.items.get(*index as usize) else { continue };
            let entry = &item.entry;
            let for_ever = |is: bool| is.then_some(u32::MAX);
            for (kind, length) in [
                (Kind::Sticky, entry.sticky),
                (Kind::Cooldown, entry.cooldown),
                (Kind::Kept, for_ever(item.orders.keep_after_match)),
                (Kind::Spent, for_ever(item.orders.never_after_match)),
            ] {
                if let Some(length) = length.filter(|length| *length > 0) {
                    self.timers.begin(kind, &item.book, &entry.id, self.messages, length);
                }
            }
        }
        let explain = self.request.explain;
        let verdicts = self
            .verdicts
            .into_iter()
            .filter(|(_, (_, outcome))| explain || matches!(outcome, Outcome::Active(_)))
            .filter_map(|(index, (pass, outcome))| {
                let item = self.shelf.items.get(index as usize)?;
                let (book, entry) = (Arc::clone(&item.book), Arc::clone(&item.entry.id));
                Some(Verdict { book, entry, pass, outcome })
            })
            .collect();
        Activation {
            active: self.list,
            timers: self.timers,
            verdicts,
            budget: self.budget,
            is_over_budget: self.over,
        }
    }
}

/// Messages, newest first, and the other texts that somebody wants searched.
fn texts(shelf: &Shelf, rules: &Rules, request: &Request<'_>) -> Vec<(Origin, String)> {
    let further = match (rules.min_activations, rules.min_activations_depth_max) {
        (0, _) => 0,
        (_, 0) => DEEPEST,
        (_, depth) => depth + 1,
    };
    let depth = rules.depth.max(shelf.deepest).max(further).min(DEEPEST);
    let mut texts: Vec<(Origin, String)> = (0..depth)
        .zip(request.messages.iter().rev())
        .map(|(index, (name, text))| {
            let text = match rules.include_names {
                true => format!("{name}: {text}"),
                false => (*text).to_owned(),
            };
            (Origin::Message(index), text)
        })
        .collect();
    let (wanted, given) = (shelf.sources, request.texts);
    for (origin, is_wanted, text) in [
        (Origin::Persona, wanted.persona, given.persona),
        (Origin::Character, wanted.character, given.character),
        (Origin::Personality, wanted.personality, given.personality),
        (Origin::DepthPrompt, wanted.depth_prompt, given.depth_prompt),
        (Origin::Scenario, wanted.scenario, given.scenario),
        (Origin::CreatorNotes, wanted.creator_notes, given.creator_notes),
    ] {
        if is_wanted && !text.is_empty() {
            texts.push((origin, text.to_owned()));
        }
    }
    texts
}
