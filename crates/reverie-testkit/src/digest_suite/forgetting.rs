//! What is gone from one's mind when a memory is forgotten with its lines, and what brings it back?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, Theatre, tell};

pub fn lines_go_with_their_memory(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "for one, while the others keep them",
                story: "
                    set 张三, 李四, 王五
                    @张三: 我偷了马
                    李四: 我什么都没听见
                    digest now
                    forget 李四 M1 lines
                    digest now
                    sees 李四
                    sees 王五
                    mind 李四
                    mind 王五",
                outcome: "
                    李四 sees
                    王五 sees L1 L2
                    李四: nothing
                    王五 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"我偷了马\"
                    李四: \"我什么都没听见\"",
            },
            Story {
                what: "without being asked, lines stay",
                story: "
                    set Ann, Bob
                    @Ann: I stole a horse.
                    digest now
                    forget Bob M1
                    sees Bob
                    mind Bob",
                outcome: "
                    Bob sees L1
                    Bob: nothing",
            },
            Story {
                what: "asked later, they go later",
                story: "
                    set さくら, 太郎
                    @さくら: 馬を盗んだ
                    digest now
                    forget 太郎 M1
                    forget 太郎 M1 lines
                    sees 太郎
                    take back 太郎 M1
                    sees 太郎
                    mind 太郎",
                outcome: "
                    太郎 sees
                    太郎 sees L1
                    太郎: nothing",
            },
        ],
    );
}

pub fn what_is_left_of_a_round(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "whispers: one memory of two is forgotten, what the other holds alone stays in mind",
                story: "
                    set 张三, 李四, 王五
                    @张三 → 李四: 我偷了马
                    李四: 哦
                    digest now
                    mind 王五
                    forget 李四 M1 lines
                    @张三: 走吧
                    digest now
                    sees 李四
                    mind 李四
                    sees 张三",
                outcome: "
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    李四: \"哦\"
                    李四 sees L3
                    李四 M3
                    [对话参与者：张三、李四、王五]
                    张三: \"走吧\"
                    张三 sees L1 L2 L3",
            },
            Story {
                what: "a day takes its rounds' lines along, an event has none",
                story: "
                    put calendar.kind = rimworld
                    set Ann, Bob
                    [100] @Ann: I stole a horse.
                    event Bob: It rained.
                    [200] @Ann: Good night.
                    digest now
                    [60100] @Ann: Good morning.
                    digest now
                    forget Bob M5 lines
                    sees Bob
                    digest now
                    mind Bob
                    take back Bob M5
                    sees Bob
                    mind Bob",
                outcome: "
                    Bob sees L3
                    Bob M1
                    It rained.
                    Bob M3
                    [对话参与者：Ann、Bob]
                    Ann: \"Good morning.\"
                    Bob M6
                    [Summary: day 1 of spring 5500, 0h; Bob; 1 event]
                    It rained.
                    Bob sees L1 L2 L3
                    Bob M1
                    It rained.
                    Bob M2
                    [对话参与者：Ann、Bob]
                    Ann: \"I stole a horse.\"
                    Ann: \"Good night.\"
                    Bob M3
                    [对话参与者：Ann、Bob]
                    Ann: \"Good morning.\"
                    Bob M5
                    [Summary: day 1 of spring 5500, 0h; Ann, Bob; 1 conversation, 1 event]
                    It rained.
                    Ann: \"I stole a horse.\"
                    Ann: \"Good night.\"",
            },
        ],
    );
}

pub fn nothing_brings_them_back(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "neither rebuild, nor other words, nor hiding and showing, nor another branch and back",
                story: "
                    set 张三, 李四
                    @张三: 我偷了马
                    李四: 哦
                    digest now
                    forget 李四 M1 lines
                    rebuild
                    digest now
                    sees 李四
                    mind 李四
                    edit L1: 我偷了一匹马
                    digest now
                    hide L2
                    digest now
                    show L2
                    digest now
                    undo 1
                    digest now
                    head L2
                    digest now
                    sees 李四
                    mind 李四
                    mind 张三",
                outcome: "
                    李四 sees
                    李四: nothing
                    李四 sees
                    李四: nothing
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"我偷了一匹马\"
                    李四: \"哦\"",
            },
            Story {
                what: "nor erasing one of them",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    Bob: Two.
                    Bob: Three.
                    digest now
                    forget Bob M1 lines
                    erase L2
                    digest now
                    sees Bob
                    mind Bob
                    sees Ann",
                outcome: "
                    Bob sees
                    Bob: nothing
                    Ann sees L1 L3",
            },
            Story {
                what: "nor a fuller memory of the round, that was in no view when the other was forgotten",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    Bob: Two.
                    digest now
                    hide L2
                    digest now
                    mind Bob
                    forget Bob M2
                    show L2
                    digest now
                    mind Bob
                    take back Bob M2
                    mind Bob",
                outcome: "
                    Bob M2
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"
                    Bob: nothing
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"
                    Bob: \"Two.\"",
            },
        ],
    );
}

pub fn only_undo_and_checkpoints_do(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "undo, for all whom it concerned",
                story: "
                    set 张三, 李四
                    @张三: 一
                    李四: 二
                    digest now
                    forget 张三 M1 lines
                    forget 李四 M1 lines
                    digest now
                    take back M1
                    sees 张三
                    sees 李四
                    take back 张三 M1
                    digest now
                    sees 张三
                    mind 张三",
                outcome: "
                    张三 sees
                    李四 sees L1 L2
                    张三 sees L1 L2
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"二\"",
            },
            Story {
                what: "remembering it again",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    digest now
                    forget Bob M1 lines
                    unforget Bob M1
                    sees Bob
                    mind Bob",
                outcome: "
                    Bob sees L1
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"",
            },
            Story {
                what: "an earlier checkpoint; and a later one forgets again",
                story: "
                    set さくら, 太郎
                    @さくら: 一
                    digest now
                    save 早
                    forget 太郎 M1 lines
                    save 晩
                    load 早
                    sees 太郎
                    mind 太郎
                    load 晩
                    digest now
                    sees 太郎
                    mind 太郎",
                outcome: "
                    太郎 sees L1
                    太郎 M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎 sees
                    太郎: nothing",
            },
        ],
    );
}

pub fn what_models_made_of_them(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "世界");
    let said = r#"{"kind":"trait","text":"さくらは高い所が苦手です。","lines":["L1"]}"#;
    theatre.learn("set さくら, 太郎\n@さくら: 私は高い所が苦手です\n太郎: そうか", said);
    let round = theatre.held_by("太郎").remove(0).memory.id;
    theatre.play(&format!("forget 太郎 M{round} lines"));
    assert_eq!(theatre.statements_of("太郎"), [""; 0], "what was made of a line goes with it");
    assert_eq!(theatre.statements_of("さくら").len(), 1);
    theatre.play("digest now");
    assert_eq!(theatre.ask(), [], "nobody is asked about it");
    theatre.play(&format!("take back 太郎 M{round}"));
    assert_eq!(theatre.statements_of("太郎").len(), 1);

    // What another memory holds back as well comes back with that one.
    let statement = theatre.held_by("太郎").pop().unwrap().memory.id;
    theatre.play(&format!(
        "forget 太郎 M{round} lines\nforget 太郎 M{statement} lines\ntake back 太郎 M{round}"
    ));
    assert_eq!(theatre.play("sees 太郎"), "太郎 sees L2\n");
    theatre.play(&format!("take back 太郎 M{statement}"));
    assert_eq!(theatre.play("sees 太郎"), "太郎 sees L1 L2\n");

    // A statement of one line takes that line along; the rest of the round is remembered without it.
    theatre.play(&format!("forget 太郎 M{statement} lines\ndigest now"));
    let told = theatre.play("sees 太郎\nmind 太郎");
    assert!(told.starts_with("太郎 sees L2\n") && told.contains("太郎: \"そうか\""), "{told}");
    assert!(!told.contains("高い所"), "{told}");
}
