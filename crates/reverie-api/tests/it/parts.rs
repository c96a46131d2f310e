//! Who speaks in a message, and which parts is a prompt made of?

use serde_json::Value;

use crate::stage::Stage;

/// `name` only where providers take it, and never a change of the content.
#[test]
fn names_stand_where_they_fit() {
    for (speaker, label, expected) in [
        ("alice", None, "user(alice) | hi"),
        ("alice", Some("Alice-2_b"), "user(Alice-2_b) | hi"),
        ("alice", Some("Alice B"), "user(alice) | hi"),
        ("a.b", Some("爱丽丝"), "user | hi"),
        (&"a".repeat(64), None, &format!("user({}) | hi", "a".repeat(64))),
        (&"a".repeat(65), None, "user | hi"),
    ] {
        let stage = Stage::new("{}");
        let id = stage.open(&format!("{speaker}、钦灵"));
        let lines = format!(r#"{{"lines":[{{"speaker":"{speaker}","attribute":"user","content":"hi"}}]}}"#);
        stage.host.done("POST", &format!("/v1/worlds/w/conversations/{id}/lines"), &lines);
        if let Some(label) = label {
            stage.put_character(speaker, &format!(r#"{{"display_name":"{label}"}}"#));
        }
        stage.check(r#"{"character":"钦灵"}"#, expected);
    }
    let stage = Stage::new("{}");
    stage.tell("a、b、c", "@a: one\n@b: two\nc: three\n@a: four\n旁白: five\n@b: six\n@b: seven").check(
        r#"{"character":"c"}"#,
        "
        user         | onetwo
        assistant(c) | three
        user(b)      | {a：four⏎旁白：five}⏎sixseven",
    );
}

/// A message is told the same before and after it is recorded, so that a provider's cache holds.
#[test]
fn a_message_reads_the_same_before_and_after_it_is_recorded() {
    let stage = Stage::new("{}");
    stage.put_character("player", r#"{"display_name":"Lime"}"#).tell("player、bot", "@Lime: hello\nbot: hi");
    let before = stage.recall(r#"{"character":"bot","message":{"content":"and?","speaker":"player"}}"#);
    stage.tell("player、bot", "@Lime: and?");
    assert_eq!(stage.recall(r#"{"character":"bot"}"#)["messages"], before["messages"]);
}

#[test]
fn blocks_are_the_same_parts_for_hosts_that_build_their_own() {
    let stage = Stage::new("{}");
    stage
        .tell("钦灵、莱姆、白小喵", "白小喵: 别处")
        .tell("钦灵、莱姆", "#钦灵: 你叫钦灵\n@莱姆: 一\n钦灵: 二\n@莱姆: 三");
    let answer =
        stage.recall(r#"{"character":"钦灵","scene":{"place":"港口"},"other":{"天气":"雨"},"message":"四"}"#);
    assert_eq!(
        blocks(&answer),
        [
            "persona 5 system 你叫钦灵 [2]",
            "background 4 system [背景参考资料]⏎白小喵：别处 [1]",
            "history 3 user 一 [3]",
            "history 2 assistant 二 [4]",
            "scene 1 system [场景]⏎地点：港口 []",
            "other 1 system [其他资料]⏎天气：雨 []",
            "history 0 user 三 [5]",
            "message 0 user 四 []",
        ]
    );
    assert_eq!(answer["left_out"], serde_json::json!([]));
    assert_eq!(answer["degraded"], serde_json::json!([]));
}

/// In one message with what is said, and apart for hosts that build their own.
#[test]
fn memories_in_somebodys_words_are_blocks_of_their_own() {
    let stage = Stage::new("{}");
    stage.tell("bot、Lime", "@Lime: one\nbot: two\n@Lime: three");
    let memory = r#"{"text":"M","kind":"trait"}"#;
    stage.host.done("POST", "/v1/worlds/w/characters/bot/memories", memory);
    let cue = |position: &str| {
        let settings = format!(
            r#"{{"recall":{{"position":"{position}","template":"{{{{#each memories}}}}{{{{text}}}}{{{{/each}}}}"}}}}"#
        );
        stage.recall(&format!(r#"{{"character":"bot","scene":{{"place":"港口"}},"settings":{settings}}}"#))
    };
    assert_eq!(
        blocks(&cue("user")),
        [
            "history 3 user one [1]",
            "history 2 assistant two [2]",
            "scene 1 system [场景]⏎地点：港口 []",
            "memory 0 user M []",
            "message 0 user three [3]",
        ]
    );
    assert_eq!(
        blocks(&cue("assistant")),
        [
            "history 3 user one [1]",
            "history 2 assistant two [2]",
            "memory 2 assistant M []",
            "scene 1 system [场景]⏎地点：港口 []",
            "message 0 user three [3]",
        ]
    );
    assert_eq!(cue("user")["messages"][3]["content"], "M\n\nthree");
    assert_eq!(cue("user")["messages"][3]["name"], "Lime");
}

/// `position depth role text [sources]`.
fn blocks(answer: &Value) -> Vec<String> {
    let row = |block: &Value| {
        let sources: Vec<&str> =
            block["sources"].as_array().into_iter().flatten().filter_map(|id| id.as_str()).collect();
        format!(
            "{} {} {} {} [{}]",
            block["position"].as_str().unwrap_or_default(),
            block["depth"],
            block["role"].as_str().unwrap_or_default(),
            block["text"].as_str().unwrap_or_default().replace('\n', "⏎"),
            sources.join(",")
        )
    };
    (answer["blocks"].as_array().into_iter().flatten()).map(row).collect()
}
