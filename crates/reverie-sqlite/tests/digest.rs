//! Is what was lived through remembered as it should be? On the embedded store.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use reverie_core::{Code, Slice};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::digest_suite::Case;
use reverie_testkit::digest_suite::theatre::Theatre;
use rusqlite::Connection;

fn run(case: Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    case(Arc::new(SqliteStore::open(&path, Options::default()).unwrap()));
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

reverie_testkit::digest_suite!(run);

/// A file that says of a line that it is on the path and that it is not.
#[test]
fn what_can_never_be_written_is_told_and_keeps_nobody_else_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let theatre = Theatre::new(Arc::new(SqliteStore::open(&path, Options::default()).unwrap()), "世界");
    theatre.play("set 张三, 李四\n@张三: 一\n李四: 二\n李四: 三\ndigest now\nrebuild");
    Connection::open(&path).unwrap().execute("UPDATE line SET active = 0 WHERE id & 255 = 2", []).unwrap();
    theatre.play("set さくら, Bob\n@さくら: こんにちは\nBob: Hi.");
    for (memories, memory) in [(1, "Bob M2\n[对话参与者：さくら、Bob]"), (0, "Bob M2\n")] {
        let slice = Slice { world: Some(theatre.world.clone()), now: true, go_on: &|| true };
        let done = theatre.engine.digest(&slice).unwrap();
        let failed: Vec<Code> = done.failed.iter().map(|(_, error)| error.code()).collect();
        assert_eq!((done.memories, done.more, failed), (memories, false, vec![Code::Internal]), "{done:?}");
        assert!(theatre.play("mind Bob").starts_with(memory), "{}", theatre.play("mind Bob"));
    }
}
