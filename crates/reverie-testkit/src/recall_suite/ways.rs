//! By which ways does a memory come to mind?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn keywords_and_topics(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "a keyword that the text does not have",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (keywords 月光石): 他送的礼物还在抽屉里
                    note 小雪 (keywords moonstone): 那天下了很大的雪
                    note 小雪 (keywords 青い薔薇): 図書館で会った
                    note 小雪 (keywords , topics 航海): 北边来的人说了很久
                    legs 小雪: 月光石呢？
                    kept 小雪: 月光石呢？
                    kept 小雪: Where is the MOONSTONE?
                    kept 小雪: 青い薔薇を覚えてる？
                    kept 小雪: 说说航海
                    kept 小雪: Do you like moonstones?
                    kept 小雪: 石头",
                outcome: "
                    M1 lexical keyword
                    M2 lexical related
                    M4 lexical related
                    M3 lexical related
                    M1
                    M2
                    M3
                    M4
                    M2
                    nothing",
            },
            Told {
                what: "spellings are one",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (keywords 龍門|café): 他在那里等了三天
                    kept 小雪: 龙门在哪？
                    kept 小雪: ＣＡＦÉ?",
                outcome: "
                    M1
                    M1",
            },
            Told {
                what: "two keywords bring it nearer than one",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (keywords 灯塔): 他说过要回来
                    note 小雪 (keywords 灯塔|风暴): 船没有回港口
                    kept 小雪: 灯塔，风暴",
                outcome: "M2 M1",
            },
        ],
    );
}

pub fn people(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "by the name of one whom it is about",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿青, keywords ): 她的画很好看
                    note 小雪 (about Bob, keywords ): 他从不吃辣
                    note 小雪 (about さゆり, keywords ): 歌がうまい
                    legs 小雪: 你见过阿青吗
                    kept 小雪: 你见过阿青吗
                    kept 小雪: Have you met Bob?
                    kept 小雪: さゆりは元気？
                    kept 小雪: 你好",
                outcome: "
                    M1 lexical related
                    M1
                    M2
                    M3
                    nothing",
            },
            Told {
                what: "by a new name, and not by the old one",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (about 阿青, keywords ): 她的画很好看
                    kept 小雪: 阿青在吗
                    name 阿青 = 青姑娘
                    kept 小雪: 青姑娘在吗
                    kept 小雪: 阿青在吗",
                outcome: "
                    M1
                    M1
                    nothing",
            },
            Told {
                what: "whoever is in every memory says little",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 早
                    小雪: 早
                    @莱姆: 吃了吗
                    小雪: 没
                    @莱姆: 走吧
                    小雪: 走
                    @莱姆: 到了
                    小雪: 嗯
                    @莱姆: 上楼
                    小雪: 哦
                    @莱姆: 开灯
                    小雪: 亮了
                    @莱姆: 坐
                    小雪: 谢谢
                    digest now
                    window 2
                    kept 小雪: 小雪，莱姆说得对
                    kept 小雪: 小雪，你好呀",
                outcome: "
                    nothing
                    nothing",
            },
        ],
    );
}

pub fn words(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "rare words before common ones",
                story: "
                    set 小雪, 莱姆
                    event 小雪: 在集市上买了苹果
                    event 小雪: 在集市上买了梨
                    event 小雪: 在集市上买了银色的口琴
                    event 小雪: 在集市上遇到老师
                    kept 小雪: 集市上的口琴",
                outcome: "M3 M2 M1",
            },
            Told {
                what: "whatever form a word has",
                story: "
                    put language = en
                    set Snow, Lime
                    event Snow: Lime was baking bread in the old mill
                    event Snow: The river froze over
                    kept Snow: Does Lime bake breads?
                    kept Snow: frozen rivers",
                outcome: "
                    M1
                    M2",
            },
            Told {
                what: "in Japanese",
                story: "
                    set さくら
                    event さくら: 山の上の神社で鈴を鳴らした
                    event さくら: 川で魚を釣った
                    kept さくら: 神社の鈴
                    kept さくら: 魚釣り",
                outcome: "
                    M1
                    nothing",
            },
        ],
    );
}

pub fn neighbours(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "what was said right after comes first of what has nothing in common with it",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 你去过敦煌的莫高窟吗？
                    小雪: 去过。
                    @莱姆: 看到了什么？
                    小雪: 墙上的飞天。
                    @莱姆: 吃面吗？
                    小雪: 吃。
                    @莱姆: 睡了？
                    小雪: 嗯。
                    digest now
                    window 2
                    legs 小雪: 再说说敦煌的莫高窟
                    kept 小雪: 再说说敦煌的莫高窟",
                outcome: "
                    M1 lexical keyword related
                    M2 related
                    M4 lexical keyword related
                    M3 related
                    M1",
            },
            Told {
                what: "what has nothing in common with it does not come for their sake",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 你去过敦煌的莫高窟吗？
                    小雪: 去过。
                    @莱姆: 我对花生过敏
                    小雪: 我记住了
                    @莱姆: 吃面吗？
                    小雪: 吃。
                    @莱姆: 睡了？
                    小雪: 嗯。
                    digest now
                    window 2
                    kept 小雪: 再说说敦煌的莫高窟",
                outcome: "M1",
            },
            Told {
                what: "not of another day's talk",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 你去过敦煌的莫高窟吗？
                    小雪: 去过。
                    digest now
                    wait 86400
                    @莱姆: 看到了什么？
                    小雪: 墙上的飞天。
                    @莱姆: 吃面吗？
                    小雪: 吃。
                    digest now
                    window 2
                    legs 小雪: 再说说敦煌的莫高窟
                    kept 小雪: 再说说敦煌的莫高窟",
                outcome: "
                    M1 lexical keyword related
                    M4 lexical keyword related
                    M3 lexical related
                    M2 related
                    M1",
            },
            Told {
                what: "what is being said lends nothing",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 海边的灯塔还亮着
                    小雪: 真好
                    @莱姆: 山里的樱花开了
                    小雪: 真美
                    digest now
                    window 2
                    kept 小雪: 樱花
                    kept 小雪",
                outcome: "
                    nothing
                    nothing",
            },
        ],
    );
}

pub fn few_memories(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "one alone is found by one word",
                story: "
                    set 小雪, 莱姆
                    note 小雪 (keywords ): 莱姆的妹妹叫阿青
                    kept 小雪: 阿青是谁？
                    kept 小雪: 你好",
                outcome: "
                    M1
                    nothing",
            },
            Told {
                what: "in English",
                story: "
                    set Snow, Lime
                    note Snow (semantic, keywords ): His sister is called Qing
                    kept Snow: Who is Qing?
                    kept Snow: Who is there?",
                outcome: "
                    M1
                    nothing",
            },
        ],
    );
}

/// A question that nobody could answer is remembered, too, and is nearest to itself.
pub fn what_was_asked_before(store: Arc<dyn Store>) {
    told(
        &store,
        &[Told {
            what: "hides no answer",
            story: "
                    set 阿默, 旅人
                    @旅人: 我来找我姐姐。她七年前在雾港失踪，只留下一封信
                    阿默: 嗯
                    digest now
                    set 阿默, 石头
                    @石头: 你还记得他来找谁吗？
                    阿默: 让我想想
                    digest now
                    set 阿默, 阿青
                    kept 阿默: 你还记得他来找谁吗？",
            outcome: "M2 M1",
        }],
    );
}
