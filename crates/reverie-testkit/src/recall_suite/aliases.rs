//! Does whoever is called otherwise come to mind as if the name had been said, and nobody else in their place?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Prompter, Told, told};

pub fn as_if_the_name_were_said(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "whom a memory is about",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
                    note 小雪 (about Bartholomew, keywords ): 他从不吃辣
                    note 小雪 (about さゆり, keywords ): 歌がうまい
                    kept 小雪: 老默在吗
                    alias 阿默 = 老默, 灯塔爷爷, Mo
                    alias Bartholomew = Bart, Old Barty
                    alias さゆり = さっちゃん
                    legs 小雪: 你见过阿默吗
                    legs 小雪: 你见过老默吗
                    kept 小雪: 老默在吗
                    kept 小雪: 那位灯塔爷爷呢
                    kept 小雪: Has mo come by?
                    kept 小雪: Have you met BART?
                    kept 小雪: And old barty's stew?
                    kept 小雪: さっちゃんは元気？
                    kept 小雪: 你好",
                outcome: "
                    nothing
                    M1 lexical related
                    M1 lexical related
                    M1
                    M1
                    M1
                    M2
                    M2
                    M3
                    nothing",
            },
            Told {
                what: "one who is only spoken of",
                story: "
                    set 小雪, 莱姆
                    card 阿默
                    event 小雪: 阿默把灯塔修好了
                    event 小雪: 老默昨晚划船走了
                    event 小雪: 集市上的苹果很甜
                    alias 阿默 = 老默
                    kept 小雪: 老默修过什么
                    kept 小雪: 阿默去哪儿了",
                outcome: "
                    M1 M2
                    M1 M2",
            },
            Told {
                what: "a letter more is another name",
                story: "
                    set Snow, Lime
                    note Snow (about Bartholomew, keywords ): never eats anything hot
                    alias Bartholomew = Bart
                    kept Snow: the bartender was nice
                    kept Snow: is Bart here?",
                outcome: "
                    nothing
                    M1",
            },
        ],
    );
}

pub fn who_shares_one(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "both come to mind, and by their own names each alone",
            story: "
                set 小雪, 莱姆
                note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
                note 小雪 (about 阿青, keywords ): 她的画很好看
                alias 阿默 = 老师
                alias 阿青 = 老师, 青姐
                kept 小雪: 老师在吗
                kept 小雪: 青姐在吗
                kept 小雪: 阿默在吗",
            outcome: "
                M2 M1
                M2
                M1",
        }],
    );
}

/// Every question is asked of an engine that has everything at hand and of one that has nothing.
pub fn when_they_change(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "given, changed and taken away",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
                    kept 小雪: 老默在吗
                    alias 阿默 = 老默
                    kept 小雪: 老默在吗
                    alias 阿默 = 默爷, 默爷,  , Mo
                    kept 小雪: 老默在吗
                    kept 小雪: 默爷在吗
                    name 阿默 = 守灯人
                    kept 小雪: 默爷在吗
                    alias 阿默 =
                    kept 小雪: 默爷在吗",
                outcome: "
                    nothing
                    M1
                    nothing
                    M1
                    M1
                    nothing",
            },
            Told {
                what: "with the save, the branch of the world, and the moment",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
                    revision 起初
                    alias 阿默 = 老默
                    save 一
                    alias 阿默 = 默爷
                    kept 小雪: 老默在吗
                    kept 小雪: 默爷在吗
                    as of 起初
                    kept 小雪: 默爷在吗
                    as of now
                    load 一
                    kept 小雪: 老默在吗
                    kept 小雪: 默爷在吗
                    fork 另一个世界
                    among 小雪, 莱姆
                    alias 阿默 = 灯爷
                    kept 小雪: 灯爷在吗
                    kept 小雪: 老默在吗
                    back with the save, the branch of the world, and the moment
                    kept 小雪: 灯爷在吗
                    kept 小雪: 老默在吗",
                outcome: "
                    nothing
                    M1
                    nothing
                    M1
                    nothing
                    M1
                    nothing
                    nothing
                    M1",
            },
            Told {
                what: "who is gone is meant by nobody",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
                    alias 阿默 = 老默
                    kept 小雪: 老默在吗
                    erase 阿默
                    kept 小雪: 老默在吗",
                outcome: "
                    M1
                    nothing",
            },
        ],
    );
}

/// What is known of one world's names says nothing of another's, nor of one that comes after it under its id.
pub fn of_another_world(store: Arc<dyn Store>) {
    let mut prompter = Prompter::new(&store, "甲");
    let told = prompter.play(
        "set 小雪, 莱姆
        note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
        alias 阿默 = 老默
        kept 小雪: 老默在吗
        world 乙
        set 小雪, 莱姆
        note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
        kept 小雪: 老默在吗
        back 甲
        erase world
        set 小雪, 莱姆
        note 小雪 (about 阿默, keywords ): 每天傍晚都去点灯
        kept 小雪: 老默在吗
        alias 阿默 = 默爷
        kept 小雪: 默爷在吗",
    );
    assert_eq!(told.split_whitespace().collect::<Vec<_>>(), ["M1", "nothing", "nothing", "M1"]);
}
