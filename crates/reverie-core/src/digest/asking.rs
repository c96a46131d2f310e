//! How does a batch of rounds become a question?

use super::consider::{Batch, Cast, conversation_of};
use super::language::tongue_of;
use super::prompts::{Prompts, fill, language_name};
use super::retell::Retelling;
use super::rules::DigestRules;
use crate::memory::Held;

/// Whether anything is worth keeping.
pub(crate) fn decide_question(batch: &Batch, rules: &DigestRules) -> String {
    let conversation = conversation_of(&batch.lines);
    let tongue = tongue_of([conversation.as_str()]);
    let prompt = rules.decide_prompt.as_deref().unwrap_or_else(|| rules.prompts.decide(tongue));
    fill(prompt, &[("conversation", &conversation), ("language", language_name(tongue))])
}

/// What is worth keeping; true if the answer has to be JSON.
pub(crate) fn summarise_question(
    batch: &Batch,
    known: &[&Held],
    cast: &Cast,
    rules: &DigestRules,
) -> (String, bool) {
    let conversation = conversation_of(&batch.lines);
    let tongue = tongue_of([conversation.as_str()]);
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
pub(crate) fn retell_question(retelling: &Retelling, cast: &Cast, rules: &DigestRules) -> String {
    let texts: Vec<&str> = retelling.sources.iter().map(Held::text).collect();
    let tongue = tongue_of(texts.iter().copied());
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

fn names<'a>(ids: impl Iterator<Item = &'a crate::CharacterId>, cast: &Cast) -> String {
    ids.filter_map(|id| cast.get(id)).map(String::as_str).collect::<Vec<_>>().join("、")
}
