//! Scenes: who comes, who goes, and what does each of them see?

use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, OpenConversation, WhichLines};
use reverie_core::store::Erase;
use reverie_core::{Code, Store};

use super::stage::{Stage, all, check_code, people, shown};

pub fn a_scene_is_found_by_its_name(store: &dyn Store) {
    let stage = Stage::new(store);
    let tavern = stage.scene("居酒屋", &["甲"]);
    assert_eq!(stage.scene("居酒屋", &["乙", "甲"]), tavern, "whoever is named");
    assert_eq!(
        people(&stage.room(&tavern).present),
        "乙 | 甲",
        "nothing has happened yet: it begins with these"
    );
    stage.say(&tavern, "甲: 开门了");
    assert_eq!(stage.scene("居酒屋", &["丙"]), tavern);
    assert_eq!(people(&stage.room(&tavern).present), "乙 | 甲", "it has begun");
    assert_ne!(stage.scene("Tavern", &["甲"]), tavern);
    assert_ne!(stage.set(&["甲"]), tavern);
    let empty = OpenConversation { name: Some("空房间".into()), ..Default::default() };
    let (room, opened) = stage.open(&empty).unwrap();
    assert!(opened);
    assert_eq!((room.name.as_deref(), room.participants, room.head), (Some("空房间"), vec![], None));
}

pub fn people_come_and_go(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let here = stage.present(&room, &["乙", "丙", "旁白"]);
    assert_eq!(people(&here.present), "丙 | 乙");
    assert_eq!(people(&here.participants), "丙 | 乙 | 甲", "everyone who was ever there");
    stage.say(&room, "乙: 二");
    for (witness, saw) in [("甲", "甲: 一"), ("乙", "甲: 一 | 乙: 二"), ("丙", "乙: 二")] {
        assert_eq!(stage.path_of(&room, witness), saw, "{witness}");
    }
}

pub fn a_conversation_of_a_set_becomes_a_scene(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["Ann", "钦灵"]);
    stage.say(&room, "Ann: I own a windmill\n钦灵: 真好");
    stage.save("before");
    let name = |name: &str| store.name_conversation(&stage.world, &room, name);
    stage.scene("taken", &["Ann"]);
    check_code(name("taken"), Code::Conflict);
    let revision = stage.view().revision;
    let named = name("風車").unwrap();
    assert_eq!((named.name.as_deref(), people(&named.present)), (Some("風車"), "Ann | 钦灵".into()));
    assert!(stage.view().revision > revision);
    assert_eq!(name("風車").unwrap(), named, "once is enough");
    check_code(name("windmill"), Code::Conflict);
    assert_ne!(stage.set(&["Ann", "钦灵"]), room, "the set has no conversation any more");
    stage.present(&room, &["Ann", "Kate", "钦灵"]);
    stage.say(&room, "Kate: 我是Kate");
    assert_eq!(stage.path(&room), "Ann: I own a windmill | 钦灵: 真好 | Kate: 我是Kate");
    assert_eq!(stage.path_of(&room, "Kate"), "Kate: 我是Kate");
    for fork in [stage.fork("all", None), stage.fork("early", Some("before"))] {
        let here = fork.room(&room);
        assert_eq!(here.name.as_deref(), Some("風車"));
        let is_early = fork.path(&room) == "Ann: I own a windmill | 钦灵: 真好";
        assert_eq!(people(&here.present), if is_early { "Ann | 钦灵" } else { "Ann | Kate | 钦灵" });
    }
    stage.load("before");
    let here = stage.room(&room);
    assert_eq!(
        (people(&here.present), people(&here.participants)),
        ("Ann | 钦灵".into(), "Ann | 钦灵".into())
    );
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(people(&stage.room(&room).present), "Ann | 钦灵");
}

pub fn late_joiners_see_nothing_earlier(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("教室", &["さくら"]);
    stage.say(&room, "さくら: 内緒の話");
    stage.present(&room, &["さくら", "Bob"]);
    stage.say(&room, "さくら: おはよう、Bob");
    assert_eq!(stage.path_of(&room, "Bob"), "さくら: おはよう、Bob");
    let history = stage.history(&["さくら", "Bob"], Some("Bob"));
    assert_eq!(shown(&history.primary), "さくら: おはよう、Bob");
}

pub fn undo_undoes_who_came(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.say(&room, "甲: 一");
    stage.present(&room, &["甲", "乙"]);
    stage.say(&room, "甲: 二");
    let undone = stage.head(&room, HeadTarget::Back(1));
    assert_eq!(people(&undone.present), "乙 | 甲", "only the line is taken back");
    let undone = stage.head(&room, HeadTarget::Back(1));
    assert_eq!((people(&undone.present), people(&undone.participants)), ("甲".into(), "甲".into()));
    assert_eq!(undone.head, None);
}

pub fn each_branch_has_its_own_people(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    let one = stage.say(&room, "甲: 一");
    stage.present(&room, &["甲", "乙"]);
    let with = stage.say(&room, "甲: 乙在");
    let without = stage.say_at(&room, Attach::Behind(one), "甲: 乙不在");
    assert_eq!(people(&stage.room(&room).participants), "甲");
    assert_eq!(stage.path_of(&room, "乙"), "");
    stage.head(&room, HeadTarget::Line(with));
    assert_eq!(people(&stage.room(&room).participants), "乙 | 甲");
    assert_eq!(stage.path_of(&room, "乙"), "甲: 乙在");
    stage.head(&room, HeadTarget::Line(without));
    // Behind the newest line means behind whoever came or went after it, too.
    stage.present(&room, &["甲", "丙"]);
    let behind = stage.say_at(&room, Attach::Behind(without), "甲: 丙也在");
    assert_eq!(stage.path_of(&room, "丙"), "甲: 丙也在");
    stage.say_at(&room, Attach::Beside(behind), "甲: 丙还在");
    assert_eq!(stage.path_of(&room, "丙"), "甲: 丙还在", "a swipe is said to the same people");
}

pub fn whoever_speaks_is_there(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.say(&room, "甲: 一\n@玩家: 二\n甲: 三");
    assert_eq!(people(&stage.room(&room).present), "玩家 | 甲");
    assert_eq!(stage.path_of(&room, "玩家"), "玩家: 二 | 甲: 三");
    // Being addressed is not being there.
    stage.say(&room, "#丙: 你叫丙");
    assert_eq!(people(&stage.room(&room).present), "玩家 | 甲");
    stage.head(&room, HeadTarget::Back(3));
    assert_eq!(people(&stage.room(&room).participants), "甲");
}

pub fn a_line_behind_an_entrance_has_a_line_as_parent(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &[]);
    stage.present(&room, &["甲"]);
    let one = stage.say(&room, "甲: 一");
    stage.present(&room, &["甲", "乙"]);
    stage.present(&room, &["乙"]);
    let two = stage.say(&room, "乙: 二");
    let path = stage.lines(&room, WhichLines::Path);
    assert_eq!(
        path.iter().map(|line| (line.id, line.parent)).collect::<Vec<_>>(),
        [(one, None), (two, Some(one))]
    );
    let swipe = stage.say_at(&room, Attach::Beside(two), "乙: 又二");
    let other = stage.say_at(&room, Attach::Behind(one), "甲: 乙没来");
    let children: Vec<_> =
        stage.lines(&room, WhichLines::Children(Some(one))).iter().map(|line| line.id).collect();
    assert_eq!(children, [two, swipe, other]);
    let roots: Vec<_> = stage.lines(&room, WhichLines::Children(None)).iter().map(|line| line.id).collect();
    assert_eq!(roots, [one]);
}

pub fn expected_head_guards_presence(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    let line = stage.say(&room, "甲: 一");
    let present = |expected| store.set_present(&stage.world, &room, &all(&["乙"]), expected);
    check_code(present(ExpectedHead::Empty), Code::Conflict);
    present(ExpectedHead::Line(line)).unwrap();
    present(ExpectedHead::Line(line)).unwrap();
    assert_eq!(stage.room(&room).head, Some(line), "coming and going is no line");
}

pub fn deleting_the_line_that_somebody_came_with(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    let came = stage.say(&room, "乙: 我来了");
    stage.say(&room, "甲: 欢迎");
    stage.erase(Erase::Line(came));
    assert_eq!(people(&stage.room(&room).participants), "乙 | 甲");
    assert_eq!(stage.path_of(&room, "乙"), "甲: 欢迎");
    let last = stage.say(&room, "丙: 我也来");
    stage.erase(Erase::Line(last));
    assert_eq!(people(&stage.room(&room).participants), "乙 | 甲");
}
