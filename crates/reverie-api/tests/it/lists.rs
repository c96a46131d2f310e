//! What can be listed for people who look at a world: its settings, and the conversations that were spoken in last.

use serde_json::{Value, json};

use crate::host::Host;

/// What is told of a setting can be sent back as it is.
#[test]
fn every_default_can_be_set() {
    let host = Host::with_world("{}");
    let all = host.done("GET", "/v1/settings", "")["settings"].clone();
    let all = all.as_array().unwrap();
    let find = |name: &str| all.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(
        (&find("recall.threshold")["default"], &find("recall.threshold")["personal"]),
        (&json!(0.3), &json!(true))
    );
    assert_eq!(find("audience")["differs"], json!({"bot": "strict"}));
    assert_eq!(find("prompt.budget")["default"], 16384);
    assert_eq!(find("narrator.names")["default"], json!(["旁白", "Narrator"]));
    assert_eq!(find("perspective.name_separator")["differs"], json!({"rule-text": ": "}));
    assert_eq!(find("perspective.own_joiner")["differs"], json!({"en": "\n"}));
    assert_eq!(find("recall.most.trait")["maximum"], 33_554_432.0);
    for one in all {
        let name = one["name"].as_str().unwrap();
        let Some(default) = one.get("default").filter(|_| !name.starts_with("calendar.")) else { continue };
        let body = json!({"settings": {name: default}}).to_string();
        let (status, answer) = host.send("PUT", "/v1/worlds/w", &body);
        assert_eq!(status, 200, "{name}: {answer}");
        if let Some(least) = one["minimum"].as_f64() {
            let body = json!({"settings": {name: least - 1.0}}).to_string();
            assert_eq!(host.send("PUT", "/v1/worlds/w", &body).0, 400, "{body}");
        }
    }
}

#[test]
fn conversations_come_by_what_was_said_last() {
    let host = Host::with_world("{}");
    for id in ["a", "b.1", "港口"] {
        let open = json!({"id": id, "name": id, "participants": ["甲", "乙"]}).to_string();
        host.done("POST", "/v1/worlds/w/conversations", &open);
    }
    let say = |id: &str| {
        let lines = r#"{"lines":[{"speaker":"甲","attribute":"user","content":"你好"}]}"#;
        host.done("POST", &format!("/v1/worlds/w/conversations/{id}/lines"), lines);
    };
    say("b.1");
    say("a");
    say("b.1");
    let page = |query: &str| -> (Vec<String>, Value) {
        let page = host.done("GET", &format!("/v1/worlds/w/conversations?newest_first=true{query}"), "");
        let ids = page["items"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        (ids.collect(), page["next"].clone())
    };
    assert_eq!(page("").0, ["b.1", "a", "港口"]);
    let (first, next) = page("&limit=1");
    assert_eq!(first, ["b.1"]);
    // What is said meanwhile moves nothing that was listed already behind the cursor.
    say("b.1");
    let (second, next) = page(&format!("&limit=1&cursor={}", next.as_str().unwrap()));
    assert_eq!(second, ["a"]);
    assert_eq!(page(&format!("&cursor={}", next.as_str().unwrap())), (vec!["港口".to_owned()], Value::Null));
    for cursor in ["b", "x.y", "-1.a"] {
        let (status, answer) =
            host.send("GET", &format!("/v1/worlds/w/conversations?newest_first=true&cursor={cursor}"), "");
        assert_eq!(status, 400, "{cursor}: {answer}");
    }
}
