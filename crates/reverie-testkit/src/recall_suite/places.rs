//! Where in a prompt do memories stand, and how are they written?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn positions(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "before what was said last",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 早上好
                    小雪: 早
                    note 小雪 (trait): 她怕猫
                    prompt 小雪: 家里来了只猫
                    put recall.position = user
                    prompt 小雪: 家里来了只猫
                    put recall.position = assistant
                    prompt 小雪: 家里来了只猫
                    put recall.position = depth
                    put recall.depth = 2
                    prompt 小雪: 家里来了只猫
                    put recall.depth = 0
                    prompt 小雪: 家里来了只猫
                    put recall.depth = 99
                    prompt 小雪: 家里来了只猫",
                outcome: "
                    user | 早上好
                    assistant | 早
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    user | 家里来了只猫
                    user | 早上好
                    assistant | 早
                    user | ## 角色记忆⏎### 特质记忆⏎- 她怕猫⏎⏎家里来了只猫
                    user | 早上好
                    assistant | 早⏎⏎## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    user | 家里来了只猫
                    user | 早上好
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    assistant | 早
                    user | 家里来了只猫
                    user | 早上好
                    assistant | 早
                    user | 家里来了只猫
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    user | 早上好
                    assistant | 早
                    user | 家里来了只猫",
            },
            Told {
                what: "where nothing new is said",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: Good morning
                    Snow: Morning
                    @Lime: A cat came in
                    note Snow (trait): She is afraid of cats
                    prompt Snow",
                outcome: "
                    user | Good morning
                    assistant | Morning
                    system | ## Memories⏎### Traits⏎- She is afraid of cats
                    user | A cat came in",
            },
            Told {
                what: "no two messages of one role in a row",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫
                    put recall.template = {{#each memories}}{{text}}{{/each}}
                    put recall.position = user
                    prompt 小雪: 在吗
                    put recall.position = assistant
                    prompt 小雪: 在吗
                    @莱姆: 早上好
                    小雪: 早
                    prompt 小雪
                    put recall.position = user
                    prompt 小雪",
                outcome: "
                    user | 她怕猫⏎⏎在吗
                    assistant | 她怕猫
                    user | 在吗
                    user | 早上好
                    assistant | 早⏎⏎她怕猫
                    user | 早上好
                    assistant | 早
                    user | 她怕猫",
            },
            Told {
                what: "in nobody's history",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫
                    @莱姆: 早上好
                    小雪: 早
                    prompt 小雪: 在吗
                    answer 小雪: 在
                    prompt 小雪: 嗯",
                outcome: "
                    user | 早上好
                    assistant | 早
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    user | 在吗
                    user | 早上好
                    assistant | 早在
                    system | ## 角色记忆⏎### 特质记忆⏎- 她怕猫
                    user | 嗯",
            },
        ],
    );
}

pub fn lines_in_a_row(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "English words do not run into each other",
                story: "
                    preset game
                    put language = en
                    set Snow, Lime, Qing
                    @Lime: I took the key
                    @Qing: I did not see it
                    Snow: Right.
                    Snow: Let us go.
                    prompt Snow: Where to?
                    put perspective.profile = rule-text
                    prompt Snow: Where to?
                    put perspective.own_joiner = / && perspective.addressed_joiner = +
                    prompt Snow: Where to?",
                outcome: "
                    user | I took the key⏎I did not see it
                    assistant | Right.⏎Let us go.
                    user | Where to?
                    user | I took the key I did not see it
                    assistant | Right.⏎Let us go.
                    user | Where to?
                    user | I took the key+I did not see it
                    assistant | Right./Let us go.
                    user | Where to?",
            },
            Told {
                what: "Chinese needs nothing between them",
                story: "
                    set 小雪, 莱姆, 阿青
                    @莱姆: 钥匙我拿了。
                    @阿青: 我没看见。
                    小雪: 好。
                    小雪: 走吧。
                    prompt 小雪: 去哪？",
                outcome: "
                    user | 钥匙我拿了。我没看见。
                    assistant | 好。走吧。
                    user | 去哪？",
            },
        ],
    );
}

pub fn headings(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "by kind",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 灯塔修好了
                    note 小雪 (semantic): 灯塔有三十米高
                    note 小雪 (trait): 她怕猫
                    note 小雪 (goal): 她要登上灯塔顶
                    ask 小雪: 灯塔
                    put language = en
                    ask 小雪: 灯塔
                    put recall.by_kind = false
                    ask 小雪: 灯塔
                    put language = zh
                    ask 小雪: 灯塔",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 灯塔修好了
                    ### 语义记忆
                    - 灯塔有三十米高
                    ### 特质记忆
                    - 她怕猫
                    ### 目标记忆
                    - 她要登上灯塔顶
                    ## Memories
                    ### What happened
                    - 灯塔修好了
                    ### Facts
                    - 灯塔有三十米高
                    ### Traits
                    - 她怕猫
                    ### Goals
                    - 她要登上灯塔顶
                    ## Memories
                    - 她怕猫
                    - 灯塔有三十米高
                    - 灯塔修好了
                    - 她要登上灯塔顶
                    ## 角色记忆
                    - 她怕猫
                    - 灯塔有三十米高
                    - 灯塔修好了
                    - 她要登上灯塔顶",
            },
            Told {
                what: "time and source",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2024-05-01): 灯塔修好了
                    note 小雪 (goal): 她要登上灯塔顶
                    put recall.show_time = true
                    ask 小雪: 灯塔
                    put recall.show_source = true
                    ask 小雪: 灯塔
                    put language = en
                    put recall.show_time = false
                    ask 小雪: 灯塔",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [2024-05-01] 灯塔修好了
                    ### 目标记忆
                    - [2024-05-05] 她要登上灯塔顶
                    ## 角色记忆
                    ### 情景记忆
                    - [2024-05-01] 灯塔修好了 (事件)
                    ### 目标记忆
                    - [2024-05-05] 她要登上灯塔顶 (手记)
                    ## Memories
                    ### What happened
                    - 灯塔修好了 (event)
                    ### Goals
                    - 她要登上灯塔顶 (note)",
            },
            Told {
                what: "in a game's time",
                story: "
                    put calendar.kind = rimworld
                    put layers.hour = never
                    put recall.show_time = true
                    set 小雪, 莱姆
                    [60000] 小雪: 开始了
                    event 小雪: 灯塔修好了
                    ask 小雪: 灯塔",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [时间: 5500年春季第2天, 0时] 灯塔修好了",
            },
        ],
    );
}

pub fn templates(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "one's own",
                story: "
                    set 小雪, 莱姆
                    event 小雪 (on 2024-05-01): 灯塔修好了
                    note 小雪 (trait): 她怕猫
                    put recall.template = {{#each memories}}<{{kind}}>{{text}}</{{kind}}>{{/each}}{{#if goal}}G{{else}}no goal{{/if}}
                    ask 小雪: 灯塔",
                outcome: "<特质>她怕猫</特质><情景>灯塔修好了</情景>no goal",
            },
            Told {
                what: "what it does not write stands in no prompt, and takes no room",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫，也怕灯塔
                    note 小雪 (goal): 她要登上灯塔顶
                    note 小雪 (goal, pinned): 她要学会游泳
                    event 小雪: 灯塔修好了
                    put recall.max_chars = 20
                    put recall.template = {{#each goal}}{{text}}；{{/each}}
                    why 小雪: 灯塔
                    ask 小雪: 灯塔
                    put recall.template = {{#if by_kind}}{{#each goal}}{{text}}；{{/each}}{{else}}{{#each trait}}{{text}}{{/each}}{{/if}}
                    put recall.by_kind = false
                    kept 小雪: 灯塔
                    ask 小雪: 灯塔
                    put recall.template = {{#if goal}}{{#each goal}}{{text}}；{{/each}}{{else}}{{#each memories}}{{text}}{{/each}}{{/if}}
                    why 小雪: 灯塔
                    ask 小雪: 灯塔",
                outcome: "
                    M3 kept
                    M1 not_in_template
                    M4 not_in_template
                    M2 kept
                    她要学会游泳；她要登上灯塔顶；
                    M1
                    她怕猫，也怕灯塔
                    M3 kept
                    M1 not_in_template
                    M4 not_in_template
                    M2 kept
                    她要学会游泳；她要登上灯塔顶；",
            },
            Told {
                what: "nor what comes later and would push out what stands there",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (trait): She is afraid of cats
                    note Snow (goal): She wants to see the lighthouse
                    put recall.template = {{#if goal}}{{#each goal}}{{text}}{{/each}}{{else}}{{#each memories}}{{text}}{{/each}}{{/if}}
                    why Snow: the lighthouse
                    ask Snow: the lighthouse",
                outcome: "
                    M1 kept
                    M2 not_in_template
                    She is afraid of cats",
            },
            Told {
                what: "what a memory says is no template",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (trait): {{#if x}}她怕猫{{/if}} {{user}}
                    ask 小雪: 你好",
                outcome: "
                    ## 角色记忆
                    ### 特质记忆
                    - {{#if x}}她怕猫{{/if}} {{user}}",
            },
        ],
    );
}

pub fn switched_off(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "for a world",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (pinned): 她怕猫
                    note 阿青 (pinned): 她养猫
                    kept 小雪: 你好
                    put recall.enabled = false
                    kept 小雪: 你好
                    put recall.enabled@小雪 = true
                    kept 小雪: 你好
                    among 阿青, 莱姆
                    kept 阿青: 你好",
                outcome: "
                    M1
                    nothing
                    M1
                    nothing",
            },
            Told {
                what: "for one character",
                story: "
                    set 小雪, 莱姆
                    event 小雪, 阿青: 灯塔在春天修好了
                    event 小雪, 阿青: 他们去灯塔看日落
                    put recall.most.episodic@小雪 = 1
                    kept 小雪: 灯塔
                    among 阿青, 莱姆
                    kept 阿青: 灯塔",
                outcome: "
                    M2
                    M2 M1",
            },
        ],
    );
}
