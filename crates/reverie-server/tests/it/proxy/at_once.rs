//! Several ask in one conversation before anybody is answered: is all of it on the path, once, and remembered? The stories stand in
//! `at_once.txt`.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::path;
use super::serve_before;
use crate::caller::Caller;
use crate::client::{PATIENCE, Reply, request};
use crate::run::Server;
use crate::worker::until;

#[test]
fn what_is_said_at_once_is_on_the_path_once() {
    let stories: Vec<&str> = include_str!("at_once.txt").split("\n# ").skip(1).collect();
    assert!(stories.len() > 8, "the stories are read: {}", stories.len());
    let answers = Arc::new(Answers::default());
    let coming = Arc::clone(&answers);
    let model = ScriptedModel::answering(move |seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        coming.wait_for(last["content"].as_str().unwrap())
    });
    let server = serve_before(&model, &[]);
    for (number, story) in stories.iter().enumerate() {
        let world = format!("story{number}");
        let (log, asked) = (Vec::new(), HashMap::new());
        Stage { server: &server, answers: &answers, world, log, asked }.play(story);
    }
}

/// What the model says, as soon as somebody lets it: to these words.
#[derive(Default)]
pub(super) struct Answers {
    /// None while it is only asked for.
    all: Mutex<HashMap<String, Option<Behaviour>>>,
    changed: Condvar,
}

impl Answers {
    pub(super) fn wait_for(&self, words: &str) -> Behaviour {
        let mut all = self.all.lock().unwrap();
        all.entry(words.to_owned()).or_insert(None);
        self.changed.notify_all();
        let is_missing = |all: &mut HashMap<String, Option<Behaviour>>| all[words].is_none();
        let (mut all, _) = self.changed.wait_timeout_while(all, PATIENCE, is_missing).unwrap();
        all.remove(words).flatten().expect("an answer")
    }

    pub(super) fn let_come(&self, words: &str, answer: Behaviour) {
        self.all.lock().unwrap().insert(words.to_owned(), Some(answer));
        self.changed.notify_all();
    }

    pub(super) fn until_asked(&self, words: &str) {
        let all = self.all.lock().unwrap();
        let is_missing = |all: &mut HashMap<String, Option<Behaviour>>| !all.contains_key(words);
        let (_asked, waited) = self.changed.wait_timeout_while(all, PATIENCE, is_missing).unwrap();
        assert!(!waited.timed_out(), "nobody asked: {words}");
    }
}

struct Stage<'a> {
    server: &'a Server,
    answers: &'a Answers,
    world: String,
    /// Who said what, as the client tells it.
    log: Vec<(String, String)>,
    asked: HashMap<String, JoinHandle<Reply>>,
}

impl Stage<'_> {
    fn play(mut self, story: &str) {
        let title = story.lines().next().unwrap();
        for line in story.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            let (what, rest) = line.split_once(' ').unwrap();
            match what {
                "log" => {
                    let (who, words) = rest.split_once(' ').unwrap();
                    self.log.push((who.to_owned(), words.to_owned()));
                }
                "ask" => {
                    let (who, words) = rest.split_once(' ').unwrap();
                    self.ask(who, words);
                }
                "answer" => {
                    let (words, answer) = rest.split_once(" => ").unwrap();
                    self.answer(words, Behaviour::says(answer));
                }
                "refuse" => self.answer(rest, Behaviour::refuses(500, "boom", "no")),
                "say" => {
                    let (said, answer) = rest.split_once(" => ").unwrap();
                    let (who, words) = said.split_once(' ').unwrap();
                    self.ask(who, words);
                    self.answer(words, Behaviour::says(answer));
                    self.log.push((who.to_owned(), words.to_owned()));
                    self.log.push(("Bot".to_owned(), answer.to_owned()));
                    self.check((title, line));
                }
                "now" => self.check((title, line)),
                what => panic!("what is {what:?}?"),
            }
        }
        self.check_remembered(title);
    }

    /// Returns when the model is asked.
    fn ask(&mut self, who: &str, words: &str) {
        let message = |(who, words): (&str, &str)| match who {
            "Bot" => json!({"role": "assistant", "content": words}),
            who => json!({"role": "user", "name": who, "content": words}),
        };
        let log = self.log.iter().map(|(who, words)| (who.as_str(), words.as_str()));
        let messages: Vec<Value> = log.chain([(who, words)]).map(message).collect();
        let headers = format!(
            "x-reverie-world: {}\nx-reverie-conversation: group-77\nx-reverie-user: {who}",
            self.world
        );
        let (address, body) = (self.server.address, json!({"model": "m@Bot", "messages": messages}));
        let asking = std::thread::spawn(move || {
            request(address, "POST /v1/chat/completions", &headers, &body.to_string())
        });
        self.asked.insert(words.to_owned(), asking);
        self.answers.until_asked(words);
    }

    /// Returns when it was heard.
    fn answer(&mut self, words: &str, answer: Behaviour) {
        self.answers.let_come(words, answer);
        let reply = self.asked.remove(words).unwrap().join().unwrap();
        assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{reply:?}");
    }

    /// The path has all that the log has, once.
    fn check(&self, at: (&str, &str)) {
        let mut caller = Caller::new(self.server);
        let list = caller.get(&format!("/v1/worlds/{}/conversations", self.world));
        assert_eq!(list["items"].as_array().unwrap().len(), 1, "{at:?}: {list}");
        let mut wanted: Vec<String> = self.log.iter().map(|(who, words)| format!("{who}: {words}")).collect();
        wanted.sort();
        let start = Instant::now();
        loop {
            let said = path(&mut caller, &self.world, list["items"][0]["id"].as_str().unwrap());
            let mut sorted = said.clone();
            sorted.sort();
            if sorted == wanted {
                return;
            }
            assert!(start.elapsed() < PATIENCE / 8, "{at:?}: {said:#?}");
            std::thread::yield_now();
        }
    }

    fn check_remembered(&self, title: &str) {
        let mut caller = Caller::new(self.server);
        caller.call(&format!("POST /v1/worlds/{}/digest", self.world), json!({"now": true}));
        let memories = format!("/v1/worlds/{}/characters/Bot/memories?limit=100", self.world);
        let said: Vec<&str> =
            self.log.iter().filter(|(who, _)| who != "Bot").map(|(_, words)| words.as_str()).collect();
        let remembered = until(&mut caller, &memories, |list| {
            let list = list.to_string();
            said.iter().all(|words| list.contains(words))
        });
        for words in said {
            let count = remembered.to_string().matches(words).count();
            assert!(count > 0, "{title}: {words}: {remembered}");
        }
    }
}
