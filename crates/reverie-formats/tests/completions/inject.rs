//! Does what is recalled stand where it belongs, once, and is all else as it was? The cases stand in `inject.txt`.

use reverie_core::perspective::Role;
use reverie_formats::completions::{Body, Insert, Late, Place, inject};
use serde_json::Value;

#[test]
fn what_is_recalled_stands_in_its_place() {
    let told: Vec<_> = include_str!("inject.txt").split("\n# ").skip(1).map(check).collect();
    assert!(told.len() > 12, "the cases are read: {}", told.len());
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A title, messages, what to put there, and the messages then; what is wrong, if something is.
fn check(case: &str) -> Option<String> {
    let title = case.lines().next().unwrap();
    let (mut messages, mut inserts, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let (mut late, mut section) = (Late::OwnMessage, "");
    for line in case.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        match (line.strip_prefix("  "), section) {
            (Some(content), "messages") => messages.push(content),
            (Some(content), "put") => inserts.push(insert(content)),
            (Some(content), _) => expected.push(content.to_owned()),
            (None, _) => {
                section = line.split(',').next().unwrap();
                if line == "put, in the user's message" {
                    late = Late::InUserMessage;
                }
            }
        }
    }
    let head = r#"{"model":"m","n":1.0,"#;
    let body =
        format!(r#"{head}"messages":[{}],"x":{{"b":12345678901234567890123,"a":1e2}}}}"#, messages.join(","));
    let body = Body::parse(body.as_bytes()).unwrap();
    let injected = inject(&body, &inserts, late);
    let written = String::from_utf8(injected.body.to_bytes()).unwrap();
    assert!(written.starts_with(head), "{written}");
    assert!(written.ends_with(r#""x":{"b":12345678901234567890123,"a":1e2}}"#), "{written}");
    let mut given = shown(&injected.body);
    if !injected.already_there.is_empty() {
        given.push(format!("already there {:?}", injected.already_there));
    }
    let again = inject(&injected.body, &inserts, late);
    assert_eq!(again.body.to_bytes(), injected.body.to_bytes(), "{title}: a second time adds nothing");
    (given != expected)
        .then(|| format!("{title}:\n  {}\ninstead of\n  {}", given.join("\n  "), expected.join("\n  ")))
}

/// `system text`, `newest text`, `newest as user text`, `depth 2 text`; `\n` is a break.
fn insert(content: &str) -> Insert {
    let (place, rest) = content.split_once(' ').unwrap();
    let (place, rest) = match place {
        "system" => (Place::System, rest),
        "newest" => (Place::BeforeNewest, rest),
        "depth" => {
            let (depth, rest) = rest.split_once(' ').unwrap();
            (Place::Depth(depth.parse().unwrap()), rest)
        }
        place => panic!("where is {place:?}?"),
    };
    let (role, text) = match rest.strip_prefix("as user ") {
        Some(text) => (Role::User, text),
        None => (Role::System, rest),
    };
    let text = text.replace("\\n", "\n");
    // Memories stand behind a star.
    let items = text.lines().filter_map(|line| line.strip_prefix("* ")).map(str::to_owned).collect();
    Insert { place, role, text, items }
}

/// `role words`, or the whole message if it has more than that.
fn shown(body: &Body) -> Vec<String> {
    let value = body.to_value();
    let messages = value["messages"].as_array().unwrap();
    let show = |message: &Value| match (message["content"].as_str(), message.as_object().unwrap().len()) {
        (Some(text), 2) => format!("{} {}", message["role"].as_str().unwrap(), text.replace('\n', "\\n")),
        _ => message.to_string(),
    };
    messages.iter().map(show).collect()
}
