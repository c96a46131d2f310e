//! What was said here that the history does not reach back to, or elsewhere not long ago, and that nobody remembers yet?
//!
//! A line becomes a memory when its round is over. Until then, however long the round, what falls out of the history would be
//! lost, and whoever goes from one room to the next would find that nobody knows what was just said; so these lines are looked through as they are, a few together, and what belongs to what is being said comes to mind
//! beside memories. Nothing of it is kept: once remembered, a line is found as a memory.

use std::collections::BTreeSet;

use super::audience::{Confidence, Telling, telling};
use crate::attribute::Attribute;
use crate::cue::Cue;
use crate::id::{CharacterId, LineId, MemoryId};
use crate::laps::Laps;
use crate::layers::Now;
use crate::line::Line;
use crate::memory::{Held, Kind, Memory, Origin, Source, State};
use crate::mind::terms::SPELLING;
use crate::mind::{Mind, Note, Said};
use crate::rank::{Barred, Considered, Question, considered, recollect};
use crate::recollection::Provenance;
use crate::settings::{RecallRules, WorldSettings};
use crate::store::Gathered;
use crate::words::{is_function_word, is_written_together, words};

/// So many lines before the history are looked through.
pub(super) const LOOKED_THROUGH: usize = 200;
/// So many lines stand together at most: an exchange, or a part of a longer one.
const TOGETHER: usize = 6;
/// Of all that is found so, the nearest.
const NEAREST: usize = 20;
/// This part of the budget, in bytes of the newest lines, stands in the history whatever else enters the prompt.
const SURELY_SHOWN: usize = 8;
/// A word that so many stretches have, and more than one of so many, tells nothing of any of them.
const FEW: usize = 3;
const MANY_OF: usize = 4;
/// So many letters of a word are the same in all its forms.
const BEGINNING: usize = 5;
/// As much as a round's.
const IMPORTANCE: f64 = 0.5;

/// What of it comes to the minds of all of these.
pub(super) fn come_to_mind(
    cue: &Cue,
    gathered: &Gathered,
    settings: &WorldSettings,
    (holders, rules): (&[CharacterId], &RecallRules),
    question: &Question,
    (now, laps): (&Now, &Laps),
) -> Vec<Considered> {
    if !rules.archive {
        return Vec::new();
    }
    let knowing = |line: &Line| knowing(line, holders, gathered);
    let budget = cue.budget.unwrap_or(settings.budget);
    let lines = lines(cue, gathered, (rules.said.max(1), budget / SURELY_SHOWN));
    let lines: Vec<&Line> = lines.into_iter().filter(|line| !knowing(line).is_empty()).collect();
    // What was just said is asked for, not what the last lines are about: these have their own history around them.
    let mut said = question.said.clone();
    said.parts.retain(|(_, weight)| *weight >= 1.0);
    let stretches = worth_reading(stretches(&lines, &knowing), &said);
    let Some(first) = holders.first().filter(|_| !stretches.is_empty()) else { return Vec::new() };
    let mut mind = Mind::default();
    for stretch in &stretches {
        // Each is an exchange of its own: neither its neighbours nor who speaks in all of them help it.
        let knows = stretch.first().and_then(|line| knowing(line).into_iter().next());
        if let Some(held) = knows.and_then(|who| written_down(stretch, who, gathered.world.revision)) {
            mind.put(Note::new(held, None, Vec::new(), settings.calendar.as_ref()), &[]);
        }
    }
    // Nobody asked an embedder for the place of a line.
    let question = Question { said, meaning: None, newest: None, lines: BTreeSet::new(), ..question.clone() };
    let came = recollect(&mind, &question, rules, &|_| true, laps);
    let mut found = considered((&mind, first), came, &question, rules, &|_| None, (now, true, laps));
    found.retain(|one| one.score > 0.0);
    found.truncate(NEAREST);
    for one in &mut found {
        let told: Vec<&Line> =
            lines.iter().copied().filter(|line| one.lines.binary_search(&line.id).is_ok()).collect();
        one.known_by = told.first().map(|line| knowing(line)).unwrap_or_default();
        // What happened may always be told, but not twice.
        one.is_constant = false;
        one.barred = (one.nearness * one.weight < rules.threshold).then_some(Barred::Threshold);
        let confided = Confidence::of(&one.note.held, &one.known_by);
        let from = provenance(&told, &one.known_by);
        let telling = telling(&from, &confided, gathered, settings.audience);
        if let (None, Telling::KeptFrom(lacking)) = (one.barred, telling) {
            (one.barred, one.lacked_by) = (Some(Barred::Audience), lacking);
        }
    }
    found
}

/// Those from elsewhere, conversation by conversation; those before the history, and those in it that it may have no room for. Oldest
/// first. The last so many lines are what is being said, and remind of nothing by themselves.
fn lines<'g>(cue: &Cue, gathered: &'g Gathered, (being_said, surely_shown): (usize, usize)) -> Vec<&'g Line> {
    let here = gathered.conversation.as_ref().map(|here| &here.id);
    let is_word =
        |line: &&Line| line.attribute != Attribute::System && !line.wording.content.trim().is_empty();
    let mut newer = 0;
    let mut maybe_shown: Vec<&Line> = Vec::new();
    let mut shown: BTreeSet<LineId> = BTreeSet::new();
    for (place, line) in gathered.window.iter().rev().enumerate() {
        let is_new = Some(&line.conversation) == here && Some(line.id) > gathered.remembered_through;
        if place < being_said || newer <= surely_shown {
            shown.insert(line.id);
        } else if is_new {
            maybe_shown.push(line);
        }
        newer += line.wording.content.len();
    }
    shown.extend(gathered.background.iter().map(|line| line.id));
    // What the host brings along may be the very conversation that is recorded here, too.
    let brought: BTreeSet<String> =
        cue.history.iter().flatten().map(|line| SPELLING.fold(line.wording.content.trim())).collect();
    let is_shown = |line: &&Line| {
        shown.contains(&line.id) || brought.contains(&SPELLING.fold(line.wording.content.trim()))
    };
    let mut elsewhere: Vec<&Line> = gathered.elsewhere.iter().filter(|line| !is_shown(line)).collect();
    elsewhere.sort_by_key(|line| &line.conversation);
    let mut here: Vec<&Line> = gathered.unremembered.iter().chain(maybe_shown).collect();
    here.sort_by_key(|line| line.id);
    elsewhere.into_iter().chain(here).filter(is_word).collect()
}

/// Who of these heard a line and has not forgotten it, nor what was made of it before.
fn knowing(line: &Line, holders: &[CharacterId], gathered: &Gathered) -> Vec<CharacterId> {
    holders.iter().filter(|one| gathered.is_news_to(one, line)).cloned().collect()
}

/// What was said to each other, before the same people, stands together: from what the player says to what is answered.
fn stretches<'g>(lines: &[&'g Line], knowing: &dyn Fn(&Line) -> Vec<CharacterId>) -> Vec<Vec<&'g Line>> {
    let mut stretches: Vec<Vec<&Line>> = Vec::new();
    for line in lines {
        let goes_on = |stretch: &&mut Vec<&Line>| {
            let is_answer = |last: &&&Line| last.attribute == Attribute::Assistant;
            let is_over = line.attribute == Attribute::User && stretch.last().filter(is_answer).is_some();
            let is_same_talk = stretch
                .last()
                .is_some_and(|last| last.conversation == line.conversation && knowing(last) == knowing(line));
            stretch.len() < TOGETHER && is_same_talk && !is_over
        };
        match stretches.last_mut().filter(goes_on) {
            Some(stretch) => stretch.push(line),
            None => stretches.push(vec![line]),
        }
    }
    stretches
}

/// Those that have a word of what is said that not many of them have. Others are not cut into words, which is what costs.
fn worth_reading<'g>(stretches: Vec<Vec<&'g Line>>, said: &Said) -> Vec<Vec<&'g Line>> {
    let sought: BTreeSet<String> =
        said.parts.iter().chain(&said.names).flat_map(|(text, _)| sought(text)).collect();
    if sought.is_empty() {
        return Vec::new();
    }
    let folded = |stretch: &Vec<&Line>| {
        stretch.iter().map(|line| SPELLING.fold(&line.wording.content)).collect::<Vec<_>>().join("\n")
    };
    let texts: Vec<String> = stretches.iter().map(folded).collect();
    let many = (stretches.len() / MANY_OF).max(FEW);
    let tells = |word: &&String| texts.iter().filter(|text| text.contains(word.as_str())).count() <= many;
    let telling: Vec<&String> = sought.iter().filter(tells).collect();
    let is_worth = |text: &String| telling.iter().any(|word| text.contains(word.as_str()));
    stretches.into_iter().zip(&texts).filter(|(_, text)| is_worth(text)).map(|(stretch, _)| stretch).collect()
}

/// Beginnings of words, numbers, and pairs of characters where words are written together.
fn sought(text: &str) -> Vec<String> {
    let folded = SPELLING.fold(text);
    let mut sought = Vec::new();
    for word in words(&folded).filter(|word| !is_function_word(word)) {
        let chars: Vec<char> = word.chars().collect();
        match chars.iter().all(|char| is_written_together(*char)) {
            true => sought.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>())),
            false if chars.len() > 2 || chars.iter().all(|char| char.is_numeric()) => {
                sought.push(chars.iter().take(BEGINNING).collect())
            }
            false => {}
        }
    }
    sought
}

/// Like a memory, under a number that none has.
fn written_down(stretch: &[&Line], holder: CharacterId, revision: u64) -> Option<Held> {
    let (first, last) = (stretch.first()?, stretch.last()?);
    let name = |line: &Line| line.name.clone().or_else(|| line.speaker.as_ref().map(ToString::to_string));
    let said = |line: &&Line| match name(line) {
        Some(name) => format!("{name}: \"{}\"", line.wording.content),
        None => line.wording.content.clone(),
    };
    let emotion = |line: &&Line| {
        line.wording.original_emotion.clone().or_else(|| line.wording.predicted_emotion.clone())
    };
    let speakers: BTreeSet<CharacterId> = stretch.iter().filter_map(|line| line.speaker.clone()).collect();
    let emotions: BTreeSet<String> = stretch.iter().filter_map(emotion).collect();
    let memory = Memory {
        id: MemoryId::of_line(first.id),
        kind: Kind::Episodic,
        origin: Origin::Round,
        text: stretch.iter().map(said).collect::<Vec<_>>().join("\n"),
        sources: stretch.iter().map(|line| Source { line: line.id, version: line.version }).collect(),
        from: Vec::new(),
        about: speakers.into_iter().collect(),
        importance: IMPORTANCE,
        keywords: Vec::new(),
        topics: Vec::new(),
        emotions: emotions.into_iter().filter(|emotion| !emotion.trim().is_empty()).collect(),
        tick: last.tick,
        wall_ms: last.wall_ms,
        model: None,
        revision,
    };
    Some(Held {
        memory,
        holder,
        state: State::new(None, last.tick),
        version: 0,
        live: true,
        summarised: None,
        superseded: None,
        refreshed: None,
    })
}

fn provenance(lines: &[&Line], holders: &[CharacterId]) -> Provenance {
    let conversations: BTreeSet<_> = lines.iter().map(|line| line.conversation.clone()).collect();
    let mut witnesses = lines.first().map(|line| line.witnesses.clone()).unwrap_or_default();
    witnesses.retain(|one| lines.iter().all(|line| line.is_witnessed_by(one)));
    Provenance {
        conversations: conversations.into_iter().collect(),
        witnesses,
        holders: holders.to_vec(),
        reworded: Vec::new(),
    }
}
