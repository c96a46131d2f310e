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
                what: "what was felt is heard in a memory's words",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔那天大家都很开心
                    event 小雪: 灯塔那天大家都很害怕
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

pub fn only_raises(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "a feeling alone brings nothing",
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
                    M2 lexical keyword related
                    M1 M2",
            },
        ],
    );
}
