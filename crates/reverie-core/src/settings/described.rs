//! What is each setting called, what is it where nobody sets it, and what may it be? For whoever offers settings to people.

use super::{KEYS, MAX_BUDGET, Preset, recall};
use crate::perspective::Profile;
use crate::time::Language;
use crate::{digest, layers, time};

/// One setting, as the tables of keys have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// Where it is a list or a map, without the places in it: `narrator.names`.
    pub key: String,
    pub meaning: &'static str,
    pub sort: Sort,
    /// As it would be written; None: nothing.
    pub default: Option<String>,
    /// Where it is something else by default, and what.
    pub elsewhere: Vec<(Elsewhere, String)>,
    /// Whether it can be set for one character alone.
    pub is_personal: bool,
}

/// What may be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sort {
    Flag,
    /// From 0 to this.
    Count(usize),
    Whole,
    /// A number between these.
    Real(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text; these mean something by themselves.
    Text(&'static [&'static str]),
    /// A list of texts.
    Texts,
    /// Texts by names.
    Named,
    /// A list of things that have parts of their own.
    Things,
}

/// What makes a default another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elsewhere {
    Preset(Preset),
    Profile(&'static str),
    Language(Language),
    Calendar(&'static str),
}

/// Every setting of a world, in the order of the tables.
pub fn described() -> Vec<Described> {
    let plain = KEYS.iter().filter(|(key, ..)| !key.ends_with(".*"));
    let of_world = plain.map(|(key, default, meaning)| setting(key, default, meaning));
    let families = [
        Described {
            default: Some("旁白, Narrator".to_owned()),
            ..family("narrator.names", "narrator.names.*", Sort::Texts)
        },
        family("lore.tags", "lore.tags.*", Sort::Named),
    ];
    let of_parts = [digest::KEYS, layers::KEYS, recall::KEYS].into_iter().flatten();
    let of_parts = of_parts.map(|(key, default, meaning)| setting(key, default, meaning));
    of_world.chain(families).chain(of_parts).chain(perspective()).chain(calendar()).collect()
}

/// Of a list or a map, which the table of a world's keys has.
fn family(key: &str, named: &str, sort: Sort) -> Described {
    let meaning = KEYS.iter().find(|(known, ..)| *known == named).map_or("", |(.., meaning)| meaning);
    Described { sort, ..setting(key, "", meaning) }
}

/// `open (bot: strict)` is two defaults; what follows the word of a profile is told by its parts.
fn setting(key: &str, default: &str, meaning: &'static str) -> Described {
    let (usual, of_bot) = match default.split_once(" (bot: ") {
        Some((usual, of_bot)) => (usual, of_bot.strip_suffix(')').filter(|word| !word.contains(' '))),
        None => (default, None),
    };
    let of_bot = of_bot.map(|word| (Elsewhere::Preset(Preset::Bot), word.to_owned()));
    Described {
        key: key.to_owned(),
        meaning,
        sort: sort(key, usual),
        default: Some(usual.to_owned()).filter(|text| !text.is_empty()),
        elsewhere: of_bot.into_iter().collect(),
        is_personal: key.starts_with("recall."),
    }
}

/// As the default tells, but for those that say more.
fn sort(key: &str, default: &str) -> Sort {
    let last = key.rsplit('.').next().unwrap_or_default();
    match key {
        "language" => Sort::Choice(&["zh", "en"]),
        "audience" => Sort::Choice(&["open", "same-conversation", "strict"]),
        "prompt.history" => Sort::Choice(&["primary", "conversation"]),
        "prompt.counter" => Sort::Choice(&["estimate", "o200k"]),
        "prompt.embed_ms" => Sort::Count(60_000),
        "recall.position" => Sort::Choice(&["system", "user", "assistant", "depth"]),
        "recall.said" | "lore.similar_entries" => Sort::Count(1000),
        "recall.depth" => Sort::Count(10_000),
        "recall.semantic_floor" => Sort::Real(0.0, 1.0),
        "digest.prompts" => Sort::Choice(&["full", "single"]),
        "digest.round_lines" => Sort::Count(500),
        "digest.batch_rounds" => Sort::Count(100),
        "digest.batch_tokens" | "digest.chunk_chars" => Sort::Count(1 << 20),
        "layers.hour" => Sort::Text(&["calendar", "wall", "never"]),
        "embedder" => Sort::Text(&["default", "offline", "none"]),
        "perspective.profile" => Sort::Choice(&["example", "rule-text"]),
        "perspective.emotion_in_scene" => Sort::Choice(&["hidden", "before-content"]),
        "perspective.addressed_names" => Sort::Choice(&["hidden", "when-several", "always"]),
        _ if last.ends_with("_percent") => Sort::Count(100),
        _ if key.starts_with("digest.") && last.ends_with("_seconds") => Sort::Count(31_536_000),
        _ if key.starts_with("recall.weight.") || key.starts_with("recall.emotional_weight.") => {
            Sort::Real(0.0, 2.0)
        }
        "recall.keyword" | "recall.lexical" | "recall.semantic" | "recall.temporal" | "recall.emotional"
        | "recall.related" => Sort::Real(0.0, 2.0),
        _ if ["true", "false"].contains(&default) => Sort::Flag,
        _ if default.parse::<usize>().is_ok() && key.starts_with("layers.") => Sort::Count(1 << 20),
        _ if default.parse::<usize>().is_ok() => Sort::Count(MAX_BUDGET),
        _ if default.parse::<f64>().is_ok() => Sort::Real(0.0, 1.0),
        _ => Sort::Text(&[]),
    }
}

/// Its parts are told by the profiles themselves.
fn perspective() -> Vec<Described> {
    let usual = Profile::example();
    let others = [
        (Elsewhere::Preset(Preset::Bot), super::default_profile(Preset::Bot)),
        (Elsewhere::Profile("rule-text"), Profile::rule_text()),
        (Elsewhere::Language(Language::En), usual.clone().spaced()),
    ];
    let part = |(name, meaning): &(&'static str, &'static str)| {
        let default = usual.part(name);
        let differs = others.iter().filter(|(_, profile)| profile.part(name) != default);
        let elsewhere = differs.map(|(place, profile)| (*place, profile.part(name).to_owned())).collect();
        let key = format!("perspective.{name}");
        Described { default: Some(default.to_owned()), elsewhere, ..setting(&key, "", meaning) }
    };
    Profile::KEYS.iter().map(part).collect()
}

/// Lists are one setting each. A default in backticks belongs to the calendar that is named before it.
fn calendar() -> Vec<Described> {
    let whole = time::KEYS.iter().filter(|(name, ..)| !name.contains(".N"));
    let one = |(name, default, meaning): &(&'static str, &'static str, &'static str)| {
        let mut parts = default.split('`');
        let mut elsewhere = Vec::new();
        while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
            let known = ["rimworld", "gregorian"].into_iter().find(|kind| before.contains(kind));
            elsewhere.extend(known.map(|kind| (Elsewhere::Calendar(kind), value.to_owned())));
        }
        let sort = match *name {
            "kind" => Sort::Choice(&["none", "rimworld", "gregorian", "custom"]),
            "hemisphere" => Sort::Choice(&["north", "south"]),
            "ticks" => Sort::Choice(&["absolute", "game"]),
            "longitude" => Sort::Real(-180.0, 180.0),
            "base_year" | "start_tick" => Sort::Whole,
            _ => Sort::Text(&[]),
        };
        let usual = if elsewhere.is_empty() { *default } else { "" };
        Described { sort, elsewhere, ..setting(&format!("calendar.{name}"), usual, meaning) }
    };
    let units = Described {
        sort: Sort::Things,
        ..setting(
            "calendar.units",
            "",
            "custom: the units, smallest first, each with name, size, first and names",
        )
    };
    whole.map(one).chain([units]).collect()
}
