//! Which entries become active, pass by pass?
//!
//! A pass looks at every entry that something speaks of, lets groups and rolls decide, and fills the budget. What became
//! active is searched in the next pass; when nothing follows, more messages or the next level of delayed entries may.

mod beyond;
mod further;
mod pass;

use std::sync::Arc;

use super::admission;
use super::budget::Budget;
use super::dice::{Dice, Draw};
use super::entry::Position;
use super::nature::Missing;
use super::nearest::Nearest;
use super::origin::Source;
use super::patience::Patience;
use super::rules::{Meter, Request, Rules};
use super::shelf::{Item, Problem, Shelf};
use super::timers::{Timer, Timers, Timing};
use super::trigger::{Expanded, Ground};
use super::watch::{Decision, Refused, Watch};
use super::why::{Outcome, Roll, Stop, Verdict};
use super::window::Window;
use crate::perspective::Role;
use pass::{Content, Found};

/// A book of nothing but dice would take all memory; one of a thousand entries with ten macros each is far below.
const MOST_MACRO_DRAWS: usize = 1 << 16;

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Activation {
    /// In the order in which they became active.
    pub active: Vec<Active>,
    /// The branch's timers as they are when the answer is recorded.
    pub timers: Timers,
    /// Those of them that began now.
    pub begun: Vec<Timer>,
    /// For every entry if asked for, else for the active ones.
    pub verdicts: Vec<Verdict>,
    pub budget: usize,
    /// True if an entry did not fit.
    pub is_over_budget: bool,
    /// Keys that were not looked for to the end.
    pub problems: Vec<Problem>,
    /// What patterns and keys with macros took, of [`Rules::most_steps`].
    pub steps: usize,
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
    /// Names of those who know it, where a prompt gives a voice to several and it is not for all of them.
    pub known_by: Vec<String>,
}

/// Why there is another pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Start,
    Recursion,
    /// More messages, because too few entries are active.
    Further,
}

/// `draw` is asked for numbers from 0 to 1, in the order that [`Draw`] tells.
pub fn scan(
    shelf: &Shelf,
    rules: &Rules,
    request: &Request<'_>,
    timers: Timers,
    meter: Meter,
    draw: &mut dyn FnMut(Draw) -> f64,
) -> Activation {
    Scan::new(shelf, rules, request, timers, meter).run(draw)
}

/// What is the same for all entries of a pass.
#[derive(Clone, Copy)]
struct Pass {
    number: u32,
    reason: Reason,
    level: u32,
    further: u32,
}

struct Scan<'s, 'r> {
    shelf: &'s Shelf,
    ground: Ground<'s, 'r>,
    timers: Timers,
    watch: Watch,
    active: Vec<Active>,
    budget: Budget,
    dice: Dice,
    /// How many macros may still draw.
    macro_draws: usize,
    /// Passes, up to the last one, that set nobody off.
    quiet: u32,
    cut: Option<Problem>,
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
        let mut window = Window::new(shelf, rules.spelling);
        let keys = window.open(rules, request);
        let timed = timers.by_item(|book, entry| shelf.find(book, entry));
        let similar = Nearest::new(shelf, request, &timed, messages);
        let mut spoken_of = shelf.always.clone();
        match request.explain {
            true => spoken_of.extend(0..shelf.items.len() as u32),
            false => {
                shelf.users_of(&keys, &mut spoken_of);
                spoken_of.extend(similar.all().chain(timed.keys()));
                let topics = request.topics.iter().map(|topic| topic.trim().to_lowercase());
                topics.filter_map(|topic| shelf.topics.get(&topic)).for_each(|items| spoken_of.extend(items));
            }
        }
        let names = [request.names.char.as_str(), request.names.user.as_str()];
        let newest = request.messages.last().map_or("", |(_, text)| text);
        let ground = Ground {
            rules,
            request,
            window,
            timed,
            similar,
            patience: Patience::new(rules.most_steps),
            expanded: Expanded::default(),
            messages,
        };
        let mut scan = Self {
            shelf,
            ground,
            timers,
            watch: Watch::default(),
            active: Vec::new(),
            budget: Budget::new(meter, rules.budget(request.max_context)),
            dice: macro_dice(request, &[names[0], names[1], newest, &messages.to_string()]),
            macro_draws: MOST_MACRO_DRAWS,
            quiet: 0,
            cut: None,
        };
        scan.watch(1, spoken_of);
        scan
    }

    fn watch(&mut self, pass: u32, items: Vec<u32>) {
        let (shelf, request) = (self.shelf, self.ground.request);
        self.watch.add(pass, items, |item| {
            let item = shelf.items.get(item as usize)?;
            let refusal = admission::refuse(item, request)?;
            Some(Refused(request.explain.then(|| refusal.told(item, request))))
        });
    }

    fn run(mut self, draw: &mut dyn FnMut(Draw) -> f64) -> Activation {
        let mut levels = self.shelf.levels.iter().copied();
        let level = levels.next().unwrap_or(0);
        let mut pass = Pass { number: 1, reason: Reason::Start, level, further: 0 };
        loop {
            let found = self.pass(pass, draw);
            let is_over = self.budget.is_over;
            let recursive = found.iter().any(|found| self.feeds(found.item));
            let too_few = self.active.len() < self.ground.rules.min_activations as usize;
            if (recursive && !is_over) || self.can_recurse_again(pass) {
                pass.reason = Reason::Recursion;
            } else if too_few && !is_over && self.goes_further(&mut pass) {
                pass.reason = Reason::Further;
            } else if let Some(next_level) = levels.next() {
                pass.level = next_level;
                pass.reason = Reason::Recursion;
            } else {
                if recursive && is_over {
                    self.tell_unreached(Stop::Budget, pass, found);
                }
                break;
            }
            if pass.number == self.ground.rules.max_recursion_steps {
                self.tell_unreached(Stop::Steps, pass, found);
                break;
            }
            if self.is_cut(pass, &found) {
                self.tell_unreached(Stop::Passes, pass, found);
                break;
            }
            self.search_contents(pass.number, found);
            pass.number += 1;
        }
        self.finish()
    }

    /// What more messages brought is looked at again together with what entries say, before there are still more.
    fn can_recurse_again(&self, pass: Pass) -> bool {
        self.ground.rules.recursive && !self.budget.is_over && pass.reason == Reason::Further
    }

    /// True if the content of an entry may set off others.
    fn feeds(&self, item: u32) -> bool {
        self.item(item).is_some_and(|item| {
            item.book_recursive.unwrap_or(self.ground.rules.recursive) && !item.entry.prevent_recursion
        })
    }

    fn item(&self, index: u32) -> Option<&'s Item> {
        self.shelf.items.get(index as usize)
    }

    /// What a pass brought is searched in the next one.
    fn search_contents(&mut self, pass: u32, found: Vec<Found>) {
        let mut keys = Vec::new();
        let mut says_nothing = true;
        for found in &found {
            if self.item(found.item).is_none_or(|item| item.entry.prevent_recursion) {
                continue;
            }
            let content = match &found.content {
                Content::Active(place) => self.active.get(*place).map_or("", |active| &active.content),
                Content::LeftOut(content) => content,
            };
            says_nothing = false;
            self.budget.search(content);
            self.ground.window.add(Source::Entry { pass, item: found.item }, &[content], &mut keys);
        }
        if says_nothing {
            self.budget.pass_over(1);
        }
        self.ground.window.settle();
        let mut spoken_of = Vec::new();
        self.shelf.users_of(&keys, &mut spoken_of);
        self.watch(pass + 1, spoken_of);
    }

    fn finish(mut self) -> Activation {
        let running = self.timers.list.len();
        for index in self.watch.active() {
            let Some(item) = self.shelf.items.get(index as usize) else { continue };
            let timed = self.ground.timed.get(&index).copied().unwrap_or_default();
            self.timers.begin(item, timed, self.ground.messages);
        }
        let begun = self.timers.list.get(running..).unwrap_or_default().to_vec();
        let name = |index: u32| {
            let item = self.shelf.items.get(index as usize)?;
            Some((Arc::clone(&item.book), Arc::clone(&item.entry.id)))
        };
        let Ground { request, patience, similar, .. } = self.ground;
        let steps = patience.steps();
        let dropped = patience.told().into_iter().filter_map(|dropped| {
            let (book, entry) = name(dropped.item)?;
            Some(Problem { book, entry, message: format!("the key {} {}", dropped.key, dropped.why) })
        });
        let problems = dropped.chain(self.cut).collect();
        let told = self
            .watch
            .decisions()
            .filter(|(_, decision, _)| request.explain || matches!(decision.outcome, Outcome::Active(_)));
        let missing = Missing::new(self.shelf, request, similar);
        let mut verdicts = Vec::with_capacity(match request.explain {
            true => self.shelf.items.len(),
            false => self.active.len(),
        });
        verdicts.extend(told.filter_map(|(index, Decision { pass, outcome }, roll)| {
            let (book, entry) = name(index)?;
            let chance = || self.shelf.items.get(index as usize)?.entry.probability;
            let roll = roll.and_then(|roll| Some(Roll { roll, chance: chance()? }));
            let missed = missing.of(index, &outcome);
            Some(Verdict { book, entry, pass, outcome, roll, missed })
        }));
        Activation {
            verdicts,
            active: self.active,
            timers: self.timers,
            begun,
            budget: self.budget.total,
            is_over_budget: self.budget.is_over,
            problems,
            steps,
        }
    }
}

/// For `{{random}}` and `{{roll}}`: the same for the same occasion and seed.
fn macro_dice(request: &Request<'_>, occasion: &[&str]) -> Dice {
    match request.seed {
        0 => Dice::for_occasion(occasion),
        seed => Dice::for_occasion(&[occasion, &[seed.to_string().as_str()]].concat()),
    }
}
