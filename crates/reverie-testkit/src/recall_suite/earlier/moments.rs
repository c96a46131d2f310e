//! Stories in which much changes: what they are called, what is asked behind every step, and what happens.

pub(super) const STORIES: &[(&str, &[&str], &str)] = &[
    (
        "lines and where they lead",
        &["小雪: 狐狸和乌鸦", "莱姆: 灯塔", "小雪"],
        "
        set 小雪, 莱姆
        put recall.said = 1
        @莱姆: 我养了一只狐狸
        小雪: 真的吗
        digest now
        wait 100000
        @莱姆: 灯塔修好了
        小雪: 太好了，狐狸也高兴
        digest now
        edit L1: 我养了一只乌鸦
        digest now
        hide L3
        show L3
        undo 2
        小雪: 我去喂狐狸
        beside L5
        小雪: 我去喂乌鸦
        digest now
        head L4
        save 一
        hide L2
        @莱姆: 乌鸦飞走了
        小雪: 灯塔那边
        digest now
        load 一
        @莱姆: 睡吧
        digest now",
    ),
    (
        "what one makes of it",
        &["小雪: 灯塔和狐狸", "莱姆: 灯塔和狐狸", "阿青: 灯塔"],
        "
        set 小雪, 莱姆, 阿青
        put recall.said = 1
        event 小雪, 莱姆: 灯塔修好了
        note 小雪 (trait): 她怕狐狸
        @阿青: 狐狸跑进灯塔了
        莱姆: 我去追
        digest now
        pin 小雪 M1
        reword 小雪 M1: 灯塔那天我很高兴
        forget 莱姆 M1
        forget 小雪 M3 lines
        share 小雪 M2
        unforget 小雪 M3
        unpin 小雪 M1
        take back 小雪 M1
        unforget 莱姆 M1
        forget 小雪 M2
        take back 小雪 M2
        rebuild
        digest now",
    ),
    (
        "who is who, and the rules",
        &["Snow: The lighthouse, Qing and the fox", "Qing: The fox", "Lime: Yesterday"],
        "
        scene Tavern: Snow, Lime, Qing
        present Snow, Lime
        put language = en
        @Lime: Qing saw a fox at the lighthouse.
        Snow: Yesterday?
        digest now
        note Snow (trait, about Qing): She trusts Qing
        present Snow, Lime, Qing
        name Qing = Miss Qing
        @Qing: The fox is mine.
        Lime: Since when?
        digest now
        put recall.said = 1
        put recall.most.episodic = 1
        put audience = strict
        put recall.most.episodic = 9
        put layers.situational.capacity = 0
        event Snow, Qing: The lighthouse burned down
        put recall.semantic = 0
        put audience = open
        present Snow, Qing
        name Qing = Qing
        put recall.lexical@Snow = 0
        put recall.enabled = false
        put recall.enabled = true",
    ),
    (
        "time goes by",
        &["小雪: 灯塔", "小雪: 昨天"],
        "
        set 小雪, 莱姆
        put calendar.kind = rimworld
        put recall.said = 1
        [0] @莱姆: 灯塔修好了
        小雪: 好
        digest now
        event 小雪: 灯塔点亮了
        [600000] @莱姆: 一年过去了
        小雪: 嗯
        digest now
        fresh 小雪 M1
        [660000] 小雪: 我还记得灯塔
        undo 1
        [6000000] @莱姆: 灯塔还在吗
        digest now",
    ),
];
