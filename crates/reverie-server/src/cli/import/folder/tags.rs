//! Which tags do the cards of a folder have, and what are they called?
//!
//! Entries of books name tags by their ids, people by their names. The world keeps which is which, and a character the names,
//! as far as they are known and mean one tag alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use reverie_core::Limits;
use reverie_core::settings::Pairs;
use reverie_formats::folder::Tags;

/// Of one world, so that other settings have room.
const MOST: usize = 256;

#[derive(Default)]
pub(super) struct TagNames {
    /// By id.
    names: BTreeMap<String, String>,
    /// How many tags have this name.
    namesakes: HashMap<String, usize>,
    /// The ids of a card's tags, by its file. None: nothing is said of tags.
    of: Option<BTreeMap<String, Vec<String>>>,
    /// Names that are not kept.
    pub(super) left_out: usize,
}

impl TagNames {
    /// Those that somebody has come first.
    pub(super) fn of(tags: Option<&Tags>, limits: &Limits) -> Self {
        let Some(tags) = tags else { return Self::default() };
        let used: HashSet<&String> = tags.of.values().flatten().collect();
        let mut all: Vec<(&String, String)> = tags.names.iter().map(|(id, name)| (id, plain(name))).collect();
        all.sort_by_key(|(id, _)| !used.contains(id));
        let most = MOST.min(limits.settings / 2);
        let mut of_all = Self { of: Some(tags.of.clone()), ..Self::default() };
        for (id, name) in all {
            let is_short =
                id.len().max(name.len()) <= limits.bytes_per_name.min(limits.bytes_per_setting / 2);
            if of_all.names.len() == most || !is_short {
                of_all.left_out += 1;
                continue;
            }
            *of_all.namesakes.entry(name.clone()).or_default() += 1;
            of_all.names.insert(id.clone(), name);
        }
        of_all
    }

    pub(super) fn told(&self) -> String {
        format!("{} tags have no name here, and are known by their ids only", self.left_out)
    }

    /// Of the world.
    pub(super) fn settings(&self) -> Pairs {
        self.names.iter().map(|(id, name)| (format!("lore.tags.{id}"), name.clone())).collect()
    }

    /// True if the settings of the folder say who has which tags.
    pub(super) fn are_told(&self) -> bool {
        self.of.is_some()
    }

    /// None: nobody knows.
    pub(super) fn of_card(&self, file: &str) -> Option<Vec<String>> {
        let ids = self.of.as_ref()?.get(file)?;
        let told = |id: &String| match self.names.get(id) {
            Some(name) if self.namesakes.get(name) == Some(&1) => name.clone(),
            _ => id.clone(),
        };
        Some(ids.iter().map(told).collect())
    }
}

/// As a character's tags are kept.
fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
