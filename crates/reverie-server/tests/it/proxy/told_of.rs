//! What is not recorded, or not all of it: is it told, without a word of what was said?

use std::time::Instant;

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::json;

use super::remembers::path;
use super::{Listening, chat, messages, serve_before};
use crate::caller::{Caller, check_quiet};
use crate::client::PATIENCE;
use crate::run::Server;

/// What is written down after a client has its answer takes its time.
fn until_logged(server: &Server, words: &str) {
    let start = Instant::now();
    while !server.log().contains(words) || !server.log().contains("operation=") {
        assert!(start.elapsed() < PATIENCE, "{words:?} is not in {}", server.log());
        std::thread::yield_now();
    }
}

const SHORT_LINES: &[&str] = &["--limits-content-bytes", "1KiB"];

/// The beginning is recorded, the client and the log are told, and the same message in a history is neither new nor told again.
#[test]
fn a_text_that_is_too_long_for_a_line() {
    for letter in ["s", "海", "ね"] {
        let long = format!("user: The secret is {}", letter.repeat(2000));
        let model = ScriptedModel::always(Behaviour::says("I see."));
        let server = serve_before(&model, SHORT_LINES);
        let ask = |said: &[&str]| chat(&server, "", &json!({"model": "m", "messages": messages(said)}));
        let first = ask(&[&long]);
        assert_eq!(first.header("x-reverie-memory"), Some("on; degraded=text_cut"), "{first:?}");
        let second = ask(&[&long, "assistant: I see.", "user: Good."]);
        assert_eq!(second.header("x-reverie-memory"), Some("on"), "{second:?}");
        assert_eq!(second.header("x-reverie-recorded"), Some("1"), "{second:?}");
        let here = second.header("x-reverie-conversation").unwrap().to_owned();
        let said = path(&mut Caller::new(&server), "default", &here);
        assert!(said[0].starts_with("user: The secret is") && said[0].len() <= 1024 + 6, "{said:?}");
        assert_eq!(said.len(), 4, "{said:?}");
        let log = server.log();
        assert_eq!(log.matches("longer than limits.content_bytes").count(), 1, "{log}");
        check_quiet(&log, &["secret", "I see"]);
    }
}

#[test]
fn an_answer_that_is_too_long_for_a_line() {
    let model = ScriptedModel::always(Behaviour::says(&"答えは海。".repeat(300)));
    let server = serve_before(&model, SHORT_LINES);
    chat(&server, "", &json!({"model": "m", "messages": messages(&["user: Tell me all."])}));
    until_logged(&server, "longer than limits.content_bytes");
    check_quiet(&server.log(), &["答えは海", "Tell me"]);
}

/// It passes as it came.
#[test]
fn an_answer_that_cannot_be_read() {
    for (header, value, reason) in
        [("content-encoding", "br", "packed"), ("content-type", "text/html", "content_type")]
    {
        let body = "{\"choices\":[{\"message\":{\"content\":\"words\"}}]}".to_owned();
        let headers = vec![(header.to_owned(), value.to_owned())];
        let model = ScriptedModel::always(Behaviour::Answers { status: 200, headers, body: body.clone() });
        let server = serve_before(&model, &[]);
        let reply = chat(&server, "", &json!({"model": "m", "messages": messages(&["user: Hello there!"])}));
        assert_eq!((reply.status, reply.header(header)), (200, Some(value)), "{reply:?}");
        assert_eq!(reply.body, body);
        until_logged(&server, "cannot be read");
        let log = server.log();
        assert!(log.contains("WARN") && log.contains(reason), "{log}");
        check_quiet(&log, &["words", "Hello there"]);
    }
}

#[test]
fn an_upstream_that_breaks_off() {
    for (end, kind) in [(End::Cut, "cut"), (End::Hang, "timed_out")] {
        let model = ScriptedModel::always(Behaviour::tells(&["Half a sen"], end));
        let server = serve_before(&model, &["--proxy-silence-timeout", "1s"]);
        let body = json!({"model": "m", "stream": true, "messages": messages(&["user: Go on!"])});
        Listening::begin(server.address, "", &body).rest();
        until_logged(&server, "an upstream's answer broke off");
        let log = server.log();
        let line = log.lines().find(|line| line.contains("broke off")).unwrap();
        assert!(line.contains("WARN") && line.contains(kind), "{line}");
        check_quiet(&log, &["Half a sen", "Go on!"]);
    }
}
