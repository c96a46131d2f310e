//! Where does each setting count, and what does it change?

/// A setting, and a story in which it counts.
pub(super) struct Row {
    pub(super) key: &'static str,
    /// Not its default.
    pub(super) value: &'static str,
    pub(super) story: &'static str,
    /// The story goes on so.
    pub(super) and: &'static str,
    pub(super) asked: &'static str,
    /// The lines of the answer without it, and with it.
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

/// One of each kind.
const KINDS: &str = "
    put calendar.kind = rimworld
    put recall.semantic = 0
    put layers.situational.decay = 0
    set 小雪, 莱姆
    at 600000
    event 小雪 (tick 0, feels 害怕): 灯塔遇风暴
    note 小雪 (semantic, tick 0, feels 害怕): 灯塔高三丈
    note 小雪 (trait, tick 0, feels 害怕): 她爱看灯塔
    note 小雪 (goal, tick 0, feels 害怕): 她要登灯塔";

/// Too many of each kind.
const MANY: &str = "
    put language = en
    put recall.semantic = 0
    set Snow, Lime
    event Snow: The lighthouse fell into the sea
    event Snow: The lighthouse fell into the sea.
    event Snow: A lighthouse keeper came by boat
    note Snow (semantic): The lighthouse is tall
    note Snow (semantic): Nobody owns the lighthouse
    note Snow (goal): To paint the lighthouse
    note Snow (goal): One day I will climb the lighthouse
    note Snow (goal): Draw that lighthouse for grandmother
    note Snow (goal): Sell the lighthouse
    note Snow (trait, weighs 0.9): Snow is shy
    note Snow (trait, weighs 0.8): Snow likes tea";

/// One for each way of coming to mind.
const WAYS: &str = "
    set 小雪, 莱姆
    event 小雪 (on 2024-05-04, keywords ): 喵喵叫了一夜
    event 小雪 (keywords ): 喵，波涛声
    event 小雪 (feels 开心, keywords 狐狸): 邻居丢了鸡
    note 小雪 (semantic, about 阿青, keywords ): 每天弹琴到半夜
    event 小雪 (feels 害怕, keywords ): 邻居丢了羊
    digest now";

/// Two that were felt.
const FELT: &str = "
    set 小雪, 莱姆
    event 小雪 (feels 开心): 灯塔看潮水
    event 小雪 (feels 害怕): 灯塔遇风暴";

/// Rounds that are past.
const PAST: &str = "
    put layers.active.capacity = 0
    put recall.said = 1
    set 小雪, 莱姆
    @莱姆: 我从江南带了一坛桂花酒
    小雪: 埋在老槐树下
    @莱姆: 我会弹琴
    小雪: 真的？
    wait 86400
    @莱姆: 吃面
    小雪: 香
    digest now
    window 1";

/// One that is always told, and one that was talked of.
const TALK: &str = "
    set 小雪, 莱姆
    note 小雪 (trait): 她怕猫
    event 小雪: 灯塔修好了
    @莱姆: 灯塔呢
    小雪: 不知道";

pub(super) const ROWS: &[Row] = &[
    Row {
        key: "recall.enabled",
        value: "false",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "nothing",
    },
    Row {
        key: "recall.keyword",
        value: "0",
        story: WAYS,
        and: "put recall.semantic = 0",
        asked: "legs 小雪: 狐狸",
        before: "M3 lexical keyword / M1 related / M2 related / M5 related / M6 related",
        after: "M3 lexical / M1 related / M2 related / M5 related / M6 related",
    },
    Row {
        key: "recall.lexical",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: 半夜",
        before: "M4",
        after: "nothing",
    },
    Row {
        key: "recall.semantic",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats",
        before: "M1 M2",
        after: "nothing",
    },
    Row {
        key: "recall.temporal",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: 昨天呢",
        before: "M1",
        after: "nothing",
    },
    Row {
        key: "recall.emotional",
        value: "0",
        story: FELT,
        and: "mood 害怕",
        asked: "kept 小雪: 灯塔",
        before: "M2 M1",
        after: "M1 M2",
    },
    Row {
        key: "recall.related",
        value: "1",
        story: WAYS,
        and: "put recall.lexical = 0",
        asked: "kept 小雪: 阿青",
        before: "nothing",
        after: "M4",
    },
    Row {
        key: "recall.semantic_top",
        value: "1",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats, the ocean",
        before: "M2 M1",
        after: "M2",
    },
    Row {
        key: "recall.semantic_floor",
        value: "0.8",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats, the ocean",
        before: "M2 M1",
        after: "M2",
    },
    Row {
        key: "recall.most.episodic",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M4 M5 M1 M6 M9 M8",
    },
    Row {
        key: "recall.most.semantic",
        value: "0",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M1 M6 M9 M8 M3",
    },
    Row {
        key: "recall.most.trait",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M4 M5 M1 M6 M9 M8 M3",
    },
    Row {
        key: "recall.most.goal",
        value: "4",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M4 M5 M1 M6 M9 M8 M3 M7",
    },
    Row {
        key: "recall.threshold",
        value: "0.9",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.weight.episodic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M2",
    },
    Row {
        key: "recall.weight.semantic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M1",
    },
    Row {
        key: "recall.weight.trait",
        value: "0",
        story: KINDS,
        and: "put recall.constant.trait = false",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M4 M2 M1",
    },
    Row {
        key: "recall.weight.goal",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M1",
    },
    Row {
        key: "recall.emotional_weight.episodic",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword related",
    },
    Row {
        key: "recall.emotional_weight.semantic",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.emotional_weight.trait",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.emotional_weight.goal",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.decay.episodic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M1 M4 M2",
    },
    Row {
        key: "recall.decay.semantic",
        value: "1",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M1 M2",
    },
    Row {
        key: "recall.decay.trait",
        value: "1",
        story: KINDS,
        and: "put recall.constant.trait = false",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M4 M2 M1 M3",
    },
    Row {
        key: "recall.decay.goal",
        value: "1",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M1 M4",
    },
    Row {
        key: "recall.constant.episodic",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M3 M1",
    },
    Row {
        key: "recall.constant.semantic",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M2 M3",
    },
    Row {
        key: "recall.constant.trait",
        value: "false",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "nothing",
    },
    Row {
        key: "recall.constant.goal",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M3 M4",
    },
    Row {
        key: "recall.time_decay",
        value: "false",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M4 M1",
    },
    Row {
        key: "recall.emotional_boost",
        value: "false",
        story: FELT,
        and: "mood 害怕",
        asked: "kept 小雪: 灯塔",
        before: "M2 M1",
        after: "M1 M2",
    },
    Row {
        key: "recall.near_duplicate",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: it fell into the sea",
        before: "M10 M11 M1",
        after: "M10 M11 M1 M2",
    },
    Row {
        key: "recall.archive",
        value: "false",
        story: PAST,
        and: "put recall.near_duplicate = 1",
        asked: "why 小雪: 桂花酒",
        before: "M4 kept / M1 kept / M2 threshold / M3 threshold",
        after: "M4 kept / M1 past / M2 past / M3 threshold",
    },
    Row {
        key: "recall.said",
        value: "1",
        story: TALK,
        and: "",
        asked: "legs 小雪: 你好",
        before: "M1 semantic / M2 lexical semantic keyword related",
        after: "M1 semantic / M2 semantic",
    },
    Row {
        key: "recall.max_chars",
        value: "30",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.max_tokens",
        value: "20",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.max_memory_chars",
        value: "20",
        story: "
            set 小雪, 莱姆
            event 小雪: 早上一直在下雨。大家都待在屋里打牌。傍晚灯塔修好了。",
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 早上一直在下雨。大家都待在屋里打牌。傍晚灯塔修好了。",
        after: "## 角色记忆 / ### 情景记忆 / - …傍晚灯塔修好了。",
    },
    Row {
        key: "recall.position",
        value: "assistant",
        story: TALK,
        and: "",
        asked: "prompt 小雪: 灯塔",
        before: "user | 灯塔呢 / assistant | 不知道 / system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
        after: "user | 灯塔呢 / assistant | 不知道⏎⏎## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
    },
    Row {
        key: "recall.depth",
        value: "1",
        story: TALK,
        and: "put recall.position = depth",
        asked: "prompt 小雪: 灯塔",
        before: "system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔呢 / assistant | 不知道 / user | 灯塔",
        after: "user | 灯塔呢 / assistant | 不知道 / system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
    },
    Row {
        key: "recall.by_kind",
        value: "false",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / - 她怕猫 / - 灯塔修好了",
    },
    Row {
        key: "recall.show_time",
        value: "true",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / ### 情景记忆 / - [2024-05-05] 灯塔修好了 / ### 特质记忆 / - [2024-05-05] 她怕猫",
    },
    Row {
        key: "recall.show_source",
        value: "true",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 (事件) / ### 特质记忆 / - 她怕猫 (手记)",
    },
    Row {
        key: "recall.template",
        value: "{{#each memories}}({{text}}){{/each}}",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "(她怕猫)(灯塔修好了)",
    },
];
