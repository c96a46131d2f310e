//! One text that an embedding model refuses: does it hold up the others, is it told of, and when is it tried again?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reverie_core::breaker::State;
use reverie_core::clock::Clock;
use reverie_core::embed::Embeddable;
use reverie_core::memory::Kind as MemoryKind;
use reverie_core::world::WorldPatch;
use reverie_core::{Code, Engine, Limits, MemoryPatch, Remember, WorldId};
use reverie_models::{EmbeddingModel, Endpoint, RemoteEmbedder};
use reverie_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

use crate::stage::{BOTH, Behaviour, ScriptedModel, Stage, embeddings_with};
use crate::world::who;

/// How servers say that they do not like a text: llama.cpp, OpenAI, a gateway, a filter.
const REFUSALS: &[(u16, &str)] = &[
    (500, r#"{"error":{"message":"input is too large to process. increase the physical batch size"}}"#),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 512 tokens","code":"context_length_exceeded"}}"#,
    ),
    (413, "Payload Too Large"),
    (400, r#"{"error":{"message":"invalid input: 毒","type":"invalid_request_error"}}"#),
    (422, r#"{"detail":"毒 cannot be tokenised"}"#),
];

pub(crate) const TEXTS: usize = 70;
/// In the first batch at its beginning, in the middle and next to each other; and in the last one.
const POISONED: &[usize] = &[1, 17, 18, 69];

pub(crate) struct Place {
    folder: TempDir,
    stage: Arc<Stage>,
    pub(crate) world: WorldId,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            stage: Stage::new(),
            world: WorldId::new("w").unwrap(),
        };
        let engine = place.bare();
        engine.put_world(&place.world, WorldPatch::default()).unwrap();
        for number in 1..=TEXTS {
            let text = if POISONED.contains(&number) { "毒" } else { "雪" };
            engine.remember(&place.world, remember(&format!("{text}，第{number}次，ゆき, snow"))).unwrap();
        }
        place
    }

    fn bare(&self) -> Engine {
        let store = SqliteStore::open(&self.folder.path().join("memory.db"), Options::default()).unwrap();
        Engine::new(Arc::new(store), self.stage.clone(), Limits::default())
    }

    pub(crate) fn engine(&self, model: EmbeddingModel) -> Engine {
        let embeddings = Arc::new(embeddings_with(&self.stage, model));
        let clock: Arc<dyn Clock> = self.stage.clone();
        self.bare().embedding_with(Arc::new(RemoteEmbedder::new(embeddings, clock).unwrap()))
    }

    /// Numbers of memories that are set aside, and why.
    fn aside(&self, engine: &Engine) -> Vec<(usize, String)> {
        let texts = engine.set_aside_texts(&self.world, 100).unwrap();
        let told = texts.into_iter().map(|text| match text.what {
            Embeddable::Memory { memory, .. } | Embeddable::Own { memory, .. } => {
                (usize::try_from(memory.get()).unwrap(), text.reason)
            }
            Embeddable::Entry { .. } => panic!("there is no book"),
        });
        told.collect()
    }

    fn numbers_aside(&self, engine: &Engine) -> Vec<usize> {
        self.aside(engine).into_iter().map(|(number, _)| number).collect()
    }
}

fn remember(text: &str) -> Remember {
    Remember {
        text: text.to_owned(),
        holders: vec![who("白小喵")],
        about: None,
        kind: MemoryKind::Semantic,
        importance: None,
        keywords: None,
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: None,
        pinned: false,
        shareable: false,
        key: None,
    }
}

/// Wherever it is, it is the same one.
fn model(endpoint: Endpoint) -> EmbeddingModel {
    EmbeddingModel { space: Some("here".to_owned()), ..EmbeddingModel::new(endpoint, "scripted-embedding") }
}

fn refusing(status: u16, words: &'static str) -> ScriptedModel {
    ScriptedModel::answering(move |seen| {
        let is_poisoned = seen.texts().iter().any(|text| text.contains('毒'));
        if is_poisoned { Behaviour::status(status, words) } else { Behaviour::Perfect }
    })
}

#[test]
fn one_text_that_is_refused_holds_up_nobody() {
    for api in BOTH {
        for (status, words) in REFUSALS {
            let server = refusing(*status, words);
            let place = Place::new();
            let engine = place.engine(model(api(&server)));
            let done = engine.embed(&|| true).unwrap();
            assert_eq!((done.texts, done.refused), (TEXTS - POISONED.len(), POISONED.len()), "{words}");
            assert_eq!(place.numbers_aside(&engine), POISONED, "{words}");
            let spaces = engine.spaces(&place.world).unwrap();
            assert_eq!(
                (spaces.texts, spaces.embedded["scripted-embedding@here"]),
                (TEXTS, TEXTS),
                "none waits"
            );
            let stats = engine.stats(&place.world, None, 1).unwrap();
            let told = |of: &std::collections::BTreeMap<String, usize>| of["scripted-embedding@here"];
            assert_eq!(
                (stats.spaces.texts, told(&stats.spaces.embedded), told(&stats.aside_by_space)),
                (TEXTS, TEXTS - POISONED.len(), POISONED.len()),
                "what was set aside is not embedded"
            );
            for (_, reason) in place.aside(&engine) {
                assert!(reason.contains(&status.to_string()), "{reason}");
                assert!(!reason.contains('毒'), "no dialogue in it: {reason}");
            }
            let asked = server.seen().len();
            // A search by halves: each of the four costs at most two requests for each time that 32 can be halved. What may be about
            // the number of texts is searched twice.
            let most = if *status == 413 { 100 } else { 3 + POISONED.len() * 10 };
            assert!(asked <= most, "{words}: {asked} requests");
            assert_eq!(engine.embed(&|| true).unwrap().texts, 0);
            assert_eq!(server.seen().len(), asked, "{words}: nothing is asked again");
        }
    }
}

#[test]
fn it_is_tried_again_when_its_wording_the_model_or_the_settings_change() {
    let place = Place::new();
    let server = refusing(400, "no");
    let usual = || model(Endpoint::new(&server.openai()));
    let engine = place.engine(usual());
    engine.embed(&|| true).unwrap();
    assert_eq!(place.numbers_aside(&engine), POISONED);

    let memory = |number: usize| reverie_core::MemoryId::new(number as u64).unwrap();
    let holder = reverie_core::CharacterId::new("白小喵").unwrap();
    let reword = MemoryPatch { text: Some(Some("雪，换了说法".to_owned())), ..MemoryPatch::default() };
    engine.change_memory(&place.world, memory(1), Some(&holder), reword).unwrap();
    assert_eq!(engine.embed(&|| true).unwrap().texts, 1, "its new wording is taken");
    assert_eq!(place.numbers_aside(&engine), POISONED[1..]);

    let asked = server.seen().len();
    let engine = place.engine(usual());
    engine.embed(&|| true).unwrap();
    assert_eq!(server.seen().len(), asked, "after a restart with the same settings nothing is asked");

    let server = ScriptedModel::always(Behaviour::Perfect);
    let engine = place.engine(model(Endpoint::new(&server.openai())));
    let done = engine.embed(&|| true).unwrap();
    assert_eq!((done.texts, done.refused), (POISONED.len() - 1, 0), "another address is another setting");
    assert_eq!(place.numbers_aside(&engine), [0usize; 0]);

    let server = refusing(400, "no");
    let other = EmbeddingModel::new(Endpoint::new(&server.openai()), "another-model");
    let engine = place.engine(other);
    let done = engine.embed(&|| true).unwrap();
    assert_eq!((done.texts, done.refused), (TEXTS - 3, 3), "another model is another space");
}

/// A wrong option, a wrong number of dimensions: no text is to blame.
#[test]
fn a_model_that_refuses_everything_sets_nothing_aside() {
    let place = Place::new();
    let server =
        ScriptedModel::always(Behaviour::status(400, r#"{"error":{"message":"unknown option top_k"}}"#));
    let engine = place.engine(model(Endpoint::new(&server.openai())));
    let error = engine.embed(&|| true).unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.message().contains("does not accept the request"), "{error}");
    assert_eq!(place.numbers_aside(&engine), [0usize; 0]);
    assert!(server.seen().len() <= 2, "{} requests", server.seen().len());
}

/// What was made before the server went away is kept.
#[test]
fn a_failure_in_the_middle_loses_nothing() {
    let place = Place::new();
    let server = ScriptedModel::answering(|seen| match seen.number {
        0 => Behaviour::status(400, "no"),
        1 | 2 => Behaviour::Perfect,
        _ => Behaviour::status(401, "who are you?"),
    });
    let engine = place.engine(model(Endpoint::new(&server.openai())));
    assert_eq!(engine.embed(&|| true).unwrap_err().code(), Code::Unavailable);
    let spaces = engine.spaces(&place.world).unwrap();
    assert_eq!(spaces.embedded["scripted-embedding@here"], 16, "the first half of the first batch");
    assert_eq!(place.numbers_aside(&engine), [0usize; 0], "nobody said that a text is at fault");
    assert_eq!(engine.vectors_health().state, State::Closed, "writing vectors went well");
}

/// Embeds until nothing waits, with pauses after failures as whoever embeds in the background makes them. How often it failed.
fn embed_patiently(place: &Place, engine: &Engine) -> usize {
    for failures in 0..200 {
        match engine.embed(&|| true) {
            Ok(_) => return failures,
            Err(error) => {
                assert_ne!(error.code(), Code::Invalid, "{error}");
                place.stage.pass(Duration::from_secs(300));
            }
        }
    }
    panic!("it is never done");
}

/// A server that breaks down at a text says no more than that it broke down.
#[test]
fn a_text_at_which_the_server_breaks_down_is_found() {
    for api in BOTH {
        let server = refusing(500, r#"{"error":{"message":"Internal Server Error"}}"#);
        let place = Place::new();
        let engine = place.engine(model(api(&server)));
        assert!(engine.embed(&|| true).is_err(), "it may be the server's own fault");
        assert_eq!(place.numbers_aside(&engine), [0usize; 0]);
        let failures = embed_patiently(&place, &engine);
        assert!((8..60).contains(&failures), "{failures} failures");
        assert_eq!(place.numbers_aside(&engine), POISONED);
        for (_, reason) in place.aside(&engine) {
            assert!(reason.contains("500") && !reason.contains('毒'), "{reason}");
        }
        let spaces = engine.spaces(&place.world).unwrap();
        assert_eq!(spaces.embedded["scripted-embedding@here"], TEXTS, "none waits");
    }
}

/// However long it is broken: no text is to blame, and all of them are embedded when it is well again.
#[test]
fn a_server_that_is_broken_sets_nothing_aside() {
    for status in [500, 502, 503] {
        let place = Place::new();
        let is_well = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&is_well);
        let server = ScriptedModel::answering(move |_| match asked.load(Ordering::SeqCst) {
            true => Behaviour::Perfect,
            false => Behaviour::status(status, "{}"),
        });
        let engine = place.engine(model(Endpoint::new(&server.openai())));
        for _ in 0..40 {
            engine.embed(&|| true).unwrap_err();
            place.stage.pass(Duration::from_secs(300));
        }
        assert_eq!(place.numbers_aside(&engine), [0usize; 0], "{status}");
        is_well.store(true, Ordering::SeqCst);
        let done = engine.embed(&|| true).unwrap();
        assert_eq!((done.texts, done.refused), (TEXTS, 0), "{status}");
    }
}
