//! What is refused as a data file, is it left alone, and what does the doctor say about one that is broken inside?

use std::collections::BTreeMap;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::client::{PATIENCE, get};
use crate::run::{Directory, reverie, run, serve_with};
use crate::stopping::wait_until;

/// A folder whose server has ended as it should: everything is in the one file.
fn finished_folder() -> Directory {
    let data = Directory::new();
    let flags = ["--data", data.path().to_str().unwrap(), "--exit-with-parent"];
    let mut server = serve_with(&flags, &[], Stdio::piped());
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/attic", Value::Null);
    caller.call("POST /v1/worlds/attic/conversations", json!({"id": "pair", "participants": ["ann", "bo"]}));
    let lines: Vec<Value> = (0..40)
        .map(|number| json!({"speaker": "ann", "attribute": "assistant", "content": format!("{number} ").repeat(200)}))
        .collect();
    caller.call("POST /v1/worlds/attic/conversations/pair/lines", json!({"lines": lines}));
    drop(server.child.stdin.take());
    assert!(server.wait().0.success());
    assert_eq!(files(&data).keys().collect::<Vec<_>>(), ["reverie.db"]);
    data
}

fn files(folder: &Directory) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

type Harm = fn(&mut Vec<u8>);

/// What happened to the file, what the message says, and the error's code.
const HARMS: &[(&str, Harm, &str, &str)] = &[
    (
        "overwritten by another program",
        |file| *file = b"Dear diary, ".repeat(50),
        "it is not an SQLite file",
        "corrupt",
    ),
    ("cut off after a few bytes", |file| file.truncate(60), "it is not an SQLite file", "corrupt"),
    ("cut in half", |file| file.truncate(file.len() / 8192 * 4096), "it has been cut short", "corrupt"),
    ("scribbled over in the middle", |file| scribble(file, 8192..40960), "is damaged", "corrupt"),
    ("its first page gone", |file| scribble(file, 100..4096), "is damaged", "corrupt"),
    ("another program's own", |file| file[68..72].copy_from_slice(b"Othr"), "of another program", "invalid"),
    ("from the future", |file| file[60..64].copy_from_slice(&[0, 0, 0, 99]), "by a newer Reverie", "invalid"),
];

fn scribble(file: &mut [u8], place: std::ops::Range<usize>) {
    file[place].fill(0xA5);
}

#[test]
fn a_damaged_file_is_refused_and_left_as_it_is() {
    let data = finished_folder();
    let whole = files(&data).remove("reverie.db").unwrap();
    let elsewhere = Directory::new();
    elsewhere.write("lines.json", r#"[{"attribute":"user","content":"a","speaker":"ann"}]"#);
    for (harm, apply, message, code) in HARMS {
        let mut bytes = whole.clone();
        apply(&mut bytes);
        std::fs::write(data.path().join("reverie.db"), &bytes).unwrap();
        for arguments in [
            vec!["serve", "--listen", "127.0.0.1:0", "--fail-fast"],
            vec!["doctor"],
            vec!["export", "attic"],
            vec!["backup", "copy.db"],
            vec!["import", "lines.json"],
        ] {
            let command = || {
                let mut command = reverie(&elsewhere);
                command.args(&arguments).arg("--data").arg(data.path());
                command
            };
            let ended = run(&mut command());
            assert_eq!(ended.code, Some(1), "{harm}, {arguments:?}: {}{}", ended.stdout, ended.stderr);
            assert!(ended.stderr.contains(message), "{harm}, {arguments:?}: {}", ended.stderr);
            assert!(ended.stderr.contains("hint: "), "{harm}, {arguments:?}: {}", ended.stderr);
            assert_eq!(ended.stdout, "");
            assert_eq!(run(command().arg("--json")).json()["error"]["code"], *code, "{harm}, {arguments:?}");
            let after = files(&data);
            // SQLite may leave an empty log behind where it only looked.
            assert!(after.get("reverie.db-wal").is_none_or(Vec::is_empty), "{harm}, {arguments:?}");
            assert!(after["reverie.db"] == bytes, "{harm}, {arguments:?}: the file has changed");
        }
        assert!(!elsewhere.path().join("copy.db").exists(), "{harm}");
    }
    std::fs::write(data.path().join("reverie.db"), &whole).unwrap();
    assert_eq!(run(reverie(&data).args(["doctor", "--data", "."])).code, Some(0));
}

/// A file is born with a rollback journal, before it is switched to a write-ahead log. Whoever is killed in that moment
/// leaves a journal that must be played back, which takes the right to write.
#[test]
fn a_journal_left_behind_is_played_back() {
    let (home, killed) = (finished_folder(), Directory::new());
    let writer = rusqlite::Connection::open(home.path().join("reverie.db")).unwrap();
    writer.pragma_update(None, "journal_mode", "delete").unwrap();
    // So small that the transaction reaches the file before its end.
    writer.pragma_update(None, "cache_size", 1).unwrap();
    writer.execute_batch("BEGIN; UPDATE line SET content = content || 'half done'").unwrap();
    for file in ["reverie.db", "reverie.db-journal"] {
        std::fs::copy(home.path().join(file), killed.path().join(file)).unwrap();
    }
    drop(writer);
    let ended = run(reverie(&killed).args(["export", "attic", "--data", "."]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("39 39") && !ended.stdout.contains("half done"));
    assert_eq!(run(reverie(&killed).args(["doctor", "--data", "."])).code, Some(0));
}

#[test]
fn the_doctor_tells_what_is_broken_inside_in_one_document() {
    let data = finished_folder();
    let file = rusqlite::Connection::open(data.path().join("reverie.db")).unwrap();
    file.execute("UPDATE conversation SET head = 3 WHERE id = 'pair'", []).unwrap();
    file.execute("UPDATE line SET parent = id & 1099511627775 WHERE (id & 1099511627775) = 7", []).unwrap();
    drop(file);
    let ended = run(reverie(&data).args(["doctor", "--data", "."]));
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("broken: a parent comes before its child"), "{}", ended.stdout);
    assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
    let ended = run(reverie(&data).args(["doctor", "--data", ".", "--json"]));
    assert_eq!(ended.code, Some(1));
    let json = ended.json();
    assert_eq!(json["error"]["code"], "corrupt");
    assert!(json["findings"].as_array().unwrap().len() >= 2, "{json}");
}

/// Too large to be checked at the start: the server finds the damage soon after, says so, and writes nothing more.
#[test]
fn damage_in_a_large_file_is_found_while_it_serves() {
    let data = Directory::new();
    let flags = ["--data", data.path().to_str().unwrap(), "--exit-with-parent"];
    let mut server = serve_with(&flags, &[], Stdio::piped());
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/attic", Value::Null);
    caller.call("POST /v1/worlds/attic/conversations", json!({"id": "pair", "participants": ["ann", "bo"]}));
    for _ in 0..12 {
        let line = json!({"speaker": "ann", "attribute": "assistant", "content": "dust ".repeat(120)});
        caller.call("POST /v1/worlds/attic/conversations/pair/lines", json!({"lines": vec![line; 1000]}));
    }
    drop(server.child.stdin.take());
    assert!(server.wait().0.success());
    let file = data.path().join("reverie.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let pages = bytes.len() / 4096;
    assert!(bytes.len() > 5 << 20);
    // The leaf of a table that is not among the few that are looked at when the file is opened.
    let is_unseen_leaf = |page: &usize| bytes[page * 4096] == 13 && !(page - 1).is_multiple_of(pages / 64);
    let page = (pages / 4..pages / 2).find(is_unseen_leaf).unwrap();
    scribble(&mut bytes, page * 4096..page * 4096 + 8);
    std::fs::write(&file, &bytes).unwrap();
    // The digest would meet the damage before whoever looks for it.
    let server = serve_with(&[&flags[..], &["--digest-worker", "off"]].concat(), &[], Stdio::piped());
    let start = std::time::Instant::now();
    let health = loop {
        let health = get(server.address, "/health");
        if health.status != 200 || start.elapsed() > PATIENCE {
            break health;
        }
    };
    assert_eq!(health.status, 503, "{}", health.body);
    assert!(health.error().contains("the data file is damaged"), "{}", health.error());
    let mut caller = Caller::new(&server);
    let refused = caller.send("PUT /v1/worlds/cellar", &Value::Null);
    assert!(
        refused.error().starts_with("corrupt: ") && refused.error().contains("doctor"),
        "{}",
        refused.error()
    );
    assert_eq!(caller.send("GET /v1/worlds/attic", &Value::Null).status, 200, "reading goes on");
    // Refused at once, logged a moment later.
    wait_until(|| server.log().contains("ERROR"));
}
