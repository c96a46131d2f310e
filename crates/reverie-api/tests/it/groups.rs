//! Does a bot learn who of many people said what to it?

use crate::stage::Stage;

/// A bot's world with these settings, in a group of three and alone with one of them.
fn check(settings: &str, group: &str, alone: &str) {
    let stage = Stage::new(settings);
    stage.host.done("PUT", "/v1/worlds/w", r#"{"preset":"bot"}"#);
    stage
        .tell("bot、甲、乙", "@甲: 吃了吗\n@乙: 没有\n@甲: 一起？")
        .check(r#"{"character":"bot"}"#, group)
        .tell("bot、丙", "@丙: 在吗\n@丙: 有事")
        .check(r#"{"character":"bot"}"#, alone);
}

#[test]
fn people_in_a_group_are_named_and_one_alone_is_not() {
    check("{}", "user | 甲：吃了吗⏎乙：没有⏎甲：一起？", "user | 在吗⏎有事");
}

#[test]
fn explicit_settings_win() {
    check(
        r#"{"perspective":{"addressed_names":"always","name_separator":": "}}"#,
        "user | 甲: 吃了吗⏎乙: 没有⏎甲: 一起？",
        "user | 丙: 在吗⏎丙: 有事",
    );
    check(
        r#"{"perspective":{"addressed_names":"hidden","addressed_joiner":" / "}}"#,
        "user | 吃了吗 / 没有 / 一起？",
        "user | 在吗 / 有事",
    );
}

/// Who names a profile gets that one, and may change it.
#[test]
fn a_named_profile_is_taken_as_it_is() {
    check(r#"{"perspective":{"profile":"example"}}"#, "user | 吃了吗没有一起？", "user | 在吗有事");
    check(
        r#"{"perspective":{"profile":"rule-text","addressed_names":"when-several"}}"#,
        "user | 甲: 吃了吗 乙: 没有 甲: 一起？",
        "user | 在吗 有事",
    );
}

/// What is just being said counts; the name beside a message is there as long as there is only one.
#[test]
fn the_newest_message_is_told_like_a_recorded_one() {
    let stage = Stage::new(r#"{"language":"en"}"#);
    stage.host.done("PUT", "/v1/worlds/w", r#"{"preset":"bot"}"#);
    stage
        .tell("bot、Ann、Ben", "@Ann: Anybody here?")
        .check(r#"{"character":"bot"}"#, "user(Ann) | Anybody here?")
        .check(
            r#"{"character":"bot","message":{"content":"Me.","speaker":"Ben"}}"#,
            "user | Ann：Anybody here?⏎Ben：Me.",
        )
        .tell("bot、Ann、Ben", "@Ben: Me.")
        .check(r#"{"character":"bot"}"#, "user | Ann：Anybody here?⏎Ben：Me.");
}

/// The other presets are for one player, under whatever name.
#[test]
fn elsewhere_nobody_is_named() {
    for preset in ["companion", "game"] {
        let stage = Stage::new("{}");
        stage.host.done("PUT", "/v1/worlds/w", &format!("{{\"preset\":\"{preset}\"}}"));
        stage
            .tell("白小喵、甲、乙", "@甲: 吃了吗\n@乙: 没有")
            .check(r#"{"character":"白小喵"}"#, "user | 吃了吗没有");
    }
}
