//! Can an id hold any character?

use serde_json::{Value, json};

use crate::host::{Host, encode};
use crate::script::talk;

const IDS: &[&str] = &[
    "plain",
    "a/b",
    "a,b",
    "100%",
    "%2F",
    "a b",
    "a+b",
    "?&=#",
    "..",
    ".",
    "中文",
    "日本語のキャラ",
    "🦊👩‍👩‍👧‍👦",
    "é",
    "\"quoted\"",
    "line\nbreak",
    "next",
    "null",
    "-1",
];

#[test]
fn every_kind_of_id_holds_every_character() {
    for id in IDS {
        let host = Host::new();
        let path = format!("/v1/worlds/{}", encode(id));
        assert_eq!(host.done("PUT", &path, "{}")["id"], *id);
        assert_eq!(host.get(&path)["id"], *id);
        let character = format!("{path}/characters/{}", encode(id));
        assert_eq!(host.done("PUT", &character, "{}")["id"], *id);
        assert_eq!(host.get(&character)["display_name"], *id);
        let open = json!({"id": id, "participants": [id, "other"]}).to_string();
        assert_eq!(host.done("POST", &format!("{path}/conversations"), &open)["id"], *id);
        let conversation = format!("{path}/conversations/{}", encode(id));
        let lines = json!({"lines": [{"speaker": id, "attribute": "user", "content": "a", "host_id": id}], "key": id});
        let recorded = host.done("POST", &format!("{conversation}/lines"), &lines.to_string());
        assert_eq!(
            (&recorded["lines"][0]["speaker"], &recorded["lines"][0]["host_id"]),
            (&json!(id), &json!(id))
        );
        let seen = host.get(&format!("{conversation}/lines?as={}", encode(id)));
        assert_eq!(seen["items"].as_array().map(Vec::len), Some(1));
        let history = host
            .get(&format!("{path}/history?participants={}&participants=other&as={0}&also={0}", encode(id)));
        assert_eq!(history["primary"][0]["conversation"], *id);
        assert_eq!(history["also"][0]["conversation"], *id);
        let checkpoint = format!("{path}/checkpoints/{}", encode(id));
        assert_eq!(host.done("PUT", &checkpoint, "")["id"], *id);
        assert_eq!(host.done("POST", &format!("{checkpoint}/restore"), "")["id"], *id);
        let named = json!({"name": id, "participants": [id]}).to_string();
        assert_eq!(host.done("POST", &format!("{path}/conversations"), &named)["name"], *id);
        let fork = json!({"id": format!("{id}2"), "checkpoint": id}).to_string();
        assert_eq!(host.done("POST", &format!("{path}/fork"), &fork)["forked_from"], *id);
    }
}

/// The same letters, composed or not, are the same id.
#[test]
fn ids_are_compared_in_composed_form() {
    let (composed, decomposed) = ("Zo\u{eb}・が", "Zoe\u{308}・か\u{3099}");
    assert_ne!(composed, decomposed);
    let host = Host::with_world("{}");
    host.done("PUT", &format!("/v1/worlds/w/characters/{}", encode(decomposed)), "{}");
    assert_eq!(host.get(&format!("/v1/worlds/w/characters/{}", encode(composed)))["id"], composed);
    let open = |id: &str| {
        host.send("POST", "/v1/worlds/w/conversations", &json!({"participants": [id, "b"]}).to_string())
    };
    let ((first, one), (second, other)) = (open(composed), open(decomposed));
    assert_eq!((first, second), (201, 200));
    assert_eq!(one["id"], other["id"]);
}

#[test]
fn a_conversation_is_found_by_its_set_and_by_nothing_else() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"participants":["a","b"]}
          201 {"id":"c1","participants":["a","b"],"present":["a","b"],"head":null}
        POST /v1/worlds/w/conversations {"participants":["b","a","b"]}
          200 {"id":"c1"}
        POST /v1/worlds/w/conversations {"participants":["a_b"]}
          201 {"id":"c2"}
        POST /v1/worlds/w/conversations {"participants":["a","b","c"]}
          201 {"id":"c3"}
        POST /v1/worlds/w/conversations {"name":"tavern","participants":["a","b"]}
          201 {"id":"c4","name":"tavern"}
        POST /v1/worlds/w/conversations {"name":"tavern","participants":["z"]}
          200 {"id":"c4","participants":["z"]}
        POST /v1/worlds/w/conversations/c4/lines {"lines":[{"speaker":"z","attribute":"user","content":"it begins"}]}
          201
        POST /v1/worlds/w/conversations {"name":"tavern","participants":["a"]}
          200 {"id":"c4","participants":["z"]}
        POST /v1/worlds/w/conversations {"id":"mine","participants":["a","b"]}
          409 conflict ~ c1
        POST /v1/worlds/w/conversations {"id":"c1","name":"other"}
          409 conflict ~ taken
        POST /v1/worlds/w/conversations {"id":"c1"}
          200 {"id":"c1"}
        POST /v1/worlds/w/conversations {"id":"nowhere"}
          404 not_found
        POST /v1/worlds/w/conversations {}
          400 invalid ~ participants or a name
        POST /v1/worlds/w/conversations {"participants":["旁白","Narrator"]}
          400 invalid ~ narrators do not count
        PUT /v1/worlds/w/conversations/c1/present {"present":["a"]}
          400 invalid ~ named scene
        POST /v1/worlds/w/conversations/c1/lines {"lines":[{"speaker":"z","attribute":"user","content":"hi"}]}
          400 invalid ~ not a participant"#,
    );
}

#[test]
fn ids_that_cannot_be_are_refused() {
    let long = "é".repeat(64);
    let host = Host::new();
    assert_eq!(host.done("PUT", &format!("/v1/worlds/{}", encode(&long)), "{}")["id"], long);
    for (path, words) in [
        (format!("/v1/worlds/{}", encode(&format!("{long}x"))), "128 bytes"),
        ("/v1/worlds/%00".to_owned(), "U+0000"),
        ("/v1/worlds/%EF%BF%BF".to_owned(), "U+FFFF"),
        ("/v1/worlds/%FF".to_owned(), "percent-encoded"),
        ("/v1/worlds/%4".to_owned(), "percent-encoded"),
        ("/v1/worlds/%zz".to_owned(), "percent-encoded"),
    ] {
        let (status, error) = host.send("PUT", &path, "{}");
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{path}");
        let said = |name: &str| error["error"][name].as_str().unwrap_or_default().to_owned();
        assert!((said("message") + &said("hint")).contains(words), "{path}: {error}");
    }
    let listed: Value = host.get("/v1/worlds");
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn query_parameters_are_repeated_never_comma_lists() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a,b","c"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"c","attribute":"user","content":"hi"}]}
          201
        GET /v1/worlds/w/history?participants=a,b&participants=c
          200 {"primary":[{"content":"hi"}],"ancillary":[],"also":[]}
        GET /v1/worlds/w/history?participants=c&participants=a%2Cb&limit=1&as=c
          200 {"primary":[{"content":"hi"}]}
        GET /v1/worlds/w/history?participants=a&participants=b&participants=c
          200 {"primary":[],"ancillary":[],"also":[]}
        GET /v1/worlds/w/history?participants=c
          200 {"primary":[],"ancillary":[{"content":"hi"}]}
        GET /v1/worlds/w/history?participants=nobody
          200 {"primary":[],"ancillary":[]}
        GET /v1/worlds/w/history
          400 invalid ~ participants
        GET /v1/worlds/w/history?participants=c&as=c&as=a
          400 invalid ~ twice
        GET /v1/worlds/w/history?participants=c&limit=0
          400 invalid ~ from 1 to 1000
        GET /v1/worlds/w/history?participants=c&limit=1001
          400 invalid ~ from 1 to 1000
        GET /v1/worlds/w/history?participants=c&partcipants=a
          400 invalid ~ partcipants
        GET /v1/worlds/w/history?participants=c&also=nowhere
          404 not_found
        GET /v1/worlds/w?x=1
          400 invalid ~ takes: none"#,
    );
}
