//! Does a file of an older schema become one of today, with a backup beside it and nothing lost?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use reverie_core::conversation::{Append, LinesQuery, WhichLines};
use reverie_core::store::Erase;
use reverie_core::{ConversationId, LineId, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::lines;
use rusqlite::Connection;

/// As the first program left it.
fn first_schema(path: &Path) {
    let file = Connection::open(path).unwrap();
    file.pragma_update(None, "journal_mode", "wal").unwrap();
    file.execute_batch(include_str!("../src/migrations/0001.sql")).unwrap();
    file.execute_batch(include_str!("files_of_old/schema1.sql")).unwrap();
    file.pragma_update(None, "user_version", 1).unwrap();
    file.pragma_update(None, "application_id", 1_382_381_170).unwrap();
}

fn said(store: &SqliteStore, room: &str, which: WhichLines) -> Vec<String> {
    let query = LinesQuery { which, witness: None, after: None, newest_first: false, limit: 100 };
    let world = WorldId::new("old").unwrap();
    let found = store.lines(&world, &ConversationId::new(room).unwrap(), &query).unwrap();
    found.into_iter().map(|line| line.wording.content).collect()
}

#[test]
fn a_file_of_the_first_schema_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    first_schema(&path);
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(folder.path().join("reverie.db.schema1.bak").exists());
    assert_eq!(said(&store, "duet", WhichLines::Path), ["一", "二之二"]);
    assert_eq!(said(&store, "duet", WhichLines::Tree), ["一", "二", "三", "二之二", "四", "三之二"]);
    let children = |of| said(&store, "duet", WhichLines::Children(Some(LineId::new(of).unwrap())));
    assert_eq!(children(1), ["二", "二之二"]);
    assert_eq!(children(2), ["三", "三之二"]);
    assert_eq!(said(&store, "inn", WhichLines::Path), ["有人吗", "有"]);

    let (world, room) = (WorldId::new("old").unwrap(), ConversationId::new("duet").unwrap());
    let more = Append { lines: lines("甲: 五"), ..Append::default() };
    store.append(&world, &room, more).unwrap();
    store.erase(&world, &Erase::Line(LineId::new(2).unwrap())).unwrap();
    assert_eq!(children(1), ["三", "二之二", "三之二"]);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}
