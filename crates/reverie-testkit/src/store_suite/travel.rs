//! Export, import and fork: does a world arrive as it left?

use reverie_core::character::CharacterPatch;
use reverie_core::conversation::{Append, AppendKey, Attach, HeadTarget, WhichLines};
use reverie_core::fingerprint::fingerprint;
use reverie_core::record::{KeyRecord, Record};
use reverie_core::store::{Erase, Select};
use reverie_core::world::Change;
use reverie_core::{CharacterId, Code, ConversationId, DocumentId, Error, LineId, Store, WorldId};

use super::stage::{Stage, check_code, id, lines, people, save_id, shown};

/// A world with something of everything in it.
pub(super) fn full<'s>(store: &'s dyn Store, world: &str) -> (Stage<'s>, ConversationId) {
    let stage = Stage::named(store, world, Default::default());
    let (pair, tavern) = (stage.set(&["甲", "さくら"]), stage.scene("酒馆", &["甲", "Bob"]));
    let line = stage.say(&pair, "#甲: 你叫甲\n[3] 甲: 一\n[5] さくら → さくら: 独り言");
    let tags = Some(Some(vec!["英雄".into(), "b c".into()]));
    let document = Some(Some(DocumentId::new("猫卡").unwrap()));
    let aliases = Some(vec!["老甲".into(), "Jia the Elder".into()]);
    let persona = Some(Some("猫".into()));
    let patch = CharacterPatch { persona, aliases, tags, document, ..Default::default() };
    stage.card("甲", patch);
    stage.save("early");
    stage.edit(line, "改过");
    stage.put("language", "en");
    stage.say_at(&pair, Attach::Beside(line), "甲: 另一枝");
    stage.present(&tavern, &["甲", "Bob", "丙"]);
    let mut keyed = Append { lines: lines("丙: 来了\nBob: hi"), ..Default::default() };
    keyed.key = Some(AppendKey { key: "k".into(), digest: fingerprint(&keyed) });
    let said = stage.append(&tavern, &keyed).unwrap();
    stage.save("late");
    stage.hide(said.lines[0].id, true);
    let patch = CharacterPatch {
        persona: Some(Some("狗".into())),
        aliases: Some(vec!["甲爷".into()]),
        document: Some(Some(DocumentId::new("dog").unwrap())),
        ..Default::default()
    };
    stage.card("甲", patch);
    stage.set(&["后来"]);
    (stage, pair)
}

/// Everything to be seen of a world but its own name and age.
fn seen(stage: &Stage<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
    let everything = Select::Page { after: None, limit: 100 };
    let rooms = stage.store.conversations(&stage.world, &everything).unwrap();
    let trees: Vec<_> = rooms.iter().map(|room| stage.lines(&room.id, WhichLines::Tree)).collect();
    let paths: Vec<_> = rooms.iter().map(|room| stage.path(&room.id)).collect();
    let world = stage.view();
    (
        (world.preset, world.settings, world.revision, world.time),
        stage.store.characters(&stage.world, &everything).unwrap(),
        stage.store.checkpoints(&stage.world, &everything).unwrap(),
        (rooms, trees, paths),
    )
}

pub fn import_of_export_is_the_same_world(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let copy = stage.fork("本", None);
    assert_eq!((copy.view().forked_from, copy.view().created_ms), (Some(stage.world.clone()), 4));
    let brought = WorldId::new("外").unwrap();
    store.import(&brought, &mut stage.export(None).into_iter().map(Ok)).unwrap();
    let brought = Stage { store, world: brought };
    assert_eq!((brought.view().forked_from, brought.view().created_ms), (None, stage.view().created_ms));
    assert_eq!(seen(&brought), seen(&stage));
    assert_eq!(seen(&copy), seen(&stage));
    let without_head = |stage: &Stage<'_>| stage.export(None).split_off(1);
    assert_eq!(without_head(&copy), without_head(&stage));
    for checkpoint in ["early", "late", "early"] {
        copy.load(checkpoint);
        stage.load(checkpoint);
        assert_eq!(seen(&copy), seen(&stage), "{checkpoint}");
    }
    assert_eq!(copy.say(&pair, "甲: 接着"), stage.say(&pair, "甲: 接着"));
}

pub fn a_checkpoint_export_is_a_prefix(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let early = stage.fork("早", Some("early"));
    stage.load("early");
    assert_eq!(early.path(&pair), stage.path(&pair));
    assert_eq!((early.view().time, early.view().settings), (stage.view().time, stage.view().settings));
    assert_eq!(early.character("甲"), stage.character("甲"));
    let saved = early.store.checkpoints(&early.world, &Select::default()).unwrap();
    assert_eq!(saved.iter().map(|saved| saved.id.as_str()).collect::<Vec<_>>(), ["early"]);
    assert_eq!(early.view().revision, saved[0].revision);
    assert_eq!(early.lines(&pair, WhichLines::Tree).len(), 3, "what came later is not in it");
}

pub fn later_texts_stay_behind(store: &dyn Store) {
    let (stage, _) = full(store, "原");
    let text = format!("{:?}", stage.export(Some("early")));
    for later in ["改过", "另一枝", "来了", "\"狗\"", "language"] {
        assert!(!text.contains(later), "{later}");
    }
    let erased = stage.lines(&stage.set(&["甲", "さくら"]), WhichLines::Tree)[1].id;
    stage.edit(erased, "新词");
    stage.erase(Erase::Line(erased));
    let text = format!("{:?}", stage.export(None));
    for gone in ["甲: 一", "\"一\"", "新词"] {
        assert!(!text.contains(gone), "{gone}");
    }
}

pub fn a_fork_goes_its_own_way(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let fork = stage.fork("分岐", Some("late"));
    let before = seen(&stage);
    fork.say(&pair, "甲: 只在这边");
    fork.erase(Erase::Character(id("Bob")));
    fork.load("early");
    assert_eq!(seen(&stage), before);
    stage.erase(Erase::World);
    assert_eq!(fork.path(&pair), "甲: 你叫甲 | 甲: 一 | さくら: 独り言");
    let again = fork.fork("再分岐", None);
    assert_eq!(again.view().forked_from, Some(fork.world.clone()));
    assert_eq!(seen(&again), seen(&fork));
}

pub fn a_fork_remembers_keys(store: &dyn Store) {
    let stage = Stage::named(store, "原", Default::default());
    let room = stage.set(&["甲", "乙"]);
    let mut keyed = Append { lines: lines("甲: 一"), ..Default::default() };
    keyed.key = Some(AppendKey { key: "k".into(), digest: fingerprint(&keyed) });
    let line = stage.append(&room, &keyed).unwrap().lines[0].id;
    stage.erase(Erase::Line(line));
    stage.save("s");
    for (name, checkpoint) in [("今", None), ("档", Some("s"))] {
        let fork = stage.fork(name, checkpoint);
        fork.say(&room, "乙: 新的");
        let again = fork.append(&room, &keyed).unwrap();
        assert!(again.replayed);
        assert_eq!(shown(&again.lines), "", "the deleted line's number is not given again");
    }
}

/// Whatever number stands with a key, a retry gets the lines that are there and costs no more than they do.
pub fn a_key_is_no_measure(store: &dyn Store) {
    let stage = Stage::named(store, "原", Default::default());
    let room = stage.set(&["甲", "乙"]);
    let mut keyed = Append { lines: lines("甲: 一\n乙: 二"), ..Default::default() };
    keyed.key = Some(AppendKey { key: "k".into(), digest: fingerprint(&keyed) });
    stage.append(&room, &keyed).unwrap();
    let mut records = stage.export(None);
    for record in &mut records {
        match record {
            Record::World(world) => world.next_line = LineId::LIMIT - 9,
            Record::Key(key) => key.count = LineId::LIMIT - 10,
            _ => {}
        }
    }
    let copy = Stage { store, world: WorldId::new("写し").unwrap() };
    store.import(&copy.world, &mut records.into_iter().map(Ok)).unwrap();
    let again = copy.append(&room, &keyed).unwrap();
    assert!(again.replayed);
    assert_eq!(shown(&again.lines), "甲: 一 | 乙: 二");
}

/// What breaks a stream of records.
type Damage = fn(&mut Vec<Record>);

fn each_line(records: &mut [Record], mut damage: impl FnMut(&mut reverie_core::record::LineRecord)) {
    for record in records {
        if let Record::Line(line) = record {
            damage(line);
        }
    }
}

fn twice(records: &mut Vec<Record>, is_it: impl Fn(&Record) -> bool) {
    let at = records.iter().position(is_it).unwrap();
    records.insert(at, records[at].clone());
}

const DAMAGES: &[(&str, Damage)] = &[
    ("nothing at all", |records| records.clear()),
    ("no world", |records| drop(records.remove(0))),
    ("two worlds", |records| records.push(records[0].clone())),
    ("no settings", |records| records.retain(|record| !matches!(record, Record::Settings { .. }))),
    ("no characters", |records| records.retain(|record| !matches!(record, Record::Character(_)))),
    ("no conversations", |records| records.retain(|record| !matches!(record, Record::Conversation(_)))),
    ("no lines", |records| records.retain(|record| !matches!(record, Record::Line(_)))),
    ("a character twice", |records| twice(records, |record| matches!(record, Record::Character(_)))),
    ("a conversation twice", |records| twice(records, |record| matches!(record, Record::Conversation(_)))),
    ("a line twice", |records| twice(records, |record| matches!(record, Record::Line(_)))),
    ("a key twice", |records| twice(records, |record| matches!(record, Record::Key(_)))),
    ("a checkpoint twice", |records| twice(records, |record| matches!(record, Record::Checkpoint(_)))),
    ("settings twice", |records| twice(records, |record| matches!(record, Record::Settings { .. }))),
    ("lines out of order", |records| {
        let at = records.iter().rposition(|record| matches!(record, Record::Line(_))).unwrap();
        records.swap(at - 1, at);
    }),
    ("a line that is its own parent", |records| each_line(records, |line| line.parent = Some(line.id))),
    ("a parent in another conversation", |records| {
        let mut first = None;
        each_line(records, |line| {
            line.parent = Some(*first.get_or_insert(line.id)).filter(|f| *f != line.id)
        });
    }),
    ("no first wording", |records| each_line(records, |line| line.wordings.clear())),
    ("only a later wording", |records| each_line(records, |line| line.wordings[0].0 = 4)),
    ("a speaker who is not in it", |records| {
        each_line(records, |line| line.speaker = Some(CharacterId::new("誰か").unwrap()));
    }),
    ("a witness who is not in it", |records| {
        each_line(records, |line| line.witnesses = vec![CharacterId::new("誰か").unwrap()]);
    }),
    ("a line before its parent", |records| {
        let mut at = 0;
        each_line(records, |line| {
            at -= 1;
            (line.tick, line.at) = (None, at);
        });
    }),
    ("a line before its own tick", |records| each_line(records, |line| line.at = line.tick.unwrap_or(0) - 1)),
    ("a tick out of bounds", |records| {
        each_line(records, |line| (line.tick, line.at) = (Some(1 << 60), 1 << 60));
    }),
    ("one host id for all", |records| each_line(records, |line| line.host_id = Some("h".into()))),
    ("lines behind the end", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_line = 2;
        }
    }),
    ("more lines than there can be", |records| {
        if let Record::World(head) = &mut records[0] {
            head.next_line = u64::MAX;
        }
    }),
    ("a revision beyond counting", |records| {
        if let Record::World(head) = &mut records[0] {
            head.revision = u64::MAX;
        }
    }),
    ("changes after the end", |records| {
        if let Record::World(head) = &mut records[0] {
            head.revision = 3;
        }
    }),
    ("a head nowhere", |records| {
        let (conversation, line) = (ConversationId::new("没有").unwrap(), None);
        records.push(Record::Change { revision: 1, change: Change::Head { conversation, line } });
    }),
    ("a head on a line that is not there", |records| {
        for record in records {
            if let Record::Change { change: Change::Head { line, .. }, .. } = record {
                *line = Some(LineId::new(999).unwrap());
            }
        }
    }),
    ("an edit that is not there", |records| {
        let line = LineId::new(1).unwrap();
        records.push(Record::Change { revision: 1, change: Change::Wording { line, version: 9 } });
    }),
    ("a card that is not there", |records| {
        records
            .push(Record::Change { revision: 1, change: Change::Card { character: id("甲"), version: 9 } });
    }),
    ("settings that are not there", |records| {
        records.push(Record::Change { revision: 1, change: Change::Settings { version: 9 } });
    }),
    ("settings that mean nothing", |records| {
        let pairs = [("no.such.key".to_owned(), "x".to_owned())].into();
        records.push(Record::Settings { version: 9, preset: Default::default(), pairs });
    }),
    ("a key for lines elsewhere", |records| {
        for record in records {
            if let Record::Key(key) = record {
                key.first = LineId::new(1).unwrap();
            }
        }
    }),
    ("a key for more lines than there are", |records| {
        for record in records {
            if let Record::Key(key) = record {
                key.count = u64::MAX;
            }
        }
    }),
    ("a key for no line", |records| {
        for record in records {
            if let Record::Key(key) = record {
                key.count = 0;
            }
        }
    }),
    ("many keys for the same lines", |records| {
        let found = records.iter().find_map(|record| match record {
            Record::Key(key) => Some(key.clone()),
            _ => None,
        });
        let found = found.unwrap();
        let another = |number| Record::Key(KeyRecord { key: format!("又 {number}"), ..found.clone() });
        records.extend((0..10).map(another));
    }),
    ("a checkpoint in the future", |records| {
        for record in records {
            if let Record::Checkpoint(checkpoint) = record {
                checkpoint.revision = 1 << 30;
            }
        }
    }),
    ("an alias of two", |records| {
        for record in records {
            if let Record::Character(character) = record {
                character.host_ids = vec![(reverie_core::character::Namespace::Role, "1".into())];
            }
        }
    }),
    ("no first card", |records| {
        for record in records {
            if let Record::Character(character) = record {
                character.cards.clear();
            }
        }
    }),
];

pub fn broken_records_are_refused(store: &dyn Store) {
    let (stage, _) = full(store, "原");
    let before = (store.worlds(&Select::default()).unwrap(), stage.export(None));
    let copy = WorldId::new("写し").unwrap();
    for (what, damage) in DAMAGES {
        let mut records = stage.export(None);
        damage(&mut records);
        let error = store.import(&copy, &mut records.into_iter().map(Ok)).expect_err(what);
        assert_eq!(error.code(), Code::Invalid, "{what}: {error}");
        assert_eq!((store.worlds(&Select::default()).unwrap(), stage.export(None)), before, "{what}");
    }
    store.import(&copy, &mut stage.export(None).into_iter().map(Ok)).unwrap();
}

pub fn a_failed_import_leaves_nothing(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let copy = WorldId::new("写し").unwrap();
    let cut = || Err(Error::new(Code::Unavailable, "the line went dead"));
    for length in [0, 1, 5, 12] {
        let some = stage.export(None).into_iter().take(length).map(Ok).chain([cut()]);
        check_code(store.import(&copy, &mut some.into_iter()), Code::Unavailable);
        assert_eq!(store.worlds(&Select::One("写し".into())).unwrap(), []);
    }
    stage.say(&pair, "甲: 照常");
    let mut handed = 0;
    let stopped = store.export(&stage.world, None, &mut |_| {
        handed += 1;
        if handed == 3 { Err(Error::new(Code::Denied, "enough")) } else { Ok(()) }
    });
    check_code(stopped, Code::Denied);
    assert_eq!(handed, 3);
}

pub fn a_taken_world_is_refused(store: &dyn Store) {
    let (stage, _) = full(store, "原");
    let before = seen(&stage);
    let records = stage.export(None);
    check_code(store.import(&stage.world, &mut records.into_iter().map(Ok)), Code::Conflict);
    assert_eq!(seen(&stage), before);
}

pub fn the_erased_travel_as_numbers(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    stage.erase(Erase::Character(id("さくら")));
    assert!(!format!("{:?}", stage.export(None)).contains("さくら"));
    let copy = stage.fork("写し", None);
    assert_eq!(people(&copy.room(&pair).participants), "deleted:1 | 甲");
    copy.erase(Erase::Character(id("甲")));
    assert_eq!(people(&copy.room(&pair).participants), "deleted:1 | deleted:2");
    copy.store.restore(&copy.world, &save_id("early")).unwrap();
    assert_eq!(copy.path(&pair), "");
    assert_eq!(copy.head(&pair, HeadTarget::Empty).head, None);
}
