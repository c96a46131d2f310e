//! What is in a prompt that gives a voice to several?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn several(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what they share stands once, with who knows it",
                story: "
                    set 小雪, 阿青, 莱姆
                    note 小雪, 阿青 (trait): 灯塔是她们的秘密
                    note 小雪 (trait): 小雪怕黑
                    note 阿青 (trait): 阿青会开锁
                    ask 小雪: 你们好
                    with 阿青
                    ask 小雪: 你们好
                    with 阿青, 小雪
                    ask 小雪: 你们好",
                outcome: "
                    ## 角色记忆
                    ### 特质记忆
                    - 灯塔是她们的秘密
                    - 小雪怕黑
                    ## 角色记忆
                    ### 特质记忆
                    - 【小雪、阿青】灯塔是她们的秘密
                    - 【小雪】小雪怕黑
                    - 【阿青】阿青会开锁
                    ## 角色记忆
                    ### 特质记忆
                    - 【小雪、阿青】灯塔是她们的秘密
                    - 【小雪】小雪怕黑
                    - 【阿青】阿青会开锁",
            },
            Told {
                what: "in English, by their names",
                story: "
                    put language = en
                    set Snow, Qing, Lime
                    name Qing = Miss Qing
                    note Snow, Qing (trait): The lighthouse is a secret
                    note Qing (trait): Qing can pick locks
                    with Qing
                    ask Snow: Hello",
                outcome: "
                    ## Memories
                    ### Traits
                    - [Snow, Miss Qing] The lighthouse is a secret
                    - [Miss Qing] Qing can pick locks",
            },
            Told {
                what: "each with its own words",
                story: "
                    set 小雪, 阿青, 莱姆
                    note 小雪, 阿青 (trait): 灯塔是她们的秘密
                    reword 阿青 M1: 我讨厌那个地方
                    with 阿青
                    ask 小雪: 你们好",
                outcome: "
                    ## 角色记忆
                    ### 特质记忆
                    - 【小雪】灯塔是她们的秘密
                    - 【阿青】我讨厌那个地方",
            },
            Told {
                what: "what each of them knows in the same words stands once, with all who know it",
                story: "
                    set 小雪, 阿青, 莱姆
                    note 小雪: 莱姆喜欢吃柿子饼
                    note 阿青: 莱姆喜欢吃柿子饼
                    note 阿青: 莱姆喜欢吃柿子饼。
                    note 莱姆: 莱姆喜欢吃柿子饼
                    with 阿青
                    ask 小雪: 柿子饼
                    why 小雪: 柿子饼
                    forget 阿青 M2
                    ask 小雪: 柿子饼
                    forget 阿青 M3
                    ask 小雪: 柿子饼
                    alone
                    ask 小雪: 柿子饼",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪、阿青】莱姆喜欢吃柿子饼
                    M1 kept
                    M2 alike M1
                    M3 alike M1
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪、阿青】莱姆喜欢吃柿子饼
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪】莱姆喜欢吃柿子饼
                    ## 角色记忆
                    ### 情景记忆
                    - 莱姆喜欢吃柿子饼",
            },
            Told {
                what: "what belongs to a memory that they share does so for any of them",
                story: "
                    set 小雪, 阿青, 莱姆
                    note 小雪, 阿青 (topics 灯塔): 灯塔在北岸
                    note 小雪 (topics 灯塔): 灯塔的门锁着
                    note 阿青 (topics 灯塔): 灯塔的钥匙在树下
                    with 阿青
                    related 小雪: 北岸",
                outcome: "M1: M2 M3",
            },
            Told {
                what: "the history is what all of them witnessed",
                story: "
                    set 小雪, 阿青, 莱姆
                    @莱姆: 早上好
                    小雪: 早
                    @莱姆 → 小雪: 我养了一只狐狸
                    小雪 → 莱姆: 嘘
                    @莱姆: 吃饭吧
                    prompt 小雪
                    with 阿青
                    prompt 小雪",
                outcome: "
                    user | 早上好
                    assistant | 早
                    user | 我养了一只狐狸
                    assistant | 嘘
                    user | 吃饭吧
                    user | 早上好
                    assistant | 早
                    user | 吃饭吧",
            },
            Told {
                what: "a stranger has witnessed nothing",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 早上好
                    note 小雪 (trait): 小雪怕黑
                    with 路人
                    prompt 小雪: 你们好",
                outcome: "
                    system | ## 角色记忆⏎### 特质记忆⏎- 【小雪】小雪怕黑
                    user | 早上好你们好",
            },
            Told {
                what: "what one of them does not remember is told of the other",
                story: "
                    set 小雪, 阿青, 莱姆
                    note 小雪, 阿青 (trait): 灯塔是她们的秘密
                    forget 阿青 M1
                    with 阿青
                    ask 小雪: 你们好
                    put recall.enabled@小雪 = false
                    ask 小雪: 你们好
                    unforget 阿青 M1
                    ask 小雪: 你们好",
                outcome: "
                    ## 角色记忆
                    ### 特质记忆
                    - 【小雪】灯塔是她们的秘密
                    nothing
                    ## 角色记忆
                    ### 特质记忆
                    - 【阿青】灯塔是她们的秘密",
            },
            Told {
                what: "what not everybody may hear",
                story: "
                    put audience = strict
                    set 小雪, 阿青, 莱姆
                    note 小雪 (trait): 小雪怕黑
                    note 小雪, 阿青, 莱姆 (trait): 灯塔是她们的秘密
                    note 小雪, 阿青 (trait): 阿青会开锁
                    with 阿青
                    why 小雪: 你们好",
                outcome: "
                    M1 audience
                    M2 kept
                    M3 audience",
            },
            Told {
                what: "whoever is given a voice hears it, though they are not here",
                story: "
                    put audience = strict
                    set 小雪, 莱姆
                    @莱姆: 狐狸汤的做法别告诉阿青
                    小雪: 好
                    digest now
                    set 小雪, 阿青
                    note 小雪, 阿青, 莱姆: 狐狸会在下雨天叫
                    set 小雪, 莱姆
                    window 0
                    why 小雪: 狐狸
                    with 阿青
                    why 小雪: 狐狸
                    with 路人
                    why 小雪: 狐狸
                    with 旁白
                    kept 小雪: 狐狸",
                outcome: "
                    M2 kept
                    M1 kept
                    M2 kept
                    M1 audience
                    M2 audience
                    M1 audience
                    M2 M1",
            },
        ],
    );
}
