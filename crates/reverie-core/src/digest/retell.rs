//! When does a model's telling of a day take the place of the rules'?

use super::consider::Cast;
use super::dates::{counted_from, with_dates};
use super::evidence::{Evidence, Said, Telling, objection};
use crate::fingerprint::fingerprint_of_summary;
use crate::memories::{Commit, Effect, Guard, NewMemory, Which};
use crate::memory::{Held, State};
use crate::time::{Calendar, Moment};

/// A summary by rules, and what it sums up.
pub(crate) struct Retelling {
    pub(crate) summary: Held,
    /// Oldest first.
    pub(crate) sources: Vec<Held>,
}

const MOST_CHARS: usize = 4000;

/// What is told in a source, by whom it was said: `张三: "早上我去打猎"`. What nobody said has no speaker.
fn speeches<'a>(text: &'a str, moment: Moment, everybody: &'a [String]) -> Vec<Said<'a>> {
    let mut speeches: Vec<Said<'a>> = Vec::new();
    let mut speaker = None;
    for line in text.lines() {
        let is_heading = line.starts_with('[') && line.ends_with(']');
        let spoken = line.split_once(": \"").filter(|(name, _)| everybody.iter().any(|one| one == name));
        let words = match spoken {
            Some((name, words)) => {
                speaker = Some(name);
                words
            }
            None => line,
        };
        // A speech may have several lines; the heading of another memory ends it.
        speaker = speaker.filter(|_| !is_heading);
        speeches.push(Said { words: words.strip_suffix('"').unwrap_or(words), moment, speaker });
        if words.ends_with('"') {
            speaker = None;
        }
    }
    speeches
}

/// The better summary, or why it is not believed.
pub(crate) fn retell(
    retelling: &Retelling,
    text: &str,
    cast: &Cast,
    calendar: Option<&Calendar>,
    model: &str,
) -> Result<Commit, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MOST_CHARS {
        return Err("it is empty or too long".to_owned());
    }
    let Retelling { summary, sources } = retelling;
    let moment = |held: &Held| {
        let moment = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        counted_from(moment, calendar)
    };
    let about: Vec<String> = summary.memory.about.iter().filter_map(|id| cast.get(id).cloned()).collect();
    let everybody: Vec<String> = cast.values().cloned().collect();
    let evidence = Evidence {
        said: sources.iter().flat_map(|held| speeches(held.text(), moment(held), &everybody)).collect(),
        names: &about,
        cast: &everybody,
        calendar,
        telling: Telling::Days,
    };
    if let Some(objection) = objection(text, &evidence) {
        return Err(objection);
    }
    let text = with_dates(text, &evidence);
    let holder = summary.holder.clone();
    let mut commit = Commit::default();
    commit.effects.push(Effect::Remember(told_anew(summary, sources, text, Some(model.to_owned()))));
    for held in sources.iter().chain([summary]) {
        let memory = held.memory.id;
        commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
        commit.guards.push(Guard::Valid { memory, holder: holder.clone(), valid: true });
        let is_summary = memory == summary.memory.id;
        commit.effects.push(Effect::State {
            memory: Which::Known(memory),
            holder: holder.clone(),
            state: Box::new(held.state.clone()),
            summarised_by: (!is_summary).then_some(0),
            superseded_by: is_summary.then_some(0),
        });
    }
    Ok(commit)
}

/// The same day or era in other words, for its holder. What nothing of it says any more is no keyword of it.
pub(crate) fn told_anew(summary: &Held, sources: &[Held], text: String, model: Option<String>) -> NewMemory {
    let memory = summary.memory.clone();
    let was_said = |word: &str| sources.iter().any(|held| held.memory.text.contains(word));
    let is_said = |word: &str| sources.iter().any(|held| held.text().contains(word));
    let is_meant = |word: &String| is_said(word) || !was_said(word);
    NewMemory {
        fingerprint: Some(fingerprint_of_summary(&memory.from, &text)),
        kind: memory.kind,
        origin: memory.origin,
        text,
        sources: memory.sources,
        from: memory.from.into_iter().map(Which::Known).collect(),
        about: memory.about,
        importance: memory.importance,
        keywords: memory.keywords.into_iter().filter(is_meant).collect(),
        topics: memory.topics.into_iter().filter(is_meant).collect(),
        emotions: memory.emotions,
        tick: memory.tick,
        wall_ms: memory.wall_ms,
        model,
        holders: vec![(
            summary.holder.clone(),
            State { text: None, superseded_by: None, ..summary.state.clone() },
        )],
    }
}
