//! What does a world call its ticks?

use serde_json::{Value, json};

use crate::host::Host;

#[test]
fn ticks_are_told_in_the_words_of_a_calendar() {
    let tick = 185_000;
    let rimworld = json!({"calendar.kind": "rimworld"});
    let moons = json!({
        "calendar.kind": "custom", "calendar.format.zh": "[{year}年{moon}{day}日]",
        "calendar.units.0.name": "day", "calendar.units.0.size": 10, "calendar.units.0.first": 1,
        "calendar.units.1.name": "moon", "calendar.units.1.size": 20,
        "calendar.units.1.names.zh.0": "霜月", "calendar.units.1.names.zh.1": "花月",
        "calendar.units.2.name": "year", "calendar.units.2.size": 2, "calendar.units.2.first": 300,
    });
    let table = [
        (&rimworld, "&language=zh", "5500年春季第4天, 2时", "5500年春季第4天"),
        (&rimworld, "&language=en", "day 4 of spring 5500, 2h", "day 4 of spring 5500"),
        // In its own language if nobody says.
        (&rimworld, "", "5500年春季第4天, 2时", "5500年春季第4天"),
        (&moons, "&language=zh", "762年花月1日", "762年花月1日"),
    ];
    for (settings, language, date, day) in table {
        let host = Host::with_world(&json!({ "settings": settings }).to_string());
        let told = host.get(&format!("/v1/worlds/w/dates?tick={tick}{language}"));
        assert_eq!(told, json!({"dates": [{"tick": tick, "date": date, "day": day}]}), "{language}");
    }
}

#[test]
fn a_world_without_a_calendar_has_only_ticks() {
    let host = Host::with_world("{}");
    let told = |query: &str| host.get(&format!("/v1/worlds/w/dates{query}"))["dates"].clone();
    assert_eq!(told("?tick=3&tick=-7&tick=3"), json!([{"tick": 3}, {"tick": -7}, {"tick": 3}]));
    assert_eq!(told(""), json!([]));
}

#[test]
fn what_is_no_tick_is_refused() {
    let host = Host::with_world("{}");
    let many = format!("?{}", vec!["tick=1"; 501].join("&"));
    let table = [
        ("?tick=soon", 400, "soon"),
        ("?tick=1.5", 400, "1.5"),
        (many.as_str(), 400, "501"),
        ("?tick=1&language=fr", 400, "fr"),
    ];
    for (query, status, named) in table {
        let (got, body) = host.send("GET", &format!("/v1/worlds/w/dates{query}"), "");
        let message: &Value = &body["error"]["message"];
        assert_eq!(got, status, "{query}: {body}");
        assert!(message.as_str().is_some_and(|message| message.contains(named)), "{query}: {body}");
    }
}
