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
    assert_eq!(told, ["episodic[2] has no text", "episodic[3] has no text"]);
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
}
