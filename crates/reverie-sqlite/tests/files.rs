//! Is what is damaged, newer or not ours refused with a clear message, and left exactly as it was?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use reverie_core::store::Erase;
use reverie_core::{Code, Error, Memories, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::{Stage, save_id};
use rusqlite::Connection;

const PAGE: usize = 4096;

/// A sound file with something in it, closed.
fn sound(path: &Path) {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    for number in 0..200 {
        let line = stage.say(&room, &format!("甲: 第 {number} 句 {}", "长".repeat(number % 60)));
        if number % 5 == 0 {
            stage.edit(line, "改过");
        }
    }
    stage.save("s");
}

/// Everything in the folder, byte for byte. The -shm is SQLite's scratch pad and holds nothing of value.
fn folder(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(path.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    let kept = files.filter(|file| !file.to_string_lossy().ends_with("-shm"));
    kept.map(|file| (file.file_name().unwrap().to_string_lossy().into_owned(), fs::read(file).unwrap()))
        .collect()
}

#[track_caller]
fn check_refused(what: &str, path: &Path, expected: Code) {
    let before = folder(path);
    let refused = SqliteStore::open(path, Options::default()).err();
    let error = refused.unwrap_or_else(|| panic!("{what}: it was opened"));
    assert_eq!(error.code(), expected, "{what}: {error}");
    assert!(error.message().contains(&path.display().to_string()), "{what}: {error}");
    assert!(error.hint_text().unwrap().contains("--data"), "{what}: {error:?}");
    assert!(folder(path) == before, "{what}: something was touched");
    if path.exists() && !before["reverie.db"].is_empty() {
        assert_eq!(examine(path, &Options::default()).unwrap_err().code(), expected, "{what}: the doctor");
        assert!(folder(path) == before, "{what}: the doctor touched something");
    }
}

fn flip(bytes: &mut [u8], at: std::ops::Range<usize>) {
    bytes[at].iter_mut().for_each(|byte| *byte ^= 0xFF);
}

#[test]
fn a_damaged_file_is_refused_and_left_alone() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 12] = [
        ("text", |bytes| *bytes = b"this is not a database".to_vec()),
        ("a long text", |bytes| *bytes = "这不是数据库。".repeat(5000).into_bytes()),
        ("noise", |bytes| bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = (at * 131 % 251) as u8)),
        ("a flipped magic", |bytes| flip(bytes, 0..16)),
        ("a flipped page size", |bytes| flip(bytes, 16..18)),
        ("a flipped header", |bytes| flip(bytes, 18..100)),
        ("a flipped first page", |bytes| flip(bytes, 100..PAGE)),
        ("a flipped page in the middle", |bytes| flip(bytes, 5 * PAGE..6 * PAGE)),
        ("flipped starts of pages", |bytes| {
            for page in 1..bytes.len() / PAGE {
                flip(bytes, page * PAGE..page * PAGE + 12);
            }
        }),
        ("cut in the header", |bytes| bytes.truncate(50)),
        ("cut in the middle", |bytes| bytes.truncate(bytes.len() / 2 / PAGE * PAGE)),
        ("cut by one byte", |bytes| bytes.truncate(bytes.len() - 1)),
    ];
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    sound(&path);
    let whole = fs::read(&path).unwrap();
    for (what, damage) in damages {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        check_refused(what, &path, Code::Corrupt);
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
    assert_eq!(folder(&path), BTreeMap::from([("reverie.db".to_owned(), whole)]), "the doctor only looks");
}

/// Whatever single page is hit, the file is refused or still sound: never opened and wrong.
#[test]
fn every_page_counts() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    sound(&path);
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    for page in 0..whole.len() / PAGE {
        let mut bytes = whole.clone();
        flip(&mut bytes, page * PAGE..page * PAGE + 8);
        fs::write(&path, &bytes).unwrap();
        match SqliteStore::open(&path, Options::default()) {
            Ok(_) => assert_eq!(examine(&path, &Options::default()).unwrap().findings, [], "page {page}"),
            Err(error) => {
                assert_eq!(error.code(), Code::Corrupt, "page {page}: {error}");
                assert_eq!(fs::read(&path).unwrap(), bytes);
                refused += 1;
            }
        }
    }
    assert!(refused * 10 > whole.len() / PAGE * 8, "only {refused} pages were missed");
}

#[test]
fn a_foreign_or_newer_file_is_refused() {
    let foreign = |path: &Path| {
        let other = Connection::open(path).unwrap();
        other
            .execute_batch(
                "PRAGMA journal_mode = wal; CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')",
            )
            .unwrap();
    };
    let newer = |path: &Path| {
        sound(path);
        Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    };
    let nameless = |path: &Path| {
        sound(path);
        Connection::open(path).unwrap().pragma_update(None, "user_version", 0).unwrap();
    };
    type Make = fn(&Path);
    let cases: [(&str, Make, Code); 3] = [
        ("another program's", foreign, Code::Invalid),
        ("a newer one", newer, Code::Invalid),
        ("one without a version", nameless, Code::Corrupt),
    ];
    for (what, make, expected) in cases {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("reverie.db");
        make(&path);
        check_refused(what, &path, expected);
        // The same with its newest words still in the WAL, as after a crash.
        let crashed = tempfile::tempdir().unwrap();
        let copy = crashed.path().join("reverie.db");
        let open = Connection::open(&path).unwrap();
        open.execute_batch("PRAGMA wal_autocheckpoint = 0; CREATE TABLE newest (word)").unwrap();
        for side in ["", "-wal"] {
            let from = format!("{}{side}", path.display());
            fs::copy(from, format!("{}{side}", copy.display())).unwrap();
        }
        assert!(folder(&copy)["reverie.db-wal"].len() > 32);
        check_refused(&format!("{what}, after a crash"), &copy, expected);
    }
}

#[test]
fn a_lost_file_beside_its_wal_is_not_begun_anew() {
    for is_missing in [true, false] {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("reverie.db");
        fs::write(place.path().join("reverie.db-wal"), vec![7; 5000]).unwrap();
        if !is_missing {
            fs::write(&path, b"").unwrap();
        }
        check_refused("only the WAL is left", &path, Code::Corrupt);
    }
}

/// A sound file that is too large to be checked through when it is opened, closed.
fn large(path: &Path) {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    for batch in 0..24 {
        let play: Vec<String> = (0..500).map(|n| format!("甲: {batch} {n} {}", "长".repeat(150))).collect();
        stage.say(&room, &play.join("\n"));
    }
    // Texts that fill pages of their own, and pages that are free again.
    let long = stage.say(&room, &format!("甲: {}", "很长".repeat(10_000)));
    stage.say(&room, &format!("乙: {}", "很长".repeat(10_000)));
    stage.erase(Erase::Line(long));
    drop(store);
    assert!(fs::metadata(path).unwrap().len() > 5 << 20);
}

#[test]
fn a_large_damaged_file_is_refused_and_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    large(&path);
    let whole = fs::read(&path).unwrap();
    let root = |name: &str| -> usize {
        let connection = Connection::open(&path).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        connection.query_row(sql, [name], |row| row.get(0)).unwrap()
    };
    let roots = ["line", "change", "line_arrival", "world"].map(|name| (name, root(name)));
    let damage = |what: &str, damage: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let error = SqliteStore::open(&path, Options::default()).err();
        let error = error.unwrap_or_else(|| panic!("{what}: it was opened"));
        assert_eq!(error.code(), Code::Corrupt, "{what}: {error}");
        assert!(error.message().contains(&path.display().to_string()), "{what}: {error}");
        assert_eq!(
            folder(&path),
            BTreeMap::from([("reverie.db".to_owned(), bytes)]),
            "{what}: it was touched"
        );
    };
    for (name, root) in roots {
        damage(name, &|bytes| flip(bytes, (root - 1) * PAGE..(root - 1) * PAGE + 12));
    }
    damage("flipped starts of pages", &|bytes| {
        for page in 1..bytes.len() / PAGE {
            flip(bytes, page * PAGE..page * PAGE + 12);
        }
    });
    damage("noise from the middle on", &|bytes| {
        let half = bytes.len() / 2;
        bytes.iter_mut().enumerate().skip(half).for_each(|(at, byte)| *byte = (at * 131 % 251) as u8);
    });
    damage("the list of free pages", &|bytes| {
        let first = u32::from_be_bytes(bytes[32..36].try_into().unwrap()) as usize;
        assert!(first > 0);
        flip(bytes, (first - 1) * PAGE..(first - 1) * PAGE + 12);
    });
    damage("a flipped first page", &|bytes| flip(bytes, 100..PAGE));
    damage("cut by one byte", &|bytes| bytes.truncate(bytes.len() - 1));
    fs::write(&path, &whole).unwrap();
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(store.look_through(&Arc::default()).unwrap());
}

/// Damage where nobody looked at the start is found while others work. Then nothing more is written.
#[test]
fn a_large_file_is_looked_through() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    large(&path);
    let mut bytes = fs::read(&path).unwrap();
    // Leaves of tables, but for a few at both ends of the file.
    let pages = bytes.len() / PAGE;
    let mut leaves = (pages / 4..pages / 2).filter(|page| bytes[page * PAGE] == 13);
    let step = pages / 64;
    let leaf = leaves.find(|page| (page - 1) % step != 0).unwrap();
    flip(&mut bytes, leaf * PAGE..leaf * PAGE + 8);
    fs::write(&path, &bytes).unwrap();
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage { store: &store, world: WorldId::new("世界").unwrap() };
    store.check().unwrap();
    let stopped = Arc::new(true.into());
    assert!(!store.look_through(&stopped).unwrap(), "it stops when it is told to");
    store.check().unwrap();
    for error in [store.look_through(&Arc::default()).unwrap_err(), store.check().unwrap_err()] {
        assert_eq!(error.code(), Code::Corrupt, "{error}");
        assert!(error.hint_text().unwrap().contains("doctor"), "{error:?}");
    }
    let written = store.put_world(&WorldId::new("新").unwrap(), &Default::default(), 0);
    assert_eq!(written.unwrap_err().code(), Code::Corrupt);
    assert_eq!(store.tidy().unwrap_err().code(), Code::Corrupt);
    assert_eq!(stage.view().id, stage.world, "reading goes on");
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was written");
}

/// A text that should be there and is not: nothing is put in its place in silence.
#[test]
fn a_lost_wording_is_told_of() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let line = stage.say(&stage.set(&["甲", "乙"]), "甲: 原话");
    stage.save("s");
    stage.edit(line, "改过");
    Connection::open(&path).unwrap().execute("DELETE FROM line_version", []).unwrap();
    let error = store.restore(&stage.world, &save_id("s")).unwrap_err();
    assert_eq!(error.code(), Code::Corrupt, "{error}");
    assert!(error.hint_text().unwrap().contains("doctor"), "{error:?}");
    assert_eq!(stage.path(&stage.set(&["甲", "乙"])), "甲: 改过");
}

#[test]
fn an_empty_file_is_a_new_one() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    fs::write(&path, b"").unwrap();
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(store.is_new());
    Stage::new(&store);
}

/// A file that lost its last pages only in the part that the WAL has: nothing is lost, and nothing is refused.
#[test]
fn a_crashed_file_is_opened() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 还在");
    let crashed = tempfile::tempdir().unwrap();
    let copy = crashed.path().join("reverie.db");
    for side in ["", "-wal"] {
        fs::copy(format!("{}{side}", path.display()), format!("{}{side}", copy.display())).unwrap();
    }
    assert_eq!(examine(&copy, &Options::default()).unwrap().findings, []);
    let opened = SqliteStore::open(&copy, Options::default()).unwrap();
    assert_eq!(Stage::new(&opened).path(&room), "甲: 还在");
}

/// One that shall not go on leaves nothing behind, and the next one is as good as any.
#[test]
fn a_backup_that_is_given_up_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&place.path().join("reverie.db"), Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    for number in 0..500 {
        stage.say(&room, &format!("甲: {number}"));
    }
    let copy = place.path().join("备份.db");
    let given_up = store.backup_while(&copy, || false).unwrap_err();
    assert_eq!(given_up.code(), Code::Unavailable, "{given_up}");
    assert!(!copy.exists());
    store.backup_while(&copy, || true).unwrap();
    assert_eq!(examine(&copy, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_backup_is_whole_and_overwrites_nothing() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let copy = place.path().join("备份.db");
    std::thread::scope(|scope| {
        let backups: Vec<_> = (0..4).map(|_| scope.spawn(|| store.backup(&copy))).collect();
        for number in 0..50 {
            stage.say(&room, &format!("甲: {number}"));
        }
        let done: Vec<_> = backups.into_iter().map(|backup| backup.join().unwrap()).collect();
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
        let refused = done.iter().filter_map(|done| done.as_ref().err());
        refused.for_each(|error| assert_eq!(error.code(), Code::Conflict, "{error}"));
    });
    assert_eq!(examine(&copy, &Options::default()).unwrap().findings, []);
    let opened = SqliteStore::open(&copy, Options::default()).unwrap();
    assert!(Stage::new(&opened).path(&room).starts_with("甲: 一"));
    let nowhere = store.backup(&place.path().join("没有/备份.db")).unwrap_err();
    assert_eq!(nowhere.code(), Code::Unavailable, "{nowhere}");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_to_write() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    sound(&path);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&path).is_ok() {
        println!(
            "skipped: this user may write everywhere; the same is tested with a disk that refuses, in disk.rs"
        );
        return;
    }
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage { store: &store, world: reverie_core::WorldId::new("世界").unwrap() };
    assert_eq!(stage.view().id, stage.world);
    let open =
        reverie_core::conversation::OpenConversation { name: Some("新".into()), ..Default::default() };
    let error = stage.open(&open).unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    stage.open(&open).unwrap();
}

#[test]
fn what_was_spent_is_known_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let hour = 476_363;
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert_eq!(store.spend(hour, 1200).unwrap(), 1200);
    drop(store);
    let (one, other) = (
        SqliteStore::open(&path, Options::default()).unwrap(),
        SqliteStore::open(&path, Options::default()).unwrap(),
    );
    assert_eq!(
        (one.spend(hour, 300).unwrap(), other.spend(hour, -200).unwrap()),
        (1500, 1300),
        "for all who share it"
    );
}

/// Whatever needs the file is refused with the reason, until it comes; from then on it is the same file for both.
#[test]
fn a_store_may_be_closed_for_now() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("reverie.db");
    sound(&path);
    let store = SqliteStore::closed_for_now();
    let world = WorldId::new("w").unwrap();
    let check_closed = |reason: &str, hint: &str| {
        let refusals = [
            store.worlds(&Default::default()).err(),
            store.counts(&world).err(),
            store.put_world(&world, &Default::default(), 0).err(),
            store.erase(&world, &Erase::World).err(),
            store.backlogs(&Default::default()).err(),
            store.spend(0, 1).err(),
            store.import(&world, &mut std::iter::empty()).err(),
            store.check().err(),
            store.tidy().err(),
            store.backup(&place.path().join("copy.db")).err(),
            store.trouble(),
        ];
        for (number, refused) in refusals.into_iter().enumerate() {
            let error = refused.unwrap_or_else(|| panic!("{reason}: number {number} was answered"));
            let told = (error.code(), error.message(), error.hint_text());
            let expected = format!("memory is off for now: {reason}");
            assert_eq!(told, (Code::Unavailable, expected.as_str(), Some(hint)), "number {number}");
        }
    };
    check_closed("the data file is being opened", "try again in a moment");
    store.stay_closed(Error::new(Code::Corrupt, "it is damaged").hint("restore a backup"));
    check_closed("it is damaged", "restore a backup");
    assert!(!store.is_new() && !place.path().join("copy.db").exists());
    assert_eq!(store.arrive(&SqliteStore::closed_for_now()).unwrap_err().code(), Code::Unavailable);

    let opened = SqliteStore::open(&path, Options::default()).unwrap();
    store.arrive(&opened).unwrap();
    let worlds = opened.worlds(&Default::default()).unwrap();
    assert_eq!((worlds.len(), store.trouble()), (1, None));
    drop(opened);
    assert_eq!(store.worlds(&Default::default()).unwrap(), worlds);
    store.put_world(&WorldId::new("another").unwrap(), &Default::default(), 0).unwrap();
    drop(store);
    assert_eq!(folder(&path).into_keys().collect::<Vec<_>>(), ["reverie.db"], "its last user closed it");
}
