//! What is asked of models: jobs beside the log, and what nobody asked about yet.

use reverie_core::job::{Job, JobKind, JobsQuery, Reject, Stage as Phase, Trouble, WhichJobs};
use reverie_core::memories::{Committed, Effect, Guard, HeldQuery, NewMemory, WhichHeld};
use reverie_core::memory::{Layer, Origin, State};
use reverie_core::settings::Preset;
use reverie_core::store::Erase;
use reverie_core::{Code, MemoryId, Store, WorldId};

use super::minds::{everything, told_held};
use super::stage::{Stage, check_code, id};

fn job(key: &str) -> Job {
    Job {
        key: key.to_owned(),
        kind: JobKind::Consider,
        stage: Phase::Deciding,
        holders: vec![id("甲")],
        memories: Vec::new(),
        known: Vec::new(),
        attempts: 0,
        due_ms: 0,
        leased_until_ms: 0,
        trouble: None,
        rejects: Vec::new(),
        made_ms: 0,
        version: 0,
    }
}

fn put(job: Job) -> Effect {
    Effect::Job { key: job.key.clone(), job: Some(Box::new(job)) }
}

fn take(key: &str) -> Effect {
    Effect::Job { key: key.to_owned(), job: None }
}

fn at(key: &str, version: u64) -> Guard {
    Guard::Job { key: key.to_owned(), version }
}

impl Stage<'_> {
    fn jobs(&self, which: WhichJobs) -> Vec<Job> {
        let query = JobsQuery { world: Some(self.world.clone()), which, after: None, limit: 1000 };
        self.store.jobs(&query).unwrap().into_iter().map(|(_, job)| job).collect()
    }

    /// `key 3, other 1`: keys with their versions.
    fn told_jobs(&self, which: WhichJobs) -> String {
        let told = |job: Job| format!("{} {}", job.key, job.version);
        self.jobs(which).into_iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn asked(&self, effects: Vec<Effect>) {
        self.make(effects);
    }
}

pub fn every_field_of_a_job_comes_back(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "さくら"]);
    let memory = |number| MemoryId::new(number).unwrap();
    let full = Job {
        kind: JobKind::Retell,
        stage: Phase::Summarising,
        holders: vec![id("さくら"), id("甲")],
        memories: vec![memory(7), memory(3)],
        known: vec![memory(9), memory(1 << 39)],
        attempts: 4,
        due_ms: 1 << 45,
        leased_until_ms: -3,
        trouble: Some(Trouble {
            code: "rate_limited".into(),
            message: "请稍后再试：\nwait 30 s".into(),
            at_ms: 12,
        }),
        rejects: vec![
            Reject { text: "甲有 7 只猫".into(), reason: "its lines do not say 7".into() },
            Reject { text: String::new(), reason: "3 more statements were not looked at".into() },
        ],
        made_ms: 11,
        version: 99,
        ..job("retell:7:さくら")
    };
    stage.asked(vec![put(full.clone())]);
    assert_eq!(stage.jobs(WhichJobs::All), [Job { version: 1, ..full.clone() }], "the store counts versions");
    let bare = job("retell:7:さくら");
    stage.asked(vec![put(bare.clone())]);
    assert_eq!(stage.jobs(WhichJobs::All), [Job { version: 2, ..bare }], "nothing of the old one is left");
    check_code(
        stage.commit(vec![], vec![Effect::Job { key: "other".into(), job: Some(Box::new(full)) }]),
        Code::Invalid,
    );
}

pub fn a_job_is_put_if_nobody_was_faster(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    let stale =
        |guard: Guard, effect: Effect| stage.commit(vec![guard], vec![effect]).unwrap() == Committed::Stale;
    assert!(stale(at("k", 1), put(job("k"))), "there is none yet");
    assert!(!stale(at("k", 0), put(job("k"))));
    assert!(stale(at("k", 0), put(job("k"))), "somebody was faster");
    assert!(!stale(at("k", 1), put(Job { version: 40, ..job("k") })));
    assert_eq!(stage.told_jobs(WhichJobs::All), "k 2");
    assert!(stale(at("k", 1), take("k")));
    assert!(!stale(at("k", 2), take("k")));
    assert!(!stale(at("k", 0), take("k")), "to take away what is not there changes nothing");
    stage.asked(vec![put(job("k"))]);
    assert_eq!(stage.told_jobs(WhichJobs::All), "k 1");
}

pub fn jobs_are_no_part_of_the_log(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    stage.save("before");
    let revision = stage.view().revision;
    let done = stage.commit(vec![], vec![put(job("a")), put(job("b")), take("c")]).unwrap();
    assert_eq!(done, Committed::Done { memories: vec![], made: 0, revision }, "no new revision");
    let records = stage.export(None);
    stage.load("before");
    assert_eq!(stage.told_jobs(WhichJobs::All), "a 1, b 1", "no restore takes them back");
    stage.asked(vec![take("a")]);
    assert_eq!(stage.fork("fork", None).told_jobs(WhichJobs::All), "", "no fork has them");
    let copy = WorldId::new("copy").unwrap();
    store.import(&copy, &mut records.into_iter().map(Ok)).unwrap();
    assert_eq!(Stage { store, world: copy }.told_jobs(WhichJobs::All), "");
    let before = stage.view().revision;
    let both = vec![put(job("d")), Effect::Remember(stage.memory("雨", &[], &["甲"]))];
    stage.asked(both);
    assert_eq!(stage.view().revision, before + 1, "a memory is a revision, the job beside it is not");
    let failing = vec![put(job("e")), Effect::Remember(stage.memory("雪", &[], &["没有的人"]))];
    check_code(stage.commit(vec![], failing), Code::Invalid);
    assert_eq!(stage.told_jobs(WhichJobs::All), "b 1, d 1", "all of a commit or nothing");
}

pub fn jobs_are_listed_in_order(store: &dyn Store) {
    let (one, two) =
        (Stage::named(store, "a", Preset::Companion), Stage::named(store, "b", Preset::Companion));
    for stage in [&two, &one] {
        stage.set(&["甲"]);
        for (key, due_ms, leased_until_ms, phase) in [
            ("ん", 5, 0, Phase::Deciding),
            ("b", 3, 0, Phase::Summarising),
            ("a", 3, 8, Phase::Deciding),
            ("z", 0, 0, Phase::Done),
            ("later", 9, 0, Phase::Deciding),
        ] {
            stage.asked(vec![put(Job { due_ms, leased_until_ms, stage: phase, ..job(key) })]);
        }
    }
    let ask = |world: Option<&str>, which: WhichJobs, after: Option<(&str, &str)>, limit| {
        let world = world.map(|world| WorldId::new(world).unwrap());
        let after = after.map(|(world, key)| (WorldId::new(world).unwrap(), key.to_owned()));
        let found = store.jobs(&JobsQuery { world, which, after, limit }).unwrap();
        found.iter().map(|(world, job)| format!("{world}.{}", job.key)).collect::<Vec<_>>().join(" ")
    };
    let due = |now_ms| WhichJobs::Due { now_ms };
    for (world, which, after, limit, expected) in [
        (None, WhichJobs::All, None, 100, "a.a a.b a.later a.z a.ん b.a b.b b.later b.z b.ん"),
        (None, WhichJobs::All, Some(("a", "later")), 4, "a.z a.ん b.a b.b"),
        (Some("b"), WhichJobs::All, Some(("a", "z")), 2, "b.a b.b"),
        (Some("b"), WhichJobs::All, Some(("b", "b")), 100, "b.later b.z b.ん"),
        (Some("nowhere"), WhichJobs::All, None, 100, ""),
        (None, WhichJobs::One("ん".into()), None, 100, "a.ん b.ん"),
        (Some("b"), WhichJobs::One("ん".into()), None, 100, "b.ん"),
        (Some("b"), WhichJobs::One("no".into()), None, 100, ""),
        (None, due(2), None, 100, ""),
        (None, due(5), None, 100, "a.b b.b a.ん b.ん"),
        (None, due(8), None, 100, "a.a a.b b.a b.b a.ん b.ん"),
        (None, due(9), Some(("b", "zz")), 3, "a.a a.b b.a"),
        (Some("b"), due(9), None, 100, "b.a b.b b.ん b.later"),
    ] {
        assert_eq!(
            ask(world, which.clone(), after, limit),
            expected,
            "{which:?} of {world:?} behind {after:?}"
        );
    }
}

pub fn what_quotes_dialogue_goes_when_lines_go(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 一\n乙: 二");
    let reject = || vec![Reject { text: "二".into(), reason: "no".into() }];
    let all = || {
        stage.asked(vec![
            put(Job { stage: Phase::Done, rejects: reject(), ..job("done") }),
            put(Job { rejects: reject(), ..job("waiting") }),
            put(Job { holders: vec![id("甲"), id("乙")], ..job("of both") }),
        ]);
    };
    all();
    stage.erase(Erase::Line(line));
    assert_eq!(stage.told_jobs(WhichJobs::All), "of both 1, waiting 2", "a change is a version");
    assert!(stage.jobs(WhichJobs::All).iter().all(|job| job.rejects.is_empty()));
    all();
    stage.erase(Erase::Character(id("乙")));
    assert_eq!(stage.told_jobs(WhichJobs::All), "waiting 4");
    stage.erase(Erase::World);
    let again = Stage::new(store);
    assert_eq!(again.told_jobs(WhichJobs::All), "");
}

pub fn rounds_that_nobody_asked_about(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "さくら"]);
    let earlier = stage.say(&room, "甲: 零");
    let line = stage.say(&room, "甲: 一");
    let of = |text: &str, origin: Origin, model: Option<&str>, considered: bool| {
        // Of two rounds of the same line one counts.
        let line = if considered { earlier } else { line };
        let mut new = NewMemory {
            origin,
            model: model.map(Into::into),
            ..stage.memory(text, &[line], &["甲", "さくら"])
        };
        new.holders.iter_mut().for_each(|(_, state)| {
            *state = State { considered, ..State::new(Some(Layer::Active), None) };
        });
        Effect::Remember(new)
    };
    let made = stage.make(vec![
        of("一轮", Origin::Round, None, false),
        of("问过", Origin::Round, None, true),
        of("事件", Origin::Event, None, false),
        of("rules", Origin::Day, None, false),
        of("模型", Origin::Day, Some("m"), false),
        of("era", Origin::Era, None, true),
    ]);
    let ask = |holder: Option<&str>, which: WhichHeld, all: bool| {
        let query = HeldQuery { which, all, holder: holder.map(id), ..everything("甲") };
        told_held(&store.held(&stage.world, &query).unwrap())
    };
    let check = |holder, unconsidered: &str, by_rules: &str| {
        assert_eq!(ask(holder, WhichHeld::Unconsidered, false), unconsidered, "{holder:?}");
        assert_eq!(ask(holder, WhichHeld::ByRules, false), by_rules, "{holder:?}");
    };
    check(None, "一轮 | 一轮", "rules | rules | era | era");
    check(Some("甲"), "一轮", "rules | era");
    stage.save("asked nobody");
    stage.put_state(made[0], "甲", |state| state.considered = true);
    stage.put_state(made[3], "甲", |state| state.superseded_by = Some(made[4]));
    stage.put_state(made[5], "さくら", |state| state.forgotten = true);
    check(Some("甲"), "", "era");
    check(Some("さくら"), "一轮", "rules");
    assert_eq!(ask(Some("甲"), WhichHeld::ByRules, true), "rules | era");
    stage.hide(line, true);
    stage.hide(earlier, true);
    check(None, "", "");
    assert_eq!(ask(None, WhichHeld::Unconsidered, true), "一轮");
    stage.load("asked nobody");
    check(None, "一轮 | 一轮", "rules | rules | era | era");
    let layered = HeldQuery { layers: vec![Layer::Events], all: false, ..everything("甲") };
    let none = HeldQuery { which: WhichHeld::Unconsidered, ..layered };
    assert_eq!(store.held(&stage.world, &none).unwrap(), []);
}

pub fn tokens_are_counted_by_the_hour(store: &dyn Store) {
    assert_eq!(store.spend(10, 0).unwrap(), 0);
    assert_eq!((store.spend(10, 500).unwrap(), store.spend(10, 200).unwrap()), (500, 700));
    assert_eq!((store.spend(10, -300).unwrap(), store.spend(10, 0).unwrap()), (400, 400));
    assert_eq!(store.spend(10, -1000).unwrap(), 0, "nobody gives more back than was taken");
    store.spend(10, 70).unwrap();
    assert_eq!(
        (store.spend(11, 5).unwrap(), store.spend(10, 0).unwrap()),
        (5, 70),
        "an answer may come late"
    );
    assert_eq!((store.spend(13, 1).unwrap(), store.spend(10, 0).unwrap()), (1, 0), "what is past is let go");
}
