//! Who hears what is told: does everybody count, known or not, wherever they are named?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn who_hears_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "whispers within one group",
                story: "
                    put audience = strict
                    set 小雪, 莱姆, 阿青
                    @莱姆 → 小雪: 我偷偷养了一只狐狸
                    小雪 → 莱姆: 我不会说出去
                    @阿青: 今晚吃火锅
                    小雪: 好
                    digest now
                    window 2
                    why 小雪: 狐狸",
                outcome: "
                    M2 in_history
                    M1 audience",
            },
            Told {
                what: "somebody joins a scene, and leaves",
                story: "
                    put audience = strict
                    scene 酒馆: 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    @莱姆: 干杯
                    小雪: 干杯
                    digest now
                    window 2
                    kept 小雪: 狐狸
                    present 小雪, 莱姆, 阿青
                    why 小雪: 狐狸
                    present 小雪, 莱姆
                    kept 小雪: 狐狸
                    present 小雪
                    kept 小雪: 狐狸",
                outcome: "
                    M1
                    M2 threshold
                    M1 audience
                    M1
                    M1",
            },
            Told {
                what: "a stranger asks",
                story: "
                    put audience = strict
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    @莱姆: 晚安
                    小雪: 晚安
                    digest now
                    window 2
                    from 莱姆
                    kept 小雪: 狐狸
                    from 路人
                    why 小雪: 狐狸
                    from anybody
                    among 小雪, 莱姆, 路人
                    why 小雪: 狐狸",
                outcome: "
                    M1
                    M2 threshold
                    M1 audience
                    M1 audience
                    M2 threshold",
            },
            Told {
                what: "somebody who is known asks while a stranger listens",
                story: "
                    put audience = strict
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    note 小雪 (shareable): 狐狸会在下雨天叫
                    digest now
                    from 莱姆
                    among 小雪, 莱姆
                    window 1
                    kept 小雪: 狐狸
                    among 小雪, 莱姆, 路人
                    why 小雪: 狐狸
                    among 小雪, 路人
                    why 小雪: 狐狸
                    among 小雪, 莱姆, 旁白
                    kept 小雪: 狐狸
                    from 旁白
                    kept 小雪: 狐狸",
                outcome: "
                    M2 M1
                    M1 kept
                    M2 audience
                    M1 kept
                    M2 audience
                    M2 M1
                    M2 M1",
            },
            Told {
                what: "in Japanese",
                story: "
                    preset bot
                    set 雪, ライム
                    @ライム: 内緒で狐を飼っている
                    雪: 誰にも言わない
                    digest now
                    set 雪, さくら
                    from ライム
                    among 雪, ライム, さくら
                    why 雪: 狐を飼っているのは誰
                    among 雪, ライム, 通りすがり
                    why 雪: 狐を飼っているのは誰",
                outcome: "
                    M1 audience
                    M1 audience",
            },
        ],
    );
}

/// What 小雪 was told alone, and with another one.
const TWO_SECRETS: &str = "
    put audience = strict
    set 小雪, 莱姆
    @莱姆: 我偷偷养了一只狐狸
    小雪: 我不会说出去
    digest now
    set 小雪, 莱姆, 阿青
    @阿青: 狐狸洞在后山
    小雪: 我去看看
    digest now
    note 小雪 (shareable): 狐狸会在下雨天叫";

pub fn in_a_history_that_the_host_brings_along(store: Arc<dyn Store>) {
    let secrets = |then: &str| format!("{TWO_SECRETS}\n{then}");
    told(
        &store,
        &[
            Told {
                what: "whoever speaks in it listens, and whoever asks",
                story: &secrets(
                    "
                    brought @莱姆: 你好
                    brought 小雪: 你好
                    kept 小雪: 狐狸
                    from 莱姆
                    kept 小雪: 狐狸
                    from 阿青
                    kept 小雪: 狐狸
                    missing 小雪: 狐狸
                    from 路人
                    kept 小雪: 狐狸
                    from anybody
                    brought @阿青: 大家好
                    kept 小雪: 狐狸
                    from 莱姆
                    kept 小雪: 狐狸
                    brought @路人: 让一让
                    kept 小雪: 狐狸",
                ),
                outcome: "
                    M3 M2 M1
                    M3 M2 M1
                    M3 M2
                    nothing
                    M3
                    M3 M2
                    M3 M2
                    M3",
            },
            Told {
                what: "and so does whoever it is whispered to; a narrator does not",
                story: &secrets(
                    "
                    brought @莱姆 → 小雪: 你好
                    brought 旁白: 天黑了
                    kept 小雪: 狐狸
                    brought 小雪 → 阿青: 小声点
                    kept 小雪: 狐狸",
                ),
                outcome: "
                    M3 M2 M1
                    M3 M2",
            },
            Told {
                what: "where nobody knows who listens, anybody may, and the answer says so",
                story: &secrets(
                    "
                    brought 小雪: 有人吗
                    why 小雪: 狐狸
                    missing 小雪: 狐狸
                    from 莱姆
                    missing 小雪: 狐狸
                    kept 小雪: 狐狸
                    brought @: 我是谁
                    kept 小雪: 狐狸
                    missing 小雪: 狐狸
                    stored
                    missing 小雪: 狐狸",
                ),
                outcome: "
                    M3 kept
                    M2 audience
                    M1 audience
                    audience_unknown
                    nothing
                    M3 M2 M1
                    M3
                    audience_unknown
                    nothing",
            },
            Told {
                what: "an answer that names nobody is the character's own; whoever asks without a name is anybody",
                story: &secrets(
                    "
                    brought @莱姆: 你好
                    brought : 你好呀
                    brought : 小声点
                    prompt 小雪: 狐狸
                    kept 小雪: 狐狸
                    brought @: 在吗
                    brought : 在
                    put recall.enabled = false
                    prompt 小雪: 狐狸
                    put recall.enabled = true
                    kept 小雪: 狐狸
                    missing 小雪: 狐狸",
                ),
                outcome: "
                    user | 你好
                    assistant | 你好呀小声点
                    system | ## 角色记忆⏎### 情景记忆⏎- 狐狸会在下雨天叫⏎- [对话参与者：阿青、小雪、莱姆]⏎  阿青: \"狐狸洞在后山\"⏎  小雪: \"我去看看\"⏎- [对话参与者：莱姆、小雪]⏎  莱姆: \"我偷偷养了一只狐狸\"⏎  小雪: \"我不会说出去\"
                    user | 狐狸
                    M3 M2 M1
                    user | 你好
                    assistant | 你好呀小声点
                    user | 在吗
                    assistant | 在
                    user | 狐狸
                    M3
                    audience_unknown",
            },
            Told {
                what: "it is no conversation in which something was said",
                story: &secrets(
                    "
                    put audience = same-conversation
                    brought @莱姆: 你好
                    kept 小雪: 狐狸
                    missing 小雪: 狐狸
                    put audience = open
                    kept 小雪: 狐狸
                    missing 小雪: 狐狸",
                ),
                outcome: "
                    M3
                    audience_unknown
                    M3 M2 M1
                    nothing",
            },
            Told {
                what: "in English",
                story: "
                    preset bot
                    put language = en
                    set Snow, Lime
                    @Lime: I secretly keep a fox
                    Snow: I will not tell
                    digest now
                    set Snow, Qing
                    brought @Qing: What is up?
                    brought @Lime: Nothing.
                    brought Snow: We talked of the weather.
                    from Lime
                    why Snow: Who keeps a fox?",
                outcome: "M1 audience",
            },
        ],
    );
}
