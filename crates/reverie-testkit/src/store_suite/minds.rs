//! How does a case tell of rounds and memories in few words?

use reverie_core::conversation::Append;
use reverie_core::memories::{
    Backlog, Commit, Committed, Effect, Guard, HeldQuery, NewMemory, RoundsQuery, Which, WhichHeld,
    WhichRounds,
};
use reverie_core::memory::{Held, Kind, Layer, Origin, Source, State};
use reverie_core::round::{CloseRound, Ending, OpenRound, Round, Span};
use reverie_core::{ConversationId, LineId, MemoryId, Result, RoundId};

use super::stage::{Stage, all, id, lines};

impl Stage<'_> {
    pub fn open_round(&self, room: &ConversationId, people: Option<&[&str]>) -> Result<Round> {
        let open = OpenRound { present: people.map(all), now_ms: 6 };
        self.store.open_round(&self.world, room, &open)
    }

    /// A round of those present.
    pub fn begin(&self, room: &ConversationId) -> RoundId {
        self.open_round(room, None).unwrap().id
    }

    /// Records lines at the head, in a round, and returns the number of the last.
    pub fn say_in(&self, room: &ConversationId, round: RoundId, play: &str) -> LineId {
        self.append(room, &in_round(round, play)).unwrap().lines.last().unwrap().id
    }

    pub fn close(&self, round: RoundId, ending: Ending, shown_through: Option<LineId>) -> Result<Round> {
        self.store.close_round(&self.world, round, &CloseRound { ending, shown_through })
    }

    pub fn complete(&self, round: RoundId) {
        self.close(round, Ending::Complete, None).unwrap();
    }

    pub fn rounds(&self, which: WhichRounds) -> Vec<Round> {
        self.store.rounds(&self.world, &RoundsQuery { which, after: None, limit: 1000 }).unwrap()
    }

    /// `1 open 甲, 乙 3-5 | 2 digested 7-7`
    pub fn told_rounds(&self, room: &ConversationId) -> String {
        told(self.rounds(WhichRounds::Of(room.clone())).iter().map(told_round))
    }

    pub fn backlog(&self, room: &ConversationId) -> Backlog {
        self.store.backlog(&self.world, room, 1000).unwrap()
    }

    /// `covered 2 | 3 4 5`, or `-` if nothing waits.
    pub fn waiting(&self, room: &ConversationId) -> String {
        let backlog = self.backlog(room);
        let numbers: Vec<String> = backlog.lines.iter().map(|line| line.line.id.to_string()).collect();
        let covered = backlog.covered.map(|line| format!("covered {line} | ")).unwrap_or_default();
        let numbers = if numbers.is_empty() { "-".to_owned() } else { numbers.join(" ") };
        covered + &numbers
    }

    pub fn commit(&self, guards: Vec<Guard>, effects: Vec<Effect>) -> Result<Committed> {
        self.store.commit(&self.world, &Commit { guards, effects })
    }

    /// The memories that these effects make.
    pub fn make(&self, effects: Vec<Effect>) -> Vec<MemoryId> {
        match self.commit(Vec::new(), effects).unwrap() {
            Committed::Done { memories, .. } => memories,
            Committed::Stale => panic!("nothing guards this"),
        }
    }

    /// A memory of these lines, as they are now, for these people.
    pub fn remember(&self, text: &str, of: &[LineId], holders: &[&str]) -> MemoryId {
        self.make(vec![Effect::Remember(self.memory(text, of, holders))])[0]
    }

    pub fn memory(&self, text: &str, of: &[LineId], holders: &[&str]) -> NewMemory {
        let source = |line: &LineId| Source { line: *line, version: self.line(*line).unwrap().version };
        NewMemory {
            fingerprint: None,
            kind: Kind::Episodic,
            origin: Origin::Round,
            text: text.to_owned(),
            sources: of.iter().map(source).collect(),
            from: Vec::new(),
            about: Vec::new(),
            importance: 0.5,
            keywords: Vec::new(),
            topics: Vec::new(),
            emotions: Vec::new(),
            tick: None,
            wall_ms: 5,
            model: None,
            holders: holders
                .iter()
                .map(|holder| (id(holder), State::new(Some(Layer::Active), None)))
                .collect(),
        }
    }

    /// A memory that sums up others, which say so from now on.
    pub fn sum_up(&self, text: &str, parts: &[MemoryId], holder: &str) -> MemoryId {
        let from = parts.iter().copied().map(Which::Known).collect();
        let summary = NewMemory { from, origin: Origin::Day, ..self.memory(text, &[], &[holder]) };
        let marked = parts.iter().map(|part| Effect::State {
            memory: Which::Known(*part),
            holder: id(holder),
            state: Box::new(self.one(*part, holder).state),
            summarised_by: Some(0),
            superseded_by: None,
        });
        let effects = std::iter::once(Effect::Remember(summary)).chain(marked).collect();
        self.make(effects)[0]
    }

    pub fn digest(&self, room: &ConversationId, first: LineId, last: LineId) {
        self.make(vec![found(room, first, last)]);
    }

    pub fn put_state(&self, memory: MemoryId, holder: &str, change: impl FnOnce(&mut State)) {
        self.make(vec![self.new_state(memory, holder, change)]);
    }

    pub fn new_state(&self, memory: MemoryId, holder: &str, change: impl FnOnce(&mut State)) -> Effect {
        let mut state = self.one(memory, holder).state;
        change(&mut state);
        Effect::State {
            memory: Which::Known(memory),
            holder: id(holder),
            state: Box::new(state),
            summarised_by: None,
            superseded_by: None,
        }
    }

    pub fn held_by(&self, holder: &str, which: WhichHeld, all: bool) -> Vec<Held> {
        self.store.held(&self.world, &HeldQuery { which, all, ..everything(holder) }).unwrap()
    }

    pub fn one(&self, memory: MemoryId, holder: &str) -> Held {
        self.held_by(holder, WhichHeld::One(memory), true).pop().unwrap()
    }

    /// What comes to mind: `下雨 | お茶`.
    pub fn mind(&self, holder: &str) -> String {
        told_held(&self.held_by(holder, WhichHeld::Any, false))
    }

    /// Also what is in no view now.
    pub fn whole_mind(&self, holder: &str) -> String {
        told_held(&self.held_by(holder, WhichHeld::Any, true))
    }
}

pub fn in_round(round: RoundId, play: &str) -> Append {
    let mut said = lines(play);
    said.iter_mut().for_each(|line| line.round = Some(round));
    Append { lines: said, now_ms: 5, ..Append::default() }
}

pub fn everything(holder: &str) -> HeldQuery {
    HeldQuery { all: true, limit: 1000, ..HeldQuery::of(Some(&id(holder)), WhichHeld::Any) }
}

pub fn found(room: &ConversationId, first: LineId, last: LineId) -> Effect {
    Effect::Found { conversation: room.clone(), span: Span { first, last } }
}

pub fn told_held(held: &[Held]) -> String {
    told(held.iter().map(|held| held.text().to_owned()))
}

fn told_round(round: &Round) -> String {
    let people: Vec<&str> = round.present.iter().map(|person| person.character.as_str()).collect();
    let span = round.span.map(|span| format!("{}-{}", span.first, span.last));
    let parts = [round.id.to_string(), round.state.as_str().to_owned(), people.join(", ")];
    let parts: Vec<String> = parts.into_iter().chain(span).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn told(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" | ")
}
