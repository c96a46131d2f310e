//! Is nothing written if what was read is not so any more?

use reverie_core::conversation::HeadTarget;
use reverie_core::memories::{Committed, Effect, Guard, ReadLine};
use reverie_core::round::Ending;
use reverie_core::store::Erase;
use reverie_core::{ConversationId, LineId, MemoryId, RoundId, Store};

use super::stage::{Stage, id};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

fn memory(number: u64) -> MemoryId {
    MemoryId::new(number).unwrap()
}

/// What was read, and what happens before it is written.
struct Race {
    what: &'static str,
    guard: fn(&Told) -> Guard,
    then: fn(&Stage<'_>, &Told),
}

/// A story in which line 1 is covered, line 2 hidden, and rounds 2 and 3 are closed and open.
struct Told {
    room: ConversationId,
    closed: RoundId,
    memory: MemoryId,
}

const RACES: &[Race] = &[
    Race {
        what: "a line was reworded", guard: read_first, then: |stage, _| drop(stage.edit(line(1), "壹"))
    },
    Race { what: "a line was hidden", guard: read_first, then: |stage, _| drop(stage.hide(line(1), true)) },
    Race {
        what: "a line was shown",
        guard: |_| Guard::Lines(vec![ReadLine { hidden: true, ..read(2) }]),
        then: |stage, _| drop(stage.hide(line(2), false)),
    },
    Race {
        what: "somebody forgot a line",
        guard: read_first,
        then: |stage, _| drop(stage.make(vec![forgets("乙", 1, true)])),
    },
    Race {
        what: "somebody else forgot it, too",
        guard: |_| Guard::Lines(vec![forgotten_third()]),
        then: |stage, _| drop(stage.make(vec![forgets("乙", 3, true)])),
    },
    Race {
        what: "a line left the path",
        guard: |_| Guard::Lines(vec![read(1), forgotten_third()]),
        then: |stage, told| drop(stage.head(&told.room, HeadTarget::Line(line(2)))),
    },
    Race {
        what: "a line was never shown",
        guard: |_| Guard::Lines(vec![read(4)]),
        then: |stage, told| {
            stage.close(RoundId::new(3).unwrap(), Ending::Aborted, None).unwrap();
            stage.head(&told.room, HeadTarget::Line(line(4)));
        },
    },
    Race { what: "a line was erased", guard: read_first, then: |stage, _| stage.erase(Erase::Line(line(1))) },
    Race {
        what: "more is covered",
        guard: |told| Guard::Covered { conversation: told.room.clone(), through: Some(line(1)) },
        then: |stage, told| drop(stage.make(vec![Effect::Digested(told.closed)])),
    },
    Race {
        what: "nothing is covered",
        guard: |told| Guard::Covered { conversation: told.room.clone(), through: Some(line(1)) },
        then: |stage, _| drop(stage.edit(line(1), "壹")),
    },
    Race {
        what: "the round is digested",
        guard: |told| Guard::Waiting(told.closed),
        then: |stage, told| drop(stage.make(vec![Effect::Digested(told.closed)])),
    },
    Race {
        what: "the state is another",
        guard: |told| Guard::State { memory: told.memory, holder: id("甲"), version: 0 },
        then: |stage, told| stage.put_state(told.memory, "甲", |state| state.pinned = true),
    },
    Race {
        what: "the holding is not there",
        guard: |told| Guard::State { memory: told.memory, holder: id("甲"), version: 0 },
        then: |stage, _| drop(stage.load("start")),
    },
    Race {
        what: "it was forgotten",
        guard: |told| Guard::Valid { memory: told.memory, holder: id("甲"), valid: true },
        then: |stage, told| stage.put_state(told.memory, "甲", |state| state.forgotten = true),
    },
    Race {
        what: "it is not live",
        guard: |told| Guard::Valid { memory: told.memory, holder: id("甲"), valid: true },
        then: |stage, _| drop(stage.hide(line(1), true)),
    },
    Race {
        what: "somebody has it by now",
        guard: |told| Guard::Valid { memory: told.memory, holder: id("乙"), valid: false },
        then: |stage, _| {
            let mut again = stage.memory("下雨", &[line(1)], &["乙"]);
            again.fingerprint = Some([1; 16]);
            stage.make(vec![Effect::Remember(again)]);
        },
    },
];

fn read(number: u64) -> ReadLine {
    ReadLine { line: line(number), version: 0, hidden: false, forgotten_by: Vec::new() }
}

fn forgets(who: &str, number: u64, forgotten: bool) -> Effect {
    Effect::Lines { lines: vec![line(number)], holder: id(who), forgotten }
}

/// 甲 forgot what the third line says.
fn forgotten_third() -> ReadLine {
    ReadLine { forgotten_by: vec![id("甲")], ..read(3) }
}

fn read_first(_: &Told) -> Guard {
    Guard::Lines(vec![read(1)])
}

fn told(stage: &Stage<'_>) -> Told {
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 下雨了");
    stage.save("start");
    let closed = {
        stage.digest(&room, line(1), line(1));
        let round = stage.begin(&room);
        stage.say_in(&room, round, "@甲: 二\n乙: 三");
        stage.hide(line(2), true);
        stage.make(vec![forgets("甲", 3, true)]);
        stage.complete(round);
        round
    };
    let open = stage.begin(&room);
    stage.say_in(&room, open, "乙: 四");
    let mut new = stage.memory("下雨", &[line(1)], &["甲"]);
    new.fingerprint = Some([1; 16]);
    let memory = stage.make(vec![Effect::Remember(new)])[0];
    Told { room, closed, memory }
}

pub fn every_guard_can_fail(store: &dyn Store) {
    for Race { what, guard, then } in RACES {
        let stage = Stage::named(store, what, Default::default());
        let told = told(&stage);
        let effects = || vec![Effect::Remember(stage.memory("新", &[], &["甲"]))];
        let ok = stage.commit(vec![guard(&told)], effects()).unwrap();
        assert!(matches!(ok, Committed::Done { .. }), "{what}: nothing happened yet");
        then(&stage, &told);
        let before = (stage.view().revision, stage.whole_mind("甲"));
        let stale = stage.commit(vec![Guard::Lines(vec![]), guard(&told)], effects()).unwrap();
        assert_eq!(stale, Committed::Stale, "{what}");
        assert_eq!((stage.view().revision, stage.whole_mind("甲")), before, "{what}: nothing was written");
    }
}

pub fn a_guard_about_the_unknown_does_not_hold(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    let nowhere = ConversationId::new("没有").unwrap();
    for guard in [
        Guard::Lines(vec![read(9)]),
        Guard::Covered { conversation: nowhere, through: None },
        Guard::Waiting(RoundId::new(9).unwrap()),
        Guard::State { memory: memory(9), holder: id("甲"), version: 0 },
        Guard::State { memory: memory(9), holder: id("没有"), version: 0 },
        Guard::Valid { memory: memory(9), holder: id("甲"), valid: true },
    ] {
        assert_eq!(stage.commit(vec![guard.clone()], vec![]).unwrap(), Committed::Stale, "{guard:?}");
    }
    let not_there = Guard::Valid { memory: memory(9), holder: id("没有"), valid: false };
    assert!(matches!(stage.commit(vec![not_there], vec![]).unwrap(), Committed::Done { .. }));
}
