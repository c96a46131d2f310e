//! A disk that keeps failing under a program that links the library: is it left alone for a while, said why, and found to be well again?

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reverie::breaker::{Rules, State};
use reverie::clock::Clock;
use reverie::dependency::Dependency;
use reverie::{Code, Limits, Memory, Options, WorldId};
use reverie_testkit::faulty_disk::register;

#[derive(Default)]
struct Hands(AtomicI64);

impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

fn put(memory: &Memory, name: &str) -> reverie::Result<()> {
    memory.put_world(&WorldId::new(name)?, Default::default()).map(drop)
}

#[test]
fn a_disk_that_keeps_failing_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("memory.db").display());
    let disk = register("library");
    let hands = Arc::new(Hands::default());
    let rules = Rules { failures: 3, first_pause_ms: 1000, ..Rules::default() };
    for of_its_own in [false, true] {
        let breaker = of_its_own.then(|| Dependency::new("database", rules, hands.clone()));
        let options = Options { vfs: Some("library".to_owned()), breaker, ..Options::default() };
        let memory = reverie::open_file(&address, options, Limits::default(), |engine| engine).unwrap();
        put(&memory, "before").unwrap();
        disk.leave_room(0);
        disk.fail_syncs(0, u64::MAX);
        for _ in 0..3 {
            assert_eq!(memory.health().state, State::Closed);
            assert_eq!(put(&memory, "not").unwrap_err().code(), Code::Unavailable);
        }
        let health = memory.health();
        assert_eq!((health.name.as_str(), health.state), ("database", State::Open));
        disk.repair();
        if !of_its_own {
            // The usual one goes by the machine's clock, which a test does not wait for.
            continue;
        }
        let refused = put(&memory, "not").unwrap_err();
        assert!(refused.message().contains("left alone"), "without being tried: {refused}");
        assert_eq!(memory.worlds(None, 10).unwrap().items.len(), 1, "reading goes on");
        hands.0.store(1000, Ordering::SeqCst);
        put(&memory, "after").unwrap();
        assert_eq!(memory.health().state, State::Closed);
    }
}
