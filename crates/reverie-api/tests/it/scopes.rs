//! Whom a book of lore reaches, how books lie on each other in a prompt, and whose budget an entry may ignore: the rules
//! of world books that only a prompt can show, in English, Chinese and Japanese.

use serde_json::json;

use crate::host::encode;
use crate::stage::Stage;

/// The same scene in one language.
struct Scene {
    /// Whose book it is, somebody else, and somebody to talk to.
    own: &'static str,
    other: &'static str,
    host: &'static str,
    said: &'static str,
    world: &'static str,
    person: &'static str,
    talk: &'static str,
}

const SCENES: [Scene; 3] = [
    Scene {
        own: "Sable",
        other: "Orm",
        host: "Tom",
        said: "Good evening.",
        world: "The city lies below the sea.",
        person: "Sable can breathe water.",
        talk: "Tonight the bells ring.",
    },
    Scene {
        own: "若兰",
        other: "阿奎",
        host: "小明",
        said: "晚上好。",
        world: "这座城沉在海底。",
        person: "若兰能在水中呼吸。",
        talk: "今夜钟声不绝。",
    },
    Scene {
        own: "小夜",
        other: "権三",
        host: "レン",
        said: "こんばんは。",
        world: "都は海の底にある。",
        person: "小夜は水の中で息ができる。",
        talk: "今夜は鐘が鳴りやまない。",
    },
];

impl Scene {
    /// A world with a book for everybody, one for somebody and one for a conversation, whose id is given back.
    fn play(&self) -> (Stage, String, String) {
        let stage = Stage::new("{}");
        stage.put_character(self.own, "{}").put_character(self.other, "{}");
        let told = format!("@{}: {}", self.host, self.said);
        let people = format!("{}、{}、{}", self.own, self.other, self.host);
        let elsewhere = stage.open(&format!("A: {people}"));
        stage.tell(&format!("A: {people}"), &told);
        let here = stage.open(&format!("B: {people}"));
        stage.tell(&format!("B: {people}"), &told);
        for (book, content) in [("a", self.world), ("b", self.person), ("c", self.talk)] {
            let entries = json!({"0": {"uid": 0, "constant": true, "content": content}});
            stage.host.done("PUT", &format!("/v1/books/{book}"), &json!({"entries": entries}).to_string());
        }
        for (book, link) in [
            ("a", json!({"rank": 0})),
            ("b", json!({"rank": 1, "character": self.own})),
            ("c", json!({"rank": 2, "conversation": here})),
        ] {
            stage.host.done("PUT", &format!("/v1/worlds/w/lore/{book}"), &link.to_string());
        }
        (stage, here, elsewhere)
    }

    /// What stands before everything that was said.
    #[track_caller]
    fn check(&self, stage: &Stage, character: &str, conversation: &str, lore: &[&str]) {
        let cue = json!({"character": character, "conversation": conversation}).to_string();
        let answer = stage.recall(&cue);
        let first = &answer["messages"][0];
        assert_eq!((&first["role"], &first["content"]), (&json!("system"), &json!(lore.join("\n"))), "{cue}");
        assert!(answer["messages"].to_string().contains(self.said), "{answer}");
    }
}

#[test]
fn a_book_reaches_a_world_a_character_or_a_conversation_and_the_lowest_stands_last() {
    for scene in &SCENES {
        let (stage, here, elsewhere) = scene.play();
        scene.check(&stage, scene.own, &here, &[scene.talk, scene.person, scene.world]);
        scene.check(&stage, scene.other, &here, &[scene.talk, scene.world]);
        scene.check(&stage, scene.own, &elsewhere, &[scene.person, scene.world]);
        scene.check(&stage, scene.other, &elsewhere, &[scene.world]);
        // Taken back, it reaches nobody; put elsewhere, it lies elsewhere.
        let of_person = format!("/v1/worlds/w/lore/b?character={}", encode(scene.own));
        stage.host.done("DELETE", &of_person, "");
        stage.host.done("PUT", "/v1/worlds/w/lore/a", r#"{"rank":9}"#);
        scene.check(&stage, scene.own, &here, &[scene.world, scene.talk]);
    }
}

#[test]
fn order_decides_over_all_scopes() {
    for scene in &SCENES {
        let (stage, here, _) = scene.play();
        let first = json!({"uid": 0, "constant": true, "content": scene.world, "order": 1});
        stage.host.done("PUT", "/v1/books/a/entries/0", &first.to_string());
        scene.check(&stage, scene.own, &here, &[scene.world, scene.talk, scene.person]);
    }
}

#[test]
fn an_entry_may_ignore_the_budget_of_lore_and_never_that_of_the_prompt() {
    for scene in &SCENES {
        let stage = Stage::new(r#"{"lore":{"budget_cap":1}}"#);
        let entries = json!({
            "0": {"uid": 0, "constant": true, "content": scene.world},
            "1": {"uid": 1, "constant": true, "ignoreBudget": true, "content": scene.person.repeat(20)},
        });
        stage.host.done("PUT", "/v1/books/a", &json!({"entries": entries}).to_string());
        stage.host.done("PUT", "/v1/worlds/w/lore/a", "{}");
        stage.tell(&format!("{}、{}", scene.own, scene.host), &format!("@{}: {}", scene.host, scene.said));
        let told = |budget: u32| {
            let answer = stage.recall(&json!({"character": scene.own, "budget": budget}).to_string());
            assert!(answer["tokens"]["used"].as_u64().unwrap() <= u64::from(budget), "{answer}");
            let text = answer["messages"].to_string();
            (text.contains(scene.world), text.contains(scene.person))
        };
        assert_eq!(told(4_000), (false, true), "{}", scene.own);
        assert_eq!(told(100), (false, false), "{}", scene.own);
    }
}
