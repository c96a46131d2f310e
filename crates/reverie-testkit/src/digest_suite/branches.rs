//! What is remembered of a host's round where its conversation branches, or a restore takes it back?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, tell};

pub fn another_answer(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "only posted, after the round was remembered",
                story: "
                    set 张三, 李四, 王五
                    open
                    @张三: 你喜欢什么？
                    李四: 茶
                    close
                    digest
                    outside
                    beside L2
                    李四: 咖啡
                    mind 王五
                    digest now
                    mind 王五
                    head L2
                    mind 王五
                    digest now
                    mind 王五
                    head L3
                    mind 王五
                    rounds",
                outcome: "
                    王五: nothing
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"你喜欢什么？\"
                    李四: \"咖啡\"
                    王五 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"你喜欢什么？\"
                    李四: \"茶\"
                    王五 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"你喜欢什么？\"
                    李四: \"茶\"
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"你喜欢什么？\"
                    李四: \"咖啡\"
                    R1 digested L1-L1
                    R2 digested L1-L3",
            },
            Story {
                what: "put into the same round",
                story: "
                    set Ann, Bob
                    open Bob, Ann
                    @Ann: Tea or coffee?
                    Bob: Tea.
                    close
                    digest
                    into R1
                    beside L2
                    Bob: Coffee.
                    rounds
                    digest now
                    mind Ann
                    close
                    digest
                    mind Ann
                    head L2
                    digest now
                    mind Ann
                    head L3
                    mind Ann
                    rounds",
                outcome: "
                    R1 open L1-L3
                    Ann: nothing
                    Ann M2
                    [对话参与者：Bob、Ann]
                    Ann: \"Tea or coffee?\"
                    Bob: \"Coffee.\"
                    Ann M1
                    [对话参与者：Bob、Ann]
                    Ann: \"Tea or coffee?\"
                    Bob: \"Tea.\"
                    Ann M2
                    [对话参与者：Bob、Ann]
                    Ann: \"Tea or coffee?\"
                    Bob: \"Coffee.\"
                    R1 digested L1-L3
                    R2 digested L1-L2",
            },
            Story {
                what: "before anybody remembered the round",
                story: "
                    set さくら, 太郎
                    open
                    @さくら: 好きなものは？
                    太郎: お茶
                    close
                    outside
                    beside L2
                    太郎: コーヒー
                    digest now
                    mind さくら
                    head L2
                    digest
                    mind さくら",
                outcome: "
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"好きなものは？\"
                    太郎: \"コーヒー\"
                    さくら M2
                    [对话参与者：さくら、太郎]
                    さくら: \"好きなものは？\"
                    太郎: \"お茶\"",
            },
            Story {
                what: "while the round was open",
                story: "
                    set 张三, 李四
                    open
                    @张三: 去哪儿？
                    李四: 北京
                    beside L2
                    李四: 上海
                    close
                    digest
                    mind 张三
                    head L2
                    digest now
                    mind 张三",
                outcome: "
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"去哪儿？\"
                    李四: \"上海\"
                    张三 M2
                    [对话参与者：张三、李四]
                    张三: \"去哪儿？\"
                    李四: \"北京\"",
            },
            Story {
                what: "that nobody saw",
                story: "
                    set Ann, Bob
                    open
                    @Ann: Hello?
                    Bob: Hi.
                    close
                    digest
                    into R1
                    beside L2
                    Bob: Draft.
                    abort
                    digest
                    mind Ann
                    head L2
                    digest
                    mind Ann",
                outcome: "
                    Ann: nothing
                    Ann M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Hello?\"
                    Bob: \"Hi.\"",
            },
        ],
    );
}

pub fn undone(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "words whose answer was taken back wait for another, however old they are",
                story: "
                    set 张三, 李四
                    open
                    @张三: 讲个故事
                    李四: 从前有座山
                    close
                    digest
                    wait 86400
                    undo 1
                    digest
                    mind 李四
                    李四: 从前有只狼
                    wait 3600
                    digest
                    mind 李四",
                outcome: "
                    李四: nothing
                    李四 M2
                    [对话参与者：张三、李四]
                    张三: \"讲个故事\"
                    李四: \"从前有只狼\"",
            },
            Story {
                what: "and are remembered alone when that is asked for",
                story: "
                    set Ann, Bob
                    open
                    @Ann: Tell me a story.
                    Bob: Once upon a time.
                    close
                    digest
                    undo 1
                    digest now
                    mind Bob
                    head L2
                    mind Bob",
                outcome: "
                    Bob M2
                    [对话参与者：Ann、Bob]
                    Ann: \"Tell me a story.\"
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Tell me a story.\"
                    Bob: \"Once upon a time.\"",
            },
            Story {
                what: "in the middle of two rounds at once",
                story: "
                    set さくら, 太郎
                    open
                    @さくら: 一
                    open
                    太郎: 二
                    into R1
                    太郎: 三
                    close
                    into R2
                    close
                    digest
                    undo 1
                    digest now
                    mind さくら
                    head L3
                    mind さくら",
                outcome: "
                    さくら M2
                    [对话参与者：さくら、太郎]
                    太郎: \"二\"
                    さくら M3
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    さくら M1
                    [对话参与者：さくら、太郎]
                    さくら: \"一\"
                    太郎: \"三\"
                    さくら M2
                    [对话参与者：さくら、太郎]
                    太郎: \"二\"",
            },
        ],
    );
}

pub fn taken_back_by_a_restore(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "its lines are like those that were only posted",
            story: "
                set 张三, 李四
                save 早
                open
                @张三: 一
                李四: 二
                close
                save 晚
                load 早
                head L2
                rounds
                digest
                mind 张三
                wait 3600
                digest
                mind 张三
                rounds
                load 晚
                digest
                mind 张三",
            outcome: "
                张三: nothing
                张三 M1
                [对话参与者：张三、李四]
                张三: \"一\"
                李四: \"二\"
                R2 digested L1-L2
                张三 M1
                [对话参与者：张三、李四]
                张三: \"一\"
                李四: \"二\"",
        }],
    );
}
