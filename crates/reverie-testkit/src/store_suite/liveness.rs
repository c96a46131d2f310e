//! When can a memory be recalled, and by whom?

use reverie_core::conversation::{Attach, HeadTarget};
use reverie_core::memories::{Effect, NewMemory, Which, WhichHeld};
use reverie_core::memory::{Origin, Superseded};
use reverie_core::round::Ending;
use reverie_core::store::Erase;
use reverie_core::time::Moment;
use reverie_core::{ConversationId, LineId, Store};

use super::minds::told_held;
use super::stage::{Stage, id};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

/// Lines 1 to 4 of one conversation, and a memory of each two of them.
fn rainy<'s>(store: &'s dyn Store, world: &str) -> (Stage<'s>, ConversationId) {
    let stage = Stage::named(store, world, Default::default());
    let room = stage.set(&["甲", "さくら"]);
    stage.say(&room, "甲: 下雨了\nさくら: 傘を忘れた\n甲: 我有伞\nさくら: ありがとう");
    stage.remember("雨", &[line(1), line(2)], &["甲", "さくら"]);
    stage.remember("傘", &[line(3), line(4)], &["さくら"]);
    (stage, room)
}

pub fn a_memory_follows_its_lines(store: &dyn Store) {
    type Turn = fn(&Stage<'_>, &ConversationId);
    // What happens, what さくら can recall then, and how it is undone.
    let turns: &[(&str, Turn, &str, Turn)] = &[
        (
            "undo",
            |s, room| drop(s.head(room, HeadTarget::Back(1))),
            "雨",
            |s, room| {
                s.head(room, HeadTarget::Line(line(4)));
            },
        ),
        (
            "to the beginning",
            |s, room| drop(s.head(room, HeadTarget::Empty)),
            "",
            |s, room| {
                s.head(room, HeadTarget::Line(line(4)));
            },
        ),
        (
            "a branch",
            |s, room| {
                s.say_at(room, Attach::Behind(line(2)), "甲: 没伞");
            },
            "雨",
            |s, room| {
                s.head(room, HeadTarget::Line(line(4)));
            },
        ),
        (
            "another root",
            |s, room| {
                s.say_at(room, Attach::Root, "甲: 晴天");
            },
            "",
            |s, room| {
                s.head(room, HeadTarget::Line(line(4)));
            },
        ),
        ("hiding", |s, _| drop(s.hide(line(2), true)), "傘", |s, _| drop(s.hide(line(2), false))),
        ("an edit", |s, _| drop(s.edit(line(3), "我有两把伞")), "雨", |s, _| drop(s.load("rain"))),
        (
            "an edit there and back",
            |s, _| {
                s.edit(line(3), "我有两把伞");
                s.edit(line(3), "我有伞");
            },
            "雨",
            |s, _| drop(s.load("rain")),
        ),
    ];
    for (what, turn, expected, back) in turns {
        let (stage, room) = rainy(store, what);
        stage.save("rain");
        assert_eq!(stage.mind("さくら"), "雨 | 傘", "{what}");
        turn(&stage, &room);
        assert_eq!(stage.mind("さくら"), *expected, "{what}");
        assert_eq!(stage.whole_mind("さくら"), "雨 | 傘", "{what}: it is still there, in no view");
        assert_eq!(stage.mind("甲").is_empty(), !expected.contains('雨'), "{what}: to everybody");
        back(&stage, &room);
        assert_eq!(stage.mind("さくら"), "雨 | 傘", "{what}: and back");
    }
}

pub fn a_memory_of_what_was_not_shown_is_in_no_view(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    let (kept, lost) = (stage.say_in(&room, round, "@甲: 一"), stage.say_in(&room, round, "乙: 二"));
    stage.remember("一", &[kept], &["甲"]);
    stage.remember("二", &[lost], &["甲"]);
    stage.save("open");
    stage.close(round, Ending::Aborted, None).unwrap();
    stage.head(&room, HeadTarget::Line(lost));
    assert_eq!((stage.mind("甲"), stage.whole_mind("甲")), ("一".into(), "一 | 二".into()));
    stage.load("open");
    assert_eq!(stage.mind("甲"), "一 | 二");
}

pub fn a_memory_of_no_line_is_always_live(store: &dyn Store) {
    let (stage, room) = rainy(store, "手");
    stage.remember("自己写的", &[], &["甲"]);
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(stage.mind("甲"), "自己写的");
}

pub fn a_summary_lives_with_what_it_sums_up(store: &dyn Store) {
    let (stage, room) = rainy(store, "日");
    let (rain, umbrella) = (stage.memories_of("さくら")[0], stage.memories_of("さくら")[1]);
    let day = stage.sum_up("雨の日", &[rain, umbrella], "さくら");
    let seen = || {
        let waiting = stage.held_by("さくら", WhichHeld::Unsummarised, false);
        format!("{} / {}", stage.mind("さくら"), told_held(&waiting))
    };
    assert_eq!(seen(), "雨 | 傘 | 雨の日 / 雨の日", "a summary hides nothing; it only says that it is done");
    assert_eq!(stage.one(rain, "甲").summarised, None, "to him it is not summed up");
    stage.hide(line(4), true);
    assert_eq!(seen(), "雨 / 雨", "the part that still stands waits again");
    stage.hide(line(4), false);
    assert_eq!(seen(), "雨 | 傘 | 雨の日 / 雨の日");
    stage.put_state(umbrella, "さくら", |state| state.forgotten = true);
    assert_eq!(seen(), "雨 / 雨", "what was forgotten is not told by its summary");
    stage.put_state(umbrella, "さくら", |state| state.forgotten = false);
    stage.put_state(day, "さくら", |state| state.forgotten = true);
    assert_eq!(seen(), "雨 | 傘 / 雨 | 傘");
    stage.put_state(day, "さくら", |state| state.forgotten = false);
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(seen(), "雨 / 雨");
    let his = stage.make(vec![Effect::Remember(NewMemory {
        from: [rain, umbrella].map(Which::Known).to_vec(),
        ..stage.memory("雨天", &[], &["甲"])
    })]);
    stage.head(&room, HeadTarget::Line(line(4)));
    assert!(!stage.one(his[0], "甲").live, "he never had one of its parts");
}

pub fn an_era_dies_with_the_smallest_part(store: &dyn Store) {
    let (stage, _) = rainy(store, "年");
    let parts = stage.memories_of("さくら");
    let day = stage.sum_up("一日", &parts, "さくら");
    let all: Vec<_> = parts.iter().copied().chain([day]).collect();
    let era = stage.sum_up("一年", &all, "さくら");
    assert_eq!(stage.mind("さくら"), "雨 | 傘 | 一日 | 一年");
    assert_eq!(stage.one(parts[0], "さくら").state.summarised_by, Some(era));
    stage.edit(line(1), "下雪了");
    assert_eq!(stage.mind("さくら"), "傘");
    assert_eq!(stage.one(parts[1], "さくら").summarised, None);
}

pub fn what_is_said_better_gives_way(store: &dyn Store) {
    let (stage, _) = rainy(store, "改");
    let rain = stage.memories_of("甲")[0];
    let better = NewMemory { origin: Origin::Statement, ..stage.memory("大雨", &[line(2)], &["甲"]) };
    let better = stage.make(vec![Effect::Remember(better)])[0];
    stage.put_state(rain, "甲", |state| state.superseded_by = Some(better));
    let mine = || (stage.mind("甲"), stage.one(rain, "甲").superseded.is_some());
    assert_eq!(mine(), ("大雨".into(), true));
    assert_eq!(stage.mind("さくら"), "雨 | 傘", "to her nothing changed");
    stage.put_state(better, "甲", |state| state.forgotten = true);
    assert_eq!(mine(), ("雨".into(), false), "it counts while one can recall the better one");
    stage.put_state(better, "甲", |state| state.forgotten = false);
    stage.hide(line(2), true);
    assert_eq!((mine(), stage.one(rain, "甲").live), ((String::new(), false), false));
    stage.put_state(rain, "甲", |state| state.superseded_by = None);
    stage.hide(line(2), false);
    assert_eq!(mine(), ("雨 | 大雨".into(), false));
    // Of somebody else's memory one makes nothing.
    let hers = stage.memories_of("さくら")[1];
    stage.put_state(rain, "甲", |state| state.superseded_by = Some(hers));
    assert_eq!(mine(), ("雨 | 大雨".into(), false));
}

/// Of memories of the same words that one of them counts which reaches furthest, then the one that holds most; what gives way is said
/// with when that was.
pub fn one_memory_of_an_exchange_counts(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "さくら"]);
    stage.say(&room, "[1] 甲: 一\n[2] さくら: 二\n[3] 甲: 三");
    let half = stage.remember("一二", &[line(1), line(2)], &["甲", "さくら"]);
    let late =
        NewMemory { tick: Some(3), wall_ms: 77, ..stage.memory("一三", &[line(1), line(3)], &["甲"]) };
    let late = stage.make(vec![Effect::Remember(late)])[0];
    stage.remember("二", &[line(2)], &["甲", "さくら"]);
    stage.remember("还是一二", &[line(1), line(2)], &["さくら"]);
    let fact = NewMemory { origin: Origin::Statement, ..stage.memory("事实", &[line(1)], &["甲"]) };
    stage.make(vec![Effect::Remember(fact)]);
    let minds = || (stage.mind("甲"), stage.mind("さくら"));
    let ahead = ("一三 | 二 | 事实".to_owned(), "还是一二".to_owned());
    assert_eq!(minds(), ahead);
    let at = Moment { tick: Some(3), wall_ms: Some(77) };
    assert_eq!(stage.one(half, "甲").superseded, Some(Superseded { by: late, at }));
    stage.save("三");
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(minds(), ("一二 | 事实".into(), "还是一二".into()));
    assert_eq!(stage.one(half, "甲").superseded, None);
    stage.head(&room, HeadTarget::Line(line(3)));
    assert_eq!(minds(), ahead);
    stage.put_state(late, "甲", |state| state.forgotten = true);
    assert_eq!(stage.mind("甲"), "二 | 事实", "no part of it comes back");
    stage.hide(line(3), true);
    assert_eq!(stage.mind("甲"), "一二 | 事实", "it is not of this path");
    stage.hide(line(3), false);
    stage.load("三");
    assert_eq!(minds(), ahead);
    let copy = stage.fork("副本", None);
    assert_eq!((copy.mind("甲"), copy.mind("さくら")), ahead);
    stage.erase(Erase::Line(line(3)));
    assert_eq!(minds(), ("一二 | 事实".into(), "还是一二".into()), "nothing gives way to what is gone");
}

/// On each path that summary counts whose parts count there, and of several the one that sums up most; what they share is summed up by it.
pub fn one_summary_of_a_day_counts(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "さくら"]);
    stage.say(&room, "甲: 一\nさくら: 二");
    let whole = stage.remember("一二", &[line(1), line(2)], &["甲", "さくら"]);
    let rain = stage.remember("雨", &[], &["甲"]);
    let day = stage.sum_up("一日", &[whole, rain], "甲");
    stage.sum_up("一年", &[whole, rain, day], "甲");
    stage.head(&room, HeadTarget::Line(line(1)));
    let half = stage.remember("一", &[line(1)], &["甲", "さくら"]);
    let half_a_day = stage.sum_up("半日", &[half, rain], "甲");
    stage.sum_up("半年", &[half, rain, half_a_day], "甲");
    stage.head(&room, HeadTarget::Empty);
    let little = stage.sum_up("少", &[rain], "甲");
    let last = stage.sum_up("少年", &[rain, little], "甲");
    stage.save("空");
    let seen = |stage: &Stage<'_>| {
        let waiting = told_held(&stage.held_by("甲", WhichHeld::Unsummarised, false));
        format!("{} / {waiting} / {}", stage.mind("甲"), stage.one(rain, "甲").summarised.unwrap())
    };
    let whole_mind = format!("一二 | 雨 | 一日 | 一年 / 一年 / {day}");
    for _ in 0..2 {
        assert_eq!(seen(&stage), format!("雨 | 少 | 少年 / 少年 / {last}"));
        stage.head(&room, HeadTarget::Line(line(2)));
        assert_eq!(seen(&stage), whole_mind);
        stage.head(&room, HeadTarget::Line(line(1)));
        assert_eq!(seen(&stage), format!("雨 | 一 | 半日 | 半年 / 半年 / {half_a_day}"));
        stage.head(&room, HeadTarget::Empty);
    }
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.one(little, "甲").superseded.map(|fuller| fuller.by), Some(day));
    assert_eq!(seen(&stage.fork("副本", None)), whole_mind);
    stage.put_state(day, "甲", |state| state.forgotten = true);
    assert_eq!(
        seen(&stage),
        format!("一二 | 雨 | 少 | 少年 / 一二 | 少年 / {last}"),
        "without the whole, the rest"
    );
    stage.put_state(day, "甲", |state| state.forgotten = false);
    assert_eq!(seen(&stage), whole_mind);
    stage.load("空");
    assert_eq!(seen(&stage), format!("雨 | 少 | 少年 / 少年 / {last}"));
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.mind("さくら"), "一二", "she has no summary");
    stage.erase(Erase::Line(line(2)));
    assert_eq!(
        seen(&stage),
        format!("雨 | 一 | 半日 | 半年 / 半年 / {half_a_day}"),
        "the whole is gone for good"
    );
}

impl Stage<'_> {
    /// All memories that somebody has, in order.
    fn memories_of(&self, holder: &str) -> Vec<reverie_core::MemoryId> {
        assert!(self.character(id(holder).as_str()).is_some());
        self.held_by(holder, WhichHeld::Any, true).iter().map(|held| held.memory.id).collect()
    }
}
