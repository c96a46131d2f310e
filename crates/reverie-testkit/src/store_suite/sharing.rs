//! Who can recall the same as whom?

use reverie_core::character::CharacterPatch;
use reverie_core::store::Erase;
use reverie_core::{Code, Store, WorldId};

use super::stage::{Stage, check_code, id};

/// `甲 3 | 乙 2; 甲+乙 2; 1 left out`
fn told(stage: &Stage<'_>, most: usize) -> String {
    let sharing = stage.store.sharing(&stage.world, most).unwrap();
    let people = sharing.characters.iter().map(|one| format!("{} {}", one.name, one.memories));
    let links = sharing.links.iter().map(|link| {
        let [one, other] = &link.between;
        format!("{}+{} {}", one.as_str(), other.as_str(), link.memories)
    });
    let (people, links): (Vec<String>, Vec<String>) = (people.collect(), links.collect());
    format!("{}; {}; {} left out", people.join(" | "), links.join(" | "), sharing.left_out)
}

pub fn each_two_are_counted(store: &dyn Store) {
    let stage = Stage::new(store);
    assert_eq!(told(&stage, 9), "; ; 0 left out");
    stage.set(&["甲", "さくら", "Bob", "丁", "谁也不记得"]);
    stage.remember("一", &[], &["甲", "さくら", "Bob"]);
    stage.remember("二", &[], &["甲", "さくら"]);
    stage.remember("三", &[], &["甲", "さくら", "丁"]);
    stage.remember("四", &[], &["甲"]);
    stage.card("さくら", CharacterPatch { display_name: Some(Some("桜".to_owned())), ..Default::default() });
    let all = "甲 4 | 桜 3 | Bob 1 | 丁 1; さくら+甲 3 | Bob+さくら 1 | Bob+甲 1 | さくら+丁 1 | 丁+甲 1; 0 left out";
    assert_eq!(told(&stage, 9), all, "whoever recalls nothing is nowhere");
    assert_eq!(told(&stage, 3), "甲 4 | 桜 3 | Bob 1; さくら+甲 3 | Bob+さくら 1 | Bob+甲 1; 1 left out");
    assert_eq!(told(&stage, 1), "甲 4; ; 3 left out");
    let other = Stage::named(store, "别处", Default::default());
    other.set(&["甲", "丁"]);
    other.remember("别处的事", &[], &["甲", "丁"]);
    assert_eq!(told(&stage, 9), all, "nothing crosses worlds");
    check_code(store.sharing(&WorldId::new("没有").unwrap(), 9), Code::NotFound);
}

pub fn only_what_can_be_recalled_is_shared(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let said = stage.say(&room, "甲: 一");
    let first = stage.remember("一", &[said], &["甲", "乙"]);
    stage.remember("二", &[], &["甲", "乙"]);
    stage.save("before");
    assert_eq!(told(&stage, 9), "乙 2 | 甲 2; 乙+甲 2; 0 left out");
    stage.put_state(first, "乙", |state| state.forgotten = true);
    assert_eq!(told(&stage, 9), "甲 2 | 乙 1; 乙+甲 1; 0 left out");
    stage.put_state(first, "乙", |state| state.forgotten = false);
    stage.hide(said, true);
    assert_eq!(told(&stage, 9), "乙 1 | 甲 1; 乙+甲 1; 0 left out", "its line is in no view");
    stage.load("before");
    assert_eq!(told(&stage, 9), "乙 2 | 甲 2; 乙+甲 2; 0 left out");
    stage.erase(Erase::Character(id("乙")));
    assert!(told(&stage, 9).ends_with("; ; 0 left out"), "{}", told(&stage, 9));
}
