//! Does somebody who is asked for by name come to mind, although all memories are about them, and nobody who is only named?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

/// Seven rounds with one person: the name is in all of them, and no other word of the question is in any.
pub fn what_somebody_told(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "in English, whoever asks",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: My brother sails to Dunmore in spring.
                    Snow: That is far.
                    @Lime: The mill burned down.
                    Snow: How sad.
                    @Lime: I am allergic to walnuts.
                    Snow: Noted.
                    @Lime: Grandmother left me her violin.
                    Snow: Play it for me.
                    @Lime: The bridge is closed.
                    Snow: I see.
                    digest now
                    window 2
                    kept Snow: What did Lime tell you?
                    kept Snow: what did lime tell you
                    kept Snow: Hey Snow, do you remember anything about Lime?
                    kept Snow: Tell me about Lime.
                    kept Snow: Who is Lime?
                    set Snow, Bob
                    kept Snow: What has Lime been telling you?
                    kept Snow: Did Lime say anything about Rome?",
                outcome: "
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M5 M4 M3
                    M4 M3 M5",
            },
            Told {
                what: "in Chinese",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我哥哥春天要出海。
                    小雪: 好远啊。
                    @莱姆: 磨坊烧掉了。
                    小雪: 真可惜。
                    @莱姆: 我对核桃过敏。
                    小雪: 明白。
                    @莱姆: 外婆把小提琴留给了我。
                    小雪: 拉给我听。
                    @莱姆: 桥封了。
                    小雪: 嗯。
                    digest now
                    window 2
                    kept 小雪: 莱姆跟你说过什么？
                    kept 小雪: 小雪，你还记得莱姆吗？
                    kept 小雪: 关于萊姆你知道些什麼
                    kept 小雪: 说说莱姆吧
                    kept 小雪: 莱姆是谁？
                    set 小雪, 阿青
                    kept 小雪: 莱姆都告诉你什么了？
                    kept 小雪: 莱姆提到过罗马吗？",
                outcome: "
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M5 M4 M3
                    M4 M5 M3",
            },
            Told {
                what: "in Japanese",
                story: "
                    set さくら, ライム
                    @ライム: 兄は春に船で出る。
                    さくら: 遠いね。
                    @ライム: 水車小屋が焼けた。
                    さくら: 残念。
                    @ライム: クルミのアレルギーがある。
                    さくら: わかった。
                    @ライム: 祖母がバイオリンを残した。
                    さくら: 弾いてみて。
                    @ライム: 橋が通れない。
                    さくら: うん。
                    digest now
                    window 2
                    kept さくら: ライムは何て言ってた？
                    kept さくら: ライムのこと覚えてる？
                    kept さくら: ライムさんについて教えて
                    kept さくら: ライムは、誰ですか",
                outcome: "
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2
                    M4 M3 M2",
            },
            Told {
                what: "what weighs more comes first, whenever it was",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (about Lime, keywords , weighs 0.9): He is a duke in hiding
                    note Snow (about Lime, keywords , weighs 0.5): He hums at work
                    note Snow (about Lime, keywords , weighs 0.7): He lost his sister
                    note Snow (about Lime, keywords , weighs 0.5): He bought a hat
                    note Snow (about Bob, keywords , weighs 1): She broke the vase
                    kept Snow: What do you know about Lime?",
                outcome: "M1 M3 M4",
            },
            Told {
                what: "by another name",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 莱姆, keywords ): 他哥哥要出海
                    note 小雪 (about 莱姆, keywords ): 他对核桃过敏
                    note 小雪 (about 莱姆, keywords ): 他买了帽子
                    alias 莱姆 = 小柠檬
                    kept 小雪: 小柠檬跟你说过什么？
                    kept 小雪: 早上好，小柠檬",
                outcome: "
                    M3 M2 M1
                    nothing",
            },
            Told {
                what: "of the time that is named",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (about Lime, keywords , weighs 0.9): He is a duke in hiding
                    note Snow (about Lime, keywords , on 2024-05-04): He hums at work
                    kept Snow: What did Lime tell you yesterday?",
                outcome: "M2",
            },
        ],
    );
}

pub fn whoever_is_only_named(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "in English",
                story: "
                    put language = en
                    set Snow, Lime, Bob
                    @Lime: My brother sails to Dunmore in spring.
                    Snow: That is far.
                    @Lime: The mill burned down.
                    Snow: How sad.
                    @Lime: I am allergic to walnuts.
                    Snow: Noted.
                    @Lime: Grandmother left me her violin.
                    Snow: Play it for me.
                    @Lime: The bridge is closed.
                    Snow: I see.
                    digest now
                    window 2
                    kept Snow: Good morning, Lime!
                    kept Snow: Lime, how are you? Did you sleep well?
                    kept Snow: How are you Lime?
                    kept Snow: Lime is right, what else could it be?
                    kept Snow: I know what Lime means.
                    kept Snow: Can you tell Lime that dinner is ready?
                    kept Snow: Is Lime here?
                    kept Snow: Snow, what did you say?
                    kept Snow: Tell Lime hello.",
                outcome: "
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing",
            },
            Told {
                what: "in Chinese",
                story: "
                    set 小雪, 莱姆, 阿青
                    @莱姆: 我哥哥春天要出海。
                    小雪: 好远啊。
                    @莱姆: 磨坊烧掉了。
                    小雪: 真可惜。
                    @莱姆: 我对核桃过敏。
                    小雪: 明白。
                    @莱姆: 外婆把小提琴留给了我。
                    小雪: 拉给我听。
                    @莱姆: 桥封了。
                    小雪: 嗯。
                    digest now
                    window 2
                    kept 小雪: 早上好，莱姆
                    kept 小雪: 莱姆，你吃了吗？
                    kept 小雪: 莱姆你说什么？
                    kept 小雪: 没什么，莱姆说得对
                    kept 小雪: 莱姆什么都没说
                    kept 小雪: 能告诉莱姆我来了吗？
                    kept 小雪: 莱姆在吗？
                    kept 小雪: 小雪，你说什么？",
                outcome: "
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing
                    nothing",
            },
            Told {
                what: "by a word that is in every question",
                story: "
                    put language = en
                    set Snow, You
                    note Snow (about You, keywords ): He is a duke in hiding
                    note Snow (about You, keywords ): He hums at work
                    kept Snow: What did you say?
                    kept Snow: Do you remember me?",
                outcome: "
                    nothing
                    M2 M1",
            },
            Told {
                what: "in Japanese",
                story: "
                    set さくら, ライム, 健
                    @ライム: 兄は春に船で出る。
                    さくら: 遠いね。
                    @ライム: 水車小屋が焼けた。
                    さくら: 残念。
                    @ライム: クルミのアレルギーがある。
                    さくら: わかった。
                    @ライム: 橋が通れない。
                    さくら: うん。
                    digest now
                    window 2
                    kept さくら: おはよう、ライム
                    kept さくら: ライム、元気ですか？
                    kept さくら: ライムの言うとおりだ",
                outcome: "
                    nothing
                    nothing
                    nothing",
            },
        ],
    );
}

pub fn whoever_asks(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "for themselves",
                story: "
                    put language = en
                    set Snow, Lime
                    note Snow (about Bob, keywords ): He never eats fish
                    note Snow (about Lime, keywords , weighs 0.9): He is a duke in hiding
                    note Snow (about Lime, keywords ): He hums at work
                    from Lime
                    kept Snow: Do you remember me?
                    kept Snow: What do you know about me?
                    kept Snow: What did I tell you?
                    kept Snow: Who am I?
                    kept Snow: What should I do?
                    kept Snow: How should I know?
                    kept Snow: Tell me!
                    kept Snow: Can you tell me what time it is?
                    from anybody
                    kept Snow: Do you remember me?",
                outcome: "
                    M2 M3
                    M2 M3
                    M2 M3
                    M2 M3
                    nothing
                    nothing
                    nothing
                    nothing
                    M2 M3",
            },
            Told {
                what: "in Chinese and in Japanese",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿青, keywords ): 她从不吃鱼
                    note 小雪 (about 莱姆, keywords , weighs 0.9): 他是流亡的公爵
                    note 小雪 (about 莱姆, keywords ): 他干活时哼歌
                    from 莱姆
                    kept 小雪: 你还记得我吗？
                    kept 小雪: 我跟你说过什么？
                    kept 小雪: 你知道我是谁吗
                    kept 小雪: 私のこと覚えてる？
                    kept 小雪: 我该怎么办？
                    kept 小雪: 我怎么知道？
                    kept 小雪: 告诉我吧",
                outcome: "
                    M2 M3
                    M2 M3
                    M2 M3
                    M2 M3
                    nothing
                    nothing
                    nothing",
            },
        ],
    );
}
