//! Is everything that was derived derived anew, and what was decided kept?

use std::sync::Arc;

use reverie_core::{Engine, Limits, Slice, Store};

use super::theatre::{Hands, Story, Theatre, tell};

pub fn everything_comes_again(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "the same rounds, the same memories, and the checkpoint takes it back",
                story: "
                set 张三, 李四
                @张三: 一
                李四: 二
                digest now
                open
                @张三: 三
                close
                digest
                rebuild 前
                rounds
                mind 张三
                digest
                rounds
                mind 张三
                pin 张三 M1
                load 前
                rounds
                mind 张三",
                outcome: "
                R1 closed L1-L2
                R2 closed L3-L3
                张三: nothing
                R1 digested L1-L2
                R2 digested L3-L3
                张三 M1
                [对话参与者：张三、李四]
                张三: \"一\"
                李四: \"二\"
                张三 M2
                [对话参与者：张三、李四]
                张三: \"三\"
                R1 digested L1-L2
                R2 digested L3-L3
                张三 M1
                [对话参与者：张三、李四]
                张三: \"一\"
                李四: \"二\"
                张三 M2
                [对话参与者：张三、李四]
                张三: \"三\"",
            },
            Story {
                what: "in a world of another language",
                story: "
                put language = en
                set Ann, Bob
                @Ann: One.
                Bob: Two.
                digest now
                pin Ann M1
                rebuild
                digest now
                mind Ann
                hide L2
                digest now
                mind Ann",
                outcome: "
                Ann M1 pinned
                [Participants: Ann, Bob]
                Ann: \"One.\"
                Bob: \"Two.\"
                Ann M2 pinned
                [Participants: Ann, Bob]
                Ann: \"One.\"",
            },
        ],
    );
}

pub fn what_was_decided_stays(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "pins, events and what was forgotten",
            story: "
                set Ann, Bob
                @Ann: One.
                digest now
                @Ann: Two.
                digest now
                event Ann, Bob: It rained.
                pin Ann M1
                forget Bob M1
                forget Ann M2
                rebuild
                mind Ann
                mind Bob
                digest now
                mind Ann
                mind Bob",
            outcome: "
                Ann M1 pinned
                [对话参与者：Ann、Bob]
                Ann: \"One.\"
                Ann M3
                It rained.
                Bob M3
                It rained.
                Ann M1 pinned
                [对话参与者：Ann、Bob]
                Ann: \"One.\"
                Ann M3
                It rained.
                Bob M2
                [对话参与者：Ann、Bob]
                Ann: \"Two.\"
                Bob M3
                It rained.",
        }],
    );
}

pub fn summaries_and_statements(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "世界");
    let answer = r#"{"text":"Mira lives in Rome.","lines":["L1"]}"#;
    theatre.learn("set Mira, Tom\n@Mira: I live in Rome.", answer);
    theatre.wait(2 * 86_400);
    theatre.digest(true);
    let texts = |theatre: &Theatre, name: &str| -> Vec<String> {
        theatre.held_by(name).iter().map(|held| format!("{} {}", held.memory.id, held.text())).collect()
    };
    let before = texts(&theatre, "Tom");
    assert_eq!(before.len(), 3, "a round, a statement, a day: {before:?}");
    theatre.play("rebuild");
    assert_eq!(theatre.jobs(), [], "whatever was asked is asked anew");
    assert_eq!(texts(&theatre, "Tom"), [""; 0]);
    theatre.digest(true);
    let question = theatre.ask().remove(0);
    theatre.answer(&question, &format!(r#"{{"memories":[{answer}]}}"#));
    let mut after = texts(&theatre, "Tom");
    after.sort();
    assert_eq!(after, before, "the same comes of the same");

    // A day that somebody pinned keeps what it sums up, and no other day comes beside it.
    let day = theatre.held_by("Tom").pop().unwrap().memory.id;
    theatre.play(&format!("pin Tom M{day}\nrebuild"));
    theatre.digest(true);
    let days = theatre.held_by("Tom").into_iter().filter(|held| !held.memory.from.is_empty());
    let days: Vec<_> = days.map(|held| (held.memory.id, held.state.pinned)).collect();
    assert_eq!(days, [(day, true)]);
}

/// However early it breaks off, whoever goes on makes each memory once.
pub fn after_a_crash(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store.clone(), "世界");
    for room in 0..40 {
        theatre.play(&format!("set 张三, 人{room}\n@张三: 第{room}\n人{room}: 好\ndigest now"));
    }
    let told = |theatre: &Theatre| -> Vec<String> {
        let held = theatre.held_by("张三");
        held.iter().map(|held| format!("{} {}", held.memory.id, held.text())).collect()
    };
    let before = told(&theatre);
    assert_eq!(before.len(), 40);
    theatre.play("rebuild");
    let mut broken_off = 0;
    for _ in 0..40 {
        // Nothing but what the store keeps is left of what was done.
        let fresh = Engine::new(store.clone(), Arc::new(Hands::default()), Limits::default());
        let one_step = Slice { world: Some(theatre.world.clone()), now: false, go_on: &|| false };
        if !fresh.digest(&one_step).unwrap().more {
            break;
        }
        broken_off += 1;
    }
    assert!(broken_off > 0);
    theatre.digest(false);
    assert_eq!(told(&theatre), before);
}
