//! Does anything that was forgotten come back by itself, or anything pinned get lost, whatever happens?

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_core::conversation::{ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::memory::{Held, Origin};
use reverie_core::store::{Erase, LinePatch};
use reverie_core::{LineId, MemoryId, MemoryPatch, Store};

use super::theatre::{Theatre, id_of};

const PEOPLE: [&str; 3] = ["甲", "さくら", "Bob"];

#[derive(Debug, Clone)]
enum Step {
    Say { speaker: u8, whisper: Option<u8> },
    Reword(u8),
    Hide(u8, bool),
    EraseLine(u8),
    Undo(u8),
    Swipe(u8),
    Digest,
    Rebuild,
    Pin { who: u8, memory: u8 },
    Forget { who: u8, memory: u8, lines: bool },
    TakeBack,
    Save,
    Load,
}

/// What somebody forgot, and what must not come back for it.
#[derive(Debug, Clone, PartialEq)]
struct Forgotten {
    who: &'static str,
    memory: MemoryId,
    /// Of a round.
    round: Option<BTreeSet<LineId>>,
    /// Forgotten with it.
    lines: BTreeSet<LineId>,
}

pub fn what_was_forgotten_never_comes_back(store: Arc<dyn Store>) {
    let number = std::cell::Cell::new(0);
    let told = TestRunner::new(crate::cases(24)).run(&vec(step(), 20..60), |steps| {
        number.set(number.get() + 1);
        let mut life = Life::new(Theatre::new(store.clone(), &format!("世界 {}", number.get())));
        for step in &steps {
            life.take(step);
            life.check().map_err(|why| TestCaseError::fail(format!("after {step:?}: {why}")))?;
        }
        Ok(())
    });
    if let Err(failure) = told {
        panic!("{failure}");
    }
}

fn step() -> impl Strategy<Value = Step> {
    let p = || any::<u8>();
    prop_oneof![
        8 => (p(), proptest::option::weighted(0.2, p())).prop_map(|(speaker, whisper)| Step::Say { speaker, whisper }),
        2 => p().prop_map(Step::Reword),
        2 => (p(), any::<bool>()).prop_map(|(line, hidden)| Step::Hide(line, hidden)),
        1 => p().prop_map(Step::EraseLine),
        1 => (1..3u8).prop_map(Step::Undo),
        1 => p().prop_map(Step::Swipe),
        6 => Just(Step::Digest),
        2 => Just(Step::Rebuild),
        2 => (p(), p()).prop_map(|(who, memory)| Step::Pin { who, memory }),
        4 => (p(), p(), any::<bool>()).prop_map(|(who, memory, lines)| Step::Forget { who, memory, lines }),
        1 => Just(Step::TakeBack),
        1 => Just(Step::Save),
        1 => Just(Step::Load),
    ]
}

struct Life {
    theatre: Theatre,
    said: usize,
    forgotten: Vec<Forgotten>,
    /// What was forgotten when it was saved.
    saved: Option<Vec<Forgotten>>,
    /// Lines that were erased since: what was made of them is gone, and cannot be brought back.
    erased: BTreeSet<LineId>,
}

impl Life {
    fn new(theatre: Theatre) -> Self {
        theatre.play("set 甲, さくら, Bob");
        Self { theatre, said: 0, forgotten: Vec::new(), saved: None, erased: BTreeSet::new() }
    }

    fn path(&self) -> Vec<LineId> {
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: None,
            newest_first: false,
            limit: 1000,
        };
        let theatre = &self.theatre;
        let lines = theatre.engine.lines(&theatre.world, &theatre.room(), query).unwrap().items;
        lines.into_iter().map(|line| line.id).collect()
    }

    fn some_line(&self, at: u8) -> Option<LineId> {
        let path = self.path();
        path.get(usize::from(at) % path.len().max(1)).copied()
    }

    /// Something that one can recall.
    fn some_memory(&self, who: u8, at: u8) -> Option<(&'static str, Held)> {
        let name = PEOPLE[usize::from(who) % PEOPLE.len()];
        let mut held = self.theatre.held_by(name);
        let place = usize::from(at) % held.len().max(1);
        (place < held.len()).then(|| (name, held.remove(place)))
    }

    fn take(&mut self, step: &Step) {
        let theatre = &self.theatre;
        match step {
            Step::Say { speaker, whisper } => {
                self.said += 1;
                let name = |at: u8| PEOPLE[usize::from(at) % PEOPLE.len()];
                let mark = if speaker.is_multiple_of(2) { "@" } else { "" };
                let to = whisper.map(|at| format!(" → {}", name(at))).unwrap_or_default();
                theatre.play(&format!("{mark}{}{to}: 第{}句", name(speaker / 2), self.said));
            }
            Step::Reword(at) => {
                self.said += 1;
                let content = Some(format!("第{}句", self.said));
                self.revise(*at, LinePatch { content, ..LinePatch::default() });
            }
            Step::Hide(at, hidden) => {
                self.revise(*at, LinePatch { hidden: Some(*hidden), ..LinePatch::default() });
            }
            Step::EraseLine(at) => {
                if let Some(line) = self.some_line(*at) {
                    theatre.engine.erase(&theatre.world, &Erase::Line(line)).unwrap();
                    self.erased.insert(line);
                }
            }
            Step::Undo(count) => {
                let target = HeadTarget::Back(usize::from(*count).min(self.path().len()));
                theatre.engine.move_head(&theatre.world, &theatre.room(), target, ExpectedHead::Any).unwrap();
            }
            Step::Swipe(at) => {
                if let Some(line) = self.some_line(*at) {
                    self.said += 1;
                    theatre.play(&format!("beside L{line}\nBob: 第{}句", self.said));
                }
            }
            Step::Digest => drop(theatre.digest(true)),
            Step::Rebuild => self.rebuild(),
            Step::Pin { who, memory } => {
                if let Some((name, held)) = self.some_memory(*who, *memory) {
                    theatre.play(&format!("pin {name} M{}", held.memory.id));
                }
            }
            Step::Forget { who, memory, lines } => {
                if let Some((name, held)) = self.some_memory(*who, *memory) {
                    self.forget(name, &held, *lines);
                }
            }
            Step::TakeBack => self.take_back(),
            Step::Save => {
                theatre.play("save 存");
                self.saved = Some(self.forgotten.clone());
            }
            Step::Load => {
                if let Some(saved) = self.saved.clone() {
                    theatre.play("load 存");
                    // What went with an erased line was forgotten for good, or remembered for good.
                    let is_whole = |one: &Forgotten| {
                        let lines = one.round.iter().flatten().chain(&one.lines);
                        !lines.clone().any(|line| self.erased.contains(line))
                    };
                    self.forgotten = saved.into_iter().filter(is_whole).collect();
                }
            }
        }
    }

    fn revise(&self, at: u8, patch: LinePatch) {
        if let Some(line) = self.some_line(at) {
            self.theatre.engine.revise_line(&self.theatre.world, line, patch).unwrap();
        }
    }

    fn forget(&mut self, who: &'static str, held: &Held, lines: bool) {
        let patch = MemoryPatch { forgotten: Some(true), lines, ..MemoryPatch::default() };
        let (theatre, id) = (&self.theatre, held.memory.id);
        theatre.engine.change_memory(&theatre.world, id, Some(&id_of(who)), patch).unwrap();
        let sources: BTreeSet<LineId> = held.memory.sources.iter().map(|source| source.line).collect();
        self.forgotten.push(Forgotten {
            who,
            memory: id,
            round: (held.memory.origin == Origin::Round).then(|| sources.clone()),
            lines: if lines { sources } else { BTreeSet::new() },
        });
    }

    /// The last that was forgotten, if its memory is still there.
    fn take_back(&mut self) {
        let Some(last) = self.forgotten.pop() else { return };
        let patch = MemoryPatch { forgotten: Some(false), ..MemoryPatch::default() };
        let theatre = &self.theatre;
        let undone = theatre.engine.change_memory(&theatre.world, last.memory, Some(&id_of(last.who)), patch);
        if undone.is_err() {
            self.forgotten.push(last);
        }
    }

    /// Whatever was pinned and could be recalled is so afterwards, and each round is remembered once.
    fn rebuild(&self) {
        let theatre = &self.theatre;
        theatre.digest(true);
        let pinned = |name: &str| -> BTreeSet<MemoryId> {
            let held = theatre.held_by(name).into_iter();
            held.filter(|held| held.state.pinned).map(|held| held.memory.id).collect()
        };
        let before: Vec<_> = PEOPLE.iter().map(|name| (pinned(name), theatre.held_by(name).len())).collect();
        theatre.play("rebuild");
        theatre.digest(true);
        for (name, (kept, count)) in PEOPLE.iter().zip(before) {
            assert!(pinned(name).is_superset(&kept), "{name}: {kept:?}, and now {:?}", pinned(name));
            let held = theatre.held_by(name);
            assert_eq!(held.len(), count, "{name} has as much as before: {held:?}");
            let rounds: Vec<_> = held.iter().filter(|held| held.memory.origin == Origin::Round).collect();
            let lines: Vec<LineId> =
                rounds.iter().flat_map(|held| &held.memory.sources).map(|source| source.line).collect();
            let once: BTreeSet<&LineId> = lines.iter().collect();
            assert_eq!(once.len(), lines.len(), "{name} has a line twice: {rounds:?}");
        }
    }

    fn check(&self) -> Result<(), String> {
        for one in &self.forgotten {
            let in_view: BTreeSet<LineId> = self.theatre.in_view(one.who).into_iter().collect();
            if let Some(line) = one.lines.intersection(&in_view).next() {
                return Err(format!("{one:?}: line {line} is in view again"));
            }
            for held in self.theatre.held_by(one.who) {
                let sources: BTreeSet<LineId> =
                    held.memory.sources.iter().map(|source| source.line).collect();
                let is_same_round = one.round.as_ref().is_some_and(|round| {
                    let left: BTreeSet<LineId> = round.difference(&self.erased).copied().collect();
                    let is_alike = left.is_subset(&sources) || sources.is_subset(&left);
                    held.memory.origin == Origin::Round && !left.is_empty() && is_alike
                });
                let is_of_its_lines = !one.lines.is_disjoint(&sources);
                if held.memory.id == one.memory || is_same_round || is_of_its_lines {
                    return Err(format!("{one:?}: it came back as {held:?}"));
                }
            }
        }
        Ok(())
    }
}
