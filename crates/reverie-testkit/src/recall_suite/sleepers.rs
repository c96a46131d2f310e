//! What of that which has sunk still comes to mind?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn dormant(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what has faded is not told",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔修好了
                    kept 小雪: 灯塔
                    [600] @莱姆: 嗯
                    why 小雪: 灯塔
                    at 60
                    kept 小雪: 灯塔",
                outcome: "
                    M1
                    M1 faded
                    M1",
            },
            Told {
                what: "what others crowd out is not told",
                story: "
                    put layers.situational.capacity = 1
                    set 小雪, 莱姆
                    event 小雪: 灯塔修好了
                    event 小雪: 屋顶漏水了
                    why 小雪: 灯塔
                    why 小雪: 屋顶
                    put layers.situational.capacity = 2
                    kept 小雪: 灯塔",
                outcome: "
                    M1 crowded
                    M2 threshold
                    M2 kept
                    M1 crowded
                    M1",
            },
            Told {
                what: "crowded facts are not told, even of a kind that always is",
                story: "
                    put layers.trait.capacity = 1
                    set Snow, Lime
                    note Snow (trait, weighs 0.3): She is afraid of cats
                    note Snow (trait, weighs 0.9): She never lies
                    why Snow: Hello",
                outcome: "
                    M2 kept
                    M1 crowded",
            },
            Told {
                what: "what is written down by hand gives way to nothing, and fades",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    put layers.situational.capacity = 1
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    note 小雪: 莱姆对花生过敏
                    event 小雪: 灯塔修好了
                    event 小雪: 灯塔又坏了
                    note 小雪: 莱姆住在三楼
                    standing 小雪
                    [600] @莱姆: 嗯
                    standing 小雪",
                outcome: "
                    M1 situational 1.0000
                    M2 situational 1.0000 crowded
                    M3 situational 1.0000
                    M4 situational 1.0000
                    M1 situational 0.0010 faded
                    M2 situational 0.0010 faded
                    M3 situational 0.0010 faded
                    M4 situational 0.0010 faded",
            },
            Told {
                what: "pins neither fade nor give way",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    put layers.situational.capacity = 0
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪 (pinned): 灯塔修好了
                    [60000] @莱姆: 嗯
                    kept 小雪: 你好",
                outcome: "M1",
            },
        ],
    );
}

pub fn archive(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "rounds that are past can be found",
            story: "
                    put layers.active.capacity = 1
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒
                    小雪: 埋在老槐树下
                    @莱姆: 我会弹琴
                    小雪: 真的？
                    wait 86400
                    @莱姆: 晚饭吃什么
                    小雪: 面
                    digest now
                    standing 小雪
                    forget 小雪 M4
                    standing 小雪
                    window 1
                    kept 小雪: 桂花酒
                    unforget 小雪 M4
                    why 小雪: 桂花酒
                    put recall.archive = false
                    why 小雪: 桂花酒",
            outcome: "
                    M1 active 1.0000 past
                    M2 active 1.0000 past
                    M3 active 1.0000
                    M4 events 1.0000
                    M1 active 1.0000
                    M2 active 1.0000
                    M3 active 1.0000
                    M1
                    M1 kept
                    M4 alike M1
                    M2 threshold
                    M3 threshold
                    M1 past
                    M4 kept
                    M2 past
                    M3 threshold",
        }],
    );
}

pub fn age(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "the newer of two first",
                story: "
                    put calendar.kind = rimworld
                    put layers.situational.decay = 0
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔点灭了
                    [600000] @莱姆: 嗯
                    event 小雪: 灯塔点亮了
                    kept 小雪: 灯塔
                    put recall.time_decay = false
                    kept 小雪: 灯塔",
                outcome: "
                    M2 M1
                    M1 M2",
            },
            Told {
                what: "the old one is told all the same",
                story: "
                    put calendar.kind = rimworld
                    put layers.situational.decay = 0
                    set 小雪, 莱姆
                    [0] @莱姆: 开始
                    event 小雪: 灯塔点灭了
                    [60000000] @莱姆: 嗯
                    kept 小雪: 灯塔",
                outcome: "M1",
            },
            Told {
                what: "without game time age says nothing",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2020-01-01): 灯塔点灭了
                    event 小雪: 灯塔点亮了
                    kept 小雪: 灯塔",
                outcome: "M1 M2",
            },
            Told {
                what: "unless hours are those of the wall",
                story: "
                    put layers.hour = wall
                    put layers.situational.decay = 0
                    set 小雪, 莱姆
                    event 小雪 (on 2020-01-01): 灯塔点灭了
                    event 小雪: 灯塔点亮了
                    kept 小雪: 灯塔",
                outcome: "M2 M1",
            },
        ],
    );
}
