//! History: what did these people say among themselves, and what with others around?

use reverie_core::conversation::{Attach, HeadTarget};
use reverie_core::history::{History, HistoryQuery};
use reverie_core::{Code, ConversationId, Store};

use super::stage::{Stage, all, check_code, shown};

/// primary / ancillary
fn both(history: &History) -> String {
    format!("{} / {}", shown(&history.primary), shown(&history.ancillary))
}

pub fn primary_and_ancillary(store: &dyn Store) {
    let stage = Stage::new(store);
    let pair = stage.set(&["甲", "乙"]);
    let three = stage.set(&["甲", "乙", "丙"]);
    let other = stage.set(&["甲", "丙"]);
    stage.say(&pair, "甲: 两人");
    stage.say(&three, "丙: 三人");
    stage.say(&other, "甲: 别的两人");
    assert_eq!(both(&stage.history(&["乙", "甲", "甲"], None)), "甲: 两人 / 丙: 三人");
    assert_eq!(both(&stage.history(&["丙", "旁白", "甲"], None)), "甲: 别的两人 / 丙: 三人");
    assert_eq!(both(&stage.history(&["甲"], None)), " / 甲: 两人 | 丙: 三人 | 甲: 别的两人");
    assert_eq!(both(&stage.history(&["甲", "乙", "丙"], None)), "丙: 三人 / ");
}

pub fn a_named_scene_of_the_same_people_is_primary(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, tavern) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲"]));
    stage.say(&tavern, "甲: 独自");
    assert_eq!(both(&stage.history(&["甲", "乙"], None)), " / ");
    stage.say(&tavern, "乙: 来了");
    stage.say(&pair, "甲: 路上");
    assert_eq!(both(&stage.history(&["甲", "乙"], None)), "甲: 独自 | 乙: 来了 | 甲: 路上 / ");
    stage.say(&tavern, "丙: 我也来");
    assert_eq!(both(&stage.history(&["甲", "乙"], None)), "甲: 路上 / 甲: 独自 | 乙: 来了 | 丙: 我也来");
    stage.head(&tavern, HeadTarget::Back(1));
    assert_eq!(both(&stage.history(&["甲", "乙"], None)), "甲: 独自 | 乙: 来了 | 甲: 路上 / ");
}

pub fn active_paths_only(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let two = stage.say(&room, "乙: 二");
    stage.say_at(&room, Attach::Beside(two), "乙: 贰");
    assert_eq!(both(&stage.history(&["甲", "乙"], Some("甲"))), "甲: 一 | 乙: 贰 / ");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(both(&stage.history(&["甲", "乙"], Some("甲"))), " / ");
}

pub fn only_what_the_asker_witnessed(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["白小喵", "さくら", "Bob"]);
    stage.say(&room, "Bob: hi\nBob → さくら: psst\n#白小喵: 你叫白小喵\nさくら: え？");
    let class = stage.scene("教室", &["白小喵", "さくら"]);
    stage.say(&class, "さくら: 先生は？");
    stage.present(&class, &["白小喵", "さくら", "Bob", "先生"]);
    stage.say(&class, "Bob: late");
    let group = ["Bob", "さくら", "白小喵"];
    for (witness, expected) in [
        (Some("白小喵"), "Bob: hi | 白小喵: 你叫白小喵 | さくら: え？ / さくら: 先生は？ | Bob: late"),
        (Some("さくら"), "Bob: hi | Bob: psst | さくら: え？ / さくら: 先生は？ | Bob: late"),
        (Some("Bob"), "Bob: hi | Bob: psst | さくら: え？ / Bob: late"),
        (Some("先生"), " / Bob: late"),
        (Some("旁白"), " / "),
        (Some("誰か"), " / "),
        (None, "Bob: hi | Bob: psst | 白小喵: 你叫白小喵 | さくら: え？ / さくら: 先生は？ | Bob: late"),
    ] {
        assert_eq!(both(&stage.history(&group, witness)), expected, "{witness:?}");
    }
}

pub fn the_newest_of_each(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, three) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"]));
    for number in 0..12 {
        stage.say(&pair, &format!("甲: {number}"));
        stage.say(&three, &format!("丙: {number}"));
    }
    assert_eq!(stage.history(&["甲", "乙"], None).primary.len(), 10, "by default");
    let short = stage.history_of(&["甲", "乙"], Some("乙"), &[&three], 2);
    assert_eq!(both(&short), "甲: 10 | 甲: 11 / 丙: 10 | 丙: 11");
    assert_eq!(shown(&short.also), "丙: 10 | 丙: 11");
    let none = stage.history_of(&["甲", "乙"], None, &[&three], 0);
    assert_eq!((both(&none), none.also.len()), (" / ".into(), 0));
}

pub fn path_order_wins_then_tick_then_number(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, tavern) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲", "乙"]));
    stage.say(&pair, "[10] 甲: 十");
    stage.say(&tavern, "[5] 乙: 五\n[30] 乙: 三十");
    stage.say(&pair, "[20] 甲: 二十\n[1] 甲: 倒回一\n甲: 还是一");
    let order = shown(&stage.history(&["甲", "乙"], None).primary);
    assert_eq!(order, "乙: 五 | 甲: 十 | 甲: 二十 | 甲: 倒回一 | 甲: 还是一 | 乙: 三十");
    let newest = stage.history_of(&["甲", "乙"], Some("甲"), &[], 2);
    assert_eq!(shown(&newest.primary), "甲: 还是一 | 乙: 三十");
}

pub fn a_paused_game_is_in_order_of_recording(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, tavern) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲", "乙"]));
    stage.say(&pair, "[10] 甲: 问");
    stage.say(&tavern, "[10] 乙: 插话");
    stage.say(&pair, "[10] 乙: 答");
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "甲: 问 | 乙: 插话 | 乙: 答");
}

pub fn a_conversation_without_ticks_happens_when_it_is_recorded(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, tavern) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲", "乙"]));
    let prologue = stage.scene("序", &["甲", "乙"]);
    stage.say(&prologue, "甲: 很久以前");
    stage.say(&pair, "[10] 甲: 十");
    stage.say(&tavern, "乙: 没说什么时候");
    stage.say(&pair, "[20] 甲: 二十");
    stage.say(&tavern, "乙: 还是没说");
    assert_eq!(
        shown(&stage.history(&["甲", "乙"], None).primary),
        "甲: 很久以前 | 甲: 十 | 乙: 没说什么时候 | 乙: 还是没说 | 甲: 二十"
    );
}

pub fn unknown_participants_give_empty_lists(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    for people in [&["甲", "誰か"][..], &["誰か"], &[], &["旁白"], &["deleted:7", "甲"]] {
        let history = stage.history_of(people, None, &[&room], 10);
        assert_eq!((both(&history), shown(&history.also)), (" / ".into(), "甲: 一".into()), "{people:?}");
    }
    assert_eq!(stage.names(), "乙 | 甲", "asking creates nobody");
}

pub fn hidden_lines_are_left_out(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, three) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"]));
    let one = stage.say(&pair, "甲: 一");
    stage.say(&pair, "甲: 二");
    let three_one = stage.say(&three, "丙: 三");
    stage.hide(one, true);
    stage.hide(three_one, true);
    let history = stage.history_of(&["甲", "乙"], Some("甲"), &[&three], 10);
    assert_eq!((both(&history), history.also.len()), ("甲: 二 / ".into(), 0));
}

pub fn granted_conversations(store: &dyn Store) {
    let stage = Stage::new(store);
    let confession = stage.set(&["罪人", "神父"]);
    stage.say(&confession, "罪人: 是我\n神父 → 神父: 天哪");
    let court = stage.scene("法庭", &["法官", "检察官"]);
    stage.say(&court, "法官: 肃静");
    let history = stage.history_of(&["法官", "检察官"], Some("法官"), &[&confession, &confession], 10);
    assert_eq!(both(&history), "法官: 肃静 / ");
    assert_eq!(shown(&history.also), "罪人: 是我 | 神父: 天哪", "marked, for this one question");
    assert_eq!(shown(&stage.history(&["法官", "检察官"], Some("法官")).also), "");
    let query = HistoryQuery {
        participants: all(&["法官"]),
        witness: None,
        also: vec![ConversationId::new("没有").unwrap()],
        limit: 10,
    };
    check_code(store.history(&stage.world, &query), Code::NotFound);
}

/// More conversations than a store looks through one by one, ticks going up and down.
pub fn many_conversations(store: &dyn Store) {
    let stage = Stage::new(store);
    let mut said = Vec::new();
    for number in 0..150i64 {
        let tick = (number * 37) % 100;
        let room = match number % 3 {
            0 => stage.scene(&format!("房间 {number}"), &["甲", "乙"]),
            _ => stage.set(&["甲", "乙", &format!("客 {number}")]),
        };
        let who = if number % 5 == 0 { "甲 → 甲" } else { "甲" };
        let line = stage.say(&room, &format!("[{tick}] {who}: {number}"));
        said.push((tick, line, number));
    }
    said.sort_unstable();
    let newest = |is_primary: bool, is_all: bool, limit: usize| {
        let fits = |number: &i64| (number % 3 == 0) == is_primary && (is_all || number % 5 != 0);
        let numbers: Vec<i64> = said.iter().map(|(_, _, number)| *number).filter(fits).collect();
        let told = numbers.iter().skip(numbers.len().saturating_sub(limit));
        told.map(|number| format!("甲: {number}")).collect::<Vec<_>>().join(" | ")
    };
    for limit in [1, 7, 60, 1000] {
        for (witness, is_all) in [(None, true), (Some("甲"), true), (Some("乙"), false)] {
            let history = stage.history_of(&["乙", "甲"], witness, &[], limit);
            assert_eq!(shown(&history.primary), newest(true, is_all, limit), "{limit} {witness:?}");
            assert_eq!(shown(&history.ancillary), newest(false, is_all, limit), "{limit} {witness:?}");
        }
    }
}

pub fn a_thousand_participants(store: &dyn Store) {
    let stage = Stage::new(store);
    let crowd: Vec<String> = (0..1000).map(|number| format!("群众 {number}")).collect();
    let crowd: Vec<&str> = crowd.iter().map(String::as_str).collect();
    let square = stage.set(&crowd);
    stage.say(&square, "群众 7: 大家好\n群众 8 → 群众 9: 嘘");
    assert_eq!(both(&stage.history(&crowd, Some("群众 500"))), "群众 7: 大家好 / ");
    assert_eq!(both(&stage.history(&["群众 8", "群众 9"], Some("群众 9"))), " / 群众 7: 大家好 | 群众 8: 嘘");
    assert_eq!(stage.room(&square).participants.len(), 1000);
}
