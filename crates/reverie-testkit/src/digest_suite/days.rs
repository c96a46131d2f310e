//! When is a day or an era over, and what becomes of it?

use std::sync::Arc;

use reverie_core::memory::{Held, Kind, Layer, Origin};
use reverie_core::{Remember, Store};

use super::theatre::{Story, Theatre, happened, tell};

pub fn game_days(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "once the day is over",
                story: "
                    put calendar.kind = rimworld
                    set 张三, 李四
                    [1000] 张三: 今天去打猎
                    李四: 好，我带弓
                    digest now
                    event 张三: 张三被狼咬伤了
                    [59999] 李四: 天黑了
                    digest
                    standing 张三
                    [60000] 李四: 天亮了
                    digest
                    standing 张三
                    standing 李四
                    mind 张三",
                outcome: "
                    M1 active 1.0000
                    M2 situational 0.3074
                    M1 active 1.0000
                    M2 situational 0.3074
                    M3 events 0.9153
                    M1 active 1.0000
                    M4 events 0.9153
                    张三 M1
                    [对话参与者：张三、李四]
                    张三: \"今天去打猎\"
                    李四: \"好，我带弓\"
                    张三 M2
                    张三被狼咬伤了
                    张三 M3
                    [小结：5500年春季第1天, 0时；张三、李四；1轮对话，1件事]
                    张三: \"今天去打猎\"
                    李四: \"好，我带弓\"
                    张三被狼咬伤了",
            },
            Story {
                what: "days of so many ticks",
                story: "
                    put layers.hour = 10
                    set Ann, Bob
                    [0] Ann: I promised Bob a boat.
                    digest now
                    [239] Bob: Still day.
                    digest
                    standing Bob
                    [240] Bob: Night is over.
                    digest
                    mind Bob",
                outcome: "
                    M1 active 1.0000
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"I promised Bob a boat.\"
                    Bob M2
                    [Summary: 2024-05-05; Ann, Bob; 1 conversation]
                    Ann: \"I promised Bob a boat.\"",
            },
        ],
    );
}

pub fn wall_days(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "of UTC, where no calendar is",
                story: "
                    set さくら, 太郎
                    @さくら: 明日は試験です
                    太郎: 頑張って
                    digest now
                    wait 43199
                    digest
                    standing 太郎
                    wait 1
                    digest
                    mind 太郎",
                outcome: "
                    M1 active 1.0000
                    太郎 M1
                    [对话参与者：さくら、太郎]
                    さくら: \"明日は試験です\"
                    太郎: \"頑張って\"
                    太郎 M2
                    [まとめ：2024-05-05；さくら、太郎；会話1回]
                    さくら: \"明日は試験です\"
                    太郎: \"頑張って\"",
            },
            Story {
                what: "of a time zone",
                story: "
                    put calendar.kind = gregorian
                    put calendar.time_zone = Asia/Shanghai
                    set 张三, 李四
                    @张三: 晚安
                    digest now
                    wait 14399
                    digest
                    standing 李四
                    wait 1
                    digest
                    standing 李四",
                outcome: "
                    M1 active 1.0000
                    M1 active 1.0000
                    M2 events 1.0000",
            },
        ],
    );
}

pub fn eras(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "days become an era",
            story: "
                put layers.hour = 10
                put layers.era_days = 2
                set 张三
                [0] 张三: 第一天盖房子
                digest now
                [240] 张三: 第二天种地
                digest now
                [480] 张三: 第三天休息
                digest
                standing 张三
                mind 张三",
            outcome: "
                M1 active 1.0000 past
                M2 active 1.0000 past
                M3 events 0.8314
                M4 events 0.9118
                M5 archive 0.9697
                张三 M1
                [对话参与者：张三]
                张三: \"第一天盖房子\"
                张三 M2
                [对话参与者：张三]
                张三: \"第二天种地\"
                张三 M3
                [小结：2024-05-05；张三；1轮对话]
                张三: \"第一天盖房子\"
                张三 M4
                [小结：2024-05-05；张三；1轮对话]
                张三: \"第二天种地\"
                张三 M5
                [小结：2024-05-05；张三；2天]
                张三: \"第一天盖房子\"
                张三: \"第二天种地\"",
        }],
    );
}

fn summary(theatre: &Theatre, name: &str) -> Held {
    let is_summary = |held: &Held| matches!(held.memory.origin, Origin::Day | Origin::Era);
    theatre.held_by(name).into_iter().rev().find(is_summary).unwrap()
}

pub fn what_a_summary_is(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play(
        "put layers.hour = 10
         set 张三, 李四
         [5] 张三: 成都的火锅很辣
         digest now
         event 张三: 张三和李四举行了婚礼
         [100] 李四: 重庆的火锅更辣
         digest now
         [240] 李四: 天亮了
         digest",
    );
    let held = summary(&theatre, "张三");
    let memory = &held.memory;
    assert_eq!(
        (memory.kind, memory.origin, held.state.layer),
        (Kind::Episodic, Origin::Day, Some(Layer::Events))
    );
    // Rounds weigh 0.6, the wedding 0.5 and 0.2.
    let mean = (0.6 + 0.7 + 0.6) / 3.0;
    assert!((memory.importance - (mean + 0.2)).abs() < 1e-9, "{}", memory.importance);
    assert_eq!((memory.tick, held.state.since), (Some(100), Some(100)), "of its newest part");
    let from: Vec<u64> = memory.from.iter().map(|id| id.get()).collect();
    assert_eq!((from, memory.sources.len(), &memory.model), (vec![1, 2, 3], 0, &None));
    for word in ["火锅", "成都", "重庆", "婚礼"] {
        assert!(memory.keywords.iter().any(|known| known == word), "{word} is not in {:?}", memory.keywords);
    }
    assert_eq!(memory.keywords[0], "火锅", "what several speak of stands first");
    theatre.play("event 李四: 李四去世了\nevent 李四: 李四的葬礼");
    let heavy = theatre.held_by("李四");
    assert!(heavy.iter().all(|held| held.importance() <= 1.0));
}

pub fn days_are_told_anew(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "when a line of the day changes",
                story: "
                    put layers.hour = 10
                    set 张三
                    [0] 张三: 我养了一只猫
                    digest now
                    [10] 张三: 下雨了
                    digest now
                    [240] 张三: 第二天
                    digest
                    edit L1: 我养了一只狗
                    digest
                    mind 张三",
                outcome: "
                    张三 M2
                    [对话参与者：张三]
                    张三: \"下雨了\"
                    张三 M4
                    [对话参与者：张三]
                    张三: \"我养了一只狗\"
                    张三 M5
                    [小结：2024-05-05；张三；2轮对话]
                    张三: \"我养了一只狗\"
                    张三: \"下雨了\"",
            },
            Story {
                what: "when a part is forgotten, and back again",
                story: "
                    put layers.hour = 10
                    set Ann
                    [0] Ann: I stole a horse.
                    digest now
                    [10] Ann: It rained.
                    digest now
                    [240] Ann: Next day.
                    digest
                    forget Ann M1
                    digest
                    mind Ann
                    unforget Ann M1
                    digest
                    mind Ann",
                outcome: "
                    Ann M2
                    [对话参与者：Ann]
                    Ann: \"It rained.\"
                    Ann M4
                    [Summary: 2024-05-05; Ann; 1 conversation]
                    Ann: \"It rained.\"
                    Ann M1
                    [对话参与者：Ann]
                    Ann: \"I stole a horse.\"
                    Ann M2
                    [对话参与者：Ann]
                    Ann: \"It rained.\"
                    Ann M3
                    [Summary: 2024-05-05; Ann; 2 conversations]
                    Ann: \"I stole a horse.\"
                    Ann: \"It rained.\"",
            },
            Story {
                what: "when a checkpoint before it is restored",
                story: "
                    put layers.hour = 10
                    set さくら
                    [0] さくら: 雪が降った
                    digest now
                    [240] さくら: 次の日
                    save 朝
                    digest
                    load 朝
                    mind さくら
                    digest
                    mind さくら",
                outcome: "
                    さくら M1
                    [对话参与者：さくら]
                    さくら: \"雪が降った\"
                    さくら M1
                    [对话参与者：さくら]
                    さくら: \"雪が降った\"
                    さくら M2
                    [まとめ：2024-05-05；さくら；会話1回]
                    さくら: \"雪が降った\"",
            },
        ],
    );
    let theatre = Theatre::new(store, "when something is told of a day that is over");
    theatre.play("put layers.hour = 10\nset 张三\n[500] 张三: 第三天\ndigest");
    let late = Remember { tick: Some(5), ..happened("张三", "第一天有人来过") };
    theatre.engine.event(&theatre.world, late).unwrap();
    theatre.play("digest");
    assert_eq!(summary(&theatre, "张三").text(), "[小结：2024-05-05；张三；1件事]\n第一天有人来过");
}

pub fn sources_stay(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play(
        "put layers.hour = 10
         set 张三, Bob
         [0] 张三: 一
         digest now
         event Bob: The roof fell
         pin Bob M2
         [240] 张三: 二
         digest",
    );
    for name in ["张三", "Bob"] {
        let day = summary(&theatre, name).memory.id;
        let parts = theatre.held_by(name).into_iter().filter(|held| held.memory.origin != Origin::Day);
        for part in parts {
            assert_eq!((part.state.summarised_by, part.summarised), (Some(day), Some(day)), "{part:?}");
        }
    }
    let pinned = theatre.held_by("Bob").into_iter().find(|held| held.state.pinned).unwrap();
    assert_eq!(pinned.state.layer, Some(Layer::Situational), "summed up, and still before one's eyes");
    theatre.play("digest\ndigest now");
    let days = theatre.held_by("张三").into_iter().filter(|held| held.memory.origin == Origin::Day).count();
    assert_eq!(days, 1, "a day is summed up once");
}
