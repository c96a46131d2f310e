//! A disk that keeps failing: is it left alone after a while, said why, tried again by itself, and reading goes on meanwhile?

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reverie_core::breaker::{Rules, State};
use reverie_core::clock::Clock;
use reverie_core::conversation::Append;
use reverie_core::dependency::Dependency;
use reverie_core::{Code, Store as _};
use reverie_sqlite::{Options, SqliteStore};
use reverie_testkit::faulty_disk::register;
use reverie_testkit::store_suite::stage::{Stage, lines};

#[derive(Default)]
struct Hands(AtomicI64);

impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

fn said(text: &str) -> Append {
    Append { lines: lines(&format!("甲: {text}{}", "长".repeat(2000))), ..Append::default() }
}

#[test]
fn a_disk_that_keeps_failing_is_left_alone_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let disk = register("breaker");
    let hands = Arc::new(Hands::default());
    let rules = Rules { failures: 3, first_pause_ms: 1000, longest_pause_ms: 4000, ..Rules::default() };
    let breaker = Dependency::new("database", rules, hands.clone());
    let options =
        Options { vfs: Some("breaker".to_owned()), breaker: Some(breaker.clone()), ..Options::default() };
    let store = SqliteStore::open(&folder.path().join("reverie.db"), options).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    for number in 0..20 {
        stage.append(&room, &said(&number.to_string())).unwrap();
    }
    assert_eq!(store.trouble(), None);
    // What is wrong with a request is not the disk's fault.
    for _ in 0..9 {
        assert_eq!(
            store.line(&stage.world, reverie_core::LineId::new(999).unwrap()).unwrap_err().code(),
            Code::NotFound
        );
        let nowhere = reverie_core::WorldId::new("nowhere").unwrap();
        assert_eq!(store.append(&nowhere, &room, said("x")).unwrap_err().code(), Code::NotFound);
    }
    assert_eq!(breaker.health().state, State::Closed);

    disk.leave_room(0);
    disk.fail_syncs(0, u64::MAX);
    for _ in 0..3 {
        assert_eq!(breaker.health().state, State::Closed);
        let error = stage.append(&room, &said("不")).unwrap_err();
        assert_eq!(error.code(), Code::Unavailable, "{error}");
    }
    assert_eq!(breaker.health().state, State::Open);
    let trouble = store.trouble().unwrap();
    // From here on it is refused without being tried: however well the disk is.
    disk.repair();
    let error = stage.append(&room, &said("不")).unwrap_err();
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains(trouble.message()), "{error}: {trouble}");
    assert_eq!(stage.lines(&room, Default::default()).len(), 20, "reading goes on");
    assert!(store.tidy().is_err(), "it is not time yet");

    disk.leave_room(0);
    disk.fail_syncs(0, u64::MAX);
    for (at, next) in [(1000, 3000), (3000, 7000), (7000, 11_000)] {
        hands.0.store(at, Ordering::SeqCst);
        assert!(store.tidy().is_err(), "whoever tidies tries it");
        assert_eq!(breaker.health().next_probe_ms, Some(next), "each pause is longer, up to a limit");
    }
    disk.repair();
    hands.0.store(11_000, Ordering::SeqCst);
    store.tidy().unwrap();
    assert_eq!((breaker.health().state, store.trouble()), (State::Closed, None));
    stage.append(&room, &said("好")).unwrap();
}
