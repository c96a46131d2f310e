//! What is the same for all entries of a search?

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::macros::Names;
use super::patience::MOST_STEPS;
use super::shelf::Spelling;
use super::why::Meaning;
use crate::time::Tick;
use crate::tokens::Counter;

/// The settings of a search; the defaults are those that authors expect.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Messages to search.
    pub depth: u32,
    /// Of the context, for lore.
    pub budget_percent: f64,
    /// In tokens; 0: no cap.
    pub budget_cap: u32,
    pub recursive: bool,
    /// Passes in all; 0: no limit.
    pub max_recursion_steps: u32,
    /// Searches further back until so many are active.
    pub min_activations: u32,
    /// How far; 0: no limit.
    pub min_activations_depth_max: u32,
    /// Searches `name: text`.
    pub include_names: bool,
    pub whole_words: bool,
    pub group_scoring: bool,
    pub spelling: Spelling,
    /// What tags are called: ids, which filters of imported books name, and names, which people do.
    pub tags: BTreeMap<String, String>,
    /// What patterns and keys with macros may take together: bytes read and steps of their engines. When it is spent,
    /// the others are not found, and problems say so.
    pub most_steps: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            depth: 2,
            budget_percent: 25.0,
            budget_cap: 0,
            recursive: false,
            max_recursion_steps: 0,
            min_activations: 0,
            min_activations_depth_max: 0,
            include_names: true,
            whole_words: false,
            group_scoring: false,
            spelling: Spelling::default(),
            tags: BTreeMap::new(),
            most_steps: MOST_STEPS,
        }
    }
}

impl Rules {
    /// Tags as filters may name them: besides what is given, its id or its name.
    pub fn tags_known<'a>(&'a self, given: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut known = Vec::new();
        for tag in given {
            let name = self.tags.get(tag).map(String::as_str);
            let ids = self.tags.iter().filter(|(_, name)| *name == tag).map(|(id, _)| id.as_str());
            for also in std::iter::once(tag).chain(name).chain(ids) {
                if !known.contains(&also) {
                    known.push(also);
                }
            }
        }
        known
    }

    /// In tokens; never nothing.
    pub(super) fn budget(&self, max_context: usize) -> usize {
        let share = (self.budget_percent * max_context as f64 / 100.0 + 0.5).floor().max(1.0) as usize;
        match self.budget_cap as usize {
            0 => share,
            cap => share.min(cap),
        }
    }
}

/// What is looked at.
#[derive(Debug, Clone, Default)]
pub struct Request<'a> {
    /// Oldest first: who said it, and what.
    pub messages: &'a [(&'a str, &'a str)],
    /// How many messages the conversation has, if not only these.
    pub message_count: Option<u32>,
    pub texts: Texts<'a>,
    pub names: Names,
    /// Names under which the character is known to filters, its id among them.
    pub character: Vec<&'a str>,
    /// None: nobody knows them, and filters by tag let everybody through.
    pub tags: Option<Vec<&'a str>>,
    /// Those who are given a voice by the same prompt, if they are several; then they are asked about instead of `character`.
    pub voices: Vec<Voice<'a>>,
    /// Books that are for some of those voices only: by id, for which of them.
    pub private: HashMap<&'a str, Vec<usize>>,
    /// The kind of generation: normal, continue, swipe …; empty: normal.
    pub generation: &'a str,
    /// Facts of the scene; one with several values stands there once for each.
    pub facts: &'a [(String, String)],
    /// Emotions in the air.
    pub mood: &'a [String],
    /// What it is about, for entries that name topics.
    pub topics: &'a [String],
    pub tick: Option<Tick>,
    pub ticks_per_day: Option<f64>,
    /// Entries whose meaning is near what is said: book, entry, similarity.
    pub similar: &'a [(Arc<str>, Arc<str>, f64)],
    /// Of those that their meaning can bring in, so many come, the nearest; None: all.
    pub most_similar: Option<usize>,
    /// What is known of the others that are found by meaning, for those who ask why. None: nothing.
    pub meaning: Option<&'a Meaning>,
    /// Tokens of the whole prompt.
    pub max_context: usize,
    /// What `{{random}}` and `{{roll}}` draw from, besides what is said; 0: nothing more.
    pub seed: u64,
    /// Also tell why the others are not active; then every entry is looked at.
    pub explain: bool,
}

/// One of several who speak.
#[derive(Debug, Clone, Default)]
pub struct Voice<'a> {
    /// As prompts call it.
    pub name: &'a str,
    /// As filters know it, its id among them.
    pub known_as: Vec<&'a str>,
    pub tags: Option<Vec<&'a str>>,
}

/// Texts besides the chat that entries may want searched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Texts<'a> {
    pub persona: &'a str,
    pub character: &'a str,
    pub personality: &'a str,
    pub depth_prompt: &'a str,
    pub scenario: &'a str,
    pub creator_notes: &'a str,
}

/// How the lore budget is counted: a length that adds up, and how much of it is a token.
#[derive(Debug, Clone, Copy)]
pub struct Meter {
    pub length: fn(&str) -> usize,
    pub per_token: usize,
}

/// Every piece is counted by itself.
impl From<Counter> for Meter {
    fn from(counter: Counter) -> Self {
        let length = match counter {
            Counter::Estimate => |text: &str| Counter::Estimate.count(text),
            Counter::O200k => |text: &str| Counter::O200k.count(text),
        };
        Self { length, per_token: 1 }
    }
}

impl Meter {
    pub(super) fn tokens(self, length: usize) -> usize {
        length.div_ceil(self.per_token.max(1))
    }
}

/// Names, each once, in the order in which they are first given.
pub fn distinct<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = HashSet::new();
    names.into_iter().filter(|name| seen.insert(*name)).collect()
}
