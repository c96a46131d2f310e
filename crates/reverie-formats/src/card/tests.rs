//! Cards in and out, as data.

use serde_json::{Value, json};

use super::*;

/// Cards of all versions, with fields that nobody knows.
pub(crate) fn samples() -> Vec<(Version, Value)> {
    let data = json!({
        "name": "ミラ", "description": "{{char}} keeps the harbor.", "personality": "quiet", "scenario": "", "first_mes": "…",
        "mes_example": "<START>\n{{user}}: hi", "creator_notes": "n", "system_prompt": "Be {{char}}.",
        "post_history_instructions": "Short.", "alternate_greetings": ["a, b", "c"], "tags": ["港", "sea"],
        "creator": "me", "character_version": "1.2", "odd": {"deep": [1, {"x": null}]},
        "extensions": {"world": "Harbor", "depth_prompt": {"prompt": "Remember.", "depth": "3", "role": "user"}, "f": 1},
        "character_book": {"name": "b", "extensions": {}, "entries": [
            {"keys": ["海"], "content": "Salt.", "extensions": {"e": 1}, "enabled": true, "insertion_order": 3, "id": 1, "u": 2},
        ]},
    });
    let mut v3 = data.clone();
    v3["nickname"] = json!("ミ");
    v3["group_only_greetings"] = json!([]);
    vec![
        (
            Version::V1,
            json!({"name": "Tom", "description": "d", "personality": "", "first_mes": "Hi", "x": 1}),
        ),
        (Version::V1, json!({"char_name": "Old", "char_persona": "p", "world_scenario": "w"})),
        (
            Version::V2,
            json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": data, "name": "ミラ", "creatorcomment": "n",
                "description": "{{char}} keeps the harbor.", "fav": false, "talkativeness": "0.5", "tags": "港, sea"}),
        ),
        (Version::V3, json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": v3})),
        (
            Version::V2,
            json!({"spec": "chara_card_v2", "data": {"name": 5, "character_book": null, "tags": null}}),
        ),
        (Version::V2, json!({"data": {"name": "x", "character_book": "none"}})),
    ]
}

fn read_value(value: &Value) -> CardDocument {
    read(value.to_string().as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn every_version_is_recognised_and_written_back_equal() {
    for (version, value) in samples() {
        let card = read_value(&value);
        assert_eq!(card.version, version, "{value}");
        assert_eq!(write(&card), value);
    }
}

#[test]
fn the_fields_are_read() {
    let (_, value) = samples().remove(3);
    let card = read_value(&value);
    assert_eq!(
        card.persona(),
        "Be {{char}}.\n\n{{char}} keeps the harbor.\n\nquiet\n\n<START>\n{{user}}: hi"
    );
    assert_eq!((card.called(), card.name.as_str()), ("ミ", "ミラ"));
    assert_eq!(card.called_besides(), Some("ミラ"));
    assert_eq!(card.alternate_greetings, ["a, b", "c"]);
    assert_eq!(card.world.as_deref(), Some("Harbor"));
    let prompt = DepthPrompt { prompt: "Remember.".to_owned(), depth: 3, role: Role::User };
    assert_eq!(card.depth_prompt, Some(prompt));
    let (book, warnings) = card.book.as_ref().unwrap().to_core("b", 0);
    assert_eq!((book.entries.len(), warnings.len()), (1, 0));
    let old = read_value(&samples().remove(1).1);
    assert_eq!((old.name.as_str(), old.persona().as_str()), ("Old", "p\n\nw"));
}

#[test]
fn a_change_reaches_every_copy_and_nothing_else() {
    let (_, value) = samples().remove(2);
    let mut card = read_value(&value);
    card.name = "Mira".to_owned();
    card.creator_notes = "new".to_owned();
    card.depth_prompt = None;
    card.book.as_mut().unwrap().entries.clear();
    let mut expected = value;
    expected["name"] = json!("Mira");
    expected["data"]["name"] = json!("Mira");
    expected["data"]["creator_notes"] = json!("new");
    expected["creatorcomment"] = json!("new");
    expected["data"]["extensions"]["depth_prompt"] = json!(null);
    expected["data"]["character_book"]["entries"] = json!([]);
    assert_eq!(write(&card), expected);
}

#[test]
fn odd_values_are_told() {
    let told = |index: usize| {
        let card = read_value(&samples().swap_remove(index).1);
        card.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told(4), Vec::<String>::new());
    assert_eq!(told(5), ["character_book: is no book; it is kept as it is"]);
    for text in ["{}", "[]", "5", "{\"name\": \"book\", \"description\": \"d\", \"entries\": []}"] {
        let error = read(text.as_bytes(), &Limits::default()).expect_err(text);
        assert!(error.message().contains("no character card"), "{error}");
    }
}
