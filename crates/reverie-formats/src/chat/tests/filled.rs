//! Chats in, something done to their lines, chats out.

use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::line::Wording;
use reverie_core::text::clean;
use reverie_core::{ConversationId, Who};

use super::*;
use crate::Limits;
use crate::chat::compose::tests::{id, line, who};
use crate::chat::{self, Person, PlanOptions, Recorded, Voice, compose};

const SOLO: &str = include_str!("solo.jsonl");
const GROUP: &str = include_str!("group.jsonl");
const ODD: &str = include_str!("odd.jsonl");

/// A chat that came in, as a store gives it back.
struct Kept {
    lines: Vec<Line>,
    head: Option<LineId>,
    keepsakes: Vec<Keepsake>,
}

impl Kept {
    fn of(text: &str) -> Self {
        let document = chat::read(text.as_bytes(), &Limits::default()).expect("a chat");
        let plan = chat::plan(&document, &PlanOptions::default()).expect("a plan");
        let mut lines = Vec::new();
        for chain in &plan.tree.chains {
            let mut parent = chain.parent;
            for row in &chain.rows {
                let new = &plan.lines[*row];
                lines.push(Line {
                    id: id(*row as u64 + 1),
                    parent: parent.map(|row| id(row as u64 + 1)),
                    attribute: new.attribute,
                    speaker: new.speaker.as_ref().map(|speaker| match speaker {
                        Who::Id(id) => id.clone(),
                        other => panic!("{other:?}"),
                    }),
                    name: new.display_name.clone(),
                    wording: Wording {
                        content: clean(&new.wording.content).0.into_owned(),
                        ..new.wording.clone()
                    },
                    hidden: new.hidden,
                    ..line("1< x: y")
                });
                parent = Some(*row);
            }
        }
        lines.sort_by_key(|line| line.id);
        let of_line = |(row, text): (usize, &String)| Keepsake {
            of: KeptFor::Line(id(row as u64 + 1)),
            text: text.clone(),
        };
        let mut keepsakes: Vec<Keepsake> = plan.keepsakes.iter().enumerate().map(of_line).collect();
        let of = KeptFor::Conversation(ConversationId::new("c1").expect("an id"));
        keepsakes.push(Keepsake { of, text: plan.keepsake });
        Self { head: plan.tree.head.map(|row| id(row as u64 + 1)), lines, keepsakes }
    }

    fn line(&mut self, content: &str) -> &mut Line {
        self.lines.iter_mut().find(|line| line.wording.content == content).expect("a line")
    }

    /// A line that no file brought.
    fn say(&mut self, parent: Option<LineId>, text: &str) -> LineId {
        let next = self.lines.len() as u64 + 1;
        let said = format!("{next}<{} {text}", parent.map(|id| id.to_string()).unwrap_or_default());
        self.lines.push(line(&said));
        id(next)
    }

    fn delete(&mut self, content: &str) {
        let gone = self.line(content).clone();
        self.lines.retain(|line| line.id != gone.id);
        self.keepsakes.retain(|kept| kept.of != KeptFor::Line(gone.id));
        for line in self.lines.iter_mut().filter(|line| line.parent == Some(gone.id)) {
            line.parent = gone.parent;
        }
    }

    fn written(&self, people: &[Person]) -> Vec<Value> {
        let keepsakes = Keepsakes::read(&self.keepsakes);
        let document = compose(&self.lines, self.head, people, &keepsakes).into_document();
        chat::write(&document).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// That a chat of it brings nothing new, line by line.
    fn check_known(&self, people: &[Person]) {
        let keepsakes = Keepsakes::read(&self.keepsakes);
        let mut recorded = Recorded::default();
        self.lines.iter().for_each(|line| recorded.add(line, &keepsakes));
        let text: Vec<String> = self.written(people).iter().map(Value::to_string).collect();
        let read = chat::read(text.join("\n").as_bytes(), &Limits::default()).expect("a chat");
        let plan = chat::plan(&read, &PlanOptions::default()).expect("a plan");
        let find = |row: usize| {
            let host_id = plan.lines[row].host_id.as_deref().expect("an id");
            recorded.find(host_id).map(|known| known.id)
        };
        (0..plan.lines.len()).for_each(|row| assert!(find(row).is_some(), "{:?}", plan.lines[row]));
        assert_eq!(plan.tree.head.and_then(find), self.head);
        let composed = compose(&self.lines, self.head, people, &keepsakes);
        let room = ConversationId::new("c1").expect("an id");
        assert_eq!(chat::renewed((&read, &plan), (&room, &composed), find), []);
    }
}

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn what_came_in_leaves_as_it_was() {
    for text in [SOLO, GROUP, ODD, "{\"name\":\"甲\",\"mes\":\"bell \\u0007\",\"swipes\":[\"bell \\u0007\"]}"]
    {
        let kept = Kept::of(text);
        let written = kept.written(&[]);
        assert_eq!(written, values(text));
        // In the order of the file, too.
        let orders = |all: &[Value]| all.iter().map(Value::to_string).collect::<Vec<_>>();
        assert_eq!(orders(&written), orders(&values(text)));
        kept.check_known(&[]);
    }
}

#[test]
fn an_edited_line_has_new_words_in_every_place_and_all_else_stays() {
    let mut kept = Kept::of(SOLO);
    kept.line("早上好！").wording.content = "晚上好！".to_owned();
    kept.line("（挥手）").wording.content = "（点头）".to_owned();
    kept.line("hidden by its user").hidden = false;
    let mut expected = values(SOLO);
    expected[1]["mes"] = json!("晚上好！");
    expected[1]["swipes"] = json!(["你来了。", "晚上好！", "（点头）"]);
    expected[3]["is_system"] = json!(false);
    assert_eq!(kept.written(&[]), expected);
    kept.check_known(&[]);
    // Where the list had other words than the message, both have the new ones.
    let mut kept = Kept::of(ODD);
    kept.line("the text counts").wording.content = "新しい".to_owned();
    kept.line("{\"parts\":[1]}").wording.content = "now a text".to_owned();
    let mut expected = values(ODD);
    expected[2]["mes"] = json!("新しい");
    expected[2]["swipes"][0] = json!("新しい");
    expected[10]["mes"] = json!("now a text");
    assert_eq!(kept.written(&[]), expected);
    kept.check_known(&[]);
}

#[test]
fn another_choice_brings_what_stands_about_it() {
    let mut kept = Kept::of(
        &[
            json!({"name": "雪", "mes": "二", "send_date": "b", "gen_started": "g", "extra": {"n": 2}, "swipe_id": 1,
                "swipes": ["一", "二"], "swipe_info": [{"send_date": "a", "extra": {"n": 1}}, {"send_date": "b"}]}),
            json!({"name": "雪", "mes": "三", "send_date": "c", "extra": {"n": 3}}),
        ]
        .map(|message| message.to_string())
        .join("\n"),
    );
    kept.head = Some(kept.line("一").id);
    assert_eq!(
        kept.written(&[]),
        [json!({"name": "雪", "mes": "一", "send_date": "a", "extra": {"n": 1}, "swipe_id": 0,
            "swipes": ["一", "二"], "swipe_info": [{"send_date": "a", "extra": {"n": 1}}, {"send_date": "b"}]})]
    );
    kept.check_known(&[]);
    // Another swipe of a message that had none, and then that one is chosen.
    let third = kept.line("三").clone();
    kept.head = Some(kept.say(third.parent, "雪: 叁"));
    let info = json!([{"send_date": "c", "extra": {"n": 3}}, {"send_date": "2024-01-02T09:01:00.000Z", "extra": {}}]);
    let expected = json!({"name": "雪", "mes": "叁", "send_date": "2024-01-02T09:01:00.000Z", "extra": {},
        "swipes": ["三", "叁"], "swipe_info": info, "swipe_id": 1});
    let person = Person { id: who("雪"), name: "雪".to_owned(), voice: Voice::Person, avatar: None };
    assert_eq!(kept.written(std::slice::from_ref(&person))[1], expected);
    kept.check_known(std::slice::from_ref(&person));
    // One that is deleted leaves its place, with what stood about it.
    kept.delete("一");
    let first = &kept.written(std::slice::from_ref(&person))[0];
    assert_eq!(
        (&first["swipes"], &first["swipe_info"], &first["swipe_id"]),
        (&json!(["二"]), &json!([{"send_date": "b"}]), &json!(0))
    );
    kept.check_known(&[person]);
}

#[test]
fn what_is_added_has_the_form_of_what_was_there() {
    let people: Vec<Person> = [("Yuki", "Yuki.png"), ("猫", "猫 2.png"), ("Mei", "User Avatars/mei.png")]
        .map(|(name, file)| Person {
            id: who(name),
            name: name.to_owned(),
            voice: Voice::Person,
            avatar: Some(file.to_owned()),
        })
        .into();
    let mut kept = Kept::of(GROUP);
    let mut head = kept.head;
    for said in ["*Mei: 大家好。", "Yuki: こんばんは！", "猫: 喵？"] {
        head = Some(kept.say(head, said));
    }
    kept.head = head;
    let written = kept.written(&people);
    assert_eq!(written[..4], values(GROUP));
    let added: Vec<(&Value, &Value, &Value)> =
        written[4..].iter().map(|m| (&m["name"], &m["original_avatar"], &m["force_avatar"])).collect();
    let before = values(GROUP);
    assert_eq!(
        added,
        [
            // As they were shown last.
            (&json!("Mei"), &Value::Null, &before[0]["force_avatar"]),
            (&json!("Yuki"), &Value::Null, &before[3]["force_avatar"]),
            // Somebody who did not speak before, in a group.
            (&json!("猫"), &json!("猫 2.png"), &json!("/thumbnail?type=avatar&file=%E7%8C%AB%202.png")),
        ]
    );
    kept.check_known(&people);
}

#[test]
fn what_cannot_be_read_is_told_and_left_out() {
    let mut kept = Kept::of(SOLO);
    kept.keepsakes[3].text = "[1]".to_owned();
    let keepsakes = Keepsakes::read(&kept.keepsakes);
    let document = compose(&kept.lines, kept.head, &[], &keepsakes).into_document();
    assert!(document.warnings[0].to_string().contains("cannot be read"), "{:?}", document.warnings);
    assert_eq!(document.messages[1].source["send_date"], json!("2024-01-02T09:01:00.000Z"));
}
