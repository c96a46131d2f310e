//! What is gathered for a prompt, and from where?

use reverie_core::settings::{HistoryScope, Preset};
use reverie_core::store::{Gather, Gathered, Place};
use reverie_core::{ConversationId, Store};

use super::stage::{Stage, all, shown, who};

pub(super) fn gather(
    stage: &Stage<'_>,
    character: &str,
    place: Place,
    change: impl FnOnce(&mut Gather),
) -> Gathered {
    let mut gather = Gather::new(who(character), place);
    change(&mut gather);
    stage.store.gather(&stage.world, &gather).unwrap()
}

pub(super) fn at(room: &ConversationId) -> Place {
    Place::Conversation(room.clone())
}

pub fn the_window_is_what_the_character_witnessed(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, tavern) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲", "乙"]));
    stage.say(&tavern, "甲: 在酒馆\n甲 → 甲: 独白");
    let here = stage.say(&pair, "乙: 在路上");
    let gathered = gather(&stage, "乙", at(&pair), |_| ());
    assert_eq!(shown(&gathered.window), "甲: 在酒馆 | 乙: 在路上");
    assert!(!gathered.window_is_cut);
    assert_eq!(gathered.conversation.unwrap().head, Some(here));
    assert_eq!(gathered.character.unwrap().id.as_str(), "乙");
    assert_eq!(gathered.world, stage.view());
    let among = gather(&stage, "甲", Place::Among(all(&["乙", "甲"])), |_| ());
    assert_eq!(shown(&among.window), "甲: 在酒馆 | 甲: 独白 | 乙: 在路上");
    assert_eq!(among.conversation.unwrap().id, pair);
    let only = gather(&stage, "乙", at(&pair), |gather| gather.scope = Some(HistoryScope::Conversation));
    assert_eq!(shown(&only.window), "乙: 在路上");
    stage.put("prompt.history", "conversation");
    assert_eq!(shown(&gather(&stage, "乙", at(&pair), |_| ()).window), "乙: 在路上");
    let nowhere = gather(&stage, "甲", Place::Nowhere, |_| ());
    assert_eq!((nowhere.window.len(), nowhere.background.len()), (0, 0));
}

pub fn a_cut_window_keeps_system_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "#甲: 你叫甲\n#乙: 你叫乙\n#: 下雨了\n甲: 一\n乙: 二\n甲: 三");
    let cut = gather(&stage, "甲", at(&room), |gather| gather.window_lines = 2);
    assert_eq!((shown(&cut.window), cut.window_is_cut), ("乙: 二 | 甲: 三".into(), true));
    assert_eq!(shown(&cut.earlier_system), "甲: 你叫甲 | : 下雨了");
    let whole = gather(&stage, "甲", at(&room), |gather| gather.window_lines = 5);
    assert_eq!((whole.window.len(), whole.window_is_cut, whole.earlier_system.len()), (5, false, 0));
    let among = gather(&stage, "甲", Place::Among(all(&["甲", "乙"])), |gather| gather.window_lines = 2);
    assert_eq!((among.earlier_system, among.window), (cut.earlier_system, cut.window));
}

pub fn the_window_is_bound_by_bytes(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    // A token is never more than six bytes: two of these letters. Each line has 1020 bytes.
    for _ in 0..20 {
        stage.say(&room, &format!("甲: {}", "汉字".repeat(170)));
    }
    let window = |budget| {
        let gathered = gather(&stage, "甲", at(&room), |gather| gather.budget = Some(budget));
        (gathered.window.len(), gathered.window_is_cut)
    };
    assert_eq!(window(2000), (12, true), "the line that crosses is included");
    assert_eq!(window(4000), (20, false));
    assert_eq!(window(1), (1, true));
}

pub fn background_is_from_elsewhere(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, three) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"]));
    stage.say(&pair, "甲: 两人");
    for number in 0..12 {
        stage.say(&three, &format!("丙: {number}\n丙 → 乙: 悄悄 {number}"));
    }
    let gathered = gather(&stage, "甲", at(&pair), |_| ());
    assert_eq!((shown(&gathered.window), gathered.background.len()), ("甲: 两人".into(), 10));
    let without = gather(&stage, "甲", at(&pair), |gather| gather.background = false);
    assert_eq!((shown(&without.window), without.background), ("甲: 两人".into(), vec![]));
    stage.put("prompt.background_lines", "2");
    assert_eq!(shown(&gather(&stage, "甲", at(&pair), |_| ()).background), "丙: 10 | 丙: 11");
    stage.put("prompt.background_lines", "0");
    assert_eq!(gather(&stage, "甲", at(&pair), |_| ()).background, []);
}

pub fn system_lines_are_no_background(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, three) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"]));
    stage.say(&three, "丙: 一\n丙: 二\n#: 指示\n#甲: 只给甲");
    stage.put("prompt.background_lines", "2");
    assert_eq!(shown(&gather(&stage, "甲", at(&pair), |_| ()).background), "丙: 一 | 丙: 二");
}

pub fn a_strict_audience(store: &dyn Store) {
    let stage = Stage::named(store, "bot", Preset::Bot);
    let (pair, group) = (stage.set(&["bot", "Ann"]), stage.scene("lobby", &["bot", "Ann", "Cleo"]));
    stage.say(&group, "Cleo: for all\nCleo → bot: for the bot only");
    let background = |stage: &Stage<'_>| shown(&gather(stage, "bot", at(&pair), |_| ()).background);
    assert_eq!(background(&stage), "Cleo: for all", "Ann, who is present, did not hear the other");
    stage.put("audience", "open");
    assert_eq!(background(&stage), "Cleo: for all | Cleo: for the bot only");
}

pub fn same_conversation_only(store: &dyn Store) {
    let stage = Stage::new(store);
    let (pair, three) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "乙", "丙"]));
    stage.say(&pair, "甲: 这里");
    stage.say(&three, "丙: 那里");
    stage.put("audience", "same-conversation");
    let gathered = gather(&stage, "甲", at(&pair), |gather| gather.also = vec![three.clone()]);
    assert_eq!((shown(&gathered.window), gathered.background.len()), ("甲: 这里".into(), 0));
    assert_eq!(shown(&gathered.also), "丙: 那里", "what the host grants is granted");
}

pub fn a_scene_remembers_those_present(store: &dyn Store) {
    let stage = Stage::new(store);
    let pair = stage.set(&["甲", "乙"]);
    let tavern = stage.scene("酒馆", &["甲", "乙", "丙"]);
    stage.say(&pair, "甲: 两人的事");
    stage.say(&tavern, "丙: 三人的事");
    assert_eq!(shown(&gather(&stage, "甲", at(&tavern), |_| ()).window), "丙: 三人的事");
    stage.present(&tavern, &["甲", "乙"]);
    stage.say(&tavern, "乙: 丙走了");
    let gathered = gather(&stage, "甲", at(&tavern), |_| ());
    assert_eq!(shown(&gathered.window), "甲: 两人的事 | 丙: 三人的事 | 乙: 丙走了");
    assert_eq!(shown(&gathered.background), "", "what goes on here is no background");
}

pub fn somebody_unknown_remembers_nothing(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let gathered = gather(&stage, "誰か", at(&room), |gather| gather.also = vec![room.clone()]);
    assert_eq!((gathered.character, gathered.window, gathered.background), (None, vec![], vec![]));
    assert_eq!(shown(&gathered.also), "甲: 一");
    assert_eq!(stage.names(), "乙 | 甲");
}
