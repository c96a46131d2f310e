//! What happens when the disk is full, or may not be written to? Real file systems, small ones, so root on Linux alone.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::late_data::database;
use crate::run::{Directory, Ended, reverie, run, serve};
use crate::stopping::wait_until;

const WORLD: &str = "/v1/worlds/attic";
const LINES: &str = "/v1/worlds/attic/conversations/pair/lines";

/// A file system of its own, gone with the value.
struct SmallDisk(Directory);

impl SmallDisk {
    /// None where this user may not mount. That is said past the test's captured output, where `cargo xtask test` counts it:
    /// a test that did nothing must not pass for one that passed.
    fn mount(size: &str) -> Option<Self> {
        let directory = Directory::new();
        let options = format!("size={size}");
        if mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], directory.path()) {
            return Some(Self(directory));
        }
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let mut past_the_capture = std::io::stderr();
        writeln!(past_the_capture, "skipped: {test}: a file system of {size} cannot be mounted here")
            .unwrap();
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn make_read_only(&self) {
        assert!(mount(&["-o", "remount,ro"], self.path()));
    }

    /// Takes all the space that is left.
    fn fill(&self) {
        let mut ballast = std::fs::File::create(self.path().join("ballast")).unwrap();
        let piece = [0; 512];
        while ballast.write_all(&piece).is_ok() {}
    }

    fn free(&self) {
        std::fs::remove_file(self.path().join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: whoever still has it open, a failed test's server say, does not keep it here.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], on: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(on).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn line(number: usize) -> Value {
    let content = format!("number {number} {}", "x".repeat(4000));
    let line = json!({"speaker": "ann", "attribute": "assistant", "content": content});
    json!({"key": format!("key-{number}"), "lines": [line]})
}

fn prepare(caller: &mut Caller) {
    caller.call(&format!("PUT {WORLD}"), json!({}));
    caller.call(&format!("POST {WORLD}/conversations"), json!({"id": "pair", "participants": ["ann", "bo"]}));
}

#[test]
fn a_full_disk_refuses_lines_keeps_reading_and_recovers() {
    let Some(disk) = SmallDisk::mount("3m") else { return };
    let server = serve(&["--data", disk.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    prepare(&mut caller);
    let mut acknowledged = Vec::new();
    let mut refused = Vec::new();
    let mut number = 0;
    for _ in 0..3 {
        for _ in 0..5 {
            acknowledged.push(number);
            caller.call(&format!("POST {LINES}"), line(number));
            number += 1;
        }
        disk.fill();
        // What is reserved already takes a few more.
        let mut in_a_row = 0;
        while in_a_row < 3 {
            let reply = caller.send(&format!("POST {LINES}"), &line(number));
            if reply.status == 201 {
                acknowledged.push(number);
                in_a_row = 0;
            } else {
                assert_eq!(reply.status, 503, "{}", reply.body);
                // After a few that failed the disk is left alone for a moment, and the reason is said all the same.
                let is_tried = reply.error()
                    == "unavailable: the disk is full: nothing was recorded (free some space; the same request works \
                        again as soon as there is room)";
                let is_spared = reply.error().starts_with(
                    "unavailable: database failed and is left alone for a while: the disk is full: nothing was \
                     recorded (it is tried again by itself in ",
                );
                assert!(is_tried || is_spared, "{}", reply.body);
                assert!(reply.header("retry-after").is_some());
                refused.push(number);
                in_a_row += 1;
            }
            number += 1;
        }
        check(&mut caller, &acknowledged);
        let newest = format!("number {} ", acknowledged.last().unwrap());
        assert!(caller.recall(WORLD, "bo", "pair").contains(&newest));
        // A tiny write may still fit and pass for recovery; the next ones tell better.
        wait_until(|| {
            for number in &refused {
                assert_eq!(caller.send(&format!("POST {LINES}"), &line(*number)).status, 503);
            }
            let health = caller.get("/health");
            let cue = json!({"character": "bo", "conversation": "pair"});
            let degraded = caller.call(&format!("POST {WORLD}/recall"), cue)["degraded"].to_string();
            health["status"] == "degraded"
                && database(&health)["state"] != "closed"
                && degraded.contains("memory_read_only")
                && degraded.contains("the disk is full")
        });
        let described = json!({"persona": "y".repeat(5000)});
        assert_eq!(caller.send(&format!("PUT {WORLD}/characters/bo"), &described).status, 503);
        disk.free();
        // Nobody writes, and still it is noticed that there is room.
        wait_until(|| database(&caller.get("/health"))["state"] == "closed");
        // The same requests again, to the same server.
        for number in refused.drain(..) {
            let reply = caller.send(&format!("POST {LINES}"), &line(number));
            assert_eq!(reply.status, 201, "{}", reply.body);
            assert_eq!(reply.json()["replayed"], false);
            acknowledged.push(number);
        }
        check(&mut caller, &acknowledged);
    }
    check_quiet(&server.log(), &["attic", "ann", "number", "key-"]);
    drop(server);
    assert_eq!(doctor(disk.path()).json()["findings"], json!([]));
    let server = serve(&["--data", disk.path().to_str().unwrap()], &[]);
    check(&mut Caller::new(&server), &acknowledged);
}

/// Everything acknowledged, in the order of acknowledgement, and nothing else.
fn check(caller: &mut Caller, acknowledged: &[usize]) {
    let lines = caller.lines(LINES.trim_end_matches("/lines"));
    let number = |line: &Value| -> usize {
        line["content"].as_str().unwrap().split(' ').nth(1).unwrap().parse().unwrap()
    };
    assert_eq!(lines.iter().map(number).collect::<Vec<_>>(), acknowledged);
}

fn doctor(data: &Path) -> Ended {
    run(reverie(&Directory::new()).args(["doctor", "--json", "--data", data.to_str().unwrap()]))
}

#[test]
fn a_disk_too_small_to_begin_on_says_so() {
    let Some(disk) = SmallDisk::mount("64k") else { return };
    let ended = run(reverie(&Directory::new()).args([
        "--listen",
        "127.0.0.1:0",
        "--fail-fast",
        "--data",
        disk.path().to_str().unwrap(),
    ]));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("the disk is full"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_disk_that_gets_larger_or_may_be_written_again_is_noticed() {
    for (size, begin, end, reason) in [
        ("64k", "", "remount,size=3m", "the disk is full"),
        ("3m", "remount,ro", "remount,rw", "check the disk"),
    ] {
        let Some(disk) = SmallDisk::mount(size) else { return };
        if !begin.is_empty() {
            assert!(mount(&["-o", begin], disk.path()));
        }
        let server = serve(&["--data", disk.path().to_str().unwrap()], &[]);
        assert_eq!(server.ready["memory"], "late", "{reason}");
        let mut caller = Caller::new(&server);
        let health = caller.send("GET /health", &Value::Null);
        assert_eq!(health.status, 503);
        assert_ne!(database(&health.json())["state"], "closed", "{}", health.body);
        assert!(mount(&["-o", end], disk.path()));
        wait_until(|| caller.send("GET /health", &Value::Null).status == 200);
        prepare(&mut caller);
        caller.call(&format!("POST {LINES}"), line(1));
    }
}

/// How the server ended that wrote what is now only to be read: at a kill the write-ahead log stays behind.
const ENDS: &[&str] = &["KILL", "TERM"];

#[test]
fn a_disk_that_may_not_be_written_is_refused_and_can_still_be_read() {
    for end in ENDS {
        let Some(disk) = SmallDisk::mount("3m") else { return };
        let data = disk.path().to_str().unwrap();
        let server = serve(&["--data", data], &[]);
        let mut caller = Caller::new(&server);
        prepare(&mut caller);
        caller.call(&format!("POST {LINES}"), line(7));
        crate::signals::signal(&server, end);
        server.wait();
        disk.make_read_only();
        check_refused(disk.path(), "cannot be written");
        // Somebody who wants the words out of it gets them.
        let elsewhere = Directory::new();
        let copy = elsewhere.path().join("copy.db");
        let backup = ["backup", copy.to_str().unwrap()];
        for (arguments, expected) in [
            (["doctor", "--json"], "\"findings\":[]"),
            (["export", "attic"], "number 7 "),
            (backup, "backed up to"),
        ] {
            let ended = run(reverie(&elsewhere).args(arguments).args(["--data", data]));
            assert_eq!(ended.code, Some(0), "{end}, {arguments:?}: {}{}", ended.stdout, ended.stderr);
            assert!(ended.stdout.contains(expected), "{end}, {arguments:?}: {}", ended.stdout);
        }
        std::fs::rename(copy, elsewhere.path().join("reverie.db")).unwrap();
        assert_eq!(doctor(elsewhere.path()).json()["lines"], doctor(disk.path()).json()["lines"]);
    }
}

#[test]
fn an_empty_folder_that_may_not_be_written_is_refused() {
    let Some(disk) = SmallDisk::mount("1m") else { return };
    disk.make_read_only();
    check_refused(disk.path(), "check the disk, the folder and its permissions");
}

fn check_refused(data: &Path, why: &str) {
    let serve = || {
        let mut command = reverie(&Directory::new());
        command
            .current_dir("/")
            .args(["serve", "--fail-fast", "--listen", "127.0.0.1:0", "--data"])
            .arg(data);
        command
    };
    let ended = run(&mut serve());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains("hint: "), "{}", ended.stderr);
    assert!(ended.stderr.contains(data.to_str().unwrap()), "{}", ended.stderr);
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
    assert_eq!(run(serve().arg("--json")).json()["error"]["code"], "unavailable");
}
