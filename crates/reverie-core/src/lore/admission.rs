//! Whom is an entry for, whatever is said? Decided once for a search: filters, facts of the scene, who knows it.

use super::entry::{Condition, Entry, Filter};
use super::facts;
use super::key;
use super::rules::Request;
use super::why::{Broken, Filtered, FilteredBy, Outcome, Present};

/// What keeps an entry back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Refusal<'e> {
    Disabled,
    OtherGeneration,
    Filtered(FilteredBy),
    NotKnownByCharacter,
    Condition(&'e Condition),
}

/// None: nothing stands in the way.
pub(super) fn refuse<'e>(entry: &'e Entry, request: &Request<'_>) -> Option<Refusal<'e>> {
    if entry.is_off() {
        return Some(Refusal::Disabled);
    }
    let generation = generation(request);
    if !entry.generations.is_empty() && !entry.generations.iter().any(|kind| kind == generation) {
        return Some(Refusal::OtherGeneration);
    }
    if let Some(by) = filtered(&entry.filter, request) {
        return Some(Refusal::Filtered(by));
    }
    let is = |name: &String| request.character.contains(&name.as_str());
    if !entry.known_by.is_empty() && !entry.known_by.iter().any(is) {
        return Some(Refusal::NotKnownByCharacter);
    }
    entry.conditions.iter().find(|condition| !facts::holds(condition, request.facts)).map(Refusal::Condition)
}

impl Refusal<'_> {
    /// What was wanted, and what is there.
    pub(super) fn told(self, entry: &Entry, request: &Request<'_>) -> Outcome {
        match self {
            Self::Disabled => Outcome::Disabled { with: entry.disabled_with.clone() },
            Self::OtherGeneration => Outcome::OtherGeneration {
                wanted: entry.generations.clone(),
                present: key::short(generation(request)),
            },
            Self::Filtered(by) => {
                let (named, present) = match by {
                    FilteredBy::Name => (&entry.filter.names, Present::new(&request.character)),
                    FilteredBy::Tag => {
                        (&entry.filter.tags, Present::new(request.tags.as_deref().unwrap_or_default()))
                    }
                };
                let exclude = entry.filter.exclude;
                Outcome::Filtered(Box::new(Filtered { by, exclude, named: named.clone(), present }))
            }
            Self::NotKnownByCharacter => Outcome::NotKnownByCharacter {
                known_by: entry.known_by.clone(),
                present: Present::new(&request.character),
            },
            Self::Condition(condition) => Outcome::Condition(Box::new(Broken {
                condition: condition.clone(),
                present: facts::present(condition, request.facts),
            })),
        }
    }
}

/// If none is named, it is the normal one.
fn generation<'r>(request: &Request<'r>) -> &'r str {
    if request.generation.is_empty() { "normal" } else { request.generation }
}

fn filtered(filter: &Filter, request: &Request<'_>) -> Option<FilteredBy> {
    let misses = |wanted: &[String], given: &[&str]| {
        let included = wanted.iter().any(|name| given.contains(&name.as_str()));
        !wanted.is_empty() && included == filter.exclude
    };
    if misses(&filter.names, &request.character) {
        return Some(FilteredBy::Name);
    }
    let by_tag = request.tags.as_ref().is_some_and(|tags| misses(&filter.tags, tags));
    by_tag.then_some(FilteredBy::Tag)
}
