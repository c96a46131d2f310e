//! Who hears what is said in a host's round, while others are near, come, go, or have a round of their own?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::{Story, tell};

pub fn those_it_was_opened_with(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "alone, though others are near",
                story: "
                    set 张三, 李四, 王五
                    open 王五
                    王五: 没人听见
                    close
                    digest
                    mind 张三
                    mind 王五
                    @张三: 大家好
                    李四: 你好
                    digest now
                    mind 王五",
                outcome: "
                    张三: nothing
                    王五 M1
                    [对话参与者：王五]
                    王五: \"没人听见\"
                    王五 M1
                    [对话参与者：王五]
                    王五: \"没人听见\"
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    张三: \"大家好\"
                    李四: \"你好\"",
            },
            Story {
                what: "two rounds at once in one scene, with one in both",
                story: "
                    scene 酒馆: Ann, Bob, Cat, Dan
                    open Ann, Bob
                    @Ann: Secret one.
                    open Cat, Bob
                    @Cat: Secret two.
                    into R1
                    Bob: Answer one.
                    into R2
                    Bob: Answer two.
                    close
                    into R1
                    @Ann: Thanks.
                    close
                    digest
                    mind Ann
                    mind Bob
                    mind Cat
                    mind Dan",
                outcome: "
                    Ann M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Secret one.\"
                    Bob: \"Answer one.\"
                    Ann: \"Thanks.\"
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Secret one.\"
                    Bob: \"Answer one.\"
                    Ann: \"Thanks.\"
                    Bob M2
                    [对话参与者：Cat、Bob]
                    Cat: \"Secret two.\"
                    Bob: \"Answer two.\"
                    Cat M2
                    [对话参与者：Cat、Bob]
                    Cat: \"Secret two.\"
                    Bob: \"Answer two.\"
                    Dan: nothing",
            },
            Story {
                what: "directions and a narrator reach them alone",
                story: "
                    narrator 说书人
                    set さくら, 太郎, 花子
                    open さくら, 太郎
                    #: 静かに
                    @さくら: 始めよう
                    说书人: 灯灭了。
                    close
                    digest
                    sees 花子
                    mind 太郎",
                outcome: "
                    花子 sees
                    太郎 M1
                    [对话参与者：さくら、太郎]
                    さくら: \"始めよう\"
                    说书人: \"灯灭了。\"",
            },
        ],
    );
}

pub fn whoever_joins_them(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "whoever speaks in it hears what follows",
                story: "
                    set 张三, 李四, 王五
                    open 张三, 李四
                    @张三: 一
                    王五: 我也在
                    李四: 三
                    close
                    digest
                    mind 王五
                    mind 李四",
                outcome: "
                    王五 M2
                    [对话参与者：张三、李四、王五]
                    王五: \"我也在\"
                    李四: \"三\"
                    李四 M1
                    [对话参与者：张三、李四、王五]
                    张三: \"一\"
                    王五: \"我也在\"
                    李四: \"三\"",
            },
            Story {
                what: "whoever comes to the scene and whoever leaves it",
                story: "
                    scene 居酒屋: さくら, 太郎, 花子
                    open さくら, 太郎
                    @さくら: 一
                    open 花子
                    花子: 独り言
                    into R1
                    present 花子, 太郎, 次郎
                    太郎: 二
                    present 花子, 次郎
                    次郎: 三
                    close
                    digest
                    mind さくら
                    mind 太郎
                    mind 次郎
                    mind 花子",
                outcome: "
                    さくら M2
                    [对话参与者：さくら、太郎、次郎]
                    さくら: \"一\"
                    太郎: \"二\"
                    次郎: \"三\"
                    太郎 M1
                    [对话参与者：さくら、太郎、次郎]
                    さくら: \"一\"
                    太郎: \"二\"
                    次郎 M3
                    [对话参与者：さくら、太郎、次郎]
                    太郎: \"二\"
                    次郎: \"三\"
                    花子: nothing",
            },
            Story {
                what: "going back to before it opened",
                story: "
                    scene 酒馆: Ann, Bob, Cat
                    @Cat: Before.
                    open Ann, Bob
                    @Ann: One.
                    Bob: Two.
                    beside L3
                    @Ann: Another one.
                    Bob: Another two.
                    close
                    digest
                    mind Ann
                    sees Cat",
                outcome: "
                    Ann M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Another one.\"
                    Bob: \"Another two.\"
                    Ann M2
                    [对话参与者：Cat、Ann、Bob]
                    Cat: \"Before.\"
                    Cat sees L1",
            },
        ],
    );
}

pub fn two_rounds_at_once(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "with one in both, in two rooms",
            story: "
                scene 厨房: 张三, 李四
                open
                @张三: 饭好了吗？
                scene 院子: 张三, Bob
                open
                @Bob: Is dinner ready?
                scene 厨房: 张三, 李四
                into R1
                李四: 快了。
                scene 院子: 张三, Bob
                into R2
                张三: Almost.
                close
                scene 厨房: 张三, 李四
                into R1
                close
                digest
                mind 张三
                mind 李四
                mind Bob",
            outcome: "
                张三 M1
                [对话参与者：张三、李四]
                张三: \"饭好了吗？\"
                李四: \"快了。\"
                张三 M2
                [对话参与者：Bob、张三]
                Bob: \"Is dinner ready?\"
                张三: \"Almost.\"
                李四 M1
                [对话参与者：张三、李四]
                张三: \"饭好了吗？\"
                李四: \"快了。\"
                Bob M2
                [对话参与者：Bob、张三]
                Bob: \"Is dinner ready?\"
                张三: \"Almost.\"",
        }],
    );
    tell(
        &store,
        &[Story {
            what: "in one room",
            story: "
                set Ann, Bob, さくら
                open Ann, Bob
                @Ann: One.
                open さくら, Bob
                @さくら: 二つ目
                into R1
                Bob: First.
                into R2
                Bob: 二番
                close
                into R1
                close
                digest
                mind Ann
                mind Bob
                mind さくら",
            outcome: "
                Ann M1
                [对话参与者：Ann、Bob]
                Ann: \"One.\"
                Bob: \"First.\"
                Bob M1
                [对话参与者：Ann、Bob]
                Ann: \"One.\"
                Bob: \"First.\"
                Bob M2
                [对话参与者：さくら、Bob]
                さくら: \"二つ目\"
                Bob: \"二番\"
                さくら M2
                [对话参与者：さくら、Bob]
                さくら: \"二つ目\"
                Bob: \"二番\"",
        }],
    );
}
