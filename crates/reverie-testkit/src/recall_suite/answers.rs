//! What does recording an answer with the id of its prompt do to memories?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn fresh_again(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what was told is fresh again, and what was not is not",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔修好了
                    event 小雪: 屋顶漏水了
                    [60] @莱姆: 说说灯塔
                    standing 小雪
                    kept 小雪
                    answer [60] 小雪: 好
                    standing 小雪
                    [120] @莱姆: 嗯
                    standing 小雪",
                outcome: "
                    M1 situational 0.5000
                    M2 situational 0.5000
                    M1
                    M1 situational 1.0000
                    M2 situational 0.5000
                    M1 situational 0.5000
                    M2 situational 0.2500",
            },
            Told {
                what: "undone with the line",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔修好了
                    [60] @莱姆: 说说灯塔
                    kept 小雪
                    answer [60] 小雪: 好
                    standing 小雪
                    undo 1
                    standing 小雪
                    head L3
                    standing 小雪",
                outcome: "
                    M1
                    M1 situational 1.0000
                    M1 situational 0.5000
                    M1 situational 1.0000",
            },
            Told {
                what: "without the id nothing is",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set Snow, Lime
                    [0] @Lime: Go
                    event Snow: The lighthouse fell
                    [60] @Lime: The lighthouse
                    kept Snow
                    [60] Snow: Yes
                    standing Snow",
                outcome: "
                    M1
                    M1 situational 0.5000",
            },
            Told {
                what: "each of those who were given a voice",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set 小雪, 阿青, 莱姆
                    [0] @莱姆: 开始
                    event 小雪, 阿青, 莱姆: 灯塔修好了
                    [60] @莱姆: 说说灯塔
                    with 阿青
                    kept 小雪
                    answer [60] 小雪: 好
                    standing 小雪
                    standing 阿青
                    standing 莱姆",
                outcome: "
                    M1
                    M1 situational 1.0000
                    M1 situational 1.0000
                    M1 situational 0.5000",
            },
            Told {
                what: "for an answer on another path nothing is",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔修好了
                    [60] @莱姆: 说说灯塔
                    kept 小雪
                    undo 1
                    [60] @莱姆: 说说天气
                    answer [60] 小雪: 好
                    standing 小雪",
                outcome: "
                    M1
                    answered_elsewhere
                    M1 situational 0.5000",
            },
        ],
    );
}
