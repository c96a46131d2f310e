//! Is everything remembered that was said and is over, however rounds and branches cross?

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::store::LinePatch;
use reverie_core::{Line, LineId, Record, RoundId, Store};

use super::theatre::Theatre;
use crate::store_suite::stage::lines;

#[derive(Debug, Clone)]
enum Step {
    Open,
    Say { is_user: bool, round: u8, beside: Option<u8> },
    Close { round: u8, is_aborted: bool, shown: Option<u8> },
    Head(u8),
    Undo(u8),
    Reword(u8),
    Digest,
    Rebuild,
    Save,
    Load,
}

/// After everything that was over was digested, whoever witnessed a line of the path remembers it, unless its round is open.
pub fn of_what_is_on_the_path(store: Arc<dyn Store>) {
    let number = std::cell::Cell::new(0);
    let told = TestRunner::new(crate::cases(40)).run(&vec(step(), 8..40), |steps| {
        number.set(number.get() + 1);
        let mut life = Life::new(Theatre::new(store.clone(), &format!("世界 {}", number.get())));
        for step in steps.iter().chain([&Step::Digest]) {
            life.take(step);
            if let Step::Digest = step {
                life.check().map_err(TestCaseError::fail)?;
            }
        }
        Ok(())
    });
    if let Err(failure) = told {
        panic!("{failure}");
    }
}

fn step() -> impl Strategy<Value = Step> {
    let p = || any::<u8>();
    let shown = option::weighted(0.3, p());
    prop_oneof![
        3 => Just(Step::Open),
        10 => (any::<bool>(), p(), option::weighted(0.2, p()))
            .prop_map(|(is_user, round, beside)| Step::Say { is_user, round, beside }),
        4 => (p(), prop::bool::weighted(0.3), shown)
            .prop_map(|(round, is_aborted, shown)| Step::Close { round, is_aborted, shown }),
        3 => p().prop_map(Step::Head),
        2 => (1..3u8).prop_map(Step::Undo),
        1 => p().prop_map(Step::Reword),
        4 => Just(Step::Digest),
        1 => Just(Step::Rebuild),
        1 => Just(Step::Save),
        1 => Just(Step::Load),
    ]
}

struct Life {
    theatre: Theatre,
    rounds: Vec<RoundId>,
    said: Vec<LineId>,
    is_saved: bool,
}

/// A step that cannot be taken is none: whether it can is another question.
impl Life {
    fn new(theatre: Theatre) -> Self {
        theatre.play("set 甲, さくら");
        Self { theatre, rounds: Vec::new(), said: Vec::new(), is_saved: false }
    }

    fn some_line(&self, at: u8) -> Option<LineId> {
        self.said.get(usize::from(at) % self.said.len().max(1)).copied()
    }

    /// None: no round at all.
    fn some_round(&self, at: u8) -> Option<RoundId> {
        self.rounds.get(usize::from(at) % (self.rounds.len() + 1)).copied()
    }

    fn take(&mut self, step: &Step) {
        let Theatre { engine, world, .. } = &self.theatre;
        let room = self.theatre.room();
        match step {
            Step::Open => {
                let opened = engine.open_round(world, &room, None).unwrap();
                self.rounds.push(opened.value.id);
            }
            Step::Say { is_user, round, beside } => {
                let speaker = if *is_user { "@甲" } else { "さくら" };
                let round = self.some_round(*round);
                let said = lines(&format!("{speaker}: 第{}句", self.said.len() + 1));
                let said: Vec<NewLine> = said.into_iter().map(|line| NewLine { round, ..line }).collect();
                let beside = beside.and_then(|at| self.some_line(at));
                let attach = beside.map_or_else(Attach::default, Attach::Beside);
                let record = Record { lines: said, attach, ..Record::default() };
                if let Ok(recorded) = engine.record(world, &room, record) {
                    self.said.extend(recorded.appended.lines.iter().map(|line| line.id));
                }
            }
            Step::Close { round, is_aborted, shown } => {
                let ending = if *is_aborted { Ending::Aborted } else { Ending::Complete };
                let shown_through = shown.and_then(|at| self.some_line(at));
                if let Some(round) = self.some_round(*round) {
                    let _ = engine.close_round(world, round, CloseRound { ending, shown_through });
                }
            }
            Step::Head(at) => {
                if let Some(line) = self.some_line(*at) {
                    let _ = engine.move_head(world, &room, HeadTarget::Line(line), ExpectedHead::Any);
                }
            }
            Step::Undo(count) => {
                let target = HeadTarget::Back(usize::from(*count));
                let _ = engine.move_head(world, &room, target, ExpectedHead::Any);
            }
            Step::Reword(at) => {
                if let Some(line) = self.some_line(*at) {
                    let content = Some(format!("改过的第{line}句，{at}"));
                    let patch = LinePatch { content, ..LinePatch::default() };
                    engine.revise_line(world, line, patch).unwrap();
                }
            }
            Step::Digest => drop(self.theatre.digest(true)),
            Step::Rebuild => drop(self.theatre.play("rebuild")),
            Step::Save => {
                self.theatre.play("save 存");
                self.is_saved = true;
            }
            Step::Load if self.is_saved => drop(self.theatre.play("load 存")),
            Step::Load => {}
        }
    }

    fn check(&self) -> Result<(), String> {
        let Theatre { engine, world, .. } = &self.theatre;
        let room = self.theatre.room();
        let rounds = engine.rounds(world, &room, None, 1000).unwrap().items;
        let is_open = |line: &Line| {
            line.round.is_some_and(|id| {
                rounds.iter().any(|round| round.id == id && round.state == RoundState::Open)
            })
        };
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: None,
            newest_first: false,
            limit: 1000,
        };
        let path = engine.lines(world, &room, query).unwrap().items;
        let over = path.iter().filter(|line| line.shown && !is_open(line)).map(|line| line.id);
        let over: BTreeSet<LineId> = over.collect();
        for name in ["甲", "さくら"] {
            let held = self.theatre.held_by(name);
            let remembered: BTreeSet<LineId> =
                held.iter().flat_map(|held| &held.memory.sources).map(|source| source.line).collect();
            let missing: Vec<String> = over.difference(&remembered).map(LineId::to_string).collect();
            if !missing.is_empty() {
                let told = self.theatre.play(&format!("mind {name}\nrounds"));
                return Err(format!("{name} does not remember {}\n{told}", missing.join(", ")));
            }
        }
        Ok(())
    }
}
