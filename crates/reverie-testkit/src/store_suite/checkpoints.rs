//! Checkpoints: what does a restore bring back, and what not?

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::{Append, Attach, HeadTarget, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::store::{Erase, Select};
use reverie_core::{Code, Conversation, Store};

use super::stage::{Stage, all, check_code, lines, people, save_id, shown};

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

/// Who and what is listed, and how much of it is counted.
fn there(stage: &Stage<'_>) -> (String, String, (u64, u64, u64)) {
    let page = Select::default();
    let rooms = |rooms: Vec<Conversation>| {
        let mut names: Vec<String> =
            rooms.into_iter().map(|room| room.name.unwrap_or_else(|| people(&room.participants))).collect();
        names.sort();
        names.join(", ")
    };
    let listed = rooms(stage.store.conversations(&stage.world, &page).unwrap());
    let latest = stage.store.latest_conversations(&stage.world, None, 100).unwrap();
    assert_eq!(listed, rooms(latest));
    let counts = stage.store.counts(&stage.world).unwrap();
    (stage.names(), listed, (counts.characters, counts.conversations, counts.lines))
}

pub fn what_came_later_is_neither_listed_nor_counted(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let first = stage.say(&room, "甲: 一");
    stage.say(&room, "乙: 二");
    stage.say_at(&room, Attach::Behind(first), "乙: 贰");
    stage.save("early");
    let early = there(&stage);
    assert_eq!(early, ("乙 | 甲".into(), "乙 | 甲".into(), (2, 1, 2)));
    let cellar = stage.scene("地下室", &["甲", "さくら"]);
    stage.say(&cellar, "甲: 谁在那里\nさくら: 私です");
    let pair = stage.set(&["甲", "Bob"]);
    stage.say(&room, "乙: 三");
    let name = CharacterPatch { display_name: Some(Some("蒙面人".to_owned())), ..Default::default() };
    stage.card("masked", name);
    stage.save("late");
    let late = there(&stage);
    assert_eq!(late.2, (5, 3, 5));
    stage.load("early");
    assert_eq!(there(&stage), early);
    assert_eq!(stage.lines(&cellar, WhichLines::Tree).len(), 2, "nothing is deleted");
    assert_eq!((stage.room(&pair).id, stage.character("masked").unwrap().id.as_str()), (pair, "masked"));
    stage.load("early");
    assert_eq!(there(&stage), early);
    stage.load("late");
    assert_eq!(there(&stage), late);
    assert_eq!(stage.character("masked").unwrap().name(), "蒙面人");
    stage.load("early");
    assert_eq!(there(&stage), early);
}

pub fn what_is_used_again_is_there(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.save("empty");
    let inn = stage.scene("酒馆", &["甲"]);
    let line = stage.say(&inn, "甲: 一");
    let pair = stage.set(&["乙", "丙"]);
    stage.card("丁", CharacterPatch::default());
    let again = || {
        stage.load("empty");
        assert_eq!(there(&stage), (String::new(), String::new(), (0, 0, 0)));
    };
    let names = || {
        let (names, rooms, _) = there(&stage);
        format!("{names}; {rooms}")
    };
    again();
    let revision = stage.view().revision;
    stage.scene("酒馆", &[]);
    assert_eq!((names(), stage.view().revision), ("; 酒馆".into(), revision + 1));
    stage.scene("酒馆", &[]);
    assert_eq!(stage.view().revision, revision + 1);
    stage.save("with the inn");
    again();
    stage.say(&inn, "戊: 又一");
    assert_eq!(names(), "戊; 酒馆");
    stage.load("with the inn");
    assert_eq!(names(), "; 酒馆");
    again();
    stage.head(&inn, HeadTarget::Line(line));
    assert_eq!(names(), "甲; 酒馆");
    stage.head(&inn, HeadTarget::Empty);
    assert_eq!(names(), "甲; 酒馆", "it stays when its last line is taken back");
    again();
    stage.present(&inn, &["さくら"]);
    assert_eq!(names(), "さくら; 酒馆");
    again();
    stage.begin(&pair);
    assert_eq!(names(), "丙 | 乙; 丙 | 乙");
    again();
    stage.set(&["丙", "乙"]);
    assert_eq!(names(), "丙 | 乙; 丙 | 乙");
    again();
    stage.say(&pair, "乙: 还在");
    assert_eq!(names(), "丙 | 乙; 丙 | 乙", "whoever hears it is there, too");
    again();
    let revision = stage.view().revision;
    stage.card("丁", CharacterPatch::default());
    assert_eq!((names(), stage.view().revision), ("丁; ".into(), revision + 1));
    again();
    stage.remember("听说的", &[], &["丁"]);
    assert_eq!(names(), "丁; ");
}

pub fn whoever_is_on_a_path_is_there(store: &dyn Store) {
    let stage = Stage::new(store);
    let inn = stage.scene("酒馆", &["甲"]);
    let first = stage.say(&inn, "甲: 一");
    stage.save("s");
    let later = stage.say(&inn, "さくら: 二");
    let whisper = lines("甲: 三").into_iter().map(|line| NewLine { witnesses: Some(all(&["乙"])), ..line });
    stage.append(&inn, &Append { lines: whisper.collect(), ..Append::default() }).unwrap();
    let last = stage.room(&inn).head.unwrap();
    stage.load("s");
    assert_eq!(stage.names(), "甲");
    stage.head(&inn, HeadTarget::Line(later));
    assert_eq!(stage.names(), "さくら | 甲");
    stage.head(&inn, HeadTarget::Line(first));
    stage.say_at(&inn, Attach::Behind(last), "甲: 四");
    assert_eq!(stage.names(), "さくら | 乙 | 甲");
}

pub fn a_copy_knows_what_came_later(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.say(&stage.set(&["甲", "乙"]), "甲: 一");
    stage.save("early");
    stage.say(&stage.scene("地下室", &["さくら"]), "さくら: 二");
    stage.save("late");
    let (late, early) = (there(&stage), there(&stage.fork("then", Some("early"))));
    stage.load("early");
    let copy = stage.fork("copy", None);
    assert_eq!((there(&stage), there(&copy)), (early.clone(), early.clone()));
    copy.load("late");
    assert_eq!(there(&copy), late);
    copy.load("early");
    assert_eq!(there(&copy), early);
    copy.scene("地下室", &["さくら"]);
    assert_eq!(there(&copy.fork("again", None)).2, (3, 2, 1));
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
