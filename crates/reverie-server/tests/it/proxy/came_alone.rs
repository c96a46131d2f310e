//! Chats that begin with one message alone, by a client that says nothing of where a chat begins: does each become a conversation of its own,
//! and does a client that keeps no history stay in one?

use std::collections::BTreeMap;

use std::sync::Arc;

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::json;

use super::at_once::Answers;
use super::remembers::path;
use super::{chat, messages, serve_patiently};
use crate::caller::Caller;
use crate::client::request;
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

/// Two tabs, and neither waits for the other. Large: somebody asks; small: they are answered.
const AT_ONCE: &[&str] =
    &["AaBAba BbAa", "AaBAab AaBb", "ABab AaBb BbAa", "ABba BbAa", "ABbBba AaBb", "AaBbCABabcCc"];

#[test]
fn an_answer_that_is_still_being_said_goes_along() {
    let answers = Arc::new(Answers::default());
    let coming = Arc::clone(&answers);
    let model = ScriptedModel::answering(move |seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        coming.wait_for(last["content"].as_str().unwrap())
    });
    let directory = Directory::new();
    let server = begin(&directory, &model);
    for (number, order) in AT_ONCE.iter().enumerate() {
        let mut chats: BTreeMap<char, Vec<String>> = BTreeMap::new();
        let mut asked = BTreeMap::new();
        for who in order.chars().filter(|who| *who != ' ') {
            let name = who.to_ascii_uppercase();
            let said = chats.entry(name).or_default();
            let all = SAID.iter().find(|(row, _)| row.starts_with(name)).unwrap().1;
            let words = all[said.len() / 2];
            if who.is_ascii_uppercase() {
                said.push(format!("user: {words}"));
                let sent: Vec<&str> = said.iter().map(String::as_str).collect();
                let body = json!({"model": format!("m@tab{number}"), "messages": messages(&sent)});
                let address = server.address;
                let asking = move || request(address, "POST /v1/chat/completions", "", &body.to_string());
                asked.insert(name, std::thread::spawn(asking));
                answers.until_asked(words);
                continue;
            }
            answers.let_come(words, Behaviour::says(&format!("答：{words}")));
            let reply = asked.remove(&name).unwrap().join().unwrap();
            assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{order}: {reply:?}");
            said.push(format!("assistant: 答：{words}"));
        }
        let mut caller = Caller::new(&server);
        let told = caller.get("/v1/worlds/default/conversations?limit=100");
        let ids =
            told["items"].as_array().unwrap().iter().map(|chat| chat["id"].as_str().unwrap().to_owned());
        let paths: Vec<Vec<String>> = ids.map(|id| path(&mut caller, "default", &id)).collect();
        for (who, said) in &chats {
            let shown = said.iter().map(|said| said.replacen("assistant: ", &format!("tab{number}: "), 1));
            let shown: Vec<String> = shown.collect();
            assert!(paths.contains(&shown), "{order}: {who} is nowhere: {paths:#?}");
        }
        caller.call("POST /v1/worlds/default/digest", json!({"now": true}));
        let listed = format!("/v1/worlds/default/characters/tab{number}/memories?limit=100");
        let exchanges: usize = chats.values().map(|said| said.len() / 2).sum();
        until(&mut caller, &listed, |list| list["items"].as_array().unwrap().len() == exchanges);
    }
}

/// What was guessed there is nothing any more, and numbers are given again.
#[test]
fn a_world_that_was_erased_meanwhile() {
    let model = answering();
    let directory = Directory::new();
    let server = begin(&directory, &model);
    let ask = |said: &[&str]| {
        let reply = chat(&server, "", &json!({"model": "m@mo", "messages": messages(said)}));
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{reply:?}");
        reply.header("x-reverie-conversation").unwrap().to_owned()
    };
    let (a, b) = (SAID[0].1, SAID[1].1);
    let user = |words: &str| format!("user: {words}");
    let answer = |words: &str| format!("assistant: 答：{words}");
    ask(&[&user(a[0])]);
    ask(&[&user(b[0])]);
    let mut caller = Caller::new(&server);
    caller.call("DELETE /v1/worlds/default", json!({}));
    let whole = [user(a[0]), answer(a[0]), user(a[1]), answer(a[1]), user(a[2]), answer(a[2]), user(a[3])];
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    ask(&whole[..3]);
    // From the line on whose number the guess had.
    ask(&whole[2..5]);
    let here = ask(&whole);
    let list = caller.get("/v1/worlds/default/conversations");
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(path(&mut caller, "default", &here).len(), 8);
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
