//! What does the engine understand of an entry?

use std::sync::Arc;

use reverie_core::lore::Entry;
use reverie_core::lore::entry::{Filter, GENERATIONS, Sources};
use serde_json::{Map, Value};

use super::Format;
use super::kinds::{LOGICS, MOST_WEIGHT, POSITIONS};
use super::own;
use super::patterns;
use super::wire::wire;
use crate::Warning;
use crate::lenient::{Reader, as_flag};
use crate::warning::excerpt;

/// An entry for the engine, and what could not be taken as it stands. Its id is the file's, and empty if it has none.
pub fn entry(source: &Value, format: Format) -> (Entry, Vec<Warning>) {
    if !source.is_object() {
        let warning = Warning::new("this entry is not an object; it is kept, and never active");
        return (Entry { disabled: true, ..Entry::default() }, vec![warning]);
    }
    let (mut entry, warnings) = from_wire(&wire(source, format));
    if entry.use_regex == Some(false) && !(patterns::are_denied(source, format) && patterns::matter(&entry)) {
        entry.use_regex = None;
    }
    (entry, warnings)
}

/// The same, from fields in the common names.
pub(super) fn from_wire(map: &Map<String, Value>) -> (Entry, Vec<Warning>) {
    let mut r = Reader::new(map);
    let default = Entry::default();
    let entry = Entry {
        id: r.text("uid").map_or(default.id, Arc::from),
        comment: r.text("comment").unwrap_or_default(),
        content: r.text("content").unwrap_or_default(),
        disabled: r.flag("disable").unwrap_or_default(),
        disabled_with: None,
        keys: r.list("key"),
        secondary_keys: r.list("keysecondary"),
        logic: r.choice("selectiveLogic", LOGICS).unwrap_or_default(),
        selective: r.flag("selective").unwrap_or(default.selective),
        use_regex: patterns::read(&mut r),
        case_sensitive: r.flag("caseSensitive"),
        whole_words: r.flag("matchWholeWords"),
        scan_depth: r.count("scanDepth"),
        sources: sources(&mut r),
        constant: r.flag("constant").unwrap_or_default(),
        vectorized: r.flag("vectorized").unwrap_or_default(),
        probability: probability(&mut r),
        generations: generations(&mut r),
        filter: filter(&mut r),
        exclude_recursion: r.flag("excludeRecursion").unwrap_or_default(),
        prevent_recursion: r.flag("preventRecursion").unwrap_or_default(),
        delay_until_recursion: recursion_level(&mut r),
        groups: groups(&mut r),
        group_override: r.flag("groupOverride").unwrap_or_default(),
        group_weight: r.number("groupWeight", 0.0, MOST_WEIGHT).unwrap_or(default.group_weight),
        group_scoring: r.flag("useGroupScoring"),
        sticky: r.count("sticky").filter(|messages| *messages > 0),
        cooldown: r.count("cooldown").filter(|messages| *messages > 0),
        delay: r.count("delay").filter(|messages| *messages > 0),
        position: r.choice("position", POSITIONS).unwrap_or_default(),
        depth: r.count("depth").unwrap_or(default.depth),
        role: r.role("role").unwrap_or(default.role),
        outlet: r.text("outletName").unwrap_or_default(),
        order: r.whole("order", i64::MIN, i64::MAX).unwrap_or(default.order),
        ignore_budget: r.flag("ignoreBudget").unwrap_or_default(),
        trigger: own::trigger(&mut r).unwrap_or_default(),
        priority: r.whole("priority", 0, 100),
        relevance_weight: r.number("relevance_weight", 0.0, MOST_WEIGHT),
        emotional_weight: r.number("emotional_weight", 0.0, MOST_WEIGHT),
        time_decay: r.number("time_decay", 0.0, MOST_WEIGHT),
        tick: r.whole("tick", i64::MIN, i64::MAX),
        topics: r.list("topics"),
        emotions: r.list("emotions"),
        conditions: own::conditions(&mut r),
        known_by: r.list("known_by"),
    };
    (entry, r.warnings)
}

/// What is not known stays: nothing of that kind is asked for here, so the entry does not come for it.
fn generations(r: &mut Reader<'_>) -> Vec<String> {
    let kinds = r.list("triggers");
    let is_unknown = |kind: &&String| !GENERATIONS.contains(&kind.as_str());
    if let Some(unknown) = kinds.iter().find(is_unknown) {
        let known = GENERATIONS.join(", ");
        r.warn("triggers", format!("{} is no kind of generation that is known: {known}", excerpt(unknown)));
    }
    kinds
}

fn sources(r: &mut Reader<'_>) -> Sources {
    let mut flag = |field: &str| r.flag(field).unwrap_or_default();
    Sources {
        persona: flag("matchPersonaDescription"),
        character: flag("matchCharacterDescription"),
        personality: flag("matchCharacterPersonality"),
        depth_prompt: flag("matchCharacterDepthPrompt"),
        scenario: flag("matchScenario"),
        creator_notes: flag("matchCreatorNotes"),
    }
}

fn probability(r: &mut Reader<'_>) -> Option<f64> {
    let percent = r.number("probability", 0.0, 100.0).unwrap_or(100.0);
    r.flag("useProbability").unwrap_or(true).then_some(percent)
}

/// True is the first level.
fn recursion_level(r: &mut Reader<'_>) -> u32 {
    let field = "delayUntilRecursion";
    let by_word = r.get(field).filter(|value| value.is_boolean() || value.is_string()).and_then(as_flag);
    by_word.map_or_else(|| r.count(field).unwrap_or_default(), u32::from)
}

fn groups(r: &mut Reader<'_>) -> Vec<String> {
    let names = r.list("group");
    let names = names.iter().flat_map(|name| name.split(',')).map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn filter(r: &mut Reader<'_>) -> Filter {
    let field = "characterFilter";
    let Some(value) = r.get(field) else { return Filter::default() };
    let Some(map) = value.as_object() else {
        r.odd(field, value, "an object");
        return Filter::default();
    };
    let mut inner = Reader::new(map);
    let filter = Filter {
        exclude: inner.flag("isExclude").unwrap_or_default(),
        names: inner.list("names"),
        tags: inner.list("tags"),
    };
    for warning in inner.warnings {
        r.warn(field, warning.to_string());
    }
    filter
}
