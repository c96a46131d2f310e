//! The library: what becomes of books, cards and their files?

use reverie_core::library::{
    Bringing, Document, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect,
};
use reverie_core::store::Select;
use reverie_core::{Code, DocumentId, Store};

use super::stage::check_code;

use DocumentKind::{Book, Card};

pub(super) fn book_id(text: &str) -> DocumentId {
    DocumentId::new(text).unwrap()
}

fn entry(id: &str, text: &str) -> DocumentEntry {
    DocumentEntry { id: id.into(), text: text.into() }
}

/// `id=text id=text`
pub(super) fn book(name: &str, entries: &str) -> DocumentPut {
    let entries = entries.split_whitespace().map(|one| one.split_once('=').unwrap());
    DocumentPut {
        name: name.to_owned(),
        format: "sillytavern".to_owned(),
        text: format!("{{\"name\":\"{name}\"}}"),
        entries: entries.map(|(id, text)| entry(id, text)).collect(),
        ..DocumentPut::default()
    }
}

pub(super) fn put_book(store: &dyn Store, id: &str, entries: &str) -> Document {
    store.put_document(Book, &book_id(id), book(id, entries)).unwrap().0
}

/// `revision: id=text id=text`
pub(super) fn read(store: &dyn Store, id: &str, select: &EntrySelect) -> String {
    let (revision, entries) = store.entries(&book_id(id), select).unwrap();
    let entries: Vec<String> = entries.iter().map(|entry| format!("{}={}", entry.id, entry.text)).collect();
    format!("{revision}: {}", entries.join(" "))
}

pub fn a_document_is_made_replaced_and_erased(store: &dyn Store) {
    let id = book_id("龙之书");
    let (made, is_new) = store.put_document(Book, &id, book("龙", "1=火 2=雪")).unwrap();
    assert!(is_new);
    let expected = Document {
        kind: Book,
        id: id.clone(),
        name: "龙".into(),
        format: "sillytavern".into(),
        text: "{\"name\":\"龙\"}".into(),
        revision: 1,
        entries: 2,
        has_file: false,
        imported: Some(book("龙", "1=火 2=雪").fingerprint()),
    };
    assert_eq!(made, expected);
    let (replaced, is_new) = store.put_document(Book, &id, book("竜", "2=氷")).unwrap();
    assert_eq!((replaced.revision, replaced.entries, is_new), (2, 1, false));
    assert_eq!(store.documents(Book, &Select::One("龙之书".into())).unwrap(), [replaced]);
    assert_eq!(read(store, "龙之书", &EntrySelect::All), "2: 2=氷");
    store.erase_document(Book, &id).unwrap();
    assert_eq!(store.documents(Book, &Select::default()).unwrap(), []);
    check_code(store.entries(&id, &EntrySelect::All), Code::NotFound);
    check_code(store.erase_document(Book, &id), Code::NotFound);
}

pub fn the_same_again_changes_nothing(store: &dyn Store) {
    let id = book_id("book");
    let with_file = DocumentPut { file: Some(vec![0, 255, 7]), ..book("a", "1=x 2=y") };
    let (first, _) = store.put_document(Book, &id, with_file.clone()).unwrap();
    assert_eq!(store.put_document(Book, &id, with_file.clone()).unwrap(), (first, false));
    let mut revision = 1;
    for other in [
        DocumentPut { name: "b".into(), ..with_file.clone() },
        DocumentPut { file: Some(vec![0, 255, 8]), ..with_file.clone() },
        DocumentPut { file: None, ..with_file.clone() },
        DocumentPut { entries: book("", "2=y 1=x").entries, ..with_file.clone() },
        DocumentPut { entries: book("", "2=y 1=x 3=z").entries, ..with_file },
    ] {
        revision += 1;
        let (put, _) = store.put_document(Book, &id, other.clone()).unwrap();
        assert_eq!((put.revision, put.has_file), (revision, other.file.is_some()));
    }
}

/// What an import brought is remembered, so that the same again leaves alone what was changed since; another content does not.
pub fn an_import_brings_the_same_only_once(store: &dyn Store) {
    let id = book_id("世界书");
    let import = |entries: &str| DocumentPut { bringing: Bringing::Import, ..book("世界书", entries) };
    let bring = |entries: &str| store.put_document(Book, &id, import(entries)).unwrap();
    let now = || read(store, "世界书", &EntrySelect::All);
    assert!(bring("1=雪 2=火").1);
    store.change_entries(&id, vec![EntryChange::Put(entry("1", "雨"))], None).unwrap();
    store.change_entries(&id, vec![EntryChange::Remove("2".into())], None).unwrap();
    let (again, is_new) = bring("1=雪 2=火");
    assert_eq!((now().as_str(), again.revision, is_new), ("3: 1=雨", 3, false));
    assert_eq!(again.imported, Some(import("1=雪 2=火").fingerprint()));
    // As it is put by hand, so it stays.
    store.put_document(Book, &id, book("世界书", "1=手")).unwrap();
    bring("1=雪 2=火");
    assert_eq!(now(), "4: 1=手");
    // What is there already is news to nobody, and is what was brought last from now on.
    assert_eq!(bring("1=手").0.revision, 4);
    assert_eq!(bring("1=雪 2=火").0.revision, 5);
    bring("1=冰");
    assert_eq!(now(), "6: 1=冰");
    // Whoever deleted it is asked to bring it again.
    store.erase_document(Book, &id).unwrap();
    assert!(bring("1=冰").1);
    assert_eq!(now(), "7: 1=冰");
    // What was made by hand counts as brought: the same file changes nothing of it.
    let made = book_id("手写");
    store.put_document(Book, &made, book("手写", "1=一")).unwrap();
    store.change_entries(&made, vec![EntryChange::Put(entry("1", "二"))], None).unwrap();
    let same = DocumentPut { bringing: Bringing::Import, ..book("手写", "1=一") };
    assert_eq!(store.put_document(Book, &made, same).unwrap().0.revision, 2);
}

pub fn revisions_count_on(store: &dyn Store) {
    let id = book_id("book");
    put_book(store, "book", "1=x");
    put_book(store, "book", "1=y");
    store.erase_document(Book, &id).unwrap();
    assert_eq!(put_book(store, "book", "1=x").revision, 3);
    store.erase_document(Book, &id).unwrap();
    store.put_document(Card, &id, book("card", "")).unwrap();
    assert_eq!(put_book(store, "book", "1=x").revision, 4, "a card of the same name is another thing");
    assert_eq!(store.documents(Card, &Select::default()).unwrap()[0].revision, 1);
}

pub fn an_expected_revision_guards_against_races(store: &dyn Store) {
    let id = book_id("本");
    let expecting = |revision, text: &str| DocumentPut {
        expected_revision: Some(revision),
        ..book("本", &format!("1={text}"))
    };
    check_code(store.put_document(Book, &id, expecting(1, "a")), Code::Conflict);
    assert!(store.put_document(Book, &id, expecting(0, "a")).unwrap().1);
    check_code(store.put_document(Book, &id, expecting(0, "a")), Code::Conflict);
    assert_eq!(store.put_document(Book, &id, expecting(1, "b")).unwrap().0.revision, 2);
    check_code(store.put_document(Book, &id, expecting(1, "b")), Code::Conflict);
    let change = || vec![EntryChange::Put(entry("2", "c"))];
    check_code(store.change_entries(&id, change(), Some(1)), Code::Conflict);
    assert_eq!(store.change_entries(&id, change(), Some(2)).unwrap().revision, 3);
    check_code(store.change_entries(&book_id("没有"), change(), None), Code::NotFound);
}

pub fn entries_change_all_or_none(store: &dyn Store) {
    let id = book_id("book");
    put_book(store, "book", "1=a 2=b 3=c");
    let put = |id: &str, text: &str| EntryChange::Put(entry(id, text));
    let remove = |id: &str| EntryChange::Remove(id.into());
    let changes = vec![put("4", "四"), put("1", "一"), remove("2")];
    let changed = store.change_entries(&id, changes, None).unwrap();
    assert_eq!((changed.revision, changed.entries), (2, 3));
    assert_eq!(read(store, "book", &EntrySelect::All), "2: 1=一 3=c 4=四");
    check_code(store.change_entries(&id, vec![put("5", "五"), remove("2")], None), Code::NotFound);
    assert_eq!(store.change_entries(&id, vec![put("1", "一")], None).unwrap().revision, 2);
    assert_eq!(read(store, "book", &EntrySelect::All), "2: 1=一 3=c 4=四");
    store
        .change_entries(&id, vec![remove("4"), put("1", "壹"), put("4", "肆"), put("2", "二")], None)
        .unwrap();
    assert_eq!(read(store, "book", &EntrySelect::All), "3: 1=壹 3=c 4=肆 2=二");
    let twice = book("book", "1=a 1=b");
    check_code(store.put_document(Book, &id, twice), Code::Invalid);
}

pub fn entries_are_read_in_the_authors_order(store: &dyn Store) {
    put_book(store, "book", "9=a 10=b 1=c 甲=d 2=e");
    let page = |after: Option<&str>, limit| {
        read(store, "book", &EntrySelect::Page { after: after.map(Into::into), limit })
    };
    assert_eq!(page(None, 2), "1: 9=a 10=b");
    assert_eq!(page(Some("10"), 2), "1: 1=c 甲=d");
    assert_eq!(page(Some("甲"), 2), "1: 2=e");
    assert_eq!(page(Some("2"), 2), "1: ");
    assert_eq!(page(None, usize::MAX), "1: 9=a 10=b 1=c 甲=d 2=e");
    assert_eq!(read(store, "book", &EntrySelect::One("甲".into())), "1: 甲=d");
    assert_eq!(read(store, "book", &EntrySelect::One("乙".into())), "1: ");
    let gone = EntrySelect::Page { after: Some("乙".into()), limit: 2 };
    check_code(store.entries(&book_id("book"), &gone), Code::NotFound);
}

pub fn documents_are_listed_in_pages(store: &dyn Store) {
    for id in ["c", "a", "书", "b"] {
        put_book(store, id, "");
    }
    store.put_document(Card, &book_id("ab"), book("card", "")).unwrap();
    let ids = |kind, after: Option<&str>, limit| {
        let page = Select::Page { after: after.map(str::to_owned), limit };
        let found = store.documents(kind, &page).unwrap();
        found.iter().map(|document| document.id.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids(Book, None, 2), "a b");
    assert_eq!(ids(Book, Some("b"), 2), "c 书");
    assert_eq!(ids(Card, None, 9), "ab");
    assert_eq!(store.documents(Book, &Select::One("ab".into())).unwrap(), []);
}

pub fn the_file_that_it_came_in(store: &dyn Store) {
    let id = book_id("莱姆");
    let picture: Vec<u8> = (0..70_000u32).map(|at| (at * 31 % 251) as u8).collect();
    let card = DocumentPut { file: Some(picture.clone()), ..book("莱姆", "") };
    assert!(store.put_document(Card, &id, card).unwrap().0.has_file);
    assert_eq!(store.document_file(Card, &id).unwrap(), Some(picture));
    check_code(store.document_file(Book, &id), Code::NotFound);
    store.put_document(Card, &id, book("莱姆", "")).unwrap();
    assert_eq!(store.document_file(Card, &id).unwrap(), None);
}
