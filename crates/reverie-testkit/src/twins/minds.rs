//! What do steps with rounds and memories stand for, among what exists now?

use reverie_core::conversation::WhichLines;
use reverie_core::memories::{
    Commit, Effect, Guard, HeldQuery, NewMemory, RoundsQuery, Which, WhichHeld, WhichRounds,
};
use reverie_core::memory::{Held, Kind, Layer, Origin, Source, State};
use reverie_core::round::{CloseRound, Ending, OpenRound};
use reverie_core::store::Select;
use reverie_core::{CharacterId, ConversationId, LineId, MemoryId, RoundId, Who, WorldId};

use super::alike::lines;
use super::digests::slipped;
use super::take::{checkpoint_id, pick, who};
use super::{Twins, Verdict};
use crate::store_suite::minds::found;
use crate::story::{GuardKind, MindStep, Pick};

impl Twins<'_> {
    pub(super) fn take_mind_step(&mut self, world: &WorldId, step: &MindStep) -> Verdict {
        match step {
            MindStep::OpenRound { room, people } => {
                let Some(room) = self.room(world, *room)? else { return Ok(()) };
                // Mostly those who may be there.
                let here = |at: &Pick| match pick(&room.present, at / 4) {
                    Some(id) if !at.is_multiple_of(4) => Who::Id(id.clone()),
                    _ => who(at / 4),
                };
                let present = people.as_ref().map(|people| people.iter().map(here).collect());
                let open = OpenRound { present, now_ms: 55 };
                self.both("opening a round", |store| store.open_round(world, &room.id, &open)).map(drop)
            }
            MindStep::CloseRound { room, round, aborted, through } => {
                self.close_round(world, *room, *round, *aborted, *through)
            }
            MindStep::Digest { room, limit, size, count, slip } => {
                let Some(room) = self.room(world, *room)? else { return Ok(()) };
                let limit = if *limit > 40 { usize::MAX } else { usize::from(*limit) };
                let commit = self.digest(world, &room.id, (limit, *size, *count))?;
                let commit = slip.map_or(commit.clone(), |slip| slipped(commit, slip));
                self.write(world, &commit)
            }
            MindStep::Change { memory, other, what, guard } => {
                let all = self.all_held(world)?;
                let Some(held) = pick(&all, *memory) else { return Ok(()) };
                // Mostly one that the same holder has: of another's memory nobody makes anything.
                let is_near = |near: &&Held| near.holder == held.holder || what.is_multiple_of(8);
                let near: Vec<&Held> = all.iter().filter(is_near).collect();
                let other = pick(&near, *other).map_or(held.memory.id, |other| other.memory.id);
                let state = changed(&held.state, *what, other);
                let (memory, holder) = (held.memory.id, held.holder.clone());
                let guards = match guard {
                    GuardKind::None => vec![],
                    GuardKind::Version => vec![Guard::State { memory, holder, version: held.version }],
                    GuardKind::StaleVersion => {
                        vec![Guard::State { memory, holder, version: held.version + 1 }]
                    }
                    GuardKind::Valid(valid) => vec![Guard::Valid { memory, holder, valid: *valid }],
                };
                self.write(world, &Commit { guards, effects: vec![put(memory, &held.holder, state)] })
            }
            MindStep::Lines { room, who: whose, lines, forgotten } => {
                let Some(room) = self.room(world, *room)? else { return Ok(()) };
                let known = self.known(world)?;
                // Mostly somebody who was there.
                let people = if whose % 8 > 0 { &room.participants } else { &known };
                let Some(holder) = pick(people, whose / 8).cloned() else { return Ok(()) };
                let mut numbers = Vec::new();
                for at in lines {
                    numbers.push(self.line(world, &room.id, *at)?);
                }
                let effect = Effect::Lines { lines: numbers, holder, forgotten: *forgotten };
                self.write(world, &effects(vec![effect]))
            }
            MindStep::Rebuild { id } => {
                let id = checkpoint_id(*id);
                self.both("a rebuild", |store| store.derive_anew(world, &id, 12)).map(drop)
            }
            MindStep::SumUp { who, count, slip } => self.sum_up(world, *who, *count, *slip),
            MindStep::Write { line, holders, about, fingerprint } => {
                let mut sources = Vec::new();
                if let Some(at) = line
                    && let Some(room) = self.room(world, *at)?
                    && let Some(line) =
                        self.both("line", |store| store.line(world, LineId::new(u64::from(*at) + 1)?))?
                    && line.conversation == room.id
                {
                    sources.push(Source { line: line.id, version: line.version });
                }
                let known = self.known(world)?;
                let some = |picks: &[Pick]| {
                    picks.iter().filter_map(|at| pick(&known, *at).cloned()).collect::<Vec<_>>()
                };
                let new = NewMemory {
                    fingerprint: fingerprint.map(|number| [number; 16]),
                    kind: *pick(Kind::ALL, holders.len() as Pick).expect("there are some"),
                    origin: Origin::Hand,
                    sources,
                    about: some(about),
                    holders: some(holders).into_iter().map(|id| (id, State::new(None, None))).collect(),
                    ..self.blank("写")
                };
                self.write(world, &effects(vec![Effect::Remember(new)]))
            }
            MindStep::Nonsense { room, what } => {
                let Some(room) = self.room(world, *room)? else { return Ok(()) };
                let effect = self.nonsense(&room.id, *what);
                let good = Effect::Remember(self.blank("废"));
                self.write(world, &effects(vec![good, effect]))
            }
        }
    }

    /// Mostly an open one.
    pub(super) fn some_round(&self, world: &WorldId, room: &ConversationId, at: Pick) -> Verdict<RoundId> {
        let list = |which| RoundsQuery { which, after: None, limit: usize::MAX };
        let which = match at % 4 {
            0 => WhichRounds::Of(room.clone()),
            _ => WhichRounds::Open(room.clone()),
        };
        let found =
            self.both("rounds", |store| store.rounds(world, &list(which.clone())))?.unwrap_or_default();
        let unknown = RoundId::new(u64::from(at) + 1).map_err(|error| error.to_string())?;
        Ok(pick(&found, at / 4).map_or(unknown, |round| round.id))
    }

    fn close_round(
        &self,
        world: &WorldId,
        room: Pick,
        round: Pick,
        aborted: bool,
        through: Option<Pick>,
    ) -> Verdict {
        let Some(room) = self.room(world, room)? else { return Ok(()) };
        let round = self.some_round(world, &room.id, round)?;
        let shown_through = match through {
            None => None,
            Some(at) => {
                let tree = lines(WhichLines::Tree);
                let lines =
                    self.both("tree", |store| store.lines(world, &room.id, &tree))?.unwrap_or_default();
                let own: Vec<_> = lines.iter().filter(|line| line.round == Some(round)).collect();
                let other = self.line(world, &room.id, at)?;
                Some(pick(&own, at).filter(|_| at % 8 > 0).map_or(other, |line| line.id))
            }
        };
        let ending = if aborted { Ending::Aborted } else { Ending::Complete };
        let close = CloseRound { ending, shown_through };
        self.both("closing a round", |store| store.close_round(world, round, &close)).map(drop)
    }

    fn nonsense(&self, room: &ConversationId, what: Pick) -> Effect {
        let (line, memory) = (LineId::new(9_999).expect("legal"), MemoryId::new(9_999).expect("legal"));
        let nobody = CharacterId::new("没有的人").expect("legal");
        let state = State::new(None, None);
        let bad = |new: NewMemory| Effect::Remember(NewMemory { fingerprint: None, ..new });
        let blank = blank(String::new());
        match what % 6 {
            0 => bad(NewMemory { sources: vec![Source { line, version: 0 }], ..blank }),
            1 => bad(NewMemory { from: vec![Which::Known(memory)], ..blank }),
            2 => bad(NewMemory { holders: vec![(nobody, state)], ..blank }),
            3 => Effect::Digested(RoundId::new(9_999).expect("legal")),
            4 => put(memory, &nobody, state),
            _ => found(room, line, line),
        }
    }

    pub(super) fn write(&self, world: &WorldId, commit: &Commit) -> Verdict {
        self.both("a commit", |store| store.commit(world, commit)).map(drop)
    }

    pub(super) fn all_held(&self, world: &WorldId) -> Verdict<Vec<Held>> {
        let all = self.both("all that is held", |store| store.held(world, &query(WhichHeld::Any)))?;
        Ok(all.unwrap_or_default())
    }

    pub(super) fn known(&self, world: &WorldId) -> Verdict<Vec<CharacterId>> {
        let page = Select::Page { after: None, limit: 100 };
        let known = self.both("characters", |store| store.characters(world, &page))?;
        Ok(known.unwrap_or_default().into_iter().map(|character| character.id).collect())
    }

    pub(super) fn blank(&mut self, verb: &str) -> NewMemory {
        self.texts += 1;
        blank(format!("{verb}〔{}〕", self.texts))
    }
}

pub(super) fn query(which: WhichHeld) -> HeldQuery {
    HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, which) }
}

fn blank(text: String) -> NewMemory {
    NewMemory {
        fingerprint: None,
        kind: Kind::Episodic,
        origin: Origin::Round,
        keywords: vec![text.clone()],
        topics: Vec::new(),
        emotions: vec!["嬉しい".to_owned(), "开心".to_owned()],
        text,
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: 0.5,
        tick: None,
        wall_ms: 66,
        model: None,
        holders: Vec::new(),
    }
}

pub(super) fn effects(effects: Vec<Effect>) -> Commit {
    Commit { guards: Vec::new(), effects }
}

fn put(memory: MemoryId, holder: &CharacterId, state: State) -> Effect {
    Effect::State {
        memory: Which::Known(memory),
        holder: holder.clone(),
        state: Box::new(state),
        summarised_by: None,
        superseded_by: None,
    }
}

fn changed(state: &State, what: Pick, other: MemoryId) -> State {
    let mut state = state.clone();
    match what % 11 {
        10 => state.lines_forgotten = !state.lines_forgotten,
        9 => state.considered = !state.considered,
        0 => state.pinned = !state.pinned,
        1 | 2 => state.forgotten = !state.forgotten,
        3 => state.layer = pick(Layer::ALL, what / 10).copied(),
        4 => state.text = (what / 10).is_multiple_of(2).then(|| format!("心里的 {what}")),
        5 => (state.activity, state.importance) = (0.5, Some(f64::from(what) / 256.0)),
        6 => state.superseded_by = Some(other).filter(|_| what < 200),
        7 => state.summarised_by = Some(other).filter(|_| what < 200),
        _ => (state.since, state.shareable) = (Some(i64::from(what)), !state.shareable),
    }
    state
}
