//! Is nothing told before those who were not to hear it?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn private_and_groups(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "open: whatever the character witnessed",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    @莱姆: 晚安
                    小雪: 晚安
                    digest now
                    set 小雪, 莱姆, 阿青
                    @阿青: 今晚吃火锅
                    小雪: 好
                    digest now
                    set 小雪, 石头, 阿青
                    why 小雪: 谁养了狐狸，火锅呢",
                outcome: "
                    M1 kept
                    M3 kept
                    M2 threshold",
            },
            Told {
                what: "same-conversation: only what was said here",
                story: "
                    put audience = same-conversation
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    @莱姆: 晚安
                    小雪: 晚安
                    digest now
                    window 2
                    why 小雪: 谁养了狐狸
                    set 小雪, 莱姆, 阿青
                    why 小雪: 谁养了狐狸
                    set 小雪, 石头, 阿青
                    why 小雪: 谁养了狐狸",
                outcome: "
                    M1 kept
                    M2 threshold
                    M1 audience
                    M2 threshold
                    M1 audience
                    M2 threshold",
            },
            Told {
                what: "strict: only what everybody here witnessed",
                story: "
                    put audience = strict
                    put prompt.background_lines = 0
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    digest now
                    set 小雪, 莱姆, 阿青
                    @阿青: 今晚吃狐狸火锅
                    小雪: 别胡说
                    digest now
                    set 小雪, 石头, 阿青
                    @石头: 山里有狐狸洞
                    小雪: 真的？
                    digest now
                    why 小雪: 狐狸
                    set 小雪, 莱姆, 阿青
                    why 小雪: 狐狸
                    set 小雪, 莱姆
                    why 小雪: 狐狸
                    set 小雪, 阿青
                    why 小雪: 狐狸",
                outcome: "
                    M3 in_history
                    M2 audience
                    M1 audience
                    M2 in_history
                    M3 audience
                    M1 audience
                    M1 in_history
                    M3 audience
                    M2 kept
                    M3 kept
                    M2 kept
                    M1 audience",
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    put audience = strict
                    set Snow, Lime
                    @Lime: I secretly keep a fox
                    Snow: I will not tell
                    digest now
                    set Snow, Lime, Qing
                    why Snow: Who keeps a fox?
                    ask Snow: Who keeps a fox?
                    among Snow, Lime
                    window 1
                    kept Snow: Who keeps a fox?",
                outcome: "
                    M1 audience
                    nothing
                    M1",
            },
            Told {
                what: "a bot is strict by itself",
                story: "
                    preset bot
                    set 小雪, 莱姆
                    @莱姆: 我偷偷养了一只狐狸
                    小雪: 我不会说出去
                    digest now
                    set 小雪, 莱姆, 阿青
                    why 小雪: 谁养了狐狸",
                outcome: "M1 audience",
            },
        ],
    );
}

pub fn what_is_no_line(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "events and notes are for those who have them",
                story: "
                    put audience = strict
                    set 小雪, 莱姆, 阿青
                    event 小雪, 莱姆: 后山的狐狸跑了
                    event 小雪, 莱姆, 阿青: 后山来了新的狐狸
                    note 小雪: 狐狸是莱姆的
                    note 小雪 (trait): 她怕狐狸
                    why 小雪: 狐狸
                    set 小雪, 莱姆
                    kept 小雪: 狐狸",
                outcome: "
                    M4 audience
                    M3 audience
                    M1 audience
                    M2 kept
                    M1 M2",
            },
            Told {
                what: "and said nowhere",
                story: "
                    put audience = same-conversation
                    set 小雪, 莱姆, 阿青
                    event 小雪, 莱姆, 阿青: 后山来了新的狐狸
                    note 小雪 (shareable): 狐狸会下雨天叫
                    why 小雪: 狐狸",
                outcome: "
                    M1 audience
                    M2 kept",
            },
        ],
    );
}

pub fn shareable(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what was marked may be told to anybody",
                story: "
                    put audience = strict
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 我可以说出去吗
                    digest now
                    note 小雪: 狐狸叫小红
                    set 小雪, 石头, 阿青
                    why 小雪: 狐狸
                    share 小雪 M1
                    why 小雪: 狐狸
                    share 小雪 M2
                    kept 小雪: 狐狸
                    from 路人
                    kept 小雪: 狐狸
                    put audience = same-conversation
                    kept 小雪: 狐狸",
                outcome: "
                    M2 audience
                    M1 audience
                    M2 audience
                    M1 kept
                    M2 M1
                    M2 M1
                    M2 M1",
            },
            Told {
                what: "one holder's word does not bind the other",
                story: "
                    put audience = strict
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 我可以说出去吗
                    digest now
                    share 小雪 M1
                    set 小雪, 阿青
                    kept 小雪: 狐狸
                    set 莱姆, 阿青
                    why 莱姆: 狐狸",
                outcome: "
                    M1
                    M1 audience",
            },
        ],
    );
}

pub fn in_words_of_ones_own(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "nobody heard them but those who have the same",
                story: "
                    put audience = strict
                    put prompt.background_lines = 0
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 好
                    digest now
                    note 小雪, 莱姆: 狐狸叫小红
                    window 0
                    kept 小雪: 狐狸
                    reword 小雪 M1: 莱姆的狐狸其实是我放走的
                    reword 小雪 M2: 狐狸叫小白
                    why 小雪: 狐狸
                    among 小雪
                    kept 小雪: 狐狸
                    here
                    reword 莱姆 M2: 狐狸叫小白
                    why 小雪: 狐狸
                    share 小雪 M1
                    kept 小雪: 狐狸",
                outcome: "
                    M2 M1
                    M2 audience
                    M1 audience
                    M2 M1
                    M1 audience
                    M2 kept
                    M2 M1",
            },
            Told {
                what: "in the same words as it was they are nobody's own",
                story: "
                    put audience = strict
                    put language = en
                    set Snow, Lime
                    note Snow, Lime: The fox is called Red
                    reword Snow M1: The fox is called Red
                    why Snow: What is the fox called?
                    reword Snow M1: The fox is called White
                    why Snow: What is the fox called?",
                outcome: "
                    M1 kept
                    M1 audience",
            },
        ],
    );
}

pub fn summaries(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "a day is only for those who heard all of it",
            story: "
                    put audience = strict
                    set 小雪, 莱姆, 阿青
                    @莱姆: 后山有狐狸
                    小雪: 我去看看
                    @莱姆 → 小雪: 狐狸是我养的
                    小雪 → 莱姆: 我不会说出去
                    wait 86400
                    @阿青: 早
                    小雪: 早
                    digest now
                    mind 小雪
                    window 2
                    why 小雪: 狐狸",
            outcome: r#"
                    小雪 M1
                    [对话参与者：莱姆、小雪、阿青]
                    莱姆: "后山有狐狸"
                    小雪: "我去看看"
                    小雪 M2
                    [对话参与者：莱姆、小雪、阿青]
                    莱姆: "狐狸是我养的"
                    小雪: "我不会说出去"
                    小雪 M3
                    [对话参与者：阿青、小雪、莱姆]
                    阿青: "早"
                    小雪: "早"
                    小雪 M4
                    [小结：2024-05-05；小雪、莱姆、阿青；2轮对话]
                    莱姆: "后山有狐狸"
                    小雪: "我去看看"
                    莱姆: "狐狸是我养的"
                    小雪: "我不会说出去"
                    M2 audience
                    M1 kept
                    M4 audience
                    M3 threshold"#,
        }],
    );
}

/// A private chat and two groups, all of foxes; then somebody asks in each of them.
const FOXES: &str = "
    set 小雪, 莱姆
    @莱姆: 我偷偷养了一只狐狸
    小雪: 我不会说出去
    digest now
    set 小雪, 石头, 阿青
    @石头: 狐狸洞在后山
    小雪: 我去看看
    digest now
    set 小雪, 莱姆, 阿青
    @阿青: 今晚吃狐狸火锅
    小雪: 别胡说
    @莱姆: 不许吃狐狸
    小雪: 对
    digest now
    window 1";

const ASKED_IN_EACH: &str = "
    related 小雪: 狐狸
    among 小雪, 石头, 阿青
    related 小雪: 狐狸
    among 小雪, 莱姆
    related 小雪: 狐狸";

pub fn what_belongs_together(store: Arc<dyn Store>) {
    let asked_under = |policy: &str, then: &str| {
        format!("put audience = {policy}\nput prompt.background_lines = 0\n{FOXES}\n{then}")
    };
    let story = |policy: &str| asked_under(policy, ASKED_IN_EACH);
    told(
        &store,
        &[
            Told {
                what: "open: whatever the character witnessed belongs together",
                story: &story("open"),
                outcome: "
                    M4: M3 M1 M2
                    M3: M4 M1 M2
                    M2: M3 M4 M1
                    M2: M3 M4 M1
                    M4: M3 M1 M2
                    M3: M4 M1 M2
                    M1: M3 M4 M2
                    M4: M3 M1 M2
                    M3: M4 M1 M2",
            },
            Told {
                what: "strict: what may not be told is not named beside what may",
                story: &story("strict"),
                outcome: "
                    M4: M3
                    M3: M4
                    M2:
                    M1: M3 M4
                    M4: M3 M1
                    M3: M4 M1",
            },
            Told {
                what: "same-conversation: the same",
                story: &story("same-conversation"),
                outcome: "
                    M4: M3
                    M3: M4
                    M2:
                    M1:",
            },
            Told {
                what: "what was marked may be named to anybody",
                story: &asked_under("strict", "share 小雪 M1\nrelated 小雪: 狐狸"),
                outcome: "
                    M4: M3 M1
                    M3: M4 M1
                    M1: M3 M4",
            },
        ],
    );
}

/// What may not be told here takes the place of nothing that may, however much of it there is and however near it is.
pub fn takes_no_place(store: Arc<dyn Store>) {
    let private: String = (0..130)
        .map(|n| format!("@Lime: The wedding in Dunmore needs chair number {n}.\nSnow: Noted, chair {n}.\n"))
        .collect();
    let pins: String = (0..300).map(|n| format!("event Snow (pinned): Secret {n} of the cellar\n")).collect();
    let group =
        "set Snow, Lime, Qing\n@Lime: I found a kitten near the mill.\nSnow: How sweet.\ndigest now\n";
    let strict = "put language = en\nput audience = strict\nput prompt.background_lines = 0\n";
    let by_name = format!(
        "{strict}{group}set Snow, Lime\n{private}digest now\nset Snow, Qing\nkept Snow: What did Lime tell you?\nset Snow, Lime\nwindow 2\nkept Snow: Where is the kitten?\n"
    );
    let near = format!(
        "{strict}set Snow, Lime, Qing\n@Qing: Last year I slept in a cheap inn in Dunmore.\nSnow: Nice.\ndigest now\nset Snow, Qing\nkept Snow: Where is the inn of the Dunmore wedding?\nset Snow, Lime\n@Lime: The Dunmore wedding is in the Grand Inn.\nSnow: Lovely inn.\n@Lime: Keep the inn of the Dunmore wedding secret.\nSnow: I will.\ndigest now\nset Snow, Qing\nkept Snow: Where is the inn of the Dunmore wedding?\n"
    );
    let pinned = format!("{strict}{group}{pins}set Snow, Qing\nkept Snow: Where was the kitten found?\n");
    told(
        &store,
        &[
            Told { what: "asked for by name", story: &by_name, outcome: "M1\nM1" },
            Told { what: "nearer to what is asked", story: &near, outcome: "M1\nM1" },
            Told { what: "always there", story: &pinned, outcome: "M1" },
        ],
    );
}
