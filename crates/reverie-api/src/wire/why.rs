//! Why an entry of a world book is active or is not, on the wire: what was wanted, and what was there.

use reverie_core::lore::Origin;
use reverie_core::lore::entry::{Condition, Logic, Test};
use reverie_core::lore::nature::NEAR;
use reverie_core::lore::why::{
    By, Contest, Filtered, FilteredBy, Missed, Outcome, Present, Roll, Stop, Unlike, Unmeasured, Untimely,
    Verdict,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::LoreReason;

/// What belongs to a reason, by name.
type Detail = Map<String, Value>;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreWhy")]
pub struct WhyView {
    pub book: String,
    pub entry: String,
    pub active: bool,
    pub reason: LoreReason,
    /// What the reason is about. `key` and where it was found: `in`, of a `message` its number (0 is the newest), of an `entry`
    /// its `book` and `entry`, and `at`, the character of that text at which a plain key begins (from 0; absent if it is the
    /// speaker's name that is meant); `roll` and `chance`, lost or won; `wanted` (or `unwanted`) and `present`; of a condition its `fact`, its
    /// test, and `present` or `given: false`, or why it is `unreadable`; and by the names `similarity`,
    /// `time`, `mood` and `topic` what besides keys could have set it off, and what was there instead.
    pub detail: Map<String, Value>,
    /// The pass that decided it, from 1.
    pub pass: u32,
}

impl From<&Verdict> for WhyView {
    fn from(verdict: &Verdict) -> Self {
        let (reason, mut detail) = reason(&verdict.outcome);
        if let Some(roll) = &verdict.roll {
            detail.extend(rolled(roll));
        }
        detail.extend(verdict.missed.iter().map(missed));
        Self {
            book: verdict.book.to_string(),
            entry: verdict.entry.to_string(),
            active: matches!(verdict.outcome, Outcome::Active(_)),
            reason: match (reason, verdict.missed.first()) {
                (LoreReason::NoKeys, Some(missed)) => reason_of(missed),
                (reason, _) => reason,
            },
            detail,
            pass: verdict.pass,
        }
    }
}

fn reason(outcome: &Outcome) -> (LoreReason, Detail) {
    let (reason, detail) = match outcome {
        Outcome::Active(by) => return active(by),
        Outcome::Disabled { with: None } => (LoreReason::Disabled, json!({})),
        Outcome::Disabled { with: Some(category) } => (LoreReason::Disabled, json!({"category": category})),
        Outcome::OtherGeneration { wanted, present } => {
            (LoreReason::OtherGeneration, json!({"wanted": wanted, "present": present}))
        }
        Outcome::Filtered(filtered) => return (LoreReason::Filtered, filter(filtered)),
        Outcome::NotKnownByCharacter { known_by, present } => {
            let detail = one("wanted", json!(known_by)).chain(there("present", present));
            return (LoreReason::NotKnownByCharacter, detail.collect());
        }
        Outcome::Condition(broken) => {
            return (LoreReason::Condition, condition(&broken.condition, &broken.present));
        }
        Outcome::Delayed { missing } => (LoreReason::Delayed, json!({"missing": missing})),
        Outcome::NotThisTime { every } => (LoreReason::NotThisTime, json!({"every": every})),
        Outcome::CoolingDown { left } => (LoreReason::CoolingDown, json!({"left": left})),
        Outcome::Spent => (LoreReason::Spent, json!({})),
        Outcome::WaitsForRecursion { level } => (LoreReason::WaitsForRecursion, json!({"level": level})),
        Outcome::ExcludedFromRecursion => (LoreReason::ExcludedFromRecursion, json!({})),
        Outcome::Forbidden => (LoreReason::Forbidden, json!({})),
        Outcome::NoKeys => (LoreReason::NoKeys, json!({})),
        Outcome::NoKeyFound => (LoreReason::NoKeyFound, json!({})),
        Outcome::NotSearched { key } => (LoreReason::NotSearched, json!({"key": key})),
        Outcome::NotReached { stop, by } => {
            let (_, mut detail) = active(by);
            detail.extend(one("stopped_by", json!(stop_name(*stop))));
            return (LoreReason::NotReached, detail);
        }
        Outcome::Secondary { key, logic, found } => {
            (LoreReason::Secondary, json!({"key": key, "logic": logic_name(*logic), "found": found}))
        }
        Outcome::ExcludedBy { key, by } => (LoreReason::ExcludedBy, json!({"key": key, "by": by})),
        Outcome::LostGroup { group, how } => (LoreReason::LostGroup, contest(group, how)),
        Outcome::Unlucky => (LoreReason::Unlucky, json!({})),
        Outcome::OverBudget { needed, budget } => {
            (LoreReason::OverBudget, json!({"needed": needed, "budget": budget}))
        }
        Outcome::OverPromptBudget { budget } => (LoreReason::OverPromptBudget, json!({"budget": budget})),
    };
    (reason, members(detail))
}

fn active(by: &By) -> (LoreReason, Detail) {
    let (reason, detail) = match by {
        By::Constant => (LoreReason::Constant, json!({})),
        By::Sticky => (LoreReason::Sticky, json!({})),
        By::Order => (LoreReason::Order, json!({})),
        By::Key { key, origin, at, secondary } => {
            let mut detail: Detail = one("key", json!(key)).chain(place(origin)).collect();
            detail.extend(at.iter().flat_map(|at| one("at", json!(at))));
            if !secondary.is_empty() {
                detail.extend(one("secondary", json!(secondary)));
            }
            return (LoreReason::Key, detail);
        }
        By::Similarity(score) => (LoreReason::Similarity, json!({"score": rounded(*score)})),
        By::Time(near) => (LoreReason::Time, json!({"near": rounded(*near)})),
        By::Topic(topic) => (LoreReason::Topic, json!({"topic": topic})),
        By::Mood(emotion) => (LoreReason::Mood, json!({"emotion": emotion})),
    };
    (reason, members(detail))
}

fn place(origin: &Origin) -> Detail {
    let name = match origin {
        Origin::Message(index) => return members(json!({"in": "message", "message": index})),
        Origin::Entry(found) => {
            return members(json!({"in": "entry", "book": &*found.book, "entry": &*found.entry}));
        }
        Origin::Persona => "persona",
        Origin::Character => "character",
        Origin::Personality => "personality",
        Origin::DepthPrompt => "depth_prompt",
        Origin::Scenario => "scenario",
        Origin::CreatorNotes => "creator_notes",
        Origin::Several => "several",
    };
    one("in", json!(name)).collect()
}

fn filter(filtered: &Filtered) -> Detail {
    let by = match filtered.by {
        FilteredBy::Name => "name",
        FilteredBy::Tag => "tag",
    };
    let named = if filtered.exclude { "unwanted" } else { "wanted" };
    one("by", json!(by))
        .chain(one(named, json!(filtered.named)))
        .chain(there("present", &filtered.present))
        .collect()
}

/// As a condition is written, and what the fact is.
fn condition(condition: &Condition, present: &Present) -> Detail {
    let (test, value) = match &condition.test {
        Test::Is(values) => ("is", json!(values)),
        Test::IsNot(values) => ("is_not", json!(values)),
        Test::Set => ("set", json!(true)),
        Test::NotSet => ("set", json!(false)),
        Test::AtLeast(least) => ("at_least", json!(least)),
        Test::AtMost(most) => ("at_most", json!(most)),
        Test::Unreadable(why) => return members(json!({"unreadable": why})),
    };
    let present = match present.some.as_slice() {
        [] => one("given", json!(false)).collect(),
        [only] => one("present", json!(only)).collect(),
        _ => there("present", present),
    };
    one("fact", json!(condition.fact)).chain(one(test, value)).chain(present).collect()
}

/// Rounded so that a roll which was lost stays greater than the chance, and one which was won does not become so.
fn rolled(roll: &Roll) -> Detail {
    let hundredths = roll.roll * 100.0;
    let shown = if roll.roll > roll.chance { hundredths.ceil() } else { hundredths.floor() };
    members(json!({"roll": shown / 100.0, "chance": roll.chance}))
}

fn reason_of(missed: &Missed) -> LoreReason {
    match missed {
        Missed::Meaning(_) => LoreReason::NotSimilar,
        Missed::Time(_) => LoreReason::NotItsTime,
        Missed::Mood { .. } => LoreReason::NotInMood,
        Missed::Topic { .. } => LoreReason::NotOnTopic,
    }
}

fn missed(missed: &Missed) -> (String, Value) {
    let (name, detail) = match missed {
        Missed::Meaning(unlike) => ("similarity", self::unlike(unlike)),
        Missed::Time(untimely) => ("time", self::untimely(untimely)),
        Missed::Mood { wanted, present, strength } => {
            ("mood", wished(wanted, there("present", present), *strength))
        }
        Missed::Topic { wanted, named, strength } => {
            ("topic", wished(wanted, there("named", named), *strength))
        }
    };
    (name.to_owned(), Value::Object(detail))
}

fn unlike(unlike: &Unlike) -> Detail {
    members(match unlike {
        Unlike::Below { similarity, weight, threshold } if *weight == 1.0 => {
            json!({"score": below(*similarity, *threshold), "threshold": threshold})
        }
        Unlike::Below { similarity, weight, threshold } => json!({
            "score": below(similarity * weight, *threshold), "threshold": threshold,
            "similarity": rounded(*similarity), "weight": rounded(*weight),
        }),
        Unlike::Behind { likeness, nearest } => {
            json!({"score": rounded(*likeness), "nearest": nearest})
        }
        Unlike::Unmeasured(why) => json!({"unknown": match why {
            Unmeasured::NotNamed => "not_given",
            Unmeasured::NoEmbedder => "no_embedder",
            Unmeasured::NotEmbedded => "not_embedded",
            Unmeasured::NothingToEmbed => "nothing_to_embed",
            Unmeasured::NothingSaid => "nothing_said",
            Unmeasured::EmbedderUnavailable => "embedder_unavailable",
            Unmeasured::VectorsUnavailable => "vectors_unavailable",
        }}),
    })
}

fn untimely(untimely: &Untimely) -> Detail {
    members(match untimely {
        Untimely::Far { then, now, days, near } => json!({
            "tick": then, "now": now, "days": rounded(*days), "near": below(*near, NEAR), "threshold": NEAR,
        }),
        Untimely::EntryHasNoTick => json!({"unknown": "no_tick"}),
        Untimely::NobodySaysWhenItIs => json!({"unknown": "no_time"}),
        Untimely::NoCalendar => json!({"unknown": "no_calendar"}),
    })
}

fn wished(wanted: &[String], there: Detail, strength: Option<f64>) -> Detail {
    let weak = strength.map(|strength| json!({"strength": below(strength, NEAR), "threshold": NEAR}));
    one("wanted", json!(wanted)).chain(there).chain(weak.into_iter().flat_map(members)).collect()
}

fn contest(group: &str, how: &Contest) -> Value {
    match how {
        Contest::Taken { by } => json!({"group": group, "how": "taken", "winner": &**by}),
        Contest::Sticky => json!({"group": group, "how": "sticky"}),
        Contest::Score { own, best } => json!({"group": group, "how": "score", "own": own, "best": best}),
        Contest::Override { winner } => json!({"group": group, "how": "override", "winner": &**winner}),
        Contest::Draw { winner, roll, total } => {
            json!({"group": group, "how": "draw", "winner": &**winner, "roll": rounded(*roll), "total": rounded(*total)})
        }
    }
}

/// What is there, and how much more than is told.
fn there(name: &str, present: &Present) -> Detail {
    let more = (present.more > 0).then(|| one(&format!("{name}_more"), json!(present.more)));
    one(name, json!(present.some)).chain(more.into_iter().flatten()).collect()
}

fn one(name: &str, value: Value) -> std::iter::Once<(String, Value)> {
    std::iter::once((name.to_owned(), value))
}

fn members(value: Value) -> Detail {
    match value {
        Value::Object(members) => members,
        _ => Detail::new(),
    }
}

/// For reading; `draws` of a scan are exact.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Rounded, but never up to the threshold that it did not reach.
fn below(number: f64, threshold: f64) -> f64 {
    let rounded = rounded(number);
    if rounded >= threshold { (number * 1000.0).floor() / 1000.0 } else { rounded }
}

fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Budget => "budget",
        Stop::Steps => "max_recursion_steps",
        Stop::Passes => "passes",
    }
}

fn logic_name(logic: Logic) -> &'static str {
    match logic {
        Logic::AndAny => "and_any",
        Logic::NotAll => "not_all",
        Logic::NotAny => "not_any",
        Logic::AndAll => "and_all",
    }
}
