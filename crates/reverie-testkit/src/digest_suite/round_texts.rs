//! How is a round written down, and for whom?

use std::sync::Arc;

use reverie_core::Record;
use reverie_core::Store;
use reverie_core::line::Wording;
use reverie_core::memory::{Kind, Layer, Origin};

use super::theatre::{NOON, Story, Theatre, tell};
use crate::store_suite::stage::lines;

pub fn everybody_who_was_there(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "the silent remember it too",
                story: "
                    set 张三, 李四, 王五
                    @张三: 你好，今天天气真好。
                    李四: 是啊，适合出去打猎。
                    digest now
                    mind 张三
                    mind 王五",
                outcome: "
                    张三 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"你好，今天天气真好。\"
                    李四: \"是啊，适合出去打猎。\"
                    王五 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"你好，今天天气真好。\"
                    李四: \"是啊，适合出去打猎。\"",
            },
            Story {
                what: "whoever speaks first stands first",
                story: "
                    set Anna, Bob, Zoe
                    @Zoe: Shall we hunt?
                    Bob: With pleasure.
                    digest now
                    mind Anna",
                outcome: "
                    Anna M1
                    [对话参与者：Zoe、Bob、Anna]
                    Zoe: \"Shall we hunt?\"
                    Bob: \"With pleasure.\"",
            },
            Story {
                what: "in the world's language, and what is remembered already stays as it is",
                story: "
                    set Sam, Ivy
                    @Sam: The key is under the mat.
                    digest now
                    put language = en
                    digest now
                    @Sam: Shall we hunt?
                    Ivy: With pleasure.
                    digest now
                    rounds
                    mind Ivy
                    put language = zh
                    digest now
                    mind Sam
                    @Sam: 再见。
                    digest now
                    mind Sam",
                outcome: "
                    R1 digested L1-L1
                    R2 digested L2-L3
                    Ivy M1
                    [对话参与者：Sam、Ivy]
                    Sam: \"The key is under the mat.\"
                    Ivy M2
                    [Participants: Sam, Ivy]
                    Sam: \"Shall we hunt?\"
                    Ivy: \"With pleasure.\"
                    Sam M1
                    [对话参与者：Sam、Ivy]
                    Sam: \"The key is under the mat.\"
                    Sam M2
                    [Participants: Sam, Ivy]
                    Sam: \"Shall we hunt?\"
                    Ivy: \"With pleasure.\"
                    Sam M1
                    [对话参与者：Sam、Ivy]
                    Sam: \"The key is under the mat.\"
                    Sam M2
                    [Participants: Sam, Ivy]
                    Sam: \"Shall we hunt?\"
                    Ivy: \"With pleasure.\"
                    Sam M3
                    [对话参与者：Sam、Ivy]
                    Sam: \"再见。\"",
            },
            Story {
                what: "in the host's order",
                story: "
                    scene 居酒屋: さくら
                    open 太郎, さくら, 花子
                    @花子: こんばんは
                    太郎: いらっしゃい
                    close
                    digest
                    mind さくら",
                outcome: "
                    さくら M1
                    [对话参与者：太郎、さくら、花子]
                    花子: \"こんばんは\"
                    太郎: \"いらっしゃい\"",
            },
            Story {
                what: "a monologue",
                story: "
                    set 张三
                    张三: 没有人在听。
                    张三: 那我自己说。
                    digest now
                    mind 张三",
                outcome: "
                    张三 M1
                    [对话参与者：张三]
                    张三: \"没有人在听。\"
                    张三: \"那我自己说。\"",
            },
            Story {
                what: "a witness who left",
                story: "
                    scene 酒馆: 张三, 李四, 王五
                    @张三: 一起喝一杯？
                    present 张三, 李四
                    李四: 王五走了，我们喝。
                    digest now
                    mind 王五
                    mind 李四",
                outcome: "
                    王五 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"一起喝一杯？\"
                    李四 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"一起喝一杯？\"
                    李四: \"王五走了，我们喝。\"",
            },
        ],
    );
}

pub fn what_is_not_said(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "empty lines and directions are left out",
                story: "
                    set 张三, 李四
                    #: 今天是圣诞节
                    @张三: ∅
                    李四: 圣诞快乐！
                    #李四: 继续
                    digest now
                    mind 张三",
                outcome: "
                    张三 M1
                    [对话参与者：李四、张三]
                    李四: \"圣诞快乐！\"",
            },
            Story {
                what: "nothing said, nothing remembered",
                story: "
                    set Ann, Bob
                    #: Snow falls.
                    @Ann: ∅
                    digest now
                    mind Ann
                    rounds",
                outcome: "
                    Ann: nothing
                    R1 digested L1-L2",
            },
            Story {
                what: "somebody without a name",
                story: "
                    set ?#7, さくら
                    @?#7: だれかいますか
                    さくら: います
                    digest now
                    mind さくら",
                outcome: "
                    さくら M1
                    [对话参与者：???、さくら]
                    ???: \"だれかいますか\"
                    さくら: \"います\"",
            },
            Story {
                what: "words of several lines stay as they are",
                story: "
                    set 张三, Bob
                    @张三: 一⏎二
                    Bob: \"quoted\"
                    digest now
                    mind Bob",
                outcome: "
                    Bob M1
                    [对话参与者：张三、Bob]
                    张三: \"一
                    二\"
                    Bob: \"\"quoted\"\"",
            },
        ],
    );
}

pub fn whispers(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a whisper splits those who saw it from those who did not",
                story: "
                    set 张三, 李四, 王五
                    @张三: 大家好
                    李四 → 张三: 小声点，王五在
                    王五: 你们好
                    digest now
                    mind 张三
                    mind 李四
                    mind 王五",
                outcome: "
                    张三 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"大家好\"
                    李四: \"小声点，王五在\"
                    王五: \"你们好\"
                    李四 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"大家好\"
                    李四: \"小声点，王五在\"
                    王五: \"你们好\"
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"大家好\"
                    王五: \"你们好\"",
            },
            Story {
                what: "who heard nothing remembers nothing",
                story: "
                    set Ann, Bob, Eve
                    @Ann → Bob: Our secret.
                    Bob → Ann: Ours.
                    digest now
                    mind Eve
                    mind Bob",
                outcome: "
                    Eve: nothing
                    Bob M1
                    [对话参与者：Ann、Bob、Eve]
                    Ann: \"Our secret.\"
                    Bob: \"Ours.\"",
            },
            Story {
                what: "three see three things",
                story: "
                    set さくら, 太郎, 花子
                    @さくら → 太郎: 内緒だよ
                    太郎 → 花子: 聞いた？
                    花子: なにを
                    digest now
                    mind さくら
                    mind 太郎
                    mind 花子",
                outcome: "
                    さくら M2
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"内緒だよ\"
                    花子: \"なにを\"
                    太郎 M1
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"内緒だよ\"
                    太郎: \"聞いた？\"
                    花子: \"なにを\"
                    花子 M3
                    [对话参与者：さくら、太郎、花子]
                    太郎: \"聞いた？\"
                    花子: \"なにを\"",
            },
        ],
    );
}

pub fn narrators_and_namesakes(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a narrator tells and is not there",
                story: "
                    narrator 说书人
                    set 张三, 李四
                    说书人: 天黑了。
                    @张三: 点灯吧。
                    李四: 好。
                    digest now
                    mind 李四
                    mind 说书人",
                outcome: "
                    李四 M1
                    [对话参与者：张三、李四]
                    说书人: \"天黑了。\"
                    李四 M2
                    [对话参与者：张三、李四]
                    张三: \"点灯吧。\"
                    李四: \"好。\"
                    说书人: nothing",
            },
            Story {
                what: "two of one name are two",
                story: "
                    set 张三#1, 张三#2, 李四
                    @张三#1: 我是老大
                    张三#2 → 张三#1: 我是老二
                    digest now
                    mind 张三#1
                    mind 张三#2
                    mind 李四",
                outcome: "
                    张三#1 M2
                    [对话参与者：张三、张三、李四]
                    张三: \"我是老大\"
                    张三: \"我是老二\"
                    张三#2 M2
                    [对话参与者：张三、张三、李四]
                    张三: \"我是老大\"
                    张三: \"我是老二\"
                    李四 M1
                    [对话参与者：张三、张三、李四]
                    张三: \"我是老大\"",
            },
        ],
    );
}

pub fn names_of_the_moment(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "as the round opened",
                story: "
                    set 张三, 李四
                    open
                    @张三: 叫我三爷
                    name 张三 = 三爷
                    李四: 是，三爷
                    close
                    digest
                    mind 李四",
                outcome: "
                    李四 M1
                    [对话参与者：张三、李四]
                    张三: \"叫我三爷\"
                    李四: \"是，三爷\"",
            },
            Story {
                what: "the name that came with a line wins, for that line",
                story: "
                    set 张三, 李四
                    open
                    called 神秘人
                    张三: 你猜我是谁
                    李四: 张三
                    张三: 猜对了
                    close
                    digest
                    mind 李四",
                outcome: "
                    李四 M1
                    [对话参与者：张三、李四]
                    神秘人: \"你猜我是谁\"
                    李四: \"张三\"
                    张三: \"猜对了\"",
            },
            Story {
                what: "as the lines were said, where no host opened a round",
                story: "
                    set Ann, Bob
                    @Ann: Call me Queen.
                    Bob: As you wish.
                    name Ann = The Queen
                    digest now
                    @Ann: Better.
                    digest now
                    mind Bob",
                outcome: "
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Call me Queen.\"
                    Bob: \"As you wish.\"
                    Bob M2
                    [对话参与者：The Queen、Bob]
                    The Queen: \"Better.\"",
            },
            Story {
                what: "as the host names them beside their ids",
                story: "
                    scene 酒馆: 张三@pawn17
                    open 三爷@pawn17, 李四@pawn18, pawn19
                    @pawn17: 你好
                    pawn18: 好
                    close
                    digest
                    mind pawn19
                    outside
                    @pawn17: 走了
                    pawn18: 慢走
                    digest now
                    mind pawn18",
                outcome: "
                    pawn19 M1
                    [对话参与者：三爷、李四、pawn19]
                    三爷: \"你好\"
                    李四: \"好\"
                    pawn18 M1
                    [对话参与者：三爷、李四、pawn19]
                    三爷: \"你好\"
                    李四: \"好\"
                    pawn18 M2
                    [对话参与者：张三、李四、pawn19]
                    张三: \"走了\"
                    李四: \"慢走\"",
            },
            Story {
                what: "of the silent too",
                story: "
                    set さくら, 太郎, 花子
                    @さくら: おはよう
                    太郎: おはよう
                    name 花子 = ハナ
                    digest now
                    mind 花子",
                outcome: "
                    花子 M1
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"おはよう\"
                    太郎: \"おはよう\"",
            },
        ],
    );
}

pub fn what_else_a_round_is(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play("set 张三, 李四, Bob");
    let mut said = lines("[7] @张三: 明天去成都吃火锅\n[9] 李四: 成都的火锅很辣");
    for (line, emotion) in said.iter_mut().zip(["开心", "期待"]) {
        line.wording = Wording { original_emotion: Some(emotion.into()), ..line.wording.clone() };
    }
    theatre
        .engine
        .record(&theatre.world, &theatre.room(), Record { lines: said, ..Record::default() })
        .unwrap();
    theatre.play("digest now");
    let held = theatre.held_by("Bob").remove(0);
    let memory = &held.memory;
    assert_eq!((memory.kind, memory.origin, memory.importance), (Kind::Episodic, Origin::Round, 0.6));
    assert_eq!((memory.tick, memory.wall_ms, &memory.model), (Some(9), NOON, &None));
    assert_eq!(
        (held.state.layer, held.state.activity, held.state.since),
        (Some(Layer::Active), 1.0, Some(9))
    );
    assert_eq!(memory.emotions, ["开心", "期待"]);
    assert!(
        ["成都", "火锅"].iter().all(|word| memory.keywords.iter().any(|known| known == word)),
        "{memory:?}"
    );
    let about: Vec<&str> = memory.about.iter().map(|id| id.as_str()).collect();
    assert_eq!(about, ["Bob", "张三", "李四"]);
    let sources: Vec<(u64, u32)> =
        memory.sources.iter().map(|source| (source.line.get(), source.version)).collect();
    assert_eq!(sources, [(1, 0), (2, 0)]);
    assert_eq!(
        theatre.held_by("张三")[0].memory.id,
        memory.id,
        "one memory, of which each has their own view"
    );
}
