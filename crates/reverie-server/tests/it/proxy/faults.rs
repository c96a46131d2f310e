//! What if an upstream hangs, dies or babbles, a client leaves, or several talk at once? No line is lost, no round is left open or made
//! twice, and nobody waits for ever.

use std::time::Instant;

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{path, rounds};
use super::{Listening, chat, messages, serve_before};
use crate::caller::Caller;
use crate::client::PATIENCE;
use crate::run::{Directory, Server, serve};
use crate::worker::until;

const HURRY: &[&str] = &["--proxy-answer-timeout", "1s", "--proxy-silence-timeout", "1s"];

fn asking(said: &[&str]) -> Value {
    json!({"model": "m", "stream": true, "messages": messages(said)})
}

fn only_conversation(caller: &mut Caller) -> String {
    let start = Instant::now();
    // The world itself may still be in the making.
    let list = loop {
        let list = caller.send("GET /v1/worlds/default/conversations", &Value::Null).json();
        if list["items"][0]["id"].is_string() {
            break list;
        }
        assert!(start.elapsed() < PATIENCE, "stays {list}");
        std::thread::yield_now();
    };
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
    list["items"][0]["id"].as_str().unwrap().to_owned()
}

/// Waits until the path is this; what is written after a client has left takes its time.
fn until_path(caller: &mut Caller, conversation: &str, wanted: &[&str]) {
    let start = Instant::now();
    loop {
        let said = path(caller, "default", conversation);
        if said == wanted {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "stays {said:?}");
        std::thread::yield_now();
    }
}

fn until_closed(caller: &mut Caller, conversation: &str, count: usize) {
    let list = format!("/v1/worlds/default/conversations/{conversation}/rounds");
    until(caller, &list, |list| {
        let opened = list["items"].as_array().unwrap().iter().filter(|round| round["explicit"] == true);
        let closed: Vec<bool> = opened.map(|round| round["state"] != "open").collect();
        closed.len() == count && closed.iter().all(|closed| *closed)
    });
}

fn until_nobody_is_served(model: &ScriptedModel) {
    let start = Instant::now();
    while model.being_served() > 0 {
        assert!(start.elapsed() < PATIENCE, "the upstream is still asked");
        std::thread::yield_now();
    }
}

/// An answer that does not come is told, and asked for again it comes into the same round.
#[test]
fn an_upstream_that_does_not_answer() {
    for (fault, status, code, told) in [
        (Behaviour::Hang, 504, "upstream_timed_out", "timed_out"),
        (Behaviour::HangUp, 502, "upstream_cut", "cut"),
        (Behaviour::Babbles, 502, "upstream_unreachable", "unreachable"),
        (Behaviour::refuses(500, "boom", "no"), 500, "boom", "server_fault"),
        (Behaviour::too_many("1"), 429, "rate_limit_exceeded", "too_many_requests"),
    ] {
        let model = ScriptedModel::playing([fault.clone(), Behaviour::says("Here I am.")]);
        let server = serve_before(&model, HURRY);
        let body = json!({"model": "m", "messages": messages(&["user: Are you there?"])});
        let reply = chat(&server, "", &body);
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (status, &json!(code)), "{fault:?}");
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{fault:?}");
        let mut caller = Caller::new(&server);
        check_upstream(&mut caller, (0, 1), told);
        let place = only_conversation(&mut caller);
        until_path(&mut caller, &place, &["user: Are you there?"]);
        assert_eq!(chat(&server, "", &body).status, 200);
        assert_eq!(path(&mut caller, "default", &place), ["user: Are you there?", "assistant: Here I am."]);
        until_closed(&mut caller, &place, 1);
        check_upstream(&mut caller, (1, 1), told);
    }
}

/// How `/health` says that the only upstream did: answers and failures, and of which kind the last failure was.
fn check_upstream(caller: &mut Caller, (answered, failed): (u64, u64), code: &str) {
    let health = caller.get("/health");
    let upstream = &health["upstreams"][0];
    assert_eq!((&upstream["name"], &upstream["models"]), (&json!("upstream"), &json!([])), "{health}");
    assert_eq!(
        (&upstream["answered"], &upstream["failed"]),
        (&json!(answered), &json!(failed)),
        "{upstream}"
    );
    assert_eq!(upstream["last_answer"].is_string(), answered > 0, "{upstream}");
    let last = &upstream["last_failure"];
    assert_eq!(last["code"], code, "{upstream}");
    assert!(last["at"].is_string() && last["message"].as_str().unwrap().contains("127.0.0.1"), "{upstream}");
    // Others are tried as they were: it is nothing that the server leans on.
    assert_eq!(health["status"], "ok", "{health}");
}

#[test]
fn nobody_listens_at_the_upstream() {
    let server = serve(&["--upstream-url", "http://127.0.0.1:1/v1"], &[]);
    let reply = chat(&server, "", &asking(&["user: hi"]));
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (502, &json!("upstream_unreachable")));
}

/// What was shown counts, and the client sees that the end is missing.
#[test]
fn an_answer_that_breaks_off_is_recorded_as_far_as_it_was_shown() {
    for end in [End::Cut, End::Hang] {
        let model = ScriptedModel::playing([
            Behaviour::tells(&["Once upon ", "a ti"], end),
            Behaviour::says("Go on."),
        ]);
        let server = serve_before(&model, HURRY);
        let mut listening = Listening::begin(server.address, "", &asking(&["user: Tell me a story"]));
        listening.piece().unwrap();
        listening.piece().unwrap();
        assert_eq!(listening.rest(), "", "no proper end");
        let mut caller = Caller::new(&server);
        let place = only_conversation(&mut caller);
        let shown = ["user: Tell me a story", "assistant: Once upon a ti"];
        until_path(&mut caller, &place, &shown);
        until_closed(&mut caller, &place, 1);
        check_upstream(&mut caller, (1, 1), if end == End::Cut { "cut" } else { "timed_out" });
        // The client goes on with what it has.
        chat(&server, "", &asking(&[shown[0], shown[1], "user: And then?"]));
        assert_eq!(path(&mut caller, "default", &place)[2..], ["user: And then?", "assistant: Go on."]);
        until_closed(&mut caller, &place, 2);
    }
}

/// What nobody understands is passed on, and is nobody's words.
#[test]
fn garbage_is_passed_on_and_not_recorded() {
    let pieces = vec!["data: {\"choices\":[{\"delta\":".to_owned(), "}}}\n\nnonsense\n\n\u{0}".to_owned()];
    for behaviour in [
        Behaviour::Pieces { pieces: pieces.clone(), end: End::Whole },
        Behaviour::body("<html>busy</html>"),
        Behaviour::body("[]"),
    ] {
        let model = ScriptedModel::always(behaviour.clone());
        let server = serve_before(&model, &[]);
        let reply = chat(&server, "", &asking(&["user: hi"]));
        let sent = match behaviour {
            Behaviour::Answers { body, .. } => body,
            _ => pieces.concat(),
        };
        assert_eq!((reply.status, reply.body), (200, sent));
        let mut caller = Caller::new(&server);
        let place = only_conversation(&mut caller);
        until_path(&mut caller, &place, &["user: hi"]);
    }
}

/// The upstream is told that nobody listens, and what was shown is kept.
#[test]
fn a_client_that_leaves() {
    let model = ScriptedModel::playing([
        Behaviour::tells(&["Let me ", "think"], End::Hang),
        Behaviour::Hang,
        Behaviour::says("Well."),
    ]);
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let mut listening = Listening::begin(server.address, "", &asking(&["user: Why?"]));
    listening.piece().unwrap();
    listening.piece().unwrap();
    listening.leave();
    until_nobody_is_served(&model);
    let place = only_conversation(&mut caller);
    until_path(&mut caller, &place, &["user: Why?", "assistant: Let me think"]);
    until_closed(&mut caller, &place, 1);
    // Before anything was said: the words stay, and nothing else.
    let again = ["user: Why?", "assistant: Let me think", "user: So?"];
    Listening::send(server.address, "", &asking(&again)).leave_when(|| model.seen().len() == 2);
    until_nobody_is_served(&model);
    until_path(&mut caller, &place, &again);
    chat(&server, "", &asking(&again));
    assert_eq!(path(&mut caller, "default", &place).last().unwrap(), "assistant: Well.");
    until_closed(&mut caller, &place, 2);
}

/// Another answer that never comes leaves the one that is there.
#[test]
fn an_answer_asked_for_again_that_fails() {
    let model =
        ScriptedModel::playing([Behaviour::says("The first."), Behaviour::refuses(500, "boom", "no")]);
    let server = serve_before(&model, &[]);
    chat(&server, "", &asking(&["user: Which?"]));
    let reply = chat(&server, "", &asking(&["user: Which?"]));
    assert_eq!(reply.status, 500);
    let mut caller = Caller::new(&server);
    let place = only_conversation(&mut caller);
    until_path(&mut caller, &place, &["user: Which?", "assistant: The first."]);
    // A message that was changed stays changed, whether it is answered or not.
    let other =
        ["assistant: Hello, traveller.", "user: How far is it?", "assistant: Ten miles.", "user: By foot?"];
    let reply = chat(&server, "", &asking(&other));
    assert_eq!(reply.status, 500);
    let there = reply.header("x-reverie-conversation").unwrap().to_owned();
    assert_ne!(there, place);
    let changed = [other[0], other[1], other[2], "user: On horseback, perhaps?"];
    assert_eq!(chat(&server, "", &asking(&changed)).header("x-reverie-conversation"), Some(there.as_str()));
    until_path(&mut caller, &there, &changed);
}

/// Two of the same chat at once: each finds what it said, and neither takes the other's words.
#[test]
fn two_clients_in_one_conversation_at_once() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        match last.contains("slow") {
            true => Behaviour::tells(&["slow answer"], End::Hang),
            false => Behaviour::says("quick answer"),
        }
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let before = ["assistant: Welcome to the inn.", "user: Good evening."];
    let greeted = [before[0], before[1], "assistant: quick answer"];
    chat(&server, "", &asking(&before));
    let place = only_conversation(&mut caller);
    let mut slow = Listening::begin(
        server.address,
        "",
        &asking(&[greeted[0], greeted[1], greeted[2], "user: a slow question"]),
    );
    slow.piece().unwrap();
    // The other device knows nothing of it.
    let quick = [greeted[0], greeted[1], greeted[2], "user: another question"];
    chat(&server, "", &asking(&quick));
    slow.leave();
    let tree = format!("/v1/worlds/default/conversations/{place}/lines?tree=true&limit=1000");
    let tree = until(&mut caller, &tree, |tree| tree["items"].as_array().unwrap().len() == 7);
    let all = tree.to_string();
    for said in ["a slow question", "slow answer", "another question", "quick answer"] {
        assert!(all.contains(said), "{said}: {all}");
    }
    until_closed(&mut caller, &place, 3);
    // Each goes on with what it knows, and takes nothing from the other.
    let next = [quick[0], quick[1], quick[2], quick[3], "assistant: quick answer", "user: one more"];
    chat(&server, "", &asking(&next));
    let all = [
        greeted[0],
        greeted[1],
        greeted[2],
        "user: a slow question",
        "user: another question",
        "assistant: quick answer",
        "assistant: slow answer",
        "user: one more",
        "assistant: quick answer",
    ];
    assert_eq!(path(&mut caller, "default", &place), all);
    assert_eq!(rounds(&mut caller, "default", &place).len(), 4);
    let slow = [greeted[0], greeted[1], greeted[2], all[3], all[6], "user: a last one"];
    chat(&server, "", &asking(&slow));
    // What was not said at once is a branch, behind all that was.
    let all = [&all[..7], &["user: a last one", "assistant: quick answer"]].concat();
    assert_eq!(path(&mut caller, "default", &place), all);
}

/// A client that does not wait for its answer and asks again: two answers to the same words, in one round.
#[test]
fn the_same_request_twice_at_once() {
    let model = ScriptedModel::playing([
        Behaviour::tells(&["The first", " answer"], End::Hang),
        Behaviour::says("The second answer"),
    ]);
    let server = serve_before(&model, &[]);
    let mut first = Listening::begin(server.address, "", &asking(&["user: Well?"]));
    first.piece().unwrap();
    first.piece().unwrap();
    chat(&server, "", &asking(&["user: Well?"]));
    first.leave();
    let mut caller = Caller::new(&server);
    let place = only_conversation(&mut caller);
    let tree = format!("/v1/worlds/default/conversations/{place}/lines?tree=true&limit=1000");
    let tree = until(&mut caller, &tree, |tree| tree["items"].as_array().unwrap().len() == 3);
    assert_eq!(tree["items"][1]["parent"], tree["items"][2]["parent"], "{tree}");
    until_path(&mut caller, &place, &["user: Well?", "assistant: The second answer"]);
    until_closed(&mut caller, &place, 1);
}

/// Many who say one thing each, all at once, to the same character in the same room.
#[test]
fn many_at_once_in_one_row() {
    const MANY: usize = 12;
    let model = ScriptedModel::answering(|seen| {
        let said =
            seen.body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
        Behaviour::tells(&["re: ", &said], End::Whole)
    });
    let server = serve_before(&model, &[]);
    std::thread::scope(|scope| {
        for number in 0..MANY {
            let server: &Server = &server;
            scope.spawn(move || {
                let reply = chat(server, "", &asking(&[&format!("user: message {number}")]));
                assert!(reply.body.ends_with("data: [DONE]\n\n"), "{}", reply.body);
            });
        }
    });
    let mut caller = Caller::new(&server);
    let place = only_conversation(&mut caller);
    let mut said = path(&mut caller, "default", &place);
    said.sort();
    let mut wanted: Vec<String> = (0..MANY).map(|number| format!("user: message {number}")).collect();
    wanted.extend((0..MANY).map(|number| format!("assistant: re: message {number}")));
    wanted.sort();
    assert_eq!(said, wanted);
    until_closed(&mut caller, &place, MANY);
}

/// A first request with a long history takes longer than anybody wants to wait: it goes on without memory, and is recorded all the same.
#[test]
fn what_takes_too_long_holds_nobody_up() {
    let model = ScriptedModel::always(Behaviour::says("Fine."));
    let server = serve_before(&model, &["--proxy-recall-timeout", "1ms"]);
    let lines: Vec<String> = (0..300)
        .map(|turn| {
            if turn % 2 == 0 { format!("user: question {turn}") } else { format!("assistant: answer {turn}") }
        })
        .chain(["user: the newest".to_owned()])
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let body = json!({"model": "m", "messages": messages(&lines)});
    let reply = chat(&server, "", &body);
    assert_eq!(reply.header("x-reverie-memory"), Some("off; reason=slow"));
    assert_eq!(model.seen()[0].raw, body.to_string().into_bytes());
    let mut caller = Caller::new(&server);
    let place = only_conversation(&mut caller);
    until_path(&mut caller, &place, &[&lines[..], &["assistant: Fine."]].concat());
    until_closed(&mut caller, &place, 1);
    // What nobody waits for any more is not even looked for.
    assert_eq!(crate::client::metric(server.address, "reverie_recalls_total"), 0);
}

/// Without a data file chats go through as if nothing was between.
#[test]
fn a_store_that_is_away() {
    let model = ScriptedModel::always(Behaviour::says("Fine."));
    let server = serve_before(&model, &["--expect-data"]);
    let body = json!({"model": "m", "messages": messages(&["user: hi"])});
    let reply = chat(&server, "", &body);
    assert_eq!((reply.status, reply.header("x-reverie-memory")), (200, Some("off; reason=unavailable")));
    assert_eq!(model.seen()[0].raw, body.to_string().into_bytes());
    let listed = crate::client::get(server.address, "/v1/models");
    assert_eq!(listed.status, 200, "{}", listed.body);
}

/// A server that is told to stop writes down what was shown.
#[cfg(unix)]
#[test]
fn a_server_that_stops_while_somebody_speaks() {
    let model = ScriptedModel::always(Behaviour::tells(&["Half a sen"], End::Hang));
    let data = Directory::new();
    let flags = ["--data", data.path().to_str().unwrap(), "--limits-drain-timeout", "1s"];
    let server = serve_before(&model, &flags);
    let mut listening = Listening::begin(server.address, "", &asking(&["user: hi"]));
    listening.piece().unwrap();
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let (status, _, log) = server.wait();
    assert!(status.success(), "{log}");
    let server = serve(&flags, &[]);
    let mut caller = Caller::new(&server);
    let place = only_conversation(&mut caller);
    assert_eq!(path(&mut caller, "default", &place), ["user: hi", "assistant: Half a sen"]);
    until_closed(&mut caller, &place, 1);
}
