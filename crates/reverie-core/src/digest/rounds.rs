//! Which rounds are over, who was there, and what does each of them remember of it?

use std::collections::{BTreeMap, BTreeSet};

use super::heading::language_of_round;
use super::inherit::inherit;
use super::round_text::{Said, round_text};
use super::rules::DigestRules;
use crate::Attribute;
use crate::fingerprint::fingerprint_of_round;
use crate::id::{CharacterId, LineId, RoundId};
use crate::line::Line;
use crate::memories::{Backlog, Commit, Effect, Guard, NewMemory, PathLine, ReadLine};
use crate::memory::{Held, Kind, Layer, Origin, Source, State};
use crate::round::{Participant, Round, RoundState, Span};
use crate::time::Language;
use crate::words::keywords;

/// What a round is worth: it was lived through, and nobody has judged it yet.
const ROUND_IMPORTANCE: f64 = 0.6;
const KEYWORDS: usize = 16;

/// When the lines of no host's round count as a round that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// By the rules, at this time.
    Due { now_ms: i64 },
    /// Whatever there is.
    Now,
}

/// What is to be done about a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounds {
    /// Empty if no round is over.
    pub commit: Commit,
    /// Rounds that their hosts left open too long.
    pub abandoned: Vec<RoundId>,
    /// When to look again if nothing is said until then.
    pub look_again_ms: Option<i64>,
}

/// Makes one memory of each round that is over, for each group of those who saw the same of it. `language` is the world's.
pub fn digest_rounds(backlog: &Backlog, rules: &DigestRules, language: Language, closing: Closing) -> Rounds {
    let mut found = Rounds { commit: Commit::default(), abandoned: Vec::new(), look_again_ms: None };
    let (units, pending) = units(backlog, rules, closing);
    if units.iter().any(|unit| matches!(unit.place, Place::Found(_))) {
        let through = backlog.covered;
        found.commit.guards.push(Guard::Covered { conversation: backlog.conversation.clone(), through });
    }
    for unit in &units {
        remember(backlog, unit, language, &mut found.commit);
    }
    found.look_again_ms = pending.map(|last_ms| last_ms.saturating_add(rules.idle_ms));
    // Where lines are missing, nobody knows when the last one was said.
    let is_whole = |round: &&Round| !backlog.is_cut || reaches_its_end(backlog, round);
    for round in backlog.rounds.iter().filter(|round| round.state == RoundState::Open).filter(is_whole) {
        let last_ms = lines_of(backlog, round.id).map(|line| line.line.wall_ms).max().unwrap_or(0);
        let due_ms = last_ms.max(round.opened_ms).saturating_add(rules.abandoned_ms);
        match closing {
            Closing::Due { now_ms } if now_ms >= due_ms => found.abandoned.push(round.id),
            _ => found.look_again_ms = Some(found.look_again_ms.map_or(due_ms, |other| other.min(due_ms))),
        }
    }
    found
}

/// Makes the memories of rounds anew that were erased with a part of what they were made of, so that what their holders decided about
/// them stays. `known` is what is left of what is known of the lines, `erased` what is not.
pub fn remember_anew(backlog: &Backlog, known: &[Held], erased: &[Held]) -> Commit {
    let mut commit = Commit::default();
    let decided: BTreeSet<LineId> =
        erased.iter().flat_map(|held| &held.memory.sources).map(|source| source.line).collect();
    let mut units: BTreeMap<RoundId, Unit<'_>> = BTreeMap::new();
    for round in backlog.rounds.iter().filter(|round| round.state == RoundState::Closed) {
        units.insert(round.id, Unit { place: Place::Known(round), lines: Vec::new() });
    }
    for line in &backlog.lines {
        for round in rounds_of(backlog, line) {
            if let Some(unit) = units.get_mut(&round) {
                unit.lines.push(line);
            }
        }
    }
    for unit in units.values() {
        if unit.lines.iter().any(|line| decided.contains(&line.line.id)) {
            remember(backlog, unit, language_before(unit, erased), &mut commit);
        }
    }
    let made = commit.effects.iter_mut().filter_map(|effect| match effect {
        Effect::Remember(new) => Some(new),
        _ => None,
    });
    for new in made {
        inherit(new, known);
        inherit(new, erased);
    }
    commit
}

/// What is left of a round is told as it was before; a setting that has changed since changes nothing about it.
fn language_before(unit: &Unit<'_>, erased: &[Held]) -> Language {
    let is_of_unit = |held: &&Held| {
        held.memory.sources.iter().any(|source| unit.lines.iter().any(|line| line.line.id == source.line))
    };
    let language = |held: &Held| language_of_round(&held.memory.text);
    let before = erased.iter().filter(is_of_unit).find_map(language);
    before.or_else(|| erased.iter().find_map(language)).unwrap_or_default()
}

/// A round that is over, and what was said in it.
struct Unit<'a> {
    place: Place<'a>,
    lines: Vec<&'a PathLine>,
}

enum Place<'a> {
    /// There is a record of it.
    Known(&'a Round),
    /// It was just found.
    Found(Span),
}

/// Of a host's round that stands on the path.
fn lines_of(backlog: &Backlog, round: RoundId) -> impl Iterator<Item = &PathLine> {
    backlog.lines.iter().filter(move |line| line.line.round == Some(round))
}

/// The rounds that are over, and when the last line was said that belongs to none yet.
fn units<'a>(backlog: &'a Backlog, rules: &DigestRules, closing: Closing) -> (Vec<Unit<'a>>, Option<i64>) {
    let mut known: BTreeMap<RoundId, Unit<'a>> = BTreeMap::new();
    // A round of which a part is missing waits until it is whole.
    let is_whole = |round: &&Round| !backlog.is_cut || reaches_its_end(backlog, round);
    for round in backlog.rounds.iter().filter(|round| round.state == RoundState::Closed).filter(is_whole) {
        known.insert(round.id, Unit { place: Place::Known(round), lines: Vec::new() });
    }
    let mut run = Run::new(rules);
    for line in &backlog.lines {
        let rounds = rounds_of(backlog, line);
        if rounds.is_empty() {
            run.add(line);
            continue;
        }
        // Whatever was said before another round began is over.
        run.end();
        for round in rounds {
            if let Some(unit) = known.get_mut(&round) {
                unit.lines.push(line);
            }
        }
    }
    let pending = run.finish(backlog.is_cut, closing);
    let mut units: Vec<Unit<'a>> = known.into_values().collect();
    units.extend(run.over);
    (units, pending)
}

fn reaches_its_end(backlog: &Backlog, round: &Round) -> bool {
    round.span.is_some_and(|span| backlog.lines.iter().any(|line| line.line.id == span.last))
}

/// The rounds that a line belongs to, whatever their state: its host's, or those that were found before. There are several of
/// these where what was said was taken back and said again: each is remembered, for each may be all that is left some day. A host's
/// round that does not stand on the path has no lines there: what is left of it is like lines that were only posted.
fn rounds_of(backlog: &Backlog, line: &PathLine) -> Vec<RoundId> {
    let Line { id, round: of_host, .. } = &line.line;
    if let Some(host) = of_host
        && backlog.rounds.binary_search_by_key(host, |round| round.id).is_ok()
    {
        return vec![*host];
    }
    let within = |round: &&Round| {
        !round.explicit && round.span.is_some_and(|span| (span.first..=span.last).contains(id))
    };
    backlog.rounds.iter().filter(within).map(|round| round.id).collect()
}

/// Lines of no round on their way into rounds.
struct Run<'a> {
    most_lines: usize,
    idle_ms: i64,
    lines: Vec<&'a PathLine>,
    /// True if somebody replied.
    answered: bool,
    over: Vec<Unit<'a>>,
}

impl<'a> Run<'a> {
    fn new(rules: &DigestRules) -> Self {
        let DigestRules { round_lines, idle_ms, .. } = *rules;
        Self { most_lines: round_lines, idle_ms, lines: Vec::new(), answered: false, over: Vec::new() }
    }

    fn add(&mut self, line: &'a PathLine) {
        let is_user = line.line.attribute == Attribute::User;
        let was_silent = self
            .lines
            .last()
            .is_some_and(|last| line.line.wall_ms.saturating_sub(last.line.wall_ms) >= self.idle_ms);
        let is_awaited = self.is_taken_back() && line.line.attribute == Attribute::Assistant;
        if (is_user && self.answered) || (was_silent && !is_awaited) || self.lines.len() >= self.most_lines {
            self.end();
        }
        self.answered |= line.line.attribute == Attribute::Assistant;
        self.lines.push(line);
    }

    fn end(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        self.answered = false;
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            let span = Span { first: first.line.id, last: last.line.id };
            self.over.push(Unit { place: Place::Found(span), lines });
        }
    }

    /// Words whose answer was taken back, which are left of a host's round, wait for another one, however long ago they were
    /// said.
    fn is_taken_back(&self) -> bool {
        !self.answered && self.lines.iter().any(|line| line.line.round.is_some())
    }

    /// When the last line was said, if what it belongs to is not over yet.
    fn finish(&mut self, is_cut: bool, closing: Closing) -> Option<i64> {
        let last_ms = self.lines.last()?.line.wall_ms;
        let is_over = match closing {
            // More of it may follow.
            _ if is_cut => self.lines.len() >= self.most_lines,
            Closing::Now => true,
            Closing::Due { now_ms } => {
                now_ms.saturating_sub(last_ms) >= self.idle_ms || self.lines.len() >= self.most_lines
            }
        };
        if self.is_taken_back() && closing != Closing::Now {
            return None;
        }
        if is_over {
            self.end();
            return None;
        }
        Some(last_ms)
    }
}

fn remember(backlog: &Backlog, unit: &Unit<'_>, language: Language, commit: &mut Commit) {
    let read = |line: &&PathLine| ReadLine {
        line: line.line.id,
        version: line.line.version,
        hidden: line.line.hidden,
        forgotten_by: line.line.forgotten_by.clone(),
    };
    commit.guards.push(Guard::Lines(unit.lines.iter().map(read).collect()));
    let everybody = everybody(unit);
    for (holders, lines) in groups(&unit.lines) {
        commit.effects.push(Effect::Remember(memory(backlog, &everybody, holders, &lines, language)));
    }
    match unit.place {
        Place::Known(round) => {
            commit.guards.push(Guard::Waiting(round.id));
            commit.effects.push(Effect::Digested(round.id));
        }
        Place::Found(span) => {
            let conversation = backlog.conversation.clone();
            commit.effects.push(Effect::Found { conversation, span });
        }
    }
}

/// Words that can be remembered: neither directions to a model, nor hidden, nor empty.
fn is_said(line: &PathLine) -> bool {
    line.line.attribute != Attribute::System
        && !line.line.hidden
        && !line.line.wording.content.trim().is_empty()
}

/// Everyone who was there: as the host named them, then who else spoke, in that order, then who else was there.
fn everybody(unit: &Unit<'_>) -> Vec<Participant> {
    let mut everybody: Vec<Participant> = match unit.place {
        Place::Known(round) => round.present.clone(),
        Place::Found(_) => Vec::new(),
    };
    let mut known: BTreeSet<CharacterId> = everybody.iter().map(|one| one.character.clone()).collect();
    let mut join = |one: &Participant| {
        if known.insert(one.character.clone()) {
            everybody.push(one.clone());
        }
    };
    for line in unit.lines.iter().filter(|line| is_said(line) && line.by_person) {
        let speaker = line.line.speaker.as_ref();
        if let Some(one) = line.present.iter().find(|one| Some(&one.character) == speaker) {
            join(one);
        }
    }
    for one in unit.lines.iter().flat_map(|line| &line.present) {
        join(one);
    }
    everybody
}

/// Those who saw exactly the same lines, and these lines.
fn groups<'a>(lines: &[&'a PathLine]) -> Vec<(Vec<CharacterId>, Vec<&'a PathLine>)> {
    let said: Vec<&'a PathLine> = lines.iter().copied().filter(|line| is_said(line)).collect();
    let mut seen: BTreeMap<&CharacterId, Vec<usize>> = BTreeMap::new();
    for (place, line) in said.iter().enumerate() {
        for witness in line.line.witnesses.iter().filter(|witness| !line.line.is_forgotten_by(witness)) {
            seen.entry(witness).or_default().push(place);
        }
    }
    let mut groups: BTreeMap<Vec<usize>, Vec<CharacterId>> = BTreeMap::new();
    for (witness, places) in seen {
        groups.entry(places).or_default().push(witness.clone());
    }
    let lines_at =
        |places: Vec<usize>| places.into_iter().filter_map(|place| said.get(place).copied()).collect();
    groups.into_iter().map(|(places, holders)| (holders, lines_at(places))).collect()
}

fn memory(
    backlog: &Backlog,
    everybody: &[Participant],
    holders: Vec<CharacterId>,
    lines: &[&PathLine],
    language: Language,
) -> NewMemory {
    // A name that came with the line was the speaker's at that moment; else that of the beginning of the round.
    let name_of = |line: &PathLine| {
        let then = everybody.iter().find(|one| Some(&one.character) == line.line.speaker.as_ref());
        let then = then.and_then(|one| one.name.clone());
        line.own_name.clone().or(then).or_else(|| line.line.name.clone())
    };
    let names: Vec<Option<String>> = lines.iter().map(|line| name_of(line)).collect();
    let said = lines
        .iter()
        .zip(&names)
        .map(|(line, name)| Said { name: name.as_deref(), content: &line.line.wording.content });
    let sources: Vec<Source> =
        lines.iter().map(|line| Source { line: line.line.id, version: line.line.version }).collect();
    let last = lines.last().map(|line| &line.line);
    let tick = last.and_then(|line| line.tick);
    let mentioned: Vec<&str> = everybody.iter().filter_map(|one| one.name.as_deref()).collect();
    let mut about: Vec<CharacterId> = everybody.iter().map(|one| one.character.clone()).collect();
    about.sort();
    NewMemory {
        fingerprint: Some(fingerprint_of_round(&backlog.conversation, &sources)),
        kind: Kind::Episodic,
        origin: Origin::Round,
        text: round_text(everybody, said, language),
        keywords: keywords(lines.iter().map(|line| line.line.wording.content.as_str()), &mentioned, KEYWORDS),
        emotions: emotions(lines),
        sources,
        from: Vec::new(),
        about,
        importance: ROUND_IMPORTANCE,
        topics: Vec::new(),
        tick,
        wall_ms: last.map_or(0, |line| line.wall_ms),
        model: None,
        holders: holders.into_iter().map(|holder| (holder, State::new(Some(Layer::Active), tick))).collect(),
    }
}

/// As the lines show them, each once.
fn emotions(lines: &[&PathLine]) -> Vec<String> {
    let mut emotions: Vec<String> = Vec::new();
    for line in lines {
        let wording = &line.line.wording;
        let shown = wording.original_emotion.as_ref().or(wording.predicted_emotion.as_ref());
        if let Some(emotion) =
            shown.filter(|emotion| !emotion.trim().is_empty() && !emotions.contains(emotion))
        {
            emotions.push(emotion.clone());
        }
    }
    emotions
}
