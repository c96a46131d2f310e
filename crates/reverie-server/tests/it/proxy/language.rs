//! In what language does Reverie write into the prompts of a world that chats make?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, say};
use super::{chat, serve_before};
use crate::caller::Caller;
use crate::client::request;
use crate::run::Server;
use crate::worker::until;

/// What is said, what is answered to it, and the world's language from then on.
struct Story {
    world: &'static str,
    model: &'static str,
    turns: &'static [(&'static str, &'static str, Option<&'static str>)],
}

const STORIES: &[Story] = &[
    Story {
        world: "english",
        model: "m@qin",
        turns: &[
            ("Good evening!", "I see.", None),
            ("I moved to Bergen last spring, by boat.", "A long way.", Some("en")),
            ("你好，我叫小雪。", "你好！", Some("en")),
        ],
    },
    Story {
        world: "greeting",
        model: "m@钦灵",
        turns: &[("hi", "你好呀！", None), ("Do you speak English, by any chance?", "Of course I do.", None)],
    },
    Story {
        world: "by-name",
        model: "m@さくら",
        turns: &[("I moved to Bergen last spring, by boat.", "That is a long way to go.", None)],
    },
    Story { world: "short", model: "m@qin", turns: &[("ok", "好", None), ("1+1?", "二", None)] },
    Story {
        world: "code",
        model: "m@qin",
        turns: &[(
            "看看这段代码 fn main() {\n let value = compute_something(argument);\n println!(\"{}\", value);\n}",
            "好的",
            None,
        )],
    },
];

/// By the first words that are said there, not by the very first.
#[test]
fn a_world_speaks_the_language_of_what_is_said_there_first() {
    let model = ScriptedModel::answering(|seen| {
        let said = seen.body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
        let turns = STORIES.iter().flat_map(|story| story.turns);
        let answer = turns.clone().find(|turn| said == turn.0).map_or("7", |turn| turn.1);
        Behaviour::says(answer)
    });
    let server = serve_before(&model, &[]);
    for Story { world, model, turns } in STORIES {
        for (said, _, language) in *turns {
            assert_eq!(language_after(&server, world, model, said), json!(language), "{world}: {said}");
        }
    }
    // Whoever has said so much in a world has seen what is written into its prompts.
    for number in 0..11 {
        assert_eq!(language_after(&server, "late", "m@qin", &format!("{number}")), Value::Null);
    }
    let said = "I moved to Bergen last spring, by boat, and my sister plays the cello.";
    assert_eq!(language_after(&server, "late", "m@qin", said), Value::Null);
}

fn language_after(server: &Server, world: &str, model: &str, said: &str) -> Value {
    let reply = say(server, &format!("x-reverie-world: {world}"), model, &[&format!("user: {said}")]);
    let mut caller = Caller::new(server);
    // It is told before the round is over.
    let rounds = format!("/v1/worlds/{world}/conversations/{}/rounds", conversation(&reply));
    let is_over = |round: &Value| round["state"] != "open";
    until(&mut caller, &rounds, |list| list["items"].as_array().unwrap().iter().all(is_over));
    caller.get(&format!("/v1/worlds/{world}"))["settings"]["language"].clone()
}

/// Some clients ask for a title, or for tags, before anything else.
#[test]
fn a_request_that_is_no_chat_makes_no_world() {
    let model = ScriptedModel::always(Behaviour::says("A title"));
    let server = serve_before(&model, &[]);
    let title = "### Task:\nGenerate a concise, 3-5 word title.\n### Chat History:\nUSER: 你好";
    let body = json!({"model": "m", "messages": [{"role": "user", "content": title}]});
    chat(&server, "x-reverie-world: title", &body);
    assert_eq!(request(server.address, "GET /v1/worlds/title", "", "").status, 404);
}
