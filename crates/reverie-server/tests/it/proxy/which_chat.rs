//! Several chats of the same people: does each stay itself? The stories stand in `which_chat.txt`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::json;

use super::remembers::path;
use super::{chat, messages, serve_patiently};
use crate::caller::Caller;
use crate::run::{Directory, Server};

#[test]
fn chats_of_the_same_people_do_not_mix() {
    let stories: Vec<&str> = include_str!("which_chat.txt").split("\n# ").skip(1).collect();
    assert!(stories.len() > 8, "the stories are read: {}", stories.len());
    let mut stage = Stage::new();
    for (number, story) in stories.iter().enumerate() {
        stage.play(number, story);
    }
}

/// Two branches of one chat, and a client that may have cut off the place where they part.
#[test]
fn a_window_finds_the_branch_that_it_is_of() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("答：{}", last["content"].as_str().unwrap()))
    });
    let directory = Directory::new();
    let server = begin(&directory, &model);
    let mut caller = Caller::new(&server);
    for (window, world) in [(8, "short"), (12, "long"), (1000, "all")] {
        let mut place = None;
        let mut lines = 1;
        let mut turn = |said: &mut Vec<String>, words: &str| {
            said.push(format!("user: {words}"));
            let sent: Vec<&str> =
                said[said.len().saturating_sub(window)..].iter().map(String::as_str).collect();
            let body = json!({"model": "m@灯塔", "messages": messages(&sent)});
            let reply = chat(&server, &format!("x-reverie-world: {world}"), &body);
            assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{reply:?}");
            let here = reply.header("x-reverie-conversation").unwrap().to_owned();
            assert_eq!(*place.get_or_insert_with(|| here.clone()), here, "{window}: {words}");
            said.push(format!("assistant: 答：{words}"));
            lines += 2;
            let shown = said.iter().map(|said| said.replacen("assistant: ", "灯塔: ", 1));
            assert_eq!(path(&mut caller, world, &here), shown.collect::<Vec<_>>(), "{window}: {words}");
            let tree = format!("/v1/worlds/{world}/conversations/{here}/lines?tree=true&limit=1000");
            let tree = caller.get(&tree)["items"].as_array().unwrap().len();
            assert_eq!(tree, lines, "{window}: {words}: nothing is recorded twice");
        };
        let mut main = vec!["assistant: Hello, I am the keeper of the lighthouse.".to_owned()];
        for number in 0..12 {
            turn(&mut main, &format!("question number {number} about the sea"));
        }
        let mut branch = main[..7].to_vec();
        for number in 0..5 {
            turn(&mut branch, &format!("关于月亮的第{number}句话"));
        }
        turn(&mut main, "back in the main chat: what about whales?");
        turn(&mut main, "and dolphins, what about them?");
        turn(&mut branch, "月亮上面有人吗？");
        turn(&mut main, "イルカは歌いますか？");
        // The last message is edited right after that.
        branch.truncate(branch.len() - 2);
        turn(&mut branch, "月亮上面有兔子吗？");
        turn(&mut branch, "它在做什么？");
    }
}

/// Two devices go on with the same chat, and neither knows what was said on the other: each has a branch of its own, is found there again, and
/// what is said on both, in the same words, is there twice because it was said twice.
#[test]
fn two_devices_go_on_by_turns() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("答：{}", last["content"].as_str().unwrap()))
    });
    let directory = Directory::new();
    let server = begin(&directory, &model);
    let mut caller = Caller::new(&server);
    let phone = ["去哪里散步好呢？", "Good night, see you tomorrow.", "早上好。", "好", "猫饿了，我去喂它。"];
    let desk =
        ["What is for dinner?", "好", "Good night, see you tomorrow.", "The soup was cold.", "早上好。"];
    for (window, world) in [(5, "short"), (8, "long"), (1000, "all")] {
        let mut place = None;
        let mut lines = 1;
        let mut turn = |said: &mut Vec<String>, words: &str| {
            said.push(format!("user: {words}"));
            let sent: Vec<&str> =
                said[said.len().saturating_sub(window)..].iter().map(String::as_str).collect();
            let body = json!({"model": "m@灯塔", "messages": messages(&sent)});
            let reply = chat(&server, &format!("x-reverie-world: {world}"), &body);
            let here = reply.header("x-reverie-conversation").unwrap().to_owned();
            assert_eq!(*place.get_or_insert_with(|| here.clone()), here, "{window}: {words}");
            said.push(format!("assistant: 答：{words}"));
            lines += 2;
            let shown = said.iter().map(|said| said.replacen("assistant: ", "灯塔: ", 1));
            assert_eq!(path(&mut caller, world, &here), shown.collect::<Vec<_>>(), "{window}: {words}");
            let tree = format!("/v1/worlds/{world}/conversations/{here}/lines?tree=true&limit=1000");
            let tree = caller.get(&tree)["items"].as_array().unwrap().len();
            assert_eq!(tree, lines, "{window}: {words}: nothing is recorded twice");
        };
        let mut first = vec!["assistant: Hello, I am the keeper of the lighthouse.".to_owned()];
        turn(&mut first, "My name is Mei, and I am new here.");
        turn(&mut first, "窗外在下雨。");
        let mut second = first.clone();
        for (here, there) in phone.iter().zip(desk) {
            turn(&mut first, here);
            turn(&mut second, there);
        }
        // Several on one of them, then back on the other.
        for number in 0..6 {
            turn(&mut second, &format!("Page {number} of my novel is done."));
        }
        turn(&mut first, "久しぶり、元気？");
    }
}

/// What a client shows of one chat, and where it was recorded.
#[derive(Default, Clone)]
struct Chat {
    said: Vec<String>,
    place: Option<String>,
}

struct Stage {
    directory: Directory,
    model: ScriptedModel,
    answer: Arc<Mutex<String>>,
    server: Option<Server>,
}

impl Stage {
    fn new() -> Self {
        let answer = Arc::new(Mutex::new(String::new()));
        let next = Arc::clone(&answer);
        let model = ScriptedModel::answering(move |_| Behaviour::says(&next.lock().unwrap()));
        let directory = Directory::new();
        let server = Some(begin(&directory, &model));
        Self { directory, model, answer, server }
    }

    fn play(&mut self, number: usize, story: &str) {
        let title = story.lines().next().unwrap();
        let model = format!("m@mo{number}");
        let mut chats: BTreeMap<String, Chat> = BTreeMap::new();
        let [mut before, mut beside, mut behind]: [Vec<String>; 3] = Default::default();
        let mut window = usize::MAX;
        let mut is_named = false;
        for line in story.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
            match what {
                "before" => before = vec![rest.to_owned()],
                "beside" => beside = vec![rest.to_owned()],
                "behind" => behind = vec![rest.to_owned()],
                "window" => window = rest.parse().unwrap(),
                "named" => is_named = true,
                "restart" => {
                    self.server = None;
                    self.server = Some(begin(&self.directory, &self.model));
                }
                "many" => (0..rest.parse().unwrap()).for_each(|chat| {
                    let question = format!("user: Question number {chat} of somebody else");
                    self.ask(
                        "",
                        &model,
                        &[question, "assistant: I see.".into(), format!("user: And {chat}?")],
                        "Well.",
                    );
                }),
                name => {
                    let chat = chats.entry(name.to_owned()).or_default();
                    if let Some(greeting) = rest.strip_prefix("greets: ") {
                        chat.said.push(format!("assistant: {greeting}"));
                        continue;
                    }
                    if let Some(earlier) = rest.strip_prefix("shows: ") {
                        *chat.said.last_mut().unwrap() = format!("assistant: {earlier}");
                        continue;
                    }
                    if let Some(count) = rest.strip_prefix("goes back to: ") {
                        chat.said.truncate(count.parse().unwrap());
                        continue;
                    }
                    let edits = ["edits: ", "again: ", "edits elsewhere: "];
                    let edited = edits.iter().find_map(|edits| rest.strip_prefix(edits));
                    let mut left = None;
                    if rest.starts_with("edits elsewhere: ") {
                        left = Some(chat.clone());
                        chat.place = None;
                    }
                    if edited.is_some() {
                        chat.said.truncate(chat.said.len() - 2);
                    }
                    let (words, answer) = edited.unwrap_or(rest).split_once(" => ").unwrap();
                    chat.said.push(format!("user: {words}"));
                    let begin = chat.said.len().saturating_sub(window);
                    let (newest, older) = chat.said[begin..].split_last().unwrap();
                    let sent = [&before, older, &beside, std::slice::from_ref(newest), &behind].concat();
                    let named = is_named.then(|| format!("x-reverie-conversation: {name}-{number}"));
                    let place = self.ask(&named.unwrap_or_default(), &model, &sent, answer);
                    chat.said.push(format!("assistant: {answer}"));
                    let first = chat.place.get_or_insert_with(|| place.clone());
                    assert_eq!(*first, place, "{title}: {line}");
                    let places = left.iter().filter_map(|left| left.place.as_ref());
                    places.for_each(|left| assert_ne!(*left, place, "{title}: {line}"));
                    left.map(|left| chats.insert(format!("{name} as it was"), left));
                }
            }
            self.check((title, line), number, &chats, &[&beside[..], &behind].concat());
        }
    }

    fn ask(&self, headers: &str, model: &str, said: &[String], answer: &str) -> String {
        answer.clone_into(&mut self.answer.lock().unwrap());
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let reply = chat(
            self.server.as_ref().unwrap(),
            headers,
            &json!({"model": model, "messages": messages(&said)}),
        );
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{reply:?}");
        reply.header("x-reverie-conversation").unwrap().to_owned()
    }

    /// Each is what its client shows, and stands alone.
    fn check(&self, at: (&str, &str), number: usize, chats: &BTreeMap<String, Chat>, notes: &[String]) {
        let mut caller = Caller::new(self.server.as_ref().unwrap());
        for (name, chat) in chats {
            let Some(place) = &chat.place else { continue };
            let mut recorded = path(&mut caller, "default", place);
            for note in notes {
                let first = recorded.iter().position(|line| line == note);
                first.map(|first| recorded.remove(first));
            }
            let character = format!("mo{number}: ");
            let shown = chat.said.iter().map(|said| said.replacen("assistant: ", &character, 1));
            assert_eq!(recorded, shown.collect::<Vec<_>>(), "{at:?}: chat {name}");
        }
    }
}

/// A server that goes on where the last one left off.
fn begin(directory: &Directory, model: &ScriptedModel) -> Server {
    let data = directory.path().to_str().unwrap();
    serve_patiently(&["--data", data, "--upstream-url", &model.openai()], &[])
}
