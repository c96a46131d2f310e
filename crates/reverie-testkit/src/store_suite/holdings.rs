//! What a memory is to one who has it: versions, restores, refreshments, and how it is found.

use reverie_core::conversation::{Append, AppendKey, Attach, HeadTarget};
use reverie_core::memories::{Effect, HeldQuery, NewMemory, WhichHeld};
use reverie_core::memory::{Kind, Layer, Origin};
use reverie_core::{Code, ConversationId, LineId, MemoryId, Store};

use super::minds::{everything, told_held};
use super::stage::{Stage, check_code, id, lines};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

fn memory(number: u64) -> MemoryId {
    MemoryId::new(number).unwrap()
}

pub fn a_state_is_a_new_version(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    let one = stage.remember("一", &[], &["甲", "乙"]);
    let at = |holder: &str| (stage.one(one, holder).version, stage.one(one, holder).state.pinned);
    assert_eq!((at("甲"), at("乙")), ((0, false), (0, false)));
    stage.put_state(one, "甲", |state| state.pinned = true);
    assert_eq!((at("甲"), at("乙")), ((1, true), (0, false)), "each has it in their own way");
    let before = stage.view().revision;
    stage.put_state(one, "甲", |state| state.pinned = true);
    assert_eq!((at("甲"), stage.view().revision), ((1, true), before), "the same again is no change");
    stage.put_state(one, "甲", |state| state.text = Some("我记得的".into()));
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("我记得的".into(), "一".into()));
    stage.put_state(one, "甲", |state| state.forgotten = true);
    assert_eq!((stage.mind("甲"), stage.whole_mind("甲")), (String::new(), "我记得的".into()));
}

pub fn a_restore_brings_states_back(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    stage.save("nothing");
    let one = stage.remember("一", &[], &["甲"]);
    stage.save("new");
    stage.put_state(one, "甲", |state| state.pinned = true);
    stage.save("pinned");
    stage.put_state(one, "甲", |state| (state.pinned, state.forgotten) = (false, true));
    stage.load("pinned");
    assert_eq!((stage.one(one, "甲").version, stage.mind("甲")), (1, "一".into()));
    stage.load("nothing");
    assert_eq!(stage.whole_mind("甲"), "");
    let held_by_nobody = stage.new_state_of(one, "甲");
    check_code(stage.commit(vec![], vec![held_by_nobody]), Code::NotFound);
    stage.load("new");
    assert_eq!((stage.one(one, "甲").version, stage.one(one, "甲").state.pinned), (0, false));
    stage.put_state(one, "甲", |state| state.shareable = true);
    assert_eq!(stage.one(one, "甲").version, 3, "no version is given twice");
    let told: Vec<String> = store
        .states(&stage.world, one, &id("甲"))
        .unwrap()
        .into_iter()
        .map(|(revision, state)| {
            let state = state.map(|state| {
                let word = |is_so, word: &str| if is_so { word.to_owned() } else { String::new() };
                word(state.pinned, "p") + &word(state.forgotten, "f") + &word(state.shareable, "s")
            });
            format!("{revision}{}", state.map_or("-".to_owned(), |state| format!("={state}")))
        })
        .collect();
    let base = stage.one(one, "甲").memory.revision;
    let expected = ["=", "=p", "=f", "=p", "-", "=", "=s"];
    let expected: Vec<String> =
        expected.iter().enumerate().map(|(later, state)| format!("{}{state}", base + later as u64)).collect();
    assert_eq!(told, expected);
    check_code(store.states(&stage.world, one, &id("乙")), Code::NotFound);
    check_code(store.states(&stage.world, memory(9), &id("甲")), Code::NotFound);
}

pub fn memories_are_found_by_what_they_are(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "さくら", "Bob"]);
    stage.say(&room, "甲: 一\nBob: two\nさくら: 三");
    let with = |text: &str, of: &[LineId], change: fn(&mut NewMemory)| {
        let mut new = stage.memory(text, of, &["甲"]);
        change(&mut new);
        Effect::Remember(new)
    };
    stage.make(vec![
        with("雨", &[line(1)], |_| ()),
        with("Bob lügt", &[line(2), line(3)], |new| {
            (new.kind, new.origin, new.about) = (Kind::Trait, Origin::Statement, vec![id("Bob")]);
            new.holders[0].1.layer = None;
        }),
        with("約束", &[line(3)], |new| {
            (new.kind, new.origin) = (Kind::Goal, Origin::Statement);
            new.about = vec![id("Bob"), id("さくら")];
            new.holders[0].1.layer = None;
        }),
        with("昔", &[], |new| new.holders[0].1.layer = Some(Layer::Archive)),
        with("众人", &[], |new| new.holders.push((id("さくら"), new.holders[0].1.clone()))),
    ]);
    let ask = |change: fn(&mut HeldQuery)| {
        let mut query = HeldQuery { all: false, ..everything("甲") };
        change(&mut query);
        told_held(&store.held(&stage.world, &query).unwrap())
    };
    for (change, expected) in [
        ((|_| ()) as fn(&mut HeldQuery), "雨 | Bob lügt | 約束 | 昔 | 众人"),
        (|query| query.holder = None, "雨 | Bob lügt | 約束 | 昔 | 众人 | 众人"),
        (|query| query.holder = Some(id("さくら")), "众人"),
        (|query| query.holder = Some(id("没有")), ""),
        (|query| query.which = WhichHeld::One(memory(3)), "約束"),
        (|query| query.which = WhichHeld::From(vec![line(1), line(3)]), "雨 | Bob lügt | 約束"),
        (|query| query.which = WhichHeld::From(vec![]), ""),
        (|query| query.which = WhichHeld::About(vec![id("Bob")]), "Bob lügt | 約束"),
        (|query| query.which = WhichHeld::About(vec![id("さくら"), id("没有")]), "約束"),
        (|query| query.kinds = vec![Kind::Goal, Kind::Trait], "Bob lügt | 約束"),
        (|query| query.layers = vec![Layer::Active], "雨 | 众人"),
        (|query| query.layers = vec![Layer::Active, Layer::Archive], "雨 | 昔 | 众人"),
        (|query| (query.kinds, query.layers) = (vec![Kind::Goal], vec![Layer::Active]), ""),
        (|query| (query.which, query.kinds) = (WhichHeld::From(vec![line(3)]), vec![Kind::Goal]), "約束"),
        (|query| query.newest_first = true, "众人 | 昔 | 約束 | Bob lügt | 雨"),
        (|query| query.limit = 2, "雨 | Bob lügt"),
        (|query| query.after = Some((memory(2).into(), id("甲"))), "約束 | 昔 | 众人"),
        (|query| query.after = Some((memory(2).into(), id("Bob"))), "Bob lügt | 約束 | 昔 | 众人"),
        (
            |query| {
                (query.newest_first, query.after, query.limit) = (true, Some((memory(4).into(), id("甲"))), 2)
            },
            "約束 | Bob lügt",
        ),
    ] {
        assert_eq!(ask(change), expected);
    }
    let both = HeldQuery { holder: None, which: WhichHeld::One(memory(5)), ..everything("甲") };
    let holders: Vec<_> =
        store.held(&stage.world, &both).unwrap().into_iter().map(|held| held.holder).collect();
    assert_eq!(holders, [id("さくら"), id("甲")], "by their ids");
}

pub fn whoever_waits_for_a_summary(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙", "丙", "丁"]);
    stage.say(&room, "甲: 一");
    let first = stage.remember("一", &[line(1)], &["甲", "乙", "丙"]);
    let second = stage.remember("二", &[], &["丁"]);
    let wait = |layers: &[Layer]| {
        let mut all = Vec::new();
        while let [next] = store.unsummarised(&stage.world, layers, all.last(), 1).unwrap().as_slice() {
            all.push(next.clone());
        }
        assert_eq!(all, store.unsummarised(&stage.world, layers, None, 99).unwrap());
        super::stage::people(&all)
    };
    assert_eq!(
        (wait(&[Layer::Active]).as_str(), wait(&[Layer::Events, Layer::Archive]).as_str()),
        ("丁 | 丙 | 乙 | 甲", "")
    );
    stage.put_state(second, "丁", |state| state.layer = Some(Layer::Events));
    stage.put_state(first, "丙", |state| state.forgotten = true);
    stage.sum_up("一天", &[first], "甲");
    let day = stage.held_by("甲", WhichHeld::Any, true).pop().unwrap().memory.id;
    stage.put_state(day, "甲", |state| state.layer = Some(Layer::Situational));
    assert_eq!(wait(&[Layer::Active]), "乙");
    assert_eq!(wait(&[Layer::Events, Layer::Situational]), "丁 | 甲");
    stage.put_state(day, "甲", |state| state.forgotten = true);
    assert_eq!(wait(&[Layer::Active]), "乙 | 甲", "a summary that is forgotten sums up nothing");
    stage.put_state(first, "乙", |state| state.superseded_by = Some(second));
    assert_eq!(wait(&[Layer::Active]), "乙 | 甲", "of somebody else's memory one makes nothing");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(wait(&[Layer::Active, Layer::Events]), "丁");
}

/// Records a line that answers a prompt with memories in it.
fn answer(
    stage: &Stage<'_>,
    room: &ConversationId,
    attach: Attach,
    play: &str,
    fresh: &[(MemoryId, &str)],
) -> LineId {
    let refreshed = fresh.iter().map(|(memory, holder)| (*memory, id(holder))).collect();
    let append = Append { lines: lines(play), attach, refreshed, ..Append::default() };
    stage.append(room, &append).unwrap().lines.last().unwrap().id
}

pub fn an_answer_refreshes_what_was_in_mind(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]));
    let one = stage.remember("一", &[], &["甲", "乙"]);
    let tick = |holder: &str| stage.one(one, holder).refreshed.and_then(|moment| moment.tick);
    let fresh = || (tick("甲"), tick("乙"));
    assert_eq!((fresh(), stage.one(one, "乙").refreshed), ((None, None), None));
    let first = answer(&stage, &room, Attach::Head, "乙: 没有时间", &[(one, "乙")]);
    assert_eq!(fresh(), (None, None), "no tick tells when");
    let by_the_clock = stage.one(one, "乙").refreshed.and_then(|moment| moment.wall_ms);
    assert_eq!(by_the_clock, Some(stage.line(first).unwrap().wall_ms), "but the clock does");
    let nobody = [(one, "甲"), (one, "没有"), (memory(99), "甲"), (one, "丙")];
    let early = answer(&stage, &room, Attach::Head, "[5] 甲: 五\n甲: 还是五", &nobody);
    assert_eq!(fresh(), (Some(5), None), "a missing tick is inherited");
    let late = answer(&stage, &room, Attach::Head, "[9] 甲: 九", &[(one, "甲")]);
    answer(&stage, &other, Attach::Head, "[7] 甲: 别处", &[(one, "甲"), (one, "乙")]);
    assert_eq!(fresh(), (Some(9), Some(7)), "the greatest, on whatever path");
    stage.head(&room, HeadTarget::Line(early));
    assert_eq!(fresh(), (Some(7), Some(7)));
    stage.head(&other, HeadTarget::Empty);
    assert_eq!(fresh(), (Some(5), None));
    stage.head(&room, HeadTarget::Line(late));
    stage.erase(reverie_core::store::Erase::Line(late));
    assert_eq!(fresh(), (Some(5), None));
    let key = Some(AppendKey { key: "k".into(), digest: [1; 16] });
    let again = |tick: &str, refreshed| Append {
        lines: lines(tick),
        key: key.clone(),
        refreshed,
        ..Append::default()
    };
    stage.append(&room, &again("[11] 甲: 一次", vec![])).unwrap();
    stage.append(&room, &again("[11] 甲: 一次", vec![(one, id("甲"))])).unwrap();
    assert_eq!(fresh(), (Some(5), None), "a replay writes nothing");
}

pub fn a_restore_takes_refreshments_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.save("nothing");
    let one = stage.remember("一", &[], &["甲"]);
    stage.save("early");
    answer(&stage, &room, Attach::Head, "[5] 甲: 五", &[(one, "甲")]);
    stage.save("late");
    stage.load("early");
    assert_eq!(stage.one(one, "甲").refreshed, None);
    stage.load("late");
    assert_eq!(stage.one(one, "甲").refreshed.unwrap().tick, Some(5));
    stage.load("nothing");
    answer(&stage, &room, Attach::Head, "[8] 甲: 八", &[(one, "甲")]);
    stage.load("late");
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.one(one, "甲").refreshed, None, "nobody had it then");
}

impl Stage<'_> {
    /// A state for somebody who may not have the memory.
    fn new_state_of(&self, memory: MemoryId, holder: &str) -> Effect {
        Effect::State {
            memory: reverie_core::memories::Which::Known(memory),
            holder: id(holder),
            state: Box::new(reverie_core::memory::State::new(None, None)),
            summarised_by: None,
            superseded_by: None,
        }
    }
}
