//! Which embedders are there, and which one does a world use?

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::Engine;
use crate::embed::{Embedder, Languages, Reading};
use crate::id::WorldId;
use crate::settings::WorldSettings;
use crate::{Code, Error, Result};

/// All of them, and what worlds chose when they were last asked.
#[derive(Default)]
pub(super) struct Embedders {
    sources: RwLock<Vec<Arc<Source>>>,
    chosen: Mutex<HashMap<WorldId, Choice>>,
}

/// An embedder, and what is known of it.
pub(super) struct Source {
    name: String,
    pub(super) embedder: Arc<dyn Embedder>,
    /// What was refused under other settings was let in again.
    pub(super) is_reconsidered: AtomicBool,
    languages: OnceLock<Languages>,
    is_asked_about: AtomicBool,
}

/// What a world uses.
#[derive(Clone)]
pub(super) enum Choice {
    /// Nothing is compared by meaning.
    Nothing,
    Source(Arc<Source>),
    /// One of this name, and there is none.
    Missing(String),
}

/// A world that names no embedder uses this one, if there is one.
const DEFAULT: &str = "default";
/// A world that names this compares no meanings.
const NO_EMBEDDER: &str = "none";
/// A world that names this uses the embedder that is part of the program.
const OFFLINE: &str = "offline";

impl Source {
    pub(super) fn space(&self) -> &str {
        self.embedder.space()
    }

    /// What it speaks. One that never waits is asked at once; others when there is time, never for a prompt, and until then
    /// nobody knows.
    pub(super) fn languages(&self, deadline_ms: i64) -> Option<Languages> {
        self.is_asked_about.store(true, Ordering::Relaxed);
        if self.embedder.is_local() {
            self.learn_languages(deadline_ms);
        }
        self.languages.get().copied()
    }

    /// If anybody wants to know. Whoever does not answer is asked again.
    pub(super) fn learn_languages(&self, deadline_ms: i64) {
        if self.is_asked_about.load(Ordering::Relaxed) && self.languages.get().is_none() {
            let asked = Languages::ask(self.embedder.as_ref(), deadline_ms);
            asked.into_iter().for_each(|languages| _ = self.languages.set(languages));
        }
    }

    pub(super) fn reading(&self) -> Reading {
        self.embedder.reading()
    }
}

impl Choice {
    pub(super) fn source(&self) -> Option<&Arc<Source>> {
        match self {
            Self::Source(source) => Some(source),
            Self::Nothing | Self::Missing(_) => None,
        }
    }

    pub(super) fn space(&self) -> Option<&str> {
        self.source().map(|source| source.space())
    }

    pub(super) fn is(&self, source: &Arc<Source>) -> bool {
        self.source().is_some_and(|chosen| Arc::ptr_eq(chosen, source))
    }
}

impl Embedders {
    /// As they are now.
    pub(super) fn all(&self) -> Vec<Arc<Source>> {
        self.sources.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, name: &str, embedder: Arc<dyn Embedder>) {
        let source = Arc::new(Source {
            name: name.to_owned(),
            embedder,
            is_reconsidered: AtomicBool::new(false),
            languages: OnceLock::new(),
            is_asked_about: AtomicBool::new(false),
        });
        let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
        sources.retain(|source| source.name != name);
        sources.push(source);
        drop(sources);
        // What worlds chose may be somebody who is gone.
        self.chosen().clear();
    }

    fn named(&self, name: &str) -> Option<Arc<Source>> {
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        sources.iter().find(|source| source.name == name).cloned()
    }

    /// As its settings say.
    pub(super) fn of(&self, settings: &WorldSettings) -> Choice {
        let wanted = settings.embedder.as_deref().unwrap_or(DEFAULT);
        match self.named(wanted) {
            Some(source) => Choice::Source(source),
            None if wanted == DEFAULT || wanted == NO_EMBEDDER => Choice::Nothing,
            None => Choice::Missing(wanted.to_owned()),
        }
    }

    /// What a world chose when it was last asked; at first, the default.
    pub(super) fn last_of(&self, world: &WorldId) -> Choice {
        let known = self.chosen().get(world).cloned();
        known.unwrap_or_else(|| self.named(DEFAULT).map_or(Choice::Nothing, Choice::Source))
    }

    /// Keeps in mind what a world chose; true if that is news.
    pub(super) fn note(&self, world: &WorldId, choice: &Choice) -> bool {
        let is_news = self.last_of(world).space() != choice.space();
        if is_news {
            self.chosen().insert(world.clone(), choice.clone());
        }
        is_news
    }

    /// Says that there is no such embedder, and which there are.
    pub(super) fn missing(&self, name: &str) -> Error {
        Error::new(
            Code::Unavailable,
            format!("this world wants an embedder called {name:?}, and there is none"),
        )
        .hint(format!("set the world's `embedder` to one of these: {}", self.names()))
    }

    /// Refuses what nobody could have meant. Where no embedder is known at all, others may know one: whoever keeps a file in order
    /// need not be whoever serves it.
    pub(super) fn check(&self, settings: &WorldSettings) -> Result<()> {
        match self.of(settings) {
            Choice::Missing(name) if !self.all().is_empty() => {
                Err(Error::invalid(format!("there is no embedder called {name:?}"))
                    .hint(format!("set `embedder` to one of these: {}", self.names())))
            }
            _ => Ok(()),
        }
    }

    /// All that a world can choose.
    fn names(&self) -> String {
        let all = self.all();
        let known = all.iter().map(|source| source.name.as_str());
        let names: BTreeSet<&str> = known.chain([DEFAULT, NO_EMBEDDER]).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    fn chosen(&self) -> MutexGuard<'_, HashMap<WorldId, Choice>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// Lets the engine compare meanings, in every world that names no other embedder.
    #[must_use]
    pub fn embedding_with(self, embedder: Arc<dyn Embedder>) -> Self {
        self.meanings.embedders.put(DEFAULT, embedder);
        self
    }

    /// Gives the engine the embedder that is part of the program: of worlds that name no other one, until
    /// [`Engine::embedding_with`] gives another, and of those whose setting `embedder` is `offline`.
    #[must_use]
    pub fn embedding_offline(self, embedder: Arc<dyn Embedder>) -> Self {
        self.meanings.embedders.put(OFFLINE, Arc::clone(&embedder));
        self.embedding_with(embedder)
    }

    /// Worlds whose setting `embedder` is this name compare meanings with this one. Names that mean something already are
    /// refused: `default` is what [`Engine::embedding_with`] gives, and `none` is no embedder.
    pub fn embedding_by(self, name: &str, embedder: Arc<dyn Embedder>) -> Result<Self> {
        if name.is_empty() || [DEFAULT, NO_EMBEDDER].contains(&name) {
            return Err(Error::invalid(format!("an embedder cannot be called {name:?}")).hint(
                "give it another name; `default` and `none` mean something else in a world's settings",
            ));
        }
        self.meanings.embedders.put(name, embedder);
        Ok(self)
    }

    /// As [`Engine::embedding_with`], while others use the engine: from now on. What has no vector in its space gets one in the
    /// background; prompts find the rest by words until then.
    pub fn embed_with_from_now(&self, embedder: Arc<dyn Embedder>) {
        self.meanings.embedders.put(DEFAULT, embedder);
    }

    /// The space in which worlds compare meanings that name no other embedder.
    pub fn space(&self) -> Option<String> {
        self.meanings.embedders.named(DEFAULT).map(|source| source.space().to_owned())
    }

    /// Whether any world can compare meanings.
    pub fn has_embedder(&self) -> bool {
        !self.meanings.embedders.all().is_empty()
    }
}
