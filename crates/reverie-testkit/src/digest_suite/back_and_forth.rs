//! Which memory of an exchange counts while the head goes back and forth between answers?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, tell};

/// The words alone, and the words with each answer: wherever the head goes, one of them counts.
pub fn another_answer_and_none(store: Arc<dyn Store>) {
    let tea = "张三 M1\n[对话参与者：张三、李四]\n张三: \"喝什么？\"\n李四: \"茶\"";
    let coffee = "张三 M2\n[对话参与者：张三、李四]\n张三: \"喝什么？\"\n李四: \"咖啡\"";
    let alone = "张三 M3\n[对话参与者：张三、李四]\n张三: \"喝什么？\"";
    let outcome = [coffee, alone, tea, coffee, tea, coffee].join("\n");
    let walk = "
        digest now
        mind 张三
        head L1
        digest now
        mind 张三
        head L2
        digest now
        mind 张三
        head L3
        digest now
        mind 张三
        save 后
        head L2
        mind 张三
        load 后
        mind 张三";
    for (what, beginning) in [
        ("only posted", "set 张三, 李四\n@张三: 喝什么？\n李四: 茶\ndigest now\nbeside L2\n李四: 咖啡"),
        (
            "a host's round, and an answer outside of it",
            "set 张三, 李四\nopen\n@张三: 喝什么？\n李四: 茶\nclose\ndigest\noutside\nbeside L2\n李四: 咖啡",
        ),
        (
            "another answer within the round",
            "set 张三, 李四\nopen\n@张三: 喝什么？\n李四: 茶\nclose\ndigest\ninto R1\nbeside L2\n李四: 咖啡\nclose",
        ),
    ] {
        let story = format!("{beginning}{walk}");
        tell(&store, &[Story { what, story: &story, outcome: &outcome }]);
    }
}

/// Of what reaches into each other, that counts which reaches furthest; and what was forgotten counts, too.
pub fn parts(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "two rounds at once that are left in the middle",
                story: "
                    set さくら, 太郎
                    open
                    @さくら: 一
                    open
                    @太郎: 二
                    into R1
                    太郎: 三
                    close
                    into R2
                    さくら: 四
                    close
                    digest
                    head L2
                    digest now
                    mind さくら
                    head L4
                    mind さくら
                    head L2
                    mind さくら",
                outcome: "
                    さくら M3
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎: \"二\"
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎: \"三\"
                    さくら M2
                    [对话参与者：さくら、太郎]
                    太郎: \"二\"
                    さくら: \"四\"
                    さくら M3
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎: \"二\"",
            },
            Story {
                what: "what was forgotten does not come back in parts",
                story: "
                    set Ann, Bob
                    @Ann: Tea?
                    Bob: Tea.
                    digest now
                    undo 1
                    digest now
                    head L2
                    forget Ann M1
                    mind Ann
                    head L1
                    mind Ann
                    digest now
                    mind Ann",
                outcome: "
                    Ann: nothing
                    Ann: nothing
                    Ann: nothing",
            },
        ],
    );
}

/// A round that ended while its last words were undone: on each path what stands there is remembered.
pub fn ended_in_the_middle(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "one round",
                story: "
                    set さくら, 太郎
                    open
                    @さくら: 一
                    太郎: 二
                    undo 1
                    close
                    digest
                    mind さくら
                    head L2
                    digest now
                    mind さくら
                    head L1
                    mind さくら
                    digest now
                    mind さくら
                    rounds",
                outcome: "
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    さくら M2
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎: \"二\"
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    R1 digested L1-L1",
            },
            Story {
                what: "remembered before anything was undone again",
                story: "
                    set Ann, Bob
                    open
                    @Ann: One.
                    Bob: Two.
                    undo 1
                    close
                    head L2
                    digest
                    head L1
                    digest now
                    mind Ann",
                outcome: "
                    Ann M2
                    [对话参与者：Ann、Bob]
                    Ann: \"One.\"",
            },
            Story {
                what: "two rounds at once",
                story: "
                    set 张三, 李四
                    open
                    @张三: 一
                    open
                    @李四: 二
                    into R1
                    李四: 三
                    into R2
                    张三: 四
                    undo 2
                    into R1
                    close
                    digest now
                    head L4
                    into R2
                    close
                    digest now
                    mind 张三",
                outcome: "
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四: \"三\"
                    张三 M3
                    [对话参与者：张三、李四]
                    李四: \"二\"
                    张三: \"四\"",
            },
        ],
    );
}

/// A head that was moved behind what a host broke off: what stands there is remembered without it, and can be remembered anew.
pub fn behind_what_nobody_saw(store: Arc<dyn Store>) {
    for (what, step, outcome) in [
        ("rebuilt", "rebuild", "a M1\n[对话参与者：a、b]\na: \"question\"\nb: \"third\""),
        ("reworded", "edit L5: fourth", "a M2\n[对话参与者：a、b]\na: \"question\"\nb: \"fourth\""),
        ("hidden", "hide L5", "a M2\n[对话参与者：a、b]\na: \"question\""),
        ("forgotten with its lines", "forget a M1 lines", "a: nothing"),
    ] {
        let story = format!(
            "set a, b
             open
             @a: question
             b: answer
             beside L1
             @a: reworded
             b: second
             abort
             head L2
             b: third
             digest now
             {step}
             digest now
             mind a
             rounds"
        );
        let outcome = format!("{outcome}\nR1 closed L1-L1\nR2 digested L1-L5");
        tell(&store, &[Story { what, story: &story, outcome: &outcome }]);
    }
}

pub fn ended_on_another_branch(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "one line of it was shown, and it is not where the head was",
            story: "
                set 甲, さくら
                open
                さくら: 一
                さくら: 二
                beside L1
                さくら: 三
                さくら: 四
                outside
                さくら: 五
                digest now
                head L2
                into R1
                abort L3
                head L5
                digest now
                mind 甲
                rounds
                head L2
                digest now
                mind 甲
                head L5
                digest now
                rounds",
            outcome: "
                甲 M1
                [对话参与者：さくら、甲]
                さくら: \"五\"
                甲 M2
                [对话参与者：さくら、甲]
                さくら: \"三\"
                R1 closed L3-L3
                R2 digested L5-L5
                R3 digested L3-L3
                甲 M3
                [对话参与者：さくら、甲]
                さくら: \"一\"
                さくら: \"二\"
                R1 digested L3-L3
                R2 digested L5-L5
                R3 digested L3-L3",
        }],
    );
}
