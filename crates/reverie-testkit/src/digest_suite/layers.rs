//! How do memories fade, and which give way to others?

use std::sync::Arc;

use reverie_core::memory::Kind;
use reverie_core::{Remember, Store};

use super::theatre::{Story, Theatre, happened, tell};

pub fn fading(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "hours of the calendar",
                story: "
                    put calendar.kind = rimworld
                    set 张三
                    [0] 张三: 起床
                    event 张三: 修好了屋顶
                    standing 张三
                    [2499] 张三: 嗯
                    standing 张三
                    [2500] 张三: 嗯
                    standing 张三
                    [25000] 张三: 嗯
                    standing 张三",
                outcome: "
                    M1 situational 1.0000
                    M1 situational 1.0000
                    M1 situational 0.9500
                    M1 situational 0.5987",
            },
            Story {
                what: "hours of so many ticks",
                story: "
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set Ann
                    [10] Ann: Up.
                    event Ann: Ann mended the roof
                    [130] Ann: Down.
                    standing Ann",
                outcome: "M1 situational 0.2500",
            },
            Story {
                what: "hours of the wall",
                story: "
                    put layers.hour = wall
                    set さくら
                    event さくら: 屋根を直した
                    wait 3600
                    standing さくら
                    wait 3600
                    standing さくら",
                outcome: "
                    M1 situational 0.9500
                    M1 situational 0.9025",
            },
            Story {
                what: "no hours at all, and never",
                story: "
                    set 张三
                    [0] 张三: 起床
                    event 张三: 修好了屋顶
                    [900000] 张三: 嗯
                    standing 张三
                    put calendar.kind = rimworld
                    put layers.hour = never
                    standing 张三",
                outcome: "
                    M1 situational 1.0000
                    M1 situational 1.0000",
            },
            Story {
                what: "after an undo what lies ahead is now",
                story: "
                    put calendar.kind = rimworld
                    set 张三
                    [0] 张三: 起床
                    [50000] 张三: 天黑了
                    event 张三: 打雷了
                    undo 1
                    standing 张三",
                outcome: "M1 situational 1.0000",
            },
        ],
    );
}

pub fn what_is_worn_out(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "below the floor it is dormant, and not gone",
                story: "
                    put calendar.kind = rimworld
                    set 张三
                    [0] 张三: 起床
                    event 张三: 修好了屋顶
                    [179999] 张三: 嗯
                    standing 张三
                    [180000] 张三: 嗯
                    standing 张三
                    mind 张三",
                outcome: "
                    M1 situational 0.0262
                    M1 situational 0.0249 faded
                    张三 M1
                    修好了屋顶",
            },
            Story {
                what: "another floor",
                story: "
                    put calendar.kind = rimworld
                    put layers.floor = 0.9
                    set Ann
                    [0] Ann: Up.
                    event Ann: A storm came
                    [5000] Ann: Well.
                    standing Ann
                    [7500] Ann: Well.
                    standing Ann",
                outcome: "
                    M1 situational 0.9025
                    M1 situational 0.8574 faded",
            },
        ],
    );
}

pub fn few_places(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "the least lively and then the oldest give way",
            story: "
                put calendar.kind = rimworld
                put layers.situational.capacity = 2
                set さくら
                [0] さくら: 朝
                event さくら: 一つ
                event さくら: 二つ
                [2500] さくら: 昼
                event さくら: 三つ
                standing さくら
                put layers.situational.capacity = 1
                standing さくら
                put layers.situational.capacity = 0
                standing さくら",
            outcome: "
                M1 situational 0.9500 crowded
                M2 situational 0.9500
                M3 situational 1.0000
                M1 situational 0.9500 crowded
                M2 situational 0.9500 crowded
                M3 situational 1.0000
                M1 situational 0.9500 crowded
                M2 situational 0.9500 crowded
                M3 situational 1.0000 crowded",
        }],
    );
}

pub fn rounds_leave_when_they_are_summed_up(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "by number and by age, and not before",
            story: "
                put calendar.kind = rimworld
                put layers.active.capacity = 1
                set 张三, 李四
                [10000] 张三: 一
                digest now
                [50000] 张三: 二
                digest now
                standing 李四
                [61000] 张三: 第二天
                digest
                standing 李四
                [109999] 张三: 还没到一天
                digest
                standing 李四
                [110000] 张三: 一天了
                standing 李四",
            outcome: "
                M1 active 1.0000
                M2 active 1.0000
                M1 active 1.0000 past
                M2 active 1.0000
                M3 events 0.9847
                M1 active 1.0000 past
                M2 active 1.0000
                M3 events 0.9153
                M1 active 1.0000 past
                M2 active 1.0000 past
                M3 events 0.9118",
        }],
    );
}

pub fn pinned(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "neither fades nor takes a place",
                story: "
                    put calendar.kind = rimworld
                    put layers.situational.capacity = 1
                    set 张三
                    [0] 张三: 起床
                    event 张三: 一
                    event 张三: 二
                    pin 张三 M1
                    [250000] 张三: 很久以后
                    standing 张三
                    unpin 张三 M1
                    standing 张三
                    [252500] 张三: 又过了一小时
                    standing 张三",
                outcome: "
                    M1 situational 1.0000
                    M2 situational 0.0059 faded
                    M1 situational 1.0000
                    M2 situational 0.0059 faded
                    M1 situational 0.9500
                    M2 situational 0.0056 faded",
            },
            Story {
                what: "a pinned round is situational",
                story: "
                    set Ann, Bob
                    @Ann: Remember this.
                    digest now
                    pin Bob M1
                    standing Ann
                    standing Bob",
                outcome: "
                    M1 active 1.0000
                    M1 situational 1.0000",
            },
        ],
    );
}

/// Where the wall clock defines the hour, nothing has a tick.
pub fn by_the_wall_clock(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "an answer with it in mind refreshes it",
                story: "
                    put layers.hour = wall
                    set 张三
                    张三: 起床
                    event 张三: 房顶着火了
                    wait 36000
                    standing 张三
                    fresh 张三 M1
                    张三: 我记得
                    standing 张三
                    wait 3600
                    standing 张三
                    undo 1
                    standing 张三",
                outcome: "
                    M1 situational 0.5987
                    M1 situational 1.0000
                    M1 situational 0.9500
                    M1 situational 0.5688",
            },
            Story {
                what: "what is let go begins to fade",
                story: "
                    put layers.hour = wall
                    set Ann
                    event Ann: The roof burned
                    pin Ann M1
                    wait 360000
                    standing Ann
                    unpin Ann M1
                    standing Ann
                    wait 3600
                    standing Ann",
                outcome: "
                    M1 situational 1.0000
                    M1 situational 1.0000
                    M1 situational 0.9500",
            },
        ],
    );
}

pub fn facts(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play("put calendar.kind = rimworld\nput layers.trait.capacity = 2\nset さくら\n[0] さくら: 朝");
    for (text, importance) in [("雷が怖い", 0.9), ("猫が好き", 0.2), ("早起き", 0.2), ("嘘が嫌い", 0.5)]
    {
        let importance = Some(importance);
        let fact = Remember { kind: Kind::Trait, importance, ..happened("さくら", text) };
        theatre.engine.remember(&theatre.world, fact).unwrap();
    }
    theatre.play("[900000] さくら: ずっと後");
    assert_eq!(
        theatre.play("standing さくら"),
        "M1 trait 1.0000 \nM2 trait 1.0000 crowded\nM3 trait 1.0000 crowded\nM4 trait 1.0000 \n",
        "facts do not fade; the weightiest stay"
    );
}

pub fn refreshed(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "by an answer with it in mind, as long as that is on the path",
            story: "
                put calendar.kind = rimworld
                set 张三, Bob
                [0] 张三: 起床
                event 张三, Bob: The roof burned
                [25000] 张三: 还记得吗
                standing 张三
                fresh 张三 M1
                [25000] 张三: 当然
                standing 张三
                standing Bob
                [27500] 张三: 嗯
                standing 张三
                undo 2
                standing 张三
                head L4
                standing 张三",
            outcome: "
                M1 situational 0.5987
                M1 situational 1.0000
                M1 situational 0.5987
                M1 situational 0.9500
                M1 situational 0.5987
                M1 situational 0.9500",
        }],
    );
}
