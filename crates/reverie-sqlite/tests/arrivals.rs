//! A world that is on its way in when its bringer dies: is nothing of it seen, and nothing of it left?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Stdio};

use reverie_core::conversation::Append;
use reverie_core::library::{DocumentEntry, DocumentKind, DocumentPut, Link, Scope};
use reverie_core::record::Record;
use reverie_core::store::{Erase, Select};
use reverie_core::{Code, DocumentId, Error, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::faulty_disk::register;
use reverie_testkit::store_suite::stage::{Stage, lines};

/// Where the child finds its file, after how many records it dies, and how.
const CHILD: &str = "REVERIE_ARRIVAL_TEST";

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Options { slice: 4, ..Options::default() }).unwrap()
}

fn furnished(store: &dyn Store) -> Stage<'_> {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    for number in 0..20 {
        stage.say(&room, &format!("甲: 机密 {number}"));
    }
    let book = DocumentId::new("书").unwrap();
    let entry = |number: usize| DocumentEntry { id: number.to_string().into(), text: "机密条目".into() };
    let put =
        DocumentPut { entries: (0..10).map(entry).collect(), file: Some(vec![7]), ..Default::default() };
    store.put_document(DocumentKind::Book, &book, put).unwrap();
    store.put_link(&stage.world, &Link { scope: Scope::World, book, rank: 0 }).unwrap();
    let lore_timers = Some("计时".to_owned());
    stage.append(&room, &Append { lines: lines("乙: 机密 20"), lore_timers, ..Append::default() }).unwrap();
    stage.save("s");
    stage
}

fn copy() -> WorldId {
    WorldId::new("写し").unwrap()
}

fn rows(path: &Path, table: &str) -> u64 {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// As if the bringer had not been heard of for an hour.
fn let_time_pass(path: &Path) {
    write(path, "UPDATE world SET arrives = arrives - 3600 WHERE arrives IS NOT NULL");
}

fn write(path: &Path, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute(sql, []).unwrap();
}

#[test]
fn a_bringer_that_dies_leaves_nothing() {
    for how in ["abort", "power"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reverie.db");
        let store = open(&path);
        let before = furnished(&store).export(None);
        drop(store);
        for last in [3, 9, 17, 30, 60, before.len() - 1, before.len()] {
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "child", "--nocapture"])
                .env(CHILD, format!("{how} {last} {}", path.display()))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            assert!(!child.success(), "the child was to die");
            let report = examine(&path, &Options::default()).unwrap();
            assert_eq!((report.worlds, report.lines, report.conversations), (1, 21, 1), "{how} {last}");
            assert_eq!(report.findings, [], "{how} {last}");
            let store = open(&path);
            let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
            assert_eq!(stage.export(None), before, "{how} {last}");
            assert_eq!(store.worlds(&Select::default()).unwrap().len(), 1);
        }
        assert!(rows(&path, "line") > 21, "{how}: something was left of them");
        let store = open(&path);
        store.tidy().unwrap();
        assert!(rows(&path, "line") > 21, "{how}: their bringers may still be at work");
        let_time_pass(&path);
        store.tidy().unwrap();
        for (table, left) in [
            ("line", 21),
            ("world", 1),
            ("character", 2),
            ("conversation", 1),
            ("setting", 1),
            ("checkpoint", 1),
            ("lore_timers", 1),
            ("link", 1),
            ("document", 1),
            ("document_file", 1),
            ("entry", 10),
        ] {
            assert_eq!(rows(&path, table), left, "{how}: {table}");
        }
        store.import(&copy(), &mut before.into_iter().map(Ok)).unwrap();
        drop(store);
        assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
    }
}

/// Not a test of its own: what the other starts as another process.
#[test]
fn child() {
    #[expect(clippy::disallowed_methods, reason = "the one way to speak to this process before it starts")]
    let Ok(told) = std::env::var(CHILD) else { return };
    let mut told = told.splitn(3, ' ');
    let (how, last, path) = (told.next().unwrap(), told.next().unwrap(), told.next().unwrap());
    let last: usize = last.parse().unwrap();
    let disk = register("losing");
    let vfs = (how == "power").then(|| "losing".to_owned());
    let store = SqliteStore::open(Path::new(path), Options { vfs, slice: 4, ..Options::default() }).unwrap();
    let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
    let is_power_cut = how == "power";
    let die = |seed: usize| -> Record {
        if is_power_cut {
            disk.lose_power(seed as u64 * 7919 + 13);
        }
        std::process::abort()
    };
    let records = stage.export(None);
    let mut dying = records.into_iter().take(last).map(Ok).chain(std::iter::once_with(|| Ok(die(last))));
    store.import(&copy(), &mut dying).unwrap();
}

#[test]
fn a_bringer_that_was_given_up_cannot_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let records = furnished(&store).export(None);
    let given_up: [&dyn Fn(); 2] = [
        &|| {
            let_time_pass(&path);
            // Another process looks after the file.
            open(&path).tidy().unwrap();
        },
        // Another process has begun to clear it away, and is not done.
        &|| write(&path, "UPDATE world SET arrives = 0 WHERE arrives IS NOT NULL"),
    ];
    for give_up in given_up {
        let mut slow = records.clone().into_iter().enumerate().map(|(index, record)| {
            if index == 20 {
                give_up();
            }
            Ok(record)
        });
        let error = store.import(&copy(), &mut slow).unwrap_err();
        assert_eq!(error.code(), Code::Unavailable, "{error}");
        assert_eq!((rows(&path, "line"), rows(&path, "world")), (21, 1));
    }
    store.import(&copy(), &mut records.into_iter().map(Ok)).unwrap();
    assert_eq!(rows(&path, "line"), 42);
}

/// The number of a world that was given up is given again. Whoever comes back late, at whatever point, finds that it is not
/// theirs any more, be the other world under way or there.
#[test]
fn a_bringer_that_was_given_up_leaves_the_next_one_alone() {
    for (stop, met_at) in [(8, 5), (20, 5), (20, 30), (40, 25), (40, usize::MAX), (usize::MAX, 30)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reverie.db");
        let store = open(&path);
        let records = furnished(&store).export(None);
        let last = records.len() - 1;
        let (stop, met_at) = (stop.min(last), met_at.min(last + 1));
        let next = WorldId::new("后来者").unwrap();
        std::thread::scope(|scope| {
            let (reached, is_reached) = std::sync::mpsc::channel();
            let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
            let mut other = Some((reached, may_go_on));
            let mut slow = records.iter().enumerate().map(|(index, record)| {
                if index == stop {
                    let_time_pass(&path);
                    let (reached, may_go_on) = other.take().unwrap();
                    let (path, records, next) = (&path, &records, &next);
                    scope.spawn(move || {
                        let other_process = open(path);
                        other_process.tidy().unwrap();
                        let mut met = records.iter().enumerate().map(|(index, record)| {
                            if index == met_at {
                                reached.send(()).unwrap();
                                may_go_on.recv().unwrap();
                            }
                            Ok(record.clone())
                        });
                        other_process.import(next, &mut met).unwrap();
                        drop(met);
                        drop(reached);
                    });
                    // An error says that the other one has arrived.
                    let _ = is_reached.recv();
                }
                Ok(record.clone())
            });
            let error = store.import(&copy(), &mut slow).unwrap_err();
            assert_eq!(error.code(), Code::Unavailable, "{stop} {met_at}: {error}");
            let _ = go_on.send(());
        });
        let arrived = Stage { store: &store, world: next }.export(None);
        assert_eq!(arrived.split_first().unwrap().1, records.split_first().unwrap().1, "{stop} {met_at}");
        assert_eq!((rows(&path, "line"), rows(&path, "world")), (42, 2), "{stop} {met_at}");
        drop(store);
        assert_eq!(examine(&path, &Options::default()).unwrap().findings, [], "{stop} {met_at}");
    }
}

#[test]
fn what_fails_clears_up_after_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let records = furnished(&store).export(None);
    for length in [1, 8, 20, 40, records.len() - 3] {
        let cut = Err(Error::new(Code::Unavailable, "the line went dead"));
        let some = records.clone().into_iter().take(length).map(Ok).chain([cut]);
        store.import(&copy(), &mut some.into_iter()).unwrap_err();
        assert_eq!((rows(&path, "line"), rows(&path, "world")), (21, 1), "{length}");
        assert_eq!((rows(&path, "document"), rows(&path, "entry")), (1, 10), "{length}");
    }
}

/// It is gone from sight at once, and cleared away in pieces; what is left behind by a failure, `tidy` takes.
#[test]
fn a_world_is_erased_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = furnished(&store);
    write(
        &path,
        "CREATE TRIGGER stop BEFORE DELETE ON line WHEN old.content = '机密 12'
         BEGIN SELECT raise(ABORT, 'the disk is tired'); END",
    );
    store.erase(&stage.world, &Erase::World).unwrap_err();
    assert_eq!(store.worlds(&Select::default()).unwrap(), []);
    let left = rows(&path, "line");
    assert!(left > 0 && left < 21, "{left} lines are left");
    assert_eq!(store.erase(&stage.world, &Erase::World).unwrap_err().code(), Code::NotFound);
    furnished(&store);
    assert_eq!(rows(&path, "line"), left + 21, "its name is free");
    store.tidy().unwrap_err();
    write(&path, "DROP TRIGGER stop");
    store.tidy().unwrap();
    assert_eq!((rows(&path, "line"), rows(&path, "world")), (21, 1));
    for (table, left) in [("character", 2), ("conversation", 1), ("seat", 2), ("append_key", 0), ("link", 1)]
    {
        assert!(rows(&path, table) <= left, "{table}");
    }
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}
