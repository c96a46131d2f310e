//! Lore timers and the length of the path: do they follow the branch on which a conversation stands?

use reverie_core::conversation::{Append, AppendKey, Attach, HeadTarget};
use reverie_core::store::{Erase, Place};
use reverie_core::{ConversationId, LineId, Store};

use super::prompt::{at, gather};
use super::stage::{Stage, all, id, lines};

pub(super) fn say(
    stage: &Stage<'_>,
    room: &ConversationId,
    attach: Attach,
    play: &str,
    timers: Option<&str>,
) -> LineId {
    let lore_timers = timers.map(str::to_owned);
    let append = Append { lines: lines(play), attach, lore_timers, ..Append::default() };
    stage.append(room, &append).unwrap().lines.last().unwrap().id
}

/// `lines timers`
pub(super) fn here(stage: &Stage<'_>, room: &ConversationId) -> String {
    let gathered = gather(stage, "甲", at(room), |_| ());
    format!("{} {}", gathered.path_lines, gathered.lore_timers.unwrap_or_else(|| "-".to_owned()))
}

pub fn the_newest_on_the_path(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]));
    assert_eq!(here(&stage, &room), "0 -");
    stage.say(&room, "甲: 一");
    assert_eq!(here(&stage, &room), "1 -");
    say(&stage, &room, Attach::Head, "甲: 二\n乙: 三", Some("雨 5"));
    assert_eq!(here(&stage, &room), "3 雨 5");
    stage.say(&room, "甲: 四");
    say(&stage, &other, Attach::Head, "丙: 别处", Some("雪 9"));
    assert_eq!((here(&stage, &room), here(&stage, &other)), ("4 雨 5".into(), "1 雪 9".into()));
    say(&stage, &room, Attach::Head, "乙: 五", Some(""));
    assert_eq!(
        here(&stage, &room),
        "5 ",
        "nothing runs any more, which is something else than nothing known"
    );
    let among = gather(&stage, "生人", Place::Among(all(&["丙", "甲"])), |_| ());
    assert_eq!((among.path_lines, among.lore_timers.as_deref()), (1, Some("雪 9")));
    let nowhere = gather(&stage, "甲", Place::Nowhere, |_| ());
    assert_eq!((nowhere.path_lines, nowhere.lore_timers), (0, None));
}

pub fn whoever_comes_and_goes_says_nothing(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.present(&room, &["甲", "乙"]);
    assert_eq!(here(&stage, &room), "0 -");
    say(&stage, &room, Attach::Head, "甲: 一\n#: 二", Some("a"));
    stage.present(&room, &["甲"]);
    assert_eq!(here(&stage, &room), "2 a");
    stage.say(&room, "甲: 三");
    assert_eq!(here(&stage, &room), "3 a");
}

pub fn a_swipe_has_its_own(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let first = say(&stage, &room, Attach::Head, "甲: 一", Some("a"));
    let second = say(&stage, &room, Attach::Head, "乙: 二", Some("b"));
    let swipe = say(&stage, &room, Attach::Beside(second), "乙: 贰", None);
    assert_eq!(here(&stage, &room), "2 a");
    say(&stage, &room, Attach::Beside(second), "乙: Ⅱ", Some("c"));
    assert_eq!(here(&stage, &room), "2 c");
    stage.head(&room, HeadTarget::Line(second));
    assert_eq!(here(&stage, &room), "2 b");
    stage.head(&room, HeadTarget::Line(swipe));
    stage.say(&room, "甲: 三");
    assert_eq!(here(&stage, &room), "3 a");
    stage.head(&room, HeadTarget::Line(first));
    assert_eq!(here(&stage, &room), "1 a");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(here(&stage, &room), "0 -");
    say(&stage, &room, Attach::Root, "甲: 另", Some("d"));
    assert_eq!(here(&stage, &room), "1 d");
}

pub fn undo_takes_them_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    for (number, timers) in [(1, Some("a")), (2, None), (3, Some("b")), (4, None)] {
        say(&stage, &room, Attach::Head, &format!("甲: {number}"), timers);
    }
    let mut seen = vec![here(&stage, &room)];
    for _ in 0..4 {
        stage.head(&room, HeadTarget::Back(1));
        seen.push(here(&stage, &room));
    }
    assert_eq!(seen, ["4 b", "3 b", "2 a", "1 a", "0 -"]);
}

pub fn a_restore_brings_them_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    say(&stage, &room, Attach::Head, "甲: 一", Some("a"));
    stage.save("early");
    let late = say(&stage, &room, Attach::Head, "乙: 二", Some("b"));
    stage.save("late");
    say(&stage, &room, Attach::Beside(late), "乙: 贰\n甲: 三", Some("c"));
    stage.load("early");
    assert_eq!(here(&stage, &room), "1 a");
    stage.load("late");
    assert_eq!(here(&stage, &room), "2 b");
}

pub fn a_replay_records_none(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let key = Some(AppendKey { key: "k".into(), digest: [7; 16] });
    let append = |timers: &str| Append {
        lines: lines("甲: 一"),
        key: key.clone(),
        lore_timers: Some(timers.to_owned()),
        ..Append::default()
    };
    stage.append(&room, &append("a")).unwrap();
    stage.append(&room, &append("b")).unwrap();
    assert_eq!(here(&stage, &room), "1 a");
}

pub fn a_deleted_line_takes_its_own_along(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let first = say(&stage, &room, Attach::Head, "甲: 一", Some("a"));
    let second = say(&stage, &room, Attach::Head, "乙: 二", Some("b"));
    stage.say(&room, "甲: 三");
    stage.erase(Erase::Line(second));
    assert_eq!(here(&stage, &room), "3 a", "what was said was said");
    stage.say(&room, "甲: 四");
    assert_eq!(here(&stage, &room), "4 a");
    stage.head(&room, HeadTarget::Line(first));
    assert_eq!(here(&stage, &room), "1 a");
    say(&stage, &room, Attach::Head, "丙: 我来了", Some("c"));
    assert_eq!(here(&stage, &room), "2 c");
    stage.erase(Erase::Character(id("丙")));
    assert_eq!(here(&stage, &room), "1 a");
}
