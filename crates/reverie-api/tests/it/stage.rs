//! How does a prompt's test read like a scene? The testkit's dialogue language in, `role | content` out.
//!
//! ```text
//! Stage::new("{}")
//!     .tell("钦灵、莱姆", "@莱姆: 你好")                 the conversation of exactly these two
//!     .tell("酒馆: 钦灵、莱姆", "200 钦灵: 【开心】来啦") a scene and who is there at its start; a tick before the line
//!     .check(r#"{"character":"钦灵"}"#, "user | 你好 …")   recall where the last lines were told
//! ```
//!
//! A message with a `name` is written `user(Lime) | …`.

use std::cell::RefCell;

use reverie_core::Attribute;
use reverie_testkit::{Line, Speaker, difference, parse_dialogue};
use serde_json::{Map, Value, json};

use crate::host::{Host, encode};

pub(crate) struct Stage {
    pub(crate) host: Host,
    /// Where the last lines were told.
    last: RefCell<Option<String>>,
}

impl Stage {
    /// A world with these settings.
    pub(crate) fn new(settings: &str) -> Self {
        let host = Host::with_world(&format!("{{\"settings\":{settings}}}"));
        Self { host, last: RefCell::new(None) }
    }

    #[track_caller]
    pub(crate) fn put_character(&self, id: &str, card: &str) -> &Self {
        self.host.done("PUT", &format!("/v1/worlds/w/characters/{}", encode(id)), card);
        self
    }

    /// Finds or opens a conversation; the stage stands there from now on.
    #[track_caller]
    pub(crate) fn open(&self, place: &str) -> String {
        let body = match place.split_once(':') {
            Some((name, people)) => json!({"name": name.trim(), "participants": people_of(people)}),
            None => json!({"participants": people_of(place)}),
        };
        let answer = self.host.done("POST", "/v1/worlds/w/conversations", &body.to_string());
        let id = answer["id"].as_str().expect("an id").to_owned();
        *self.last.borrow_mut() = Some(id.clone());
        id
    }

    #[track_caller]
    pub(crate) fn tell(&self, place: &str, dialogue: &str) -> &Self {
        let id = self.open(place);
        let body = json!({"lines": wire_lines(dialogue)}).to_string();
        self.host.done("POST", &format!("/v1/worlds/w/conversations/{}/lines", encode(&id)), &body);
        self
    }

    /// Asks with a cue; where it does not say where, it means where the last lines were told.
    pub(crate) fn ask(&self, cue: &str) -> (u16, Value) {
        let mut cue: Map<String, Value> = serde_json::from_str(cue).expect("a cue is an object");
        let says_where = ["conversation", "participants", "CurrentParticipants", "history"];
        if !says_where.iter().any(|key| cue.contains_key(*key)) {
            cue.insert("conversation".to_owned(), json!(*self.last.borrow()));
        }
        self.host.send("POST", "/v1/worlds/w/recall", &Value::Object(cue).to_string())
    }

    #[track_caller]
    pub(crate) fn recall(&self, cue: &str) -> Value {
        let (status, answer) = self.ask(cue);
        assert_eq!(status, 200, "{cue}\n{answer}");
        answer
    }

    #[track_caller]
    pub(crate) fn check(&self, cue: &str, expected: &str) -> &Self {
        let answer = self.recall(cue);
        if let Some(difference) = difference(expected, &rendered(&answer["messages"])) {
            panic!("the prompt is another one (- expected, + actual) for {cue}\n{difference}");
        }
        self
    }
}

fn people_of(text: &str) -> Vec<&str> {
    text.split('、').map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// A dialogue as the wire takes it.
pub(crate) fn wire_lines(dialogue: &str) -> Vec<Value> {
    let rows = dialogue.lines().map(str::trim).filter(|row| !row.is_empty());
    let rows = rows.map(|row| match row.split_once(' ') {
        Some((tick, rest)) if tick.parse::<i64>().is_ok() => (tick.parse::<i64>().ok(), rest),
        _ => (None, row),
    });
    rows.map(|(tick, row)| {
        let line = parse_dialogue(row).pop().expect("one line");
        let mut wire = wire_line(&line);
        wire["tick"] = json!(tick);
        wire
    })
    .collect()
}

pub(crate) fn wire_line(line: &Line) -> Value {
    let who = |speaker: &Speaker| json!({"role_id": speaker.role_id, "script_role_id": speaker.script_role_id, "display_name": speaker.display_name});
    let attribute = match line.attribute {
        Attribute::User => "user",
        Attribute::Assistant => "assistant",
        Attribute::System => "system",
    };
    let mut wire = who(&line.speaker);
    wire["attribute"] = json!(attribute);
    wire["content"] = json!(line.content);
    wire["emotion"] = json!(line.emotion);
    wire["tts"] = json!(line.tts);
    wire["action"] = json!(line.action);
    wire["witnesses"] =
        json!(line.witnesses.as_ref().map(|witnesses| witnesses.iter().map(who).collect::<Vec<_>>()));
    wire
}

/// Messages of an answer as rows, what the eye cannot see made visible.
pub(crate) fn rendered(messages: &Value) -> String {
    let one = |message: &Value| {
        let name = message["name"].as_str().map_or(String::new(), |name| format!("({name})"));
        let role = message["role"].as_str().unwrap_or_default();
        format!("{role}{name} | {}\n", message["content"].as_str().unwrap_or_default().replace('\n', "⏎"))
    };
    messages.as_array().into_iter().flatten().map(one).collect()
}
