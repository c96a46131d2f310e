//! What may a cue set for its own prompt alone, what does that change, and what is refused?

use serde_json::{Value, json};

use crate::host::Host;
use crate::lore::with_book;

/// 钦灵 knows two facts, and is harder to remind than others.
fn host() -> Host {
    let host = Host::with_world(r#"{"settings":{"recall":{"threshold":0.2,"threshold@钦灵":1,"said":3}}}"#);
    host.done("PUT", "/v1/worlds/w/characters/%E9%92%A6%E7%81%B5", "{}");
    for text in ["王五怕水，从不下河。", "李四的船在港口。"] {
        let body = json!({"text": text, "kind": "semantic"}).to_string();
        host.done("POST", "/v1/worlds/w/characters/%E9%92%A6%E7%81%B5/memories", &body);
    }
    host
}

fn recall(host: &Host, settings: &Value) -> (u16, Value) {
    let cue = json!({"character": "钦灵", "history": [], "message": "王五为什么怕水？", "explain": true, "settings": settings});
    host.send("POST", "/v1/worlds/w/recall", &cue.to_string())
}

fn ids(memories: &Value) -> Vec<&str> {
    memories.as_array().into_iter().flatten().filter_map(|memory| memory["id"].as_str()).collect()
}

/// What a cue sets, and which memories then stand in its prompt.
#[test]
fn a_cue_chooses_for_its_own_prompt_and_for_no_other() {
    let host = host();
    let before = host.done("GET", "/v1/worlds/w", "");
    for (settings, expected) in [
        (json!({}), vec![]),
        (json!({"recall": {"threshold": 0.1}}), vec!["1"]),
        (json!({"recall": {"threshold": 0}}), vec!["1", "2"]),
        (json!({"recall": {"threshold": 0, "related": 0}}), vec!["1"]),
        (json!({"recall.threshold": "0.1"}), vec!["1"]),
        (json!({"recall": {"threshold@钦灵": 0.1}}), vec!["1"]),
        (json!({"recall": {"threshold@小明": 0.1}}), vec![]),
        // As if nobody had set it: the default is 0.3.
        (json!({"recall": {"threshold": null}}), vec!["1"]),
        (json!({"recall": {"threshold@钦灵": null}}), vec!["1"]),
        (json!({"recall": null}), vec!["1"]),
        (json!({"recall": {"threshold": 0.1, "enabled": false}}), vec![]),
        (json!({"recall": {"threshold": 0.1, "most": {"semantic": 0}}}), vec![]),
        (
            json!({"recall": {"threshold": 0.1, "lexical": 0, "semantic": 0, "related": 0, "keyword": 0, "emotional": 0}}),
            vec![],
        ),
        (json!({"recall": {"constant": {"semantic": true}}}), vec!["1", "2"]),
    ] {
        let (status, answer) = recall(&host, &settings);
        assert_eq!(status, 200, "{settings}: {answer}");
        assert_eq!(ids(&answer["memories"]), expected, "{settings}: {answer}");
    }
    assert_eq!(host.done("GET", "/v1/worlds/w", ""), before);
    let (_, after) = recall(&host, &json!({}));
    assert_eq!(ids(&after["memories"]), [""; 0], "nothing of it is left");
}

/// How something is shown, and not what: the answer is recorded with the same id.
#[test]
fn the_id_of_a_prompt_says_nothing_of_its_settings() {
    let host = host();
    let shown = |more: Value| {
        let mut settings = json!({"recall.threshold": 0.1});
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (_, answer) = recall(&host, &settings);
        (answer["id"].clone(), answer["messages"].clone())
    };
    let (id, messages) = shown(json!({}));
    let template = "{{#each memories}}※{{text}}{{/each}}";
    let (other_id, other_messages) = shown(json!({"recall.template": template, "recall.position": "user"}));
    assert_eq!(id, other_id);
    assert_ne!(messages, other_messages);
    assert!(other_messages.to_string().contains("※王五怕水"), "{other_messages}");
}

/// In the words in which a world's settings are.
#[test]
fn what_cannot_be_is_refused_as_a_worlds_setting_is() {
    let host = host();
    for settings in [
        json!({"recall": {"treshold": 0.5}}),
        json!({"recall": {"threshold": 1.5}}),
        json!({"recall": {"threshold": "a lot"}}),
        json!({"recall": {"said": 2.5}}),
        json!({"recall": {"threshold@钦灵": -1}}),
        json!({"recall": {"position": "左"}}),
        json!({"recall": {"template": "{{#each memories}}"}}),
        json!({"recall": true}),
        json!({"lore": {"depth": -1}}),
        json!({"lore": {"深度": 1}}),
        json!({"nonsense": 1}),
        json!({"recall": {"template": "长".repeat(2000)}}),
    ] {
        let (status, of_world) = host.send("PUT", "/v1/worlds/w", &json!({"settings": settings}).to_string());
        assert_eq!(status, 400, "{settings}: {of_world}");
        let (status, of_cue) = recall(&host, &settings);
        assert_eq!((status, &of_cue["error"]), (400, &of_world["error"]), "{settings}");
        let cue = json!({"character": "钦灵", "history": [], "message": "水", "settings": settings});
        let (status, of_preview) = host.send("POST", "/v1/worlds/w/lore/preview", &cue.to_string());
        assert_eq!((status, &of_preview["error"]), (400, &of_world["error"]), "{settings}");
    }
    for settings in
        [json!({"audience": "open"}), json!({"prompt": {"budget": 100}}), json!({"language": "en"})]
    {
        let (status, answer) = recall(&host, &settings);
        assert_eq!(status, 400, "{settings}: {answer}");
        let told = answer["error"].to_string();
        assert!(told.contains("cannot be set for one prompt") && told.contains("recall.*"), "{told}");
    }
}

/// A key that was named two messages ago, and how far back is searched.
#[test]
fn books_are_tried_with_other_settings_too() {
    let stage = with_book(r#"{"lore":{"depth":1}}"#, json!([{"key": ["青龙"], "content": "青龙守着东门。"}]));
    stage.tell("甲、乙", "@乙: 青龙在哪里？\n甲: 不知道。\n@乙: 算了。");
    for (settings, active) in [
        (json!({}), 0),
        (json!({"lore": {"depth": 3}}), 1),
        (json!({"lore.depth": 3, "recall.enabled": false}), 1),
        (json!({"lore": {"depth": 3, "budget_percent": 0, "budget_cap": 1}}), 0),
    ] {
        let cue = json!({"character": "甲", "conversation": "c1", "settings": settings}).to_string();
        let preview = stage.host.done("POST", "/v1/worlds/w/lore/preview", &cue);
        assert_eq!(preview["active"].as_array().map(Vec::len), Some(active), "{settings}: {preview}");
        let recalled = stage.recall(&cue);
        assert_eq!(recalled.to_string().contains("青龙守着东门"), active == 1, "{settings}: {recalled}");
    }
}

/// Of many that came to mind some are told, and all that stand in the prompt.
#[test]
fn as_many_are_explained_as_are_asked_for() {
    let host = host();
    for number in 0..20 {
        let body = json!({"text": format!("王五第{number}次说他怕水。"), "kind": "semantic"}).to_string();
        host.done("POST", "/v1/worlds/w/characters/%E9%92%A6%E7%81%B5/memories", &body);
    }
    let ask = |limit: Option<usize>| {
        let mut cue = json!({"character": "钦灵", "history": [], "message": "王五为什么怕水？", "explain": true,
            "settings": {"recall.threshold": 0, "recall.near_duplicate": 1}});
        limit.into_iter().for_each(|limit| cue["explain_limit"] = json!(limit));
        host.done("POST", "/v1/worlds/w/recall", &cue.to_string())
    };
    let all = ask(None);
    let (kept, considered) = (ids(&all["memories"]).len(), ids(&all["considered"]));
    assert!(kept > 0 && considered.len() > kept + 3, "{all}");
    assert_eq!(all.get("considered_in_all"), None);
    let some = ask(Some(3));
    assert_eq!((ids(&some["memories"]), ids(&some["considered"]).len()), (ids(&all["memories"]), kept + 3));
    assert_eq!(some["considered_in_all"], considered.len());
    let order: Vec<&str> =
        considered.iter().copied().filter(|id| ids(&some["considered"]).contains(id)).collect();
    assert_eq!(ids(&some["considered"]), order, "in the same order");
    for one in some["considered"].as_array().unwrap().iter().chain(some["memories"].as_array().unwrap()) {
        let place = considered.iter().position(|id| one["id"] == *id).unwrap();
        assert_eq!(one["rank"], place + 1, "{one}");
    }
    assert_eq!(ids(&ask(Some(0))["considered"]), ids(&all["memories"]));
}
