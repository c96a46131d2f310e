//! Does what was said in a scene that goes on come to mind, once the history does not reach back to it? And elsewhere, at once?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn in_a_round_that_stays_open(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "as lines, and as a memory once it is over",
                story: "
                    set 小雪, 莱姆
                    open
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好，谁也不告诉
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    @莱姆: 晚饭吃什么
                    小雪: 吃面吧
                    kept 小雪: 钥匙在哪里
                    window 2
                    kept 小雪: 钥匙在哪里
                    ask 小雪: 钥匙在哪里
                    legs 小雪: 钥匙在哪里
                    kept 小雪: 你好
                    close
                    digest now
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    nothing
                    L1
                    ## 角色记忆
                    ### 情景记忆
                    - [本次对话早先]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好，谁也不告诉\"
                    L1 lexical
                    nothing
                    M1",
            },
            Told {
                what: "in English, and without any round",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: The password of the vault is marmalade
                    Snow: I will not tell anybody
                    @Lime: Look at those clouds
                    Snow: They look like sheep
                    window 2
                    ask Snow: What was the password again?
                    digest now
                    kept Snow: What was the password again?",
                outcome: "
                    ## Memories
                    ### What happened
                    - [earlier in this conversation]
                    Lime: \"The password of the vault is marmalade\"
                    Snow: \"I will not tell anybody\"
                    M1",
            },
            Told {
                what: "in Japanese",
                story: "
                    set さくら, 健
                    open
                    @健: 鍵は植木鉢の下に隠した
                    さくら: わかった
                    @健: 雲がきれいだね
                    さくら: 本当だ
                    window 2
                    kept さくら: 植木鉢はどこ？",
                outcome: "L1",
            },
            Told {
                what: "in a budget that has no room for all of it",
                story: "
                    set 小雪, 莱姆
                    open
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好，谁也不告诉
                    @莱姆: 今天的云真好看，一朵一朵从山那边飘过来，慢慢地飘，飘到湖上就不见了，我坐在湖边看了整整一个下午
                    小雪: 像棉花糖，我小时候在集市上吃过一次，粘得满脸都是，回家被奶奶笑了好几天，后来再也没有吃过
                    @莱姆: 晚饭吃什么呢，昨天剩下的汤还有半锅，要不要再煮一点面放进去，加两个鸡蛋，再切一点葱花
                    小雪: 吃面吧，葱花多放一点，鸡蛋要溏心的，吃完我们去散步，沿着河走到桥那边再回来，好不好
                    why 小雪: 钥匙在哪里
                    budget 200
                    why 小雪: 钥匙在哪里",
                outcome: "
                    nothing
                    L1 kept",
            },
            Told {
                what: "not where nobody wants it",
                story: "
                    set 小雪, 莱姆
                    open
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    window 2
                    kept 小雪: 钥匙在哪里
                    put recall.archive = false
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    L1
                    nothing",
            },
        ],
    );
}

pub fn only_what_one_may_know(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what was whispered to others",
                story: "
                    scene 酒馆: 小雪, 莱姆, 阿青
                    open
                    @莱姆 → 阿青: 钥匙在花盆下面
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    @莱姆: 晚饭呢
                    小雪: 吃面吧
                    window 2
                    kept 小雪: 钥匙在哪里
                    kept 阿青: 钥匙在哪里
                    with 小雪
                    ask 阿青: 钥匙在哪里",
                outcome: "
                    nothing
                    L1
                    ## 角色记忆
                    ### 情景记忆
                    - 【阿青】[本次对话早先]
                    莱姆: \"钥匙在花盆下面\"",
            },
            Told {
                what: "what was hidden, reworded, undone and erased",
                story: "
                    set 小雪, 莱姆
                    open
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    @莱姆: 晚饭吃什么
                    小雪: 吃面吧
                    window 2
                    hide L1
                    kept 小雪: 钥匙在哪里
                    show L1
                    kept 小雪: 钥匙在哪里
                    edit L1: 我把画藏在阁楼里了
                    kept 小雪: 钥匙在哪里
                    kept 小雪: 阁楼里有什么
                    head L2
                    @莱姆: 早点睡
                    小雪: 晚安
                    kept 小雪: 云像什么
                    kept 小雪: 阁楼里有什么
                    erase L1
                    kept 小雪: 阁楼里有什么",
                outcome: "
                    nothing
                    L1
                    nothing
                    L1
                    nothing
                    L1
                    nothing",
            },
            Told {
                what: "before those who did not hear it",
                story: "
                    scene 酒馆: 小雪, 莱姆
                    open
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    @莱姆: 今天的云真好看
                    小雪: 像棉花糖
                    window 2
                    put audience = strict
                    kept 小雪: 钥匙在哪里
                    present 小雪, 莱姆, 阿青
                    why 小雪: 钥匙在哪里
                    put audience = same-conversation
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    L1
                    L1 audience
                    L1",
            },
        ],
    );
}

/// An exchange is a memory only when somebody speaks again, or after a while. Whoever goes into the next room does not wait for that.
pub fn just_now_in_another_room(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "as lines, and as a memory once it is over; of others nobody heard",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好，谁也不告诉
                    set 小雪, 石头
                    ask 小雪: 钥匙在哪里
                    legs 小雪: 钥匙在哪里
                    kept 石头: 钥匙在哪里
                    kept 小雪: 你好
                    digest now
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [另一场对话]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好，谁也不告诉\"
                    L1 lexical
                    nothing
                    nothing
                    M1",
            },
            Told {
                what: "in English, with a history of the host's own, and where nobody wants it",
                story: "
                    put language = en
                    set Snow, Lime
                    @Lime: The password of the vault is marmalade
                    Snow: I will not tell anybody
                    set Snow, Flint
                    nowhere
                    ask Snow: What was the password again?
                    put recall.archive = false
                    kept Snow: What was the password again?",
                outcome: "
                    ## Memories
                    ### What happened
                    - [in another conversation]
                    Lime: \"The password of the vault is marmalade\"
                    Snow: \"I will not tell anybody\"
                    nothing",
            },
            Told {
                what: "two talks at once are two exchanges",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    set 小雪, 石头
                    @石头: 桥断了
                    set 小雪, 莱姆
                    小雪: 钥匙的事谁也不告诉
                    set 小雪, 阿青
                    ask 小雪: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [另一场对话]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"钥匙的事谁也不告诉\"",
            },
            Told {
                what: "not twice where the prompt quotes it as background",
                story: "
                    set 小雪, 莱姆, 石头
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    set 小雪, 莱姆
                    why 小雪: 钥匙在哪里",
                outcome: "nothing",
            },
            Told {
                what: "nor where the host brings it along itself",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好，钥匙的事谁也不告诉
                    brought @莱姆: 我把钥匙藏在花盆下面了
                    ask 小雪: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - [另一场对话]
                    小雪: \"好，钥匙的事谁也不告诉\"",
            },
            Told {
                what: "told with who knows it, where several are given a voice",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    set 小雪, 石头
                    with 石头
                    ask 小雪: 钥匙在哪里
                    digest now
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    ## 角色记忆
                    ### 情景记忆
                    - 【小雪】[另一场对话]
                    莱姆: \"我把钥匙藏在花盆下面了\"
                    小雪: \"好\"
                    M1",
            },
            Told {
                what: "what was forgotten stays so while its lines wait to be remembered anew",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    digest now
                    forget 小雪 M1
                    edit L2: 好吧
                    set 小雪, 石头
                    kept 小雪: 钥匙在哪里
                    digest now
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    nothing
                    nothing",
            },
            Told {
                what: "nothing that was undone, hidden or erased",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    hide L1
                    set 小雪, 石头
                    kept 小雪: 钥匙在哪里
                    show L1
                    kept 小雪: 钥匙在哪里
                    erase L1
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    nothing
                    L1
                    nothing",
            },
            Told {
                what: "only before those who may hear it",
                story: "
                    put prompt.background_lines = 0
                    set 小雪, 莱姆, 阿青
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    put audience = strict
                    set 小雪, 石头
                    why 小雪: 钥匙在哪里
                    set 小雪, 阿青
                    why 小雪: 钥匙在哪里
                    put audience = same-conversation
                    why 小雪: 钥匙在哪里",
                outcome: "
                    L1 audience
                    L1 kept
                    nothing",
            },
            Told {
                what: "as it was then",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我把钥匙藏在花盆下面了
                    小雪: 好
                    set 小雪, 石头
                    revision 甲
                    digest now
                    kept 小雪: 钥匙在哪里
                    as of 甲
                    kept 小雪: 钥匙在哪里",
                outcome: "
                    M1
                    L1",
            },
        ],
    );
}
