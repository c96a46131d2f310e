//! How is a story told in which something is remembered, and how is what came of it put into words?
//!
//! One step to a line; blank lines and indentation mean nothing. Lines, rounds and memories are named by their numbers in the
//! order of their making (`L2`, `R1`, `M3`).
//!
//! ```text
//! set 张三, 李四               the conversation of these people, from here on
//! scene 酒馆: 张三, 李四       a scene, from here on
//! present 张三                 who is there from now on
//! narrator 旁白                tells the story
//! name 张三 = 三爷             what somebody is called from now on
//! alias 张三 = 老三, Zhang     all that somebody is called besides, from now on; `=` alone: nothing
//! card 张三                    somebody exists
//! put digest.models = false    a setting of the world; with `&&` several at once
//! wait 300                     seconds pass
//! open / open 张三, 李四       a round; lines belong to it from here on
//! into R1 / outside            lines belong to that round, or to none
//! close / close L3             the round is complete, or shown through a line
//! abort / abort L3             the round was broken off
//! behind L1 / beside L2        the next lines go there
//! [12] @张三 → 李四: 你好      somebody says something; as in the store suite. ⏎ is a line break, ∅ nothing at all.
//! called 神秘人                the next line comes with its speaker's name of the moment
//! edit L2: 您好                other words
//! hide L2 / show L2 / erase L2 / erase 张三
//! undo 2 / head L4             the head moves
//! save a / load a              checkpoints
//! digest / digest now
//! rebuild / rebuild a          what was derived is derived anew by the digest that follows; the checkpoint before it
//! pin 张三 M1 / unpin 张三 M1 / forget 张三 M1 / unforget 张三 M1
//! forget 张三 M1 lines         with its lines
//! reword 张三 M1: 她不怕猫      one holder's own words
//! take back M1 / take back 张三 M1    the last change
//! event 张三, 李四: 打了一仗   something happened, and these saw it
//! fresh 张三 M1                the next line answers a prompt with this in it
//! mind 张三                    what one can recall
//! sees 张三                    which lines of the conversation one has in view
//! standing 张三                how alive that is
//! rounds                       how the rounds of the conversation stand
//! ```
//!
//! `张三#2` is somebody with an id of their own, so that two can have one name; `?#3` has no name at all. `张三@pawn17` is
//! Reverie's id with a name of the moment.

mod naming;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::clock::Clock;
use reverie_core::conversation::{
    Append, Attach, ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines,
};
use reverie_core::digest::{Answer, Question};
use reverie_core::job::{Job, JobsQuery, WhichJobs};
use reverie_core::line::{NewLine, Wording};
use reverie_core::memory::Held;
use reverie_core::round::{CloseRound, Ending};
use reverie_core::settings::HistoryScope;
use reverie_core::store::{Erase, Gather, LinePatch, Place};
use reverie_core::world::WorldPatch;
use reverie_core::{
    Answered, CharacterId, ConversationId, Digested, Engine, Limits, Line, LineId, MemoriesQuery, MemoryId,
    MemoryPatch, Record, Remembered, RoundId, Slice, Store, WorldId,
};

use crate::store_suite::stage::lines;
pub use naming::{all, happened, id_of, memory_id, save_id, who};
use naming::{line_id, number, renamed};

/// A clock that stands still until it is moved.
#[derive(Default)]
pub struct Hands(AtomicI64);

impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// 2024-05-05T12:00:00Z, a Sunday, and the fourth day of an era.
pub const NOON: i64 = 1_714_910_400_000;

/// One world, told of through the engine.
pub struct Theatre {
    pub engine: Engine,
    pub store: Arc<dyn Store>,
    pub world: WorldId,
    pub clock: Arc<Hands>,
    room: RefCell<Option<ConversationId>>,
    round: Cell<Option<RoundId>>,
    attach: Cell<Attach>,
    fresh: RefCell<Vec<(MemoryId, CharacterId)>>,
    called: RefCell<Option<String>>,
}

/// A story, and what comes of it.
pub struct Story<'s> {
    pub what: &'static str,
    pub story: &'s str,
    pub outcome: &'s str,
}

/// Each in a world of its own.
#[track_caller]
pub fn tell(store: &Arc<dyn Store>, stories: &[Story<'_>]) {
    for Story { what, story, outcome } in stories {
        let theatre = Theatre::new(store.clone(), what);
        let told = theatre.play(story);
        assert_eq!(bare(&told), bare(outcome), "\n{what}: it became\n{told}");
    }
}

/// Without blank lines and indentation.
pub fn bare(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

impl Theatre {
    pub fn new(store: Arc<dyn Store>, world: &str) -> Self {
        Self::with(store, world, Limits::default(), |engine| engine)
    }

    /// With an engine that has more to it.
    pub fn with(
        store: Arc<dyn Store>,
        world: &str,
        limits: Limits,
        prepare: impl FnOnce(Engine) -> Engine,
    ) -> Self {
        let clock = Arc::new(Hands::default());
        clock.0.store(NOON, Ordering::SeqCst);
        let engine =
            Engine::new(store.clone(), clock.clone(), limits).reading_answers(reverie_formats::answer::read);
        let engine = prepare(engine);
        let world = WorldId::new(world).unwrap();
        engine.put_world(&world, WorldPatch::default()).unwrap();
        Self {
            engine,
            store,
            world,
            clock,
            room: RefCell::default(),
            round: Cell::default(),
            attach: Cell::default(),
            fresh: RefCell::default(),
            called: RefCell::default(),
        }
    }

    /// Tells a story; what it asks to see.
    pub fn play(&self, story: &str) -> String {
        let mut told = String::new();
        for step in story.lines().map(str::trim).filter(|step| !step.is_empty()) {
            self.take(step, &mut told);
        }
        told
    }

    /// One step.
    pub fn take(&self, step: &str, told: &mut String) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match (verb, rest) {
            ("set", people) => self.enter(None, people),
            ("scene", rest) => {
                let (name, people) = rest.split_once(": ").unwrap();
                self.enter(Some(name.to_owned()), people);
            }
            ("present", people) => {
                let people = all(people);
                self.engine.set_present(&self.world, &self.room(), people, ExpectedHead::Any).unwrap();
            }
            ("narrator", name) => {
                let kind = Some(CharacterKind::Narrator);
                self.card(name, CharacterPatch { kind, ..CharacterPatch::default() });
            }
            ("name", rest) => {
                let (name, new) = rest.split_once(" = ").unwrap();
                let display_name = Some(Some(new.to_owned()));
                self.card(name, CharacterPatch { display_name, ..CharacterPatch::default() });
            }
            ("alias", rest) => {
                let (name, aliases) = rest.split_once(" =").unwrap();
                let aliases = Some(aliases.split(',').map(str::to_owned).collect());
                self.card(name, CharacterPatch { aliases, ..CharacterPatch::default() });
            }
            ("card", name) => self.card(name, CharacterPatch::default()),
            ("put", rest) => {
                let pair = |one: &str| {
                    let (key, value) = one.split_once(" = ").unwrap();
                    (key.to_owned(), value.to_owned())
                };
                self.put(rest.split(" && ").map(pair).collect());
            }
            ("wait", seconds) => self.wait(seconds.parse().unwrap()),
            ("open", people) => {
                let present = (!people.is_empty()).then(|| all(people));
                let round = self.engine.open_round(&self.world, &self.room(), present).unwrap();
                self.round.set(Some(round.value.id));
            }
            ("into", round) => self.round.set(Some(RoundId::new(number(round)).unwrap())),
            ("outside", "") => self.round.set(None),
            ("close", line) => self.close(Ending::Complete, line),
            ("abort", line) => self.close(Ending::Aborted, line),
            ("behind", line) => self.attach.set(Attach::Behind(line_id(line))),
            ("beside", line) => self.attach.set(Attach::Beside(line_id(line))),
            ("called", name) => drop(self.called.replace(Some(name.to_owned()))),
            ("edit", rest) => {
                let (line, content) = rest.split_once(": ").unwrap();
                let patch = LinePatch { content: Some(content.to_owned()), ..LinePatch::default() };
                self.revise(line, patch);
            }
            ("hide" | "show", line) => {
                self.revise(line, LinePatch { hidden: Some(verb == "hide"), ..LinePatch::default() });
            }
            ("erase", what) => {
                let what = match what.strip_prefix('L').and_then(|number| number.parse().ok()) {
                    Some(number) => Erase::Line(LineId::new(number).unwrap()),
                    None => Erase::Character(id_of(what)),
                };
                self.engine.erase(&self.world, &what).unwrap();
            }
            ("rebuild", id) => {
                let checkpoint = (!id.is_empty()).then(|| save_id(id));
                self.engine.rebuild(&self.world, checkpoint).unwrap();
            }
            ("take", rest) => self.take_back(rest.strip_prefix("back ").unwrap()),
            ("undo", count) => self.head(HeadTarget::Back(count.parse().unwrap())),
            ("head", line) => self.head(HeadTarget::Line(line_id(line))),
            ("save", id) => drop(self.engine.put_checkpoint(&self.world, &save_id(id)).unwrap()),
            ("load", id) => drop(self.engine.restore(&self.world, &save_id(id)).unwrap()),
            ("digest", "") => drop(self.digest(false)),
            ("digest", "now") => drop(self.digest(true)),
            ("reword", rest) => {
                let (what, text) = rest.split_once(": ").unwrap();
                self.change(
                    what,
                    MemoryPatch { text: Some(Some(text.to_owned())), ..MemoryPatch::default() },
                );
            }
            ("pin" | "unpin", rest) => {
                self.change(rest, MemoryPatch { pinned: Some(verb == "pin"), ..MemoryPatch::default() });
            }
            ("forget" | "unforget", rest) => {
                let forgotten = Some(verb == "forget");
                let (rest, lines) = match rest.strip_suffix(" lines") {
                    Some(rest) => (rest, true),
                    None => (rest, false),
                };
                self.change(rest, MemoryPatch { forgotten, lines, ..MemoryPatch::default() });
            }
            ("event", rest) => {
                let (people, text) = rest.split_once(": ").unwrap();
                self.engine.event(&self.world, happened(people, text)).unwrap();
            }
            ("fresh", rest) => {
                let (who, memory) = rest.split_once(' ').unwrap();
                self.fresh.borrow_mut().push((memory_id(memory), id_of(who)));
            }
            ("sees", name) => *told += &self.sees(name),
            ("mind", name) => *told += &self.mind(name),
            ("standing", name) => *told += &self.standing(name),
            ("rounds", "") => *told += &self.rounds(),
            _ => self.say(step),
        }
    }

    pub fn wait(&self, seconds: i64) {
        self.clock.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    fn put(&self, settings: BTreeMap<String, String>) {
        self.engine.put_world(&self.world, WorldPatch { preset: None, settings }).unwrap();
    }

    fn enter(&self, name: Option<String>, people: &str) {
        let open = OpenConversation { id: None, name, participants: all(people) };
        let room = self.engine.open_conversation(&self.world, open).unwrap();
        self.room.replace(Some(room.value.id));
        self.round.set(None);
    }

    pub fn room(&self) -> ConversationId {
        self.room.borrow().clone().unwrap()
    }

    fn card(&self, name: &str, patch: CharacterPatch) {
        self.engine.put_character(&self.world, who(name), patch).unwrap();
    }

    fn close(&self, ending: Ending, line: &str) {
        let round = self.round.take().unwrap();
        let shown_through = (!line.is_empty()).then(|| line_id(line));
        self.engine.close_round(&self.world, round, CloseRound { ending, shown_through }).unwrap();
    }

    fn revise(&self, line: &str, patch: LinePatch) {
        self.engine.revise_line(&self.world, line_id(line), patch).unwrap();
    }

    fn head(&self, target: HeadTarget) {
        self.engine.move_head(&self.world, &self.room(), target, ExpectedHead::Any).unwrap();
    }

    /// Until nothing is left to do.
    pub fn digest(&self, now: bool) -> Digested {
        let mut all = Digested::default();
        for _ in 0..100 {
            let slice = Slice { world: Some(self.world.clone()), now, go_on: &|| true };
            let done = self.engine.digest(&slice).unwrap();
            assert_eq!(done.failed, [], "{}", self.world);
            all.conversations += done.conversations;
            all.memories += done.memories;
            all.summaries += done.summaries;
            all.look_again_ms = done.look_again_ms;
            if !done.more {
                return all;
            }
        }
        panic!("there is always more to do");
    }

    fn change(&self, rest: &str, patch: MemoryPatch) {
        let (name, memory) = rest.split_once(' ').unwrap();
        self.engine.change_memory(&self.world, memory_id(memory), Some(&id_of(name)), patch).unwrap();
    }

    fn take_back(&self, rest: &str) {
        let (holder, memory) = match rest.split_once(' ') {
            Some((name, memory)) => (Some(id_of(name)), memory),
            None => (None, rest),
        };
        self.engine.undo_memory(&self.world, memory_id(memory), holder.as_ref(), None).unwrap();
    }

    /// What one has in view of the conversation; a prompt shows nothing else of it.
    pub fn in_view(&self, name: &str) -> Vec<LineId> {
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: Some(id_of(name)),
            after: None,
            newest_first: false,
            limit: 1000,
        };
        let lines = self.engine.lines(&self.world, &self.room(), query).unwrap().items;
        let lines: Vec<LineId> = lines.into_iter().filter(|line| !line.hidden).map(|line| line.id).collect();
        let gather = Gather {
            scope: Some(HistoryScope::Conversation),
            window_lines: 1000,
            also: vec![self.room()],
            ..Gather::new(who(name), Place::Conversation(self.room()))
        };
        let gathered = self.store.gather(&self.world, &gather).unwrap();
        let shown: Vec<LineId> = gathered.window.iter().map(|line| line.id).collect();
        assert_eq!(shown, lines, "{name}: what is listed and what a prompt is made of");
        let granted: Vec<&Line> =
            gathered.also.iter().filter(|line| line.is_witnessed_by(&id_of(name))).collect();
        assert!(granted.iter().all(|line| lines.contains(&line.id)), "{name} is granted {granted:?}");
        lines
    }

    fn sees(&self, name: &str) -> String {
        let lines: Vec<String> = self.in_view(name).iter().map(|line| format!("L{line}")).collect();
        format!("{name} sees {}\n", lines.join(" "))
    }

    fn say(&self, step: &str) {
        let mut said: Vec<NewLine> = lines(step);
        for line in &mut said {
            line.round = self.round.get();
            line.display_name = self.called.take();
            line.speaker = line.speaker.take().map(renamed);
            line.witnesses = line.witnesses.take().map(|all| all.into_iter().map(renamed).collect());
            let content = std::mem::take(&mut line.wording.content).replace('⏎', "\n").replace('∅', "");
            line.wording = Wording { content, ..Wording::default() };
        }
        let attach = self.attach.take();
        let fresh = self.fresh.take();
        if fresh.is_empty() {
            let record = Record { lines: said, attach, ..Record::default() };
            self.engine.record(&self.world, &self.room(), record).unwrap();
        } else {
            let append = Append {
                lines: said,
                attach,
                refreshed: fresh,
                now_ms: self.clock.now_ms(),
                ..Append::default()
            };
            self.store.append(&self.world, &self.room(), append).unwrap();
        }
    }

    pub fn all_of(&self, name: &str, all: bool) -> Vec<Remembered> {
        let query = MemoriesQuery { all, limit: 1000, ..MemoriesQuery::of(id_of(name)) };
        self.engine.memories(&self.world, &query).unwrap().items
    }

    pub fn held_by(&self, name: &str) -> Vec<Held> {
        self.all_of(name, false).into_iter().map(|one| one.held).collect()
    }

    pub fn ask(&self) -> Vec<Question> {
        self.engine.questions(Some(&self.world), 100).unwrap()
    }

    pub fn reply(&self, text: &str) -> Answer {
        Answer::Said { text: text.to_owned(), model: "model-x".to_owned() }
    }

    pub fn failure(&self, code: &str, not_before_ms: Option<i64>) -> Answer {
        Answer::Failed { code: code.to_owned(), message: "try again later".to_owned(), not_before_ms }
    }

    pub fn answer(&self, question: &Question, text: &str) -> Answered {
        self.engine.answer(&self.world, &question.id, self.reply(text)).unwrap()
    }

    pub fn jobs(&self) -> Vec<Job> {
        let query =
            JobsQuery { world: Some(self.world.clone()), which: WhichJobs::All, after: None, limit: 1000 };
        self.store.jobs(&query).unwrap().into_iter().map(|(_, job)| job).collect()
    }

    /// Name and number, then the text.
    fn mind(&self, name: &str) -> String {
        let held = self.held_by(name);
        if held.is_empty() {
            return format!("{name}: nothing\n");
        }
        let told = |held: &Held| {
            let pinned = if held.state.pinned { " pinned" } else { "" };
            format!("{name} M{}{pinned}\n{}\n", held.memory.id, held.text())
        };
        held.iter().map(told).collect()
    }

    /// Number, layer, how alive, why dormant.
    fn standing(&self, name: &str) -> String {
        let told = |Remembered { held, standing }: &Remembered| {
            let standing = standing.unwrap();
            let layer = held.state.layer.map_or(held.memory.kind.as_str(), |layer| layer.as_str());
            let dormant = standing.dormant.map_or("", |dormant| dormant.as_str());
            format!("M{} {layer} {:.4} {dormant}\n", held.memory.id, standing.activity)
        };
        self.all_of(name, false).iter().map(told).collect()
    }

    /// `R1 digested L1-L3`
    fn rounds(&self) -> String {
        let rounds = self.engine.rounds(&self.world, &self.room(), None, 1000).unwrap().items;
        let told = |round: &reverie_core::Round| {
            let span = round.span.map(|span| format!(" L{}-L{}", span.first, span.last)).unwrap_or_default();
            format!("R{} {}{span}\n", round.id, round.state.as_str())
        };
        rounds.iter().map(told).collect()
    }
}
