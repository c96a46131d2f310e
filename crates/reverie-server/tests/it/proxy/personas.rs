//! Somebody goes on in a chat as somebody else: does it stay one chat, and do others stay out of it? The stories stand in `personas.txt`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path};
use super::{chat, messages, serve_patiently};
use crate::caller::Caller;
use crate::run::{Directory, Server};

/// Where a client writes who says something.
const WAYS: [&str; 3] = ["nowhere", "before", "field"];

#[test]
fn a_chat_goes_on_as_somebody_else() {
    let stories: Vec<&str> = include_str!("personas.txt").split("\n# ").skip(1).collect();
    assert!(stories.len() > 5, "the stories are read: {}", stories.len());
    let mut stage = Stage::new();
    for (number, story) in stories.iter().enumerate() {
        for way in WAYS {
            stage.play(&format!("w{number}-{way}"), way, story);
        }
    }
}

/// Two people whose keys say who they are, and one of them has the other's chat word for word.
#[test]
fn whoever_has_a_key_is_nobody_else() {
    let model = ScriptedModel::always(Behaviour::says("Grand."));
    let directory = Directory::new();
    let key = |name: &str| format!("[keys.{name}]\ntoken = \"rv_{name}\"\nuser = \"{name}\"\n");
    let text = format!("[upstreams.a]\nurl = \"{}\"\n{}{}", model.openai(), key("ann"), key("kate"));
    let server = serve_patiently(&["--config", &directory.write("reverie.toml", &text)], &[]);
    let ask = |name: &str, said: &[&str]| {
        let body = json!({"model": "m@mo", "messages": messages(said)});
        conversation(&chat(&server, &format!("authorization: Bearer rv_{name}"), &body)).to_owned()
    };
    let said = ["user: I own a windmill in Kent.", "assistant: Grand.", "user: It is old."];
    let (ann, kate) = (ask("ann", &said[..1]), ask("kate", &said));
    let mut caller = Caller::new(&server);
    assert_eq!(path(&mut caller, "default", &ann), ["ann: I own a windmill in Kent.", "mo: Grand."]);
    assert_eq!(path(&mut caller, "default", &kate).len(), 4);
}

/// Who said what, and where it was recorded.
#[derive(Default)]
struct Chat {
    said: Vec<(String, String)>,
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

    fn play(&mut self, world: &str, way: &str, story: &str) {
        let title = format!("{} ({way})", story.lines().next().unwrap());
        let mut chats: BTreeMap<String, Chat> = BTreeMap::new();
        for line in story.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            if line == "restart" {
                self.server = None;
                self.server = Some(begin(&self.directory, &self.model));
                continue;
            }
            let asks = !line.starts_with("knew ");
            let (name, rest) = line.trim_start_matches("knew ").split_once(' ').unwrap();
            let chat = chats.entry(name.to_owned()).or_default();
            let (who, words) = rest.split_once(": ").unwrap();
            let Some((words, answer)) = words.split_once(" => ") else {
                chat.said.push(("mo".into(), words.into()));
                continue;
            };
            chat.said.push((who.into(), words.into()));
            if asks {
                let place = self.ask(world, way, who, &chat.said, answer);
                let first = chat.place.get_or_insert_with(|| place.clone());
                assert_eq!(*first, place, "{title}: {line}");
            }
            chat.said.push(("mo".into(), answer.into()));
            self.check(&format!("{title}: {line}"), world, &chats);
        }
    }

    fn ask(&self, world: &str, way: &str, user: &str, said: &[(String, String)], answer: &str) -> String {
        answer.clone_into(&mut self.answer.lock().unwrap());
        let message = |(who, words): &(String, String)| {
            let role = if who == "mo" { "assistant" } else { "user" };
            match way {
                "before" => json!({"role": role, "content": format!("{who}: {words}")}),
                // The field holds ASCII alone.
                "field" if who.is_ascii() => json!({"role": role, "name": who, "content": words}),
                _ => json!({"role": role, "content": words}),
            }
        };
        let start = json!({"role": "system", "content": "[Start a new Chat]"});
        let messages: Vec<Value> = [start].into_iter().chain(said.iter().map(message)).collect();
        let body = json!({"model": "m@mo", "messages": messages, "reverie": {"user": user, "world": world}});
        conversation(&chat(self.server.as_ref().unwrap(), "", &body)).to_owned()
    }

    /// Each is what its client shows, and nothing else was recorded.
    fn check(&self, at: &str, world: &str, chats: &BTreeMap<String, Chat>) {
        let mut caller = Caller::new(self.server.as_ref().unwrap());
        let mut places = Vec::new();
        for (name, chat) in chats {
            let Some(place) = &chat.place else { continue };
            let shown = chat.said.iter().map(|(who, words)| format!("{who}: {words}"));
            assert_eq!(path(&mut caller, world, place), shown.collect::<Vec<_>>(), "{at}: chat {name}");
            let tree = format!("/v1/worlds/{world}/conversations/{place}/lines?tree=true&limit=1000");
            let tree = caller.get(&tree)["items"].as_array().unwrap().len();
            assert_eq!(tree, chat.said.len(), "{at}: chat {name}: nothing is recorded twice");
            places.push(place.as_str());
        }
        let listed = caller.get(&format!("/v1/worlds/{world}/conversations"));
        let listed = listed["items"].as_array().unwrap();
        let mut listed: Vec<&str> = listed.iter().map(|one| one["id"].as_str().unwrap()).collect();
        listed.sort_unstable();
        places.sort_unstable();
        assert_eq!(listed, places, "{at}");
    }
}

/// A server that goes on where the last one left off.
fn begin(directory: &Directory, model: &ScriptedModel) -> Server {
    let data = directory.path().to_str().unwrap();
    serve_patiently(&["--data", data, "--upstream-url", &model.openai()], &[])
}
