//! How is what came to mind put into words?

use reverie_core::Recall;
use reverie_core::cue::{Position, PromptMessage, Recalled};
use reverie_core::rank::{Barred, Considered, Dropped, Fate, Occasion, Parts, Suggestion};

/// What a recall asked for with this verb looks like.
pub(super) fn shown(verb: &str, recall: &Recall) -> String {
    match verb {
        "kept" => {
            let kept = recall.memories.iter().filter(|one| one.fate == Fate::Kept);
            let kept: Vec<String> = kept.map(told).collect();
            or_nothing(kept.join(" "))
        }
        "ask" => {
            let told = recall.blocks.iter().filter(|block| block.position == Position::Memory);
            or_nothing(told.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n"))
        }
        "why" => {
            let fate = |one: &Recalled| format!("{} {}\n", told(one), fate_name(one.fate));
            or_nothing(recall.memories.iter().map(fate).collect())
        }
        "lacking" => {
            let barred = recall.memories.iter().filter(|one| one.considered.barred == Some(Barred::Audience));
            let lacking = |one: &Recalled| {
                let people = one.considered.lacked_by.iter().map(|who| format!(" {who}"));
                format!("{}:{}\n", told(one), people.collect::<String>())
            };
            or_nothing(barred.map(lacking).collect())
        }
        "legs" => {
            let legs = |one: &Recalled| {
                let parts = of_parts(&one.considered.parts).filter(|(_, part)| *part > 0.0);
                let named: Vec<&str> = parts.map(|(name, _)| name).collect();
                format!("{} {}\n", told(one), named.join(" "))
            };
            or_nothing(recall.memories.iter().map(legs).collect())
        }
        "related" => {
            let kept = recall.memories.iter().filter(|one| one.fate == Fate::Kept);
            let beside = |one: &Recalled| {
                let Considered { note, related, .. } = &one.considered;
                let related = related.iter().map(|related| format!(" M{}", related.memory));
                format!("M{}:{}\n", note.held.memory.id, related.collect::<String>())
            };
            or_nothing(kept.map(beside).collect())
        }
        "missing" => {
            or_nothing(recall.degraded.iter().map(|degraded| format!("{}\n", degraded.code)).collect())
        }
        _ => {
            let message = |message: &PromptMessage| {
                format!("{} | {}\n", message.role.as_str(), message.content.replace('\n', "⏎"))
            };
            recall.messages.iter().map(message).collect()
        }
    }
}

/// `M3`, or `L5` for lines that are no memory yet, by the first of them.
fn told(one: &Recalled) -> String {
    let id = one.considered.note.held.memory.id;
    id.line().map_or_else(|| format!("M{id}"), |line| format!("L{line}"))
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "nothing\n".to_owned() } else { format!("{text}\n") }
}

pub fn of_parts(parts: &Parts) -> impl Iterator<Item = (&'static str, f32)> {
    let Parts { lexical, semantic, keyword, temporal, emotional, related } = *parts;
    [
        ("lexical", lexical),
        ("semantic", semantic),
        ("keyword", keyword),
        ("temporal", temporal),
        ("emotional", emotional),
        ("related", related),
    ]
    .into_iter()
}

fn fate_name(fate: Fate) -> String {
    match fate {
        Fate::Kept => "kept".to_owned(),
        Fate::Dropped(Dropped::Barred(Barred::Dormant(dormant))) => dormant.as_str().to_owned(),
        Fate::Dropped(Dropped::Barred(Barred::Audience)) => "audience".to_owned(),
        Fate::Dropped(Dropped::Barred(Barred::Threshold)) => "threshold".to_owned(),
        Fate::Dropped(Dropped::Barred(Barred::Corrected)) => "corrected".to_owned(),
        Fate::Dropped(Dropped::InHistory) => "in_history".to_owned(),
        Fate::Dropped(Dropped::Alike(other)) => format!("alike M{other}"),
        Fate::Dropped(Dropped::NotInTemplate) => "not_in_template".to_owned(),
        Fate::Dropped(Dropped::Enough) => "enough".to_owned(),
        Fate::Dropped(Dropped::Room) => "room".to_owned(),
    }
}

/// Memories that are worth raising, one to a line: which, why, and how much.
pub(super) fn raised(suggestions: &[Suggestion]) -> String {
    let one = |one: &Suggestion| {
        let why = match one.occasion {
            Occasion::Goal => "goal",
            Occasion::Anniversary => "anniversary",
            Occasion::Present => "present",
            Occasion::Fading => "fading",
        };
        format!("M{} {why} {:.2}\n", one.note.held.memory.id, one.score)
    };
    or_nothing(suggestions.iter().map(one).collect())
}
