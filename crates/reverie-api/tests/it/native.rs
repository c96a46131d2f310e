//! Editing entries over HTTP: whatever a client sends, the exported file has the types of the tool that it came from.

use serde_json::{Value, json};

use crate::host::Host;

/// A format: the id of an entry in its type, an entry without it, and the file around its entries.
struct Tool {
    format: &'static str,
    id: fn(usize) -> Value,
    entry: Value,
    around: fn(Vec<Value>) -> Value,
}

impl Tool {
    /// A book of so many entries.
    fn book(&self, entries: usize) -> Value {
        let name = if self.format == "sillytavern" { "uid" } else { "id" };
        let entry = |number: usize| {
            let mut entry = self.entry.clone();
            entry[name] = (self.id)(number);
            entry
        };
        (self.around)((0..entries).map(entry).collect())
    }

    /// Where an entry is in the file.
    fn place(&self, number: usize) -> String {
        match self.format {
            "lorebook_v3" => format!("/data/entries/{number}"),
            "risu" => format!("/data/{number}"),
            _ => format!("/entries/{number}"),
        }
    }
}

fn tools() -> [Tool; 7] {
    let text: fn(usize) -> Value = |number| json!(number.to_string());
    let number: fn(usize) -> Value = |number| json!(number);
    let card =
        json!({"keys": ["旧"], "content": "旧", "extensions": {}, "enabled": true, "insertion_order": 1});
    let mut card_v3 = card.clone();
    card_v3["use_regex"] = json!(false);
    let tool = |format, id, entry, around| Tool { format, id, entry, around };
    [
        tool("sillytavern", number, json!({"key": ["旧"], "content": "旧", "order": 1}), |entries| {
            let named = entries.into_iter().enumerate().map(|(number, entry)| (number.to_string(), entry));
            json!({"entries": serde_json::Map::from_iter(named)})
        }),
        tool("character_book_v2", number, card, |entries| json!({"extensions": {}, "entries": entries})),
        tool(
            "character_book_v3",
            number,
            card_v3.clone(),
            |entries| json!({"extensions": {}, "entries": entries}),
        ),
        tool(
            "lorebook_v3",
            number,
            card_v3,
            |entries| json!({"spec": "lorebook_v3", "data": {"extensions": {}, "entries": entries}}),
        ),
        tool(
            "risu",
            text,
            json!({"key": "旧", "secondkey": "", "insertorder": 1, "comment": "", "content": "旧", "mode": "normal",
                "alwaysActive": false, "selective": false}),
            |entries| json!({"type": "risu", "ver": 1, "data": entries}),
        ),
        tool(
            "agnai",
            text,
            json!({"name": "n", "entry": "旧", "keywords": ["旧"], "priority": 1, "weight": 1, "enabled": true}),
            |entries| json!({"kind": "memory", "name": "m", "description": "", "entries": entries}),
        ),
        tool(
            "novelai",
            text,
            json!({"text": "旧", "displayName": "n", "keys": ["旧"], "enabled": true, "forceActivation": false,
                "contextConfig": {"budgetPriority": 1, "suffix": "\n"}}),
            |entries| json!({"lorebookVersion": 5, "entries": entries}),
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
        // Which has no switch: no chance stands for it, and what the chance was beside it.
        ("risu", "disable") if *meant == json!(true) => {
            let mut places = reverie();
            places.push(("/extensions/reverie/activationPercent".to_owned(), Value::Null));
            places.push(("/activationPercent".to_owned(), json!(0)));
            places
        }
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

/// Of every format, an entry for each way to say each field.
#[test]
fn an_edit_is_exported_in_the_types_of_the_book_s_own_format() {
    let host = Host::new();
    for tool in tools() {
        let format = tool.format;
        let cases: Vec<(&str, Value, Value)> = fields()
            .into_iter()
            .flat_map(|(field, sent, meant)| sent.into_iter().map(move |value| (field, value, meant.clone())))
            .collect();
        let mut expected = tool.book(cases.len());
        assert_eq!(host.done("PUT", "/v1/books/b", &expected.to_string())["format"], format);
        for (number, (field, value, meant)) in cases.iter().enumerate() {
            let path = format!("/v1/books/b/entries/{number}");
            let answer = host.done("PATCH", &path, &json!({*field: value}).to_string());
            assert_eq!(&answer["fields"][field], meant, "{format}: {field} = {value}");
            assert_eq!(host.get(&path), answer, "{format}: {field} = {value}");
            for (pointer, value) in native(format, field, meant) {
                put(&mut expected, &format!("{}{pointer}", tool.place(number)), value);
            }
        }
        // All is as it was but for these fields.
        let exported = host.get("/v1/books/b/document");
        for (number, (field, value, _)) in cases.iter().enumerate() {
            let place = tool.place(number);
            assert_eq!(exported.pointer(&place), expected.pointer(&place), "{format}: {field} = {value}");
        }
        assert_eq!(exported, expected, "{format}");
    }
}

#[test]
fn a_null_resets_a_field_to_what_the_tool_expects_to_find() {
    let host = Host::new();
    for tool in tools() {
        let all: serde_json::Map<String, Value> =
            fields().into_iter().map(|(field, _, meant)| (field.to_owned(), meant)).collect();
        host.done("PUT", "/v1/books/b", &tool.book(0).to_string());
        let fresh = host.done("PUT", "/v1/books/b/entries/0", "{}");
        let before = host.get("/v1/books/b/document");
        host.done("PATCH", "/v1/books/b/entries/0", &Value::Object(all.clone()).to_string());
        assert_ne!(host.get("/v1/books/b/document"), before);
        let nulls: serde_json::Map<String, Value> =
            all.keys().map(|field| (field.clone(), Value::Null)).collect();
        let reset = host.done("PATCH", "/v1/books/b/entries/0", &Value::Object(nulls).to_string());
        assert_eq!(reset["fields"], fresh["fields"], "{}", tool.format);
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
        let tool = tools().into_iter().find(|tool| tool.format == format).expect("a tool");
        host.done("PUT", "/v1/books/b", &tool.book(1).to_string());
        let answer = host.done("PATCH", "/v1/books/b/entries/0", &changes.to_string());
        for (field, value) in expected.as_object().expect("an object") {
            assert_eq!(&answer["fields"][field], value, "{format} {field}: {answer}");
        }
    }
}
