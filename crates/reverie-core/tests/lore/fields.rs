//! What can be said of an entry in a case?

use std::sync::Arc;

use reverie_core::lore::Entry;
use reverie_core::lore::entry::{Condition, Filter, Logic, Position, Test, Trigger};
use reverie_core::perspective::Role;

use crate::script::{Read, each, flag, list, number, plain};

/// What stands behind `[`.
pub(crate) fn read_entry(written: &str) -> Read<Entry> {
    let (id, rest) = written.split_once(']').ok_or("`[` without `]`")?;
    let (fields, content) = match rest.split_once(" | ") {
        Some((fields, content)) => (fields, plain(content)),
        None => (rest, id.to_owned()),
    };
    let mut entry = Entry { id: Arc::from(id), content, ..Entry::default() };
    each(fields, |name, value| field(&mut entry, name, value))?;
    Ok(entry)
}

fn field(entry: &mut Entry, name: &str, value: &str) -> Read<()> {
    match name {
        "empty" => entry.content.clear(),
        "off" => entry.disabled = flag(value)?,
        "off with" => entry.disabled_with = Some(value.to_owned()),
        "keys" => entry.keys = list(value),
        "any" | "not all" | "not any" | "all" => {
            entry.secondary_keys = list(value);
            entry.logic = match name {
                "any" => Logic::AndAny,
                "not all" => Logic::NotAll,
                "not any" => Logic::NotAny,
                _ => Logic::AndAll,
            };
        }
        "secondary" => entry.secondary_keys = list(value),
        "selective" => entry.selective = flag(value)?,
        "regex" => entry.use_regex = Some(flag(value)?),
        "case" => entry.case_sensitive = Some(flag(value)?),
        "whole words" => entry.whole_words = Some(flag(value)?),
        "scan" => entry.scan_depth = Some(number(value)?),
        "in" => {
            for source in list(value) {
                match source.as_str() {
                    "persona" => entry.sources.persona = true,
                    "character" => entry.sources.character = true,
                    "personality" => entry.sources.personality = true,
                    "depth prompt" => entry.sources.depth_prompt = true,
                    "scenario" => entry.sources.scenario = true,
                    "creator notes" => entry.sources.creator_notes = true,
                    _ => return Err(format!("there is no source {source}")),
                }
            }
        }
        "constant" => entry.constant = flag(value)?,
        "vectorized" => entry.vectorized = flag(value)?,
        "chance" => entry.probability = Some(number(value)?),
        "no chance" => entry.probability = None,
        "generations" => entry.generations = list(value),
        "only for" => entry.filter = Filter { names: list(value), ..entry.filter.clone() },
        "only tags" => entry.filter = Filter { tags: list(value), ..entry.filter.clone() },
        "not for" => entry.filter = Filter { exclude: true, names: list(value), ..entry.filter.clone() },
        "not tags" => entry.filter = Filter { exclude: true, tags: list(value), ..entry.filter.clone() },
        "exclude recursion" => entry.exclude_recursion = flag(value)?,
        "prevent recursion" => entry.prevent_recursion = flag(value)?,
        "level" => entry.delay_until_recursion = number(value)?,
        "groups" => entry.groups = list(value),
        "override" => entry.group_override = flag(value)?,
        "weight" => entry.group_weight = number(value)?,
        "scoring" => entry.group_scoring = Some(flag(value)?),
        "sticky" => entry.sticky = Some(number(value)?),
        "cooldown" => entry.cooldown = Some(number(value)?),
        "delay" => entry.delay = Some(number(value)?),
        "at" => place(entry, value)?,
        "order" => entry.order = number(value)?,
        "priority" => entry.priority = Some(number(value)?),
        "ignore budget" => entry.ignore_budget = flag(value)?,
        "trigger" => {
            entry.trigger = match value {
                "keyword" => Trigger::Keyword,
                "semantic" => Trigger::Semantic,
                "temporal" => Trigger::Temporal,
                "emotional" => Trigger::Emotional,
                _ => return Err(format!("there is no trigger {value}")),
            }
        }
        "feeling" => entry.emotional_weight = Some(number(value)?),
        "topics" => entry.topics = list(value),
        "relevance" => entry.relevance_weight = Some(number(value)?),
        "decay" => entry.time_decay = Some(number(value)?),
        "tick" => entry.tick = Some(number(value)?),
        "emotions" => entry.emotions = list(value),
        "known by" => entry.known_by = list(value),
        "if" => entry.conditions.push(condition(value)?),
        _ => return Err(format!("an entry has no {name}")),
    }
    Ok(())
}

/// `before`, `examples top`, `2 user`, `outlet weather` …; `depth` is the usual depth and role.
fn place(entry: &mut Entry, value: &str) -> Read<()> {
    let (first, second) = value.split_once(' ').unwrap_or((value, ""));
    entry.position = match (first, second) {
        ("before", "") => Position::BeforeCharacter,
        ("after", "") => Position::AfterCharacter,
        ("note", "top") => Position::NoteTop,
        ("note", "bottom") => Position::NoteBottom,
        ("examples", "top") => Position::ExamplesTop,
        ("examples", "bottom") => Position::ExamplesBottom,
        ("depth", "") => Position::AtDepth,
        ("outlet", name) => {
            entry.outlet = name.to_owned();
            Position::Outlet
        }
        (depth, role) => {
            entry.depth = number(depth)?;
            entry.role = match role {
                "system" => Role::System,
                "user" => Role::User,
                "assistant" => Role::Assistant,
                _ => return Err(format!("there is no role {role:?}")),
            };
            Position::AtDepth
        }
    };
    Ok(())
}

/// `place is tavern/inn`, `place is not inn`, `war set`, `war not set`, `rank at least 3`, `rank at most 3`.
fn condition(value: &str) -> Read<Condition> {
    let (fact, test) = value.split_once(' ').ok_or("a condition is `fact test`")?;
    let values = |values: &str| values.split('/').map(str::to_owned).collect();
    let test = if let Some(others) = test.strip_prefix("is not ") {
        Test::IsNot(values(others))
    } else if let Some(wanted) = test.strip_prefix("is ") {
        Test::Is(values(wanted))
    } else if let Some(least) = test.strip_prefix("at least ") {
        Test::AtLeast(number(least)?)
    } else if let Some(most) = test.strip_prefix("at most ") {
        Test::AtMost(number(most)?)
    } else {
        match test {
            "set" => Test::Set,
            "not set" => Test::NotSet,
            _ => return Err(format!("there is no test {test}")),
        }
    };
    Ok(Condition { fact: fact.to_owned(), test })
}
