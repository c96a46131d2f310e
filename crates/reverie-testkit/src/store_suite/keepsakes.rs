//! What is kept of hosts' files: does it stay with what it came with, travel with it, and go with it?

use reverie_core::character::{CharacterPatch, Namespace};
use reverie_core::conversation::{Append, Attach};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::record::Record;
use reverie_core::store::Erase;
use reverie_core::{Code, ConversationId, LineId, Result, Store, WorldId};

use super::stage::{Stage, check_code, id, lines};

fn file(name: &str) -> KeptFor {
    KeptFor::File(name.to_owned())
}

fn line(number: u64) -> KeptFor {
    KeptFor::Line(LineId::new(number).unwrap())
}

fn keep(stage: &Stage<'_>, of: KeptFor, text: &str) -> Result<usize> {
    let text = Some(text.to_owned()).filter(|text| !text.is_empty());
    stage.store.put_keepsakes(&stage.world, &[(of, text)])
}

/// Everything: of the world, of the conversation, of its lines.
fn kept(stage: &Stage<'_>, room: &ConversationId) -> String {
    let of = |of| stage.store.keepsakes(&stage.world, of).unwrap();
    let told = |kept: &Keepsake| match &kept.of {
        KeptFor::File(name) => format!("{name}={}", kept.text),
        KeptFor::Conversation(_) => kept.text.clone(),
        KeptFor::Line(line) => format!("{line}={}", kept.text),
    };
    of(None).iter().chain(&of(Some(room))).map(told).collect::<Vec<_>>().join(" | ")
}

fn furnished(store: &dyn Store) -> (Stage<'_>, ConversationId) {
    let stage = Stage::new(store);
    let room = stage.scene("茶馆", &["甲", "乙"]);
    let keepsakes = vec![(1, "{\"gen\":1}".to_owned())];
    let append = Append { lines: lines("甲: 一\n乙: 二"), keepsakes, ..Append::default() };
    stage.append(&room, &append).unwrap();
    keep(&stage, KeptFor::Conversation(room.clone()), "見出し").unwrap();
    keep(&stage, file("groups/1.json"), "[\"甲.png\"]").unwrap();
    (stage, room)
}

pub fn a_text_is_kept_replaced_and_taken_away(store: &dyn Store) {
    let (stage, room) = furnished(store);
    let other = stage.scene("居酒屋", &["甲"]);
    stage.say(&other, "甲: 别处");
    keep(&stage, line(3), "elsewhere").unwrap();
    assert_eq!(kept(&stage, &room), "groups/1.json=[\"甲.png\"] | 見出し | 2={\"gen\":1}");
    assert_eq!(kept(&stage, &other), "groups/1.json=[\"甲.png\"] | 3=elsewhere");
    let before = stage.view().revision;
    assert_eq!(keep(&stage, line(2), "{\"gen\":1}"), Ok(0));
    assert_eq!(keep(&stage, line(1), ""), Ok(0));
    assert_eq!(stage.view().revision, before, "the same again is no change");
    assert_eq!(keep(&stage, line(2), "新しい"), Ok(1));
    assert_eq!(keep(&stage, KeptFor::Conversation(room.clone()), ""), Ok(1));
    assert_eq!(kept(&stage, &room), "groups/1.json=[\"甲.png\"] | 2=新しい");
    assert_eq!(stage.view().revision, before + 2);
}

pub fn nothing_is_kept_of_what_is_not_there(store: &dyn Store) {
    let (stage, room) = furnished(store);
    stage.present(&room, &["甲"]);
    let before = stage.export(None);
    let nowhere = KeptFor::Conversation(ConversationId::new("没有").unwrap());
    for of in [nowhere, line(99), line(3)] {
        let both = [(file("x"), Some("x".to_owned())), (of, Some("x".to_owned()))];
        check_code(store.put_keepsakes(&stage.world, &both), Code::NotFound);
    }
    let beyond = Append { lines: lines("甲: 三"), keepsakes: vec![(1, "x".into())], ..Append::default() };
    check_code(stage.append(&room, &beyond), Code::Invalid);
    check_code(store.keepsakes(&WorldId::new("没有").unwrap(), None), Code::NotFound);
    assert_eq!(stage.export(None), before, "all of it or nothing");
}

pub fn each_is_found_by_itself(store: &dyn Store) {
    let (stage, room) = furnished(store);
    keep(&stage, file("文件"), "另一份").unwrap();
    let nowhere = KeptFor::Conversation(ConversationId::new("没有").unwrap());
    let asked = [line(2), file("文件"), line(1), nowhere, KeptFor::Conversation(room), file("groups/2.json")];
    let found = store.kept(&stage.world, &asked).unwrap();
    let texts: Vec<&str> = found.iter().map(|kept| kept.text.as_str()).collect();
    assert_eq!(texts, ["{\"gen\":1}", "另一份", "見出し"], "in the order of the question");
    assert_eq!(found[0].of, asked[0]);
    assert_eq!(store.kept(&stage.world, &[]).unwrap(), []);
    check_code(store.kept(&WorldId::new("没有").unwrap(), &[file("x")]), Code::NotFound);
}

pub fn it_stays_with_its_line_whatever_becomes_of_the_words(store: &dyn Store) {
    let (stage, room) = furnished(store);
    stage.save("s");
    stage.edit(LineId::new(2).unwrap(), "贰");
    stage.say_at(&room, Attach::Beside(LineId::new(2).unwrap()), "乙: another");
    stage.load("s");
    assert_eq!(kept(&stage, &room), "groups/1.json=[\"甲.png\"] | 見出し | 2={\"gen\":1}");
}

pub fn it_travels_with_its_world(store: &dyn Store) {
    let (stage, room) = furnished(store);
    stage.save("s");
    stage.say(&room, "甲: 三");
    keep(&stage, line(3), "later").unwrap();
    let all = "groups/1.json=[\"甲.png\"] | 見出し | 2={\"gen\":1} | 3=later";
    let records = stage.export(None);
    let copy = WorldId::new("写し").unwrap();
    store.import(&copy, &mut records.iter().cloned().map(Ok)).unwrap();
    let copy = Stage { store, world: copy };
    for world in [stage.fork("分", None), copy.clone()] {
        assert_eq!(kept(&world, &room), all);
    }
    assert_eq!(copy.export(None).get(1..), records.get(1..));
    assert_eq!(kept(&stage.fork("旧", Some("s")), &room), all.trim_end_matches(" | 3=later"));
    let says_so = |records: &[Record]| matches!(&records[0], Record::World(world) if world.has_keepsakes);
    assert!(says_so(&records));
    assert!(!says_so(&Stage::named(store, "空", Default::default()).export(None)));
    for odd in [line(9), line(2), KeptFor::Conversation(ConversationId::new("没有").unwrap())] {
        let more = Record::Keepsake(Keepsake { of: odd, text: String::new() });
        let records = records.iter().cloned().chain([more]);
        check_code(store.import(&WorldId::new("坏").unwrap(), &mut records.map(Ok)), Code::Invalid);
    }
}

pub fn it_goes_with_what_it_came_with(store: &dyn Store) {
    let (stage, room) = furnished(store);
    keep(&stage, line(1), "乙 is named here, in another's line").unwrap();
    keep(&stage, file("groups/2.json"), "[\"乙\\\"x\"]").unwrap();
    let host_ids = vec![(Namespace::Role, Some("乙\"x".to_owned()))];
    let display_name = Some(Some("見出".to_owned()));
    stage.card("乙", CharacterPatch { host_ids, display_name, ..CharacterPatch::default() });
    let copy = stage.fork("分", None);
    stage.erase(Erase::Line(LineId::new(2).unwrap()));
    assert_eq!(
        kept(&stage, &room),
        "groups/1.json=[\"甲.png\"] | groups/2.json=[\"乙\\\"x\"] | 見出し | 1=乙 is named here, in another's line"
    );
    copy.erase(Erase::Character(id("乙")));
    assert_eq!(kept(&copy, &room), "groups/1.json=[\"甲.png\"] | 1=乙 is named here, in another's line");
}
