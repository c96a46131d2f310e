//! Do books, links and timers survive the journey to another library?

use std::sync::Arc;

use reverie_api::export::{self, Format};
use reverie_core::conversation::{Append, OpenConversation};
use reverie_core::keepsake::KeptFor;
use reverie_core::library::{DocumentEntry, DocumentKind, DocumentPut, EntrySelect, Link, Scope};
use reverie_core::store::{Select, Store};
use reverie_core::{CharacterId, DocumentId, Engine, Library as _, Limits, Who, WorldId};
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::store_suite::stage::lines;

use crate::host::Still;

struct Place {
    store: Arc<ModelStore>,
    engine: Engine,
}

impl Place {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let store = Arc::new(ModelStore::default());
        let engine = Engine::new(store.clone(), Arc::new(Still), limits);
        Self { store, engine }
    }

    fn written(&self, format: Format) -> Vec<u8> {
        let mut bytes = Vec::new();
        export::write(&self.engine, &world(), None, format, &mut bytes).expect("an export");
        bytes
    }
}

fn world() -> WorldId {
    WorldId::new("w").expect("legal")
}

fn furnished() -> Place {
    let place = Place::new();
    let store = &place.store;
    store.put_world(&world(), &Default::default(), 0).expect("a world");
    let book = DocumentId::new("龙之书").expect("legal");
    let entry = |id: &str, text: &str| DocumentEntry { id: id.into(), text: text.into() };
    let put = DocumentPut {
        name: "龙".to_owned(),
        format: "sillytavern".to_owned(),
        text: r#"{"name":"龙","extensions":{"x":1.50}}"#.to_owned(),
        entries: vec![entry("7", r#"{"key":["龙"],"content":"a\u0000b"}"#), entry("0", "{}")],
        file: Some((0..=255).collect()),
        ..DocumentPut::default()
    };
    store.put_document(DocumentKind::Book, &book, put).expect("a book");
    let dragon = CharacterId::new("龙").expect("legal");
    let open =
        OpenConversation { participants: vec![Who::Id(dragon.clone())], ..OpenConversation::default() };
    let room = store.open_conversation(&world(), &open).expect("a conversation").0.id;
    for (rank, scope) in
        [(-3, Scope::World), (1 << 60, Scope::Character(dragon)), (0, Scope::Conversation(room.clone()))]
    {
        store.put_link(&world(), &Link { scope, book: book.clone(), rank }).expect("a link");
    }
    let lore_timers = Some("s,1,4,0;9:龙之书1:7".to_owned());
    let keepsakes = vec![(0, "{\"gen_id\":1.50,\"a\u{0}\":0}".to_owned())];
    let append = Append { lines: lines("龙: 吼"), lore_timers, keepsakes, ..Append::default() };
    store.append(&world(), &room, append).expect("a line");
    let kept =
        [(KeptFor::Conversation(room), "見出し"), (KeptFor::File("groups/组.json".to_owned()), "{ }\n")]
            .map(|(of, text)| (of, Some(text.to_owned())));
    store.put_keepsakes(&world(), &kept).expect("two keepsakes");
    place
}

#[test]
fn everything_arrives_in_either_form() {
    let place = furnished();
    for format in [Format::JsonLines, Format::Save] {
        let written = place.written(format);
        let there = Place::new();
        export::read(&there.engine, None, &mut written.as_slice(), 1 << 20).expect("an import");
        assert_eq!(there.written(format), written);
        let links = there.store.links(&world()).expect("links");
        assert_eq!(links, place.store.links(&world()).expect("links"));
        let room = links.iter().find_map(|link| match &link.scope {
            Scope::Conversation(room) => Some(room.clone()),
            _ => None,
        });
        for of in [None, room.as_ref()] {
            let kept = |place: &Place| place.store.keepsakes(&world(), of).expect("what is kept");
            assert_eq!(kept(&there), kept(&place));
            assert!(!kept(&there).is_empty());
        }
        let books = |place: &Place| place.store.documents(DocumentKind::Book, &Select::default());
        assert_eq!(books(&there), books(&place));
        for link in links {
            let entries = |place: &Place| place.store.entries(&link.book, &EntrySelect::All);
            assert_eq!(entries(&there), entries(&place));
            let file = |place: &Place| place.store.document_file(DocumentKind::Book, &link.book);
            assert_eq!(file(&there), file(&place));
        }
    }
}

#[test]
fn only_a_world_with_keepsakes_needs_a_reader_who_knows_them() {
    let version = |place: &Place| {
        let written = String::from_utf8(place.written(Format::JsonLines)).expect("text");
        let first: serde_json::Value =
            serde_json::from_str(written.lines().next().expect("a line")).expect("JSON");
        first["version"].as_u64()
    };
    assert_eq!(version(&furnished()), Some(3));
    let plain = Place::new();
    plain.store.put_world(&world(), &Default::default(), 0).expect("a world");
    assert_eq!(version(&plain), Some(1));
}

#[test]
fn what_cannot_be_is_refused() {
    let written = String::from_utf8(furnished().written(Format::JsonLines)).expect("text");
    for (good, bad, why) in [
        (r#""rank":0,"#, r#""rank":0,"character":"龙","#, "a link is for"),
        (r#""file":"AAEC"#, r#""file":"?AEC"#, "base64url"),
        (r#""type":"timers","line":1"#, r#""type":"timers","line":9"#, "timers stand with no line"),
        (r#""type":"keepsake","line":1"#, r#""type":"keepsake","line":9"#, "stands with nothing"),
        (r#""type":"keepsake","line":1"#, r#""type":"keepsake","conversation":"x""#, "stands with nothing"),
        (r#""type":"keepsake","line":1"#, r#""type":"keepsake","line":1,"file":"x""#, "a keepsake is of"),
        ("s,1,4,0;", "s,1;", "the lore timers of line 1: they cannot be read"),
    ] {
        let damaged = written.replace(good, bad);
        assert_ne!(damaged, written, "{good}");
        let there = Place::new();
        let read = export::read(&there.engine, None, &mut damaged.as_bytes(), 1 << 20);
        let error = read.expect_err(bad).to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(there.store.documents(DocumentKind::Book, &Select::default()), Ok(Vec::new()));
    }
}

#[test]
fn too_much_is_refused_and_named() {
    let from = furnished().written(Format::JsonLines);
    for (limits, expected) in [
        (Limits { entries_per_book: 1, ..Limits::default() }, "entry \"0\" of book \"龙之书\": 2 entries"),
        (Limits { bytes_per_document: 100, ..Limits::default() }, "book \"龙之书\": "),
        (Limits { bytes_per_document: 320, ..Limits::default() }, "entry \"7\" of book \"龙之书\": "),
    ] {
        let to = Place::with(limits);
        let error = export::read(&to.engine, None, &mut from.as_slice(), u64::MAX).expect_err(expected);
        assert!(error.message().contains(expected), "{error}");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("limits.")), "{error}");
        assert!(to.engine.world(&world()).is_err(), "nothing came in");
        let books = to.store.documents(DocumentKind::Book, &Select::Page { after: None, limit: 9 });
        assert_eq!(books.map(|books| books.len()), Ok(0));
    }
}
