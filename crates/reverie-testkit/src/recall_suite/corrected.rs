//! Is what somebody put right told as it is now?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn in_other_words(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "a day is told anew, and once",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 小雪从老周那里买了一匹棕马
                    event 小雪: 莱姆的船漏了
                    wait 172800
                    @莱姆: 早
                    小雪: 早
                    digest now
                    why 小雪: 老周的马是什么颜色？
                    reword 小雪 M1: 小雪从老周那里买了一匹白马
                    why 小雪: 老周的马是什么颜色？
                    ask 小雪: 老周的马是什么颜色？",
                outcome: "
                    M1 kept
                    M4 alike M1
                    M3 threshold
                    M2 threshold
                    M1 kept
                    M5 alike M1
                    M3 threshold
                    M2 threshold
                    ## 角色记忆
                    ### 情景记忆
                    - 小雪从老周那里买了一匹白马",
            },
            Told {
                what: "an era is made of its days as they are told now, and told no second time",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: The vault opens with the word lantern.
                    Snow: I will keep it.
                    @Lime: Grandma bakes rye.
                    Snow: Delicious.
                    @Lime: The ferry leaves at noon.
                    Snow: We must hurry.
                    digest now
                    wait 1728000
                    digest now
                    why Snow: Does grandma bake bread?
                    reword Snow M2: Grandma bakes sourdough.
                    why Snow: Does grandma bake bread?
                    take back M2
                    why Snow: Does grandma bake bread?
                    reword Snow M2: Grandma bakes sourdough.
                    set Snow, Bob
                    why Snow: What word opens the vault?",
                outcome: "
                    M4 in_history
                    M5 in_history
                    M3 threshold
                    M2 in_history
                    M6 in_history
                    M7 in_history
                    M3 threshold
                    M2 in_history
                    M4 in_history
                    M5 in_history
                    M3 threshold
                    M2 in_history
                    M1 kept
                    M6 alike M1
                    M7 alike M1
                    M2 threshold
                    M3 threshold",
            },
            Told {
                what: "a summary that still has the old words stays away",
                story: "
                    put recall.near_duplicate = 1
                    set 小雪, 莱姆
                    event 小雪: 小雪从老周那里买了一匹棕马
                    event 小雪: 莱姆的船漏了
                    wait 172800
                    @莱姆: 早
                    小雪: 早
                    digest now
                    reword 小雪 M4: 买马的那天
                    reword 小雪 M1: 小雪从老周那里买了一匹白马
                    take back M4
                    why 小雪: 老周的马是什么颜色？
                    ask 小雪: 老周的马是什么颜色？",
                outcome: "
                    M1 kept
                    M4 corrected
                    M3 threshold
                    M2 threshold
                    ## 角色记忆
                    ### 情景记忆
                    - 小雪从老周那里买了一匹白马",
            },
            Told {
                what: "keywords of the old words find nothing",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (keywords 丝巾|生日): 莱姆借走了小雪的丝巾
                    kept 小雪: 丝巾呢？
                    reword 小雪 M1: 莱姆借走了小雪的伞
                    kept 小雪: 丝巾呢？
                    kept 小雪: 生日是哪天？",
                outcome: "
                    M1
                    nothing
                    M1",
            },
        ],
    );
}
