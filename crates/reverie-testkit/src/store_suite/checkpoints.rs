//! Checkpoints: what does a restore bring back, and what not?

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::{Append, Attach, HeadTarget, WhichLines};
use reverie_core::store::{Erase, Select};
use reverie_core::{Code, Store};

use super::stage::{Stage, check_code, lines, people, save_id, shown};

pub fn put_get_list_overwrite_delete(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let put = |id: &str, now| store.put_checkpoint(&stage.world, &save_id(id), now).unwrap();
    let (first, created) = put("自动存档", 10);
    assert!(created);
    assert_eq!((first.revision, first.time, first.created_ms), (stage.view().revision, None, 10));
    stage.say(&room, "[7] 甲: 一");
    let (moved, created) = put("自动存档", 20);
    assert!(!created, "autosaves rotate");
    assert_eq!((moved.revision, moved.time, moved.created_ms), (stage.view().revision, Some(7), 20));
    put("quick", 30);
    let list = |select: &Select| store.checkpoints(&stage.world, select).unwrap();
    assert_eq!(list(&Select::One("自动存档".into())).first(), Some(&moved));
    let ids: Vec<String> = list(&Select::default()).iter().map(|saved| saved.id.to_string()).collect();
    assert_eq!(ids, ["quick", "自动存档"]);
    assert_eq!(list(&Select::Page { after: Some("quick".into()), limit: 5 }), [moved]);
    stage.erase(Erase::Checkpoint(save_id("自动存档")));
    assert_eq!(list(&Select::default()).len(), 1);
}

pub fn restore_brings_heads_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "丁"]));
    stage.say(&one, "[1] 甲: 一\n乙: 二");
    stage.say(&two, "[2] 丙: 三");
    stage.save("s");
    stage.head(&one, HeadTarget::Back(1));
    stage.say(&one, "[9] 乙: 贰");
    stage.say(&two, "[8] 丁: 四");
    assert_eq!(stage.view().time, Some(9));
    let world = stage.load("s");
    assert_eq!((stage.path(&one), stage.path(&two)), ("甲: 一 | 乙: 二".into(), "丙: 三".into()));
    assert_eq!((world.time, world), (Some(2), stage.view()));
    assert_eq!(stage.lines(&one, WhichLines::Tree).len(), 3, "nothing is deleted");
    stage.say(&one, "甲: 从这里继续");
    assert_eq!(stage.path(&one), "甲: 一 | 乙: 二 | 甲: 从这里继续");
}

pub fn a_later_checkpoint_after_an_earlier_one(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let first = stage.say(&room, "甲: 一");
    stage.save("early");
    stage.say(&room, "乙: 二");
    stage.edit(first, "壹");
    stage.save("late");
    stage.load("early");
    assert_eq!(stage.path(&room), "甲: 一");
    stage.say(&room, "乙: 别的二");
    stage.load("late");
    assert_eq!(stage.path(&room), "甲: 壹 | 乙: 二");
    stage.load("early");
    stage.load("early");
    assert_eq!(stage.path(&room), "甲: 一");
}

pub fn edits_go_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 零");
    stage.edit(line, "一");
    stage.save("s");
    stage.edit(line, "二");
    stage.edit(line, "三");
    stage.load("s");
    assert_eq!(stage.path(&room), "甲: 一");
    assert_eq!(stage.edit(line, "四").version, 4, "an edit that was taken back is still a version");
    stage.load("s");
    assert_eq!(stage.path(&room), "甲: 一");
}

pub fn hiding_goes_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let (one, two) = (stage.say(&room, "甲: 一"), stage.say(&room, "甲: 二"));
    stage.hide(two, true);
    stage.save("s");
    stage.hide(one, true);
    stage.hide(two, false);
    stage.load("s");
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "甲: 一");
}

pub fn cards_and_settings_go_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let persona = |text: &str| CharacterPatch { persona: Some(Some(text.to_owned())), ..Default::default() };
    stage.card("甲", persona("温柔"));
    stage.put("language", "en");
    stage.save("s");
    stage.card("甲", persona("暴躁"));
    stage.card("乙", persona("后来的人"));
    stage.card("乙", CharacterPatch { kind: Some(CharacterKind::Narrator), ..Default::default() });
    stage.put("language", "zh");
    stage.put("audience", "strict");
    stage.load("s");
    assert_eq!(stage.character("甲").unwrap().card.persona.as_deref(), Some("温柔"));
    let later = stage.character("乙").unwrap().card;
    assert_eq!((later.persona.as_deref(), later.kind), (None, CharacterKind::Person));
    assert_eq!(stage.view().settings, [("language".to_owned(), "en".to_owned())].into());
}

pub fn deletions_are_final(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let one = stage.say(&room, "甲: 一");
    let two = stage.say(&room, "乙: 二");
    stage.save("at two");
    let three = stage.say(&room, "甲: 三");
    stage.save("at three");
    stage.edit(three, "叁");
    stage.erase(Erase::Line(three));
    stage.erase(Erase::Line(two));
    stage.load("at three");
    assert_eq!((stage.path(&room), stage.room(&room).head), ("甲: 一".into(), Some(one)));
    stage.load("at two");
    assert_eq!(stage.path(&room), "甲: 一");
}

pub fn what_began_later_is_empty(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.save("before");
    let room = stage.scene("酒馆", &["甲"]);
    stage.present(&room, &["甲", "乙"]);
    let line = stage.say(&room, "甲: 一");
    stage.save("after");
    stage.load("before");
    let here = stage.room(&room);
    assert_eq!((here.head, here.participants.len(), stage.path(&room)), (None, 0, String::new()));
    assert_eq!(stage.scene("酒馆", &["丙"]), room);
    assert_eq!(people(&stage.room(&room).present), "丙", "it begins anew, without those of another future");
    stage.say(&room, "丙: 这里没有别人");
    assert_eq!(stage.path_of(&room, "乙"), "");
    stage.load("after");
    assert_eq!((stage.path(&room), stage.room(&room).head), ("甲: 一".into(), Some(line)));
}

pub fn a_line_recorded_hidden_stays_hidden(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.save("before");
    let mut secret = lines("甲: 藏");
    secret[0].hidden = true;
    let append = Append { lines: secret, attach: Attach::Head, ..Default::default() };
    let line = stage.append(&room, &append).unwrap().lines[0].id;
    stage.load("before");
    stage.head(&room, HeadTarget::Line(line));
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "");
    stage.hide(line, false);
    stage.load("before");
    assert!(stage.lines(&room, WhichLines::Tree)[0].hidden);
}

pub fn an_unknown_checkpoint_is_not_found(store: &dyn Store) {
    let stage = Stage::new(store);
    let nothing = save_id("没有");
    check_code(store.restore(&stage.world, &nothing), Code::NotFound);
    check_code(store.erase(&stage.world, &Erase::Checkpoint(nothing.clone())), Code::NotFound);
    check_code(store.export(&stage.world, Some(&nothing), &mut |_| Ok(())), Code::NotFound);
}
