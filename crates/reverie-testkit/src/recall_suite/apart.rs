//! Does nothing come to mind that is of another world, another path or another holder, even with minds at hand?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn worlds(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "the same ids in two worlds",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    note 小雪 (trait): 这个世界有一座灯塔
                    kept 小雪: 灯塔
                    world 甲乙
                    put recall.said = 1
                    set 小雪, 莱姆
                    kept 小雪: 灯塔
                    note 小雪 (trait): 那个世界有两座灯塔
                    ask 小雪: 灯塔
                    back the same ids in two worlds
                    set 小雪, 莱姆
                    ask 小雪: 灯塔",
                outcome: "
                    M1
                    nothing
                    ## 角色记忆
                    ### 特质记忆
                    - 那个世界有两座灯塔
                    ## 角色记忆
                    ### 特质记忆
                    - 这个世界有一座灯塔",
            },
            Told {
                what: "a fork goes its own way",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫
                    kept 小雪: 猫
                    fork 岔路
                    set 小雪, 莱姆
                    ask 小雪: 猫
                    note 小雪 (trait): 她养了猫
                    forget 小雪 M1
                    ask 小雪: 猫
                    back a fork goes its own way
                    set 小雪, 莱姆
                    ask 小雪: 猫",
                outcome: "
                    M1
                    ## 角色记忆
                    ### 特质记忆
                    - 她怕猫
                    ## 角色记忆
                    ### 特质记忆
                    - 她养了猫
                    ## 角色记忆
                    ### 特质记忆
                    - 她怕猫",
            },
            Told {
                what: "a world is erased and created again under its id",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    note 小雪 (trait): 她怕猫
                    kept 小雪: 狐狸
                    erase world
                    put recall.said = 1
                    set 小雪, 莱姆
                    kept 小雪: 狐狸
                    @莱姆: 我养了一只乌鸦
                    小雪: 真的
                    digest now
                    window 1
                    ask 小雪: 乌鸦和狐狸",
                outcome: r#"
                    M2
                    nothing
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "我养了一只乌鸦"
                    小雪: "真的""#,
            },
        ],
    );
}

pub fn paths(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "undone, and done again",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    @莱姆: 睡吧
                    小雪: 好
                    digest now
                    window 1
                    kept 小雪: 狐狸
                    undo 2
                    kept 小雪: 狐狸
                    undo 2
                    kept 小雪: 狐狸
                    head L2
                    kept 小雪: 狐狸
                    head L4
                    kept 小雪: 狐狸",
                outcome: "
                    M1
                    M1
                    nothing
                    M1
                    M1",
            },
            Told {
                what: "another answer",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 你养什么
                    小雪: 我养了一只狐狸
                    digest now
                    window 1
                    kept 小雪: 狐狸
                    beside L2
                    小雪: 我养了一只乌鸦
                    digest now
                    kept 小雪: 狐狸
                    ask 小雪: 乌鸦
                    head L2
                    kept 小雪: 乌鸦
                    kept 小雪: 狐狸",
                outcome: r#"
                    M1
                    nothing
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "你养什么"
                    小雪: "我养了一只乌鸦"
                    nothing
                    M1"#,
            },
            Told {
                what: "restored",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    note 小雪 (trait): 她怕猫
                    save 一
                    kept 小雪: 猫
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    note 小雪 (trait): 她怕狗
                    reword 小雪 M1: 她不怕猫了
                    window 1
                    ask 小雪: 猫狗狐狸
                    save 二
                    load 一
                    ask 小雪: 猫狗狐狸
                    load 二
                    ask 小雪: 猫狗狐狸",
                outcome: r#"
                    M1
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "我养了一只狐狸"
                    小雪: "真的"
                    ### 特质记忆
                    - 她不怕猫了
                    - 她怕狗
                    ## 角色记忆
                    ### 特质记忆
                    - 她怕猫
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "我养了一只狐狸"
                    小雪: "真的"
                    ### 特质记忆
                    - 她不怕猫了
                    - 她怕狗"#,
            },
        ],
    );
}

pub fn gone(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "forgotten, and remembered again",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    @莱姆: 睡吧
                    小雪: 好
                    digest now
                    window 1
                    kept 小雪: 狐狸
                    forget 小雪 M1
                    kept 小雪: 狐狸
                    kept 莱姆: 狐狸
                    unforget 小雪 M1
                    kept 小雪: 狐狸",
                outcome: "
                    M1
                    nothing
                    M1
                    M1",
            },
            Told {
                what: "forgotten with its lines",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    kept 小雪: 狐狸
                    forget 小雪 M1 lines
                    prompt 小雪: 狐狸",
                outcome: "
                    nothing
                    user | 狐狸",
            },
            Told {
                what: "a line is edited, hidden, erased",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    @莱姆: 睡吧
                    小雪: 好
                    digest now
                    window 1
                    kept 小雪: 狐狸
                    edit L1: 我养了一只乌鸦
                    kept 小雪: 狐狸
                    digest now
                    ask 小雪: 乌鸦
                    hide L1
                    kept 小雪: 乌鸦
                    show L1
                    kept 小雪: 乌鸦
                    erase L1
                    kept 小雪: 乌鸦
                    digest now
                    kept 小雪: 乌鸦",
                outcome: r#"
                    M1
                    nothing
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪]
                    莱姆: "我养了一只乌鸦"
                    小雪: "真的"
                    nothing
                    M3
                    nothing
                    nothing"#,
            },
            Told {
                what: "somebody is erased",
                story: "
                    put recall.said = 1
                    set 小雪, 莱姆, 阿青
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    note 阿青 (pinned): 她养猫
                    window 1
                    kept 小雪: 狐狸
                    kept 阿青: 你好
                    erase 阿青
                    kept 小雪: 狐狸
                    kept 阿青: 你好
                    digest now
                    ask 小雪: 狐狸",
                outcome: r#"
                    M1
                    M2
                    L1
                    nothing
                    ## 角色记忆
                    ### 情景记忆
                    - [对话参与者：莱姆、小雪、某人]
                    莱姆: "我养了一只狐狸"
                    小雪: "真的""#,
            },
        ],
    );
}

pub fn others(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "each has its own wording",
                story: "
                    put recall.said = 1
                    set 小雪, 阿青
                    event 小雪, 阿青: 灯塔被雷劈了
                    kept 小雪: 灯塔
                    kept 阿青: 灯塔
                    reword 小雪 M1: 灯塔那夜我很害怕
                    ask 小雪: 灯塔
                    ask 阿青: 灯塔
                    take back 小雪 M1
                    ask 小雪: 灯塔",
                outcome: "
                    M1
                    M1
                    ## 角色记忆
                    ### 情景记忆
                    - 灯塔那夜我很害怕
                    ## 角色记忆
                    ### 情景记忆
                    - 灯塔被雷劈了
                    ## 角色记忆
                    ### 情景记忆
                    - 灯塔被雷劈了",
            },
            Told {
                what: "nobody knows what others keep",
                story: "
                    put recall.said = 1
                    set 小雪, 阿青
                    note 阿青 (pinned): 我把信藏在灯塔里
                    note 阿青 (shareable): 灯塔里有老鼠
                    event 阿青: 灯塔的门锁上了
                    kept 小雪: 灯塔
                    kept 阿青: 灯塔",
                outcome: "
                    nothing
                    M1 M2 M3",
            },
            Told {
                what: "who was not there, and who came late",
                story: "
                    put recall.said = 1
                    scene 酒馆: 小雪, 莱姆
                    @莱姆: 我养了一只狐狸
                    小雪: 真的
                    digest now
                    present 小雪, 莱姆, 阿青
                    @莱姆: 喝酒
                    小雪: 好
                    digest now
                    window 1
                    kept 阿青: 狐狸
                    kept 小雪: 狐狸",
                outcome: "
                    nothing
                    M1",
            },
        ],
    );
}
