//! Which bodies are refused because something in them would be lost, and is every door told so?

use serde_json::Value;

use crate::described::document;
use crate::host::Host;

fn host() -> Host {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    host
}

/// The status and what is said of the error.
fn refusal(host: &Host, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
    let response = host.raw(method, path, body);
    let answer: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    (response.status, answer["error"].clone())
}

/// As the description of the API has them, with ids of things that are there where that matters.
fn operations_with_a_body() -> Vec<(String, String)> {
    let ids = [
        ("{world}", "w"),
        ("{conversation}", "c"),
        ("{character}", "a"),
        ("{book}", "b"),
        ("{entry}", "0"),
        ("{line}", "1"),
    ];
    let mut doors = Vec::new();
    for (path, methods) in document()["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            if operation["requestBody"].is_null() || !path.starts_with("/v1/") {
                continue;
            }
            let path = ids.iter().fold(path.clone(), |path, (name, id)| path.replace(name, id));
            doors.push((method.to_uppercase(), path.replace(['{', '}'], "")));
        }
    }
    doors
}

/// Every operation that takes JSON, and what must not have changed afterwards.
#[test]
fn bytes_that_are_no_text_are_refused_at_every_door() {
    let host = host();
    host.done("PUT", "/v1/books/b", r#"{"entries":{"0":{"uid":0,"key":["港口"],"content":"雾"}}}"#);
    let record = r#"{"lines":[{"speaker":"a","attribute":"user","content":"x"}]}"#;
    host.done("POST", "/v1/worlds/w/conversations/c/lines", record);
    let before = host.export("w", "format=jsonl");
    let doors = operations_with_a_body();
    assert!(doors.len() > 25, "{doors:?}");
    for (method, path) in doors {
        for (bytes, found) in
            [(&b"\xC4\xE3"[..], "(0xC4)"), (b"\xED\xA0\x80", "(0xED)"), (b"\xE4\xBD", "(0xE4)")]
        {
            let body = [&br#"{"name":""#[..], bytes, br#""}"#].concat();
            let (status, answer) = refusal(&host, &method, &path, &body);
            assert_eq!(status, 400, "{method} {path}: {answer}");
            let place = format!("byte 10 is not UTF-8 {found}");
            assert!(answer["message"].to_string().contains(&place), "{method} {path}: {answer}");
        }
    }
    assert_eq!(host.export("w", "format=jsonl"), before);
    assert_eq!(host.get("/v1/books/b/entries/0")["fields"]["content"], "雾");
    assert_eq!(host.raw("GET", "/v1/cards/card", b"").status, 404);
}

/// The same name twice in one object: one of the two would be lost.
#[test]
fn a_name_that_is_given_twice_is_refused_at_every_door() {
    let host = host();
    host.done("PUT", "/v1/books/b", r#"{"entries":{"0":{"uid":0,"key":["港口"],"content":"雾"}}}"#);
    for (method, path, body, place) in [
        (
            "PUT",
            "/v1/books/new",
            r#"{"entries":{"0":{"content":"a"},"0":{"content":"b"}}}"#,
            r#""0" is given twice in entries,"#,
        ),
        (
            "PUT",
            "/v1/books/new",
            r#"{"entries":{"0":{"key":["a"],"key":["b"]}}}"#,
            r#""key" is given twice in entries.0,"#,
        ),
        (
            "PUT",
            "/v1/cards/new",
            r#"{"spec":"chara_card_v2","data":{"name":"a","name":"b"}}"#,
            r#""name" is given twice in data,"#,
        ),
        (
            "PATCH",
            "/v1/books/b/entries/0",
            r#"{"content":"a","content":"b"}"#,
            r#""content" is given twice in the outermost"#,
        ),
        (
            "POST",
            "/v1/lore/scan",
            r#"{"messages":[],"books":[{"entries":{}},{"id":"x","document":{"entries":{"1":{},"1":{}}}}]}"#,
            r#""1" is given twice in books[1].document.entries,"#,
        ),
        ("POST", "/v1/worlds/w/conversations", r#"{"name":"a","name":"b"}"#, r#""name" is given twice"#),
        (
            "POST",
            "/v1/worlds/w/recall",
            r#"{"character":"a","scene":{"place":"x","place":"y"}}"#,
            r#""place" is given twice in scene,"#,
        ),
    ] {
        let (status, answer) = refusal(&host, method, path, body.as_bytes());
        assert_eq!(status, 400, "{method} {path}: {answer}");
        assert!(answer["message"].as_str().is_some_and(|told| told.contains(place)), "{answer}");
    }
    assert_eq!(host.get("/v1/books/b/entries/0")["fields"]["content"], "雾");
    assert_eq!(host.raw("GET", "/v1/books/new", b"").status, 404);
    // Two entries of one id stand under two names: nothing is lost, and their author is told.
    let twins = r#"{"entries":{"0":{"uid":7,"content":"a"},"1":{"uid":7,"content":"b"}}}"#;
    let kept = host.done("PUT", "/v1/books/twins", twins);
    assert!(kept["warnings"].to_string().contains("another entry has the same id"), "{kept}");
    assert_eq!(host.get("/v1/books/twins/entries/7-2")["fields"]["content"], "b");
}

/// What is wrong with a body is named, and so is what to do.
#[test]
fn hints_fit_what_is_wrong_with_a_body() {
    let host = host();
    let deep =
        format!(r#"{{"books":[],"messages":[],"facts":{{"x":{}1{}}}}}"#, "[".repeat(200), "]".repeat(200));
    for (body, message, hint) in [
        (r#"{"messages":[],"books":[{"entries":{"0":{"order":1e400}}}]}"#, "out of range", "1.8e308"),
        (&deep, "recursion limit", "nested more than 127"),
        ("{\"messages\":[],\"books\":[{\"entries\":{\"0\":{\"order\":NaN}}}]}", "expected value", "/docs"),
    ] {
        let (status, answer) = refusal(&host, "POST", "/v1/lore/scan", body.as_bytes());
        assert_eq!(status, 400, "{answer}");
        assert!(answer["message"].as_str().is_some_and(|told| told.contains(message)), "{answer}");
        assert!(answer["hint"].as_str().is_some_and(|told| told.contains(hint)), "{answer}");
    }
    let marked = host.raw("POST", "/v1/lore/scan", "\u{FEFF}{\"books\":[],\"messages\":[]}".as_bytes());
    assert_eq!(marked.status, 200);
}

/// A file that could not be read arrives as nothing, and must not empty what is there.
#[test]
fn a_book_is_not_emptied_by_nothing() {
    let host = host();
    host.done("PUT", "/v1/books/b", r#"{"entries":{"0":{"uid":0,"key":["港口"],"content":"雾"}}}"#);
    for nothing in ["", " \r\n\t"] {
        for book in ["b", "new"] {
            let (status, error) = refusal(&host, "PUT", &format!("/v1/books/{book}"), nothing.as_bytes());
            assert_eq!((status, &error["code"]), (400, &Value::from("invalid")), "{error}");
            assert!(error["hint"].as_str().expect("a hint").contains(r#"{"entries":{}}"#), "{error}");
        }
    }
    let entries = || host.done("GET", "/v1/books/b/entries", "").to_string();
    assert!(entries().contains("雾"), "{}", entries());
    assert_eq!(host.raw("GET", "/v1/books/new", b"").status, 404);
    for (book, empty) in [("b", r#"{"entries":{}}"#), ("new", "{}")] {
        host.done("PUT", &format!("/v1/books/{book}"), empty);
    }
    assert!(!entries().contains("雾"), "{}", entries());
}

/// Whoever searches ten books must know which of them is meant.
#[test]
fn a_book_that_is_no_book_is_named_by_its_id() {
    let host = host();
    for document in [r#""a text""#, "[1]", "7", "null", r#"{"a":1}"#] {
        let body = format!(r#"{{"books":[{{"id":"港口","document":{document}}}],"messages":[]}}"#);
        let (status, error) = refusal(&host, "POST", "/v1/lore/scan", body.as_bytes());
        assert_eq!(status, 400, "{document}: {error}");
        assert!(error["message"].as_str().expect("a message").contains("港口"), "{document}: {error}");
    }
}
