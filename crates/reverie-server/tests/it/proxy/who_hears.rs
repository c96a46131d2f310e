//! Members of a group come and go while messages are edited, swiped and taken back: does each hear what is said while they are there, and
//! nothing else? The stories stand in `who_hears.txt`.

use std::sync::{Arc, Mutex};

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{asked, conversation};
use super::{chat, messages, serve_before};
use crate::caller::Caller;
use crate::run::Server;

#[test]
fn members_hear_what_is_said_while_they_are_there() {
    let stories: Vec<&str> = include_str!("who_hears.txt").split("\n# ").skip(1).collect();
    assert!(stories.len() > 10, "the stories are read: {}", stories.len());
    let answer = Arc::new(Mutex::new(String::new()));
    let next = Arc::clone(&answer);
    let model = ScriptedModel::answering(move |_| Behaviour::says(&next.lock().unwrap()));
    // Pages are small, so that a few conversations are many.
    let server = serve_before(&model, &["--limits-page", "20"]);
    for (number, story) in stories.iter().enumerate() {
        let title = story.lines().next().unwrap();
        let mut scene = Scene {
            server: &server,
            model: &model,
            answer: &answer,
            world: format!("w{number}"),
            said: Vec::new(),
            place: None,
            others: 0,
        };
        for line in story.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            scene.play(&format!("{title}: {line}"), line);
        }
    }
}

struct Scene<'a> {
    server: &'a Server,
    model: &'a ScriptedModel,
    answer: &'a Mutex<String>,
    world: String,
    /// What the client shows.
    said: Vec<String>,
    place: Option<String>,
    others: usize,
}

impl Scene<'_> {
    fn play(&mut self, at: &str, line: &str) {
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        match what {
            "say" => self.said.push(format!("user: {rest}")),
            "edit" => {
                let newest = self.said.iter().rposition(|said| said.starts_with("user: ")).unwrap();
                self.said.truncate(newest);
                self.said.push(format!("user: {rest}"));
            }
            "swipe" => drop(self.said.pop()),
            "back" => self.said.truncate(self.said.len() - rest.parse::<usize>().unwrap()),
            "turn" => self.turn(at, rest),
            "heard" => {
                let (words, names) = rest.rsplit_once(": ").unwrap();
                assert_eq!(self.witnesses(words), json!(names.split(", ").collect::<Vec<_>>()), "{at}");
            }
            "unheard" => {
                let (words, name) = rest.rsplit_once(": ").unwrap();
                assert!(!self.witnesses(words).as_array().unwrap().contains(&json!(name)), "{at}");
            }
            "sent" => assert!(asked(self.model).prompt().contains(rest), "{at}"),
            "withheld" => assert!(!asked(self.model).prompt().contains(rest), "{at}"),
            "others" => self.open_others(rest.parse().unwrap()),
            what => panic!("{at}: what is {what:?}?"),
        }
    }

    fn turn(&mut self, at: &str, rest: &str) {
        let (members, said) = rest.split_once(" > ").unwrap();
        let (speaker, words) = said.split_once(": ").unwrap();
        let marker = format!("system: [Start a new group chat. Group members: {members}]");
        let nudge = format!("system: [Write the next reply only as {speaker}.]");
        let marker = Some(marker.as_str()).filter(|_| members != "*");
        let sent: Vec<&str> =
            marker.into_iter().chain(self.said.iter().map(String::as_str)).chain([nudge.as_str()]).collect();
        said.clone_into(&mut self.answer.lock().unwrap());
        let place = self.place.as_ref().filter(|_| members == "*");
        let named = place.map_or_else(String::new, |place| format!("x-reverie-conversation: {place}"));
        let headers = format!("x-reverie-world: {}\nx-reverie-only-witnessed: on\n{named}", self.world);
        let reply = chat(self.server, &headers, &json!({"model": "m", "messages": messages(&sent)}));
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{at}: {reply:?}");
        let here = conversation(&reply).to_owned();
        assert_eq!(*self.place.get_or_insert_with(|| here.clone()), here, "{at}");
        self.said.push(format!("assistant: {said}"));
        let recorded: Vec<Value> = self.lines().iter().map(|line| line["content"].clone()).collect();
        let shown = self.said.iter().map(|said| said.split_once(": ").unwrap().1);
        let without_name = |said: &str| said.split_once(": ").map(|(_, words)| words.to_owned());
        let shown: Vec<String> = shown
            .zip(&self.said)
            .map(|(words, said)| match said.starts_with("assistant") {
                true => without_name(words).unwrap(),
                false => words.to_owned(),
            })
            .collect();
        assert_eq!(json!(recorded), json!(shown), "{at}: {words}");
    }

    fn lines(&self) -> Vec<Value> {
        let place = self.place.as_ref().unwrap();
        let path = format!("/v1/worlds/{}/conversations/{place}/lines?limit=20", self.world);
        Caller::new(self.server).get(&path)["items"].as_array().unwrap().clone()
    }

    /// Of the one line on the path that has these words.
    fn witnesses(&self, words: &str) -> Value {
        let lines = self.lines();
        let mut found = lines.iter().filter(|line| line["content"].as_str().unwrap().contains(words));
        let (line, other) = (found.next(), found.next());
        assert!(other.is_none(), "{words} is said twice");
        line.unwrap_or_else(|| panic!("{words} is not on the path"))["witnesses"].clone()
    }

    fn open_others(&mut self, count: usize) {
        let mut caller = Caller::new(self.server);
        caller.call(&format!("PUT /v1/worlds/{}", self.world), json!({}));
        for _ in 0..count {
            self.others += 1;
            let name = format!("n{}", self.others);
            let open = json!({"name": name, "participants": ["y", name]});
            caller.call(&format!("POST /v1/worlds/{}/conversations", self.world), open);
        }
    }
}
