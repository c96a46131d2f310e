//! What do the others keep when somebody is erased?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, Theatre, tell};

pub fn what_is_left_without_somebody(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "their words go, and whoever was there is somebody",
                story: "
                    set 张三, 李四, 王五
                    @张三: 我住在北京
                    李四: 哦
                    王五: 我也是
                    digest now
                    erase 张三
                    digest now
                    mind 李四
                    rounds",
                outcome: "
                    李四 M2
                    [对话参与者：李四、王五、某人]
                    李四: \"哦\"
                    王五: \"我也是\"
                    R1 digested L2-L3",
            },
            Story {
                what: "who was near a host's round of others",
                story: "
                    set Ann, Bob, Cid
                    open Ann, Bob
                    @Ann: Hello.
                    close
                    digest
                    mind Cid
                    erase Cid
                    digest
                    mind Ann",
                outcome: "
                    Cid: nothing
                    Ann M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Hello.\"",
            },
            Story {
                what: "who came to a host's round of others",
                story: "
                    scene 屋: Ann, Bob
                    open Ann, Bob
                    @Ann: Hello.
                    present Ann, Bob, Cid
                    Bob: Hi.
                    close
                    digest
                    mind Cid
                    erase Cid
                    digest
                    mind Ann",
                outcome: "
                    Cid M2
                    [对话参与者：Ann、Bob、Cid]
                    Bob: \"Hi.\"
                    Ann M3
                    [对话参与者：Ann、Bob、某人]
                    Ann: \"Hello.\"
                    Bob: \"Hi.\"",
            },
        ],
    );
}

pub fn what_was_decided_without_them(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "pins stay, what was forgotten stays so, at once and whoever digests next",
                story: "
                set さくら, 太郎, 花子
                @さくら: 一
                太郎: 二
                digest now
                @さくら: 三
                digest now
                pin 太郎 M1
                forget 花子 M1
                pin 花子 M2
                erase さくら
                mind 太郎
                mind 花子
                digest now
                mind 太郎
                mind 花子
                rounds",
                outcome: "
                太郎 M3 pinned
                [对话参与者：太郎、某人、花子]
                太郎: \"二\"
                花子: nothing
                太郎 M3 pinned
                [对话参与者：太郎、某人、花子]
                太郎: \"二\"
                花子: nothing
                R1 digested L2-L2",
            },
            Story {
                what: "in a world of another language, and in one whose language has changed since",
                story: "
                put language = en
                set Ann, Bob, Cid
                @Ann: One.
                Bob: Two.
                digest now
                pin Bob M1
                put language = zh
                erase Ann
                mind Bob",
                outcome: "
                Bob M2 pinned
                [Participants: Bob, Cid, someone]
                Bob: \"Two.\"",
            },
        ],
    );
}

pub fn what_others_saw_and_said(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "events stay with whoever else saw them, word for word; what nobody else has goes",
            story: "
                set 张三, 李四
                event 张三, 李四: 张三和李四举行了婚礼
                event 张三: 张三哭了
                erase 张三
                mind 李四
                rebuild
                digest now
                mind 李四",
            outcome: "
                李四 M1
                张三和李四举行了婚礼
                李四 M1
                张三和李四举行了婚礼",
        }],
    );
    let theatre = Theatre::asking(&store, "what models made of it");
    theatre.play("set 张三, 李四");
    theatre.learn("@张三: 我怕水", r#"{"kind":"trait","text":"张三怕水。","lines":["L1"]}"#);
    theatre
        .learn("set 李四, 王五\n@李四: 张三怕水", r#"{"kind":"trait","text":"张三怕水。","lines":["L1"]}"#);
    assert_eq!(theatre.statements_of("王五"), ["张三怕水。"]);
    theatre.play("erase 张三");
    assert_eq!(theatre.statements_of("王五"), ["张三怕水。"], "that was said behind their back");
    let held = theatre.held_by("王五").pop().unwrap();
    assert_eq!(held.memory.about, [], "nobody is called so any more");
    let told = theatre.play("mind 李四");
    assert!(!told.contains("我怕水"), "{told}");
}

/// A line goes for good, and with it the memory that was made of it: what was decided about it stays, whatever checkpoint is restored.
pub fn erased_lines_and_checkpoints(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "forgotten, named, and then a line goes",
                story: "
                    set 张三, 李四
                    @张三: 一
                    李四: 二
                    digest now
                    save 早
                    forget 张三 M1
                    save 后
                    erase L2
                    digest now
                    mind 张三
                    load 后
                    digest now
                    mind 张三
                    mind 李四
                    load 早
                    digest now
                    mind 张三
                    load 后
                    digest now
                    mind 张三",
                outcome: "
                    张三: nothing
                    张三: nothing
                    李四 M2
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    张三: nothing",
            },
            Story {
                what: "a line goes, and what is left is forgotten",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    Bob: Two.
                    digest now
                    save early
                    erase L2
                    digest now
                    save less
                    forget Ann M2
                    save late
                    load less
                    digest now
                    mind Ann
                    load late
                    digest now
                    mind Ann
                    load early
                    digest now
                    mind Ann
                    load late
                    digest now
                    mind Ann",
                outcome: "
                    Ann M2
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"
                    Ann: nothing
                    Ann M2
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"
                    Ann: nothing",
            },
            Story {
                what: "pinned",
                story: "
                    set さくら, 太郎
                    @さくら: 一
                    太郎: 二
                    digest now
                    pin さくら M1
                    save 後
                    erase L2
                    load 後
                    digest now
                    standing さくら",
                outcome: "
                    M2 situational 1.0000",
            },
        ],
    );
}
