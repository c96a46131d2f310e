//! What did these people say among themselves, and what with others around?

use crate::host::encode;
use crate::stage::Stage;

/// Contents of one list of a history.
fn contents(stage: &Stage, query: &str, list: &str) -> String {
    let history = stage.host.get(&format!("/v1/worlds/w/history?{query}"));
    let lines = history[list].as_array().cloned().unwrap_or_default();
    lines.iter().filter_map(|line| line["content"].as_str()).collect::<Vec<_>>().join(" ")
}

fn of(people: &str) -> String {
    people.split('、').map(|id| format!("participants={}", encode(id))).collect::<Vec<_>>().join("&")
}

#[test]
fn primary_is_exactly_these_and_ancillary_these_and_others() {
    let stage = Stage::new("{}");
    stage
        .tell("甲、乙", "100 @甲: a1\n300 乙: a2")
        .tell("密室: 甲、乙", "200 @甲: b1\n200 乙 →甲: b2\n350 @甲 →乙: b3")
        .tell("甲、乙、丙", "150 丙: c1\n250 @甲: c2")
        .tell("集市: 甲、乙、丁", "260 丁: d1\n@甲 →丁: d2")
        .tell("丙、丁", "500 丙: e1");
    for (people, asker, primary, ancillary) in [
        ("甲、乙", "", "a1 b1 b2 a2 b3", "c1 c2 d1 d2"),
        ("乙、甲", "", "a1 b1 b2 a2 b3", "c1 c2 d1 d2"),
        ("甲、乙", "乙", "a1 b1 b2 a2 b3", "c1 c2 d1"),
        ("甲、乙", "丙", "", "c1 c2"),
        ("甲、乙", "丁", "", "d1 d2"),
        ("甲、乙", "无名", "", ""),
        ("甲", "", "", "a1 c1 b1 b2 c2 d1 d2 a2 b3"),
        ("丙、丁", "", "e1", ""),
        ("甲、无名", "", "", ""),
        ("甲、乙、旁白", "", "a1 b1 b2 a2 b3", "c1 c2 d1 d2"),
    ] {
        let asks = if asker.is_empty() { String::new() } else { format!("&as={}", encode(asker)) };
        let query = of(people) + &asks;
        assert_eq!(contents(&stage, &query, "primary"), primary, "{people} as {asker}");
        assert_eq!(contents(&stage, &query, "ancillary"), ancillary, "{people} as {asker}");
    }
}

#[test]
fn each_list_is_the_newest_ten_unless_the_query_says_otherwise() {
    let stage = Stage::new("{}");
    let many = |prefix: &str| (0..30).map(|n| format!("@甲: {prefix}{n}\n")).collect::<String>();
    stage.tell("甲、乙", &many("a")).tell("甲、乙、丙", &many("b"));
    let newest = |prefix: &str, count: usize| {
        (30 - count..30).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>().join(" ")
    };
    for (limit, count) in [("", 10), ("&limit=1", 1), ("&limit=25", 25), ("&limit=1000", 30)] {
        let query = of("甲、乙") + limit;
        assert_eq!(contents(&stage, &query, "primary"), newest("a", count));
        assert_eq!(contents(&stage, &query, "ancillary"), newest("b", count));
    }
}

#[test]
fn granted_conversations_come_in_a_list_of_their_own() {
    let stage = Stage::new("{}");
    let court = stage.open("张三、警官");
    stage.tell("张三、警官", "警官: 是你吗？\n张三: 是我").tell("法官、律师", "律师: 请");
    let query = format!("{}&as={}&also={court}", of("法官、律师"), encode("法官"));
    assert_eq!(contents(&stage, &query, "also"), "是你吗？ 是我");
    assert_eq!(contents(&stage, &query, "primary"), "请");
    let query = format!("{}&also={court}&limit=1", of("谁也不是"));
    assert_eq!(contents(&stage, &query, "also"), "是我", "also for people whom nobody knows");
}

/// While a game is paused, question and answer share a tick; inside a conversation the path decides even against ticks.
#[test]
fn path_order_wins_inside_a_conversation_and_ticks_merge_several() {
    let stage = Stage::new("{}");
    stage
        .tell("甲、乙", "100 @甲: a1\n100 乙: a2")
        .tell("密室: 甲、乙", "100 @甲: b1")
        .tell("甲、乙", "100 @甲: a3\n50 乙: a4")
        .tell("密室: 甲、乙", "75 @甲: b2\n乙: b3")
        .tell("甲、乙", "@甲: a5");
    assert_eq!(contents(&stage, &of("甲、乙"), "primary"), "a1 a2 b1 a3 a4 b2 b3 a5");
}
