//! What is worth raising now, for whom, and before whom?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn worth_raising(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what one wants, what was on this day, and what one knows of those who are there",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 学会游泳
                    note 小雪 (goal, weighs 1): 找到妹妹
                    event 小雪 (on 2022-05-05): 灯塔落成
                    event 小雪 (on 2022-05-06): 灯塔停电
                    event 小雪 (on 2024-05-05): 今天点灯
                    note 小雪 (about 莱姆, weighs 0.8): 莱姆不吃鱼
                    note 小雪 (about 莱姆, weighs 0.2): 莱姆爱打哈欠
                    note 小雪 (about 阿青, weighs 0.8): 阿青会开锁
                    suggest 小雪
                    suggest 小雪 2
                    nowhere
                    suggest 小雪",
                outcome: "
                    M2 goal 1.00
                    M1 goal 0.88
                    M3 anniversary 0.70
                    M6 present 0.62
                    M2 goal 1.00
                    M1 goal 0.88
                    M2 goal 1.00
                    M1 goal 0.88
                    M3 anniversary 0.70",
            },
            Told {
                what: "a world with a time of its own has no days of Earth",
                story: "
                    put calendar.kind = rimworld
                    set Snow, Lime
                    event Snow (on 2022-05-05): The lighthouse was built
                    note Snow (goal): Learn to swim
                    suggest Snow",
                outcome: "M2 goal 0.88",
            },
            Told {
                what: "a calendar of Earth has them in its own time zone",
                story: "
                    put calendar.kind = gregorian
                    set 小雪, 莱姆
                    event 小雪 (on 2022-05-05): 灯塔落成
                    event 小雪 (on 2022-05-06): 灯塔停电
                    suggest 小雪
                    wait 28800
                    suggest 小雪
                    put calendar.time_zone = Asia/Shanghai
                    suggest 小雪",
                outcome: "
                    M1 anniversary 0.70
                    M1 anniversary 0.70
                    M2 anniversary 0.70",
            },
            Told {
                what: "and where ticks tell the date, by them",
                story: "
                    put calendar.kind = gregorian && calendar.epoch = 1889-03-01T06:00 && calendar.ticks_per_second = 1
                    put layers.hour = never
                    set Snow, Lime
                    [0] @Lime: Good morning
                    event Snow (tick 0): The lighthouse was built
                    event Snow (tick 86400): The lights went out
                    at 31536000
                    suggest Snow",
                outcome: "M1 anniversary 0.70",
            },
            Told {
                what: "the same thing once, however it is told",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 莱姆答应周末带小雪去看海。
                    note 小雪 (goal): 莱姆答应周末带小雪去看海！
                    note 小雪 (goal): 找到妹妹
                    suggest 小雪
                    suggest 小雪 2
                    put recall.near_duplicate = 1
                    suggest 小雪",
                outcome: "
                    M1 goal 0.88
                    M3 goal 0.88
                    M1 goal 0.88
                    M3 goal 0.88
                    M1 goal 0.88
                    M2 goal 0.88
                    M3 goal 0.88",
            },
            Told {
                what: "a day, and not again what it sums up",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 灯塔今天落成了
                    小雪: 我们去看吧
                    digest now
                    @莱姆: 屋顶漏水了
                    小雪: 我来修
                    digest now
                    wait 31536000
                    digest now
                    set 小雪, 阿青
                    suggest 小雪
                    put recall.near_duplicate = 1
                    suggest 小雪",
                outcome: "
                    M4 anniversary 0.90
                    M4 anniversary 0.90
                    M3 anniversary 0.82
                    M1 anniversary 0.74
                    M2 anniversary 0.74",
            },
            Told {
                what: "whoever is to recall nothing raises nothing",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 学会游泳
                    note 莱姆 (goal): 修好灯塔
                    put recall.enabled@小雪 = false
                    suggest 小雪
                    suggest 莱姆
                    put recall.enabled = false
                    suggest 莱姆",
                outcome: "
                    nothing
                    M2 goal 0.88
                    nothing",
            },
            Told {
                what: "what is being said need not be raised",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 三年前的今天我们去看灯塔吧
                    小雪: 好
                    digest now
                    wait 31536000
                    suggest 小雪
                    set 小雪, 阿青
                    suggest 小雪",
                outcome: "
                    nothing
                    M1 anniversary 0.74",
            },
            Told {
                what: "what is forgotten, replaced or undone is not raised",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 学会游泳
                    forget 小雪 M1
                    suggest 小雪
                    unforget 小雪 M1
                    suggest 小雪
                    reword 小雪 M1: 学会潜水
                    suggest 小雪",
                outcome: "
                    nothing
                    M1 goal 0.88
                    M1 goal 0.88",
            },
        ],
    );
}

pub fn about_to_fade(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "the nearer to being forgotten, the more; and nothing that is",
            story: "
                put layers.hour = 60
                put layers.situational.decay = 0.1
                set 小雪, 莱姆
                [0] @莱姆: 开始
                event 小雪: 灯塔修好了
                event 小雪 (pinned): 屋顶漏水了
                event 小雪 (weighs 1): 师父走了
                at 1200
                suggest 小雪
                at 1740
                suggest 小雪
                at 1980
                suggest 小雪
                at 2160
                suggest 小雪",
            outcome: "
                nothing
                M3 fading 0.12
                M1 fading 0.06
                M3 fading 0.76
                M1 fading 0.38
                nothing",
        }],
    );
}

pub fn whose_they_are(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "each raises what is their own",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 学会游泳
                    note 莱姆 (goal): 修好灯塔
                    suggest 小雪
                    suggest 莱姆
                    forget 小雪 M1
                    suggest 小雪
                    suggest 莱姆
                    suggest 阿青",
                outcome: "
                    M1 goal 0.88
                    M2 goal 0.88
                    nothing
                    M2 goal 0.88
                    not_found: there is no such character",
            },
            Told {
                what: "who was not there, and another world",
                story: "
                    scene 酒馆: 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    present 小雪, 莱姆, 阿青
                    @莱姆: 喝酒
                    digest now
                    wait 31536000
                    set 小雪, 阿青
                    suggest 小雪
                    suggest 阿青
                    fork 岔路
                    set 小雪, 阿青
                    forget 小雪 M1
                    suggest 小雪
                    back who was not there, and another world
                    set 小雪, 阿青
                    suggest 小雪",
                outcome: "
                    M1 anniversary 0.74
                    M2 anniversary 0.74
                    M2 anniversary 0.74
                    M2 anniversary 0.74
                    M1 anniversary 0.74
                    M2 anniversary 0.74",
            },
        ],
    );
}

pub fn before_whom(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "only what everybody may hear who is there",
            story: "
                put audience = strict
                set 小雪, 莱姆
                note 小雪, 莱姆 (goal): 一起学游泳
                note 小雪 (goal): 瞒着莱姆去看灯塔
                note 小雪 (goal, shareable): 当上船长
                suggest 小雪
                set 小雪, 阿青
                suggest 小雪
                nowhere
                suggest 小雪
                put audience = open
                here
                suggest 小雪",
            outcome: "
                M1 goal 0.88
                M3 goal 0.88
                M3 goal 0.88
                M1 goal 0.88
                M2 goal 0.88
                M3 goal 0.88
                M1 goal 0.88
                M2 goal 0.88
                M3 goal 0.88",
        }],
    );
}
