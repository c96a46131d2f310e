//! What becomes of words to which no answer came? They stay, once: asked again they are the same words, and other words come behind them
//! or in their place, as the client has it.

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::json;

use super::remembers::path;
use super::{chat, messages, serve_before};
use crate::caller::Caller;
use crate::worker::until;

/// What is sent, whether it is answered, and all lines that there are then, those on the path first.
type Turn = (&'static [&'static str], Option<&'static str>, &'static [&'static str], usize);

const KEEPS_HISTORY: &[Turn] = &[
    (&["assistant: 欢迎光临。", "user: 有龙井吗？"], None, &["mo: 欢迎光临。", "user: 有龙井吗？"], 2),
    (&["assistant: 欢迎光临。", "user: 有龙井吗？"], None, &["mo: 欢迎光临。", "user: 有龙井吗？"], 2),
    // Other words behind them.
    (
        &["assistant: 欢迎光临。", "user: 有龙井吗？", "user: Is anybody there?"],
        None,
        &["mo: 欢迎光临。", "user: 有龙井吗？", "user: Is anybody there?"],
        3,
    ),
    // Other words instead of the last ones.
    (
        &["assistant: 欢迎光临。", "user: 有龙井吗？", "user: 誰かいますか。"],
        Some("いますよ。"),
        &["mo: 欢迎光临。", "user: 有龙井吗？", "user: 誰かいますか。", "mo: いますよ。"],
        5,
    ),
    // The client leaves out what was not answered.
    (
        &[
            "assistant: 欢迎光临。",
            "user: 誰かいますか。",
            "assistant: いますよ。",
            "user: 太好了，我要一壶龙井。",
        ],
        None,
        &[
            "mo: 欢迎光临。",
            "user: 有龙井吗？",
            "user: 誰かいますか。",
            "mo: いますよ。",
            "user: 太好了，我要一壶龙井。",
        ],
        6,
    ),
];

const SENDS_THE_NEWEST: &[Turn] = &[
    (&["user: Good morning, captain."], None, &["user: Good morning, captain."], 1),
    (&["user: Good morning, captain."], None, &["user: Good morning, captain."], 1),
    (&["user: Are you awake?"], None, &["user: Good morning, captain.", "user: Are you awake?"], 2),
    (
        &["user: Are you awake?"],
        Some("Now I am."),
        &["user: Good morning, captain.", "user: Are you awake?", "mo: Now I am."],
        3,
    ),
    // That was answered, so it is said once more.
    (
        &["user: Are you awake?"],
        Some("Still."),
        &[
            "user: Good morning, captain.",
            "user: Are you awake?",
            "mo: Now I am.",
            "user: Are you awake?",
            "mo: Still.",
        ],
        5,
    ),
];

#[test]
fn words_without_an_answer_stay_once() {
    for turns in [KEEPS_HISTORY, SENDS_THE_NEWEST] {
        let model = ScriptedModel::playing(turns.iter().map(|(_, answer, ..)| match answer {
            Some(answer) => Behaviour::says(answer),
            None => Behaviour::refuses(503, "overloaded", "try again"),
        }));
        let server = serve_before(&model, &[]);
        let mut caller = Caller::new(&server);
        for (sent, answer, shown, count) in turns {
            let reply = chat(&server, "", &json!({"model": "m@mo", "messages": messages(sent)}));
            assert_eq!(reply.status, if answer.is_some() { 200 } else { 503 }, "{sent:?}");
            let place = reply.header("x-reverie-conversation").unwrap().to_owned();
            // An error comes back before all is written.
            let tree = format!("/v1/worlds/default/conversations/{place}/lines?tree=true");
            until(&mut caller, &tree, |tree| tree["items"].as_array().unwrap().len() == *count);
            assert_eq!(path(&mut caller, "default", &place), *shown, "{sent:?}");
        }
        caller.call("POST /v1/worlds/default/digest", json!({"now": true}));
        let known = caller.get("/v1/worlds/default/characters/mo/memories").to_string();
        assert!(known.contains("いますよ") || known.contains("Still."), "{known}");
    }
}
