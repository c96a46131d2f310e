//! When the disk is full, fails or cannot be written: a clear error, nothing acknowledged is lost, and the same open store
//! goes on when the disk is well again.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use reverie_core::conversation::{Append, AppendKey};
use reverie_core::fingerprint::fingerprint;
use reverie_core::store::Erase;
use reverie_core::{Code, Store as _, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::faulty_disk::{Disk, register};
use reverie_testkit::store_suite::stage::{Stage, lines};

/// A store on a disk of its own.
struct Bench {
    _folder: tempfile::TempDir,
    path: PathBuf,
    disk: Arc<Disk>,
    store: SqliteStore,
}

fn bench(name: &str) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let disk = register(name);
    let store = open(&path, name);
    Stage::new(&store).set(&["甲", "乙"]);
    Bench { _folder: folder, path, disk, store }
}

fn open(path: &Path, vfs: &str) -> SqliteStore {
    SqliteStore::open(path, Options { vfs: Some(vfs.to_owned()), ..Options::default() }).unwrap()
}

fn keyed(number: usize) -> Append {
    let play = format!("甲: 第 {number} 句 {}", "长".repeat(number % 50 * 40));
    let mut append = Append { lines: lines(&play), ..Append::default() };
    append.key = Some(AppendKey { key: number.to_string(), digest: fingerprint(&append) });
    append
}

/// Says line after line until the disk refuses one, and returns its number.
/// Brings trouble and speaks until it is felt. A write that fails while SQLite moves the journal into the file is felt by
/// nobody, because that is tried again; then the same trouble comes once more.
fn say_until_refused(
    stage: &Stage<'_>,
    mut number: usize,
    trouble: impl Fn(),
) -> (usize, reverie_core::Error) {
    let room = stage.set(&["甲", "乙"]);
    for _ in 0..20 {
        trouble();
        for _ in 0..200 {
            match stage.append(&room, &keyed(number)) {
                Ok(_) => number += 1,
                Err(error) => return (number, error),
            }
        }
    }
    panic!("no write was refused");
}

fn check_lines(stage: &Stage<'_>, count: usize) {
    let told = stage.lines(&stage.set(&["甲", "乙"]), Default::default());
    let numbers: Vec<usize> =
        told.iter().map(|line| line.wording.content.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
}

fn check_file(bench: Bench) {
    let Bench { _folder, path, store, .. } = bench;
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_full_disk_is_said_clearly_and_service_goes_on_when_there_is_room() {
    let bench = bench("full");
    let stage = Stage::new(&bench.store);
    let mut next = 0;
    for room in [0, 1, 4095, 5000, 20_000, 100_000, 300_000] {
        let (refused, error) = say_until_refused(&stage, next, || bench.disk.leave_room(room));
        assert_eq!(error.code(), Code::Unavailable, "{error}");
        assert!(error.message().contains("full"), "{error}");
        assert!(error.hint_text().unwrap().contains("space"), "{error:?}");
        check_lines(&stage, refused);
        bench.disk.repair();
        // The same request works again, in the same open store.
        let again = stage.append(&stage.set(&["甲", "乙"]), &keyed(refused)).unwrap();
        assert!(!again.replayed);
        next = refused + 1;
        check_lines(&stage, next);
    }
    check_file(bench);
}

#[test]
fn a_write_that_fails_fails_alone() {
    let bench = bench("writes");
    let stage = Stage::new(&bench.store);
    let mut next = 0;
    for good in 0..60 {
        next = fail_and_go_on(&bench, &stage, next, || bench.disk.fail_writes(good, 1 + good % 3));
    }
    check_file(bench);
}

#[test]
fn a_sync_that_fails_fails_alone() {
    let bench = bench("syncs");
    let stage = Stage::new(&bench.store);
    let mut next = 0;
    for good in 0..40 {
        next = fail_and_go_on(&bench, &stage, next, || bench.disk.fail_syncs(good, 1 + good % 3));
    }
    check_file(bench);
}

/// A retry with the same key settles what a failed sync leaves open.
fn fail_and_go_on(bench: &Bench, stage: &Stage<'_>, from: usize, trouble: impl Fn()) -> usize {
    let (refused, error) = say_until_refused(stage, from, trouble);
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.hint_text().unwrap().contains("disk"), "{error:?}");
    let told = stage.lines(&stage.set(&["甲", "乙"]), Default::default()).len();
    assert!(told == refused, "{told} lines are there, {refused} were acknowledged");
    bench.disk.repair();
    stage.append(&stage.set(&["甲", "乙"]), &keyed(refused)).unwrap();
    check_lines(stage, refused + 1);
    refused + 1
}

#[test]
fn many_writers_on_a_failing_disk() {
    let bench = bench("crowd");
    let stage = Stage::new(&bench.store);
    let rooms: Vec<_> = (0..4u64).map(|writer| (writer, stage.set(&[&format!("甲{writer}")]))).collect();
    std::thread::scope(|scope| {
        for (writer, room) in &rooms {
            let (stage, disk) = (&stage, &bench.disk);
            scope.spawn(move || {
                for number in 0..60u64 {
                    if number % 10 == *writer {
                        disk.fail_writes(number % 7, 2);
                        disk.fail_syncs(number % 5, 1);
                        disk.leave_room(number * 3000);
                    }
                    let mut append =
                        Append { lines: lines(&format!("甲{writer}: {number}")), ..Append::default() };
                    append.key = Some(AppendKey { key: number.to_string(), digest: fingerprint(&append) });
                    while let Err(error) = stage.append(room, &append) {
                        assert_eq!(error.code(), Code::Unavailable, "{error}");
                        disk.repair();
                    }
                }
            });
        }
    });
    bench.disk.repair();
    for (writer, room) in &rooms {
        let expected: Vec<String> = (0..60).map(|number| format!("甲{writer}: {number}")).collect();
        assert_eq!(stage.path(room), expected.join(" | "));
    }
    check_file(bench);
}

#[test]
fn whatever_fails_is_undone_as_a_whole() {
    let bench = bench("whole");
    let stage = Stage::new(&bench.store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let line = stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
    stage.save("s");
    stage.edit(line, "叁");
    let records = stage.export(None);
    let before = stage.export(None);
    let copy = WorldId::new("写し").unwrap();
    for good in 0..40 {
        bench.disk.fail_syncs(0, u64::MAX);
        bench.disk.fail_writes(good, u64::MAX);
        let store = &bench.store;
        let results = [
            store.restore(&stage.world, &reverie_testkit::store_suite::stage::save_id("s")).map(drop),
            store.erase(&stage.world, &Erase::Line(line)),
            store.import(&copy, &mut records.clone().into_iter().map(Ok)).map(drop),
            store.erase(&stage.world, &Erase::World),
        ];
        for result in results {
            assert_eq!(result.unwrap_err().code(), Code::Unavailable);
        }
        bench.disk.repair();
        assert_eq!(stage.export(None), before);
        assert_eq!(store.worlds(&Default::default()).unwrap().len(), 1);
    }
    stage.load("s");
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二 | 甲: 三");
    check_file(bench);
}

#[test]
fn a_file_that_cannot_be_written_can_be_read() {
    let bench = bench("locked");
    let stage = Stage::new(&bench.store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let Bench { _folder, path, disk, store } = bench;
    drop(store);
    disk.forbid_writing();
    let store = open(&path, "locked");
    let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
    let room = store.conversations(&stage.world, &Default::default()).unwrap().pop().unwrap().id;
    assert_eq!(stage.path(&room), "甲: 一");
    let error = stage.append(&room, &keyed(0)).unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains("cannot be written"), "{error}");
    disk.repair();
    stage.append(&room, &keyed(0)).unwrap();
    assert_eq!(stage.lines(&room, Default::default()).len(), 2);
}
