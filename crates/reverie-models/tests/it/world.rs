//! What does a test of the driver need: a world in which two talk, a clock that stands still, a server that may be held up?

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use reverie_core::conversation::OpenConversation;
use reverie_core::job::Job;
use reverie_core::line::NewLine;
use reverie_core::memory::Origin;
use reverie_core::store::Place;
use reverie_core::world::WorldPatch;
use reverie_core::{
    Attribute, CharacterId, ConversationId, Cue, Engine, Limits, MemoriesQuery, Record, Slice, Who, WorldId,
};
use reverie_models::{Budget, Chats, Driver, Step};
use reverie_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

use crate::stage::Stage;

/// What is said, by whom, and what a good model makes of it.
pub(crate) struct Talk {
    pub(crate) people: [&'static str; 2],
    pub(crate) lines: &'static [(usize, &'static str)],
    pub(crate) summary: &'static str,
    pub(crate) kept: &'static str,
}

pub(crate) const CHINESE: Talk = Talk {
    people: ["白小喵", "李四"],
    lines: &[(0, "我从小就怕打雷，一听见雷声就想躲起来。"), (1, "放心，打雷的时候我陪着你。")],
    summary: r#"{"memories":[{"kind":"trait","text":"白小喵怕打雷，听见雷声就想躲起来。","about":["白小喵"],"lines":["L1"],"importance":0.8}]}"#,
    kept: "白小喵怕打雷，听见雷声就想躲起来。",
};

pub(crate) const ENGLISH: Talk = Talk {
    people: ["Ann", "Bob"],
    lines: &[(0, "I am allergic to peanuts, so please never bake with them."), (1, "No peanuts, I promise.")],
    summary: r#"{"memories":[{"kind":"trait","text":"Ann is allergic to peanuts.","about":["Ann"],"lines":["L1"],"importance":0.9}]}"#,
    kept: "Ann is allergic to peanuts.",
};

pub(crate) const JAPANESE: Talk = Talk {
    people: ["さくら", "健太"],
    lines: &[(0, "私は子供の頃から雷が怖いんです。"), (1, "大丈夫、雷の時はそばにいるよ。")],
    summary: r#"{"memories":[{"kind":"trait","text":"さくらは子供の頃から雷が怖い。","about":["さくら"],"lines":["L1"],"importance":0.8}]}"#,
    kept: "さくらは子供の頃から雷が怖い。",
};

pub(crate) struct World {
    pub(crate) stage: Arc<Stage>,
    pub(crate) engine: Arc<Engine>,
    pub(crate) world: WorldId,
    pub(crate) conversation: ConversationId,
    people: [&'static str; 2],
    _folder: TempDir,
}

impl World {
    /// Two people who said this to each other in one round, which both of them remember.
    pub(crate) fn of(talk: &Talk) -> Self {
        Self::with(talk, &[("digest.batch_rounds", "1")])
    }

    pub(crate) fn with(talk: &Talk, settings: &[(&str, &str)]) -> Self {
        let stage = Stage::new();
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("memory.db"), Options::default()).unwrap();
        let engine = Engine::new(Arc::new(store), stage.clone(), Limits::default())
            .reading_answers(reverie_formats::answer::read);
        let world = WorldId::new("w").unwrap();
        let pairs = settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        engine.put_world(&world, WorldPatch { preset: None, settings: pairs }).unwrap();
        let open = OpenConversation { participants: talk.people.map(who).to_vec(), ..Default::default() };
        let conversation = engine.open_conversation(&world, open).unwrap().value.id;
        let set = Self {
            stage,
            engine: Arc::new(engine),
            world,
            conversation,
            people: talk.people,
            _folder: folder,
        };
        for (speaker, content) in talk.lines {
            set.say(*speaker, content);
        }
        set.digest();
        set
    }

    pub(crate) fn say(&self, speaker: usize, content: &str) {
        let line = NewLine::new(
            if speaker == 0 { Attribute::User } else { Attribute::Assistant },
            self.people.get(speaker).map(|name| who(name)),
            content,
        );
        let record = Record { lines: vec![line], ..Default::default() };
        self.engine.record(&self.world, &self.conversation, record).unwrap();
    }

    pub(crate) fn digest(&self) {
        let slice = Slice { world: None, now: true, go_on: &|| true };
        let done = self.engine.digest(&slice).unwrap();
        assert!(done.failed.is_empty() && !done.more, "{done:?}");
    }

    /// All that a prompt for the second one says.
    pub(crate) fn recall(&self) -> String {
        let cue = Cue::new(who(self.people[1]), Place::Conversation(self.conversation.clone()));
        let recall = self.engine.recall(&self.world, &cue).unwrap();
        recall.messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Texts of one origin that each of them remembers; the same for both.
    pub(crate) fn remembered(&self, origin: Origin) -> Vec<String> {
        let of = |name: &str| -> Vec<String> {
            let query = MemoriesQuery { limit: 1000, ..MemoriesQuery::of(CharacterId::new(name).unwrap()) };
            let all = self.engine.memories(&self.world, &query).unwrap().items;
            let all = all.into_iter().filter(|one| one.held.memory.origin == origin);
            all.map(|one| one.held.text().to_owned()).collect()
        };
        let [first, second] = self.people.map(of);
        assert_eq!(first, second, "both were there");
        let different: BTreeSet<&String> = first.iter().collect();
        assert_eq!(different.len(), first.len(), "nothing is remembered twice: {first:?}");
        first
    }

    /// The only one.
    pub(crate) fn job(&self) -> Job {
        let mut jobs = self.engine.jobs(&self.world, None, 100).unwrap().items;
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        jobs.pop().unwrap()
    }

    pub(crate) fn driver(&self, chats: Chats, budget: Option<u64>) -> Arc<Driver> {
        let budget = budget.map(|tokens| Budget::new(tokens, self.stage.clone()));
        Arc::new(Driver::new(self.engine.clone(), chats, budget))
    }
}

pub(crate) fn who(name: &str) -> Who {
    Who::Id(CharacterId::new(name).unwrap())
}

/// Steps until nothing is left that may be done now; what each of them did.
pub(crate) async fn drive(driver: &Driver) -> Vec<Step> {
    let mut steps = Vec::new();
    loop {
        assert!(steps.len() < 100, "it never ends: {steps:?}");
        let step = driver.step().await;
        let is_over = matches!(step, Step::Nothing | Step::Resting { .. } | Step::Trouble(_));
        steps.push(step);
        if is_over {
            return steps;
        }
    }
}

/// Holds a scripted server up until a test lets it go on.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    pub(crate) fn closed() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.changed.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

/// Waits for what another thread will do. It does not decide anything: a test that waits in vain fails.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(30), "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
