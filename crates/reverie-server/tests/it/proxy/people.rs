//! Is it known who speaks to whom, however the client writes it?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path, say};
use super::{chat, messages, serve_before};
use crate::caller::Caller;

/// Everything that was ever said in a conversation, on every branch.
fn tree(caller: &mut Caller, conversation: &str) -> Vec<String> {
    let list =
        caller.get(&format!("/v1/worlds/default/conversations/{conversation}/lines?tree=true&limit=1000"));
    let text = |line: &Value| {
        format!("{}: {}", line["speaker"].as_str().unwrap(), line["content"].as_str().unwrap())
    };
    list["items"].as_array().unwrap().iter().map(text).collect()
}

/// An id, a name and the conversation itself lead to the same place: whoever comes at once by several ways waits in one row.
#[test]
fn one_message_that_comes_by_several_ways_at_once_is_recorded_once() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("answer to {}", last["content"].as_str().unwrap()))
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    caller.call("PUT /v1/worlds/default/characters/qinling", json!({"display_name": "钦灵"}));
    let mut said = vec!["user: turn 0".to_owned()];
    let place = conversation(&say(&server, "", "m@qinling", &["user: turn 0"])).to_owned();
    for turn in 1..6 {
        said.push(format!("assistant: answer to turn {}", turn - 1));
        said.push(format!("user: turn {turn}"));
        let sent: Vec<&str> = said.iter().map(String::as_str).collect();
        let named = format!("x-reverie-conversation: {place}");
        let ways = [("", "m@qinling"), ("", "m@钦灵"), (named.as_str(), "m@qinling")];
        std::thread::scope(|scope| {
            let asking: Vec<_> = ways
                .iter()
                .map(|(headers, model)| scope.spawn(|| say(&server, headers, model, &sent)))
                .collect();
            for asked in asking {
                assert_eq!(conversation(&asked.join().unwrap()), place);
            }
        });
        let all = tree(&mut caller, &place);
        let count = all.iter().filter(|line| **line == format!("user: turn {turn}")).count();
        assert_eq!(count, 1, "{all:?}");
    }
    assert_eq!(path(&mut caller, "default", &place).len(), 12);
}

/// Messages, as `role(name): …`, or without a name.
fn with_names(said: &[&str]) -> Value {
    let message = |line: &&str| {
        let (who, content) = line.split_once(": ").unwrap();
        match who.trim_end_matches(')').split_once('(') {
            Some((role, name)) => json!({"role": role, "name": name, "content": content}),
            None => json!({"role": who, "content": content}),
        }
    };
    said.iter().map(message).collect()
}

/// Several people who write to one bot: nobody's words become another's.
#[test]
fn each_message_is_said_by_whom_its_name_says() {
    let said = [
        "user(Ann): My PIN is 4711.",
        "assistant: I see.",
        "user(Tom): Hi bot, I am new.",
        "assistant: I see.",
        "user: Nobody says who I am.",
        "assistant: I see.",
        "user(Ann): It is me again.",
    ];
    let model = ScriptedModel::always(Behaviour::says("I see."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let everything = [
        "Ann: My PIN is 4711.",
        "bot: I see.",
        "Tom: Hi bot, I am new.",
        "bot: I see.",
        "user: Nobody says who I am.",
        "bot: I see.",
        "Ann: It is me again.",
        "bot: I see.",
    ];
    for (headers, model, own) in [
        ("", "m@bot", None),
        ("x-reverie-conversation: room", "m@bot", None),
        ("x-reverie-world: told\nx-reverie-user: ann-1", "m@bot", Some("ann-1")),
    ] {
        let world = if own.is_some() { "told" } else { "default" };
        // Whoever is named for a whole request said its newest message, and what has no name.
        let counts: &[usize] = if own.is_some() { &[7] } else { &[1, 3, 5, 7] };
        for &count in counts {
            let body = json!({"model": model, "messages": with_names(&said[..count])});
            let reply = chat(&server, headers, &body);
            let place = conversation(&reply).to_owned();
            if count < 7 {
                continue;
            }
            let (ann, nobody) = own.map_or(("Ann", "user"), |own| (own, own));
            let said_by = |line: &&str| {
                let line = line.replace("Ann:", &format!("{ann}:"));
                line.replace("user:", &format!("{nobody}:"))
            };
            let expected: Vec<String> = everything.iter().map(said_by).collect();
            assert_eq!(path(&mut caller, world, &place), expected, "{headers}");
            // Who speaks for the first time later on has not heard what was said before.
            let lines = caller.lines(&format!("/v1/worlds/{world}/conversations/{place}"));
            assert_eq!(lines[0]["witnesses"], json!([ann, "bot"]), "{headers}");
            let all = lines[6]["witnesses"].as_array().unwrap();
            assert!(all.contains(&json!("Tom")) && all.contains(&json!(ann)), "{headers}: {all:?}");
        }
    }
}

/// SillyTavern's groups: members join, are muted and come back, and the persona's name stands before what the user says.
#[test]
fn members_of_a_group_come_and_go_in_one_conversation() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        let name = last.split_once("only as ").unwrap().1.split('.').next().unwrap();
        Behaviour::says(&format!("{name}: {name} says {}.", seen.body["seed"]))
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let mut said: Vec<String> = Vec::new();
    let mut place = String::new();
    for (turn, (members, words, speaker, recorded)) in [
        ("Alice, Bob", "Mei: The code is Zebra.", "Alice", "1"),
        ("Alice, Bob", "", "Bob", "0"),
        ("Alice, Bob, Carol", "Mei: Hello Carol!", "Carol", "1"),
        ("Alice, Carol", "Mei: And now without Bob.", "Alice", "1"),
        ("Bob, Carol, Alice", "Mei: Bob, you are back.", "Bob", "1"),
    ]
    .into_iter()
    .enumerate()
    {
        if !words.is_empty() {
            said.push(format!("user: {words}"));
        }
        let marker = format!("system: [Start a new group chat. Group members: {members}]");
        let nudge = format!("system: [Write the next reply only as {speaker}.]");
        let mut sent = vec![marker.as_str()];
        sent.extend(said.iter().map(String::as_str));
        sent.push(&nudge);
        let body = json!({"model": "m", "seed": turn, "messages": messages(&sent)});
        let reply = chat(&server, "x-reverie-only-witnessed: on", &body);
        let here = conversation(&reply).to_owned();
        assert!(place.is_empty() || place == here, "turn {turn}");
        assert_eq!(reply.header("x-reverie-recorded"), Some(recorded), "turn {turn}");
        place = here;
        let prompt = model.seen().pop().unwrap().prompt();
        assert_eq!(prompt.contains("Zebra"), speaker != "Carol", "turn {turn}: {prompt}");
        said.push(format!(
            "assistant: {}",
            reply.json()["choices"][0]["message"]["content"].as_str().unwrap()
        ));
    }
    assert_eq!(
        path(&mut caller, "default", &place),
        [
            "Mei: The code is Zebra.",
            "Alice: Alice says 0.",
            "Bob: Bob says 1.",
            "Mei: Hello Carol!",
            "Carol: Carol says 2.",
            "Mei: And now without Bob.",
            "Alice: Alice says 3.",
            "Mei: Bob, you are back.",
            "Bob: Bob says 4.",
        ]
    );
    let lines = caller.lines(&format!("/v1/worlds/default/conversations/{place}"));
    let heard = |at: usize| lines[at]["witnesses"].clone();
    assert_eq!(heard(0), json!(["Alice", "Bob", "Mei"]));
    assert_eq!(heard(3), json!(["Alice", "Bob", "Carol", "Mei"]));
    assert_eq!(heard(5), json!(["Alice", "Carol", "Mei"]));
    let list = caller.get("/v1/worlds/default/conversations");
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(tree(&mut caller, &place).len(), 9, "nothing was recorded twice");
}
