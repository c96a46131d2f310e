//! What is left when everything that was derived is to be derived anew?

use reverie_core::job::{Job, JobKind, JobsQuery, Stage as At, WhichJobs};
use reverie_core::memories::{Effect, LetGo, NewMemory};
use reverie_core::memory::{Origin, State};
use reverie_core::{CheckpointId, LineId, MemoryId, Store};

use super::stage::{Stage, save_id};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

type Decide = fn(&mut State);

fn before() -> CheckpointId {
    save_id("before")
}

/// A memory of each origin of one line, all of them 甲's and 乙's, and a day of 甲's.
fn remembered(stage: &Stage<'_>) -> Vec<MemoryId> {
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    stage.digest(&room, line(1), line(2));
    let of = |origin: Origin, text: &str, lines: &[LineId]| {
        let new = stage.memory(text, lines, &["甲", "乙"]);
        Effect::Remember(NewMemory { origin, ..new })
    };
    let mut made = stage.make(vec![
        of(Origin::Round, "轮", &[line(1), line(2)]),
        of(Origin::Statement, "话", &[line(1)]),
        of(Origin::Event, "事", &[]),
        of(Origin::Hand, "笔", &[]),
    ]);
    made.push(stage.sum_up("日", &[made[0], made[2]], "甲"));
    made
}

pub fn what_was_derived_is_let_go_of(store: &dyn Store) {
    let decisions: [(&str, Decide); 5] = [
        ("pinned", |state| state.pinned = true),
        ("forgotten", |state| state.forgotten = true),
        ("reworded", |state| state.text = Some("轮！".to_owned())),
        ("weighed", |state| state.importance = Some(0.25)),
        ("shared", |state| state.shareable = true),
    ];
    let stage = Stage::named(store, "undecided", Default::default());
    remembered(&stage);
    let let_go = store.derive_anew(&stage.world, &before(), 7).unwrap();
    assert_eq!(let_go, LetGo { rounds: 1, holdings: 5 });
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("事 | 笔".into(), "事 | 笔".into()));
    let again = store.derive_anew(&stage.world, &save_id("again"), 8).unwrap();
    assert_eq!(again, LetGo { rounds: 1, holdings: 0 }, "there is nothing left to let go of");
    for (what, decide) in decisions {
        let stage = Stage::named(store, what, Default::default());
        let made = remembered(&stage);
        stage.put_state(made[0], "乙", |state| {
            state.considered = true;
            decide(state);
        });
        let decided = stage.one(made[0], "乙").state;
        store.derive_anew(&stage.world, &before(), 7).unwrap();
        let kept = stage.one(made[0], "乙").state;
        assert_eq!((stage.whole_mind("甲"), kept.is_decided()), ("事 | 笔".into(), true), "{what}");
        assert_eq!(
            kept.considered,
            what == "forgotten",
            "{what}: a model is asked again about what is in mind"
        );
        assert_eq!(State { considered: true, ..kept }, decided, "{what}: nothing else changed");
    }
    // Whoever pins a day keeps what it sums up.
    let stage = Stage::named(store, "a day", Default::default());
    let made = remembered(&stage);
    stage.put_state(made[4], "甲", |state| state.pinned = true);
    store.derive_anew(&stage.world, &before(), 7).unwrap();
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("轮 | 事 | 笔 | 日".into(), "事 | 笔".into()));
}

pub fn a_restore_takes_a_rebuild_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let made = remembered(&stage);
    let room = stage.set(&["甲", "乙"]);
    let job = Job {
        key: "consider:1".to_owned(),
        kind: JobKind::Consider,
        stage: At::Done,
        holders: Vec::new(),
        memories: vec![made[0]],
        known: Vec::new(),
        attempts: 0,
        due_ms: 1,
        leased_until_ms: 0,
        trouble: None,
        rejects: Vec::new(),
        made_ms: 1,
        version: 0,
    };
    stage.make(vec![Effect::Job { key: job.key.clone(), job: Some(Box::new(job)) }]);
    let told = |stage: &Stage<'_>| (stage.mind("甲"), stage.mind("乙"), stage.told_rounds(&room));
    let then = told(&stage);
    store.derive_anew(&stage.world, &before(), 7).unwrap();
    assert_eq!(stage.told_rounds(&room), "1 closed 1-2");
    let which = JobsQuery { world: Some(stage.world.clone()), which: WhichJobs::All, after: None, limit: 9 };
    assert_eq!(store.jobs(&which).unwrap(), [], "whatever was asked is asked anew");
    let mut again = stage.memory("轮", &[line(1), line(2)], &["甲", "乙"]);
    again.fingerprint = Some([3; 16]);
    stage.make(vec![Effect::Remember(again)]);
    stage.load("before");
    assert_eq!(told(&stage), then);
}
