//! What does a story make of what was said, and of what it remembers already?

use std::collections::BTreeSet;

use reverie_core::memories::{Commit, Effect, Guard, HeldQuery, NewMemory, ReadLine, Which, WhichHeld};
use reverie_core::memory::{Layer, Origin, Source, State};
use reverie_core::round::{Round, RoundState};
use reverie_core::{CharacterId, ConversationId, Line, LineId, MemoryId, RoundId, WorldId};

use super::minds::{effects, query};
use super::take::pick;
use super::{Twins, Verdict};
use crate::store_suite::minds::found;
use crate::story::Pick;

impl Twins<'_> {
    pub(super) fn digest(
        &mut self,
        world: &WorldId,
        room: &ConversationId,
        (limit, size, count): (usize, Pick, Pick),
    ) -> Verdict<Commit> {
        let backlog = self.both("backlog", |store| store.backlog(world, room, limit))?;
        let Some(backlog) = backlog else { return Ok(Commit::default()) };
        let mut commit = Commit::default();
        let (conversation, through) = (room.clone(), backlog.covered);
        commit.guards.push(Guard::Covered { conversation, through });
        let mut in_rounds = BTreeSet::new();
        let mut units: Vec<(Vec<&Line>, Effect)> = Vec::new();
        for round in &backlog.rounds {
            let lines = backlog.lines.iter().map(|line| &line.line).filter(|line| is_of(line, round));
            let lines: Vec<_> = lines.collect();
            if round.state != RoundState::Closed {
                continue;
            }
            in_rounds.extend(lines.iter().map(|line| line.id));
            let is_whole = round.span.is_some_and(|span| lines.iter().any(|line| line.id == span.last));
            if is_whole {
                commit.guards.push(Guard::Waiting(round.id));
                units.push((lines, Effect::Digested(round.id)));
            }
        }
        // What is left of a host's round that does not stand here is like what was only posted.
        let is_hosts =
            |id: Option<RoundId>| id.is_some_and(|id| backlog.rounds.iter().any(|round| round.id == id));
        let posted = backlog.lines.iter().map(|line| &line.line);
        let posted: Vec<_> =
            posted.filter(|line| !is_hosts(line.round) && !in_rounds.contains(&line.id)).collect();
        for lines in posted.chunks(usize::from(size)) {
            if let [first, ..] = lines
                && let [.., last] = lines
            {
                units.push((lines.to_vec(), found(room, first.id, last.id)));
            }
        }
        units.truncate(usize::from(count));
        for (lines, effect) in units {
            let read = |line: &&Line| ReadLine {
                line: line.id,
                version: line.version,
                hidden: line.hidden,
                forgotten_by: line.forgotten_by.clone(),
            };
            commit.guards.push(Guard::Lines(lines.iter().map(read).collect()));
            commit.effects.extend(self.memory_of(&lines).map(Effect::Remember));
            commit.effects.push(effect);
        }
        Ok(commit)
    }

    /// For those who witnessed all of it.
    fn memory_of(&mut self, lines: &[&Line]) -> Option<NewMemory> {
        let seen: Vec<_> = lines.iter().filter(|line| !line.hidden).collect();
        let last = seen.last()?;
        let sources: Vec<Source> =
            seen.iter().map(|line| Source { line: line.id, version: line.version }).collect();
        let mut holders = last.witnesses.clone();
        holders.retain(|holder| seen.iter().all(|line| line.is_witnessed_by(holder)));
        let print: u128 = sources.iter().fold(1, |print: u128, source| {
            print
                .wrapping_mul(1_000_003)
                .wrapping_add(u128::from(source.line.get() << 8 | u64::from(source.version)))
        });
        let state = State::new(Some(Layer::Active), last.tick);
        Some(NewMemory {
            fingerprint: Some(print.to_le_bytes()),
            sources,
            about: last.speaker.iter().cloned().collect(),
            tick: last.tick,
            holders: holders.into_iter().map(|holder| (holder, state.clone())).collect(),
            ..self.blank("忆")
        })
    }

    pub(super) fn sum_up(&mut self, world: &WorldId, who: Pick, count: Pick, slip: bool) -> Verdict {
        let all = self.all_held(world)?;
        let Some(holder) = pick(&all, who).map(|held| held.holder.clone()) else { return Ok(()) };
        let query = HeldQuery { holder: Some(holder.clone()), all: false, ..query(WhichHeld::Unsummarised) };
        let mut held = self.both("what waits", |store| store.held(world, &query))?.unwrap_or_default();
        held.truncate(usize::from(count));
        if held.is_empty() {
            return Ok(());
        }
        let mut from: BTreeSet<MemoryId> = held.iter().flat_map(|held| held.memory.from.clone()).collect();
        from.extend(held.iter().map(|held| held.memory.id));
        let print: u128 = from
            .iter()
            .fold(7, |print: u128, id| print.wrapping_mul(999_983).wrapping_add(u128::from(id.get())));
        let summary = NewMemory {
            fingerprint: Some(print.to_be_bytes()),
            origin: Origin::Day,
            model: count.is_multiple_of(2).then(|| "模型".to_owned()),
            from: from.into_iter().map(Which::Known).collect(),
            holders: vec![(holder.clone(), State::new(Some(Layer::Situational), None))],
            ..self.blank("日")
        };
        let mut commit = effects(vec![Effect::Remember(summary)]);
        for part in held {
            let (memory, version) = (part.memory.id, part.version + u32::from(slip));
            commit.guards.push(Guard::State { memory, holder: holder.clone(), version });
            commit.guards.push(Guard::Valid { memory, holder: holder.clone(), valid: true });
            commit.effects.push(Effect::State {
                memory: Which::Known(memory),
                holder: holder.clone(),
                state: Box::new(part.state),
                summarised_by: Some(0),
                superseded_by: None,
            });
        }
        self.write(world, &commit)
    }
}

fn is_of(line: &Line, round: &Round) -> bool {
    let Some(span) = round.span else { return false };
    match round.explicit {
        true => line.round == Some(round.id),
        false => line.round.is_none() && (span.first..=span.last).contains(&line.id),
    }
}

/// Reads something wrong.
pub(super) fn slipped(mut commit: Commit, slip: Pick) -> Commit {
    let count = commit.guards.len().max(1);
    for guard in commit.guards.iter_mut().skip(usize::from(slip) % count).take(1) {
        match guard {
            Guard::Lines(lines) => lines.iter_mut().take(1).for_each(|line| match slip % 3 {
                0 => line.version += 1,
                1 => line.hidden = !line.hidden,
                _ if slip.is_multiple_of(5) => line.forgotten_by.push(CharacterId::new("谁").expect("legal")),
                _ => line.line = LineId::new(u64::from(slip) + 1).expect("legal"),
            }),
            Guard::Covered { through, .. } => *through = LineId::new(u64::from(slip)).ok(),
            Guard::Waiting(round) => *round = RoundId::new(u64::from(slip) + 1).expect("legal"),
            Guard::State { version, .. } => *version += 1,
            Guard::Valid { valid, .. } => *valid = !*valid,
            Guard::Job { version, .. } => *version += 1,
        }
    }
    commit
}
