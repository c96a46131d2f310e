//! Characters: first mention, the host's own ids, names, narrators, erasure.

use reverie_core::character::{Card, CharacterKind, CharacterPatch, Namespace};
use reverie_core::conversation::Append;
use reverie_core::line::NewLine;
use reverie_core::store::Erase;
use reverie_core::{Code, DocumentId, Store};

use super::stage::{Stage, check_code, id, lines, named, people, shown, who};

fn meet(stage: &Stage<'_>, role: &str, script: &str, name: &str) -> String {
    let who = named(role, script, name);
    let (character, _) = stage.store.put_character(&stage.world, &who, &CharacterPatch::default()).unwrap();
    character.id.to_string()
}

pub fn whoever_is_mentioned_exists(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.say(&room, "さくら → Bob: 内緒");
    assert_eq!(stage.names(), "Bob | さくら | 甲");
    let sakura = stage.character("さくら").unwrap();
    let card =
        Card { kind: CharacterKind::Person, display_name: Some("さくら".to_owned()), ..Card::default() };
    assert_eq!((sakura.card, sakura.host_ids), (card, vec![]));
    assert_eq!(stage.character("誰か"), None);
}

pub fn each_namespace_has_its_own_ids(store: &dyn Store) {
    let stage = Stage::new(store);
    // Both are number 1, each in a table of its own.
    let (qin, bai) = (meet(&stage, "1", "-", "钦灵"), meet(&stage, "-", "1", "白小喵"));
    assert_eq!((qin.as_str(), bai.as_str()), ("role_id:1", "script_role_id:1"));
    assert_eq!(meet(&stage, "1", "-", "别名"), qin);
    assert_eq!(meet(&stage, "-", "1", "-"), bai);
    assert_eq!(stage.character(&qin).unwrap().card.display_name.as_deref(), Some("钦灵"));
    // Known by one id, the other one is learned.
    assert_eq!(meet(&stage, "1", "7", "-"), qin);
    assert_eq!(meet(&stage, "-", "7", "-"), qin);
    let host_ids = vec![(Namespace::Role, "1".to_owned()), (Namespace::ScriptRole, "7".to_owned())];
    assert_eq!(stage.character(&qin).unwrap().host_ids, host_ids);
}

pub fn a_name_decides_only_without_a_strong_id(store: &dyn Store) {
    let stage = Stage::new(store);
    let lime = meet(&stage, "-", "-", "莱姆");
    assert_eq!(lime, "莱姆");
    assert_eq!(meet(&stage, "5", "-", "莱姆"), lime, "the known one has no strong id");
    assert_ne!(meet(&stage, "6", "-", "莱姆"), lime, "both sides have one now, and they differ");
    assert_eq!(meet(&stage, "5", "-", "-"), lime);
}

pub fn one_name_two_people(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (meet(&stage, "1", "-", "Bob"), meet(&stage, "2", "-", "Bob"));
    assert_ne!(one, two);
    // A bare name would be a guess between the two, so it is a third.
    let third = meet(&stage, "-", "-", "Bob");
    assert_eq!(third, "Bob");
    assert_eq!(meet(&stage, "-", "-", "Bob"), third);
}

pub fn a_name_meets_its_strong_id_later(store: &dyn Store) {
    let stage = Stage::new(store);
    let qin = meet(&stage, "1", "-", "钦灵");
    assert_eq!(meet(&stage, "-", "-", "钦灵"), qin, "the only one who bears the name");
}

pub fn a_label_is_not_an_identity(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 我是甲");
    let patch = CharacterPatch { display_name: Some(Some("Alice".to_owned())), ..Default::default() };
    stage.card("甲", patch);
    assert_eq!(stage.set(&["甲", "乙"]), room);
    let told = stage.lines(&room, Default::default());
    assert_eq!((told[0].id, told[0].name.as_deref()), (line, Some("Alice")));
}

pub fn cards_are_patched(store: &dyn Store) {
    let stage = Stage::new(store);
    let patch = CharacterPatch { persona: Some(Some("你叫钦灵".to_owned())), ..Default::default() };
    let (qin, created) = store.put_character(&stage.world, &who("钦灵"), &patch).unwrap();
    assert!(created);
    assert_eq!(qin.card.persona.as_deref(), Some("你叫钦灵"));
    assert_eq!(qin.card.display_name.as_deref(), Some("钦灵"));
    let patch = CharacterPatch { display_name: Some(None), ..Default::default() };
    let (qin, created) = store.put_character(&stage.world, &who("钦灵"), &patch).unwrap();
    assert!(!created);
    assert_eq!((qin.card.persona.as_deref(), qin.card.display_name), (Some("你叫钦灵"), None));
    for tags in [Some(vec!["英雄".to_owned(), "a hero".to_owned()]), Some(Vec::new()), None] {
        let patch = CharacterPatch { tags: Some(tags.clone()), ..Default::default() };
        let (qin, _) = store.put_character(&stage.world, &who("钦灵"), &patch).unwrap();
        assert_eq!((qin.card.tags, qin.card.persona.as_deref()), (tags, Some("你叫钦灵")));
    }
    for document in [Some(DocumentId::new("狐/娘 1").unwrap()), None] {
        let patch = CharacterPatch { document: Some(document.clone()), ..Default::default() };
        let (qin, _) = store.put_character(&stage.world, &who("钦灵"), &patch).unwrap();
        assert_eq!((qin.card.document, qin.card.persona.as_deref()), (document, Some("你叫钦灵")));
    }
}

pub fn host_ids_belong_to_one_character(store: &dyn Store) {
    let stage = Stage::new(store);
    let alias = |value: &str| CharacterPatch {
        host_ids: vec![(Namespace::Role, Some(value.to_owned()))],
        ..Default::default()
    };
    stage.card("甲", alias("1"));
    let before = stage.view();
    check_code(store.put_character(&stage.world, &who("乙"), &alias("1")), Code::Conflict);
    assert_eq!((stage.view(), stage.character("乙")), (before, None), "all of it or nothing");
    stage.card("甲", alias("1"));
    stage.card("甲", alias("2"));
    assert_eq!(meet(&stage, "2", "-", "-"), "甲");
}

pub fn an_alias_means_its_only_bearer(store: &dyn Store) {
    let stage = Stage::new(store);
    let called = |aliases: &[&str]| CharacterPatch {
        aliases: Some(aliases.iter().map(|alias| (*alias).to_owned()).collect()),
        ..Default::default()
    };
    let label =
        |name: &str| CharacterPatch { display_name: Some(Some(name.to_owned())), ..Default::default() };
    stage.card("mo", label("阿默"));
    stage.card("mo", called(&["老默", "Mo", "旁白", "mo2"]));
    stage.card("qing", called(&["老师", "青姐"]));
    stage.card("mo2", label("别人"));
    assert_eq!(meet(&stage, "-", "-", "老默"), "mo");
    assert_eq!(meet(&stage, "-", "-", "Mo"), "mo");
    // Whoever has a strong id is known by that; nobody is taken for somebody else because of a name.
    assert_eq!(meet(&stage, "9", "-", "老默"), "role_id:9");
    assert_eq!(meet(&stage, "-", "-", "老默"), "role_id:9", "somebody bears that name now");
    // The id of another one, and the narrator's name, are what they were.
    assert_eq!(meet(&stage, "-", "-", "mo2"), "mo2");
    assert_eq!(meet(&stage, "-", "-", "旁白"), "旁白");
    assert_eq!(stage.character("旁白").unwrap().card.kind, CharacterKind::Narrator);
    assert_eq!(meet(&stage, "-", "-", "青姐"), "qing");
    stage.card("mo", called(&["Mo", "老师"]));
    assert_eq!(meet(&stage, "-", "-", "老师"), "老师", "two are called so");
    stage.card("mo", called(&[]));
    assert_eq!(stage.character("mo").unwrap().card.aliases, Vec::<String>::new());
    assert_eq!(meet(&stage, "-", "-", "Mo"), "Mo");
    // A line that is said by an alias is said by its bearer.
    let room = stage.set(&["mo", "qing"]);
    let line = NewLine { speaker: Some(named("-", "-", "青姐")), ..lines("qing: 早").remove(0) };
    let append = Append { lines: vec![line], ..Append::default() };
    let said = stage.append(&room, &append).unwrap();
    assert_eq!(said.lines[0].speaker, Some(id("qing")));
    stage.erase(Erase::Character(id("qing")));
    assert_eq!(meet(&stage, "-", "-", "青姐"), "青姐", "who is gone is meant by nobody");
}

pub fn narrators_by_name_by_setting_and_by_declaration(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.say(&room, "旁白: 夜\nNarrator: Night");
    stage.put("narrator.names.0", "語り手");
    stage.say(&room, "語り手: 夜だった");
    stage.card("Erzähler", CharacterPatch { kind: Some(CharacterKind::Narrator), ..Default::default() });
    stage.say(&room, "Erzähler: Nacht");
    let here = stage.room(&room);
    assert_eq!((people(&here.participants), people(&here.present)), ("甲".into(), "甲".into()));
    for line in stage.lines(&room, Default::default()) {
        assert_eq!(people(&line.witnesses), "甲", "{line:?}");
    }
    // A character whom the host's table knows by number is a person, whatever the name.
    let numbered = Stage::named(store, "番号", Default::default());
    assert_eq!(meet(&numbered, "1", "-", "旁白"), "role_id:1");
    assert_eq!(numbered.character("role_id:1").unwrap().card.kind, CharacterKind::Person);
}

pub fn the_same_id_in_another_normal_form(store: &dyn Store) {
    let stage = Stage::new(store);
    let composed = stage.set(&["が", "甲"]);
    assert_eq!(stage.set(&["か\u{3099}", "甲"]), composed);
    assert_eq!(stage.names(), "が | 甲");
}

pub fn an_erased_character_leaves_only_a_number(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二\n甲: 三\n#甲: 你叫甲\n乙: 四");
    stage.save("s");
    stage.erase(Erase::Character(id("甲")));
    assert_eq!(stage.path(&room), "乙: 二 | 乙: 四");
    assert_eq!(stage.names(), "乙");
    assert_eq!(people(&stage.room(&room).participants), "deleted:1 | 乙");
    assert_eq!(shown(&stage.history(&["乙", "deleted:1"], None).primary), "乙: 二 | 乙: 四");
    check_code(store.erase(&stage.world, &Erase::Character(id("甲"))), Code::NotFound);
    check_code(store.erase(&stage.world, &Erase::Character(id("deleted:1"))), Code::NotFound);
    stage.load("s");
    assert_eq!(stage.path(&room), "乙: 二 | 乙: 四", "nothing brings them back");
    assert_ne!(stage.set(&["甲", "乙"]), room, "whoever comes by that name now is somebody else");
}

pub fn ids_of_the_erased_are_not_given_again(store: &dyn Store) {
    let stage = Stage::new(store);
    for gone in ["甲", "乙", "丙"] {
        stage.set(&[gone, "丁"]);
        stage.erase(Erase::Character(id(gone)));
    }
    let rooms = store.conversations(&stage.world, &Default::default()).unwrap();
    let everyone: Vec<String> = rooms.iter().map(|room| people(&room.participants)).collect();
    assert_eq!(everyone, ["deleted:1 | 丁", "deleted:2 | 丁", "deleted:3 | 丁"]);
    let claim = store.put_character(&stage.world, &who("deleted:9"), &CharacterPatch::default());
    check_code(claim, Code::Invalid);
    let raise = store.put_character(&stage.world, &who("deleted:1"), &CharacterPatch::default());
    check_code(raise, Code::NotFound);
}
