//! How do rounds end that a host opened, and what of them is remembered?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{NOON, Story, Theatre, tell};

pub fn complete(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "nothing before its end",
                story: "
                    set 张三, 李四
                    open
                    @张三: 一
                    李四: 二
                    digest now
                    mind 张三
                    @张三: 三
                    close
                    digest
                    rounds
                    mind 张三",
                outcome: "
                    张三: nothing
                    R1 digested L1-L3
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"二\"
                    张三: \"三\"",
            },
            Story {
                what: "a round in which nobody spoke",
                story: "
                    set Ann, Bob
                    open
                    close
                    digest now
                    rounds
                    mind Ann",
                outcome: "
                    R1 closed
                    Ann: nothing",
            },
        ],
    );
}

pub fn aborted(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "what users said counts",
                story: "
                    set 张三, 李四
                    open
                    @张三: 讲个故事
                    李四: 从前有座山
                    李四: 山里有座庙
                    abort
                    digest
                    mind 李四",
                outcome: "
                    李四 M1
                    [对话参与者：张三、李四]
                    张三: \"讲个故事\"",
            },
            Story {
                what: "and what was shown",
                story: "
                    set さくら, 太郎
                    open
                    @さくら: 聞いて
                    太郎: うん
                    太郎: それで？
                    abort L2
                    digest
                    mind さくら",
                outcome: "
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"聞いて\"
                    太郎: \"うん\"",
            },
            Story {
                what: "nobody remembers a stream that nobody saw",
                story: "
                    set Ann, Bob
                    open
                    Bob: Draft.
                    abort
                    digest
                    mind Ann
                    @Ann: Hello?
                    Bob: Hello.
                    digest now
                    mind Ann",
                outcome: "
                    Ann: nothing
                    Ann M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Hello?\"
                    Bob: \"Hello.\"",
            },
        ],
    );
}

pub fn shown_through(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "complete through a line",
            story: "
                set 张三, 李四
                open
                @张三: 一
                李四: 二
                李四: 没播完
                close L2
                digest
                rounds
                mind 李四
                @张三: 三
                李四: 四
                digest now
                rounds",
            outcome: "
                R1 digested L1-L2
                李四 M1
                [对话参与者：张三、李四]
                张三: \"一\"
                李四: \"二\"
                R1 digested L1-L2
                R2 digested L4-L5",
        }],
    );
}

pub fn abandoned(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "an hour of silence",
                story: "
                    set 张三, 李四
                    open
                    @张三: 等我
                    wait 3599
                    digest
                    rounds
                    wait 1
                    digest
                    rounds
                    mind 李四",
                outcome: "
                    R1 open L1-L1
                    R1 digested L1-L1
                    李四 M1
                    [对话参与者：张三、李四]
                    张三: \"等我\"",
            },
            Story {
                what: "whoever speaks does not abandon it",
                story: "
                    put digest.abandoned_seconds = 100
                    set Ann, Bob
                    open
                    @Ann: One.
                    wait 90
                    Bob: Two.
                    wait 90
                    digest
                    rounds
                    wait 10
                    digest
                    rounds",
                outcome: "
                    R1 open L1-L2
                    R1 digested L1-L2",
            },
        ],
    );
    let theatre = Theatre::new(store, "it is said when to look again");
    theatre.play("set さくら, 太郎\nopen\n@さくら: 待って");
    assert_eq!(theatre.digest(false).look_again_ms, Some(NOON + 3_600_000));
}

pub fn beside_what_was_only_posted(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "a host's round ends what came before it",
            story: "
                set 张三, Bob
                @张三: 路上说的
                open
                @张三: 里面说的
                Bob: Inside.
                close
                Bob: Outside.
                digest
                rounds
                @张三: 后来说的
                digest
                rounds
                mind Bob",
            outcome: "
                R1 digested L2-L3
                R2 digested L1-L1
                R1 digested L2-L3
                R2 digested L1-L1
                R3 digested L4-L4
                Bob M1
                [对话参与者：Bob、张三]
                张三: \"里面说的\"
                Bob: \"Inside.\"
                Bob M2
                [对话参与者：张三、Bob]
                张三: \"路上说的\"
                Bob M3
                [对话参与者：Bob、张三]
                Bob: \"Outside.\"",
        }],
    );
}

pub fn alone_alike_and_leaving(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a monologue",
                story: "
                    set 张三
                    open
                    @张三: 没有人在听。
                    张三: 那我自己说。
                    close
                    digest
                    mind 张三",
                outcome: "
                    张三 M1
                    [对话参与者：张三]
                    张三: \"没有人在听。\"
                    张三: \"那我自己说。\"",
            },
            Story {
                what: "two of one name in two rounds at once, with a third in both",
                story: "
                    scene 厨房: 张三#1, Bob
                    open
                    @张三#1: 我在厨房
                    scene 院子: 张三#2, Bob
                    open
                    @张三#2: 我在院子
                    scene 厨房: 张三#1, Bob
                    into R1
                    Bob: Kitchen.
                    close
                    scene 院子: 张三#2, Bob
                    into R2
                    Bob: Yard.
                    close
                    digest
                    mind 张三#1
                    mind 张三#2
                    mind Bob",
                outcome: "
                    张三#1 M1
                    [对话参与者：Bob、张三]
                    张三: \"我在厨房\"
                    Bob: \"Kitchen.\"
                    张三#2 M2
                    [对话参与者：Bob、张三]
                    张三: \"我在院子\"
                    Bob: \"Yard.\"
                    Bob M1
                    [对话参与者：Bob、张三]
                    张三: \"我在厨房\"
                    Bob: \"Kitchen.\"
                    Bob M2
                    [对话参与者：Bob、张三]
                    张三: \"我在院子\"
                    Bob: \"Yard.\"",
            },
            Story {
                what: "one leaves in the middle, another before anybody remembers",
                story: "
                    scene 居酒屋: さくら, 太郎, 花子
                    open
                    @さくら: 乾杯
                    present さくら, 太郎
                    太郎: 花子は帰った
                    close
                    present さくら
                    digest
                    mind 花子
                    mind 太郎",
                outcome: "
                    花子 M1
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"乾杯\"
                    太郎 M2
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"乾杯\"
                    太郎: \"花子は帰った\"",
            },
        ],
    );
}
