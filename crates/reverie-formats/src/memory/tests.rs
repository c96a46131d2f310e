//! Files in, entries out.

use reverie_core::lore::entry::Trigger;
use serde_json::json;

use super::*;

fn sample() -> Value {
    json!({
        "characterUuid": "5f2c", "lastSyncedAt": 1_760_000_000_000_i64, "unknown": {"kept": 0.1},
        "episodic": [
            {"id": "e1", "type": "episodic", "content": "在雪山上迷路了一整夜。", "keywords": ["雪山", " ", "迷路"],
             "triggerType": "emotional", "priority": 80, "isConstant": false, "roleUuid": "5f2c",
             "timestamp": 1_759_000_000_000_i64, "relevanceWeight": 0.7, "emotionalWeight": 0.9,
             "timeDecayFactor": 0.2, "relatedTopics": ["旅行"], "emotionalContext": ["恐惧"], "accessCount": 4},
            {"timestamp": 1_759_000_000_000_i64, "content": "Had tea."},
            {"id": "e3", "content": "  "},
            5
        ],
        "semantic": [{"id": "e1", "content": "猫が好き。", "updatedAt": 1_759_000_000_000_i64, "tags": ["動物"],
                      "triggerType": "SEMANTIC", "keywords": "猫"}],
        "traits": [{"name": "temper", "value": "calm", "confidence": 0.8}, "shy",
                   {"name": "x", "value": "y", "isConstant": false, "priority": 900}],
        "goals": [{"value": "find the shrine", "priority": "30", "relevanceWeight": -1}]
    })
}

fn read(value: &Value) -> Result<MemoryFile> {
    MemoryFile::read(value.to_string().as_bytes(), &Limits::default())
}

#[test]
fn records_are_read_and_kinds_fill_in() {
    let memory = read(&sample()).expect("a memory");
    let told: Vec<String> = memory.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "episodic[2] has no text",
            "episodic[3] has no text",
            "entry e1: id: another record has the same id; this one, of semantic, goes by its place in the file"
        ]
    );
    assert_eq!((memory.character.as_deref(), memory.last_synced_ms), (Some("5f2c"), Some(1_760_000_000_000)));
    let seen: Vec<(&str, &str, i64, bool, f64, f64, f64)> = memory
        .records
        .iter()
        .map(|r| {
            let kind = r.kind.as_str();
            (
                kind,
                r.content.as_str(),
                r.priority,
                r.constant,
                r.relevance_weight,
                r.emotional_weight,
                r.time_decay,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("episodic", "在雪山上迷路了一整夜。", 80, false, 0.7, 0.9, 0.2),
            ("episodic", "Had tea.", 50, false, 0.8, 0.5, 0.1),
            ("semantic", "猫が好き。", 60, false, 0.9, 0.3, 0.05),
            ("trait", "temper: calm", 70, true, 1.0, 0.5, 0.01),
            ("trait", "shy", 70, true, 1.0, 0.5, 0.01),
            ("trait", "x: y", 100, false, 1.0, 0.5, 0.01),
            ("goal", "find the shrine", 30, false, 0.8, 0.7, 0.02),
        ]
    );
    assert_eq!(serde_json::from_str::<Value>(&memory.write()).ok(), Some(sample()));
    assert_eq!(memory.records[0].source["accessCount"], json!(4));
}

#[test]
fn records_become_entries_that_one_character_knows() {
    let entries = read(&sample()).expect("a memory").entries();
    let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_ref()).collect();
    assert_eq!(ids, ["e1", "episodic-1", "semantic-2", "trait-3", "trait-4", "trait-5", "goal-6"]);
    assert!(entries.iter().all(|entry| entry.known_by == ["5f2c"] && entry.tick.is_none()));
    let first = &entries[0];
    assert_eq!((first.comment.as_str(), first.trigger), ("episodic", Trigger::Emotional));
    assert_eq!(
        (&first.keys[..], &first.topics[..], &first.emotions[..]),
        (&["雪山".to_owned(), "迷路".to_owned()][..], &["旅行".to_owned()][..], &["恐惧".to_owned()][..])
    );
    assert!(entries[2].vectorized && entries[2].keys == ["猫"] && entries[2].topics == ["動物"]);
    assert!(entries[3].constant && !entries[5].constant);
    let at = read(&sample()).expect("a memory").entries_at(&|ms| Some(ms / 1000));
    assert_eq!((at[0].tick, at[3].tick), (Some(1_759_000_000), None));
}

#[test]
fn what_is_no_memory_is_refused() {
    for (value, expected) in [
        (json!({}), "has none of the lists"),
        (json!([]), "has none of the lists"),
        (json!({"episodic": "a"}), "has none of the lists"),
    ] {
        let error = read(&value).expect_err(expected);
        assert!(error.message().contains(expected), "{error}");
    }
    let limits = Limits { entries: 2, ..Limits::default() };
    let error = MemoryFile::read(sample().to_string().as_bytes(), &limits).expect_err("too many");
    assert!(error.message().contains("more than 2 records"), "{error}");
    assert!(read(&json!({"goals": []})).is_ok_and(|memory| memory.records.is_empty()));
    let odd =
        read(&json!({"episodic": "x", "semantic": null, "traits": {"a": 1}, "goals": []})).expect("a memory");
    let told: Vec<String> = odd.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "episodic: \"x\" is not a list; it is left aside",
            "traits: {\"a\":1} is not a list; it is left aside"
        ]
    );
}

#[test]
fn a_book_becomes_the_memory_that_it_was_with_what_was_edited() {
    let memory = read(&sample()).expect("a memory");
    let made = memory.to_book("m").expect("a book");
    // As it would come back from a tool: through JSON, by the numbers that the tool knows.
    let written = crate::book::write(&made);
    assert_eq!(written["entries"]["2"]["uid"], json!(2));
    let mut book = crate::book::from_value(written, made.format, &Limits::default()).expect("a book");
    assert_eq!(MemoryFile::from_book(&book), Some(sample()));
    assert_eq!(MemoryFile::from_book(&made), Some(sample()));
    assert_eq!(MemoryFile::whole_from_book(&made), Some(sample()));
    for (changes, is_whole) in [
        (
            json!({"priority": 5, "known_by": ["别人"], "disable": true, "trigger": "Semantic", "comment": "goal"}),
            true,
        ),
        (json!({"sticky": 2}), false),
        (json!({"position": 4}), false),
        (json!({"comment": "笔记"}), false),
        (json!({"characterFilter": {"isExclude": false, "names": ["雪"], "tags": []}}), false),
    ] {
        let mut other = made.clone();
        let source = &other.entries[0].source;
        let patched = crate::book::patch_entry(source, made.format, changes.as_object().expect("an object"));
        other.entries[0].source = patched.expect("an edit");
        assert_eq!(MemoryFile::whole_from_book(&other).is_some(), is_whole, "{changes}");
    }

    let mut edit = |number: usize, changes: Value| {
        let entry = &mut book.entries[number];
        let changes = changes.as_object().expect("an object");
        entry.source = crate::book::patch_entry(&entry.source, made.format, changes).expect("an edit");
    };
    edit(0, json!({"priority": "75", "trigger": "Keyword", "known_by": ["别人"], "disable": true}));
    edit(2, json!({"content": "犬が好き。", "topics": "犬"}));
    edit(3, json!({"content": "temper: fierce", "relevance_weight": null}));
    edit(4, json!({"content": "bold"}));
    edit(6, json!({"content": "leave the shrine", "key": "神社"}));
    let mut expected = sample();
    expected["episodic"][0]["priority"] = json!(75);
    expected["episodic"][0]["triggerType"] = json!("keyword");
    expected["semantic"][0]["content"] = json!("犬が好き。");
    expected["semantic"][0]["tags"] = json!(["犬"]);
    expected["traits"][0]["value"] = json!("fierce");
    expected["traits"][1] = json!("bold");
    expected["goals"][0]["value"] = json!("leave the shrine");
    expected["goals"][0]["keywords"] = json!(["神社"]);
    assert_eq!(MemoryFile::from_book(&book), Some(expected.clone()));

    let fields = json!({"content": "海に行く", "comment": "goal", "constant": true, "emotions": "喜"});
    let source = crate::book::new_entry(made.format, &json!(7), fields.as_object().expect("an object"))
        .expect("an entry");
    book.entries.push(crate::book::BookEntry { id: "7".to_owned(), slot: None, source });
    book.entries.remove(1);
    expected["episodic"].as_array_mut().expect("a list").remove(1);
    expected["goals"].as_array_mut().expect("a list").push(json!(
        {"id": "7", "content": "海に行く", "isConstant": true, "emotionalContext": ["喜"]}
    ));
    let now = MemoryFile::from_book(&book).expect("a memory");
    assert_eq!((&now["goals"], &now["traits"]), (&expected["goals"], &expected["traits"]));
    assert_eq!(now["episodic"].as_array().map(Vec::len), Some(3));
    let again = read(&now).expect("it can be read again");
    assert_eq!(again.records.len(), 7);

    let other = crate::book::new_book(made.format, "x");
    assert_eq!(MemoryFile::from_book(&other), None);
}

/// What was set since that such a file cannot say is told, once for each field.
#[test]
fn what_a_memory_cannot_say_is_told() {
    let file = json!({"characterUuid": "u-1", "semantic": [
        {"id": "a", "content": "tea", "keywords": ["tea"], "triggerType": "semantic", "roleUuid": "u-2"},
        {"id": "b", "content": "sea", "isConstant": true, "tags": ["x"]}]});
    let memory = MemoryFile::read(file.to_string().as_bytes(), &Limits::default()).unwrap();
    let mut book = memory.to_book("memory").unwrap();
    assert_eq!(MemoryFile::unsaid(&book), vec![]);
    for (index, edit) in [
        (0, json!({"sticky": 3, "known_by": ["u-1"], "disable": true})),
        (1, json!({"sticky": 1, "key": ["new"], "comment": "mine"})),
    ] {
        let source = &mut book.entries[index].source;
        *source = crate::book::patch_entry(source, book.format, edit.as_object().unwrap()).unwrap();
    }
    let mut told: Vec<String> = MemoryFile::unsaid(&book).iter().map(ToString::to_string).collect();
    told.sort();
    let expected =
        [("comment", "1 entry"), ("disable", "1 entry"), ("known_by", "1 entry"), ("sticky", "2 entries")];
    assert_eq!(
        told,
        expected.map(|(field, count)| format!("{field}: a memory.json cannot say this (in {count})"))
    );
}
