//! Does what was said long ago come back when it is spoken of, and only then?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn when_it_is_spoken_of(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "a round that left the window, in Chinese",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢，我把它埋在院子的老槐树下。
                    @莱姆: 明天要下雨，记得收衣服。
                    小雪: 好的，我会记得。
                    wait 86400
                    @莱姆: 晚饭吃什么？
                    小雪: 吃面吧。
                    digest now
                    window 2
                    ask 小雪: 那坛桂花酒埋在哪里？",
                outcome: r#"
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "我从江南带了一坛桂花酒给你。"
                    小雪: "谢谢，我把它埋在院子的老槐树下。""#,
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: I brought you a jar of osmanthus wine from the south.
                    Snow: Thank you, I buried it under the old locust tree in the yard.
                    wait 86400
                    @Lime: It will rain tomorrow, remember to take in the laundry.
                    Snow: I will.
                    wait 86400
                    @Lime: What is for dinner?
                    Snow: Noodles, I think.
                    digest now
                    window 2
                    ask Snow: Where did you bury the osmanthus wine?",
                outcome: r#"
                    ## Memories
                    ### What happened
                    - [Participants: Lime, Snow]
                    Lime: "I brought you a jar of osmanthus wine from the south."
                    Snow: "Thank you, I buried it under the old locust tree in the yard.""#,
            },
            Told {
                what: "who was there is told in the language that the world has now",
                story: "
                    put recall.most.episodic = 1
                    set Snow, Lime
                    @Lime: I brought you a jar of osmanthus wine from the south.
                    Snow: Thank you.
                    digest now
                    put language = en
                    @Lime: The lighthouse is dark again.
                    Snow: I will mend the lamp.
                    digest now
                    window 0
                    ask Snow: Where is the osmanthus wine?
                    put language = zh
                    ask Snow: Is the lighthouse still dark?",
                outcome: r#"
                    ## Memories
                    ### What happened
                    - [Participants: Lime, Snow]
                    Lime: "I brought you a jar of osmanthus wine from the south."
                    Snow: "Thank you."
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：Lime、Snow]
                    Lime: "The lighthouse is dark again."
                    Snow: "I will mend the lamp.""#,
            },
            Told {
                what: "in Japanese",
                story: "
                    set さくら, レム
                    @レム: 南から金木犀のお酒を持ってきたよ。
                    さくら: ありがとう、庭の古い槐の下に埋めておくね。
                    wait 86400
                    @レム: 明日は雨だから洗濯物を取り込んでね。
                    さくら: わかった。
                    wait 86400
                    @レム: 夕飯は何にする？
                    さくら: うどんにしよう。
                    digest now
                    window 2
                    ask さくら: 金木犀のお酒はどこに埋めたの？",
                outcome: r#"
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：レム、さくら]
                    レム: "南から金木犀のお酒を持ってきたよ。"
                    さくら: "ありがとう、庭の古い槐の下に埋めておくね。""#,
            },
            Told {
                what: "nobody says anything new: by the last lines",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 埋在老槐树下吧。
                    wait 86400
                    @莱姆: 吃面吗？
                    小雪: 好。
                    digest now
                    @莱姆: 桂花酒呢？
                    window 1
                    kept 小雪",
                outcome: "M1",
            },
        ],
    );
}

pub fn what_stands_in_the_history(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "is not told again",
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
                what: "nor is what is quoted from other conversations, as far as it is",
                story: "
                    set 小雪, 莱姆, 阿青
                    @阿青: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢，我把它埋在老槐树下。
                    digest now
                    set 小雪, 莱姆
                    @莱姆: 晚饭吃什么？
                    小雪: 吃面吧。
                    why 小雪: 那坛桂花酒埋在哪里？
                    prompt 小雪: 那坛桂花酒埋在哪里？
                    put prompt.background_lines = 1
                    why 小雪: 那坛桂花酒埋在哪里？
                    put prompt.background_lines = 0
                    why 小雪: 那坛桂花酒埋在哪里？
                    put prompt.background_lines = 10
                    background off
                    why 小雪: 那坛桂花酒埋在哪里？
                    prompt 小雪: 晚饭吃什么？",
                outcome: "
                    M1 in_history
                    system | [背景参考资料]⏎阿青：我从江南带了一坛桂花酒给你。⏎小雪：谢谢，我把它埋在老槐树下。
                    user | 晚饭吃什么？
                    assistant | 吃面吧。
                    user | 那坛桂花酒埋在哪里？
                    M1 kept
                    M1 kept
                    M1 kept
                    user | 晚饭吃什么？
                    assistant | 吃面吧。
                    user | 晚饭吃什么？",
            },
            Told {
                what: "a round of which a part stands there is told",
                story: "
                    set Snow, Lime
                    @Lime: The password is swordfish, do not forget.
                    Snow: I will not.
                    Lime: Good.
                    digest now
                    window 2
                    why Snow: What was the password?",
                outcome: "M1 kept",
            },
            Told {
                what: "unless it is pinned",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢。
                    digest now
                    pin 小雪 M1
                    why 小雪: 你好",
                outcome: "M1 kept",
            },
            Told {
                what: "nor what stands in a history that the host brings along, word for word",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢，我把它埋在老槐树下。
                    wait 86400
                    @莱姆: 晚饭吃什么？
                    小雪: 吃面吧。
                    digest now
                    brought @莱姆: 我从江南带了一坛桂花酒给你。
                    why 小雪: 那坛桂花酒埋在哪里？
                    brought 小雪: 謝謝，我把它埋在老槐樹下。
                    brought @莱姆: 晚饭吃什么?
                    brought 小雪: 吃面吧。
                    why 小雪: 那坛桂花酒埋在哪里？
                    window 2
                    why 小雪: 那坛桂花酒埋在哪里？
                    pin 小雪 M1
                    window 4
                    kept 小雪: 那坛桂花酒埋在哪里？",
                outcome: "
                    M1 kept
                    M3 alike M1
                    M2 threshold
                    M1 in_history
                    M3 in_history
                    M2 threshold
                    M1 kept
                    M3 alike M1
                    M2 threshold
                    M1",
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: The password is swordfish, do not forget.
                    Snow: I will not.
                    digest now
                    brought @Lime: THE PASSWORD IS SWORDFISH, DO NOT FORGET.
                    brought Snow: I will not!
                    why Snow: What was the password?
                    brought Snow: I will not.
                    why Snow: What was the password?",
                outcome: "
                    M1 kept
                    M1 in_history",
            },
            Told {
                what: "a history that the host brings along is another thing",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢。
                    digest now
                    brought @莱姆: 你好呀
                    kept 小雪: 桂花酒呢？
                    prompt 小雪: 桂花酒呢？",
                outcome: r#"
                    M1
                    system | ## 角色记忆⏎### 情景记忆⏎- [对话参与者：莱姆、小雪]⏎  莱姆: "我从江南带了一坛桂花酒给你。"⏎  小雪: "谢谢。"
                    user | 你好呀桂花酒呢？"#,
            },
        ],
    );
}

pub fn when_nothing_meets_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "nothing is told",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我从江南带了一坛桂花酒给你。
                    小雪: 谢谢，我把它埋在老槐树下。
                    @莱姆: 记得收衣服。
                    小雪: 嗯嗯。
                    @莱姆: 晚饭吃什么？
                    小雪: 吃面吧。
                    digest now
                    window 2
                    kept 小雪: 你喜欢猫吗
                    kept 小雪
                    prompt 小雪: 你喜欢猫吗",
                outcome: "
                    nothing
                    nothing
                    user | 晚饭吃什么？
                    assistant | 吃面吧。
                    user | 你喜欢猫吗",
            },
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: I brought you a jar of osmanthus wine from the south.
                    Snow: Thank you.
                    @Lime: Remember the laundry.
                    Snow: Sure.
                    @Lime: What is for dinner?
                    Snow: Noodles.
                    digest now
                    window 2
                    kept Snow: Do you like cats?
                    kept Snow: Snow, good morning!
                    kept Snow",
                outcome: "
                    nothing
                    nothing
                    nothing",
            },
            Told {
                what: "somebody who has no memories, and a stranger",
                story: "
                    set 小雪, 莱姆
                    kept 小雪: 桂花酒
                    among 阿青, 莱姆
                    kept 阿青: 桂花酒",
                outcome: "
                    nothing
                    nothing",
            },
        ],
    );
}
