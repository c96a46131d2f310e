//! Whose is what was said and waits to be remembered, where several are given a voice?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

/// What one of several forgot or put into other words stays so for that one, while the others know it; and what only a later one heard is
/// found, too.
pub fn each_of_several_as_they_have_it(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what one of them forgot, before its line is remembered anew",
                story: "
                    put language = en
                    set Ann, Bob, Lime
                    @Lime: The password of the vault is marmalade
                    Ann: I will not tell anybody
                    digest now
                    forget Bob M1
                    edit L2: I will tell nobody
                    set Ann, Bob, Flint
                    with Bob
                    ask Ann: What was the password again?
                    with Ann
                    ask Bob: What was the password again?
                    alone
                    kept Bob: What was the password again?
                    kept Ann: What was the password again?
                    with Bob
                    digest now
                    ask Ann: What was the password again?",
                outcome: "
                    ## Memories
                    ### What happened
                    - [Ann] [in another conversation]
                    Lime: \"The password of the vault is marmalade\"
                    Ann: \"I will tell nobody\"
                    ## Memories
                    ### What happened
                    - [Ann] [in another conversation]
                    Lime: \"The password of the vault is marmalade\"
                    Ann: \"I will tell nobody\"
                    nothing
                    L1
                    ## Memories
                    ### What happened
                    - [Ann] [Participants: Lime, Ann, Bob]
                    Lime: \"The password of the vault is marmalade\"
                    Ann: \"I will tell nobody\"",
            },
            Told {
                what: "what one of them put into other words, here",
                story: "
                    set 小雪, 阿青, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    digest now
                    reword 阿青 M1: 花盆是空的
                    edit L2: 好吧
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    @莱姆: 晚饭吃什么
                    小雪: 吃面吧
                    window 2
                    with 阿青
                    ask 小雪: 钥匙在哪里
                    with 小雪
                    ask 阿青: 钥匙在哪里
                    alone
                    kept 阿青: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪】[本次对话早先]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好吧\"
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪】[本次对话早先]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好吧\"
                    nothing",
            },
            Told {
                what: "what only one of them heard, here and elsewhere, whoever is named first",
                story: "
                    scene 酒馆: 小雪, 莱姆, 阿青
                    open
                    @莱姆 → 阿青: 钥匙在花盆下面
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    with 阿青
                    ask 小雪: 钥匙在哪里
                    with 小雪
                    ask 阿青: 钥匙在哪里
                    set 阿青, 石头
                    @石头: 我把船藏在芦苇里了
                    set 小雪, 阿青
                    with 阿青
                    ask 小雪: 芦苇里有什么
                    with 路人, 阿青
                    kept 小雪: 芦苇里有什么
                    with 阿青
                    kept 路人: 芦苇里有什么",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 【阿青】[本次对话早先]
                    莱姆: \"钥匙在花盆下面\"
                    ## 角色记忆
                    ### 情景记忆
                    - 【阿青】[本次对话早先]
                    莱姆: \"钥匙在花盆下面\"
                    ## 角色记忆
                    ### 情景记忆
                    - 【阿青】[另一场对话]
                    石头: \"我把船藏在芦苇里了\"
                    L4
                    L4",
            },
            Told {
                what: "what one of them forgot the very line of stands in no history of theirs",
                story: "
                    set 小雪, 阿青, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    digest now
                    forget 小雪 M1 lines
                    edit L2: 好吧
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    with 阿青
                    ask 小雪: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 【阿青】[本次对话早先]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好吧\"",
            },
            Told {
                what: "in Japanese, where the history may have no room for it",
                story: "
                    set さくら, 健, 光
                    @光: 鍵は植木鉢の下に隠した
                    さくら: わかった
                    digest now
                    forget 健 M1
                    edit L2: わかったよ
                    @光: 雲がきれいだね。山の向こうから一つずつゆっくり流れてきて、湖の上まで来ると消えてしまう。私は午後ずっと湖のほとりに座って見ていたんだ
                    さくら: 本当だね。小さいころお祭りで食べた綿菓子みたいで、顔じゅうべたべたになって、家に帰ったらおばあちゃんに何日も笑われたのを思い出すよ
                    @光: 晩ごはんは何にしようか。昨日のスープがまだ鍋に半分残っているから、麺を少し足して、卵を二つ入れて、ねぎも刻んで、ゆっくり温めようか
                    さくら: 麺がいいな。ねぎは多めに、卵は半熟にして、食べ終わったら川に沿って橋まで歩いて、それからまた家に帰ろうよ
                    budget 220
                    with 健
                    why さくら: 植木鉢はどこ？
                    ask さくら: 植木鉢はどこ？
                    alone
                    why 健: 植木鉢はどこ？",
                outcome: "
                    L1 kept
                    ## 角色记忆
                    ### 情景记忆
                    - 【さくら】[本次对话早先]
                    光: \"鍵は植木鉢の下に隠した\"
                    さくら: \"わかったよ\"
                    nothing",
            },
        ],
    );
}
