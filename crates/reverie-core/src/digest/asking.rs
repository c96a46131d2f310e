//! How does a batch of rounds become a question?

use std::fmt::Write;

use super::consider::{Batch, Cast};
use super::dates::Headings;
use super::language::{Tongue, tongue_of};
use super::prompts::{Prompts, fill, language_name};
use super::retell::Retelling;
use super::rules::DigestRules;
use crate::line::Line;
use crate::memory::Held;
use crate::time::{Calendar, Moment};

/// Whether anything is worth keeping.
pub(crate) fn decide_question(batch: &Batch, rules: &DigestRules, calendar: Option<&Calendar>) -> String {
    let tongue = tongue_of_lines(&batch.lines);
    let conversation = conversation_of(&batch.lines, tongue, calendar);
    let prompt = rules.decide_prompt.as_deref().unwrap_or_else(|| rules.prompts.decide(tongue));
    fill(prompt, &[("conversation", &conversation), ("language", language_name(tongue))])
}

/// What is worth keeping; true if the answer has to be JSON.
pub(crate) fn summarise_question(
    batch: &Batch,
    known: &[&Held],
    cast: &Cast,
    rules: &DigestRules,
    calendar: Option<&Calendar>,
) -> (String, bool) {
    let tongue = tongue_of_lines(&batch.lines);
    let conversation = conversation_of(&batch.lines, tongue, calendar);
    let prompt = rules.summarise_prompt.as_deref().unwrap_or_else(|| rules.prompts.summarise(tongue));
    let mut told = String::new();
    for (place, held) in known.iter().enumerate() {
        let text = held.text().split_whitespace().collect::<Vec<_>>().join(" ");
        told.push_str(&format!("[K{}] {text}\n", place + 1));
    }
    let holders = names(batch.holders.iter(), cast);
    let values = [
        ("conversation", conversation.as_str()),
        ("known", told.as_str()),
        ("holders", holders.as_str()),
        ("language", language_name(tongue)),
    ];
    (fill(prompt, &values), rules.summary_is_json())
}

/// A day or an era in a model's own words.
pub(crate) fn retell_question(
    retelling: &Retelling,
    cast: &Cast,
    rules: &DigestRules,
    calendar: Option<&Calendar>,
) -> String {
    let tongue = tongue_of(retelling.sources.iter().map(Held::text));
    let mut headings = Headings::default();
    let dated = |held: &Held| {
        let moment = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        let heading = headings.before(moment, calendar, tongue);
        heading.map_or_else(|| held.text().to_owned(), |heading| format!("{heading}\n{}", held.text()))
    };
    let texts: Vec<String> = retelling.sources.iter().map(dated).collect();
    let prompt = rules.retell_prompt.as_deref().unwrap_or_else(|| Prompts::retell(tongue));
    let holder = names([&retelling.summary.holder].into_iter(), cast);
    let conversation = texts.join("\n\n");
    let values = [
        ("conversation", conversation.as_str()),
        ("holders", holder.as_str()),
        ("language", language_name(tongue)),
    ];
    fill(prompt, &values)
}

/// The lines as a question shows them: `[L1] name: words`, below the days on which they were said. A line break inside a line must
/// not make up another line.
fn conversation_of(lines: &[Line], tongue: Tongue, calendar: Option<&Calendar>) -> String {
    let mut text = String::new();
    let mut headings = Headings::default();
    for (place, line) in lines.iter().enumerate() {
        let moment = Moment { tick: line.tick, wall_ms: Some(line.wall_ms) };
        if let Some(heading) = headings.before(moment, calendar, tongue) {
            let _ = writeln!(text, "{heading}");
        }
        let name = line.name.as_deref().unwrap_or("???");
        let content = line.wording.content.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "[L{}] {name}: {content}", place + 1);
    }
    text
}

fn tongue_of_lines(lines: &[Line]) -> Tongue {
    tongue_of(
        lines.iter().flat_map(|line| [line.wording.content.as_str(), line.name.as_deref().unwrap_or("")]),
    )
}

fn names<'a>(ids: impl Iterator<Item = &'a crate::CharacterId>, cast: &Cast) -> String {
    ids.filter_map(|id| cast.get(id)).map(String::as_str).collect::<Vec<_>>().join("、")
}
