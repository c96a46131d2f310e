//! Does what is felt bring to mind what was felt?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn what_is_in_the_air(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "as the host says",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 开心): 灯塔看潮水
                    event 小雪 (feels 害怕): 灯塔遇风暴
                    kept 小雪: 灯塔
                    mood 害怕
                    kept 小雪: 灯塔
                    legs 小雪: 灯塔
                    mood afraid
                    kept 小雪: 灯塔
                    mood 开心
                    kept 小雪: 灯塔",
                outcome: "
                    M1 M2
                    M2 M1
                    M2 lexical keyword emotional related
                    M1 lexical keyword related
                    M2 M1
                    M1 M2",
            },
            Told {
                what: "as the last line says",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 开心): 灯塔看潮水
                    event 小雪 (feels 害怕): 灯塔遇风暴
                    @莱姆: 灯塔
                    kept 小雪
                    feeling 害怕
                    @莱姆: 灯塔
                    kept 小雪",
                outcome: "
                    M1 M2
                    M2 M1",
            },
            Told {
                what: "as the words say",
                story: "
                    put language = en
                    set Snow, Lime
                    event Snow (feels happy): The lighthouse at noon
                    event Snow (feels sad): The lighthouse at dusk
                    kept Snow: The lighthouse
                    kept Snow: I am so sad. The lighthouse
                    kept Snow: I am not sad. The lighthouse
                    kept Snow: 我很难过。lighthouse",
                outcome: "
                    M1 M2
                    M2 M1
                    M1 M2
                    M2 M1",
            },
            Told {
                what: "what was felt is heard in a memory's words, if nobody said it",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔那天大家都很开心
                    event 小雪 (feels neutral): 灯塔那天大家都很害怕
                    mood 害怕
                    kept 小雪: 灯塔
                    mood 开心
                    kept 小雪: 灯塔",
                outcome: "
                    M2 M1
                    M1 M2",
            },
            Told {
                what: "a name that nobody knows is near to itself",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels ワクワク感): 灯塔看潮水
                    event 小雪 (feels 侘寂): 灯塔遇风暴
                    mood 侘寂
                    kept 小雪: 灯塔",
                outcome: "M2 M1",
            },
        ],
    );
}

/// Somebody who was afraid once, and felt nothing in particular otherwise.
const ONCE_AFRAID: &str = "
    set 小雪, 莱姆
    event 小雪 (feels 害怕): 夜里打雷停电
    event 小雪: 买了三斤苹果
    event 小雪: 院子里的树开花
    event 小雪: 邻居换了辆车
    event 小雪: 河边修了座桥";

/// Somebody who was afraid once and glad once.
const AFRAID_AND_GLAD: &str = "
    event 小雪 (feels 开心): 一路唱歌回家";

pub fn the_newest_words_first(store: Arc<dyn Store>) {
    let both = |then: &str| format!("{ONCE_AFRAID}\n{AFRAID_AND_GLAD}\n{then}");
    told(
        &store,
        &[
            Told {
                what: "they are heard, whatever was felt in the answer before",
                story: &both(
                    "
                    @莱姆: 在吗
                    feeling 开心
                    小雪: 在呀
                    kept 小雪: 好紧张，好不安，我担心得发抖
                    @莱姆: 好紧张，好不安，我担心得发抖
                    kept 小雪",
                ),
                outcome: "
                    M1
                    M1",
            },
            Told {
                what: "where they say nothing of it, it is still in the air",
                story: &both(
                    "
                    @莱姆: 在吗
                    feeling 开心
                    小雪: 在呀
                    kept 小雪: 你好
                    @莱姆: 你好
                    kept 小雪",
                ),
                outcome: "
                    M6
                    M6",
            },
            Told {
                what: "neutral says nothing",
                story: &both(
                    "
                    @莱姆: 在吗
                    feeling neutral
                    小雪: 在
                    kept 小雪: 好紧张，好不安，我担心得发抖
                    feeling 普通
                    @莱姆: 好紧张，好不安，我担心得发抖
                    kept 小雪
                    mood neutral
                    kept 小雪
                    mood ふつう, 开心
                    kept 小雪",
                ),
                outcome: "
                    M1
                    M1
                    M1
                    M6",
            },
            Told {
                what: "the label of the newest line counts before its words",
                story: &both(
                    "
                    feeling 开心
                    @莱姆: 好紧张，好不安，我担心得发抖
                    kept 小雪",
                ),
                outcome: "M6",
            },
        ],
    );
}

pub fn by_itself(store: Arc<dyn Store>) {
    let once_afraid = |then: &str| format!("{ONCE_AFRAID}\n{then}");
    told(
        &store,
        &[
            Told {
                what: "a mood that somebody told of brings what was felt so, behind what is near",
                story: &once_afraid(
                    "
                    kept 小雪: 你好
                    mood 害怕
                    kept 小雪: 你好
                    legs 小雪: 你好
                    kept 小雪: 苹果
                    mood scared
                    kept 小雪: 你好
                    mood 怖い
                    kept 小雪: 你好",
                ),
                outcome: "
                    nothing
                    M1
                    M1 emotional
                    M2 M1
                    M1
                    M1",
            },
            Told {
                what: "as the last line says",
                story: &once_afraid(
                    "
                    feeling 害怕
                    @莱姆: 你好
                    kept 小雪",
                ),
                outcome: "M1",
            },
            Told {
                what: "a feeling that is as bad to feel is another one",
                story: &once_afraid(
                    "
                    mood 生气
                    why 小雪: 你好",
                ),
                outcome: "nothing",
            },
            Told {
                what: "one word in passing is not enough, many are",
                story: &once_afraid(
                    "
                    why 小雪: 有点紧张呢
                    why 小雪: 好紧张，好不安，我担心得发抖",
                ),
                outcome: "
                    M1 threshold
                    M1 kept",
            },
            Told {
                what: "what was felt is heard in a memory's words",
                story: "
                    put language = en
                    set Snow, Lime
                    event Snow: The thunder terrified everybody
                    event Snow: Three pounds of apples
                    event Snow: The tree is in blossom
                    event Snow: A new bridge
                    mood anxious
                    kept Snow: Hello",
                outcome: "M1",
            },
            Told {
                what: "a name that nobody knows",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 侘寂): 夜里打雷停电
                    event 小雪: 买了三斤苹果
                    event 小雪 (feels ワクワク感): 院子里的树开花
                    mood 侘寂
                    kept 小雪: 你好",
                outcome: "M1",
            },
            Told {
                what: "what is always felt brings nothing",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 开心): 夜里打雷停电
                    event 小雪 (feels 开心): 买了三斤苹果
                    event 小雪 (feels 开心): 院子里的树开花
                    event 小雪 (feels 开心): 邻居换了辆车
                    mood 开心
                    why 小雪: 你好
                    kept 小雪: 苹果",
                outcome: "
                    nothing
                    M2",
            },
            Told {
                what: "nor does what half of them share",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 开心): 夜里打雷停电
                    event 小雪 (feels 开心): 买了三斤苹果
                    event 小雪 (feels 开心): 院子里的树开花
                    event 小雪: 邻居换了辆车
                    event 小雪: 河边修了座桥
                    event 小雪: 今天很闷
                    mood 开心
                    why 小雪: 你好",
                outcome: "
                    M1 threshold
                    M2 threshold
                    M3 threshold",
            },
            Told {
                what: "as much as it is to say",
                story: &once_afraid(
                    "
                    mood 害怕
                    put recall.emotional_boost = false
                    kept 小雪: 你好
                    put recall.emotional_weight.episodic = 0.3
                    why 小雪: 你好
                    put recall.emotional = 0.4
                    why 小雪: 你好
                    put recall.emotional = 0
                    why 小雪: 你好",
                ),
                outcome: "
                    M1
                    M1 threshold
                    M1 kept
                    nothing",
            },
        ],
    );
}

pub fn only_raises(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "somebody who remembers one thing tells nothing apart by a feeling",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 害怕): 夜里打雷停电
                    mood 害怕
                    why 小雪: 你好
                    why 小雪: 打雷",
                outcome: "
                    nothing
                    M1 kept",
            },
            Told {
                what: "switched off",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (feels 开心): 灯塔看潮水
                    event 小雪 (feels 害怕): 灯塔遇风暴
                    mood 害怕
                    kept 小雪: 灯塔
                    put recall.emotional_boost = false
                    kept 小雪: 灯塔
                    legs 小雪: 灯塔
                    put recall.emotional_boost = true
                    put recall.emotional = 0
                    kept 小雪: 灯塔",
                outcome: "
                    M2 M1
                    M1 M2
                    M1 lexical keyword related
                    M2 lexical keyword emotional related
                    M1 M2",
            },
        ],
    );
}
