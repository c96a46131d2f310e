//! What are people called besides, and who is named in what is said?
//!
//! Whoever says an alias means whoever bears it, so what is asked is asked with the name as well. Memories hold no aliases: these
//! are a world's, and change without any memory being read again.

use std::collections::HashMap;

use crate::id::CharacterId;
use crate::mind::Said;
use crate::mind::phrases::{LONGEST, each_stretch, is_telling};
use crate::mind::terms::SPELLING;
use crate::words::is_written_together;

/// Somebody who is called by more than one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    pub id: CharacterId,
    /// The label, or else the id.
    pub name: String,
    pub aliases: Vec<String>,
}

/// All of a world who are called by more than one name, as a store tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CalledBesides {
    /// Another one whenever any of it changes. None: this store does not count, and tells everything each time.
    pub mark: Option<u64>,
    /// In the order of ids. None: it is as it was at the mark that was asked with.
    pub people: Option<Vec<Called>>,
}

/// Ready to be looked for.
#[derive(Debug, Default)]
pub(crate) struct Names {
    people: Vec<Called>,
    /// As it is spelled: who is called so.
    by_name: HashMap<String, Vec<usize>>,
}

/// An alias of several words that nobody said: these are also words of other things.
const UNSAID: f32 = 0.5;
/// With more ideographs than this a name has several words.
const ONE_WORD: usize = 3;

impl Names {
    pub(crate) fn new(people: Vec<Called>) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, one) in people.iter().enumerate() {
            for name in all_names(one).map(|name| SPELLING.fold(name)) {
                let bearers = by_name.entry(name).or_default();
                if bearers.last() != Some(&place) {
                    bearers.push(place);
                }
            }
        }
        by_name.retain(|name, _| name.chars().count() <= LONGEST && is_telling(name));
        Self { people, by_name }
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.people.iter().map(|one| one.aliases.len() + 1).sum()
    }

    /// What is said, with the names of those whom it calls otherwise, and what else they are called.
    pub(crate) fn spell_out(&self, said: Said) -> Said {
        if self.people.is_empty() {
            return said;
        }
        let mut spelled = Said { parts: Vec::with_capacity(said.parts.len()), names: said.names };
        for (text, weight) in said.parts {
            let named = self.named_in(&text);
            spelled.parts.push((text, weight));
            for (place, said) in named {
                let Some(one) = self.people.get(place) else { continue };
                let is_said = |name: &str| said.contains(&SPELLING.fold(name));
                if !is_said(&one.name) {
                    spelled.parts.push((one.name.clone(), weight));
                }
                for alias in &one.aliases {
                    let weight = if is_said(alias) || is_one_word(alias) { weight } else { weight * UNSAID };
                    spelled.names.push((alias.clone(), weight));
                }
            }
        }
        spelled
    }

    /// Who is named in a text, in the order in which they are, and by which names.
    fn named_in(&self, text: &str) -> Vec<(usize, Vec<String>)> {
        let mut named: Vec<(usize, Vec<String>)> = Vec::new();
        each_stretch(&SPELLING.fold(text), |stretch| {
            for place in self.by_name.get(stretch).into_iter().flatten() {
                match named.iter_mut().find(|(known, _)| known == place) {
                    Some((_, names)) => names.push(stretch.to_owned()),
                    None => named.push((*place, vec![stretch.to_owned()])),
                }
            }
        });
        named
    }
}

fn is_one_word(name: &str) -> bool {
    let is_ideograph = |char: &char| is_written_together(*char) && !matches!(char, '\u{3040}'..='\u{30FF}');
    !name.contains(char::is_whitespace) && name.chars().filter(is_ideograph).count() <= ONE_WORD
}

fn all_names(one: &Called) -> impl Iterator<Item = &str> {
    std::iter::once(one.name.as_str()).chain(one.aliases.iter().map(String::as_str))
}
