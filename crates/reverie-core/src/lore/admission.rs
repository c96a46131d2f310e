//! Whom is an entry for, whatever is said? Decided once for a search: filters, facts of the scene, who knows it.

use super::entry::{Condition, Entry, Filter, Test};
use super::rules::Request;
use super::why::Outcome;

/// None: nothing stands in the way.
pub(super) fn refuse(entry: &Entry, request: &Request<'_>) -> Option<Outcome> {
    if entry.disabled {
        return Some(Outcome::Disabled);
    }
    let generation = if request.generation.is_empty() { "normal" } else { request.generation };
    if !entry.generations.is_empty() && !entry.generations.iter().any(|kind| kind == generation) {
        return Some(Outcome::OtherGeneration);
    }
    if is_filtered(&entry.filter, request) {
        return Some(Outcome::Filtered);
    }
    let is = |name: &String| request.character.contains(&name.as_str());
    if !entry.known_by.is_empty() && !entry.known_by.iter().any(is) {
        return Some(Outcome::NotKnownByCharacter);
    }
    let broken = entry.conditions.iter().find(|condition| !holds(condition, request.facts));
    broken.map(|condition| Outcome::Condition(condition.fact.clone()))
}

fn is_filtered(filter: &Filter, request: &Request<'_>) -> bool {
    let misses = |wanted: &[String], given: &[&str]| {
        let included = wanted.iter().any(|name| given.contains(&name.as_str()));
        !wanted.is_empty() && included == filter.exclude
    };
    let by_tag = |tags: &Vec<&str>| misses(&filter.tags, tags);
    misses(&filter.names, &request.character) || request.tags.as_ref().is_some_and(by_tag)
}

fn holds(condition: &Condition, facts: &[(String, String)]) -> bool {
    let value = facts.iter().find(|(fact, _)| *fact == condition.fact).map(|(_, value)| value.trim());
    let number = || value.and_then(|value| value.parse::<f64>().ok());
    let is_set = value.is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false"));
    match &condition.test {
        Test::Is(values) => value.is_some_and(|value| values.iter().any(|wanted| wanted.trim() == value)),
        Test::IsNot(values) => value.is_none_or(|value| values.iter().all(|other| other.trim() != value)),
        Test::Set => is_set,
        Test::NotSet => !is_set,
        Test::AtLeast(least) => number().is_some_and(|number| number >= *least),
        Test::AtMost(most) => number().is_some_and(|number| number <= *most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_the_scene() {
        let facts = [("place", "酒馆"), ("quest", "true"), ("rank", "3"), ("war", "false")]
            .map(|(fact, value)| (fact.to_owned(), value.to_owned()));
        let is = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        for (fact, test, expected) in [
            ("place", Test::Is(is(&["港口", "酒馆"])), true),
            ("place", Test::Is(is(&["港口"])), false),
            ("nowhere", Test::Is(is(&["港口"])), false),
            ("place", Test::IsNot(is(&["港口"])), true),
            ("nowhere", Test::IsNot(is(&["港口"])), true),
            ("quest", Test::Set, true),
            ("war", Test::Set, false),
            ("war", Test::NotSet, true),
            ("rank", Test::AtLeast(3.0), true),
            ("rank", Test::AtMost(2.0), false),
            ("place", Test::AtLeast(0.0), false),
        ] {
            let condition = Condition { fact: fact.to_owned(), test };
            assert_eq!(holds(&condition, &facts), expected, "{condition:?}");
        }
    }
}
