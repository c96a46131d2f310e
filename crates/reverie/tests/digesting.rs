//! Does digesting get everywhere, however short its slices are and however many do it at once?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use reverie::conversation::OpenConversation;
use reverie::line::NewLine;
use reverie::memory::{Kind, Layer};
use reverie::round::{CloseRound, Ending, RoundState};
use reverie::world::WorldPatch;
use reverie::{
    Attribute, CharacterId, Conversation, Digested, MemoriesQuery, Memory, MemoryPatch, Record, Remember,
    Remembered, Round, Slice, Who, WorldId,
};
use tempfile::TempDir;

struct Program {
    engine: Memory,
    world: WorldId,
    _folder: TempDir,
}

impl Program {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = reverie::open(&format!("sqlite:{}", folder.path().join("memory.db").display())).unwrap();
        let world = WorldId::new("w").unwrap();
        engine.put_world(&world, WorldPatch::default()).unwrap();
        Self { engine, world, _folder: folder }
    }

    fn scene(&self, name: &str) -> Conversation {
        let participants = vec![who("a"), who("b")];
        let open = OpenConversation { name: Some(name.to_owned()), participants, ..Default::default() };
        self.engine.open_conversation(&self.world, open).unwrap().value
    }

    fn say(&self, scene: &Conversation, line: NewLine) {
        let record = Record { lines: vec![line], ..Default::default() };
        self.engine.record(&self.world, &scene.id, record).unwrap();
    }

    /// A round that is over.
    fn round(&self, scene: &Conversation, content: &str) {
        let round = self.engine.open_round(&self.world, &scene.id, None).unwrap().value.id;
        self.say(scene, NewLine { round: Some(round), ..said(content) });
        let close = CloseRound { ending: Ending::Complete, shown_through: None };
        self.engine.close_round(&self.world, round, close).unwrap();
    }

    fn event(&self, witness: &str, text: &str, wall_ms: Option<i64>) {
        let event = Remember {
            text: text.to_owned(),
            holders: vec![who(witness)],
            about: None,
            kind: Kind::Episodic,
            importance: None,
            keywords: None,
            topics: Vec::new(),
            emotions: Vec::new(),
            tick: None,
            wall_ms,
            pinned: false,
            shareable: false,
            key: None,
        };
        self.engine.event(&self.world, event).unwrap();
    }

    fn memories(&self, character: &str) -> Vec<Remembered> {
        let query = MemoriesQuery { limit: 1000, ..MemoriesQuery::of(CharacterId::new(character).unwrap()) };
        self.engine.memories(&self.world, &query).unwrap().items
    }

    /// A slice that is over as soon as it has begun.
    fn blink(&self) -> Digested {
        let slice = Slice { world: None, now: false, go_on: &|| false };
        self.engine.engine().digest(&slice).unwrap()
    }
}

fn who(text: &str) -> Who {
    Who::Id(CharacterId::new(text).unwrap())
}

fn said(content: &str) -> NewLine {
    NewLine::new(Attribute::User, Some(who("a")), content)
}

/// Many conversations wait for a silence; the last of them, by name, has something to remember.
#[test]
fn slices_that_end_at_once_get_to_the_last_conversation() {
    let program = Program::new();
    for number in 0..150 {
        program.say(&program.scene(&format!("{number:03}")), said("还没说完"));
    }
    program.round(&program.scene("zzz"), "说完了");
    let slices = (0..20).take_while(|_| program.memories("b").is_empty() && program.blink().more).count();
    assert_eq!(program.memories("b").len(), 1, "after {slices} slices");
}

/// Many characters have lived through today; the last of them has a day that is over.
#[test]
fn slices_that_end_at_once_get_to_the_last_character() {
    let program = Program::new();
    for number in 0..80 {
        program.event(&format!("{number:03}"), "今天", None);
    }
    program.event("zzz", "很久以前", Some(0));
    let has_summary =
        || program.memories("zzz").iter().any(|memory| memory.held.state.layer == Some(Layer::Archive));
    let slices = (0..400).take_while(|_| !has_summary() && program.blink().more).count();
    assert!(has_summary(), "after {slices} slices");
}

/// A summary of something forgotten is none any more, and the rest of the day is told anew at once.
#[test]
fn what_is_forgotten_is_summed_up_anew() {
    let program = Program::new();
    program.event("a", "狼来了", Some(0));
    program.event("a", "下雨了", Some(1));
    let summaries = || -> Vec<String> {
        program.engine.digest(Duration::from_secs(60)).unwrap();
        let days = program.memories("a").into_iter();
        let days = days.filter(|memory| memory.held.state.layer == Some(Layer::Events));
        days.map(|memory| memory.held.text().to_owned()).collect()
    };
    assert!(matches!(summaries().as_slice(), [day] if day.contains("狼来了") && day.contains("下雨了")));
    let wolf = program.memories("a").into_iter().find(|memory| memory.held.text() == "狼来了").unwrap();
    let forget = |forgotten| {
        let patch = MemoryPatch { forgotten: Some(forgotten), ..Default::default() };
        program.engine.change_memory(&program.world, wolf.held.memory.id, None, patch).unwrap();
    };
    forget(true);
    assert!(matches!(summaries().as_slice(), [day] if !day.contains("狼来了") && day.contains("下雨了")));
    forget(false);
    assert!(summaries().iter().any(|day| day.contains("狼来了")), "{:?}", summaries());
}

/// Digesting belongs on any thread: several at once make nothing twice, and recording goes on meanwhile.
#[test]
fn several_threads_digest_at_once() {
    let program = &Program::new();
    let Program { engine, world, .. } = program;
    let scene = &program.scene("酒馆");
    const ROUNDS: usize = 30;
    std::thread::scope(|threads| {
        let recorder = threads.spawn(|| {
            for turn in 0..ROUNDS {
                program.round(scene, &format!("第{turn}句"));
            }
        });
        for _ in 0..3 {
            threads.spawn(|| {
                while !recorder_is_done(engine, world, scene, ROUNDS) {
                    engine.digest(Duration::from_millis(5)).unwrap();
                }
            });
        }
        recorder.join().unwrap();
    });
    let memories = program.memories("b");
    let of_rounds = memories.iter().filter(|memory| memory.held.text().contains("第")).count();
    assert_eq!(of_rounds, ROUNDS, "{memories:#?}");
}

/// Every round that a host opened is remembered.
fn recorder_is_done(engine: &Memory, world: &WorldId, scene: &Conversation, rounds: usize) -> bool {
    let listed = engine.rounds(world, &scene.id, None, 1000).unwrap().items;
    let digested = |round: &&Round| round.explicit && round.state == RoundState::Digested;
    listed.iter().filter(digested).count() == rounds
}
