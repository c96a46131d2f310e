//! Do the times that are spoken of meet the times of memories?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn on_earth(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "days, weeks, seasons",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2024-05-04): 去河边钓鱼
                    event 小雪 (on 2024-04-25): 镇上赶集
                    event 小雪 (on 2023-12-28): 湖面结冰了
                    event 小雪 (on 2022-07-28): 屋顶漏水
                    kept 小雪: 昨天做了什么？
                    kept 小雪: What did you do yesterday?
                    kept 小雪: 昨日は何をしたの？
                    kept 小雪: 上周呢？
                    kept 小雪: And last week?
                    kept 小雪: 先週は？
                    kept 小雪: 去年冬天呢？
                    kept 小雪: last winter
                    kept 小雪: 去年の冬は？
                    kept 小雪: 2022年7月28日
                    kept 小雪: on July 28, 2022",
                outcome: "
                    M1
                    M1
                    M1
                    M2
                    M2
                    M2
                    M3
                    M3
                    M3
                    M4
                    M4",
            },
            Told {
                what: "feasts, and about when it was",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2024-05-01): 去河边钓鱼
                    event 小雪 (on 2023-12-25): 湖面结冰了
                    event 小雪 (on 2023-10-03): 屋顶漏水
                    event 小雪 (on 2023-09-29): 镇上赶集
                    kept 小雪: 前几天做了什么？
                    kept 小雪: What did you do the other day?
                    kept 小雪: 先日は何をしたの？
                    kept 小雪: 最近做了什么？
                    kept 小雪: 去年圣诞呢？
                    kept 小雪: last Christmas
                    kept 小雪: 去年のクリスマスは？
                    kept 小雪: 去年国庆呢？
                    kept 小雪: 去年中秋呢？
                    kept 小雪: 去年年底呢？
                    kept 小雪: at the end of last year",
                outcome: "
                    M1
                    M1
                    M1
                    nothing
                    M2
                    M2
                    M2
                    M3
                    M4
                    M2
                    M2",
            },
            Told {
                what: "this very day of another year",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2023-05-05): 灯塔落成
                    event 小雪 (on 2023-01-01): 灯塔停电
                    event 小雪 (on 2022-05-05): 屋顶漏水
                    event 小雪 (on 2024-04-05): 镇上赶集
                    kept 小雪: 去年今天我们在做什么？
                    kept 小雪: 去年的今日呢
                    kept 小雪: 去年の今日は？
                    kept 小雪: a year ago today
                    kept 小雪: 两年前的今天呢
                    kept 小雪: on this day two years ago
                    kept 小雪: 上个月的今天呢",
                outcome: "
                    M1
                    M1
                    M1
                    M1
                    M3
                    M3
                    M4",
            },
            Told {
                what: "what was then, before what only names some other time by the same word",
                story: "
                    put recall.most.episodic = 1
                    set 小雪, 莱姆
                    event 小雪 (on 2024-03-02): 昨天我收养了一只橘猫
                    event 小雪 (on 2024-03-03): Last week I climbed the old mountain
                    event 小雪 (on 2024-05-04): 房东送来一箱柿子
                    event 小雪 (on 2024-04-25): A fox came into the garden
                    event 小雪 (on 2024-03-04): 昨日、柴犬を見た
                    kept 小雪: 昨天发生了什么？
                    kept 小雪: 昨天有人送你东西吗
                    kept 小雪: What did you do last week?
                    kept 小雪: 昨日何があった？
                    kept 小雪: 橘猫是什么时候来的",
                outcome: "
                    M3
                    M3
                    M4
                    M3
                    M1",
            },
            Told {
                what: "a plain question meets none",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2024-05-04): 去河边钓鱼
                    event 小雪 (on 2024-05-05): 镇上赶集
                    kept 小雪: 你在做什么？
                    kept 小雪: What are you doing?
                    kept 小雪: 何してるの？",
                outcome: "
                    nothing
                    nothing
                    nothing",
            },
            Told {
                what: "today is said all the time",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 镇上赶集
                    event 小雪: 屋顶漏水
                    kept 小雪: 今天真热
                    kept 小雪: Nice weather today
                    legs 小雪: 今天真热
                    kept 小雪: 今天赶集了吗",
                outcome: "
                    nothing
                    nothing
                    M1 temporal
                    M2 temporal
                    M1",
            },
            Told {
                what: "the clock goes on",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 镇上赶集
                    kept 小雪: 昨天呢
                    wait 86400
                    kept 小雪: 昨天呢
                    wait 86400
                    kept 小雪: 昨天呢
                    kept 小雪: 前天呢",
                outcome: "
                    nothing
                    M1
                    nothing
                    M1",
            },
        ],
    );
}

pub fn in_a_game(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "dates of its calendar",
                story: "
                    put calendar.kind = rimworld
                    put layers.hour = never
                    set 小雪, 莱姆
                    [0] 小雪: 开始了
                    event 小雪 (tick 90000): 打退了海盗
                    event 小雪 (tick 3000000): 暖气坏了
                    event 小雪 (tick 3660000): 收了稻子
                    [3720000] 小雪: 又一天
                    kept 小雪: 昨天做了什么
                    kept 小雪: 去年冬天呢
                    kept 小雪: 做什么呢
                    put recall.lexical = 0
                    kept 小雪: 5500年春季第2天
                    kept 小雪: day 2 of spring 5500
                    kept 小雪: 5500年翠象2日
                    kept 小雪: on the 2nd of Aprimay 5500
                    kept 小雪: 素象第6天
                    at 3600000
                    kept 小雪: 明天呢",
                outcome: "
                    M3
                    M2
                    nothing
                    M1
                    M1
                    M1
                    M1
                    M2
                    M3",
            },
            Told {
                what: "months that the host has named",
                story: "
                    put calendar.kind = custom && calendar.format.zh = [{year}年{moon}{day}日] \
                    && calendar.units.0.name = day && calendar.units.0.size = 10 && calendar.units.0.first = 1 \
                    && calendar.units.1.name = moon && calendar.units.1.size = 20 \
                    && calendar.units.1.names.zh.0 = 霜月 && calendar.units.1.names.zh.1 = 花月 \
                    && calendar.units.1.names.en.0 = Frost && calendar.units.1.names.en.1 = Bloom \
                    && calendar.units.2.name = year && calendar.units.2.size = 2 && calendar.units.2.first = 300
                    put layers.hour = never
                    set 小雪, 莱姆
                    event 小雪 (tick 30): 打退了海盗
                    event 小雪 (tick 230): 暖气坏了
                    [450] 小雪: 又一天
                    put recall.lexical = 0
                    kept 小雪: 300年霜月4日
                    kept 小雪: 去年花月呢
                    kept 小雪: What was on Bloom 4, 300?",
                outcome: "
                    M1
                    M2
                    M2",
            },
            Told {
                what: "whoever asks for another time does not want the newest",
                story: "
                    put calendar.kind = rimworld
                    put layers.hour = never
                    set 小雪, 莱姆
                    event 小雪 (tick 90000): 海盗来过一次
                    event 小雪 (tick 3720000): 海盗又来过一次
                    [3720000] 小雪: 又一天
                    kept 小雪: 海盗
                    kept 小雪: 5500年春季第2天的海盗",
                outcome: "
                    M2 M1
                    M1 M2",
            },
        ],
    );
}

/// What sums up several days is of none of them as what happened then is.
pub fn of_several_days(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "an era that ended on the day that is asked for, and one that began on it",
            story: "
                wait 86400
                set 小雪, 莱姆
                @莱姆: 篱笆补好了
                小雪: 辛苦了
                digest now
                wait 86400
                @莱姆: 我摔断了胳膊
                小雪: 快去找大夫
                digest now
                wait 864000
                digest now
                window 0
                why 小雪: 2024年5月7日呢？
                why 小雪: 2024年5月6日呢？",
            outcome: "
                M4 kept
                M2 alike M4
                M5 alike M4
                M3 kept
                M1 alike M3
                M3 kept
                M1 alike M3
                M5 alike M3
                M4 kept
                M2 alike M4",
        }],
    );
}
