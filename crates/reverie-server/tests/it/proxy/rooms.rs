//! Several characters answer in one room: is each line on the path once, heard by whoever answers it, and all of an exchange remembered as
//! one? The stories stand in `rooms.txt`.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::at_once::Answers;
use super::remembers::path;
use super::serve_before;
use crate::caller::Caller;
use crate::client::{PATIENCE, Reply, request};
use crate::run::Server;
use crate::worker::until;

#[test]
fn several_characters_answer_in_one_room() {
    let stories: Vec<&str> = include_str!("rooms.txt").split("\n# ").skip(1).collect();
    assert!(stories.len() > 5, "the stories are read: {}", stories.len());
    let answers = Arc::new(Answers::default());
    let coming = Arc::clone(&answers);
    // The first message says who is asked where, the last one what, or for whom.
    let model = ScriptedModel::answering(move |seen| {
        let messages = seen.body["messages"].as_array().unwrap();
        coming.wait_for(messages[0]["content"].as_str().unwrap())
    });
    let server = serve_before(&model, &[]);
    for (number, story) in stories.iter().enumerate() {
        let title = story.lines().next().unwrap();
        let mut room = Room {
            server: &server,
            answers: &answers,
            world: format!("room{number}"),
            sends: "newest",
            present: None,
            log: Vec::new(),
            asked: HashMap::new(),
            path: Vec::new(),
        };
        for line in story.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            room.play(&format!("{title}: {line}"), line);
        }
        room.check_path(title);
    }
}

struct Room<'a> {
    server: &'a Server,
    answers: &'a Answers,
    world: String,
    sends: &'a str,
    present: Option<&'a str>,
    /// Who said what, as clients have it.
    log: Vec<(String, String)>,
    asked: HashMap<String, JoinHandle<Reply>>,
    /// What is expected.
    path: Vec<String>,
}

impl<'a> Room<'a> {
    fn play(&mut self, at: &str, line: &'a str) {
        let (what, rest) = line.split_once(' ').unwrap();
        if what != "=" && !self.path.is_empty() {
            self.check_path(at);
            self.path.clear();
        }
        match what {
            "sends" => self.sends = rest,
            "present" => self.present = Some(rest),
            "ask" => self.ask(rest),
            "answer" => self.answer(at, rest),
            "refuse" => drop(self.end(at, rest, Behaviour::refuses(500, "boom", "no"))),
            "say" => {
                let (asked, answer) = rest.split_once(" => ").unwrap();
                self.ask(asked);
                self.answer(at, &format!("{} => {answer}", asked.split_once(" > ").unwrap().1));
            }
            "log" => {
                let (who, words) = rest.split_once(": ").unwrap();
                self.log.push((who.to_owned(), words.to_owned()));
            }
            "unlog" => self.log.retain(|(who, words)| format!("{who}: {words}") != rest),
            "=" => self.path.push(rest.to_owned()),
            "heard" => {
                let (words, names) = rest.rsplit_once(": ").unwrap();
                assert_eq!(self.witnesses(words), json!(names.split(", ").collect::<Vec<_>>()), "{at}");
            }
            "remembers" => self.check_remembered(at, rest),
            what => panic!("{at}: what is {what:?}?"),
        }
    }

    /// `Ann > Rex: words`. Returns when the model is asked.
    fn ask(&mut self, asked: &str) {
        let (who, rest) = asked.split_once(" > ").unwrap();
        let (bot, words) = rest.split_once(": ").unwrap();
        let said = (who.to_owned(), words.to_owned());
        if who != "-" && !self.log.contains(&said) {
            self.log.push(said);
        }
        let prompt = format!("{}: {bot}, {words}", self.world);
        let mut messages = vec![json!({"role": "system", "content": prompt})];
        messages.extend(self.messages(bot, who, words));
        let mut ours = json!({"world": self.world});
        if self.sends != "group" {
            ours["conversation"] = json!("room");
        }
        if who != "-" && matches!(self.sends, "newest" | "sides") {
            ours["user"] = json!(who);
        }
        if let Some(present) = self.present {
            ours["present"] = json!(present.split(", ").collect::<Vec<_>>());
        }
        let body = json!({"model": format!("m@{bot}"), "messages": messages, "reverie": ours}).to_string();
        let address = self.server.address;
        let asking = std::thread::spawn(move || request(address, "POST /v1/chat/completions", "", &body));
        self.asked.insert(prompt.clone(), asking);
        self.answers.until_asked(&prompt);
    }

    fn messages(&self, bot: &str, who: &str, words: &str) -> Vec<Value> {
        let is_bot =
            |who: &str| self.present.is_some_and(|present| present.split(", ").any(|name| name == who));
        let log = self.log.iter();
        match self.sends {
            "newest" => vec![json!({"role": "user", "content": words})],
            // Each has its own words as the assistant's, and all others' as users'.
            "views" => log
                .map(|(who, words)| match who == bot {
                    true => json!({"role": "assistant", "content": words}),
                    false => json!({"role": "user", "name": who, "content": words}),
                })
                .collect(),
            // The same where two talk with each other.
            "sides" => log
                .map(|(who, words)| {
                    let role = if who == bot { "assistant" } else { "user" };
                    json!({"role": role, "content": words})
                })
                .collect(),
            "group" => {
                let members = self.present.unwrap();
                let start = format!("[Start a new group chat. Group members: {members}]");
                let said = log.map(|(who, words)| {
                    let role = if is_bot(who) { "assistant" } else { "user" };
                    json!({"role": role, "content": format!("{who}: {words}")})
                });
                let nudge = format!("[Write the next reply only as {bot}.]");
                let system = |text: String| json!({"role": "system", "content": text});
                [system(start)].into_iter().chain(said).chain([system(nudge)]).collect()
            }
            sends => panic!("{who} sends {sends:?}?"),
        }
    }

    /// `Rex: words => answer`. Returns when it was heard.
    fn answer(&mut self, at: &str, rest: &str) {
        let (asked, answer) = rest.split_once(" => ").unwrap();
        let bot = self.end(at, asked, Behaviour::says(answer));
        self.log.push((bot, answer.to_owned()));
    }

    fn end(&mut self, at: &str, asked: &str, answer: Behaviour) -> String {
        let (bot, words) = asked.split_once(": ").unwrap();
        let prompt = format!("{}: {bot}, {words}", self.world);
        self.answers.let_come(&prompt, answer);
        let reply = self.asked.remove(&prompt).unwrap().join().unwrap();
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{at}: {reply:?}");
        bot.to_owned()
    }

    /// The newest of the world's conversations; nothing else was said in it.
    fn place(&self) -> String {
        let list = Caller::new(self.server).get(&format!("/v1/worlds/{}/conversations", self.world));
        let all = list["items"].as_array().unwrap();
        assert_eq!(all.len(), 1, "{list}");
        all[0]["id"].as_str().unwrap().to_owned()
    }

    fn check_path(&self, at: &str) {
        if self.path.is_empty() {
            return;
        }
        let (mut caller, place) = (Caller::new(self.server), self.place());
        let start = Instant::now();
        loop {
            let said = path(&mut caller, &self.world, &place);
            if said == self.path {
                return;
            }
            assert!(start.elapsed() < PATIENCE / 8, "{at}: {said:#?} instead of {:#?}", self.path);
            std::thread::yield_now();
        }
    }

    /// Of the one line on the path that has these words.
    fn witnesses(&self, words: &str) -> Value {
        let lines = format!("/v1/worlds/{}/conversations/{}/lines?limit=50", self.world, self.place());
        let lines = Caller::new(self.server).get(&lines);
        let lines = lines["items"].as_array().unwrap();
        let mut found = lines.iter().filter(|line| line["content"].as_str().unwrap() == words);
        let (line, other) = (found.next(), found.next());
        assert!(other.is_none(), "{words} is said twice");
        line.unwrap_or_else(|| panic!("{words} is not on the path"))["witnesses"].clone()
    }

    /// `Rex: words | words`: one memory has all of them, and no other one has any.
    fn check_remembered(&self, at: &str, rest: &str) {
        let (bot, words) = rest.split_once(": ").unwrap();
        let words: Vec<&str> = words.split(" | ").collect();
        let mut caller = Caller::new(self.server);
        caller.call(&format!("POST /v1/worlds/{}/digest", self.world), json!({"now": true}));
        let memories = format!("/v1/worlds/{}/characters/{bot}/memories?limit=50", self.world);
        let has_one = |list: &Value| {
            let texts =
                list["items"].as_array().unwrap().iter().map(|memory| memory["text"].as_str().unwrap());
            let about: Vec<&str> =
                texts.filter(|text| words.iter().any(|words| text.contains(words))).collect();
            about.len() == 1 && words.iter().all(|words| about[0].contains(words))
        };
        let list = until(&mut caller, &memories, has_one);
        assert!(has_one(&list), "{at}: {list}");
    }
}
