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

/// Where several are given a voice, what not all of them know says who does, as memories do; what nobody of them knows stays out.
#[test]
fn what_one_of_several_knows_is_told_with_a_name() {
    for (scene, language, (open, close), between) in [
        (&SCENES[0], "en", ("[", "] "), ", "),
        (&SCENES[1], "zh", ("【", "】"), "、"),
        (&SCENES[2], "en", ("[", "] "), ", "),
    ] {
        let (stage, here, _) = scene.play();
        stage.host.done("PUT", "/v1/worlds/w", &json!({"settings": {"language": language}}).to_string());
        let Scene { own, other, host, .. } = *scene;
        let entries = json!({
            "0": {"uid": 0, "constant": true, "content": "{{char}} 0\nII", "order": 1},
            "1": {"uid": 1, "constant": true, "content": "1 {{char}}", "order": 2, "known_by": [own, other]},
            "2": {"uid": 2, "constant": true, "content": "2", "order": 3, "known_by": [host]},
            "3": {"uid": 3, "constant": true, "content": "3", "order": 4, "characterFilter": {"isExclude": true, "names": [own], "tags": []}},
            "4": {"uid": 4, "key": ["{{char}}!"], "content": "4", "order": 5, "position": 4, "depth": 0},
        });
        stage.host.done("PUT", "/v1/books/d", &json!({"entries": entries}).to_string());
        let link = |character: Option<&str>| {
            let body = json!({"rank": 3, "character": character}).to_string();
            stage.host.done("PUT", "/v1/worlds/w/lore/d", &body);
        };
        let told = |cue: serde_json::Value| {
            let answer = stage.recall(&cue.to_string());
            let preview = stage.host.done("POST", "/v1/worlds/w/lore/preview", &cue.to_string());
            let messages: Vec<String> = answer["messages"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|message| message["role"] == "system")
                .map(|message| message["content"].as_str().unwrap().to_owned())
                .collect();
            for entry in preview["active"].as_array().unwrap() {
                let content = entry["content"].as_str().unwrap();
                assert!(messages.iter().any(|message| message.contains(content)), "{content}: {messages:?}");
            }
            messages
        };
        let label = |names: &[&str], text: &str| format!("{open}{}{close}{text}", names.join(between));
        let both =
            json!({"character": own, "with": [other], "conversation": here, "message": format!("{other}!")});

        // A book of the other one: only that one knows it, and it speaks of that one.
        link(Some(other));
        let person = label(&[own], scene.person);
        let all = [
            label(&[other], &format!("{other} 0\n  II")),
            label(&[other], &format!("1 {other}")),
            label(&[other], "3"),
            scene.talk.to_owned(),
            person.clone(),
            scene.world.to_owned(),
        ];
        assert_eq!(told(both.clone()), [all.join("\n"), label(&[other], "4")], "{language}");

        // For everybody: what is for some says for whom, and what is for none of them stays out.
        stage.host.done("DELETE", &format!("/v1/worlds/w/lore/d?character={}", encode(other)), "");
        link(None);
        let all = [
            format!("{own} 0\nII"),
            label(&[own, other], &format!("1 {own}")),
            label(&[other], "3"),
            scene.talk.to_owned(),
            person.clone(),
            scene.world.to_owned(),
        ];
        assert_eq!(told(both), [all.join("\n")], "{language}");

        // With a stranger, what one knows is that one's; alone, nothing needs a name.
        let with_stranger = json!({"character": own, "with": ["nobody"], "conversation": here});
        assert!(told(with_stranger)[0].contains(&person));
        let alone = told(json!({"character": own, "conversation": here}));
        assert!(alone[0].contains(scene.person) && !alone[0].contains(&person), "{alone:?}");
        let none_knows = told(json!({"character": other, "with": ["nobody"], "conversation": here}));
        assert!(!none_knows[0].contains(scene.person), "{none_knows:?}");
    }
}
