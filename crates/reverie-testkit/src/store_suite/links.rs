//! Links: which books are there for whom?

use reverie_core::library::{DocumentKind, Link, Scope};
use reverie_core::store::{Erase, Place};
use reverie_core::{Code, ConversationId, Result, Store, WorldId};

use super::library::{book_id, put_book};
use super::prompt::{at, gather};
use super::stage::{Stage, check_code, id, save_id};

pub(super) fn of(character: &str) -> Scope {
    Scope::Character(id(character))
}

pub(super) fn in_room(room: &ConversationId) -> Scope {
    Scope::Conversation(room.clone())
}

pub(super) fn link(stage: &Stage<'_>, scope: Scope, book: &str, rank: i64) -> Result<bool> {
    stage.store.put_link(&stage.world, &Link { scope, book: book_id(book), rank })
}

/// `rank book scope | …`
pub(super) fn shown(links: &[Link]) -> String {
    let one = |link: &Link| {
        let scope = match &link.scope {
            Scope::World => "all".to_owned(),
            Scope::Character(id) => id.to_string(),
            Scope::Conversation(id) => format!("in {id}"),
        };
        format!("{} {} {scope}", link.rank, link.book)
    };
    links.iter().map(one).collect::<Vec<_>>().join(" | ")
}

pub(super) fn links(stage: &Stage<'_>) -> String {
    shown(&stage.store.links(&stage.world).unwrap())
}

fn books(stage: &Stage<'_>, character: &str, place: Place) -> String {
    let books = gather(stage, character, place, |_| ()).books;
    shown(&books.into_iter().map(|(link, _)| link).collect::<Vec<_>>())
}

pub fn links_are_made_moved_and_removed(store: &dyn Store) {
    let stage = Stage::new(store);
    put_book(store, "甲书", "");
    let before = stage.view().revision;
    assert!(link(&stage, Scope::World, "甲书", 3).unwrap());
    assert!(!link(&stage, Scope::World, "甲书", -3).unwrap());
    assert!(!link(&stage, Scope::World, "甲书", -3).unwrap());
    assert_eq!((links(&stage).as_str(), stage.view().revision), ("-3 甲书 all", before + 2));
    let remove = |scope| store.remove_link(&stage.world, &book_id("甲书"), &scope);
    check_code(remove(of("甲")), Code::NotFound);
    remove(Scope::World).unwrap();
    check_code(remove(Scope::World), Code::NotFound);
    assert_eq!((links(&stage).as_str(), stage.view().revision), ("", before + 3));
    assert_eq!(stage.names(), "", "whoever is only asked for is not made");
}

pub fn a_link_names_what_is_there(store: &dyn Store) {
    let stage = Stage::new(store);
    put_book(store, "书", "");
    check_code(link(&stage, Scope::World, "没有", 0), Code::NotFound);
    check_code(link(&stage, of("生人"), "没有", 0), Code::NotFound);
    let nowhere = ConversationId::new("没有").unwrap();
    check_code(link(&stage, in_room(&nowhere), "书", 0), Code::NotFound);
    check_code(store.links(&WorldId::new("没有").unwrap()), Code::NotFound);
    assert_eq!((stage.names().as_str(), stage.view().revision), ("", 1), "what failed left nothing");
    assert!(link(&stage, of("生人"), "书", 0).unwrap(), "whoever is mentioned exists");
    assert_eq!((stage.names().as_str(), stage.view().revision), ("生人", 2));
    check_code(link(&stage, of("deleted:1"), "书", 0), Code::Invalid);
    stage.erase(Erase::Character(id("生人")));
    check_code(link(&stage, of("deleted:1"), "书", 0), Code::NotFound);
}

pub fn links_are_listed_by_scope_rank_and_book(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲"]));
    for book in ["a", "b", "c"] {
        put_book(store, book, "");
    }
    for (scope, book, rank) in [
        (in_room(&two), "a", 0),
        (of("甲"), "b", 2),
        (Scope::World, "c", 1),
        (of("甲"), "a", 2),
        (in_room(&one), "c", 9),
        (Scope::World, "a", 5),
        (of("乙"), "c", 7),
        (of("甲"), "c", -1),
    ] {
        assert!(link(&stage, scope, book, rank).unwrap());
    }
    assert_eq!(
        links(&stage),
        "1 c all | 5 a all | 7 c 乙 | -1 c 甲 | 2 a 甲 | 2 b 甲 | 9 c in c1 | 0 a in c2"
    );
}

pub fn a_prompt_gets_the_books_that_are_meant_for_it(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.scene("酒馆", &["甲"]));
    for book in ["a", "b", "c", "d"] {
        put_book(store, book, "1=x");
    }
    put_book(store, "c", "1=y");
    for (scope, book, rank) in [
        (Scope::World, "d", 5),
        (Scope::World, "a", 5),
        (of("甲"), "c", 5),
        (of("甲"), "a", 5),
        (of("乙"), "b", 1),
        (in_room(&one), "b", 7),
        (in_room(&two), "b", -7),
    ] {
        link(&stage, scope, book, rank).unwrap();
    }
    assert_eq!(books(&stage, "甲", at(&one)), "5 a all | 5 a 甲 | 5 c 甲 | 5 d all | 7 b in c1");
    assert_eq!(books(&stage, "甲", at(&two)), "-7 b in c2 | 5 a all | 5 a 甲 | 5 c 甲 | 5 d all");
    assert_eq!(
        books(&stage, "乙", Place::Among(super::stage::all(&["甲", "乙"]))),
        "1 b 乙 | 5 a all | 5 d all | 7 b in c1"
    );
    assert_eq!(books(&stage, "生人", Place::Nowhere), "5 a all | 5 d all");
    let revisions: Vec<u64> =
        gather(&stage, "甲", at(&one), |_| ()).books.iter().map(|(_, revision)| *revision).collect();
    assert_eq!(revisions, [1, 1, 2, 1, 1]);
    let other = Stage::named(store, "别的世界", Default::default());
    assert_eq!(books(&other, "甲", Place::Nowhere), "");
}

pub fn a_link_outlives_its_book(store: &dyn Store) {
    let stage = Stage::new(store);
    put_book(store, "书", "");
    link(&stage, of("甲"), "书", 1).unwrap();
    store.erase_document(DocumentKind::Book, &book_id("书")).unwrap();
    assert_eq!((books(&stage, "甲", Place::Nowhere).as_str(), links(&stage).as_str()), ("", "1 书 甲"));
    let missing = |who: &str| shown(&gather(&stage, who, Place::Nowhere, |_| ()).missing_books);
    assert_eq!((missing("甲").as_str(), missing("乙").as_str()), ("1 书 甲", ""));
    assert!(!link(&stage, of("甲"), "书", 2).unwrap(), "it can still be moved");
    put_book(store, "书", "");
    assert_eq!((books(&stage, "甲", Place::Nowhere).as_str(), missing("甲").as_str()), ("2 书 甲", ""));
}

pub fn a_link_goes_with_whom_it_was_for(store: &dyn Store) {
    let stage = Stage::new(store);
    put_book(store, "书", "");
    for scope in [of("甲"), of("乙"), Scope::World] {
        link(&stage, scope, "书", 0).unwrap();
    }
    stage.erase(Erase::Character(id("甲")));
    assert_eq!(links(&stage), "0 书 all | 0 书 乙");
    stage.erase(Erase::World);
    let again = Stage::new(store);
    assert_eq!(links(&again), "");
    assert_eq!(
        store.documents(DocumentKind::Book, &Default::default()).unwrap().len(),
        1,
        "books belong to no world"
    );
}

pub fn a_restore_leaves_links_alone(store: &dyn Store) {
    let stage = Stage::new(store);
    for book in ["a", "b"] {
        put_book(store, book, "");
    }
    link(&stage, Scope::World, "a", 0).unwrap();
    stage.save("s");
    link(&stage, Scope::World, "a", 4).unwrap();
    link(&stage, of("甲"), "b", 0).unwrap();
    store.restore(&stage.world, &save_id("s")).unwrap();
    assert_eq!(links(&stage), "4 a all | 0 b 甲");
}
