//! How memories are chosen by what they are, when they were and who shares them, listed and at a glance.

use reverie_core::conversation::HeadTarget;
use reverie_core::memories::{Effect, HeldQuery, MemoryOrder, NewMemory, Only, Sieve, WhichHeld};
use reverie_core::memory::{Kind, Origin};
use reverie_core::{LineId, MemoryId, Store};

use super::minds::{everything, told_held};
use super::stage::{Stage, id};

/// Of all memories that a query finds kind, tick and time, in order.
fn glimpsed(store: &dyn Store, stage: &Stage<'_>, query: &HeldQuery) -> Vec<String> {
    let mut all = Vec::new();
    let each = &mut |one: reverie_core::memories::Glimpse| {
        all.push(format!("{} {:?} {:?}", one.kind.as_str(), one.moment.tick, one.moment.wall_ms));
    };
    store.glance(&stage.world, query, each).unwrap();
    all.sort();
    all
}

pub fn memories_pass_a_sieve(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙", "Bob"]);
    stage.say(&room, "甲: 一");
    let with = |text: &str, holders: &[&str], change: fn(&mut NewMemory)| {
        let mut new = NewMemory { origin: Origin::Event, ..stage.memory(text, &[], holders) };
        change(&mut new);
        Effect::Remember(new)
    };
    let made = stage.make(vec![
        with("雨", &["甲"], |new| (new.wall_ms, new.emotions) = (10, vec!["喜".into(), "joy".into()])),
        with("snow", &["甲", "乙"], |new| {
            (new.tick, new.wall_ms, new.emotions) = (Some(5), 20, vec!["joy".into()])
        }),
        with("約束", &["甲", "Bob"], |new| {
            (new.tick, new.wall_ms, new.kind) = (Some(-7), 30, Kind::Goal);
            new.emotions = vec!["joyful".into()];
        }),
        with("旧", &["甲", "乙"], |new| (new.tick, new.wall_ms) = (Some(9), 40)),
        with("别人的", &["乙"], |new| (new.tick, new.wall_ms) = (Some(9), 20)),
    ]);
    let spoken = stage.remember("说过", &[LineId::new(1).unwrap()], &["甲", "乙"]);
    stage.put_state(made[2], "甲", |state| state.pinned = true);
    stage.put_state(made[3], "甲", |state| state.forgotten = true);
    stage.put_state(made[1], "乙", |state| state.superseded_by = Some(made[4]));
    let ask = |all: bool, change: fn(&mut Sieve)| {
        let mut query = HeldQuery { all, ..everything("甲") };
        change(&mut query.sieve);
        let held = store.held(&stage.world, &query).unwrap();
        let mut told: Vec<String> = held
            .iter()
            .map(|held| {
                let moment = held.memory.moment();
                format!("{} {:?} {:?}", held.memory.kind.as_str(), moment.tick, moment.wall_ms)
            })
            .collect();
        told.sort();
        let ignored = HeldQuery {
            limit: 1,
            newest_first: true,
            after: held.last().map(|last| MemoryOrder::Made.place(last)),
            ..query
        };
        assert_eq!(glimpsed(store, &stage, &ignored), told, "the same at a glance");
        told_held(&held)
    };
    let felt = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (all, change, expected) in [
        (false, (|_| ()) as fn(&mut Sieve), "雨 | snow | 約束 | 说过"),
        (true, |_| (), "雨 | snow | 約束 | 旧 | 说过"),
        (false, |sieve| sieve.from_ms = Some(20), "snow | 約束"),
        (false, |sieve| sieve.to_ms = Some(20), "雨 | 说过"),
        (true, |sieve| (sieve.from_ms, sieve.to_ms) = (Some(20), Some(41)), "snow | 約束 | 旧"),
        (false, |sieve| (sieve.from_ms, sieve.to_ms) = (Some(30), Some(30)), ""),
        (false, |sieve| sieve.from_tick = Some(-7), "snow | 約束"),
        (false, |sieve| sieve.to_tick = Some(5), "約束"),
        (true, |sieve| (sieve.from_tick, sieve.from_ms) = (Some(5), Some(30)), "旧"),
        (false, |sieve| sieve.pinned = Some(true), "約束"),
        (false, |sieve| sieve.pinned = Some(false), "雨 | snow | 说过"),
        (false, |sieve| sieve.shared_with = Some(id("乙")), "说过"),
        (true, |sieve| sieve.shared_with = Some(id("乙")), "旧 | 说过"),
        (false, |sieve| sieve.shared_with = Some(id("Bob")), "約束"),
        (false, |sieve| sieve.shared_with = Some(id("甲")), "雨 | snow | 約束 | 说过"),
        (true, |sieve| sieve.shared_with = Some(id("没有")), ""),
        (false, |sieve| sieve.only = Only::Forgotten, "旧"),
        (true, |sieve| sieve.only = Only::Forgotten, "旧"),
        (false, |sieve| sieve.only = Only::Lost, "旧"),
        (
            false,
            |sieve| {
                (sieve.only, sieve.shared_with, sieve.from_tick) = (Only::Forgotten, Some(id("乙")), Some(9))
            },
            "旧",
        ),
    ] {
        assert_eq!(ask(all, change), expected);
    }
    for (names, expected) in [
        (&["joy"][..], "雨 | snow"),
        (&["喜", "joyful"], "雨 | 約束"),
        (&["oy"], ""),
        (&["喜\njoy"], ""),
        (&[""], ""),
        (&["", "喜"], "雨"),
        (&["%"], ""),
    ] {
        let sieve = Sieve { emotions: felt(names), ..Sieve::default() };
        let query = HeldQuery { sieve, all: false, ..everything("甲") };
        assert_eq!(told_held(&store.held(&stage.world, &query).unwrap()), expected, "{names:?}");
        assert_eq!(
            glimpsed(store, &stage, &query).len(),
            expected.split(" | ").filter(|one| !one.is_empty()).count()
        );
    }
    let ids = |holder: &str| store.recallable(&stage.world, &id(holder)).unwrap();
    let numbers = |all: &[MemoryId]| all.to_vec();
    assert_eq!(ids("甲"), numbers(&[made[0], made[1], made[2], spoken]));
    assert_eq!(ids("乙"), numbers(&[made[3], made[4], spoken]));
    assert_eq!(ids("没有"), numbers(&[]));
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(ids("乙"), numbers(&[made[3], made[4]]), "what is off the path nobody recalls");
    let lost = HeldQuery { sieve: Sieve { only: Only::Lost, ..Sieve::default() }, ..everything("乙") };
    assert_eq!(told_held(&store.held(&stage.world, &lost).unwrap()), "snow | 说过");
    let by_line = HeldQuery { which: WhichHeld::From(vec![LineId::new(1).unwrap()]), holder: None, ..lost };
    assert_eq!(told_held(&store.held(&stage.world, &by_line).unwrap()), "说过 | 说过", "of both who have it");
}
