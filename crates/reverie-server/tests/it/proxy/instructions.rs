//! Is what a client says in the user's name remembered as the user's words? Once it is known, in no chat; and no line is lost.

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::Value;

use super::remembers::{conversation, say};
use super::serve_before;
use crate::caller::Caller;
use crate::run::Server;

/// Where a client puts its instruction among what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// So many messages before the end, and nowhere in what was said before.
    Depth(usize),
    /// Before all that is said, always.
    Front,
    /// Before the newest words, and nothing else is sent.
    Alone,
}

fn list(place: Where, instruction: &str, said: &[String]) -> Vec<String> {
    let (at, from) = match place {
        Where::Depth(depth) => (said.len().saturating_sub(depth), 0),
        Where::Front => (0, 0),
        Where::Alone => (0, said.len() - 1),
    };
    let mut sent: Vec<String> = said[from..].to_vec();
    sent.insert(at, format!("user: {instruction}"));
    if place != Where::Alone {
        sent.insert(0, "system: You are mo.\n\n[Start a new Chat]".to_owned());
    }
    sent
}

/// What is said in each chat.
const SAID: [[&str; 3]; 3] = [
    ["来一壶龙井，谢谢。", "外面下雪了吗？", "我的伞丢了。"],
    ["Is the old harbour still open?", "My boat leaves at noon.", "Farewell, then."],
    ["祖母はどこに住んでいますか。", "手紙を書きたい。", "切手はありますか。"],
];

fn talk(server: &Server, place: Where, instruction: &str, chat: usize) -> String {
    let mut said = Vec::new();
    if place != Where::Alone {
        said.push("assistant: 欢迎来到茶馆。".to_owned());
    }
    let mut found = String::new();
    for words in SAID[chat] {
        said.push(format!("user: {words}"));
        let sent = list(place, instruction, &said);
        let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
        found = conversation(&say(server, "", "m@mo", &sent)).to_owned();
        said.push(format!("assistant: {}", answer(said.last().unwrap())));
    }
    found
}

fn answer(words: &str) -> String {
    format!("请慢用：{}", words.trim_start_matches("user: "))
}

/// All lines of a world, each as `words`, or `(words)` if it is hidden.
fn lines(caller: &mut Caller) -> Vec<String> {
    let chats = caller.get("/v1/worlds/default/conversations?limit=100");
    let mut lines = Vec::new();
    for chat in chats["items"].as_array().unwrap() {
        let id = chat["id"].as_str().unwrap();
        let tree = caller.get(&format!("/v1/worlds/default/conversations/{id}/lines?tree=true&limit=100"));
        for line in tree["items"].as_array().unwrap() {
            let words = line["content"].as_str().unwrap();
            let is_hidden = line["hidden"].as_bool().unwrap();
            lines.push(if is_hidden { format!("({words})") } else { words.to_owned() });
        }
    }
    lines
}

#[test]
fn instructions_in_the_user_s_name_are_nobody_s_memories() {
    let english = "Stay in character and write at most two short paragraphs.";
    for (place, instruction, shown, hidden) in [
        (Where::Depth(0), "请以猫娘的口吻继续，不要超过两段。", 0, 3),
        (Where::Depth(1), english, 0, 3),
        (Where::Depth(2), "ずっと猫の口調で、二段落以内で続けてください。", 0, 3),
        // Nothing tells it from words in the first chat, nor ever where a greeting follows it.
        (Where::Front, english, 1, 2),
        (Where::Alone, "请以猫娘的口吻回答下面的话。", 0, 1),
    ] {
        let model = ScriptedModel::answering(|seen| {
            let messages = seen.body["messages"].as_array().unwrap();
            let is_said =
                |message: &&Value| SAID.as_flattened().contains(&message["content"].as_str().unwrap());
            let asked = messages.iter().rev().find(is_said).unwrap();
            Behaviour::says(&answer(asked["content"].as_str().unwrap()))
        });
        let server = serve_before(&model, &[]);
        let mut caller = Caller::new(&server);
        let mut chats: Vec<String> = (0..3).map(|chat| talk(&server, place, instruction, chat)).collect();
        chats.dedup();
        assert_eq!(chats.len(), if place == Where::Alone { 1 } else { 3 }, "{place:?}");
        let told = lines(&mut caller);
        let count = |words: &str| told.iter().filter(|line| *line == words).count();
        assert_eq!(count(instruction), shown, "{place:?}: {told:?}");
        assert_eq!(count(&format!("({instruction})")), hidden, "{place:?}: {told:?}");
        for words in SAID.as_flattened() {
            assert_eq!((count(words), count(&answer(words))), (1, 1), "{place:?}: {told:?}");
        }
        let greetings = if place == Where::Alone { 0 } else { 3 };
        assert_eq!(told.len(), 18 + greetings + shown + hidden, "{place:?}: {told:?}");
        caller.call("POST /v1/worlds/default/digest", serde_json::json!({"now": true}));
        let known = caller.get("/v1/worlds/default/characters/mo/memories?limit=100");
        let known = known["items"].as_array().unwrap();
        assert!(known.iter().any(|memory| memory.to_string().contains("手紙を書きたい")), "{known:?}");
        let of_it = known.iter().filter(|memory| memory.to_string().contains(instruction)).count();
        assert_eq!(of_it, shown, "{place:?}: {known:?}");
    }
}
