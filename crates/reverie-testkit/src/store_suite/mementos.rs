//! Rounds and memories on their way: do they arrive as they left, and which are refused?

use reverie_core::conversation::{Append, Attach, HeadTarget};
use reverie_core::memories::{Effect, HeldQuery, NewMemory, WhichRounds};
use reverie_core::memory::Memory;
use reverie_core::record::{HoldingRecord, Record, RoundRecord};
use reverie_core::round::{Ending, RoundState, Span};
use reverie_core::store::{Erase, Select};
use reverie_core::world::Change;
use reverie_core::{CharacterId, Code, ConversationId, LineId, MemoryId, RoundId, Store, WorldId};

use super::minds::{everything, found};
use super::stage::{Stage, id, lines};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

/// Something of everything that can be remembered.
fn full(store: &dyn Store) -> (Stage<'_>, ConversationId) {
    let stage = Stage::named(store, "原", Default::default());
    let room = stage.scene("酒馆", &["甲", "さくら", "Bob"]);
    stage.say(&room, "[1] 甲: 一\nさくら: 二");
    let fingerprint = Some([1; 16]);
    let first = NewMemory {
        fingerprint,
        about: vec![id("Bob")],
        ..stage.memory("早〔1〕", &[line(1), line(2)], &["甲"])
    };
    stage.make(vec![Effect::Remember(first.clone()), found(&room, line(1), line(2))]);
    let open = stage.open_round(&room, Some(&["さくら", "甲"])).unwrap().id;
    stage.say_in(&room, open, "@甲: 三\nさくら: 四");
    stage.save("early");
    let late = stage.begin(&room);
    stage.say_in(&room, late, "[9] @甲: 五\nさくら: 六\nさくら: 没说完");
    stage.close(late, Ending::Complete, Some(line(stage.room(&room).head.unwrap().get() - 1))).unwrap();
    stage.make(vec![Effect::Remember(NewMemory {
        holders: stage.memory("", &[], &["甲", "さくら"]).holders,
        ..first
    })]);
    let head = stage.room(&room).head.unwrap();
    let second = stage.remember("晚〔2〕", &[head], &["甲"]);
    stage.sum_up("一天〔3〕", &[MemoryId::new(1).unwrap(), second], "甲");
    stage.put_state(second, "甲", |state| (state.pinned, state.text) = (true, Some("我的晚〔4〕".into())));
    let mut answer = Append { lines: lines("[12] さくら: 七"), ..Append::default() };
    answer.refreshed = vec![(MemoryId::new(1).unwrap(), id("さくら")), (second, id("甲"))];
    stage.append(&room, &answer).unwrap();
    stage.save("late");
    stage.close(open, Ending::Aborted, None).unwrap();
    stage.edit(line(1), "壹");
    stage.put_state(second, "甲", |state| state.forgotten = true);
    (stage, room)
}

/// Everything to be seen of what is remembered.
fn seen(stage: &Stage<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
    let query = HeldQuery { holder: None, ..everything("甲") };
    let held = stage.store.held(&stage.world, &query).unwrap();
    let states: Vec<_> = held
        .iter()
        .map(|held| stage.store.states(&stage.world, held.memory.id, &held.holder).unwrap())
        .collect();
    let rooms = stage.store.conversations(&stage.world, &Select::default()).unwrap();
    let rounds: Vec<_> = rooms.iter().map(|room| stage.rounds(WhichRounds::Of(room.id.clone()))).collect();
    let backlogs: Vec<_> = rooms.iter().map(|room| stage.backlog(&room.id)).collect();
    let paths: Vec<_> = rooms.iter().map(|room| stage.path(&room.id)).collect();
    ((held, states), (rounds, backlogs), paths)
}

fn arrived<'s>(stage: &Stage<'s>, world: &str, records: Vec<Record>) -> Stage<'s> {
    let world = WorldId::new(world).unwrap();
    stage.store.import(&world, &mut records.into_iter().map(Ok)).unwrap();
    Stage { store: stage.store, world }
}

pub fn memories_arrive_as_they_left(store: &dyn Store) {
    let (stage, room) = full(store);
    let copies = [stage.fork("分", None), arrived(&stage, "写し", stage.export(None))];
    for copy in &copies {
        assert_eq!(seen(copy), seen(&stage));
        assert_eq!(copy.export(None).split_off(1), stage.export(None).split_off(1), "and leave again");
    }
    type Turn = fn(&Stage<'_>, &ConversationId);
    let turns: &[(&str, Turn)] = &[
        ("early", |stage, _| drop(stage.load("early"))),
        ("late", |stage, _| drop(stage.load("late"))),
        ("undo", |stage, room| drop(stage.head(room, HeadTarget::Line(line(2))))),
        ("late again", |stage, _| drop(stage.load("late"))),
        ("hidden", |stage, _| drop(stage.hide(line(2), true))),
        ("a new round", |stage, room| {
            let round = stage.begin(room);
            stage.say_in(room, round, "甲: 又一轮");
        }),
        ("a new memory", |stage, _| {
            stage.remember("新", &[], &["甲"]);
        }),
        ("a branch", |stage, room| {
            stage.say_at(room, Attach::Behind(line(4)), "甲: 另");
        }),
        ("erased", |stage, _| stage.erase(Erase::Line(line(2)))),
        ("gone", |stage, _| stage.erase(Erase::Character(id("さくら")))),
    ];
    for (what, turn) in turns {
        turn(&stage, &room);
        for copy in &copies {
            turn(copy, &room);
            assert_eq!(seen(copy), seen(&stage), "{what}");
        }
    }
}

pub fn later_memories_stay_behind(store: &dyn Store) {
    let (stage, room) = full(store);
    let text = format!("{:?}", stage.export(Some("early")));
    for (told, is_there) in
        [("早〔1〕", true), ("〔2〕", false), ("〔3〕", false), ("〔4〕", false), ("没说完", false)]
    {
        assert_eq!(text.contains(told), is_there, "{told}");
    }
    let early = stage.fork("早", Some("early"));
    let Some(Record::World(head)) = early.export(None).into_iter().next() else {
        panic!("a world comes first")
    };
    assert_eq!((head.next_round, head.next_memory), (3, 2));
    assert_eq!((early.mind("甲"), early.whole_mind("さくら")), ("早〔1〕".into(), String::new()));
    assert_eq!(early.told_rounds(&room), "1 digested 1-2 | 2 open さくら, 甲 4-5");
    let late = stage.fork("晚", Some("late"));
    stage.load("late");
    assert_eq!(late.mind("甲"), stage.mind("甲"));
    let told = format!("{:?}", stage.export(Some("late")));
    assert!(told.contains("我的晚〔4〕") && !told.contains("forgotten: true"));
    stage.load("early");
    assert_eq!(
        (early.told_rounds(&room), early.waiting(&room)),
        (stage.told_rounds(&room), stage.waiting(&room))
    );
}

/// What breaks a stream of records.
type Damage = fn(&mut Vec<Record>);

fn each_round(records: &mut [Record], damage: fn(&mut RoundRecord)) {
    records.iter_mut().for_each(|record| {
        if let Record::Round(round) = record {
            damage(round);
        }
    });
}

fn each_memory(records: &mut [Record], damage: fn(&mut Memory)) {
    records.iter_mut().for_each(|record| {
        if let Record::Memory { memory, .. } = record {
            damage(memory);
        }
    });
}

fn each_holding(records: &mut [Record], damage: fn(&mut HoldingRecord)) {
    records.iter_mut().for_each(|record| {
        if let Record::Holding(holding) = record {
            damage(holding);
        }
    });
}

fn twice(records: &mut Vec<Record>, is_it: fn(&Record) -> bool) {
    let at = records.iter().position(is_it).unwrap();
    records.insert(at, records[at].clone());
}

fn change(records: &mut Vec<Record>, change: Change) {
    let at = records.iter().rposition(|record| matches!(record, Record::Change { .. })).unwrap();
    let Record::Change { revision, .. } = records[at] else { return };
    records.insert(at + 1, Record::Change { revision, change });
}

fn somebody() -> CharacterId {
    id("誰か")
}

const DAMAGES: &[(&str, Damage)] = &[
    ("a round twice", |records| twice(records, |record| matches!(record, Record::Round(_)))),
    ("no rounds", |records| records.retain(|record| !matches!(record, Record::Round(_)))),
    ("a round nowhere", |records| {
        each_round(records, |round| round.conversation = ConversationId::new("没有").unwrap());
    }),
    ("rounds behind the end", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_round = 2;
        }
    }),
    ("no round at all could come", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_round = 0;
        }
    }),
    ("a participant who is not in it", |records| {
        each_round(records, |round| {
            round.present.iter_mut().for_each(|person| person.character = somebody())
        });
    }),
    ("a participant twice", |records| {
        each_round(records, |round| round.present.extend(round.present.clone()))
    }),
    ("a round later than the end", |records| each_round(records, |round| round.revision = 1 << 40)),
    ("an opened round with a span", |records| {
        each_round(records, |round| round.span = Some(Span { first: line(1), last: line(2) }));
    }),
    ("a found round without a span", |records| each_round(records, |round| round.span = None)),
    ("a span of no lines", |records| {
        each_round(records, |round| {
            if let Some(span) = &mut round.span {
                span.last = line(99);
            }
        });
    }),
    ("a span that runs back", |records| {
        each_round(records, |round| {
            if let Some(span) = &mut round.span {
                (span.first, span.last) = (span.last, span.first);
            }
        });
    }),
    ("lines of a round that is not in it", |records| {
        for record in records {
            if let Record::Line(line) = record {
                line.round = Some(RoundId::new(77).unwrap());
            }
        }
    }),
    ("lines of a round that was found", |records| {
        for record in records {
            if let Record::Line(line) = record {
                line.round = Some(RoundId::new(1).unwrap());
            }
        }
    }),
    ("a memory twice", |records| twice(records, |record| matches!(record, Record::Memory { .. }))),
    ("no memories", |records| records.retain(|record| !matches!(record, Record::Memory { .. }))),
    ("memories behind the end", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_memory = 2;
        }
    }),
    ("more memories than there can be", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_memory = u64::MAX;
        }
    }),
    ("memories of the same", |records| {
        for record in records {
            if let Record::Memory { fingerprint, .. } = record {
                *fingerprint = Some([5; 16]);
            }
        }
    }),
    ("a memory later than the end", |records| each_memory(records, |memory| memory.revision = 1 << 40)),
    ("a memory of a line that is not in it", |records| {
        each_memory(records, |memory| memory.sources.iter_mut().for_each(|source| source.line = line(99)));
    }),
    ("a memory about somebody who is not in it", |records| {
        each_memory(records, |memory| memory.about = vec![somebody()]);
    }),
    ("a memory of itself", |records| each_memory(records, |memory| memory.from = vec![memory.id])),
    ("a holding twice", |records| twice(records, |record| matches!(record, Record::Holding(_)))),
    ("no holdings", |records| records.retain(|record| !matches!(record, Record::Holding(_)))),
    ("a holder who is not in it", |records| each_holding(records, |holding| holding.holder = somebody())),
    ("a holding of nothing", |records| {
        each_holding(records, |holding| holding.memory = MemoryId::new(99).unwrap());
    }),
    ("no state", |records| each_holding(records, |holding| holding.states.clear())),
    ("only a later state", |records| each_holding(records, |holding| holding.states[0].0 = 9)),
    ("summed up by nothing", |records| {
        each_holding(records, |holding| holding.states[0].1.summarised_by = MemoryId::new(99).ok());
    }),
    ("superseded by nothing", |records| {
        each_holding(records, |holding| holding.states[0].1.superseded_by = MemoryId::new(99).ok());
    }),
    ("refreshed twice", |records| twice(records, |record| matches!(record, Record::Refreshed { .. }))),
    ("refreshed by no line", |records| {
        for record in records {
            if let Record::Refreshed { line: by, .. } = record {
                *by = line(99);
            }
        }
    }),
    ("refreshed what nobody has", |records| {
        for record in records {
            if let Record::Refreshed { holder, .. } = record {
                *holder = id("Bob");
            }
        }
    }),
    ("a round that is not there changes", |records| {
        let round = RoundId::new(99).unwrap();
        change(records, Change::Round { round, state: Some(RoundState::Open) });
    }),
    ("a line that is not there is not shown", |records| {
        change(records, Change::Unshown { line: line(99), unshown: true });
    }),
    ("a line that is not there was forgotten", |records| {
        change(records, Change::Forgotten { line: line(99), by: vec![id("甲")] });
    }),
    ("a line was forgotten by somebody who is not in it", |records| {
        change(records, Change::Forgotten { line: line(1), by: vec![somebody()] });
    }),
    ("a state that is not there", |records| {
        let memory = MemoryId::new(1).unwrap();
        change(records, Change::Holding { memory, holder: id("甲"), version: Some(77) });
    }),
    ("a holding that is not there changes", |records| {
        let memory = MemoryId::new(1).unwrap();
        change(records, Change::Holding { memory, holder: id("Bob"), version: None });
    }),
];

pub fn broken_memories_are_refused(store: &dyn Store) {
    let (stage, _) = full(store);
    let before = (store.worlds(&Select::default()).unwrap(), stage.export(None));
    let copy = WorldId::new("写し").unwrap();
    for (what, damage) in DAMAGES {
        let mut records = stage.export(None);
        damage(&mut records);
        let error = store.import(&copy, &mut records.into_iter().map(Ok)).expect_err(what);
        assert_eq!(error.code(), Code::Invalid, "{what}: {error}");
        assert_eq!((store.worlds(&Select::default()).unwrap(), stage.export(None)), before, "{what}");
    }
    arrived(&stage, "写し", stage.export(None));
}
