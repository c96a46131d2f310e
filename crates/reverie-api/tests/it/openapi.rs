//! Is the description of the API valid, complete and stable?

use std::collections::{BTreeMap, BTreeSet};

use reverie_api::documents::BookForm;
use serde_json::{Value, json};

use crate::described::{check, document};
use crate::host::Host;

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

/// (method, path, operation) of the API's own operations; a server has others beside it.
fn api_operations() -> Vec<(String, String, Value)> {
    operations(document()).into_iter().filter(|(_, path, _)| path.starts_with("/v1/")).collect()
}

/// (method, path, operation) of all operations.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let mut all = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(METHODS.contains(&method.as_str()), "{method} {path}");
            all.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    all
}

/// Every object in the document, with where it stands.
fn objects(value: &Value, place: &str, visit: &mut impl FnMut(&str, &serde_json::Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            visit(place, fields);
            fields.iter().for_each(|(name, value)| objects(value, &format!("{place}/{name}"), visit));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, value)| objects(value, &format!("{place}/{index}"), visit));
        }
        _ => {}
    }
}

#[test]
fn it_is_openapi_3_1_in_structure() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    let mut references = 0;
    objects(document, "#", &mut |place, fields| {
        let Some(reference) = fields.get("$ref").and_then(Value::as_str) else { return };
        references += 1;
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{place}: {reference}"));
        assert!(document.pointer(pointer).is_some(), "{place}: nothing at {reference}");
    });
    assert!(references > 20);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    for name in schemas.keys() {
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)), "{name}");
        let reference = format!("\"#/components/schemas/{name}\"");
        assert!(document.to_string().contains(&reference), "nobody refers to {name}");
    }
    for (method, path, operation) in operations(document) {
        let place = format!("{method} {path}");
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
        assert!(operation["x-summary-zh"].as_str().is_some_and(is_chinese), "{place} has no Chinese summary");
        let responses = operation["responses"].as_object().expect("responses");
        assert!(responses.contains_key("default"), "{place}: errors are described");
        assert!(responses.keys().any(|status| status.starts_with('2')), "{place}");
        for response in responses.values() {
            assert!(response["description"].is_string(), "{place}");
            check_content(&response["content"], &place);
        }
        if let Some(body) = operation.get("requestBody") {
            assert!(body["content"].is_object(), "{place}");
            check_content(&body["content"], &place);
        }
        check_parameters(&path, &operation, &place);
    }
}

fn check_content(content: &Value, place: &str) {
    for (kind, media) in content.as_object().into_iter().flatten() {
        assert!(kind.contains('/'), "{place}: {kind}");
        assert!(media["schema"].is_object() || media["schema"].is_boolean(), "{place}: {kind}");
    }
}

/// Path parameters are declared, once each, and no others.
fn check_parameters(path: &str, operation: &Value, place: &str) {
    let parameters = operation["parameters"].as_array().expect("parameters");
    let mut seen = BTreeSet::new();
    for parameter in parameters {
        let (name, place_in) =
            (parameter["name"].as_str().expect("a name"), parameter["in"].as_str().expect("a place"));
        assert!(seen.insert((name.to_owned(), place_in.to_owned())), "{place}: {name} twice");
        assert!(parameter["schema"].is_object(), "{place}: {name}");
        match place_in {
            "path" => assert_eq!(parameter["required"], true, "{place}: {name}"),
            "query" => assert!(parameter["description"].is_string(), "{place}: {name}"),
            other => panic!("{place}: {name} is in {other}"),
        }
    }
    let declared: BTreeSet<&str> =
        seen.iter().filter(|(_, place)| place == "path").map(|(name, _)| name.as_str()).collect();
    let used: BTreeSet<&str> =
        path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
    assert_eq!(declared, used, "{place}");
}

/// Clients generate function names from operation ids: they may be added to, never changed.
#[test]
fn operation_ids_are_unique_and_stable() {
    let mut found = BTreeMap::new();
    for (method, path, operation) in operations(document()) {
        let id = operation["operationId"].as_str().expect("an operation id").to_owned();
        let before = found.insert(id.clone(), format!("{id} {method} {path}"));
        assert_eq!(before, None, "{id} twice");
    }
    let found: Vec<String> = found.into_values().collect();
    let written: Vec<&str> = include_str!("operations.txt").lines().collect();
    assert_eq!(found, written, "\nif this is meant, write into operations.txt:\n{}\n", found.join("\n"));
}

/// The reference page has a Chinese name for each of these, and for no others.
const GROUPS: &[&str] = &[
    "books",
    "cards",
    "characters",
    "checkpoints",
    "conversations",
    "jobs",
    "lines",
    "lore",
    "memories",
    "prompts",
    "rounds",
    "server",
    "settings",
    "worlds",
];

#[test]
fn every_operation_has_a_group_and_a_chinese_summary() {
    for (method, path, operation) in operations(document()) {
        let group = operation["tags"][0].as_str().expect("a group");
        assert!(GROUPS.contains(&group), "{method} {path}: {group}");
        let summary = operation["x-summary-zh"].as_str().unwrap_or_default();
        assert!(
            summary.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)),
            "{method} {path}: {summary:?}"
        );
    }
}

/// Every route of the document is answered, and its example is understood.
#[test]
fn every_example_is_accepted_by_its_route() {
    let mut examples = 0;
    for (method, path, operation) in api_operations() {
        let host = Host::with_world("{}");
        let path = path.replace("{world}", "w").replace("{conversation}", "c1").replace("{character}", "qin");
        let path = path.replace("{checkpoint}", "autosave-1").replace("{line}", "1");
        let path = path.replace("{round}", "1").replace("{memory}", "1");
        let path = path.replace("{job}", "consider:1:1:qin").replace("{question}", "2.1.consider:1:1:qin");
        let path = path.replace("{book}", "city").replace("{entry}", "0").replace("{card}", "seraphina");
        let media = &operation["requestBody"]["content"]["application/json"];
        let example = media.get("example").map(Value::to_string);
        host.done(
            "POST",
            "/v1/worlds/w/conversations",
            r#"{"id":"c1","name":"harbour","participants":["player","qin"]}"#,
        );
        // The examples speak of the sample world, so that they can be sent as they are from /docs.
        host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"lighthouse","participants":["mo","you"]}"#);
        let three = r#"{"lines":[{"speaker":"qin","attribute":"assistant","content":"1"},{"speaker":"qin","attribute":"assistant","content":"2"},
            {"speaker":"qin","attribute":"assistant","content":"3"}]}"#;
        host.done("POST", "/v1/worlds/w/conversations/c1/lines", three);
        host.done("POST", "/v1/worlds/w/conversations/c1/rounds", "{}");
        host.done("POST", "/v1/worlds/w/events", r#"{"text":"下雨了","witnesses":["qin"]}"#);
        host.done("PATCH", "/v1/worlds/w/memories/1", r#"{"shareable":true}"#);
        host.done("PUT", "/v1/worlds/w/checkpoints/autosave-1", "");
        host.done("PUT", "/v1/books/city", r#"{"entries":{"0":{"uid":0,"key":["a"]}}}"#);
        host.done("PUT", "/v1/cards/seraphina", r#"{"spec":"chara_card_v2","data":{"name":"Seraphina"}}"#);
        let target =
            if path.ends_with("/history") { format!("{path}?participants=qin") } else { path.clone() };
        let (status, answer) = host.send(&method, &target, example.as_deref().unwrap_or(""));
        assert_ne!(status, 405, "{method} {path}");
        assert!(answer["error"]["message"] != "there is nothing at this path", "{method} {path}");
        if let Some(example) = example {
            examples += 1;
            let sent = serde_json::from_str(&example).expect("JSON");
            assert_eq!(check(&media["schema"], &sent), Ok(()), "{method} {path} {example}");
            // Only a server has these, and its own suite sends them.
            let needs_server = path.starts_with("/v1/connections");
            assert!(
                status < 300 || needs_server && status == 503,
                "{method} {path} {example}: {status} {answer}"
            );
            let declared = operation["responses"].get(status.to_string());
            assert!(
                declared.is_some() || needs_server,
                "{method} {path} answers {status}, which is not declared"
            );
        }
        let takes_json = operation["requestBody"]["content"].get("application/json").is_some();
        assert!(!takes_json || media.get("example").is_some(), "{method} {path} has no example");
    }
    assert!(examples >= 10, "{examples}");
}

/// Query parameters of the document are those that are taken.
#[test]
fn declared_query_parameters_are_known_to_their_route() {
    for (method, path, operation) in api_operations() {
        let host = Host::with_world("{}");
        let path = path.replace("{world}", "w");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["in"] != "query" {
                continue;
            }
            let name = parameter["name"].as_str().unwrap_or_default();
            let (_, answer) = host.send(&method, &format!("{path}?{name}=1"), "");
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(!message.contains("unknown query parameter"), "{method} {path}?{name}");
        }
        let (status, answer) = host.send(&method, &format!("{path}?no-such-thing=1"), "");
        assert_eq!(status, 400, "{method} {path}: {answer}");
    }
}

/// Whatever has a closed list of words is a list of words in the description, and each of them is taken.
#[test]
fn closed_lists_are_enumerations_and_their_words_are_taken() {
    let words = |name: &str| -> Vec<String> {
        let listed = document()["components"]["schemas"][name]["enum"].as_array();
        let listed = listed.unwrap_or_else(|| panic!("{name} is no enumeration"));
        listed.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    // A word of the list stands in place of WORD.
    for (name, method, path, body) in [
        ("Preset", "PUT", "/v1/worlds/w", r#"{"preset":"WORD"}"#),
        ("Audience", "PUT", "/v1/worlds/w", r#"{"settings":{"audience":"WORD"}}"#),
        ("Language", "PUT", "/v1/worlds/w", r#"{"settings":{"language":"WORD"}}"#),
        ("TokenCounter", "PUT", "/v1/worlds/w", r#"{"settings":{"prompt.counter":"WORD"}}"#),
        ("HistoryScope", "PUT", "/v1/worlds/w", r#"{"settings":{"prompt.history":"WORD"}}"#),
        ("ProfileName", "PUT", "/v1/worlds/w", r#"{"settings":{"perspective.profile":"WORD"}}"#),
        ("SceneEmotion", "PUT", "/v1/worlds/w", r#"{"settings":{"perspective.emotion_in_scene":"WORD"}}"#),
        ("AddressedNames", "PUT", "/v1/worlds/w", r#"{"settings":{"perspective.addressed_names":"WORD"}}"#),
        ("PromptPreset", "PUT", "/v1/worlds/w", r#"{"settings":{"digest.prompts":"WORD"}}"#),
        ("CharacterKind", "PUT", "/v1/worlds/w/characters/a", r#"{"kind":"WORD"}"#),
        (
            "AttributeOrAlias",
            "POST",
            "/v1/perspective",
            r#"{"as":"a","lines":[{"attribute":"WORD","content":"x"}]}"#,
        ),
        ("ProfileName", "POST", "/v1/perspective", r#"{"as":"a","lines":[],"profile":"WORD"}"#),
        (
            "HistoryScope",
            "POST",
            "/v1/worlds/w/recall",
            r#"{"character":"a","participants":["a"],"history_scope":"WORD"}"#,
        ),
    ] {
        for word in words(name) {
            Host::with_world("{}").done(method, path, &body.replace("WORD", &word));
        }
        let (status, _) = Host::with_world("{}").send(method, path, body);
        assert_eq!(status, 400, "{name}");
    }
    for kind in words("CalendarKind").iter().filter(|kind| *kind != "custom") {
        Host::with_world(&json!({"settings": {"calendar.kind": kind}}).to_string());
    }
    for format in words("ExportFormat") {
        Host::with_world("{}").export("w", &format!("format={format}"));
    }
}

/// The command line and this page take their formats from one list.
#[test]
fn every_format_of_a_book_is_told() {
    let operation = &document()["paths"]["/v1/books/{book}/document"]["get"];
    let parameters = operation["parameters"].as_array().expect("parameters");
    let format = parameters.iter().find(|one| one["name"] == "format").expect("a format");
    let told = format["description"].as_str().expect("a text").split('`').skip(1).step_by(2);
    assert_eq!(told.collect::<Vec<_>>(), BookForm::names());
    assert_eq!(format["schema"]["enum"], json!(BookForm::names()));
}
