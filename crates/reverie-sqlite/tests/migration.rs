//! Does a file of an earlier schema become one of ours, with everything in it?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use reverie_core::conversation::{Attach, HeadTarget};
use reverie_core::memories::{BacklogsQuery, Effect};
use reverie_core::{CharacterId, LineId, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::Stage;
use rusqlite::Connection;

const SCHEMAS: [&str; 3] = [
    include_str!("../src/migrations/0001.sql"),
    include_str!("../src/migrations/0002.sql"),
    include_str!("../src/migrations/0003.sql"),
];

/// People who come and go, branches, edits, a checkpoint.
fn furnish(stage: &Stage<'_>) {
    let inn = stage.scene("酒馆", &["甲"]);
    stage.present(&inn, &["甲", "乙"]);
    let first = stage.say(&inn, "[3] 甲: 一\n乙: 二");
    stage.present(&inn, &["甲"]);
    stage.present(&inn, &["甲", "さくら"]);
    stage.save("s");
    stage.say_at(&inn, Attach::Beside(first), "甲: another");
    stage.present(&inn, &["甲", "Bob"]);
    stage.edit(first, "改过");
    let pair = stage.set(&["甲", "乙"]);
    stage.say(&pair, "甲: 悄悄话\n乙: 嗯");
    stage.head(&pair, HeadTarget::Back(1));
}

/// The same rows as an earlier schema would have them.
fn go_back(from: &Path, to: &Path, schema: usize) {
    let old = Connection::open(to).unwrap();
    SCHEMAS.iter().take(schema).for_each(|sql| old.execute_batch(sql).unwrap());
    old.execute("ATTACH ?1 AS new", [from.to_str().unwrap()]).unwrap();
    let names = |sql: &str| -> Vec<String> {
        let mut statement = old.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for table in names("SELECT name FROM main.sqlite_schema WHERE type = 'table'") {
        let columns = names(&format!("SELECT name FROM pragma_table_info('{table}', 'main')")).join(", ");
        let copy = format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}");
        old.execute_batch(&copy).unwrap();
    }
    old.execute_batch("DETACH new").unwrap();
    old.pragma_update(None, "user_version", schema).unwrap();
    old.pragma_update(None, "application_id", 0x5265_7672).unwrap();
}

/// What the new schema derives for every node: how many lines its path has, and the line before where nothing was said.
fn derived(path: &Path) -> Vec<(i64, i64, Option<i64>)> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT id, said, spoken FROM line ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_file_of_an_earlier_schema_is_brought_up_to_date() {
    for schema in 1..=SCHEMAS.len() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new.db"), folder.path().join("old.db"));
        let store = SqliteStore::open(&new, Options::default()).unwrap();
        let stage = Stage::new(&store);
        furnish(&stage);
        stage.scene("没人来过", &["甲"]);
        let before = (stage.export(None), waiting(&stage));
        drop(store);
        go_back(&new, &old, schema);
        let store = SqliteStore::open(&old, Options::default()).unwrap();
        let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
        assert_eq!((stage.export(None), waiting(&stage)), before);
        assert_eq!(derived(&old), derived(&new));
        let inn = stage.scene("酒馆", &[]);
        let line = stage.say(&inn, "甲: 接着");
        stage.remember("什么都记得", &[line], &["甲"]);
        assert_eq!(stage.mind("甲"), "什么都记得");
        let holder = CharacterId::new("甲").unwrap();
        stage.make(vec![Effect::Lines { lines: vec![line], holder, forgotten: true }]);
        assert_eq!(stage.mind("甲"), "", "and can be forgotten");
        drop(store);
        assert_eq!(examine(&old, &Options::default()).unwrap().findings, []);
        assert!(folder.path().join(format!("old.db.schema{schema}.bak")).exists(), "the old file is kept");
    }
}

/// What was said before anybody could remember it is to be remembered.
fn waiting(stage: &Stage<'_>) -> usize {
    let query = BacklogsQuery { limit: 100, ..BacklogsQuery::default() };
    let rooms = stage.store.backlogs(&query).unwrap();
    assert_eq!(rooms.len(), 2);
    rooms.iter().map(|(_, room)| stage.backlog(room).lines.len()).sum()
}

/// The third schema did not say where a round of a host ended, and did not look for what another answer left of it.
#[test]
fn rounds_of_hosts_end_where_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (new, old) = (folder.path().join("new.db"), folder.path().join("old.db"));
    let store = SqliteStore::open(&new, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let rooms = [stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]), stage.set(&["甲", "さくら"])];
    for room in &rooms {
        let round = stage.begin(room);
        stage.say_in(room, round, "@甲: 一\n甲: 二");
        stage.complete(round);
        stage.make(vec![Effect::Digested(round)]);
    }
    let [_, swiped, undone] = &rooms;
    stage.say_at(swiped, Attach::Beside(LineId::new(4).unwrap()), "丙: 贰");
    stage.head(undone, HeadTarget::Back(1));
    let told =
        |stage: &Stage<'_>| rooms.each_ref().map(|room| (stage.told_rounds(room), stage.waiting(room)));
    let before = told(&stage);
    assert_eq!(before.each_ref().map(|(_, waits)| waits.as_str()), ["covered 2 | -", "3 7", "5"]);
    drop(store);
    go_back(&new, &old, 3);
    Connection::open(&old).unwrap().execute_batch("UPDATE conversation SET waits = 0").unwrap();
    let store = SqliteStore::open(&old, Options::default()).unwrap();
    let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
    assert_eq!(told(&stage), before);
    stage.head(undone, HeadTarget::Line(LineId::new(6).unwrap()));
    assert_eq!(stage.waiting(undone), "covered 6 | -");
    drop(store);
    assert_eq!(examine(&old, &Options::default()).unwrap().findings, []);
}
