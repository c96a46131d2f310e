//! Is recall as of an earlier revision what recall was then: nothing that came later, and all that went since?

mod moments;

use std::sync::Arc;

use reverie_core::{Recall, Store};

use super::prompter::{Prompter, Told, told};
use moments::STORIES;

pub fn what_came_later(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "memories and lines",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 灯塔修好了
                    小雪: 太好了
                    digest now
                    note 小雪 (trait): 她怕黑
                    revision 甲
                    event 小雪: 灯塔又坏了
                    note 小雪 (trait): 她怕猫
                    @莱姆: 灯塔着火了
                    小雪: 快跑
                    digest now
                    window 1
                    kept 小雪: 灯塔
                    as of 甲
                    kept 小雪: 灯塔
                    prompt 小雪: 灯塔
                    as of now
                    kept 小雪: 灯塔",
                outcome: r#"
                    M2 M4 M5 M1 M3
                    M2 M1
                    system | ## 角色记忆⏎### 情景记忆⏎- [对话参与者：莱姆、小雪]⏎  莱姆: "灯塔修好了"⏎  小雪: "太好了"⏎### 特质记忆⏎- 她怕黑
                    user | 灯塔
                    M2 M4 M5 M1 M3"#,
            },
            Told {
                what: "before anything was there",
                story: "
                    revision 甲
                    set 小雪, 莱姆
                    note 小雪 (pinned): 她怕猫
                    kept 小雪: 猫
                    as of 甲
                    kept 小雪: 猫
                    prompt 小雪: 猫",
                outcome: "
                    M1
                    nothing
                    user | 猫",
            },
            Told {
                what: "a revision that the world never had",
                story: "
                    set 小雪, 莱姆
                    as of 900
                    kept 小雪: 猫",
                outcome: "invalid: the world is at revision 2, not yet at 900",
            },
        ],
    );
}

pub fn what_went_since(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "forgotten, reworded, hidden, undone",
                story: "
                    put language = en
                    put recall.said = 1
                    set Snow, Lime
                    @Lime: I keep a fox in the cellar.
                    Snow: Really?
                    @Lime: Good night.
                    Snow: Good night.
                    digest now
                    note Snow (trait): She is afraid of foxes
                    window 2
                    revision a
                    reword Snow M3: She loves foxes
                    forget Snow M1
                    hide L3
                    undo 2
                    ask Snow: The fox!
                    as of a
                    ask Snow: The fox!
                    prompt Snow: The fox!",
                outcome: r#"
                    ## Memories
                    ### Traits
                    - She loves foxes
                    ## Memories
                    ### What happened
                    - [Participants: Lime, Snow]
                    Lime: "I keep a fox in the cellar."
                    Snow: "Really?"
                    ### Traits
                    - She is afraid of foxes
                    user | Good night.
                    assistant | Good night.
                    system | ## Memories⏎### What happened⏎- [Participants: Lime, Snow]⏎  Lime: "I keep a fox in the cellar."⏎  Snow: "Really?"⏎### Traits⏎- She is afraid of foxes
                    user | The fox!"#,
            },
            Told {
                what: "what was erased is gone from then, too",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    @莱姆: 睡吧
                    小雪: 好
                    digest now
                    window 1
                    revision 甲
                    erase L1
                    as of 甲
                    kept 小雪: 狐狸",
                outcome: "nothing",
            },
        ],
    );
}

/// By whom it was known then, and by what names.
pub fn who_knew_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "somebody forgot it since, so that it is no secret shared any more",
                story: "
                    put audience = strict
                    put recall.said = 1
                    set 小雪, 阿青
                    event 小雪, 阿青: 灯塔修好了
                    revision 甲
                    forget 阿青 M1
                    why 小雪: 灯塔
                    as of 甲
                    why 小雪: 灯塔",
                outcome: "
                    M1 audience
                    M1 kept",
            },
            Told {
                what: "somebody has it again since",
                story: "
                    put audience = strict
                    put recall.said = 1
                    set 小雪, 阿青
                    event 小雪, 阿青: 灯塔修好了
                    forget 阿青 M1
                    revision 甲
                    unforget 阿青 M1
                    why 小雪: 灯塔
                    as of 甲
                    why 小雪: 灯塔",
                outcome: "
                    M1 kept
                    M1 audience",
            },
            Told {
                what: "several voices, by the names that they had",
                story: "
                    put language = en
                    set Snow, Qing
                    note Snow, Qing (trait): The lighthouse is a secret
                    revision a
                    name Qing = Miss Qing
                    with Qing
                    ask Snow: Hello
                    as of a
                    ask Snow: Hello",
                outcome: "
                    ## Memories
                    ### Traits
                    - [Snow, Miss Qing] The lighthouse is a secret
                    ## Memories
                    ### Traits
                    - [Snow, Qing] The lighthouse is a secret",
            },
            Told {
                what: "what is worth raising",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (goal): 去看灯塔
                    revision 甲
                    note 小雪 (goal): 学游泳
                    forget 小雪 M1
                    suggest 小雪
                    as of 甲
                    suggest 小雪",
                outcome: "
                    M2 goal 0.88
                    M1 goal 0.88",
            },
        ],
    );
}

/// Behind every step of a story somebody is asked, and at its end asked again as of each of them, at the same hour.
pub fn every_moment(store: Arc<dyn Store>) {
    for (what, asked, story) in STORIES {
        let mut prompter = Prompter::new(&store, what);
        let mut moments: Vec<(String, u64, i64, Vec<Recall>)> = Vec::new();
        let steps = story.lines().map(str::trim).filter(|step| !step.is_empty());
        for (number, step) in steps.enumerate() {
            prompter.play(step);
            // Somebody must be there before anybody can be asked.
            if number > 0 {
                let answers = answers(&mut prompter, asked);
                moments.push((step.to_owned(), prompter.revision(), prompter.now_ms(), answers));
            }
        }
        assert!(moments.iter().any(|(.., answers)| answers.iter().any(|one| !one.memories.is_empty())));
        for (step, revision, now_ms, then) in moments {
            prompter.theatre.wait((now_ms - prompter.now_ms()) / 1000);
            prompter.cue.as_of = Some(revision);
            assert_eq!(answers(&mut prompter, asked), then, "{what}: as of {revision}, behind {step:?}");
        }
    }
}

fn answers(prompter: &mut Prompter, asked: &[&str]) -> Vec<Recall> {
    asked.iter().map(|question| prompter.recall(question).unwrap()).collect()
}
