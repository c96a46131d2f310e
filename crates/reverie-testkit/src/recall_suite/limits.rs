//! What is always told, and what never for want of room?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn pinned_and_constant(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "pins are told whatever is said",
                story: "
                    set 小雪, 莱姆
                    note 小雪: 小时候在海边长大
                    kept 小雪: 你好
                    pin 小雪 M1
                    kept 小雪: 你好
                    unpin 小雪 M1
                    kept 小雪: 你好",
                outcome: "
                    nothing
                    M1
                    nothing",
            },
            Told {
                what: "traits are told whatever is said, and other kinds where that is set",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫
                    note 小雪 (semantic): 她的生日是三月三日
                    note 小雪 (goal): 她想去看极光
                    event 小雪: 屋顶漏水了
                    kept 小雪: 你好
                    put recall.constant.goal = true
                    kept 小雪: 你好
                    put recall.constant.semantic = true
                    kept 小雪: 你好
                    put recall.constant.episodic = true
                    put recall.constant.trait = false
                    kept 小雪: 你好",
                outcome: "
                    M1
                    M1 M3
                    M1 M2 M3
                    M2 M3 M4",
            },
            Told {
                what: "pins before constants, the weightier first, then what is near",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔修好了
                    note 小雪 (trait, weighs 0.2): 她爱吃甜
                    note 小雪 (trait, weighs 0.9): 她不会说谎
                    note 小雪 (goal, pinned, weighs 0.1): 她想成为医生
                    kept 小雪: 灯塔",
                outcome: "M4 M3 M2 M1",
            },
            Told {
                what: "the same in English",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (trait): She is afraid of cats
                    note Snow (goal, pinned): She wants to see the northern lights
                    ask Snow: Hello",
                outcome: "
                    ## Memories
                    ### Traits
                    - She is afraid of cats
                    ### Goals
                    - She wants to see the northern lights",
            },
        ],
    );
}

pub fn budgets(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "neither a pin nor a constant breaks the budget",
                story: "
                    put prompt.counter = o200k
                    set 小雪, 莱姆
                    note 小雪 (pinned): 小时候在海边长大，每天早上跟着外公去收网，然后在礁石上等太阳升起来
                    note 小雪 (trait): 她怕猫
                    budget 300
                    why 小雪: 你好
                    budget 60
                    why 小雪: 你好
                    budget 30
                    why 小雪: 你好
                    budget 5
                    why 小雪: 你好",
                outcome: "
                    M1 kept
                    M2 kept
                    M1 kept
                    M2 room
                    M1 room
                    M2 room
                    invalid: a budget of 5 tokens is too small: persona and newest message alone need 8",
            },
            Told {
                what: "what has no room is named as left out",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (pinned): 小时候在海边长大，每天早上跟着外公去收网，然后在礁石上等太阳升起来
                    budget 40
                    why 小雪: 你好
                    prompt 小雪: 你好",
                outcome: "
                    M1 room
                    user | 你好",
            },
            Told {
                what: "memories come before the older part of the history",
                story: "
                    put prompt.counter = o200k
                    set 小雪, 莱姆
                    @莱姆: 一二三四五六七八九十，一二三四五六七八九十，一二三四五六七八九十
                    小雪: 好的好的好的
                    @莱姆: 甲乙丙丁戊己庚辛壬癸，甲乙丙丁戊己庚辛壬癸
                    小雪: 知道了
                    note 小雪 (pinned): 她怕猫
                    budget 100
                    prompt 小雪: 你好",
                outcome: "
                    user | 甲乙丙丁戊己庚辛壬癸，甲乙丙丁戊己庚辛壬癸
                    assistant | 知道了
                    system | ## 角色记忆⏎### 情景记忆⏎- 她怕猫
                    user | 你好",
            },
            Told {
                what: "characters",
                story: "
                    put language = en
                    set Snow, Lime
                    event Snow: The lighthouse was painted white and red by the two brothers
                    event Snow: The lighthouse fell
                    put recall.max_chars = 60
                    ask Snow: the lighthouse
                    put recall.max_chars = 20
                    ask Snow: the lighthouse
                    put recall.max_chars = 0
                    ask Snow: the lighthouse",
                outcome: "
                    ## Memories
                    ### What happened
                    - The lighthouse fell
                    nothing
                    ## Memories
                    ### What happened
                    - The lighthouse fell
                    - The lighthouse was painted white and red by the two brothers",
            },
            Told {
                what: "tokens",
                story: "
                    put language = en
                    set Snow, Lime
                    event Snow: The lighthouse was painted white and red by the two brothers
                    event Snow: The lighthouse fell
                    put recall.max_tokens = 16
                    ask Snow: the lighthouse
                    put recall.max_tokens = 3
                    ask Snow: the lighthouse
                    put recall.max_tokens = 0
                    why Snow: the lighthouse",
                outcome: "
                    ## Memories
                    ### What happened
                    - The lighthouse fell
                    nothing
                    M2 kept
                    M1 kept",
            },
        ],
    );
}

pub fn beside_the_history(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what is not told because it stands there leaves its room, and more, to others",
                story: "
                    put recall.most.episodic = 1
                    set 小雪, 莱姆
                    event 小雪: 那年冬天的暴风雪里，灯塔的灯熄了整整三个晚上，外公划着小船去送油
                    @莱姆: 灯塔灯塔
                    小雪: 嗯
                    digest now
                    why 小雪: 灯塔",
                outcome: "
                    M2 in_history
                    M1 kept",
            },
            Told {
                what: "a history that is too long makes way for it",
                story: "
                    put prompt.counter = o200k
                    put recall.most.episodic = 1
                    set Snow, Lime
                    @Lime: one two three four five six seven eight nine ten
                    Snow: eleven twelve thirteen fourteen fifteen
                    @Lime: sixteen seventeen eighteen nineteen
                    Snow: twenty
                    @Lime: The lighthouse!
                    Snow: Yes
                    digest now
                    event Snow: In the winter of the great storm the lighthouse was dark for three nights, and grandfather rowed out with oil
                    budget 110
                    prompt Snow: the lighthouse
                    why Snow: the lighthouse",
                outcome: "
                    user | sixteen seventeen eighteen nineteen
                    assistant | twenty
                    user | The lighthouse!
                    assistant | Yes
                    system | ## 角色记忆⏎### 情景记忆⏎- In the winter of the great storm the lighthouse was dark for three nights, and grandfather rowed out with oil
                    user | the lighthouse
                    M3 in_history
                    M4 kept
                    M2 threshold
                    M1 threshold",
            },
        ],
    );
}

pub fn long_memories(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "are told by what is near in them",
                story: "
                    put recall.max_memory_chars = 60
                    set 阿默, 小夏
                    @小夏: 那我陪你去镇上买灯芯。顺便去看看外婆。她昨天摔了一跤。医生说要躺一个月，家里没有人做饭。
                    阿默: 好，天黑前要回来。灯塔的灯只剩一盏了，要是起雾，船就看不见礁石。
                    digest now
                    window 0
                    ask 阿默: 外婆摔跤以后好些了吗？
                    ask 阿默: 礁石那边起雾了",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：小夏、阿默]
                      小夏: \"那我陪你去镇上买灯芯。顺便去看看外婆。她昨天摔了一跤。…\"
                      …
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：小夏、阿默]
                      …
                      阿默: \"好，天黑前要回来。灯塔的灯只剩一盏了，要是起雾，船就看不见礁石。\"",
            },
            Told {
                what: "are told even if one of them is longer than all that may be told",
                story: "
                    put language = en
                    put recall.max_chars = 110
                    set Snow, Lime
                    event Snow: The market opened at dawn. A fox ran between the stalls and stole a chicken. Old Tom laughed until he wept. Later it rained, and everybody went home early.
                    ask Snow: Did you see the fox?
                    put recall.max_chars = 40
                    why Snow: Did you see the fox?",
                outcome: "
                    ## Memories
                    ### What happened
                    - …A fox ran between the stalls and stole a chicken.…
                    M1 room",
            },
            Told {
                what: "are not told where none of their words would be",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): 她从小就怕黑
                    put recall.max_memory_chars = 1
                    why 小雪: 你好
                    prompt 小雪: 你好",
                outcome: "
                    M1 room
                    user | 你好",
            },
            Told {
                what: "and behind what is always there",
                story: "
                    put recall.max_chars = 100
                    set 小雪, 莱姆
                    event 小雪: 那年夏天去了海边的渔村。老人们坐在树下补网，一直补到天黑。莱姆在礁石后面捡到一枚蓝色的扣子。晚上在沙滩上烤鱼喝汽水，唱了很久的歌。第二天早上下起了雨，大家都没有带伞。回去的路上桥断了，等了半天。
                    event 小雪: 蓝色的衣服少了一枚扣子。裁缝说要等到下个月，因为他的儿子出海去了，店里只剩下他一个人，还要照顾两只生病的羊，连饭都顾不上吃，更不用说去镇上买线了。
                    note 小雪 (trait): 她很温柔
                    note 小雪 (trait): 她怕黑
                    ask 小雪: 礁石后面那枚蓝色的扣子还在吗
                    why 小雪: 礁石后面那枚蓝色的扣子还在吗
                    put recall.max_chars = 40
                    why 小雪: 礁石后面那枚蓝色的扣子还在吗",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - …老人们坐在树下补网，一直补到天黑。莱姆在礁石后面捡到一枚蓝色的扣子。…
                    ### 特质记忆
                    - 她很温柔
                    - 她怕黑
                    M3 kept
                    M4 kept
                    M1 kept
                    M2 room
                    M3 kept
                    M4 kept
                    M1 room
                    M2 room",
            },
        ],
    );
}

pub fn how_many(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "of each kind so many",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔在春天修好了
                    event 小雪: 他们去灯塔看日落
                    event 小雪: 灯塔下面捡到贝壳
                    event 小雪: 暴雨夜里灯塔熄灭
                    note 小雪 (semantic): 灯塔有三十米高
                    note 小雪 (semantic): 守灯塔的是老陈
                    note 小雪 (semantic): 灯塔建于百年前
                    note 小雪 (goal): 她要登上灯塔顶
                    why 小雪: 灯塔
                    put recall.most.episodic = 1
                    put recall.most.semantic = 3
                    put recall.most.goal = 0
                    kept 小雪: 灯塔",
                outcome: "
                    M6 kept
                    M5 kept
                    M7 enough
                    M2 kept
                    M8 kept
                    M1 kept
                    M3 kept
                    M4 enough
                    M6 M5 M7 M2",
            },
            Told {
                what: "pins take no place",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔在春天修好了
                    note 小雪 (pinned): 他们去灯塔看日落
                    put recall.most.episodic = 1
                    kept 小雪: 灯塔",
                outcome: "M2 M1",
            },
            Told {
                what: "five traits at most",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait, weighs 0.1): 她怕猫
                    note 小雪 (trait, weighs 0.2): 她爱笑
                    note 小雪 (trait, weighs 0.3): 她嗜甜
                    note 小雪 (trait, weighs 0.4): 她健谈
                    note 小雪 (trait, weighs 0.5): 她路痴
                    note 小雪 (trait, weighs 0.6): 她心软
                    kept 小雪: 你好
                    put recall.most.trait = 1
                    kept 小雪: 你好",
                outcome: "
                    M6 M5 M4 M3 M2
                    M6",
            },
        ],
    );
}

pub fn how_near(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "the threshold",
            story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔在春天修好了
                    event 小雪: 屋顶在春天漏水了
                    why 小雪: 灯塔
                    put recall.threshold = 0.95
                    why 小雪: 灯塔
                    put recall.threshold = 0
                    why 小雪: 灯塔",
            outcome: "
                    M1 kept
                    M2 threshold
                    M1 threshold
                    M1 kept
                    M2 kept",
        }],
    );
}
