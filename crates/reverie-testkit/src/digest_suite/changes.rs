//! What happens to memories when lines change, go, or leave the path?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, tell};

pub fn reworded(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "in a round that was found",
                story: "
                    set 张三, 李四
                    @张三: 我住在北京
                    李四: 哦
                    digest now
                    edit L1: 我住在上海
                    mind 李四
                    rounds
                    digest
                    mind 李四
                    rounds",
                outcome: "
                    李四: nothing
                    R1 closed L1-L2
                    李四 M2
                    [对话参与者：张三、李四]
                    张三: \"我住在上海\"
                    李四: \"哦\"
                    R1 digested L1-L2",
            },
            Story {
                what: "in a host's round, with others behind it",
                story: "
                    set Ann, Bob
                    open
                    @Ann: I am from Rome.
                    close
                    @Ann: And you?
                    Bob: Paris.
                    digest now
                    edit L1: I am from Oslo.
                    digest
                    mind Bob",
                outcome: "
                    Bob M2
                    [对话参与者：Ann、Bob]
                    Ann: \"And you?\"
                    Bob: \"Paris.\"
                    Bob M3
                    [对话参与者：Ann、Bob]
                    Ann: \"I am from Oslo.\"",
            },
            Story {
                what: "only those who witnessed it are concerned",
                story: "
                    set さくら, 太郎, 花子
                    @さくら → 太郎: 秘密
                    太郎: なるほど
                    digest now
                    edit L1: 大きな秘密
                    digest
                    mind 花子
                    mind 太郎",
                outcome: "
                    花子 M2
                    [对话参与者：さくら、太郎、花子]
                    太郎: \"なるほど\"
                    太郎 M3
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"大きな秘密\"
                    太郎: \"なるほど\"",
            },
        ],
    );
}

pub fn hidden_and_shown(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a hidden line is remembered by nobody, and returns",
                story: "
                    set 张三, 李四
                    @张三: 一
                    李四: 二
                    digest now
                    hide L2
                    digest
                    mind 张三
                    show L2
                    digest
                    mind 张三",
                outcome: "
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"二\"",
            },
            Story {
                what: "all of a round",
                story: "
                    set Ann, Bob
                    @Ann: Only this.
                    digest now
                    hide L1
                    digest
                    mind Ann
                    rounds",
                outcome: "
                    Ann: nothing
                    R1 digested L1-L1",
            },
        ],
    );
}

pub fn erased(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "what is left is remembered anew",
                story: "
                    set 张三, 李四
                    @张三: 一
                    李四: 二
                    李四: 三
                    digest now
                    erase L2
                    digest
                    mind 张三
                    rounds",
                outcome: "
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"三\"
                    R1 digested L1-L3",
            },
            Story {
                what: "the first and the last of a round",
                story: "
                    set Ann, Bob
                    @Ann: First.
                    Bob: Second.
                    Bob: Third.
                    digest now
                    erase L1
                    erase L3
                    digest
                    mind Ann
                    rounds",
                outcome: "
                    Ann M2
                    [对话参与者：Bob、Ann]
                    Bob: \"Second.\"
                    R1 digested L2-L2",
            },
        ],
    );
}

pub fn decisions_carry_over(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "pinned stays pinned, forgotten stays forgotten, for each by themselves",
                story: "
                    set 张三, 李四, 王五
                    @张三: 一
                    李四: 二
                    digest now
                    pin 张三 M1
                    forget 李四 M1
                    edit L2: 贰
                    digest
                    mind 张三
                    mind 李四
                    mind 王五",
                outcome: "
                    张三 M2 pinned
                    [对话参与者：张三、李四、王五]
                    张三: \"一\"
                    李四: \"贰\"
                    李四: nothing
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"一\"
                    李四: \"贰\"",
            },
            Story {
                what: "when a line is hidden",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    Bob: Two.
                    digest now
                    pin Ann M1
                    forget Bob M1
                    hide L1
                    digest
                    mind Ann
                    mind Bob",
                outcome: "
                    Ann M2 pinned
                    [对话参与者：Bob、Ann]
                    Bob: \"Two.\"
                    Bob: nothing",
            },
            Story {
                what: "when a line is erased",
                story: "
                    set さくら, 太郎, 花子
                    @さくら: 一
                    太郎: 二
                    太郎: 三
                    digest now
                    pin さくら M1
                    forget 太郎 M1
                    erase L2
                    digest
                    mind さくら
                    mind 太郎
                    mind 花子",
                outcome: "
                    さくら M2 pinned
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"一\"
                    太郎: \"三\"
                    太郎: nothing
                    花子 M2
                    [对话参与者：さくら、太郎、花子]
                    さくら: \"一\"
                    太郎: \"三\"",
            },
        ],
    );
}

pub fn branches(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a swipe hides what was remembered of the other reply",
                story: "
                    set 张三, 李四
                    @张三: 你喜欢什么？
                    李四: 茶
                    digest now
                    beside L2
                    李四: 咖啡
                    mind 张三
                    digest now
                    mind 张三
                    head L2
                    digest now
                    mind 张三",
                outcome: "
                    张三: nothing
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"你喜欢什么？\"
                    李四: \"咖啡\"
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"你喜欢什么？\"
                    李四: \"茶\"",
            },
            Story {
                what: "a branch in the middle of what was one round",
                story: "
                    set Ann, Bob
                    @Ann: One.
                    @Ann: Two.
                    Bob: Three.
                    digest now
                    behind L1
                    Bob: Another three.
                    digest now
                    mind Ann
                    rounds",
                outcome: "
                    Ann M2
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"
                    Bob: \"Another three.\"
                    R1 digested L1-L3
                    R2 digested L1-L4",
            },
        ],
    );
}

pub fn undo_and_redo(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "what is undone is not remembered, and returns",
            story: "
                set さくら, 太郎
                @さくら: 一
                太郎: 二
                digest now
                @さくら: 三
                太郎: 四
                digest now
                undo 2
                mind さくら
                head L4
                mind さくら
                digest now
                rounds",
            outcome: "
                さくら M1
                [对话参与者：さくら、太郎]
                さくら: \"一\"
                太郎: \"二\"
                さくら M1
                [对话参与者：さくら、太郎]
                さくら: \"一\"
                太郎: \"二\"
                さくら M2
                [对话参与者：さくら、太郎]
                さくら: \"三\"
                太郎: \"四\"
                R1 digested L1-L2
                R2 digested L3-L4",
        }],
    );
}

pub fn restores(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a checkpoint before the digest",
                story: "
                    set 张三, 李四
                    @张三: 一
                    李四: 二
                    save 早
                    digest now
                    pin 张三 M1
                    save 晚
                    load 早
                    mind 张三
                    digest now
                    mind 张三
                    load 晚
                    mind 张三",
                outcome: "
                    张三: nothing
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"二\"
                    张三 M1 pinned
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"二\"",
            },
            Story {
                what: "a host's round is open again",
                story: "
                    set Ann, Bob
                    open
                    @Ann: Hello.
                    save mid
                    Bob: Hi.
                    close
                    digest
                    load mid
                    rounds
                    into R1
                    Bob: Welcome.
                    close
                    digest
                    mind Ann",
                outcome: "
                    R1 open L1-L1
                    Ann M2
                    [对话参与者：Ann、Bob]
                    Ann: \"Hello.\"
                    Bob: \"Welcome.\"",
            },
        ],
    );
}
