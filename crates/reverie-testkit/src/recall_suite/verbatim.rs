//! What the model reads anyway, word for word, is not told again, whoever said it and where?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

/// Every chat begins with the same greeting, and has a thing of its own.
const CHATS: &str = "
    put recall.most.episodic = 2
    put prompt.history = conversation
    scene one: Sera, Mei
    Sera: The lamp flickers as Sera looks up. Come in, visitor, and close the door!
    digest now
    @Mei: I came by boat; my boat is called Albatross.
    Sera: A fine name.
    digest now
    scene two: Sera, Mei
    Sera: The lamp flickers as Sera looks up. Come in, visitor, and close the door!
    digest now
    @Mei: Another visitor told me of a boat that sank.
    Sera: Terrible.
    digest now
    scene three: Sera, Mei
    ";

pub fn in_the_history(store: Arc<dyn Store>) {
    let greeted = format!(
        "{CHATS}
        Sera: The lamp FLICKERS as Sera looks up.   Come in, visitor, and close the door!
        @Mei: Well, I am here.
        kept Sera: What did the visitor tell you of a boat, by the lamp at the door?
        window 1
        kept Sera: What did the visitor tell you of a boat, by the lamp at the door?"
    );
    told(
        &store,
        &[
            Told {
                what: "the greeting of other chats leaves its room to others",
                story: &greeted,
                outcome: "
                    M4 M2
                    M3 M4",
            },
            Told {
                what: "what is said again here",
                story: "
                    set 小雪, 阿青
                    @阿青: 桂花酒埋在老槐樹下。
                    digest now
                    set 小雪, 莱姆
                    @莱姆: 桂花酒埋在老槐树下。
                    小雪: 是吗？
                    why 小雪: 桂花酒埋在哪里？
                    window 1
                    why 小雪: 桂花酒埋在哪里？",
                outcome: "
                    M1 in_history
                    M1 kept
                    L2 kept",
            },
            Told {
                what: "what was just said elsewhere",
                story: "
                    set さくら, レム
                    @レム: 鍵は植木鉢の下に隠したよ。
                    set さくら, アオ
                    @アオ: 鍵は植木鉢の下に隠したよ。
                    さくら: そう？
                    why さくら: 植木鉢の下に何がある？",
                outcome: "L1 in_history",
            },
        ],
    );
}

pub fn in_a_prompt_of_the_hosts_own(store: Arc<dyn Store>) {
    let greeted = format!(
        "{CHATS}
        besides You are Sera.⏎The lamp flickers as Sera looks up.⏎Come in, visitor, and close the door!
        kept Sera: What did the visitor tell you of a boat, by the lamp at the door?
        besides nothing
        kept Sera: What did the visitor tell you of a boat, by the lamp at the door?"
    );
    told(
        &store,
        &[
            Told {
                what: "the greeting leaves its room to others",
                story: &greeted,
                outcome: "
                    M4 M2
                    M3 M4",
            },
            Told {
                what: "what was said, written down, or has happened",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我的幸运数字是十七，请记住。
                    digest now
                    note 小雪 (semantic): 莱姆的幸运数字是十七
                    event 小雪: 莱姆抽中了幸运数字十七号
                    set 小雪, 阿青
                    besides 设定：我的幸運數字是十七，請記住。
                    besides 莱姆的幸运数字是十七
                    why 小雪: 莱姆的幸运数字是多少？",
                outcome: "
                    M2 in_history
                    M1 in_history
                    M3 kept",
            },
            Told {
                what: "but what is always there stays",
                story: "
                    set Snow, Lime
                    note Snow (trait, pinned): Snow is afraid of geese and of thunder
                    besides Snow is afraid of geese and of thunder.
                    why Snow: geese",
                outcome: "M1 kept",
            },
        ],
    );
}

/// Short words stand in many others, and whoever answers says something new.
pub fn some_of_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "a question stands there, its answer does not",
                story: "
                    set Snow, Lime
                    @Lime: Where did I bury the golden cup?
                    Snow: Under the old oak.
                    digest now
                    set Snow, Tom
                    @Tom: Where did I bury the golden cup?
                    why Snow
                    besides Somebody sleeps under the old oak tree.
                    why Snow
                    besides Under the old oak.
                    why Snow",
                outcome: "
                    M1 kept
                    M1 kept
                    M1 in_history",
            },
            Told {
                what: "short words are found as whole lines, with or without a name",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我怕猫
                    digest now
                    set 小雪, 阿青
                    besides 他说我怕猫咪
                    why 小雪: 莱姆怕猫吗
                    besides 莱姆：我怕猫
                    why 小雪: 莱姆怕猫吗
                    besides nothing
                    besides 你好⏎我怕貓
                    why 小雪: 莱姆怕猫吗",
                outcome: "
                    M1 kept
                    M1 in_history
                    M1 in_history",
            },
        ],
    );
}
