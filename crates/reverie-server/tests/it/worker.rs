//! Does the server remember by itself, does it say so, and does it stop when told to?

use std::process::Stdio;
use std::time::Instant;

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::client::{PATIENCE, metric};
use crate::run::{Directory, reverie, run, serve, serve_with};

/// Asks until the answer is as wanted. A server that never gets there fails the test.
pub(crate) fn until(caller: &mut Caller, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let answer = caller.get(path);
        if wanted(&answer) {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{path} stays {answer}");
        std::thread::yield_now();
    }
}

pub(crate) fn furnish(caller: &mut Caller, world: &str) {
    caller.call(&format!("PUT /v1/worlds/{world}"), json!({}));
    let room = json!({"id": "yard", "participants": ["ann", "bob"]});
    caller.call(&format!("POST /v1/worlds/{world}/conversations"), room);
}

pub(crate) fn talk(caller: &mut Caller, world: &str, content: &str) -> String {
    let round = caller.call(&format!("POST /v1/worlds/{world}/conversations/yard/rounds"), json!({}));
    let round = round["id"].as_str().unwrap().to_owned();
    let line =
        json!({"lines": [{"speaker": "ann", "attribute": "user", "content": content, "round": round}]});
    caller.call(&format!("POST /v1/worlds/{world}/conversations/yard/lines"), line);
    round
}

#[test]
fn a_completed_round_is_remembered_by_itself() {
    let server = serve(&["--log-level", "info"], &[]);
    let mut caller = Caller::new(&server);
    furnish(&mut caller, "quiet-world");
    for turn in 1..=3 {
        let round = talk(&mut caller, "quiet-world", &format!("secret sentence {turn}"));
        caller.call(&format!("POST /v1/worlds/quiet-world/rounds/{round}/complete"), json!({}));
    }
    let memories = until(&mut caller, "/v1/worlds/quiet-world/characters/bob/memories", |list| {
        list["items"].as_array().is_some_and(|items| items.len() == 3)
    });
    assert!(memories["items"][2]["text"].as_str().unwrap().contains("secret sentence 3"), "{memories}");
    let health = until(&mut caller, "/health", |health| {
        health["digest"]["worker"] == "idle" && health["digest"]["memories"].as_u64() >= Some(3)
    });
    assert_eq!(health["status"], "ok");
    assert_eq!(health["digest"]["failing_worlds"], 0);
    assert!(health["digest"]["last_run"].as_str().is_some_and(|time| time.ends_with('Z')), "{health}");
    assert!(metric(server.address, "reverie_digest_memories_total") >= 3);
    assert_eq!(metric(server.address, "reverie_digest_failures_total"), 0);
    check_quiet(&server.log(), &["quiet-world", "secret", "yard", "ann"]);
}

/// What another program wrote, and what was left when a server ended, is found without any request.
#[test]
fn what_was_left_is_found_at_the_start() {
    let data = Directory::new();
    let flags = ["--data", data.path().to_str().unwrap()];
    let off = serve(&[&flags[..], &["--digest-worker", "off"]].concat(), &[]);
    let mut caller = Caller::new(&off);
    furnish(&mut caller, "w");
    let round = talk(&mut caller, "w", "left behind");
    caller.call(&format!("POST /v1/worlds/w/rounds/{round}/complete"), json!({}));
    let health = caller.get("/health");
    assert_eq!((&health["digest"]["worker"], health["digest"].get("last_run")), (&json!("off"), None));
    assert!(health["digest"]["waiting_conversations"].as_u64() >= Some(1), "{health}");
    drop(off);
    let server = serve(&flags, &[]);
    let mut caller = Caller::new(&server);
    until(&mut caller, "/v1/worlds/w/characters/ann/memories", |list| {
        list["items"][0]["sources"] == json!(["1"])
    });
}

/// A server that digests and a command that does: nothing twice, nothing lost.
#[test]
fn a_command_digests_beside_a_server() {
    let data = Directory::new();
    let folder = data.path().to_str().unwrap();
    let server = serve(&["--data", folder], &[]);
    let mut caller = Caller::new(&server);
    furnish(&mut caller, "w");
    const ROUNDS: usize = 20;
    for turn in 0..ROUNDS {
        let round = talk(&mut caller, "w", &format!("turn {turn}"));
        caller.call(&format!("POST /v1/worlds/w/rounds/{round}/complete"), json!({}));
        if turn % 5 == 0 {
            let ended = run(reverie(&data).args(["digest", "w", "--json", "--data", folder]));
            assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
        }
    }
    let ended = run(reverie(&data).args(["digest", "--json", "--data", folder]));
    assert_eq!((ended.code, &ended.json()["failed"]), (Some(0), &json!([])), "{}", ended.stderr);
    let list = until(&mut caller, "/v1/worlds/w/characters/bob/memories?limit=1000", |list| {
        list["items"].as_array().is_some_and(|items| items.len() >= ROUNDS)
    });
    let mut sources: Vec<String> =
        list["items"].as_array().unwrap().iter().map(|memory| memory["sources"].to_string()).collect();
    sources.sort();
    sources.dedup();
    assert_eq!((sources.len(), list["items"].as_array().map(Vec::len)), (ROUNDS, Some(ROUNDS)), "{list}");
}

/// Told to stop in the middle of a long digest, it ends soon; what is left is done later, once.
#[test]
fn it_stops_in_the_middle_and_nothing_is_lost() {
    const ROUNDS: usize = 1500;
    let data = Directory::new();
    let folder = data.path().to_str().unwrap();
    let row = |id: usize, attribute: &str, name: &str| {
        let parent = if id == 1 { Value::Null } else { json!(id - 1) };
        let content = format!("line {id}");
        json!({"id": id, "parent_line_id": parent, "attribute": attribute, "display_name": name, "content": content})
    };
    let rows = (0..ROUNDS).flat_map(|n| [row(2 * n + 1, "user", "ann"), row(2 * n + 2, "assistant", "bob")]);
    data.write("table.jsonl", &rows.map(|row| format!("{row}\n")).collect::<String>());
    let command = |arguments: &[&str]| {
        let ended = run(reverie(&data).args(arguments).args(["--json", "--data", folder]));
        assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
        ended.json()
    };
    command(&["import", "table.jsonl", "--world", "w"]);
    let flags = ["--data", folder, "--digest-slice", "1h", "--exit-with-parent"];
    let mut server = serve_with(&flags, &[], Stdio::piped());
    let mut caller = Caller::new(&server);
    until(&mut caller, "/health", |health| health["digest"]["worker"] != "off");
    drop(server.child.stdin.take());
    let (status, _, log) = server.wait();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!log.contains("does not end"), "{log}");
    command(&["digest", "w", "--now"]);
    let stats = command(&["stats", "w"]);
    assert_eq!((&stats["rounds"]["digested"], &stats["waiting_conversations"]), (&json!(ROUNDS), &json!(0)));
    assert_eq!(stats["by_character"]["items"][0]["by_layer"]["active"], ROUNDS);
    assert_eq!(command(&["doctor"])["findings"], json!([]));
}
