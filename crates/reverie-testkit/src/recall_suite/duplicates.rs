//! What says the same is told once; what only looks like it is told too?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Prompter, Told, told};

pub fn alike(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "the nearest of those that say the same",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 莱姆在灯塔下向小雪求婚了
                    event 小雪: 莱姆在灯塔下向小雪求婚了！！
                    event 小雪: 莱姆在旧灯塔下向小雪求婚了
                    why 小雪: 旧灯塔求婚
                    put recall.near_duplicate = 1
                    kept 小雪: 旧灯塔求婚
                    put recall.near_duplicate = 0.99
                    why 小雪: 旧灯塔求婚",
                outcome: "
                    M3 kept
                    M1 alike M3
                    M2 alike M3
                    M3 M1 M2
                    M3 kept
                    M1 kept
                    M2 alike M1",
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (semantic): Lime was born in the harbour town
                    note Snow (semantic): Lime was born in the harbour town.
                    ask Snow: Where was Lime born?",
                outcome: "
                    ## Memories
                    ### Facts
                    - Lime was born in the harbour town",
            },
            Told {
                what: "a summary and the rounds that it sums up",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢，我把它埋在老槐树下。
                    wait 86400
                    @莱姆: 晚饭吃什么？
                    小雪: 吃面吧。
                    digest now
                    why 小雪: 那坛桂花酒埋在哪里？
                    window 2
                    why 小雪: 那坛桂花酒埋在哪里？",
                outcome: "
                    M1 in_history
                    M3 in_history
                    M2 threshold
                    M1 kept
                    M2 threshold
                    M3 alike M1",
            },
            Told {
                what: "a summary that alone tells what has faded, beside a round that it sums up",
                story: "
                    put calendar.kind = rimworld
                    set val, 玩家
                    [0] @玩家: 早上好
                    val: 早
                    event val: 海盗袭击了殖民地，val的左臂被砍断了
                    [10000] @玩家: 今天天气不错，我们去散步吧
                    val: 好的，走吧
                    digest now
                    [400000] @玩家: 吃饭了
                    val: 来了
                    digest now
                    why val: 我的左臂是怎么断的？
                    window 0
                    why val: 那天天气不错，我们一起去散步了吗？",
                outcome: "
                    M4 threshold
                    M5 kept
                    M1 faded
                    M3 threshold
                    M2 threshold
                    M3 kept
                    M5 kept
                    M4 threshold
                    M2 threshold
                    M1 faded",
            },
            Told {
                what: "numbers in words and in digits",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 莱在三号仓库藏了二十把剑
                    event 小雪: 莱在3号仓库藏了20把剑
                    event 小雪: 莱在三号仓库藏了20把剑
                    event 小雪: 莱在3号仓库藏了21把剑
                    kept 小雪: 仓库里的剑",
                outcome: "
                    M2 M4",
            },
            Told {
                what: "a round that was remembered before the world's language was set",
                story: "
                    set Snow, Lime
                    @Lime: The key lies under the third stone.
                    Snow: I will remember.
                    digest now
                    put language = en
                    @Lime: The key lies under the third stone.
                    Snow: I will remember.
                    digest now
                    window 0
                    kept Snow: Where is the key?",
                outcome: "
                    M2",
            },
            Told {
                what: "traditional and simplified spelling of the same",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 莱姆說他會來參加我的婚禮
                    event 小雪: 莱姆说他会来参加我的婚礼
                    why 小雪: 莱姆的婚礼",
                outcome: "
                    M2 kept
                    M1 alike M2",
            },
        ],
    );
}

/// Letters are alike, and yet none of them can stand for the other.
pub fn alike_and_not_the_same(store: Arc<dyn Store>) {
    let pairs = [
        (
            "I am allergic to peanuts and shrimp.",
            "I am not allergic to peanuts and shrimp.",
            "peanuts shrimp",
        ),
        (
            "On Monday we take the train to Kyoto",
            "On Tuesday we take the train to Kyoto",
            "the train to Kyoto",
        ),
        ("Tom ate 3 apples in the orchard", "Tom ate 4 apples in the orchard", "apples in the orchard"),
        ("保险柜的密码是4471", "保险柜的密码是4472", "保险柜的密码"),
        ("他说他会来参加我的婚礼", "他说他不会来参加我的婚礼", "参加我的婚礼"),
        ("莱姆答应过的，我欠你100元", "莱姆答应过的，我欠你1000元", "莱姆答应，我欠你"),
        ("月曜日に友達と京都へ行く", "火曜日に友達と京都へ行く", "京都へ行く"),
        ("彼は私たちの結婚式に来ます", "彼は私たちの結婚式に来ません", "私たちの結婚式"),
    ];
    for (one, other, said) in pairs {
        let story = format!(
            "set 小雪, 莱姆
            note 小雪 (semantic): {one}
            note 小雪 (semantic): {other}
            note 小雪 (semantic): {other}！
            put recall.most.semantic = 9
            put recall.threshold = 0
            why 小雪: {said}"
        );
        let mut prompter = Prompter::new(&store, one);
        let told = prompter.play(&story);
        let how_many = |fate: &str| told.lines().filter(|line| line.contains(fate)).count();
        assert_eq!((how_many("kept"), how_many("alike")), (2, 1), "{one} / {other}: it became\n{told}");
    }
    told(
        &store,
        &[Told {
            what: "and both are worth raising",
            story: "
                set 小雪, 莱姆
                note 小雪 (goal): 莱姆答应星期六带小雪去看海
                note 小雪 (goal): 莱姆答应星期日带小雪去看海
                note 小雪 (goal): 莱姆答應星期日帶小雪去看海
                suggest 小雪",
            outcome: "
                M1 goal 0.88
                M2 goal 0.88",
        }],
    );
}
