//! Where texts stand in spaces of meanings: what needs a vector, what has one, and what goes with what.

use std::sync::Arc;

use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded, Vector};
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::library::{DocumentEntry, DocumentKind, DocumentPut, EntryChange};
use reverie_core::memories::{Effect, Embedding, Spaces};
use reverie_core::store::Erase;
use reverie_core::{Code, DocumentId, MemoryId, Result, Store, WorldId};

use super::stage::{Stage, check_code, id};

/// A space of two dimensions in which texts stand by their length.
fn vector(text: &str) -> Vector {
    Vector([text.len() as f32, 0.5].as_slice().into())
}

fn embedded(text: &Unembedded) -> Embedded {
    let chunks = text.text.split('\n').map(vector).collect();
    Embedded { what: text.what.clone(), digest: text.digest, chunks }
}

fn told(what: &Embeddable) -> String {
    match what {
        Embeddable::Memory { memory, .. } => memory.to_string(),
        Embeddable::Own { memory, holder, .. } => format!("{memory}/{holder}"),
        Embeddable::Entry { entry, .. } => entry.to_string(),
    }
}

/// Some texts, and a store that keeps their vectors.
struct Texts<'s> {
    store: &'s dyn Store,
    of: Embedding,
}

impl Texts<'_> {
    fn bare(&self, space: &str) -> Vec<Unembedded> {
        self.store.unembedded(space, &self.of, 1000).unwrap()
    }

    /// What has no vector: `1 2/甲`.
    fn told_bare(&self, space: &str) -> String {
        self.bare(space).iter().map(|text| told(&text.what)).collect::<Vec<_>>().join(" ")
    }

    fn vectors(&self, space: &str) -> Vec<Embedded> {
        self.store.vectors(space, &self.of, None, 1000).unwrap()
    }

    fn told_vectors(&self, space: &str) -> String {
        self.vectors(space).iter().map(|text| told(&text.what)).collect::<Vec<_>>().join(" ")
    }

    /// Gives every text that has none a vector.
    fn embed(&self, space: &str) {
        let vectors: Vec<Embedded> = self.bare(space).iter().map(embedded).collect();
        self.store.put_vectors(space, &vectors).unwrap();
        assert_eq!(self.told_bare(space), "");
    }

    /// `3 texts, one: 2, two: 1`
    fn told_spaces(&self) -> String {
        let Spaces { embedded, texts } = self.store.spaces(&self.of).unwrap();
        let spaces = embedded.iter().map(|(space, count)| format!(", {space}: {count}"));
        format!("{texts} texts") + &spaces.collect::<String>()
    }
}

fn texts<'s>(stage: &Stage<'s>) -> Texts<'s> {
    Texts { store: stage.store, of: Embedding::World(stage.world.clone()) }
}

pub fn every_text_that_somebody_has_needs_a_vector(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙", "さくら"]);
    let one = stage.remember("下雨了", &[], &["甲", "乙"]);
    let two = stage.remember("お茶\n飲みたい", &[], &["さくら"]);
    let texts = texts(&stage);
    assert_eq!(texts.told_bare("a"), "1 2");
    let first = &texts.bare("a")[0];
    assert_eq!((first.text.as_str(), first.digest), ("下雨了", fingerprint_of_text("下雨了")));
    stage.put_state(one, "乙", |state| state.text = Some("乙的雨".into()));
    assert_eq!(texts.told_bare("a"), "1 1/乙 2", "a rewording is a text of its own");
    stage.put_state(one, "甲", |state| state.text = Some("甲的雨".into()));
    assert_eq!(texts.told_bare("a"), "1/乙 1/甲 2", "nobody has it as it was");
    stage.put_state(one, "甲", |state| state.forgotten = true);
    stage.put_state(two, "さくら", |state| state.forgotten = true);
    assert_eq!(texts.told_bare("a"), "1/乙", "what is forgotten needs none");
    assert_eq!(texts.told_spaces(), "1 texts");
    assert_eq!(store.unembedded("a", &texts.of, 0).unwrap(), []);
}

pub fn vectors_come_back_as_they_were(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    let one = stage.remember("一", &[], &["甲", "乙"]);
    stage.remember("二\n三三", &[], &["甲"]);
    stage.put_state(one, "乙", |state| state.text = Some("乙的一".into()));
    let texts = texts(&stage);
    let expected: Vec<Embedded> = texts.bare("a").iter().map(embedded).collect();
    texts.embed("a");
    assert_eq!(texts.vectors("a"), expected);
    assert_eq!(texts.told_vectors("a"), "1 1/乙 2");
    assert_eq!(texts.vectors("a")[2].chunks, [vector("二"), vector("三三")]);
    assert_eq!((texts.told_bare("b"), texts.told_vectors("b")), ("1 1/乙 2".into(), String::new()));
    let again = Embedded { chunks: vec![Vector([1.0].as_slice().into())], ..expected[0].clone() };
    store.put_vectors("a", std::slice::from_ref(&again)).unwrap();
    assert_eq!(texts.vectors("a")[0], again, "the last one counts");
    let page = |after: Option<&Embeddable>, limit| -> Result<String> {
        let found = store.vectors("a", &texts.of, after, limit)?;
        Ok(found.iter().map(|text| told(&text.what)).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(page(None, 2).unwrap(), "1 1/乙");
    assert_eq!(page(Some(&expected[0].what), 1).unwrap(), "1/乙");
    assert_eq!(page(Some(&expected[1].what), 9).unwrap(), "2");
    assert_eq!(page(Some(&expected[2].what), 9).unwrap(), "");
    let entry = Embeddable::Entry { book: DocumentId::new("b").unwrap(), entry: "e".into() };
    check_code(page(Some(&entry), 9), Code::Invalid);
    let nowhere = Embedding::World(WorldId::new("nowhere").unwrap());
    check_code(store.unembedded("a", &nowhere, 1), Code::NotFound);
    check_code(store.vectors("a", &nowhere, None, 1), Code::NotFound);
    check_code(store.spaces(&nowhere), Code::NotFound);
    check_code(store.keep_space("a", &nowhere), Code::NotFound);
}

pub fn a_vector_is_of_the_words_as_they_are(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 一");
    let one = stage.remember("一", &[line], &["甲"]);
    stage.put_state(one, "甲", |state| state.text = Some("旧".into()));
    let texts = texts(&stage);
    let old = texts.bare("a");
    texts.embed("a");
    stage.save("old");
    stage.put_state(one, "甲", |state| state.text = Some("新".into()));
    assert_eq!((texts.told_bare("a"), texts.told_vectors("a")), ("1/甲".into(), String::new()));
    assert_eq!(texts.told_spaces(), "1 texts");
    store.put_vectors("a", &[embedded(&old[0])]).unwrap();
    assert_eq!(texts.told_vectors("a"), "", "a vector of what it was comes too late");
    stage.load("old");
    assert_eq!(texts.told_vectors("a"), "1/甲", "its words are back");
    stage.put_state(one, "甲", |state| state.text = None);
    assert_eq!((texts.told_bare("a"), texts.told_vectors("a")), ("1".into(), String::new()));
    texts.embed("a");
    stage.hide(line, true);
    assert_eq!(texts.told_vectors("a"), "1", "what is out of view may return");
    stage.put_state(one, "甲", |state| state.forgotten = true);
    assert_eq!((texts.told_vectors("a"), texts.told_spaces()), (String::new(), "0 texts".into()));
    stage.put_state(one, "甲", |state| state.forgotten = false);
    assert_eq!(texts.told_vectors("a"), "1");
    let mut strange = embedded(&old[0]);
    for what in [
        Embeddable::Memory { world: stage.world.clone(), memory: MemoryId::new(77).unwrap() },
        Embeddable::Memory { world: WorldId::new("nowhere").unwrap(), memory: one },
        Embeddable::Own { world: stage.world.clone(), memory: one, holder: id("乙") },
        Embeddable::Own { world: stage.world.clone(), memory: one, holder: id("没有的人") },
        Embeddable::Entry { book: DocumentId::new("nowhere").unwrap(), entry: "e".into() },
    ] {
        strange.what = what;
        store.put_vectors("a", std::slice::from_ref(&strange)).unwrap();
    }
    assert_eq!(texts.told_spaces(), "1 texts, a: 1", "what is not there is passed over");
}

pub fn what_is_no_vector_is_refused(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    stage.remember("一", &[], &["甲"]);
    stage.remember("二", &[], &["甲"]);
    let texts = texts(&stage);
    let bare = texts.bare("a");
    let values = |values: &[f32]| Vector(values.into());
    for chunks in [
        vec![values(&[])],
        vec![values(&[1.0, f32::NAN])],
        vec![values(&[f32::INFINITY])],
        vec![values(&[1.0, 2.0]), values(&[1.0])],
        vec![values(&[0.0; 8193])],
    ] {
        let broken = Embedded { chunks, ..embedded(&bare[1]) };
        check_code(store.put_vectors("a", &[embedded(&bare[0]), broken]), Code::Invalid);
        assert_eq!(texts.told_vectors("a"), "", "all of them or none");
    }
    let largest = Embedded { chunks: vec![values(&[0.25; 8192])], ..embedded(&bare[0]) };
    let empty = Embedded { chunks: vec![], ..embedded(&bare[1]) };
    store.put_vectors("a", &[largest.clone(), empty.clone()]).unwrap();
    assert_eq!(texts.vectors("a"), [largest, empty], "a text of no words has no chunks");
}

pub fn spaces_never_mix(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    for text in ["一", "二", "三"] {
        stage.remember(text, &[], &["甲"]);
    }
    let texts = texts(&stage);
    texts.embed("a:model@1");
    let one = texts.bare("b");
    store.put_vectors("b", &[embedded(&one[1])]).unwrap();
    assert_eq!(texts.told_spaces(), "3 texts, a:model@1: 3, b: 1");
    assert_eq!((texts.told_bare("b"), texts.told_vectors("b")), ("1 3".into(), "2".into()));
    assert_eq!(texts.told_bare("c"), "1 2 3");
    texts.embed("b");
    stage.remember("四", &[], &["甲"]);
    assert_eq!((texts.told_bare("a:model@1"), texts.told_bare("b")), ("4".into(), "4".into()));
    store.keep_space("b", &texts.of).unwrap();
    assert_eq!(texts.told_spaces(), "4 texts, b: 3");
    assert_eq!((texts.told_bare("a:model@1"), texts.told_bare("b")), ("1 2 3 4".into(), "4".into()));
    let other = Stage::named(store, "other", Default::default());
    other.set(&["甲"]);
    other.remember("一", &[], &["甲"]);
    let others = super::vectors::texts(&other);
    others.embed("a:model@1");
    store.keep_space("b", &texts.of).unwrap();
    assert_eq!(others.told_spaces(), "1 texts, a:model@1: 1", "another world's are not touched");
}

fn refused(text: &Unembedded, space: &str, settings: &str) -> SetAside {
    SetAside {
        space: space.to_owned(),
        what: text.what.clone(),
        digest: text.digest,
        reason: "it is too long".to_owned(),
        at_ms: 7,
        settings: settings.to_owned(),
    }
}

pub fn what_is_refused_is_set_aside_and_waits_no_more(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    let one = stage.remember("一", &[], &["甲", "乙"]);
    let two = stage.remember("二", &[], &["甲"]);
    stage.put_state(one, "乙", |state| state.text = Some("乙的一".into()));
    let texts = texts(&stage);
    let aside = |limit| store.aside(&texts.of, limit).unwrap();
    let told_aside = || aside(9).iter().map(|text| told(&text.what)).collect::<Vec<_>>().join(" ");
    let bare = texts.bare("a");
    let all: Vec<SetAside> = bare.iter().map(|text| refused(text, "a", "old")).collect();
    store.set_aside(&all[1..]).unwrap();
    assert_eq!((texts.told_bare("a"), texts.told_bare("b")), ("1".into(), "1 1/乙 2".into()));
    assert_eq!((aside(9), aside(1)), (all[1..].to_vec(), all[1..2].to_vec()), "as they were told");
    assert_eq!(texts.vectors("a").iter().map(|text| text.chunks.len()).sum::<usize>(), 0);
    stage.put_state(one, "乙", |state| state.text = Some("短".into()));
    assert_eq!(
        (told_aside(), texts.told_bare("a")),
        ("2".into(), "1 1/乙".into()),
        "another wording is tried"
    );
    store.set_aside(&all[1..2]).unwrap();
    assert_eq!(told_aside(), "2", "what it was before is of no interest");
    store.try_again("a", "old").unwrap();
    store.try_again("b", "new").unwrap();
    assert_eq!(told_aside(), "2", "neither another space nor the same settings");
    store.try_again("a", "new").unwrap();
    assert_eq!((told_aside(), texts.told_bare("a")), (String::new(), "1 1/乙 2".into()));
    store.set_aside(&all[2..]).unwrap();
    store.put_vectors("a", &[embedded(&bare[2])]).unwrap();
    assert_eq!(
        (told_aside(), texts.told_vectors("a")),
        (String::new(), "2".into()),
        "it has a vector after all"
    );
    store.set_aside(&all[2..]).unwrap();
    stage.put_state(two, "甲", |state| state.forgotten = true);
    assert_eq!(told_aside(), "", "what is forgotten needs none");
    stage.put_state(two, "甲", |state| state.forgotten = false);
    store.keep_space("b", &texts.of).unwrap();
    assert_eq!(told_aside(), "", "a space that goes takes its refusals along");

    let book = DocumentId::new("书").unwrap();
    let put = DocumentPut {
        name: "书".into(),
        format: "x".into(),
        entries: vec![entry("a", "甲"), entry("b", "乙")],
        ..DocumentPut::default()
    };
    store.put_document(DocumentKind::Book, &book, put).unwrap();
    let entries =
        Texts { store, of: Embedding::Book { book: book.clone(), entries: vec!["b".into(), "a".into()] } };
    let of_a = refused(&entries.bare("a")[1], "a", "old");
    store.set_aside(std::slice::from_ref(&of_a)).unwrap();
    assert_eq!((entries.told_bare("a"), store.aside(&entries.of, 9).unwrap()), ("b".into(), vec![of_a]));
    store.change_entries(&book, vec![EntryChange::Put(entry("a", "改"))], None).unwrap();
    assert_eq!((entries.told_bare("a"), store.aside(&entries.of, 9).unwrap()), ("b a".into(), vec![]));
    store.set_aside(&[refused(&entries.bare("a")[0], "a", "old")]).unwrap();
    store.try_again("a", "new").unwrap();
    assert_eq!(entries.told_bare("a"), "b a");
    check_code(store.aside(&Embedding::World(WorldId::new("nowhere").unwrap()), 1), Code::NotFound);
}

pub fn vectors_go_with_what_they_are_of(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 一\n乙: 二");
    let of_line = stage.remember("一二", &[line], &["甲", "乙"]);
    let free = stage.remember("三", &[], &["甲", "乙"]);
    for memory in [of_line, free] {
        stage.put_state(memory, "乙", |state| state.text = Some("乙的".into()));
    }
    let texts = texts(&stage);
    texts.embed("a");
    assert_eq!(texts.told_vectors("a"), "1 1/乙 2 2/乙");
    let fork = super::vectors::texts(&stage.fork("fork", None)).told_spaces();
    assert_eq!(fork, "4 texts", "vectors do not travel");
    stage.erase(Erase::Line(line));
    assert_eq!(texts.told_vectors("a"), "2 2/乙");
    stage.erase(Erase::Character(id("乙")));
    assert_eq!(texts.told_vectors("a"), "2");
    stage.erase(Erase::World);
    let again = Stage::new(store);
    again.set(&["甲"]);
    again.remember("一二", &[], &["甲"]);
    assert_eq!(super::vectors::texts(&again).told_spaces(), "1 texts");
}

pub fn restores_leave_vectors_alone(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲"]);
    stage.save("nothing");
    let revision = stage.view().revision;
    stage.make(vec![Effect::Remember(stage.memory("一", &[], &["甲"]))]);
    let texts = texts(&stage);
    texts.embed("a");
    assert_eq!(stage.view().revision, revision + 1, "vectors are no part of the log");
    stage.save("one");
    stage.load("nothing");
    assert_eq!((texts.told_spaces(), texts.told_vectors("a")), ("0 texts".into(), String::new()));
    stage.load("one");
    assert_eq!(texts.told_vectors("a"), "1");
}

fn entry(id: &str, text: &str) -> DocumentEntry {
    DocumentEntry { id: id.into(), text: text.into() }
}

pub fn entries_of_a_book(store: &dyn Store) {
    let book = DocumentId::new("世界书").unwrap();
    let put = |entries: &[(&str, &str)]| {
        let entries = entries.iter().map(|(id, text)| entry(id, text)).collect();
        let put = DocumentPut { name: "书".into(), format: "x".into(), entries, ..DocumentPut::default() };
        store.put_document(DocumentKind::Book, &book, put).unwrap();
    };
    let of = |ids: &[&str]| Texts {
        store,
        of: Embedding::Book { book: book.clone(), entries: ids.iter().map(|id| Arc::from(*id)).collect() },
    };
    let texts = of(&["c", "a", "没有"]);
    check_code(store.unembedded("s", &texts.of, 9), Code::NotFound);
    put(&[("a", "甲"), ("b", "乙"), ("c", "{\"丙\":1}")]);
    assert_eq!(texts.told_bare("s"), "c a", "in the order that was asked for");
    assert_eq!(texts.bare("s")[0].digest, fingerprint_of_text("{\"丙\":1}"));
    texts.embed("s");
    assert_eq!(
        (texts.told_vectors("s"), of(&["a", "b", "c"]).told_vectors("s")),
        ("c a".into(), "a c".into())
    );
    assert_eq!((texts.told_spaces(), of(&["b"]).told_spaces()), ("2 texts, s: 2".into(), "1 texts".into()));
    let behind = |id: &str| {
        let after = Embeddable::Entry { book: book.clone(), entry: id.into() };
        let found = store.vectors("s", &texts.of, Some(&after), 9);
        found.map(|found| found.iter().map(|text| told(&text.what)).collect::<Vec<_>>().join(" "))
    };
    assert_eq!((behind("c").unwrap(), behind("a").unwrap()), ("a".into(), String::new()));
    check_code(behind("b"), Code::Invalid);
    store.change_entries(&book, vec![EntryChange::Put(entry("a", "改"))], None).unwrap();
    assert_eq!((texts.told_bare("s"), texts.told_vectors("s")), ("a".into(), "c".into()));
    texts.embed("s");
    put(&[("d", "丁"), ("c", "{\"丙\":1}"), ("a", "再改")]);
    assert_eq!(texts.told_vectors("s"), "c", "what stays as it is keeps its vectors");
    store.change_entries(&book, vec![EntryChange::Remove("c".into())], None).unwrap();
    store.change_entries(&book, vec![EntryChange::Put(entry("c", "{\"丙\":1}"))], None).unwrap();
    assert_eq!(texts.told_vectors("s"), "");
    texts.embed("s");
    texts.embed("t");
    of(&["d"]).embed("t");
    store.keep_space("s", &texts.of).unwrap();
    assert_eq!(
        (texts.told_spaces(), of(&["d"]).told_spaces()),
        ("2 texts, s: 2".into(), "1 texts, t: 1".into())
    );
    store.erase_document(DocumentKind::Book, &book).unwrap();
    put(&[("a", "再改"), ("c", "{\"丙\":1}")]);
    assert_eq!(texts.told_spaces(), "2 texts", "they went with the book");
}
