//! Conversations: when are two of them the same?

use reverie_core::conversation::{ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines};
use reverie_core::store::Select;
use reverie_core::{Code, ConversationId, Store};

use super::stage::{Stage, all, check_code, lines, named, people};

pub fn a_set_is_a_set(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["白小喵", "さくら", "Bob"]);
    assert_eq!(stage.set(&["Bob", "白小喵", "さくら"]), room, "in any order");
    assert_eq!(stage.set(&["Bob", "Bob", "さくら", "白小喵", "さくら"]), room, "with doubles");
    assert_eq!(people(&stage.room(&room).participants), "Bob | さくら | 白小喵");
    let by_name = OpenConversation {
        participants: vec![named("-", "-", "Bob"), named("-", "-", "さくら"), named("-", "-", "白小喵")],
        ..Default::default()
    };
    let (found, opened) = stage.open(&by_name).unwrap();
    assert_eq!((found.id, opened), (room, false));
}

pub fn ids_that_look_like_lists_are_not(store: &dyn Store) {
    let stage = Stage::new(store);
    let sets: [&[&str]; 8] =
        [&["a", "b"], &["a,b"], &["a|b"], &["a", "b,c"], &["a,b", "c"], &["1:a1:b"], &["a b"], &["a\nb"]];
    let mut rooms: Vec<ConversationId> = sets.iter().map(|set| stage.set(set)).collect();
    for (room, set) in rooms.iter().zip(sets) {
        assert_eq!(stage.set(set), *room, "{set:?}");
    }
    rooms.sort();
    rooms.dedup();
    assert_eq!(rooms.len(), sets.len());
}

pub fn another_set_is_another_conversation(store: &dyn Store) {
    let stage = Stage::new(store);
    let rooms = [stage.set(&["甲"]), stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"])];
    stage.say(&rooms[1], "甲: 只有我们");
    assert_eq!(rooms.each_ref().map(|room| stage.path(room)), ["", "甲: 只有我们", ""]);
    check_code(stage.open(&OpenConversation::default()), Code::Invalid);
}

pub fn narrators_are_in_no_set(store: &dyn Store) {
    let stage = Stage::new(store);
    assert_eq!(stage.set(&["甲", "旁白", "乙"]), stage.set(&["甲", "乙"]));
    let only = OpenConversation { participants: all(&["旁白"]), ..Default::default() };
    check_code(stage.open(&only), Code::Invalid);
}

pub fn a_set_never_changes(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let present = store.set_present(&stage.world, &room, &all(&["甲"]), ExpectedHead::Any);
    check_code(present, Code::Invalid);
    let stranger =
        reverie_core::conversation::Append { lines: lines("丙: 我也在"), ..Default::default() };
    check_code(stage.append(&room, &stranger), Code::Invalid);
    assert_eq!(stage.names(), "乙 | 甲", "nobody was created for it");
    stage.say(&room, "旁白: 丙没有进来");
    assert_eq!(people(&stage.room(&room).present), "乙 | 甲");
}

pub fn a_host_may_choose_the_id(store: &dyn Store) {
    let stage = Stage::new(store);
    let own = ConversationId::new("聊天/№ 1").unwrap();
    let open = |id: &ConversationId, name: Option<&str>, people: &[&str]| {
        stage.open(&OpenConversation {
            id: Some(id.clone()),
            name: name.map(Into::into),
            participants: all(people),
        })
    };
    assert_eq!(open(&own, None, &["甲", "乙"]).unwrap().0.id, own);
    assert_eq!(stage.set(&["乙", "甲"]), own);
    assert!(!open(&own, None, &[]).unwrap().1, "found by the id alone");
    check_code(open(&own, None, &["丙"]), Code::Conflict);
    check_code(open(&own, Some("酒馆"), &[]), Code::Conflict);
    let other = ConversationId::new("other").unwrap();
    check_code(open(&other, None, &["甲", "乙"]), Code::Conflict);
    check_code(open(&other, None, &[]), Code::NotFound);
    // The store's own ids keep out of the host's way.
    let taken = ConversationId::new("c1").unwrap();
    open(&taken, Some("c1"), &[]).unwrap();
    assert_ne!(stage.set(&["丁"]), taken);
}

pub fn conversations_are_listed_in_pages(store: &dyn Store) {
    let stage = Stage::new(store);
    for number in 0..5 {
        let id = ConversationId::new(&format!("房间{number}")).unwrap();
        stage
            .open(&OpenConversation { id: Some(id), name: Some(format!("{number}")), ..Default::default() })
            .unwrap();
    }
    let page = |after: Option<&str>| {
        let page = Select::Page { after: after.map(Into::into), limit: 2 };
        let rooms = store.conversations(&stage.world, &page).unwrap();
        rooms.iter().map(|room| room.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(page(None), ["房间0", "房间1"]);
    assert_eq!(page(Some("房间1")), ["房间2", "房间3"]);
    assert_eq!(page(Some("房间3")), ["房间4"]);
}

/// By their newest line on the path; where nothing was said, behind all others, by their ids.
pub fn the_latest_conversations_come_first(store: &dyn Store) {
    let stage = Stage::new(store);
    let latest = |behind: Option<&ConversationId>, limit: usize| {
        let behind = behind.map(|id| (stage.room(id).head, id));
        let rooms = store.latest_conversations(&stage.world, behind, limit).unwrap();
        rooms.into_iter().map(|room| room.id).collect::<Vec<_>>()
    };
    let [tavern, harbour, teahouse] = ["tavern", "harbour", "茶馆"].map(|name| {
        let id = ConversationId::new(name).unwrap();
        let open = OpenConversation {
            id: Some(id.clone()),
            name: Some(name.into()),
            participants: all(&["甲", "乙"]),
        };
        stage.open(&open).unwrap();
        id
    });
    assert_eq!(latest(None, 9), [&harbour, &tavern, &teahouse].map(Clone::clone));
    stage.say(&tavern, "甲: 一\n乙: 二");
    stage.say(&harbour, "甲: 三");
    stage.say(&tavern, "甲: 四");
    assert_eq!(latest(None, 9), [&tavern, &harbour, &teahouse].map(Clone::clone));
    // Who comes or goes says nothing, and what was taken back was not said.
    stage.present(&harbour, &["甲"]);
    stage.head(&tavern, HeadTarget::Back(1));
    assert_eq!(latest(None, 9), [&harbour, &tavern, &teahouse].map(Clone::clone));
    assert_eq!(latest(None, 1), std::slice::from_ref(&harbour));
    assert_eq!(latest(Some(&harbour), 1), std::slice::from_ref(&tavern));
    assert_eq!(latest(Some(&tavern), 9), std::slice::from_ref(&teahouse));
    assert_eq!(latest(Some(&teahouse), 9), []);
}

pub fn the_unknown_is_not_found(store: &dyn Store) {
    let stage = Stage::new(store);
    let nowhere = ConversationId::new("nowhere").unwrap();
    let query =
        LinesQuery { which: WhichLines::Path, witness: None, after: None, newest_first: false, limit: 1 };
    check_code(store.lines(&stage.world, &nowhere, &query), Code::NotFound);
    let one = reverie_core::conversation::Append { lines: lines("甲: 喂"), ..Default::default() };
    check_code(stage.append(&nowhere, &one), Code::NotFound);
    assert_eq!(store.conversations(&stage.world, &Select::One("nowhere".into())).unwrap(), []);
}
