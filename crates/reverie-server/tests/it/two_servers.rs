//! Two servers on one data file: is anything lost, does anybody have to wait in vain, and does each see what the other did?

use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::run::{Directory, Ended, Server, reverie, run, serve};

const WORLD: &str = "/v1/worlds/shared";
const CONVERSATIONS: &[&str] = &["pair", "crowd", "hall"];
const WRITERS: usize = 6;
const TURNS: usize = 25;

/// Both at once, on a folder in which there is nothing yet.
fn two_servers(data: &Directory) -> (Server, Server) {
    let start = || serve(&["--data", data.path().to_str().unwrap()], &[]);
    std::thread::scope(|scope| {
        let other = scope.spawn(start);
        (start(), other.join().unwrap())
    })
}

fn prepare(caller: &mut Caller) {
    caller.call(&format!("PUT {WORLD}"), json!({}));
    for (id, name, participants) in [
        ("pair", None, json!(["ann", "bo"])),
        ("crowd", None, json!(["ann", "bo", "cy"])),
        ("hall", Some("hall"), json!(["ann", "bo"])),
    ] {
        let body = json!({"id": id, "name": name, "participants": participants});
        caller.call(&format!("POST {WORLD}/conversations"), body);
    }
}

fn command(data: &Directory, arguments: &[&str]) -> Ended {
    let ended = run(reverie(data).args(arguments).args(["--data", "."]));
    assert_eq!(ended.code, Some(0), "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    ended
}

/// Writers and a reader on both servers, and somebody at the command line.
fn work_on_both(servers: &(Server, Server), meanwhile: impl FnOnce()) {
    prepare(&mut Caller::new(&servers.0));
    let addresses = [servers.0.address, servers.1.address];
    std::thread::scope(|scope| {
        for (number, address) in addresses.iter().cycle().take(WRITERS).enumerate() {
            scope.spawn(move || write(*address, number));
        }
        scope.spawn(|| read(addresses[1]));
        meanwhile();
    });
}

#[test]
fn nothing_is_lost_between_two_writing_servers() {
    let data = Directory::new();
    let servers = two_servers(&data);
    work_on_both(&servers, || {
        for _ in 0..3 {
            assert_eq!(command(&data, &["doctor", "--json"]).json()["findings"], json!([]));
            assert!(command(&data, &["export", "shared"]).stdout.starts_with("{\"type\":\"world\""));
        }
    });
    let (mut one, mut two) = (Caller::new(&servers.0), Caller::new(&servers.1));
    for conversation in CONVERSATIONS {
        let path = format!("{WORLD}/conversations/{conversation}");
        let lines = one.lines(&path);
        assert_eq!(lines, two.lines(&path));
        check_complete(conversation, &lines);
    }
    assert_eq!(command(&data, &["doctor", "--json"]).json()["findings"], json!([]));
    for server in [&servers.0, &servers.1] {
        check_quiet(&server.log(), &["shared", "ann", "crowd", "turn", "writer"]);
    }
}

/// A copy made meanwhile is sound by itself and holds the beginning of what there is now.
#[test]
fn a_copy_made_while_both_write_is_whole() {
    let data = Directory::new();
    let servers = two_servers(&data);
    let copies = ["early.db", "late.db"];
    work_on_both(&servers, || {
        for copy in copies {
            command(&data, &["backup", copy]);
        }
    });
    let mut now = Caller::new(&servers.0);
    for copy in copies {
        let folder = Directory::new();
        std::fs::copy(data.path().join(copy), folder.path().join("reverie.db")).unwrap();
        assert_eq!(command(&folder, &["doctor", "--json"]).json()["findings"], json!([]));
        let server = serve(&["--data", folder.path().to_str().unwrap()], &[]);
        let mut then = Caller::new(&server);
        for conversation in CONVERSATIONS {
            let path = format!("{WORLD}/conversations/{conversation}");
            let (then, now) = (then.lines(&path), now.lines(&path));
            assert_eq!(then.as_slice(), &now[..then.len()], "{copy}");
        }
    }
}

/// Writers of different servers share each conversation; none of them is ever told to come back later.
fn write(address: SocketAddr, number: usize) {
    let mut caller = Caller::try_new(address).unwrap();
    for turn in 0..TURNS {
        let conversation = CONVERSATIONS[(number + turn) % CONVERSATIONS.len()];
        let speaker = ["ann", "bo"][number % 2];
        let line = json!({"speaker": speaker, "attribute": "assistant", "content": format!("writer {number} turn {turn}")});
        let body = json!({"key": format!("{number}-{turn}"), "lines": [line]});
        let reply = caller.send(&format!("POST {WORLD}/conversations/{conversation}/lines"), &body);
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
}

fn read(address: SocketAddr) {
    let mut caller = Caller::try_new(address).unwrap();
    for turn in 0..TURNS {
        caller.recall(WORLD, "ann", CONVERSATIONS[turn % CONVERSATIONS.len()]);
        caller.get(&format!("{WORLD}/history?participants=ann&participants=bo"));
    }
}

/// Everything once; each writer's words in the order in which it said them; each line behind the one before.
fn check_complete(conversation: &str, lines: &[Value]) {
    let found: Vec<&str> = lines.iter().map(|line| line["content"].as_str().unwrap()).collect();
    let mut expected_lines = 0;
    for number in 0..WRITERS {
        let turns =
            (0..TURNS).filter(|turn| CONVERSATIONS[(number + turn) % CONVERSATIONS.len()] == conversation);
        let expected: Vec<String> = turns.map(|turn| format!("writer {number} turn {turn}")).collect();
        let begins = format!("writer {number} ");
        let of_this: Vec<&str> = found.iter().copied().filter(|text| text.starts_with(&begins)).collect();
        assert_eq!(of_this, expected, "{conversation}");
        expected_lines += expected.len();
    }
    assert_eq!(found.len(), expected_lines);
    for pair in lines.windows(2) {
        assert_eq!(pair[1]["parent"], pair[0]["id"]);
    }
}

/// What one server does, and what the other one's next prompt has and has not.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    (
        "POST conversations/pair/lines",
        r#"{"lines":[{"speaker":"bo","attribute":"user","content":"the blue door"}]}"#,
        "the blue door",
        "[",
    ),
    ("PATCH lines/1", r#"{"content":"the green gate"}"#, "the green gate", "blue"),
    ("PATCH lines/1", r#"{"hidden":true}"#, "", "green"),
    ("PATCH lines/1", r#"{"hidden":false}"#, "green", "blue"),
    ("PUT characters/ann", r#"{"persona":"You are Ann."}"#, "You are Ann.", "blue"),
    ("PUT checkpoints/noon", "", "green", "later"),
    (
        "POST conversations/pair/lines",
        r#"{"lines":[{"speaker":"bo","attribute":"assistant","content":"said later","action":"waves"}]}"#,
        "bo：said later（waves）",
        "blue",
    ),
    ("PUT .", r#"{"settings":{"perspective":{"name_separator":" says "}}}"#, "bo says said later", "："),
    ("PATCH lines/1", r#"{"content":"a white wall"}"#, "a white wall", "green"),
    ("POST checkpoints/noon/restore", "", "the green gate", "later"),
    ("PUT conversations/pair/head", r#"{"line":"2"}"#, "said later", "wall"),
    ("PUT conversations/pair/head", r#"{"undo":1}"#, "green", "later"),
    ("DELETE lines/1", "", "You are Ann.", "green"),
    ("PUT characters/ann", r#"{"persona":null}"#, "", "You are"),
];

#[test]
fn each_sees_what_the_other_did_at_once() {
    let data = Directory::new();
    let (one, two) = two_servers(&data);
    let (mut one, mut two) = (Caller::new(&one), Caller::new(&two));
    prepare(&mut one);
    for (line, body, has, has_not) in CHANGES {
        // The one that looks has looked before, so that it may have something old at hand.
        two.recall(WORLD, "ann", "pair");
        let (method, path) = line.split_once(' ').unwrap();
        let path = if *path == *"." { WORLD.to_owned() } else { format!("{WORLD}/{path}") };
        one.call(&format!("{method} {path}"), serde_json::from_str(body).unwrap_or_default());
        let prompt = two.recall(WORLD, "ann", "pair");
        assert!(prompt.contains(has), "{line}: {prompt}");
        assert!(!prompt.contains(has_not), "{line}: {prompt}");
        std::mem::swap(&mut one, &mut two);
    }
    one.call(&format!("DELETE {WORLD}/characters/bo"), Value::Null);
    assert_eq!(two.send(&format!("GET {WORLD}/characters/bo"), &Value::Null).status, 404);
    one.call(&format!("DELETE {WORLD}"), Value::Null);
    let cue = json!({"character": "ann", "conversation": "pair"});
    let reply = two.send(&format!("POST {WORLD}/recall"), &cue);
    assert_eq!(reply.status, 404, "{}", reply.body);
    two.call(&format!("PUT {WORLD}"), json!({"preset": "game"}));
    assert_eq!(one.get(WORLD)["preset"], "game");
}

/// Deleted text is in no file any more once nobody reads it, whichever server deleted it.
#[test]
fn deleted_text_leaves_the_files_of_both() {
    let data = Directory::new();
    let (one, two) = two_servers(&data);
    let (mut one, mut two) = (Caller::new(&one), Caller::new(&two));
    prepare(&mut one);
    let secret = "the treasure lies under the old oak";
    let line = json!({"lines": [{"speaker": "ann", "attribute": "assistant", "content": secret}]});
    one.call(&format!("POST {WORLD}/conversations/pair/lines"), line);
    assert!(two.recall(WORLD, "ann", "pair").contains(secret));
    assert!(is_in_a_file(data.path(), secret));
    two.call(&format!("DELETE {WORLD}/lines/1"), Value::Null);
    crate::stopping::wait_until(|| !is_in_a_file(data.path(), secret));
}

fn is_in_a_file(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}
