//! After a crash, is every acknowledged line there, once, in order, and is the tree intact?
//!
//! A child process writes with several threads and says what was acknowledged; then its power goes, or it is aborted.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use reverie_core::conversation::{Append, WhichLines};
use reverie_core::store::Erase;
use reverie_core::{Line, LineId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::faulty_disk::{Disk, register};
use reverie_testkit::store_suite::stage::{Stage, lines};

const WRITERS: u64 = 4;
const ROUNDS: u64 = 24;
/// Where the child finds its file, and how it ends.
const CHILD: &str = "REVERIE_CRASH_TEST";

#[test]
fn acknowledged_lines_survive_a_power_cut() {
    survive("power", ROUNDS);
}

#[test]
fn acknowledged_lines_survive_an_abort() {
    survive("abort", ROUNDS / 2);
}

fn survive(how: &str, rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let mut acknowledged: Vec<(String, LineId)> = Vec::new();
    for round in 0..rounds {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture"])
            .env(CHILD, format!("{how} {round} {}", path.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .output()
            .unwrap();
        assert!(!child.status.success(), "the child was to die");
        let said = String::from_utf8(child.stdout).unwrap();
        // The last line may have been cut off in the middle of saying it.
        let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
        for line in whole.lines().filter_map(|line| line.strip_prefix("ack ")) {
            let (number, text) = line.split_once(' ').unwrap();
            acknowledged.push((text.to_owned(), LineId::parse(number).unwrap()));
        }
        check(&path, round, &acknowledged);
    }
    assert!(acknowledged.len() as u64 > rounds * 10, "only {} lines in all", acknowledged.len());
}

fn check(path: &Path, round: u64, acknowledged: &[(String, LineId)]) {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let mut found: Vec<Line> = Vec::new();
    for writer in 0..WRITERS {
        let path = stage.lines(&stage.set(&[&format!("甲{writer}"), "乙"]), WhichLines::Path);
        let parents: Vec<_> = path.iter().map(|line| line.parent).collect();
        let before: Vec<_> = std::iter::once(None).chain(path.iter().map(|line| Some(line.id))).collect();
        assert_eq!(parents, before[..path.len()], "round {round}: the path is one line behind the other");
        let numbers: Vec<u64> = path.iter().map(|line| number_in(&line.wording.content)).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "round {round}: once and in order: {numbers:?}");
        found.extend(path);
    }
    found.extend(stage.lines(&stage.scene("酒馆", &[]), WhichLines::Tree));
    for (text, id) in acknowledged {
        let lines: Vec<&Line> = found.iter().filter(|line| line.wording.content == *text).collect();
        assert_eq!(lines.iter().map(|line| line.id).collect::<Vec<_>>(), [*id], "round {round}: {text}");
    }
    drop(store);
    assert_eq!(examine(path, &Options::default()).unwrap().findings, [], "round {round}");
}

/// `第 123 句` → 123
fn number_in(content: &str) -> u64 {
    content.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Not a test of its own: what the others start as another process.
#[test]
fn child() {
    #[expect(clippy::disallowed_methods, reason = "the one way to speak to this process before it starts")]
    let Ok(told) = std::env::var(CHILD) else { return };
    let mut told = told.splitn(3, ' ');
    let (how, round, path) = (told.next().unwrap(), told.next().unwrap(), told.next().unwrap());
    let round: u64 = round.parse().unwrap();
    let is_power_cut = how == "power";
    let disk = register("losing");
    let vfs = is_power_cut.then(|| "losing".to_owned());
    let store = SqliteStore::open(Path::new(path), Options { vfs, ..Options::default() }).unwrap();
    // Another moment in every round, the first of them before anything is written.
    let last = if round == 0 { 1 } else { round.wrapping_mul(0x9E37_79B9) % 120 + 5 };
    let count = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (store, disk, count) = (&store, &disk, &count);
            scope.spawn(move || write(store, disk, writer, round, count, last, is_power_cut));
        }
    });
}

fn write(
    store: &SqliteStore,
    disk: &Disk,
    writer: u64,
    round: u64,
    count: &AtomicU64,
    last: u64,
    is_power_cut: bool,
) {
    let stage = Stage::new(store);
    let (own, shared) = (stage.set(&[&format!("甲{writer}"), "乙"]), stage.scene("酒馆", &[]));
    for number in 1.. {
        let long = "长".repeat((number as usize * 97) % 3000);
        let text = format!("第 {} 句，{writer} 说{long}", round * 1_000_000 + number);
        let room = if number % 5 == 0 { &shared } else { &own };
        let said = Append { lines: lines(&format!("甲{writer}: {text}")), ..Append::default() };
        let line = stage.append(room, &said).unwrap().lines[0].id;
        // Said only when it is acknowledged; a crash may come before, between and after.
        let mut out = std::io::stdout().lock();
        writeln!(out, "ack {line} {text}").unwrap();
        out.flush().unwrap();
        drop(out);
        if number % 7 == 0 {
            stage.present(&shared, &[&format!("甲{writer}"), "丙"]);
        }
        if number % 7 == 3 {
            let gone = stage.say(&shared, &format!("甲{writer}: 第 0 句"));
            stage.hide(gone, true);
            stage.erase(Erase::Line(gone));
        }
        if count.fetch_add(1, Ordering::SeqCst) + 1 == last {
            if is_power_cut {
                disk.lose_power(round * 7919 + 13);
            }
            std::process::abort();
        }
    }
}
