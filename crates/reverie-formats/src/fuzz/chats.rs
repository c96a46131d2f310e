//! What must hold for chats, and for the other files of a folder?

use std::collections::{HashMap, HashSet};

use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::line::NewLine;
use reverie_core::{ConversationId, Line, LineId};
use serde_json::Value;

use crate::chat::{self, ChatDocument, ChatPlan, Keepsakes, PlanOptions, Recorded, time};
use crate::folder::{self, Group, UserSettings};
use crate::memory::MemoryFile;

use super::limits;

/// What was read is written equal in value, and its plan is a tree.
pub fn chat(bytes: &[u8]) {
    let _ = chat::is_chat(bytes);
    let Ok(document) = chat::read(bytes, &limits()) else { return };
    let written = chat::write(&document);
    let again = chat::read(written.as_bytes(), &limits()).expect("what was written can be read");
    assert_eq!(again.header, document.header);
    assert_eq!(sources(&again), sources(&document));
    for message in &document.messages {
        assert!(message.wordings.is_empty() || message.chosen < message.wordings.len());
    }
    let plan = chat::plan(&document, &PlanOptions::default()).expect("every chat has a plan");
    assert_eq!(chat::plan(&again, &PlanOptions::default()).as_ref(), Ok(&plan));
    let mut seen = HashSet::new();
    for chain in &plan.tree.chains {
        assert!(chain.parent.is_none_or(|parent| seen.contains(&parent)));
        assert!(chain.rows.iter().all(|row| *row < plan.lines.len() && seen.insert(*row)));
    }
    assert_eq!(seen.len(), plan.lines.len());
    assert_eq!(plan.tree.head.is_some(), !plan.lines.is_empty());
    let ids: HashSet<&String> = plan.lines.iter().filter_map(|line| line.host_id.as_ref()).collect();
    assert_eq!(ids.len(), plan.lines.len());
    written_again(&document, &plan);
}

fn sources(document: &ChatDocument) -> Vec<Value> {
    document.messages.iter().map(|message| message.source.clone()).collect()
}

/// What was recorded and is written as a chat is known again, line by line; so is the chat that it came from. With what was
/// kept, it is that chat.
fn written_again(document: &ChatDocument, plan: &ChatPlan) {
    let mut lines = recorded(plan);
    let head = plan.tree.head.and_then(|head| lines.get(head)).map(|line| line.id);
    let kept = kept(plan, &lines);
    let composed = chat::compose(&lines, head, &[], &kept);
    let conversation = ConversationId::new("c").expect("an id");
    let id = |row: usize| lines.get(row).map(|line| line.id);
    assert_eq!(chat::renewed((document, plan), (&conversation, &composed), id), []);
    let whole = composed.into_document();
    assert_eq!((&whole.header, sources(&whole)), (&document.header, sources(document)));
    known_again(plan, &lines, head, &kept);
    known_again(plan, &lines, head, &Keepsakes::default());
    // What is edited here is known again all the same.
    if let Some(line) = lines.iter_mut().find(|line| Some(line.id) == head) {
        line.wording.content.push_str(" 又");
    }
    known_again(plan, &lines, head, &kept);
}

fn kept(plan: &ChatPlan, lines: &[Line]) -> Keepsakes {
    let of_lines = plan.keepsakes.iter().zip(lines);
    let mut all: Vec<Keepsake> =
        of_lines.map(|(text, line)| Keepsake { of: KeptFor::Line(line.id), text: text.clone() }).collect();
    let of = KeptFor::Conversation(ConversationId::new("c").expect("an id"));
    all.push(Keepsake { of, text: plan.keepsake.clone() });
    Keepsakes::read(&all)
}

fn known_again(plan: &ChatPlan, lines: &[Line], head: Option<LineId>, kept: &Keepsakes) {
    let mut known = Recorded::default();
    lines.iter().for_each(|line| known.add(line, kept));
    let written = chat::write(&chat::compose(lines, head, &[], kept).into_document());
    if written.is_empty() {
        return;
    }
    let read = chat::read(written.as_bytes(), &limits()).expect("what was written can be read");
    let again = chat::plan(&read, &PlanOptions::default()).expect("every chat has a plan");
    let find = |line: &NewLine| line.host_id.as_deref().and_then(|id| known.find(id)).map(|found| found.id);
    assert_eq!(again.tree.head.and_then(|row| find(again.lines.get(row)?)), head);
    for row in &again.lines {
        let id = find(row).expect("a line of the chat is known again");
        let line = lines.iter().find(|line| line.id == id);
        assert_eq!(line.map(|line| &line.wording.content), Some(&row.wording.content));
    }
    for (row, line) in plan.lines.iter().zip(lines) {
        assert_eq!(find(row), Some(line.id));
    }
}

/// The lines of a plan as a store would give them back.
fn recorded(plan: &ChatPlan) -> Vec<Line> {
    let mut parents: HashMap<usize, usize> = HashMap::new();
    for chain in &plan.tree.chains {
        let before = [chain.parent].into_iter().chain(chain.rows.iter().copied().map(Some));
        parents.extend(chain.rows.iter().zip(before).filter_map(|(row, parent)| Some((*row, parent?))));
    }
    let id = |row: usize| LineId::new(row as u64 + 1).expect("a number");
    let line = |(row, new): (usize, &NewLine)| Line {
        id: id(row),
        conversation: ConversationId::new("c").expect("an id"),
        parent: parents.get(&row).map(|parent| id(*parent)),
        attribute: new.attribute,
        speaker: new.speaker.as_ref().and_then(|who| who.id().cloned()),
        name: new.display_name.clone(),
        wording: new.wording.clone(),
        tick: None,
        wall_ms: new.wall_ms.unwrap_or_default(),
        host_id: new.host_id.clone(),
        witnesses: Vec::new(),
        forgotten_by: Vec::new(),
        shown: true,
        round: None,
        hidden: new.hidden,
        version: 0,
    };
    plan.lines.iter().enumerate().map(line).collect()
}

pub fn chat_time(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let _ = time::read(&Value::String(text.clone()));
    if let Ok(number) = serde_json::from_str::<Value>(&text) {
        let _ = time::read(&number);
    }
}

pub fn path(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(found) = folder::what(&text) {
        assert!(text.replace('\\', "/").len() >= found.root.len());
    }
}

pub fn group(bytes: &[u8]) {
    let Ok(group) = Group::read(bytes, &limits()) else { return };
    assert_eq!(Group::read(group.source.to_string().as_bytes(), &limits()).as_ref(), Ok(&group));
}

pub fn settings(bytes: &[u8]) {
    let _ = UserSettings::read(bytes, &limits());
}

/// Every record has an entry of its own.
pub fn memory(bytes: &[u8]) {
    let Ok(memory) = MemoryFile::read(bytes, &limits()) else { return };
    let again = MemoryFile::read(memory.write().as_bytes(), &limits());
    assert_eq!(again.map(|again| again.records).as_ref(), Ok(&memory.records));
    let entries = memory.entries();
    let ids: HashSet<&str> = entries.iter().map(|entry| entry.id.as_ref()).collect();
    assert_eq!((ids.len(), entries.len()), (memory.records.len(), memory.records.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: [&str; 6] = [
        include_str!("../chat/tests/solo.jsonl"),
        include_str!("../chat/tests/group.jsonl"),
        include_str!("../chat/tests/odd.jsonl"),
        r#"{"id":"1","name":"夜","members":["a.png"],"chat_id":"c","chats":["c"],"activation_strategy":0}"#,
        r#"{"username":"a","power_user":{"personas":{"a.png":"A"},"persona_descriptions":{"a.png":{"position":4}}}}"#,
        r#"{"characterUuid":"u","episodic":[{"id":"1","content":"a"},{"id":"1","value":"b"}],"traits":["x"],"goals":[]}"#,
    ];
    const TEXTS: [&str; 6] = [
        "April 27, 2023 8:00pm",
        "2023-4-27 @20h 00m 00s 000ms",
        "2023年4月27日星期四 下午8:00",
        "Thu Apr 27 2023 22:00:00 GMT+0200 (Somewhere)",
        "data/mei/chats/Yuki/a.jsonl",
        "characters\\小雪.png",
    ];
    /// Pieces that parsers trip over.
    const PIECES: [&[u8]; 14] = [
        b"\"", b"\\", b"{", b"}", b"[", b"]", b"\n", b"\\ud800", b"\xFF", b"null", b"-1", b"1e999", b",",
        b"\0",
    ];

    /// The same numbers every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, most: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % most.max(1) as u64) as usize
        }
    }

    fn mutated(seed: &[u8], dice: &mut Dice) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=dice.below(4) {
            let at = dice.below(bytes.len());
            let to = (at + dice.below(12)).min(bytes.len());
            match dice.below(4) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..to)),
                2 => drop(bytes.splice(at..at, PIECES[dice.below(PIECES.len())].iter().copied())),
                _ => bytes.extend_from_within(at..to),
            }
        }
        bytes
    }

    #[test]
    fn parsers_stand_any_bytes() {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        for round in 0..3000 {
            let seed = SEEDS[round % SEEDS.len()].as_bytes();
            let bytes = mutated(seed, &mut dice);
            for body in [chat, group, settings, memory] {
                body(&bytes);
            }
            let text = mutated(TEXTS[round % TEXTS.len()].as_bytes(), &mut dice);
            chat_time(&text);
            path(&text);
        }
    }

    #[test]
    fn parsers_stand_what_they_are_made_for() {
        for seed in SEEDS.iter().chain(&TEXTS).map(|text| text.as_bytes()).chain([&b""[..]]) {
            for body in [chat, chat_time, group, settings, memory, path] {
                body(seed);
            }
        }
    }
}
