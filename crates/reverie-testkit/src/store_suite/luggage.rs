//! What a world takes along: do its timers, links and books arrive?

use reverie_core::conversation::{Attach, HeadTarget};
use reverie_core::library::{DocumentEntry, DocumentKind, DocumentPut, EntrySelect, Link, Scope};
use reverie_core::record::{BookRecord, Record};
use reverie_core::store::{Erase, Select};
use reverie_core::{Code, ConversationId, Error, LineId, Store, WorldId};

use super::library::{book, book_id, put_book, read};
use super::links::{in_room, link, links, of};
use super::stage::{Stage, check_code, id};
use super::timers::{here, say};

/// Two books, one of them in a file, and timers on two branches.
fn furnished(store: &dyn Store) -> (Stage<'_>, ConversationId) {
    let stage = Stage::named(store, "原", Default::default());
    let room = stage.set(&["甲", "乙"]);
    let with_file = DocumentPut { file: Some(vec![137, 80, 78, 71, 0]), ..book("龙", "9=火 1=雪") };
    store.put_document(DocumentKind::Book, &book_id("龙"), with_file).unwrap();
    put_book(store, "酒", "1=麦");
    put_book(store, "没人用", "1=x");
    link(&stage, Scope::World, "龙", 1).unwrap();
    link(&stage, in_room(&room), "酒", 2).unwrap();
    let first = say(&stage, &room, Attach::Head, "甲: 一", Some("a"));
    stage.save("s");
    link(&stage, of("丙"), "酒", 3).unwrap();
    let second = say(&stage, &room, Attach::Head, "乙: 二", Some("b"));
    say(&stage, &room, Attach::Beside(second), "乙: 贰", Some("c"));
    assert_eq!(here(&stage, &room), "2 c");
    stage.head(&room, HeadTarget::Line(first));
    (stage, room)
}

fn titles(store: &dyn Store) -> String {
    let books = store.documents(DocumentKind::Book, &Select::default()).unwrap();
    let one = |book: &reverie_core::library::Document| format!("{} {}", book.id, book.revision);
    books.iter().map(one).collect::<Vec<_>>().join(" | ")
}

fn arrive<'s>(store: &'s dyn Store, world: &str, records: &[Record]) -> Stage<'s> {
    let world = WorldId::new(world).unwrap();
    store.import(&world, &mut records.iter().cloned().map(Ok)).unwrap();
    Stage { store, world }
}

pub fn timers_arrive_with_their_lines(store: &dyn Store) {
    let (stage, room) = furnished(store);
    for copy in [stage.fork("分", None), arrive(store, "写し", &stage.export(None))] {
        assert_eq!(here(&copy, &room), "1 a");
        for (line, expected) in [(2, "2 b"), (3, "2 c"), (1, "1 a")] {
            copy.head(&room, HeadTarget::Line(LineId::new(line).unwrap()));
            assert_eq!(here(&copy, &room), expected);
        }
    }
    let early = stage.fork("旧", Some("s"));
    assert_eq!(here(&early, &room), "1 a");
    assert!(
        !stage.export(Some("s")).iter().any(|r| matches!(r, Record::Timers { line, .. } if line.get() > 1))
    );
}

pub fn paths_are_counted_anew(store: &dyn Store) {
    let (stage, room) = furnished(store);
    stage.say(&room, "乙: 二\n甲: 三");
    stage.erase(Erase::Line(LineId::new(1).unwrap()));
    assert_eq!(here(&stage, &room), "3 -");
    assert_eq!(here(&stage.fork("分", None), &room), "2 -", "what is gone did not come along");
}

pub fn the_same_book_is_shared(store: &dyn Store) {
    let (stage, _) = furnished(store);
    let before = titles(store);
    let expected = "1 龙 all | 3 酒 丙 | 2 酒 in c1";
    for copy in [stage.fork("分", None), arrive(store, "写し", &stage.export(None))] {
        assert_eq!((links(&copy).as_str(), titles(store)), (expected, before.clone()));
    }
    let early = stage.fork("旧", Some("s"));
    assert_eq!(links(&early), "1 龙 all | 2 酒 in c1", "nobody there knows 丙 yet");
}

pub fn a_book_that_is_missing_is_made(store: &dyn Store) {
    let (stage, _) = furnished(store);
    let records = stage.export(None);
    for id in ["龙", "酒", "没人用"] {
        store.erase_document(DocumentKind::Book, &book_id(id)).unwrap();
    }
    assert!(stage.export(None).len() < records.len(), "what is gone cannot be taken along");
    let copy = arrive(store, "写し", &records);
    assert_eq!(links(&copy), "1 龙 all | 3 酒 丙 | 2 酒 in c1");
    assert_eq!(titles(store), "酒 2 | 龙 2", "it goes on counting");
    assert_eq!(read(store, "龙", &EntrySelect::All), "2: 9=火 1=雪");
    assert_eq!(store.document_file(DocumentKind::Book, &book_id("龙")).unwrap().unwrap().len(), 5);
}

pub fn another_book_of_the_same_name_stays(store: &dyn Store) {
    let (stage, _) = furnished(store);
    let records = stage.export(None);
    put_book(store, "酒", "1=米");
    let copy = arrive(store, "写し", &records);
    assert_eq!(links(&copy), "1 龙 all | 3 酒~2 丙 | 2 酒~2 in c1");
    assert_eq!(titles(store), "没人用 1 | 酒 2 | 酒~2 1 | 龙 1");
    assert_eq!(read(store, "酒", &EntrySelect::All), "2: 1=米");
    assert_eq!(read(store, "酒~2", &EntrySelect::All), "1: 1=麦");
    assert_eq!(links(&stage), "1 龙 all | 3 酒 丙 | 2 酒 in c1");
    let again = arrive(store, "また", &records);
    assert_eq!(links(&again), links(&copy), "and once it is there, it is shared");
    put_book(store, "酒~2", "1=葡萄");
    assert_eq!(links(&arrive(store, "三", &records)), "1 龙 all | 3 酒~3 丙 | 2 酒~3 in c1");
    // A new name can be an old one of another book that comes along.
    let records = copy.export(None);
    put_book(store, "酒~2", "1=梅");
    assert_eq!(links(&arrive(store, "四", &records)), "1 龙 all | 3 酒~2~2 丙 | 2 酒~2~2 in c1");
    assert_eq!(titles(store), "没人用 1 | 酒 2 | 酒~2 3 | 酒~2~2 1 | 酒~3 1 | 龙 1");
}

pub fn a_long_name_leaves_room(store: &dyn Store) {
    let stage = Stage::new(store);
    let long = format!("a{}", "书".repeat(42));
    put_book(store, &long, "1=a");
    link(&stage, Scope::World, &long, 0).unwrap();
    let records = stage.export(None);
    put_book(store, &long, "1=b");
    let copy = arrive(store, "写し", &records);
    assert_eq!(links(&copy), format!("0 a{}~2 all", "书".repeat(41)));
}

type Damage = fn(&mut Vec<Record>);

const DAMAGES: &[(&str, Damage)] = &[
    ("timers of a line that is not there", |records| {
        records.push(Record::Timers { line: LineId::new(99).unwrap(), text: String::new() });
    }),
    ("timers twice", |records| {
        records.push(Record::Timers { line: LineId::new(1).unwrap(), text: String::new() });
    }),
    ("a link for a stranger", |records| {
        records.push(Record::Link(Link { scope: of("生人"), book: book_id("龙"), rank: 0 }));
    }),
    ("a link in no conversation", |records| {
        let nowhere = ConversationId::new("没有").unwrap();
        records.push(Record::Link(Link { scope: in_room(&nowhere), book: book_id("龙"), rank: 0 }));
    }),
    ("a link twice", |records| {
        records.push(Record::Link(Link { scope: Scope::World, book: book_id("龙"), rank: 7 }));
    }),
    ("a book twice", |records| {
        let text = String::new();
        let (name, format) = (text.clone(), text.clone());
        records.push(Record::Book(Box::new(BookRecord {
            id: book_id("龙"),
            name,
            format,
            text,
            file: None,
            imported: None,
        })));
    }),
    ("an entry of no book", |records| {
        let entry = DocumentEntry { id: "1".into(), text: "x".into() };
        records.push(Record::Entry { book: book_id("没人用"), entry });
    }),
    ("an entry twice", |records| {
        let entry = DocumentEntry { id: "1".into(), text: "x".into() };
        records.push(Record::Entry { book: book_id("龙"), entry });
    }),
];

pub fn broken_luggage_is_refused(store: &dyn Store) {
    let (stage, _) = furnished(store);
    let whole = stage.export(None);
    store.erase_document(DocumentKind::Book, &book_id("酒")).unwrap();
    let before = titles(store);
    let copy = WorldId::new("写し").unwrap();
    for (what, damage) in DAMAGES {
        let mut records = whole.clone();
        damage(&mut records);
        let error = store.import(&copy, &mut records.into_iter().map(Ok)).expect_err(what);
        assert_eq!((error.code(), titles(store)), (Code::Invalid, before.clone()), "{what}: {error}");
    }
    for length in 0..whole.len() {
        let cut = Err(Error::new(Code::Unavailable, "the line went dead"));
        let some = whole.iter().take(length).cloned().map(Ok).chain([cut]);
        check_code(store.import(&copy, &mut some.into_iter()), Code::Unavailable);
        assert_eq!(titles(store), before, "no book comes without its world");
    }
    stage.erase(Erase::Character(id("丙")));
    let links = stage.store.links(&stage.world).unwrap();
    assert_eq!(links.len(), 2);
}
