//! Conversations in, chats out, and known again.

use reverie_core::line::Wording;
use reverie_core::{Attribute, ConversationId};

use super::*;
use crate::Limits;
use crate::chat::{self, PlanOptions, Recorded};

pub(in crate::chat) fn id(number: u64) -> LineId {
    LineId::new(number).expect("a number")
}

pub(in crate::chat) fn who(name: &str) -> CharacterId {
    CharacterId::new(name).expect("an id")
}

/// `number < parent speaker: content`, users with a star before their name.
pub(in crate::chat) fn line(text: &str) -> Line {
    let (numbers, said) = text.split_once(' ').expect("numbers");
    let (number, parent) = numbers.split_once('<').expect("a parent");
    let (speaker, content) = said.split_once(": ").expect("a speaker");
    let name = speaker.trim_start_matches('*');
    Line {
        forgotten_by: Vec::new(),
        shown: true,
        round: None,
        id: id(number.parse().expect("a number")),
        conversation: ConversationId::new("c1").expect("an id"),
        parent: parent.parse().ok().map(id),
        attribute: if speaker.starts_with('*') { Attribute::User } else { Attribute::Assistant },
        speaker: Some(who(name)),
        name: Some(name.to_owned()),
        wording: Wording { content: content.to_owned(), ..Wording::default() },
        tick: None,
        wall_ms: 1_704_186_000_000 + 60_000,
        host_id: None,
        witnesses: Vec::new(),
        hidden: content.starts_with('('),
        version: 0,
    }
}

fn lines() -> Vec<Line> {
    [
        "1< 雪: 你来了。",
        "2< 雪: 早上好！",
        "3< *Mei: someone else begins",
        "4<2 *Mei: おはよう。",
        "5<4 雪: (a secret)",
        "6<5 Narrator: It snows.",
        "7<4 雪: another answer",
        "8<6 *Mei: same",
        "9<6 *Mei: same",
        "10<9 雪: 好。",
    ]
    .map(line)
    .into()
}

fn people() -> Vec<Person> {
    let person = |name: &str, voice| Person { id: who(name), name: name.to_owned(), voice, avatar: None };
    vec![person("雪", Voice::Person), person("Mei", Voice::Person), person("Narrator", Voice::Narrator)]
}

#[test]
fn the_path_is_written_with_its_swipes() {
    let document = compose(&lines(), Some(id(10)), &people(), &Keepsakes::default()).into_document();
    assert_eq!(document.warnings, []);
    let header = document.header.as_ref().expect("a header");
    assert_eq!((&header["user_name"], &header["character_name"]), (&json!("Mei"), &json!("雪")));
    let told: Vec<(&str, usize, usize, bool, Voice)> = document
        .messages
        .iter()
        .map(|m| (m.wordings[m.chosen].text.as_str(), m.chosen, m.wordings.len(), m.hidden, m.voice))
        .collect();
    assert_eq!(
        told,
        [
            ("早上好！", 1, 2, false, Voice::Person),
            ("おはよう。", 0, 1, false, Voice::Person),
            ("(a secret)", 0, 2, true, Voice::Person),
            ("It snows.", 0, 1, false, Voice::Narrator),
            ("same", 1, 2, false, Voice::Person),
            ("好。", 0, 1, false, Voice::Person),
        ]
    );
    assert_eq!(document.messages[0].source["send_date"], json!("2024-01-02T09:01:00.000Z"));
}

#[test]
fn every_line_of_the_chat_is_known_again() {
    let (lines, people) = (lines(), people());
    let mut recorded = Recorded::default();
    lines.iter().for_each(|line| recorded.add(line, &Keepsakes::default()));
    for head in lines.iter().map(|line| Some(line.id)).chain([None]) {
        let written = chat::write(&compose(&lines, head, &people, &Keepsakes::default()).into_document());
        let read = chat::read(written.as_bytes(), &Limits::default()).expect("a chat");
        let plan = chat::plan(&read, &PlanOptions::default()).expect("a plan");
        let found = |row: usize| {
            let line = &plan.lines[row];
            let known = recorded.find(line.host_id.as_deref().expect("an id"));
            known.map(|known| known.id)
        };
        assert_eq!(plan.tree.head.and_then(found), head);
        for (row, new) in plan.lines.iter().enumerate() {
            let old = lines.iter().find(|line| Some(line.id) == found(row)).expect("known");
            assert_eq!((&old.wording, Some(old.wall_ms)), (&new.wording, new.wall_ms));
        }
    }
}

#[test]
fn a_group_names_nobody_in_its_header() {
    let more = [
        &people()[..],
        &[Person { id: who("猫"), name: "猫".to_owned(), voice: Voice::Person, avatar: None }],
    ];
    let document = compose(&lines(), Some(id(1)), &more.concat(), &Keepsakes::default()).into_document();
    let header = document.header.expect("a header");
    assert_eq!((&header["user_name"], &header["character_name"]), (&json!("unused"), &json!("unused")));
}
