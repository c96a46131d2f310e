//! Two stores, and two processes, on one file at once: no lost writes, no lock to be seen, and each sees what the other did.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reverie_core::conversation::{Append, HeadTarget};
use reverie_core::store::Erase;
use reverie_core::{ConversationId, LineId, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::{Stage, id, lines, shown};

/// Where the other process finds the file.
const OTHER: &str = "REVERIE_SHARING_TEST";
const THREADS: usize = 3;
const LINES: usize = 60;

fn stage(store: &SqliteStore) -> Stage<'_> {
    Stage { store, world: WorldId::new("世界").unwrap() }
}

/// Another process that does what it is told, line by line, and answers in lines.
struct Other(Child, BufReader<std::process::ChildStdout>);

impl Other {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "other_process", "--nocapture"])
            .env(OTHER, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self(child, out)
    }

    fn tell(&mut self, order: &str) {
        writeln!(self.0.stdin.as_mut().unwrap(), "{order}").unwrap();
    }

    fn answer(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.1.read_line(&mut line).unwrap(), 0, "the other process has ended");
            // The test harness says things of its own.
            if let Some(answer) = line.trim_end_matches('\n').strip_prefix("> ") {
                return answer.to_owned();
            }
        }
    }

    fn ask(&mut self, order: &str) -> String {
        self.tell(order);
        self.answer()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Not a test of its own: what the others start as another process.
#[test]
fn other_process() {
    #[expect(clippy::disallowed_methods, reason = "the one way to speak to this process before it starts")]
    let Ok(path) = std::env::var(OTHER) else { return };
    let store = SqliteStore::open(Path::new(&path), Options::default()).unwrap();
    let answer = |text: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "> {text}").unwrap();
        out.flush().unwrap();
    };
    answer("ready");
    for order in std::io::stdin().lines() {
        let order = order.unwrap();
        let (verb, rest) = order.split_once(' ').unwrap_or((&order, ""));
        let room = || ConversationId::new(rest).unwrap();
        match verb {
            "write" => {
                write_much(&store, rest);
                answer("written");
            }
            "path" => answer(&stage(&store).path(&room())),
            "history" => {
                let people: Vec<&str> = rest.split(' ').collect();
                answer(&shown(&stage(&store).history(&people, people.first().copied()).primary));
            }
            "names" => answer(&stage(&store).names()),
            "load" => {
                stage(&store).load(rest);
                answer("loaded");
            }
            "erase" => {
                stage(&store).erase(Erase::Line(LineId::parse(rest).unwrap()));
                answer("erased");
            }
            _ => panic!("what is {verb}?"),
        }
    }
}

/// Several threads, each into a room of its own and all into one, with edits in between.
fn write_much(store: &SqliteStore, who: &str) {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                let stage = stage(store);
                let own = stage.set(&[&format!("{who}{thread}"), "乙"]);
                let shared = stage.scene("酒馆", &[]);
                for number in 0..LINES {
                    let line = stage.say(&own, &format!("{who}{thread}: {number}"));
                    if number % 6 == 0 {
                        stage.edit(line, &format!("{number}!"));
                        stage.say(&shared, &format!("{who}{thread}: {number}"));
                    }
                }
            });
        }
    });
}

fn check_all_there(stage: &Stage<'_>, writers: &[&str]) {
    let told =
        |number: usize| if number.is_multiple_of(6) { format!("{number}!") } else { number.to_string() };
    let together = stage.lines(&stage.scene("酒馆", &[]), Default::default());
    assert_eq!(together.len(), writers.len() * THREADS * LINES.div_ceil(6));
    for who in writers {
        for thread in 0..THREADS {
            let name = format!("{who}{thread}");
            let expected: Vec<String> =
                (0..LINES).map(|number| format!("{name}: {}", told(number))).collect();
            assert_eq!(stage.path(&stage.set(&[&name, "乙"])), expected.join(" | "));
            let own: Vec<_> =
                together.iter().filter(|line| line.speaker == Some(id(&name))).cloned().collect();
            let expected: Vec<String> =
                (0..LINES).step_by(6).map(|number| format!("{name}: {number}")).collect();
            assert_eq!(shown(&own), expected.join(" | "), "in order in the common room, too");
        }
    }
}

#[test]
fn two_stores_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let (one, two) = (open(&path), open(&path));
    Stage::new(&one);
    std::thread::scope(|scope| {
        scope.spawn(|| write_much(&one, "甲"));
        scope.spawn(|| write_much(&two, "丙"));
    });
    check_all_there(&stage(&one), &["甲", "丙"]);
    check_all_there(&stage(&two), &["甲", "丙"]);
    drop((one, two));
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Options::default()).unwrap()
}

#[test]
fn two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    Stage::new(&store);
    let mut other = Other::start(&path);
    assert_eq!(other.answer(), "ready");
    other.tell("write 丙");
    write_much(&store, "甲");
    assert_eq!(other.answer(), "written");
    check_all_there(&stage(&store), &["甲", "丙"]);
    drop((store, other));
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn each_process_sees_what_the_other_did_at_its_next_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let mut other = Other::start(&path);
    assert_eq!(other.answer(), "ready");
    let room = stage.set(&["甲", "乙"]);
    let ask = format!("path {room}");
    let one = stage.say(&room, "甲: 一");
    assert_eq!(other.ask(&ask), "甲: 一");
    stage.save("s");
    let two = stage.say(&room, "乙: 二");
    stage.edit(one, "壹");
    assert_eq!(other.ask(&ask), "甲: 壹 | 乙: 二");
    assert_eq!(other.ask("history 甲 乙"), "甲: 壹 | 乙: 二");
    stage.load("s");
    assert_eq!(other.ask(&ask), "甲: 一");
    stage.head(&room, HeadTarget::Line(two));
    assert_eq!(other.ask("history 乙 甲"), "甲: 一 | 乙: 二");
    stage.erase(Erase::Line(one));
    assert_eq!(other.ask(&ask), "乙: 二");
    stage.hide(two, true);
    assert_eq!(other.ask("history 乙 甲"), "");
    stage.hide(two, false);
    stage.say(&room, "甲: 三");
    stage.save("t");
    assert_eq!(other.ask(&format!("erase {two}")), "erased");
    assert_eq!(stage.path(&room), "甲: 三");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(other.ask("load t"), "loaded");
    assert_eq!(stage.path(&room), "甲: 三");
    stage.erase(Erase::Character(id("甲")));
    assert_eq!(other.ask("names"), "乙");
}

/// Many processes begin at once on a file that is not there yet.
#[test]
fn a_race_to_create_the_file() {
    for _ in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reverie.db");
        let mut others: Vec<Other> = (0..4).map(|_| Other::start(&path)).collect();
        for other in &mut others {
            assert_eq!(other.answer(), "ready");
        }
        let store = open(&path);
        Stage::new(&store);
        for other in &mut others {
            assert_eq!(other.ask("names"), "");
        }
    }
}

/// Closing one store must not take the other one's locks away.
#[test]
fn a_second_store_comes_and_goes_while_another_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    let mut other = Other::start(&path);
    assert_eq!(other.answer(), "ready");
    other.tell("write 丙");
    for number in 0..30 {
        stage.append(&room, &Append { lines: lines(&format!("甲: {number}")), ..Append::default() }).unwrap();
        drop(open(&path));
        assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
    }
    assert_eq!(other.answer(), "written");
    drop(other);
    let expected: Vec<String> = (0..30).map(|number| format!("甲: {number}")).collect();
    assert_eq!(stage.path(&room), expected.join(" | "));
    check_all_there(&stage, &["丙"]);
}
