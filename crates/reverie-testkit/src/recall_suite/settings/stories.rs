//! The stories in which settings are tried.

/// One of each kind.
pub(super) const KINDS: &str = "
    put calendar.kind = rimworld
    put layers.situational.decay = 0
    set 小雪, 莱姆
    at 600000
    event 小雪 (tick 0, feels 害怕): 灯塔遇风暴
    note 小雪 (semantic, tick 0, feels 害怕): 灯塔高三丈
    note 小雪 (trait, tick 0, feels 害怕): 她爱看灯塔
    note 小雪 (goal, tick 0, feels 害怕): 她要登灯塔";

/// Too many of each kind.
pub(super) const MANY: &str = "
    put language = en
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
pub(super) const WAYS: &str = "
    set 小雪, 莱姆
    event 小雪 (on 2024-05-04, keywords ): 喵喵叫了一夜
    event 小雪 (keywords ): 喵，波涛声
    event 小雪 (feels 开心, keywords 狐狸): 邻居丢了鸡
    note 小雪 (semantic, about 阿青, keywords ): 每天弹琴到半夜
    event 小雪 (feels 害怕, keywords ): 邻居丢了羊
    digest now";

/// Rounds that are past.
pub(super) const PAST: &str = "
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
pub(super) const TALK: &str = "
    set 小雪, 莱姆
    note 小雪 (trait): 她怕猫
    event 小雪: 灯塔修好了
    @莱姆: 灯塔呢
    小雪: 不知道";
