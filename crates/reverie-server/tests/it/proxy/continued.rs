//! An answer that the client begins or has continued without a word about it: is it one line, as the client shows it?

use std::sync::{Arc, Mutex};

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path, say};
use super::serve_before;
use crate::caller::Caller;
use crate::worker::until;

/// Each step: what the client has changed at the end of its chat, and the answer. The last one shows how the chat looks.
const STORIES: &[(&str, &[(&str, &str)])] = &[
    (
        "continue prefill, twice",
        &[
            ("+user: Tell me about the marsh.", "The marsh is wide"),
            ("", " and deep,"),
            ("=assistant: The marsh is wide and deep,", " and old."),
            ("=assistant: The marsh is wide and deep, and old.\n+user: Is it dangerous there?", "Very."),
        ],
    ),
    (
        "the client begins the answer",
        &[
            ("+user: 跟我跳舞吧。\n+assistant: *她笑了笑", "，牵起你的手。*"),
            ("=assistant: *她笑了笑，牵起你的手。*\n+user: 谢谢你的舞。", "不客气。"),
        ],
    ),
    (
        "the client begins another answer",
        &[
            ("+user: Dance with me, please.\n+assistant: *she smiles", " and takes your hand.*"),
            ("=assistant: *she smiles and takes your hand.*\n+user: Lovely, thank you.", "Any time."),
            ("=assistant: *she smiles", " again.*"),
            ("=assistant: *she smiles again.*\n+user: And now we go home.", "Home it is."),
        ],
    ),
    (
        "an empty send: two answers that stay two",
        &[
            ("+user: お話を聞かせて。", "むかしむかし、狐がいました。"),
            ("", "狐は烏に会いました。"),
            ("+assistant: 狐は烏に会いました。\n+user: それから？", "友だちになりました。"),
        ],
    ),
];

#[test]
fn an_answer_has_the_words_that_the_client_shows() {
    let answer = Arc::new(Mutex::new(String::new()));
    let next = Arc::clone(&answer);
    let model = ScriptedModel::answering(move |_| Behaviour::says(&next.lock().unwrap()));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    for (number, (title, steps)) in STORIES.iter().enumerate() {
        let mut shown: Vec<String> = Vec::new();
        let mut place = String::new();
        let world = format!("w{number}");
        for (change, said) in *steps {
            for line in change.lines() {
                match line.split_at(1) {
                    ("+", line) => shown.push(line.to_owned()),
                    (_, line) => *shown.last_mut().unwrap() = line.to_owned(),
                }
            }
            (*said).clone_into(&mut answer.lock().unwrap());
            let sent: Vec<&str> = shown.iter().map(String::as_str).collect();
            let reply = say(&server, &format!("x-reverie-world: {world}"), "m", &sent);
            place = conversation(&reply).to_owned();
            if shown.last().unwrap().starts_with("user: ") {
                shown.push(format!("assistant: {said}"));
            }
        }
        assert_eq!(path(&mut caller, &world, &place), shown, "{title}");
        let in_a_row = |two: &[String]| two.iter().all(|line| line.starts_with("assistant: "));
        if shown.windows(2).any(in_a_row) {
            continue;
        }
        caller.call(&format!("POST /v1/worlds/{world}/digest"), json!({"now": true}));
        let memories = format!("/v1/worlds/{world}/characters/assistant/memories");
        let asked = shown.len() / 2;
        let told = until(&mut caller, &memories, |list| {
            let live = |memory: &&Value| memory["live"] == json!(true);
            list["items"].as_array().unwrap().iter().filter(live).count() >= asked
        });
        for memory in told["items"].as_array().unwrap() {
            let text = memory["text"].as_str().unwrap();
            assert!(text.contains("user: "), "{title}: nothing is torn off: {told}");
        }
    }
}
