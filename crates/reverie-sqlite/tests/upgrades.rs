//! Does a file of an older schema become one of today, with a backup beside it and nothing lost?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use reverie_core::character::CharacterPatch;
use reverie_core::conversation::{Append, HeadTarget, LinesQuery, WhichLines};
use reverie_core::keepsake::KeptFor;
use reverie_core::library::{Bringing, DocumentEntry, DocumentKind, DocumentPut, EntryChange};
use reverie_core::memories::{BacklogsQuery, WhichHeld};
use reverie_core::store::Erase;
use reverie_core::{ConversationId, DocumentId, Library as _, LineId, Memories as _, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::{Stage, lines};
use rusqlite::Connection;

const SCHEMAS: [&str; 3] = [
    include_str!("../src/migrations/0001.sql"),
    include_str!("../src/migrations/0002.sql"),
    include_str!("../src/migrations/0003.sql"),
];

/// As an earlier program left it.
fn write_old(path: &Path, schema: usize, rows: &str) {
    let file = Connection::open(path).unwrap();
    file.pragma_update(None, "journal_mode", "wal").unwrap();
    SCHEMAS.iter().take(schema).for_each(|sql| file.execute_batch(sql).unwrap());
    file.execute_batch(rows).unwrap();
    file.pragma_update(None, "user_version", schema).unwrap();
    file.pragma_update(None, "application_id", 1_382_381_170).unwrap();
}

fn said(store: &SqliteStore, room: &str, which: WhichLines) -> Vec<String> {
    let query = LinesQuery { which, witness: None, after: None, newest_first: false, limit: 100 };
    let world = WorldId::new("old").unwrap();
    let found = store.lines(&world, &ConversationId::new(room).unwrap(), &query).unwrap();
    found.into_iter().map(|line| line.wording.content).collect()
}

#[test]
fn a_file_of_the_first_schema_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    write_old(&path, 1, include_str!("files_of_old/schema1.sql"));
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(folder.path().join("reverie.db.schema1.bak").exists());
    assert_eq!(said(&store, "duet", WhichLines::Path), ["一", "二之二"]);
    assert_eq!(said(&store, "duet", WhichLines::Tree), ["一", "二", "三", "二之二", "四", "三之二"]);
    let children = |of| said(&store, "duet", WhichLines::Children(Some(LineId::new(of).unwrap())));
    assert_eq!(children(1), ["二", "二之二"]);
    assert_eq!(children(2), ["三", "三之二"]);
    assert_eq!(said(&store, "inn", WhichLines::Path), ["有人吗", "有"]);

    let (world, room) = (WorldId::new("old").unwrap(), ConversationId::new("duet").unwrap());
    let more = Append { lines: lines("甲: 五"), ..Append::default() };
    store.append(&world, &room, more).unwrap();
    store.erase(&world, &Erase::Line(LineId::new(2).unwrap())).unwrap();
    assert_eq!(children(1), ["三", "二之二", "三之二"]);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_file_of_the_second_schema_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    write_old(&path, 2, include_str!("files_of_old/schema2.sql"));
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(folder.path().join("reverie.db.schema2.bak").exists());
    let stage = Stage { store: &store, world: WorldId::new("old").unwrap() };
    let (duet, inn) = (ConversationId::new("duet").unwrap(), ConversationId::new("inn").unwrap());
    assert_eq!(said(&store, "duet", WhichLines::Path), ["一改", "二之二", "藏起来"]);
    let hidden: Vec<bool> = stage.lines(&duet, WhichLines::Path).iter().map(|line| line.hidden).collect();
    assert_eq!(hidden, [false, false, true]);

    let waits = store.backlogs(&BacklogsQuery { limit: 9, ..BacklogsQuery::default() }).unwrap();
    let waits: Vec<&str> = waits.iter().map(|(_, room)| room.as_str()).collect();
    assert_eq!(waits, ["duet", "inn"], "what was said before is to be remembered");
    assert_eq!((stage.waiting(&duet), stage.waiting(&inn)), ("1 3 4".into(), "6".into()));
    let lines = [1, 3].map(|number| LineId::new(number).unwrap());
    let memory = stage.remember("唱了一段", &lines, &["甲", "乙"]);
    stage.digest(&duet, lines[0], LineId::new(4).unwrap());
    assert_eq!((stage.waiting(&duet), stage.mind("甲")), ("covered 4 | -".into(), "唱了一段".into()));
    stage.load("save");
    assert_eq!((stage.waiting(&duet), stage.mind("甲")), ("1 2".into(), String::new()));
    assert_eq!(memory.get(), 1);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_file_of_the_third_schema_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    write_old(&path, 3, include_str!("files_of_old/schema3.sql"));
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(folder.path().join("reverie.db.schema3.bak").exists());
    let stage = Stage { store: &store, world: WorldId::new("old").unwrap() };
    let room = ConversationId::new("c1").unwrap();
    assert_eq!(said(&store, "c1", WhichLines::Path), ["你好，今天天气真好。", "Not today."]);
    assert_eq!(stage.mind("さくら").matches("Not today.").count(), 3, "a round, its day and its era");
    // Nothing was kept of any file, and from now on it is.
    assert_eq!(store.keepsakes(&stage.world, Some(&room)).unwrap(), []);
    let line = KeptFor::Line(LineId::new(3).unwrap());
    let kept =
        [(line.clone(), Some("{}".to_owned())), (KeptFor::Conversation(room.clone()), Some("頭".to_owned()))];
    assert_eq!(store.put_keepsakes(&stage.world, &kept).unwrap(), 2);
    assert_eq!(store.keepsakes(&stage.world, Some(&room)).unwrap()[1].of, line);
    store.erase(&stage.world, &Erase::Line(LineId::new(3).unwrap())).unwrap();
    assert_eq!(store.keepsakes(&stage.world, Some(&room)).unwrap().len(), 1);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

/// What the thirteenth schema brought, taken away again.
const WITHOUT_13: &str =
    "DROP INDEX character_away; DROP INDEX character_by_revision; DROP INDEX conversation_by_revision;
     ALTER TABLE character DROP COLUMN away; ALTER TABLE conversation DROP COLUMN away;
     ALTER TABLE memory DROP COLUMN depth; PRAGMA user_version = 12";

/// The same of the tenth schema and those behind it, but for the thirteenth.
const WITHOUT_10: &str =
    "DROP TRIGGER name_beside_others_changed; DROP TABLE other_name; DROP TABLE name_change;
     ALTER TABLE character DROP COLUMN aliases; ALTER TABLE character_version DROP COLUMN aliases;
     ALTER TABLE character DROP COLUMN card; ALTER TABLE character_version DROP COLUMN card;
     ALTER TABLE document DROP COLUMN imported; ALTER TABLE character DROP COLUMN tags;
     ALTER TABLE character_version DROP COLUMN tags; PRAGMA user_version = 9";

/// Nobody wrote down what was imported: what is there is kept, and from the first import on it is known.
#[test]
fn books_from_before_imports_were_remembered_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let id = DocumentId::new("龙之书").unwrap();
    let put = |text: &str| {
        let entries = vec![DocumentEntry { id: "1".into(), text: text.into() }];
        DocumentPut { name: "龙".into(), entries, bringing: Bringing::Import, ..DocumentPut::default() }
    };
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let persona = CharacterPatch { persona: Some(Some("猫".to_owned())), ..Default::default() };
    stage.card("甲", persona);
    store.put_document(DocumentKind::Book, &id, put("火")).unwrap();
    drop(store);
    let file = Connection::open(&path).unwrap();
    file.execute_batch(WITHOUT_13).unwrap();
    file.execute_batch(WITHOUT_10).unwrap();
    drop(file);
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert!(folder.path().join("reverie.db.schema9.bak").exists());
    let stage = Stage::new(&store);
    let card = stage.character("甲").unwrap().card;
    assert_eq!((card.persona.as_deref(), card.tags, card.document), (Some("猫"), None, None));
    assert_eq!(card.aliases, Vec::<String>::new());
    stage.card("甲", CharacterPatch { aliases: Some(vec!["老甲".to_owned()]), ..Default::default() });
    assert_eq!(stage.character("甲").unwrap().card.aliases, ["老甲"]);
    let (book, _) = store.put_document(DocumentKind::Book, &id, put("火")).unwrap();
    assert_eq!((book.revision, book.imported), (1, Some(put("火").fingerprint())));
    let change = EntryChange::Put(DocumentEntry { id: "1".into(), text: "雪".into() });
    store.change_entries(&id, vec![change], None).unwrap();
    assert_eq!(store.put_document(DocumentKind::Book, &id, put("火")).unwrap().0.revision, 2);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

/// Two memories of one exchange were live at once, because only one of the two had been told of the other.
#[test]
fn an_exchange_that_was_remembered_twice_is_remembered_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    let [first, second] = [1, 2].map(|number| LineId::new(number).unwrap());
    stage.remember("一", &[first], &["甲", "乙"]);
    stage.remember("一二", &[first, second], &["甲"]);
    drop(store);
    let file = Connection::open(&path).unwrap();
    file.execute_batch(WITHOUT_13).unwrap();
    file.execute_batch(WITHOUT_10).unwrap();
    file.execute_batch(
        "DROP INDEX holding_giving_way; ALTER TABLE holding DROP COLUMN gives_way_to;
         UPDATE holding SET superseded = 0; PRAGMA user_version = 8",
    )
    .unwrap();
    drop(file);
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("一二".to_owned(), "一".to_owned()));
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

/// Who went back and forth in a day that was over had two summaries of it, and of what they share only the newer one counted.
#[test]
fn a_day_that_was_summed_up_twice_is_summed_up_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    let [first, second] = [1, 2].map(|number| LineId::new(number).unwrap());
    let whole = stage.remember("一二", &[first, second], &["甲"]);
    let other = stage.remember("别的", &[], &["甲"]);
    let day = stage.sum_up("日", &[whole, other], "甲");
    let era = stage.sum_up("年", &[whole, other, day], "甲");
    stage.head(&room, HeadTarget::Line(first));
    let half = stage.remember("一", &[first], &["甲"]);
    let half_a_day = stage.sum_up("半日", &[half, other], "甲");
    stage.sum_up("半年", &[half, other, half_a_day], "甲");
    stage.head(&room, HeadTarget::Empty);
    stage.sum_up("少", &[other], "甲");
    stage.head(&room, HeadTarget::Line(second));
    let seen = |stage: &Stage<'_>| {
        let waiting = stage.held_by("甲", WhichHeld::Unsummarised, false);
        let waiting: Vec<_> = waiting.iter().map(|held| held.memory.id).collect();
        (stage.mind("甲"), waiting, stage.one(other, "甲").summarised)
    };
    let expected = ("一二 | 别的 | 日 | 年".to_owned(), vec![era], Some(day));
    assert_eq!(seen(&stage), expected);
    drop(store);
    let file = Connection::open(&path).unwrap();
    file.execute_batch(
        "UPDATE holding SET live = 1, summarised = summarised_by IS NOT NULL;
         UPDATE holding SET gives_way_to = NULL, superseded = 0 WHERE memory IN (SELECT memory FROM memory_part)",
    )
    .unwrap();
    file.execute_batch(WITHOUT_13).unwrap();
    drop(file);
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert_eq!(seen(&Stage::new(&store)), expected);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}
