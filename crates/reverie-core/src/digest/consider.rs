//! What of some rounds is worth keeping for long, and is what a model says about it to be believed?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::compare::{Compared, compare};
use super::dates::{counted_from, with_dates};
use super::evidence::{Evidence, Label, Said, Telling, objection, unsaid_label};
use super::question::RawStatement;
use super::subjects::about;
use crate::fingerprint::fingerprint_of_statement;
use crate::id::{CharacterId, MemoryId};
use crate::job::Reject;
use crate::line::Line;
use crate::memories::{Commit, Effect, Guard, NewMemory, Which};
use crate::memory::{Held, Kind, Layer, Origin, Source, State};
use crate::reconcile::{Reconciled, is_alike, reconcile, similarity};
use crate::time::{Calendar, Moment};
use crate::words::keywords;

/// Rounds that all of these saw alike, and what was said in them.
pub(crate) struct Batch {
    pub(crate) holders: Vec<CharacterId>,
    /// Each memory as each holder has it.
    pub(crate) rounds: Vec<Held>,
    /// In the order of the question.
    pub(crate) lines: Vec<Line>,
}

/// Everybody in the world: id and name.
pub(crate) type Cast = BTreeMap<CharacterId, String>;

/// What each holder knows, forgotten things too, and the memories that the question numbered.
pub(crate) struct Numbered<'a> {
    pub(crate) known: &'a HashMap<CharacterId, Vec<Held>>,
    pub(crate) asked: &'a [MemoryId],
}

/// A model that has more to say than this rambles.
const MOST_STATEMENTS: usize = 16;
const MOST_REJECTS: usize = 16;
const KEYWORDS: usize = 16;
const STATEMENT_CHARS: usize = 600;

/// What becomes of a model's statements, and which of them are not believed.
pub(crate) fn statements(
    batch: &Batch,
    raw: Vec<RawStatement>,
    numbered: &Numbered<'_>,
    cast: &Cast,
    calendar: Option<&Calendar>,
    model: &str,
) -> Considered {
    let mut commit = Commit::default();
    let mut rejects = Vec::new();
    let mut left_out = Vec::new();
    let mut made = 0;
    let beyond = raw.len().saturating_sub(MOST_STATEMENTS);
    for raw in raw.into_iter().take(MOST_STATEMENTS) {
        let text = raw.text.clone();
        match statement(batch, raw, cast, calendar, model, &mut left_out) {
            Ok((new, _)) if is_said_twice(&commit, &new) => {
                rejects.push(Reject { text, reason: "it is said twice".to_owned() });
            }
            Ok((new, replaces)) => {
                made += settle(new, replaces, made, batch, numbered, &mut commit, &mut rejects)
            }
            Err(reason) => rejects.push(Reject { text, reason }),
        }
    }
    if beyond > 0 {
        rejects.push(Reject {
            text: String::new(),
            reason: format!("{beyond} more statements were not looked at"),
        });
    }
    rejects.truncate(MOST_REJECTS);
    left_out.truncate(MOST_REJECTS);
    for held in &batch.rounds {
        let (memory, holder) = held.place();
        commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
        commit.guards.push(Guard::Valid { memory, holder: holder.clone(), valid: true });
        let state = Box::new(State { considered: true, ..held.state.clone() });
        let memory = Which::Known(memory);
        commit.effects.push(Effect::State {
            memory,
            holder,
            state,
            summarised_by: None,
            superseded_by: None,
        });
    }
    Considered { commit, rejects, left_out }
}

/// What became of a model's answer.
pub(crate) struct Considered {
    pub(crate) commit: Commit,
    /// Statements that are not believed.
    pub(crate) rejects: Vec<Reject>,
    /// Keywords, topics and emotions of others that their lines do not bear out.
    pub(crate) left_out: Vec<Reject>,
}

fn is_said_twice(commit: &Commit, new: &NewMemory) -> bool {
    commit.effects.iter().any(|effect| match effect {
        Effect::Remember(other) => {
            let compared = compare(new.kind, &other.text, &new.text);
            let is_told = match compared {
                Compared::Same | Compared::Less => true,
                Compared::More => is_alike(new.kind, &other.text, &new.text),
                Compared::Changed | Compared::Other => false,
            };
            is_told && other.kind == new.kind && other.about == new.about
        }
        _ => false,
    })
}

/// A memory without holders yet, and the number of what it replaces.
fn statement(
    batch: &Batch,
    raw: RawStatement,
    cast: &Cast,
    calendar: Option<&Calendar>,
    model: &str,
    left_out: &mut Vec<Reject>,
) -> Result<(NewMemory, Option<usize>), String> {
    let text = raw.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > STATEMENT_CHARS {
        return Err("it is empty or too long".to_owned());
    }
    let cited = cited(batch, raw.lines.as_deref())?;
    let there: BTreeSet<&CharacterId> = cited
        .iter()
        .flat_map(|line| line.witnesses.iter().chain(&line.speaker))
        .chain(&batch.holders)
        .collect();
    let mut names: Vec<String> = there.iter().filter_map(|id| cast.get(*id).cloned()).collect();
    names.extend(cited.iter().filter_map(|line| line.name.clone()));
    let everybody: Vec<String> = cast.values().cloned().collect();
    let said = cited.iter().map(|line| said(line, cast, calendar)).collect();
    let evidence = Evidence { said, names: &names, cast: &everybody, calendar, telling: Telling::Statement };
    if let Some(objection) = objection(&text, &evidence) {
        return Err(objection);
    }
    let kind = kind_of(raw.kind.as_deref());
    let newest = cited.last().copied();
    let said = newest.map(moment_of).unwrap_or_default();
    let sources: Vec<Source> =
        cited.iter().map(|line| Source { line: line.id, version: line.version }).collect();
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut believed = |what: &str, of: Label, words: Vec<String>| -> Vec<String> {
        let is_unsaid = |word: &String| unsaid_label(word, of, &text, &evidence);
        let (unsaid, said): (Vec<String>, Vec<String>) = words.into_iter().partition(is_unsaid);
        left_out.extend(unsaid.into_iter().map(|word| Reject {
            text: word,
            reason: format!("its lines do not say so, and it was left out of the {what} of a statement"),
        }));
        said
    };
    let mut words = believed("keywords", Label::Keyword, raw.keywords);
    let topics = believed("topics", Label::Topic, raw.topics);
    let emotions = believed("emotions", Label::Emotion, raw.emotions);
    words.extend(keywords([text.as_str()], &borrowed, KEYWORDS));
    let dated = with_dates(&text, &evidence);
    let new = NewMemory {
        fingerprint: Some(fingerprint_of_statement(&sources, kind, &dated)),
        kind,
        origin: Origin::Statement,
        about: about(&raw.about, &text, &there, &cited, cast),
        text: dated,
        sources,
        from: Vec::new(),
        importance: raw
            .importance
            .filter(|share| (0.0..=1.0).contains(share))
            .unwrap_or_else(|| default_importance(kind)),
        keywords: few(words),
        topics: few(topics),
        emotions: few(emotions),
        tick: said.tick,
        wall_ms: said.wall_ms.unwrap_or(0),
        model: Some(model.to_owned()),
        holders: Vec::new(),
    };
    let replaces = raw.replaces.as_deref().and_then(|number| place(number, 'K'));
    Ok((new, replaces))
}

fn said<'a>(line: &'a Line, cast: &'a Cast, calendar: Option<&Calendar>) -> Said<'a> {
    let speaker = line.speaker.as_ref().and_then(|id| cast.get(id));
    Said {
        words: &line.wording.content,
        moment: counted_from(moment_of(line), calendar),
        speaker: line.name.as_deref().or(speaker.map(String::as_str)),
    }
}

fn moment_of(line: &Line) -> Moment {
    Moment { tick: line.tick, wall_ms: Some(line.wall_ms) }
}

/// The lines that it names; all, where the question asked for no numbers.
fn cited<'a>(batch: &'a Batch, numbers: Option<&[String]>) -> Result<Vec<&'a Line>, String> {
    let Some(numbers) = numbers else { return Ok(batch.lines.iter().collect()) };
    if numbers.is_empty() {
        return Err("it cites no line".to_owned());
    }
    let mut cited = Vec::new();
    for number in numbers {
        let line = place(number, 'L').and_then(|place| batch.lines.get(place));
        let line = line.ok_or_else(|| format!("it cites {number:?}, and there is no such line"))?;
        if !cited.iter().any(|known: &&Line| known.id == line.id) {
            cited.push(line);
        }
    }
    cited.sort_by_key(|line| line.id);
    Ok(cited)
}

/// `L3` is the third. Models write `3`, `[L3]` and `l3` as well.
fn place(number: &str, letter: char) -> Option<usize> {
    let bare =
        number.trim().trim_matches(['[', ']']).trim_start_matches([letter, letter.to_ascii_lowercase()]);
    bare.parse::<usize>().ok()?.checked_sub(1)
}

fn kind_of(name: Option<&str>) -> Kind {
    match name.map(|name| name.trim().to_lowercase()).as_deref() {
        Some("episodic" | "event" | "experience" | "情景" | "经历") => Kind::Episodic,
        Some("trait" | "preference" | "personality" | "特质" | "喜好" | "性格") => Kind::Trait,
        Some("goal" | "plan" | "promise" | "intention" | "目标" | "计划" | "承诺") => Kind::Goal,
        _ => Kind::Semantic,
    }
}

fn default_importance(kind: Kind) -> f64 {
    match kind {
        Kind::Episodic => 0.5,
        Kind::Semantic | Kind::Goal => 0.6,
        Kind::Trait => 0.7,
    }
}

fn few(words: Vec<String>) -> Vec<String> {
    let mut few: Vec<String> = Vec::new();
    for word in words {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
        if !word.is_empty() && word.chars().count() <= 64 && !few.contains(&word) {
            few.push(word);
        }
    }
    few.truncate(KEYWORDS);
    few
}

/// Gives a statement to those for whom it is new, and says what it replaces for whom. How many memories that makes.
fn settle(
    mut new: NewMemory,
    replaces: Option<usize>,
    place: usize,
    batch: &Batch,
    numbered: &Numbered<'_>,
    commit: &mut Commit,
    rejects: &mut Vec<Reject>,
) -> usize {
    let replaced = replaces.and_then(|place| numbered.asked.get(place));
    let layer = (new.kind == Kind::Episodic).then_some(Layer::Events);
    let mut changes = Vec::new();
    let mut reason = "";
    for holder in &batch.holders {
        let known = numbered.known.get(holder).map(Vec::as_slice).unwrap_or_default();
        if known.iter().any(|held| held.state.forgotten && is_same(held, &new)) {
            reason = "it was forgotten";
            continue;
        }
        let about_same = |held: &&Held| {
            // What is about nobody whom the world knows is compared with its like.
            let is_of_one = held.memory.about.iter().any(|one| new.about.contains(one))
                || held.memory.about.is_empty() && new.about.is_empty();
            held.is_valid() && held.memory.origin != Origin::Round && is_of_one
        };
        let target = known.iter().filter(about_same).find(|held| Some(&held.memory.id) == replaced);
        let held = match reconcile(&new.text, new.kind, known.iter().filter(about_same), target) {
            Reconciled::Ignore { .. } => {
                reason = "it is known already";
                continue;
            }
            Reconciled::Add => Vec::new(),
            Reconciled::Refine { known } | Reconciled::Supersede { known } => known,
        };
        let mut state = State::new(layer, new.tick);
        state.pinned = held.iter().any(|held| held.state.pinned);
        changes.extend(held);
        new.holders.push((holder.clone(), state));
    }
    if new.holders.is_empty() {
        rejects.push(Reject { text: new.text, reason: reason.to_owned() });
        return 0;
    }
    commit.effects.push(Effect::Remember(new));
    for held in changes {
        let (memory, holder) = held.place();
        commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
        let (memory, state) = (Which::Known(memory), Box::new(held.state.clone()));
        commit.effects.push(Effect::State {
            memory,
            holder,
            state,
            summarised_by: None,
            superseded_by: Some(place),
        });
    }
    1
}

/// Whether something that was forgotten would come back in other words.
fn is_same(held: &Held, new: &NewMemory) -> bool {
    let same_lines = !held.memory.sources.is_empty()
        && held.memory.sources.len() == new.sources.len()
        && held.memory.sources.iter().zip(&new.sources).all(|(a, b)| a.line == b.line);
    let of_round = held.memory.origin == Origin::Round
        && new.sources.iter().all(|source| held.memory.sources.iter().any(|known| known.line == source.line));
    same_lines || of_round || similarity(held.text(), &new.text) > 0.5
}
