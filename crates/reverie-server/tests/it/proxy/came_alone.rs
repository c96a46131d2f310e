//! Chats that begin with one message alone, by a client that says nothing of where a chat begins: does each become a conversation of its own,
//! and does a client that keeps no history stay in one?

use std::collections::BTreeMap;

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::json;

use super::remembers::path;
use super::{chat, messages, serve_patiently};
use crate::caller::Caller;
use crate::run::{Directory, Server};
use crate::worker::until;

/// Who speaks in which order, by letters; `!` starts the server anew. The words of each are told in its row below.
const ORDERS: &[&str] = &["ABAABB", "ABBABA", "ABCCABCA", "AABABBA", "AA!BBAB", "AA!BAABB", "ABCDABCD"];
const SAID: &[(&str, [&str; 4])] = &[
    (
        "A",
        [
            "My dog is named Biscuit and he is brown.",
            "He likes chasing squirrels in the park.",
            "He is afraid of thunder and hides in the bathtub.",
            "He is nine years old today.",
        ],
    ),
    ("B", ["在家里怎么做酸面包？请讲讲。", "面团要放一整夜吗？", "烤箱要多热才行呢？", "还要加多少盐进去？"]),
    (
        "C",
        [
            "庭に紫陽花を植えました。",
            "How much water does it need in summer?",
            "It has lost all its leaves.",
            "I gave it to my aunt Ida.",
        ],
    ),
    (
        "D",
        ["Tell me a story about whales.", "And one about foxes, too.", "That was short.", "Good night then."],
    ),
];

fn begin(directory: &Directory, model: &ScriptedModel) -> Server {
    let data = directory.path().to_str().unwrap();
    serve_patiently(&["--data", data, "--upstream-url", &model.openai()], &[])
}

fn answering() -> ScriptedModel {
    ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("答：{}", last["content"].as_str().unwrap()))
    })
}

#[test]
fn each_chat_becomes_a_conversation_of_its_own() {
    let model = answering();
    let directory = Directory::new();
    for (number, order) in ORDERS.iter().enumerate() {
        let mut server = begin(&directory, &model);
        let mut chats: BTreeMap<char, (Vec<String>, String)> = BTreeMap::new();
        for who in order.chars() {
            if who == '!' {
                drop(server);
                server = begin(&directory, &model);
                continue;
            }
            let words = SAID.iter().find(|(name, _)| name.starts_with(who)).unwrap().1;
            let (said, place) = chats.entry(who).or_default();
            let words = words[said.len() / 2];
            said.push(format!("user: {words}"));
            let sent: Vec<&str> = said.iter().map(String::as_str).collect();
            let reply =
                chat(&server, "", &json!({"model": format!("m@tab{number}"), "messages": messages(&sent)}));
            assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{order}: {reply:?}");
            reply.header("x-reverie-conversation").unwrap().clone_into(place);
            said.push(format!("assistant: 答：{words}"));
        }
        let mut caller = Caller::new(&server);
        caller.call("POST /v1/worlds/default/digest", json!({"now": true}));
        let listed = format!("/v1/worlds/default/characters/tab{number}/memories?limit=100");
        let exchanges = order.chars().filter(|who| *who != '!').count();
        // Each exchange once, also those that were put elsewhere.
        until(&mut caller, &listed, |list| list["items"].as_array().unwrap().len() == exchanges);
        let memories = caller.get(&listed).to_string();
        for (who, (said, place)) in &chats {
            let shown = said.iter().map(|said| said.replacen("assistant: ", &format!("tab{number}: "), 1));
            assert_eq!(path(&mut caller, "default", place), shown.collect::<Vec<_>>(), "{order}: {who}");
            for said in said {
                let words = said.split_once(": ").unwrap().1;
                assert!(memories.contains(words), "{order}: nobody remembers {words}: {memories}");
            }
        }
    }
}

/// It never sends what was answered, and nothing proves that its messages are of several chats.
#[test]
fn a_client_without_a_history_stays_in_one() {
    let model = answering();
    let directory = Directory::new();
    let server = begin(&directory, &model);
    let mut shown = Vec::new();
    let mut place = String::new();
    for words in SAID.iter().flat_map(|(_, words)| words) {
        let said = format!("user: {words}");
        let reply = chat(&server, "", &json!({"model": "m@bot", "messages": messages(&[&said])}));
        reply.header("x-reverie-conversation").unwrap().clone_into(&mut place);
        shown.extend([said, format!("bot: 答：{words}")]);
    }
    assert_eq!(path(&mut Caller::new(&server), "default", &place), shown);
}
