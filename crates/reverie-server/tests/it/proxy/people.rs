//! Is it known who speaks to whom, however the client writes it?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path, say};
use super::{chat, serve_before};
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
        for count in [1, 3, 5, 7] {
            let body = json!({"model": model, "messages": with_names(&said[..count])});
            // Whoever is named for the whole request said its newest message.
            let headers = if count == 7 || own.is_none() { headers } else { "x-reverie-world: told" };
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
        }
    }
}
