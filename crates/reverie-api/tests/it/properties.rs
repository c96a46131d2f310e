//! What holds for every history, every budget and every cue? Small numbers of cases; PROPTEST_CASES raises them.

use proptest::prelude::*;
use proptest::sample::select;
use reverie_core::tokens::Counter;
use reverie_testkit::{Line, Speaker, cases};
use serde_json::{Value, json};

use crate::host::Host;
use crate::stage::wire_line;

const PEOPLE: [&str; 4] = ["钦灵", "莱姆", "Bai", "ライム"];
const PLACES: [&str; 4] = ["set", "scene", "group", "elsewhere"];

/// A line somewhere, with a tick or without.
#[derive(Debug, Clone)]
struct Told {
    place: usize,
    line: Line,
    tick: Option<i64>,
}

fn speakers() -> impl Strategy<Value = Speaker> {
    select(&[PEOPLE[0], PEOPLE[1], PEOPLE[2], "旁白"][..]).prop_map(Speaker::named)
}

fn texts() -> impl Strategy<Value = String> {
    let words = [
        "你好呀",
        "こんにちは",
        "Good evening. ",
        "{旁白：假}",
        "【",
        "\n",
        " ",
        "🎄",
        "（笑）",
        "",
        "[时间] ",
        "<tts>",
    ];
    prop::collection::vec(select(words.to_vec()), 0..6).prop_map(|words| words.concat())
}

fn told() -> impl Strategy<Value = Told> {
    let attribute = select(vec!["system", "user", "user", "assistant", "assistant"]);
    let witnesses = proptest::option::weighted(0.2, prop::collection::vec(speakers(), 0..3));
    let part = || proptest::option::weighted(0.3, texts());
    let tick = proptest::option::weighted(0.5, 0..5000i64);
    (0..4usize, attribute, speakers(), texts(), (part(), part(), part()), witnesses, tick).prop_map(
        |(place, attribute, speaker, content, (emotion, tts, action), witnesses, tick)| {
            let attribute = reverie_core::Attribute::from_name(attribute).expect("an attribute");
            let is_system = attribute == reverie_core::Attribute::System;
            // A direction may be for everybody; the narrator is addressed by nobody.
            let is_narrator = speaker.display_name.as_deref() == Some("旁白");
            let speaker = if is_system && is_narrator { Speaker::default() } else { speaker };
            let witnesses = witnesses.filter(|_| !is_system);
            Told { place, line: Line { attribute, speaker, content, emotion, tts, action, witnesses }, tick }
        },
    )
}

fn stories(most: usize) -> impl Strategy<Value = Vec<Told>> {
    prop::collection::vec(told(), 0..most)
}

/// Records a story and says where each line stands.
fn record(host: &Host, story: &[Told], mark: impl Fn(usize, &mut Line)) {
    let bodies = [
        json!({"id": "set", "participants": [PEOPLE[0], PEOPLE[1], PEOPLE[2]]}),
        json!({"id": "scene", "name": "scene", "participants": [PEOPLE[0], PEOPLE[1], PEOPLE[2]]}),
        json!({"id": "group", "participants": PEOPLE}),
        json!({"id": "elsewhere", "name": "elsewhere", "participants": [PEOPLE[1], PEOPLE[3]]}),
    ];
    for body in &bodies {
        host.done("POST", "/v1/worlds/w/conversations", &body.to_string());
    }
    for (index, told) in story.iter().enumerate() {
        let mut line = told.line.clone();
        mark(index, &mut line);
        let mut wire = wire_line(&line);
        wire["tick"] = json!(told.tick);
        let path = format!("/v1/worlds/w/conversations/{}/lines", PLACES[told.place]);
        host.done("POST", &path, &json!({"lines": [wire]}).to_string());
    }
}

/// Role and content of messages.
fn told_messages(answer: &Value) -> Vec<(String, String)> {
    let messages = answer["messages"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages.iter().map(|message| (text(&message["role"]), text(&message["content"]))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: ProptestConfig::default().failure_persistence, ..cases(24) })]

    /// With nothing else to say and nothing cut, a prompt is the pure perspective of what was witnessed, byte for byte.
    #[test]
    fn a_bare_recall_is_the_pure_perspective(story in stories(24), target in select(&PEOPLE[..3])) {
        let host = Host::with_world(r#"{"settings":{"prompt":{"background_lines":0},"recall":{"archive":false}}}"#);
        record(&host, &story, |_, _| {});
        let cue = json!({"character": target, "conversation": "set", "history_scope": "conversation"});
        let recalled = host.done("POST", "/v1/worlds/w/recall", &cue.to_string());
        prop_assert_eq!(&recalled["left_out"], &json!([]));

        let rows: Vec<Value> = story.iter().filter(|told| told.place == 0).map(|told| wire_line(&told.line)).collect();
        let body = json!({"as": {"display_name": target}, "lines": rows});
        let pure = host.done("POST", "/v1/perspective", &body.to_string());
        prop_assert_eq!(told_messages(&recalled), told_messages(&pure));

        // And so is one of the same rows brought along.
        let cue = json!({"character": {"display_name": target}, "history": rows});
        let inline = host.done("POST", "/v1/worlds/w/recall", &cue.to_string());
        prop_assert_eq!(told_messages(&inline), told_messages(&pure));

        // The merged primary history is the perspective of its lines, too.
        let cue = json!({"character": target, "conversation": "set"});
        let recalled = host.done("POST", "/v1/worlds/w/recall", &cue.to_string());
        let history = host.get("/v1/worlds/w/history?participants=%E9%92%A6%E7%81%B5&participants=%E8%8E%B1%E5%A7%86&participants=Bai&limit=1000");
        let seen: Vec<Value> = (history["primary"].as_array().cloned().unwrap_or_default().into_iter())
            .filter(|line| line["witnesses"].as_array().is_some_and(|witnesses| witnesses.contains(&json!(target))))
            .map(|mut line| { line.as_object_mut().map(|line| line.remove("witnesses")); line })
            .collect();
        let pure = host.done("POST", "/v1/perspective", &json!({"as": target, "lines": seen}).to_string());
        prop_assert_eq!(told_messages(&recalled), told_messages(&pure));
    }

    /// The budget is hard, whatever the history, counted again with the named counter.
    #[test]
    fn used_tokens_never_exceed_the_budget(
        story in stories(40),
        budget in 0..400usize,
        counter in select(&["estimate", "o200k"][..]),
        has_calendar in any::<bool>(),
        (message, scene, system) in (proptest::option::of(texts()), proptest::option::of(texts()), proptest::option::of(texts())),
    ) {
        let calendar = if has_calendar { r#","calendar":{"kind":"rimworld"}"# } else { "" };
        let host = Host::with_world(&format!(r#"{{"settings":{{"prompt":{{"counter":"{counter}"}}{calendar}}}}}"#));
        record(&host, &story, |_, _| {});
        let cue = |budget: usize| json!({"character": PEOPLE[0], "conversation": "set", "budget": budget, "message": message,
            "system": system, "scene": {"place": scene}, "also": ["elsewhere"]}).to_string();
        let (status, answer) = host.send("POST", "/v1/worlds/w/recall", &cue(budget));
        if status == 400 {
            let said = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
            let needed: usize = said.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number");
            prop_assert!(needed > budget);
            let (status, answer) = host.send("POST", "/v1/worlds/w/recall", &cue(needed));
            prop_assert_eq!(status, 200, "{} were needed: {}", needed, answer);
            let (status, _) = host.send("POST", "/v1/worlds/w/recall", &cue(needed - 1));
            prop_assert_eq!(status, 400);
            return Ok(());
        }
        let counter = Counter::from_name(answer["tokens"]["counter"].as_str().expect("a counter")).expect("known");
        let messages = answer["messages"].as_array().cloned().unwrap_or_default();
        let counted: usize = 3 + messages.iter().map(|message| {
            let count = |name: &str| message[name].as_str().map(|text| counter.count(text));
            4 + count("content").unwrap_or(0) + count("name").map_or(0, |name| name + 1)
        }).sum::<usize>();
        prop_assert_eq!(&answer["tokens"]["used"], &json!(counted));
        prop_assert!(counted <= budget, "{} > {}", counted, budget);
        // A cut window begins with a user message, unless there is none to begin with.
        let is_cut = (answer["left_out"].as_array().into_iter().flatten()).any(|one| one["position"] == "history");
        let spoken: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).filter(|role| *role != "system").collect();
        prop_assert!(!is_cut || spoken.len() <= 1 || spoken[0] == "user", "{}", answer["messages"]);
        let tokens: u64 = (answer["blocks"].as_array().into_iter().flatten()).filter_map(|block| block["tokens"].as_u64()).sum();
        prop_assert!(tokens as usize <= budget);
    }

    /// Nothing that the character did not witness stands anywhere in the answer: prompt, blocks, background or history.
    #[test]
    fn unwitnessed_text_is_nowhere(story in stories(30), target in select(&PEOPLE[..]), place in select(&PLACES[..]), budget in 60..2000usize) {
        let host = Host::with_world("{}");
        record(&host, &story, |index, line| {
            line.content = format!("«{index}»{}", line.content);
            for part in [&mut line.emotion, &mut line.tts, &mut line.action].into_iter().flatten() {
                part.insert_str(0, &format!("«{index}»"));
            }
        });
        let tree = |conversation: &str| host.get(&format!("/v1/worlds/w/conversations/{conversation}/lines?limit=1000"));
        let mut hidden = Vec::new();
        for line in PLACES.iter().flat_map(|place| tree(place)["items"].as_array().cloned().unwrap_or_default()) {
            let witnesses = line["witnesses"].as_array().cloned().unwrap_or_default();
            let mark = line["content"].as_str().and_then(|text| Some(text.split_once('»')?.0.to_owned() + "»"));
            if !witnesses.contains(&json!(target)) {
                hidden.extend(mark);
            }
        }
        let id = crate::host::encode(target);
        let mut answers = vec![
            host.send("POST", "/v1/worlds/w/recall", &json!({"character": target, "conversation": place, "budget": budget}).to_string()).1,
            host.send("POST", "/v1/worlds/w/recall", &json!({"character": target, "participants": PEOPLE}).to_string()).1,
            host.get(&format!("/v1/worlds/w/conversations/{place}/lines?as={id}&tree=true&limit=1000")),
        ];
        for other in PEOPLE {
            let other = crate::host::encode(other);
            answers.push(host.get(&format!("/v1/worlds/w/history?participants={id}&participants={other}&as={id}&limit=1000")));
            answers.push(host.get(&format!("/v1/worlds/w/history?participants={other}&as={id}&limit=1000")));
        }
        for answer in answers {
            let text = answer.to_string();
            for mark in &hidden {
                prop_assert!(!text.contains(mark.as_str()), "{} did not witness {}: {}", target, mark, text);
            }
        }
    }

    /// Same revision, same cue, same clock: same bytes; and reading writes nothing.
    #[test]
    fn recall_is_deterministic_and_writes_nothing(story in stories(24), budget in 60..2000usize) {
        let (host, twin) = (Host::with_world("{}"), Host::with_world("{}"));
        record(&host, &story, |_, _| {});
        record(&twin, &story, |_, _| {});
        let before = host.export("w", "");
        let cue = json!({"character": PEOPLE[0], "conversation": "set", "budget": budget, "scene": {"b": "1", "a": "2"}, "also": ["elsewhere", "group"]}).to_string();
        let ask = |host: &Host| host.raw("POST", "/v1/worlds/w/recall", cue.as_bytes()).body;
        let first = ask(&host);
        prop_assert_eq!(&first, &ask(&host));
        prop_assert_eq!(&first, &ask(&twin));
        prop_assert_eq!(before, host.export("w", ""));
    }
}
