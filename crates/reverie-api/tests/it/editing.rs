//! Editing entries over HTTP: whatever a client sends, the exported file has the types of the tool that it came from.

use reverie_api::wire::LorePosition;
use serde_json::{Value, json};

use crate::host::Host;
use crate::script::{talk, talk_to};

/// A book of each format with one entry, and where that one is in the file.
fn books() -> [(&'static str, Value, &'static str); 7] {
    let card = json!({"keys": ["旧"], "content": "旧", "extensions": {}, "enabled": true, "insertion_order": 1, "id": 5});
    let mut card_v3 = card.clone();
    card_v3["use_regex"] = json!(false);
    [
        (
            "sillytavern",
            json!({"entries": {"5": {"uid": 5, "key": ["旧"], "content": "旧", "order": 1}}}),
            "/entries/5",
        ),
        ("character_book_v2", json!({"extensions": {}, "entries": [card]}), "/entries/0"),
        ("character_book_v3", json!({"extensions": {}, "entries": [card_v3]}), "/entries/0"),
        (
            "lorebook_v3",
            json!({"spec": "lorebook_v3", "data": {"extensions": {}, "entries": [card_v3]}}),
            "/data/entries/0",
        ),
        (
            "risu",
            json!({"type": "risu", "ver": 1, "data": [{"key": "旧", "secondkey": "", "insertorder": 1, "comment": "",
                "content": "旧", "mode": "normal", "alwaysActive": false, "selective": false, "id": "5"}]}),
            "/data/0",
        ),
        (
            "agnai",
            json!({"kind": "memory", "name": "m", "description": "", "entries": [{"name": "n", "entry": "旧",
                "keywords": ["旧"], "priority": 1, "weight": 1, "enabled": true, "id": "5"}]}),
            "/entries/0",
        ),
        (
            "novelai",
            json!({"lorebookVersion": 5, "entries": [{"text": "旧", "displayName": "n", "id": "5", "keys": ["旧"],
                "enabled": true, "forceActivation": false, "contextConfig": {"budgetPriority": 1, "suffix": "\n"}}]}),
            "/entries/0",
        ),
    ]
}

/// A field: what clients may send for it, and what it is then, in the types of world info.
fn fields() -> Vec<(&'static str, Vec<Value>, Value)> {
    let flag = || (vec![json!("true"), json!(1), json!("yes"), json!(true)], json!(true));
    let mut fields = vec![
        ("key", vec![json!("剑, sword"), json!(["剑", "sword"])], json!(["剑", "sword"])),
        ("keysecondary", vec![json!("雾"), json!(["雾"])], json!(["雾"])),
        ("comment", vec![json!(7), json!("7")], json!("7")),
        ("content", vec![json!("新的一天"), json!("新的一天")], json!("新的一天")),
        ("selectiveLogic", vec![json!("and_all"), json!("AND_ALL"), json!("3"), json!(3)], json!(3)),
        ("order", vec![json!("40"), json!(40.0), json!(40)], json!(40)),
        ("position", vec![json!("an_top"), json!("note_top"), json!("2"), json!(2)], json!(2)),
        ("role", vec![json!("user"), json!("User"), json!(1)], json!(1)),
        ("depth", vec![json!("3"), json!(3)], json!(3)),
        ("delayUntilRecursion", vec![json!("2"), json!(2)], json!(2)),
        ("delayUntilRecursion", vec![json!("true"), json!(true)], json!(true)),
        ("probability", vec![json!("30"), json!(30)], json!(30)),
        ("group", vec![json!(["天气", "地点"]), json!("天气, 地点")], json!("天气, 地点")),
        ("groupWeight", vec![json!("7"), json!(7)], json!(7)),
        ("scanDepth", vec![json!("4"), json!(4)], json!(4)),
        ("sticky", vec![json!("2"), json!(2.0), json!(2)], json!(2)),
        ("cooldown", vec![json!("2"), json!(2)], json!(2)),
        ("delay", vec![json!("2"), json!(2)], json!(2)),
        (
            "characterFilter",
            vec![json!({"names": "甲"}), json!({"isExclude": false, "names": ["甲"], "tags": []})],
            json!({"isExclude": false, "names": ["甲"], "tags": []}),
        ),
        ("automationId", vec![json!(12), json!("12")], json!("12")),
        ("outletName", vec![json!("side")], json!("side")),
        ("triggers", vec![json!("normal, swipe"), json!(["normal", "swipe"])], json!(["normal", "swipe"])),
        ("displayIndex", vec![json!("3"), json!(3)], json!(3)),
        ("trigger", vec![json!("Semantic"), json!(1), json!("semantic")], json!("semantic")),
        ("priority", vec![json!("80"), json!(80)], json!(80)),
        ("relevance_weight", vec![json!("0.5"), json!(0.5)], json!(0.5)),
        ("emotional_weight", vec![json!("2"), json!(2)], json!(2)),
        ("time_decay", vec![json!("0.1"), json!(0.1)], json!(0.1)),
        ("tick", vec![json!("-4"), json!(-4)], json!(-4)),
        ("topics", vec![json!("海"), json!(["海"])], json!(["海"])),
        ("emotions", vec![json!("怒, 喜"), json!(["怒", "喜"])], json!(["怒", "喜"])),
        ("known_by", vec![json!("甲"), json!(["甲"])], json!(["甲"])),
        (
            "conditions",
            vec![json!({"fact": "x", "set": true}), json!([{"fact": "x", "set": true}])],
            json!([{"fact": "x", "set": true}]),
        ),
    ];
    let flags = [
        "constant",
        "vectorized",
        "selective",
        "disable",
        "excludeRecursion",
        "preventRecursion",
        "useProbability",
        "groupOverride",
        "useGroupScoring",
        "caseSensitive",
        "matchWholeWords",
        "ignoreBudget",
        "matchPersonaDescription",
        "matchCharacterDescription",
        "matchCharacterPersonality",
        "matchCharacterDepthPrompt",
        "matchScenario",
        "matchCreatorNotes",
        "addMemo",
        "use_regex",
    ];
    fields.extend(flags.map(|field| {
        let (sent, meant) = flag();
        (field, sent, meant)
    }));
    fields
}

/// Where a file of this format has a field, and what is written there; the first is where SillyTavern's own fields go.
fn native(format: &str, field: &str, meant: &Value) -> Vec<(String, Value)> {
    let at = |path: &str| vec![(path.to_owned(), meant.clone())];
    let flipped = || json!(!meant.as_bool().expect("a flag"));
    let commas = || {
        let items: Vec<&str> = meant.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        json!(items.join(", "))
    };
    let own = [
        "trigger",
        "priority",
        "relevance_weight",
        "emotional_weight",
        "time_decay",
        "tick",
        "topics",
        "emotions",
        "known_by",
        "conditions",
        "use_regex",
    ];
    let reverie = || at(&format!("/extensions/reverie/{field}"));
    match (format, field) {
        ("sillytavern", field) if own.contains(&field) => reverie(),
        ("sillytavern", field) => at(&format!("/{field}")),
        ("character_book_v2" | "character_book_v3" | "lorebook_v3", field) => match field {
            "key" => at("/keys"),
            "keysecondary" => at("/secondary_keys"),
            "order" => at("/insertion_order"),
            "disable" => vec![("/enabled".to_owned(), flipped())],
            "position" => vec![
                ("/extensions/position".to_owned(), meant.clone()),
                ("/position".to_owned(), json!("after_char")),
            ],
            "use_regex" => vec![("/use_regex".to_owned(), meant.clone()), reverie().remove(0)],
            "comment" | "content" | "constant" | "selective" | "priority" => at(&format!("/{field}")),
            "selectiveLogic" | "useProbability" | "probability" | "depth" | "role" | "group" | "sticky"
            | "cooldown" | "delay" | "vectorized" | "triggers" => at(&format!("/extensions/{field}")),
            "addMemo" => reverie(),
            field if own.contains(&field) => reverie(),
            field => {
                let snake: String = field
                    .chars()
                    .flat_map(|c| if c.is_uppercase() { vec!['_', c.to_ascii_lowercase()] } else { vec![c] })
                    .collect();
                at(&format!("/extensions/{snake}"))
            }
        },
        ("risu", "key") => vec![("/key".to_owned(), commas())],
        ("risu", "keysecondary") => vec![("/secondkey".to_owned(), commas())],
        ("risu", "constant") => at("/alwaysActive"),
        ("risu", "order") => at("/insertorder"),
        ("risu", "probability") => at("/activationPercent"),
        ("risu", "use_regex") => at("/useRegex"),
        ("risu", "caseSensitive") => at("/extentions/risu_case_sensitive"),
        ("risu", "comment" | "content" | "selective") => at(&format!("/{field}")),
        ("agnai", "key") => at("/keywords"),
        ("agnai", "keysecondary") => at("/secondaryKeys"),
        ("agnai", "comment") => at("/name"),
        ("agnai", "content") => at("/entry"),
        ("agnai", "order") => at("/weight"),
        ("agnai", "constant" | "selective" | "priority") => at(&format!("/{field}")),
        ("agnai" | "novelai", "disable") => vec![("/enabled".to_owned(), flipped())],
        ("novelai", "key") => at("/keys"),
        ("novelai", "comment") => at("/displayName"),
        ("novelai", "content") => at("/text"),
        ("novelai", "constant") => at("/forceActivation"),
        ("novelai", "order") => at("/contextConfig/budgetPriority"),
        _ => reverie(),
    }
}

#[test]
fn an_edit_is_exported_in_the_types_of_the_book_s_own_format() {
    let host = Host::new();
    for (format, book, place) in books() {
        for (field, sent, meant) in fields() {
            for value in &sent {
                let what = format!("{format}: {field} = {value}");
                assert_eq!(host.done("PUT", "/v1/books/b", &book.to_string())["format"], format);
                let body = json!({field: value}).to_string();
                let answer = host.done("PATCH", "/v1/books/b/entries/5", &body);
                assert_eq!(answer["fields"][field], meant, "{what}");
                assert_eq!(host.get("/v1/books/b/entries/5"), answer, "{what}");
                // The book is what it was but for this field.
                let mut expected = book.clone();
                for (pointer, value) in native(format, field, &meant) {
                    put(&mut expected, &format!("{place}{pointer}"), value);
                }
                assert_eq!(host.get("/v1/books/b/document"), expected, "{what}");
                // A null takes it back, and what the tool needs is still there.
                let answer = host.done("PATCH", "/v1/books/b/entries/5", &json!({field: null}).to_string());
                let is_usual = ["selective", "useProbability", "addMemo"].contains(&field);
                assert!(is_usual || answer["fields"].get(field) != Some(&meant), "{what}: {answer}");
                let entry = host.get("/v1/books/b/document").pointer(place).cloned().expect("an entry");
                assert!(entry["key"].is_array() || format != "sillytavern", "{what}: {entry}");
                assert!(entry["keys"].is_array() || !format.starts_with("character_book"), "{what}: {entry}");
            }
        }
        let made = host.send(
            "PUT",
            "/v1/books/b/entries/6",
            r#"{"key":"盾","position":"an_bottom","role":"assistant"}"#,
        );
        assert_eq!(
            (made.0, &made.1["fields"]["position"], &made.1["fields"]["role"]),
            (201, &json!(3), &json!(2))
        );
    }
}

fn put(document: &mut Value, pointer: &str, new: Value) {
    let mut at = document;
    for name in pointer.split('/').skip(1) {
        at = match at {
            Value::Array(items) => &mut items[name.parse::<usize>().expect("a number")],
            at => &mut at[name],
        };
    }
    *at = new;
}

#[test]
fn positions_go_by_the_names_that_answers_use() {
    let host = Host::new();
    host.done("PUT", "/v1/books/b", r#"{"entries":{"5":{"uid":5,"key":["a"]}}}"#);
    for (number, name) in LorePosition::ALL.iter().enumerate() {
        let answer = host.done("PATCH", "/v1/books/b/entries/5", &json!({"position": name}).to_string());
        assert_eq!(answer["fields"]["position"], number, "{name}");
    }
}

#[test]
fn fields_go_by_the_names_of_the_book_s_format_too() {
    for (format, changes, expected) in [
        (
            "character_book_v2",
            json!({"keys": "剑", "insertion_order": "3", "enabled": false, "match_whole_words": 1}),
            json!({"key": ["剑"], "order": 3, "disable": true, "matchWholeWords": true}),
        ),
        (
            "risu",
            json!({"secondkey": "雾", "insertorder": 3, "alwaysActive": "true", "useRegex": false}),
            json!({"keysecondary": ["雾"], "order": 3, "constant": true, "use_regex": false}),
        ),
        (
            "agnai",
            json!({"entry": "新", "keywords": "剑", "weight": "3", "name": "题"}),
            json!({"content": "新", "key": ["剑"], "order": 3, "comment": "题"}),
        ),
        (
            "novelai",
            json!({"text": "新", "displayName": "题", "forceActivation": 1, "budgetPriority": 3}),
            json!({"content": "新", "comment": "题", "constant": true, "order": 3}),
        ),
        (
            "sillytavern",
            json!({"keywords": "剑", "enabled": "false", "isConstant": true, "insertion_order": 3}),
            json!({"key": ["剑"], "disable": true, "constant": true, "order": 3}),
        ),
    ] {
        let host = Host::new();
        let (_, book, _) = books().into_iter().find(|(name, ..)| *name == format).expect("a book");
        host.done("PUT", "/v1/books/b", &book.to_string());
        let answer = host.done("PATCH", "/v1/books/b/entries/5", &changes.to_string());
        for (field, value) in expected.as_object().expect("an object") {
            assert_eq!(&answer["fields"][field], value, "{format} {field}: {answer}");
        }
    }
}

#[test]
fn ids_are_stable_and_of_the_type_of_their_format() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"3":{"uid":3,"key":["a"]},"4":{"uid":3,"key":["twice"]},"x":{"key":["none"]}}}
          201 {"warnings":["entry 3: uid: another entry has the same id; this one goes by 3-2"]}
        PATCH /v1/books/b/entries/3 {"uid":9}
          400 invalid ~ PUT it under that one
        PATCH /v1/books/b/entries/3 {"uid":"abc"}
          400 invalid ~ cannot be changed
        PATCH /v1/books/b/entries/3 {"uid":3,"content":"c"}
          200 {"id":"3","fields":{"uid":3,"content":"c"}}
        PATCH /v1/books/b/entries/3-2 {"uid":"3-2","content":"c"}
          200 {"id":"3-2","fields":{"uid":3}}
        PATCH /v1/books/b/entries/x {"uid":"x","content":"c"}
          200 {"id":"x","fields":{"content":"c"}}
        PUT /v1/books/b/entries/abc {"key":["a"]}
          400 invalid ~ for instance PUT /v1/books/b/entries/4; a name belongs into `comment`
        PUT /v1/books/b/entries/007 {"key":["a"]}
          400 invalid ~ have whole numbers for ids
        PUT /v1/books/b/entries/8 {"uid":9,"key":["a"]}
          400 invalid ~ cannot be changed
        PUT /v1/books/b/entries/8 {"uid":8,"key":["a"]}
          201 {"id":"8","fields":{"uid":8}}
        PUT /v1/books/b/entries/3-2 {"key":["again"]}
          200 {"id":"3-2","fields":{"uid":3,"key":["again"]}}
        GET /v1/books/b/document
          200 {"entries":{"3":{"uid":3,"content":"c"},"4":{"uid":3,"key":["again"]},"x":{"content":"c"},"8":{"uid":8}}}
        PUT /v1/books/n {"lorebookVersion":5,"entries":[]}
          201
        PUT /v1/books/n/entries/12 {"key":["a"]}
          201 {"id":"12","fields":{"uid":"12"}}
        PUT /v1/books/n/entries/abc {"key":["a"]}
          201 {"id":"abc","fields":{"uid":"abc"}}"#,
    );
}

#[test]
fn what_is_odd_is_told_wherever_an_entry_comes_in_and_refused_edits_say_what_to_do() {
    let card = r#"{"spec":"chara_card_v2","data":{"name":"Q","description":"d","character_book":{"entries":[{"id":0,"keys":["/[/"],"content":"x","extensions":{"depth":-3},"enabled":true,"insertion_order":1}]}}}"#;
    talk_to(
        &Host::new(),
        &format!(
            r#"
        PUT /v1/books/b {{"entries":{{"0":{{"uid":0,"key":["/[/"],"depth":-3}}}}}}
          201 {{"warnings":["entry 0: depth: -3 is below 0; 0 is used","entry 0: the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PUT /v1/books/b/entries/1 {{"key":["/[/"]}}
          201 {{"warnings":["the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"key":["/[a/"]}}
          200 {{"warnings":["the key \"/[a/\" is looked for as plain text: a class of characters that is not closed"]}}
        GET /v1/books/b/entries/1
          200 {{"warnings":["the key \"/[a/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"key":["好"]}}
          200 {{"warnings":[]}}
        PUT /v1/cards/q {card}
          201 {{"warnings":["entry 0: depth: -3 is below 0; 0 is used","entry 0: the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"depth":-3}}
          400 invalid ~ depth: -3 is not a whole number from 0 to 4294967295 send a whole number from 0 to 4294967295, or null to reset it; nothing was changed
        PATCH /v1/books/b/entries/1 {{"colour":"red"}}
          400 invalid ~ anything else goes into `extra`"#
        ),
    );
}

#[test]
fn what_no_tool_here_knows_is_shown_and_can_be_changed() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["a"],"colour":"red","extensions":{"theirs":{"x":1}}}}}
          201
        GET /v1/books/b/entries/0
          200 {"extra":{"colour":"red"},"extensions":{"theirs":{"x":1}}}
        PATCH /v1/books/b/entries/0 {"extra":{"colour":"blue","size":2},"extensions":{"theirs":{"y":2},"mine":true}}
          200 {"extra":{"colour":"blue","size":2},"extensions":{"theirs":{"x":1,"y":2},"mine":true}}
        PATCH /v1/books/b/entries/0 {"extra":{"size":null},"extensions":{"theirs":null}}
          200 {"extra":{"colour":"blue"},"extensions":{"mine":true}}
        GET /v1/books/b/document
          200 {"entries":{"0":{"uid":0,"key":["a"],"colour":"blue","extensions":{"mine":true}}}}
        PATCH /v1/books/b/entries/0 {"extra":{"position":"an_top"}}
          200 {"fields":{"position":2}}
        PATCH /v1/books/b/entries/0 {"extra":7}
          400 invalid ~ extra: must be an object"#,
    );
}

#[test]
fn a_card_is_no_book_and_a_book_is_no_card() {
    let host = Host::new();
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 16]].concat();
    let response = host.raw("PUT", "/v1/books/b", &png);
    assert_eq!(response.status, 400, "{}", String::from_utf8_lossy(&response.body));
    talk_to(
        &host,
        r#"
        PUT /v1/books/b {"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Q","description":"d"}}
          400 invalid ~ PUT it to /v1/cards/b
        PUT /v1/books/b {"name":"Q","description":"d","first_mes":"hi"}
          400 invalid ~ PUT it to /v1/cards/b
        PUT /v1/books/b {"what":"is this"}
          400 invalid ~ known are world info
        PUT /v1/cards/c {"entries":{"0":{"uid":0,"key":["a"]}}}
          400 invalid ~ PUT it to /v1/books/c
        PUT /v1/cards/c {"what":"is this"}
          400 invalid ~ Character Cards
        PUT /v1/books/b {"name":"空","scan_depth":4}
          201 {"name":"空","entries":0}
        GET /v1/books/b/document
          200 {"name":"空","scan_depth":4,"entries":{}}
        GET /v1/books
          200 {"items":[{"id":"b"}]}"#,
    );
}
