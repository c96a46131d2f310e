//! Whom is an entry for, whatever is said? Decided once for a search: filters, facts of the scene, who knows it.

use super::entry::{Condition, Entry, Filter};
use super::facts;
use super::hearing;
use super::key;
use super::rules::{Request, distinct};
use super::shelf::Item;
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
pub(super) fn refuse<'e>(item: &'e Item, request: &Request<'_>) -> Option<Refusal<'e>> {
    let entry = &item.entry;
    if entry.is_off() {
        return Some(Refusal::Disabled);
    }
    let generation = generation(request);
    if !entry.generations.is_empty() && !entry.generations.iter().any(|kind| kind == generation) {
        return Some(Refusal::OtherGeneration);
    }
    let by_person = match request.voices.is_empty() {
        true => refuse_person(entry, &request.character, request.tags.as_deref()),
        false if !hearing::who(item, request).is_empty() => None,
        false => hearing::readers(item, request)
            .find_map(|(_, first)| refuse_person(entry, &first.known_as, first.tags.as_deref()))
            .or(Some(Refusal::NotKnownByCharacter)),
    };
    if by_person.is_some() {
        return by_person;
    }
    entry.conditions.iter().find(|condition| !facts::holds(condition, request.facts)).map(Refusal::Condition)
}

/// Whether it is not for somebody, by all names that mean them and by tags.
pub(super) fn refuse_person<'e>(
    entry: &'e Entry,
    known_as: &[&str],
    tags: Option<&[&str]>,
) -> Option<Refusal<'e>> {
    if let Some(by) = filtered(&entry.filter, known_as, tags) {
        return Some(Refusal::Filtered(by));
    }
    let is = |name: &String| known_as.contains(&name.as_str());
    let is_secret = !entry.known_by.is_empty() && !entry.known_by.iter().any(is);
    is_secret.then_some(Refusal::NotKnownByCharacter)
}

/// Everybody who speaks and for whom its book is, by all names.
fn speakers<'r>(item: &Item, request: &Request<'r>) -> Vec<&'r str> {
    match request.voices.is_empty() {
        true => request.character.clone(),
        false => {
            distinct(hearing::readers(item, request).flat_map(|(_, voice)| voice.known_as.iter().copied()))
        }
    }
}

impl Refusal<'_> {
    /// What was wanted, and what is there.
    pub(super) fn told(self, item: &Item, request: &Request<'_>) -> Outcome {
        let entry = &item.entry;
        match self {
            Self::Disabled => Outcome::Disabled { with: entry.disabled_with.clone() },
            Self::OtherGeneration => Outcome::OtherGeneration {
                wanted: entry.generations.clone(),
                present: key::short(generation(request)),
            },
            Self::Filtered(by) => {
                let (named, present) = match by {
                    FilteredBy::Name => (&entry.filter.names, Present::new(&speakers(item, request))),
                    FilteredBy::Tag => {
                        let first = hearing::readers(item, request).next();
                        let tags = first.map_or(&request.tags, |(_, first)| &first.tags);
                        (&entry.filter.tags, Present::new(tags.as_deref().unwrap_or_default()))
                    }
                };
                let exclude = entry.filter.exclude;
                Outcome::Filtered(Box::new(Filtered { by, exclude, named: named.clone(), present }))
            }
            Self::NotKnownByCharacter => Outcome::NotKnownByCharacter {
                known_by: entry.known_by.clone(),
                present: Present::new(&speakers(item, request)),
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

fn filtered(filter: &Filter, known_as: &[&str], tags: Option<&[&str]>) -> Option<FilteredBy> {
    let misses = |wanted: &[String], given: &[&str]| {
        let included = wanted.iter().any(|name| given.contains(&name.as_str()));
        !wanted.is_empty() && included == filter.exclude
    };
    if misses(&filter.names, known_as) {
        return Some(FilteredBy::Name);
    }
    let by_tag = tags.is_some_and(|tags| misses(&filter.tags, tags));
    by_tag.then_some(FilteredBy::Tag)
}
