//! Making and changing memories: what comes back, when is one the same, and is it all or nothing?

use reverie_core::memories::{Committed, Effect, NewMemory, Which};
use reverie_core::memory::{Kind, Layer, Origin, Source, State};
use reverie_core::{Code, ConversationId, LineId, MemoryId, RoundId, Store};

use super::minds::found;
use super::stage::{Stage, id};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

fn memory(number: u64) -> MemoryId {
    MemoryId::new(number).unwrap()
}

pub fn every_field_of_a_memory_comes_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "さくら"]);
    stage.say(&room, "[3] 甲: 一\nさくら: 二");
    stage.edit(line(2), "二改");
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let full = State {
        layer: None,
        activity: 0.25,
        since: Some(-7),
        since_ms: Some(1_700_000_000_000),
        pinned: true,
        forgotten: false,
        lines_forgotten: true,
        shareable: true,
        text: Some("私だけの言い方".into()),
        importance: Some(0.125),
        considered: true,
        summarised_by: None,
        superseded_by: None,
    };
    let new = NewMemory {
        fingerprint: Some([9; 16]),
        kind: Kind::Semantic,
        origin: Origin::Statement,
        text: "さくら怕打雷\nthunder ⚡".into(),
        sources: vec![Source { line: line(2), version: 1 }, Source { line: line(1), version: 0 }],
        from: vec![],
        about: vec![id("甲"), id("さくら"), id("甲")],
        importance: 0.75,
        keywords: texts(&["打雷", "雷"]),
        topics: texts(&["天气"]),
        emotions: vec![],
        tick: Some(3),
        wall_ms: 77,
        model: Some("小模型 7b".into()),
        holders: vec![(id("さくら"), full.clone()), (id("甲"), State::new(Some(Layer::Events), Some(3)))],
    };
    let before = stage.view().revision;
    let made = stage.commit(vec![], vec![Effect::Remember(new.clone())]).unwrap();
    assert_eq!(made, Committed::Done { memories: vec![memory(1)], made: 1, revision: before + 1 });
    let (hers, his) = (stage.one(memory(1), "さくら"), stage.one(memory(1), "甲"));
    assert_eq!((&hers.state, hers.version, &hers.holder), (&full, 0, &id("さくら")));
    assert_eq!((hers.text(), hers.importance()), ("私だけの言い方", 0.125));
    assert_eq!((his.text(), his.importance()), (new.text.as_str(), 0.75));
    assert_eq!((his.live, his.summarised, his.superseded, his.refreshed), (true, None, None, None));
    let kept = his.memory;
    assert_eq!((kept.kind, kept.origin, kept.revision), (new.kind, new.origin, before + 1));
    assert_eq!((kept.text, kept.sources, kept.from), (new.text, new.sources, vec![]));
    assert_eq!(kept.about, [id("さくら"), id("甲")]);
    assert_eq!((kept.importance, kept.tick, kept.wall_ms), (0.75, Some(3), 77));
    assert_eq!(kept.model, new.model);
    assert_eq!((kept.keywords, kept.topics, kept.emotions), (new.keywords, new.topics, new.emotions));
}

pub fn what_is_made_of_the_same_is_the_same(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙", "丙"]);
    stage.save("before");
    let made_of = |print: u8, holders: &[&str]| {
        let new = stage.memory(&format!("记忆 {}", holders.len()), &[], holders);
        Effect::Remember(NewMemory { fingerprint: Some([print; 16]), ..new })
    };
    assert_eq!(stage.make(vec![made_of(1, &["甲"]), made_of(2, &["甲"])]), [memory(1), memory(2)]);
    let before = stage.view().revision;
    let again = stage.commit(vec![], vec![made_of(1, &["甲"])]).unwrap();
    assert_eq!(
        again,
        Committed::Done { memories: vec![memory(1)], made: 0, revision: before },
        "nothing changed"
    );
    stage.put_state(memory(1), "甲", |state| state.pinned = true);
    assert_eq!(stage.make(vec![made_of(1, &["甲", "乙"])]), [memory(1)]);
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("记忆 1 | 记忆 1".into(), "记忆 1".into()));
    assert!(stage.one(memory(1), "甲").state.pinned, "whoever has it keeps it as it is");
    assert_eq!(stage.make(vec![made_of(3, &["甲"]), made_of(3, &["乙"])]), [memory(3), memory(3)]);
    stage.load("before");
    assert_eq!((stage.whole_mind("甲"), stage.whole_mind("乙")), (String::new(), String::new()));
    assert_eq!(stage.make(vec![made_of(1, &["甲"])]), [memory(1)]);
    let back = stage.one(memory(1), "甲");
    assert_eq!((back.version, back.state.pinned), (2, false), "as a new version, with the state given");
    let nameless = stage.make(vec![Effect::Remember(stage.memory("x", &[], &["甲"])); 2]);
    assert_eq!(nameless, [memory(4), memory(5)], "without a fingerprint it is always a new one");
}

pub fn a_commit_is_whole_or_not_at_all(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]));
    stage.say(&room, "甲: 一\n乙: 二");
    stage.say(&other, "甲: 别处");
    let open = stage.begin(&room);
    stage.say_in(&room, open, "甲: 四");
    let known = stage.remember("旧", &[], &["甲"]);
    let good = || Effect::Remember(stage.memory("新", &[], &["乙"]));
    let remember = |change: fn(&mut NewMemory)| {
        let mut new = stage.memory("坏", &[], &["甲"]);
        change(&mut new);
        Effect::Remember(new)
    };
    let state = |memory, holder: &str, place| Effect::State {
        memory,
        holder: id(holder),
        state: Box::new(State::new(None, None)),
        summarised_by: place,
        superseded_by: None,
    };
    let bad = [
        ("an unknown holder", remember(|new| new.holders[0].0 = id("没有")), Code::Invalid),
        ("about nobody", remember(|new| new.about = vec![id("没有")]), Code::Invalid),
        (
            "no such line",
            remember(|new| new.sources = vec![Source { line: line(99), version: 0 }]),
            Code::Invalid,
        ),
        ("no such memory", remember(|new| new.from = vec![Which::Known(memory(99))]), Code::Invalid),
        (
            "a state of no memory",
            remember(|new| new.holders[0].1.superseded_by = Some(memory(99))),
            Code::Invalid,
        ),
        ("a place too far", state(Which::New(1), "乙", None), Code::Invalid),
        ("a summary too far", state(Which::Known(known), "甲", Some(1)), Code::Invalid),
        ("not a holder", state(Which::Known(known), "乙", None), Code::NotFound),
        ("nobody's", state(Which::Known(memory(99)), "甲", None), Code::NotFound),
        ("a new one's stranger", state(Which::New(0), "甲", None), Code::NotFound),
        ("no such round", Effect::Digested(RoundId::new(99).unwrap()), Code::NotFound),
        ("a round that is not over", Effect::Digested(open), Code::Conflict),
        ("found nowhere", found(&ConversationId::new("没有").unwrap(), line(1), line(2)), Code::NotFound),
        ("found elsewhere", found(&other, line(1), line(2)), Code::Invalid),
        ("found backwards", found(&room, line(2), line(1)), Code::Invalid),
        ("found in a round", found(&room, line(1), line(4)), Code::Invalid),
        ("found no line", found(&room, line(1), line(99)), Code::Invalid),
    ];
    let before = (stage.view().revision, stage.export(None));
    for (what, effect, code) in bad {
        let error = stage.commit(vec![], vec![good(), effect]).expect_err(what);
        assert_eq!(error.code(), code, "{what}: {error}");
        assert_eq!((stage.view().revision, stage.export(None)), before, "{what}");
    }
}

pub fn new_memories_are_named_by_their_place(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    let old = stage.remember("旧", &[], &["甲", "乙"]);
    let before = stage.view().revision;
    let made = stage.make(vec![
        Effect::State {
            memory: Which::Known(old),
            holder: id("甲"),
            state: Box::new(stage.one(old, "甲").state),
            summarised_by: None,
            superseded_by: Some(1),
        },
        Effect::Remember(stage.memory("无关", &[], &["甲"])),
        Effect::Remember(stage.memory("新", &[], &["甲"])),
        Effect::State {
            memory: Which::New(0),
            holder: id("甲"),
            state: Box::new(State { pinned: true, ..State::new(None, Some(4)) }),
            summarised_by: Some(1),
            superseded_by: None,
        },
    ]);
    assert_eq!(stage.view().revision, before + 1);
    let (old, pinned) = (stage.one(old, "甲"), stage.one(made[0], "甲"));
    assert_eq!(
        (old.state.superseded_by, old.superseded.map(|by| by.by), old.version),
        (Some(made[1]), Some(made[1]), 1)
    );
    assert_eq!(
        (pinned.state.summarised_by, pinned.summarised, pinned.state.since),
        (Some(made[1]), None, Some(4)),
        "what it names is not made of it"
    );
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("无关 | 新".into(), "旧".into()));
}
