//! Who must have heard a thing from elsewhere before it may enter a prompt?

use crate::stage::Stage;

/// A bot in two groups and a private chat, under each policy.
fn check(settings: &str, cue: &str, expected: &str) {
    let stage = Stage::new(settings);
    stage
        .tell("bot、甲", "100 @甲: 私聊：密码是七")
        .tell("bot、甲、乙、丙", "200 @丙: 大群：周五聚餐\n210 @甲 →bot: 大群耳语")
        .tell("别处: bot、甲、乙", "300 @乙: 旁厅：下雨了\n310 @甲 →bot: 旁厅耳语")
        .tell("bot、甲、乙", "400 @甲: 小群：开会\n410 @甲 →bot: 小群耳语\n420 @乙: 好");
    stage.check(cue, expected);
}

const OPEN: &str = "
    system | [背景参考资料]⏎丙：大群：周五聚餐⏎甲：大群耳语
    user   | 旁厅：下雨了旁厅耳语小群：开会小群耳语好";

#[test]
fn open_lets_in_what_the_character_itself_witnessed() {
    check("{}", r#"{"character":"bot"}"#, OPEN);
    check(r#"{"audience":"open"}"#, r#"{"character":"bot"}"#, OPEN);
}

#[test]
fn same_conversation_lets_in_nothing_from_elsewhere() {
    let settings = r#"{"audience":"same-conversation"}"#;
    for cue in [r#"{"character":"bot"}"#, r#"{"character":"bot","history_scope":"primary"}"#] {
        check(settings, cue, "user | 小群：开会小群耳语好");
    }
}

#[test]
fn strict_lets_in_what_everybody_present_witnessed() {
    check(
        r#"{"audience":"strict"}"#,
        r#"{"character":"bot"}"#,
        "
        system | [背景参考资料]⏎丙：大群：周五聚餐
        user   | 旁厅：下雨了小群：开会小群耳语好",
    );
}

#[test]
fn the_bot_preset_is_strict() {
    let stage = Stage::new("{}");
    stage.host.done("PUT", "/v1/worlds/w", r#"{"preset":"bot"}"#);
    stage
        .tell("bot、甲、丙", "@甲 →bot: 别告诉乙和丙")
        .tell("bot、甲", "@甲: 早")
        .check(r#"{"character":"bot"}"#, "system | [背景参考资料]⏎甲：别告诉乙和丙\nuser | 早")
        .tell("bot、丙", "@丙: 早")
        .check(r#"{"character":"bot"}"#, "user | 早");
}

/// Whoever is being answered hears the answer, known to be present or not; and as far as a bot knows, a group in which one
/// person spoke so far has the same people in it as their private chat.
#[test]
fn a_private_chat_does_not_reach_a_group() {
    let stage = Stage::new("{}");
    stage.host.done("PUT", "/v1/worlds/w", r#"{"preset":"bot"}"#);
    stage.tell("bot、甲", "@甲: 秘密");
    stage.tell("群: bot", "@甲: 大家好").check(r#"{"character":"bot"}"#, "user | 大家好");
    stage.tell("bot、甲、丁", "@甲: 三人的事").tell("新群: bot", "旁白: 群开了");
    for speaker in ["丙", "陌生人"] {
        let cue = format!(r#"{{"character":"bot","message":{{"content":"在吗","speaker":"{speaker}"}}}}"#);
        stage.check(&cue, "user | {旁白：群开了}⏎在吗");
    }
}

/// Directions to everyone are history like any other once somebody has spoken: however many, the chat goes on.
#[test]
fn directions_to_everyone_are_cut_like_other_history() {
    let stage = Stage::new("{}");
    stage.tell("甲、乙", "#: 开场\n#乙: 你叫乙");
    for turn in 0..60 {
        stage.tell("甲、乙", &format!("#: 第{turn}幕，灯光渐暗，众人散去\n@甲: 第{turn}句"));
    }
    let answer = stage.recall(r#"{"character":"乙","budget":300}"#);
    let contents: Vec<&str> = answer["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter_map(|m| m["content"].as_str())
        .collect();
    assert_eq!(contents[..2], ["开场", "你叫乙"]);
    assert_eq!(contents.last(), Some(&"第59句"));
    assert!(contents.len() < 30 && !contents.iter().any(|content| content.contains("第1幕")), "{contents:?}");
}

/// Late arrivals, leavers and whispers, in the words of those who were there.
#[test]
fn a_character_knows_only_what_it_witnessed() {
    let stage = Stage::new("{}");
    let id = stage.open("酒馆: 甲、乙");
    stage.tell("酒馆: 甲、乙", "@甲: 一\n甲 →乙: 悄悄话");
    let present = format!("/v1/worlds/w/conversations/{id}/present");
    stage.host.done("PUT", &present, r#"{"present":["甲","乙","丙"]}"#);
    stage.tell("酒馆: 甲、乙", "@甲: 二");
    stage.host.done("PUT", &present, r#"{"present":["甲","丙"]}"#);
    stage.tell("酒馆: 甲、乙", "@甲: 三\n丁: 我也来了\n@甲: 四");
    stage
        .check(r#"{"character":"乙"}"#, "user | {甲：一⏎甲：悄悄话}⏎二")
        .check(r#"{"character":"丙"}"#, "user | {甲：二⏎甲：三⏎丁：我也来了}⏎四")
        .check(r#"{"character":"丁"}"#, "assistant | 我也来了\nuser | 四")
        .check(r#"{"character":"戊"}"#, "");
}
