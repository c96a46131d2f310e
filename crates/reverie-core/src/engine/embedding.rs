//! When do texts get their place in the space of meanings?
//!
//! In the background, a batch at a time. One world's trouble is not the others'.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Engine;
use crate::cue::LoreName;
use crate::embed::{CHUNK_CHARS, Embeddable, Embedded, Embedder, Vector, chunks};
use crate::id::{DocumentId, WorldId};
use crate::library::{self, DocumentKind, Link};
use crate::memories::{Embedding, Spaces};
use crate::settings::WorldSettings;
use crate::store::Select;
use crate::world::World;
use crate::{Code, Error, Result};

/// A text that waits for its vectors, in chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToEmbed {
    pub what: Embeddable,
    /// To be given back with the vectors: they are of this wording.
    pub digest: [u8; 16],
    pub chunks: Vec<String>,
}

/// What was embedded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Embeddings {
    pub texts: usize,
    /// True if there was more to do.
    pub more: bool,
}

/// What the engine knows of meanings.
#[derive(Default)]
pub(super) struct Meanings {
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    /// Of each world the state in which every text had a vector, in a space.
    done: Mutex<HashMap<WorldId, (String, Texts)>>,
    pub(super) entries: Mutex<HashMap<EntriesKey, Arc<EntryVectors>>>,
}

/// Which texts a world has: its revision, and those of its books, which change beside it.
type Texts = (u64, Vec<(DocumentId, u64)>);
/// A space, and books at their revisions.
pub(super) type EntriesKey = (String, Vec<(DocumentId, u64)>);
pub(super) type EntryVectors = Vec<(LoreName, Vec<Vector>)>;

/// Texts that are embedded together.
const BATCH: usize = 32;
/// However slow the embedder is, whoever embeds in the background gives up then.
const PATIENCE_MS: i64 = 60_000;
/// Worlds that are looked at together.
const WORLDS: usize = 100;

impl Engine {
    /// Lets the engine compare meanings.
    #[must_use]
    pub fn embedding_with(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.meanings.embedder = Some(embedder);
        self
    }

    /// Whether the embedder may be asked inside a slice.
    pub(super) fn embeds_locally(&self) -> bool {
        self.meanings.embedder.as_deref().is_some_and(Embedder::is_local)
    }

    /// The space in which this engine compares meanings.
    pub fn space(&self) -> Option<&str> {
        self.meanings.embedder.as_deref().map(Embedder::space)
    }

    /// Texts that have no vector in a space yet, at most so many: for a host that embeds them itself and brings the vectors
    /// with [`put_vectors`](Self::put_vectors).
    pub fn texts_to_embed(&self, space: &str, limit: usize) -> Result<Vec<ToEmbed>> {
        let mut waiting = Vec::new();
        let mut trouble = None;
        let mut after = None;
        while waiting.len() < limit {
            let worlds = self.store.worlds(&Select::Page { after: after.take(), limit: WORLDS })?;
            let Some(last) = worlds.last() else { break };
            after = Some(last.id.to_string());
            for world in &worlds {
                let room = limit.saturating_sub(waiting.len());
                if room == 0 {
                    break;
                }
                match self.texts_of_world(world, space, room) {
                    Ok(found) => waiting.extend(found),
                    // It was erased meanwhile.
                    Err(error) if error.code() == Code::NotFound => {}
                    // One world's trouble is not the others'.
                    Err(error) => trouble = Some(error),
                }
            }
        }
        match trouble {
            Some(error) if waiting.is_empty() => Err(error),
            _ => Ok(waiting),
        }
    }

    /// Keeps vectors that a host made. Each has length 1.
    pub fn put_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()> {
        self.store.put_vectors(space, vectors)
    }

    /// How far a world has come in each space.
    pub fn spaces(&self, world: &WorldId) -> Result<Spaces> {
        self.store.spaces(&Embedding::World(world.clone()))
    }

    /// Embeds what waits, until `go_on` says no. May wait for a network if the embedder does: then call it from a thread of
    /// its own.
    pub fn embed(&self, go_on: &dyn Fn() -> bool) -> Result<Embeddings> {
        let mut done = Embeddings::default();
        let Some(embedder) = self.meanings.embedder.clone() else { return Ok(done) };
        loop {
            let waiting = self.texts_to_embed(embedder.space(), BATCH)?;
            if waiting.is_empty() {
                return Ok(done);
            }
            let vectors = self.embed_batch(embedder.as_ref(), &waiting)?;
            done.texts += vectors.len();
            self.store.put_vectors(embedder.space(), &vectors)?;
            if !go_on() {
                done.more = true;
                return Ok(done);
            }
        }
    }

    fn embed_batch(&self, embedder: &dyn Embedder, waiting: &[ToEmbed]) -> Result<Vec<Embedded>> {
        let texts: Vec<&str> = waiting.iter().flat_map(|one| one.chunks.iter().map(String::as_str)).collect();
        let made = embedder.embed(&texts, self.now_ms().saturating_add(PATIENCE_MS))?;
        if made.len() != texts.len() {
            return Err(Error::new(
                Code::Internal,
                "the embedder made another number of vectors than it was asked for",
            ));
        }
        let mut made = made.into_iter();
        let vectors = waiting.iter().map(|one| Embedded {
            what: one.what.clone(),
            digest: one.digest,
            // A text that means nothing to the embedder has no vector, and is not asked about again.
            chunks: made.by_ref().take(one.chunks.len()).filter_map(Vector::normal).collect(),
        });
        Ok(vectors.collect())
    }

    /// Of its memories, and of the entries of its books that are found by meaning; what has no text left is not looked at
    /// again before it changes.
    fn texts_of_world(&self, world: &World, space: &str, limit: usize) -> Result<Vec<ToEmbed>> {
        let books = self.books_of(&world.id)?;
        let revisions = books.iter().map(|(link, revision)| (link.book.clone(), *revision));
        let state = (space.to_owned(), (world.revision, revisions.collect()));
        if self.done().get(&world.id) == Some(&state) {
            return Ok(Vec::new());
        }
        let of = Embedding::World(world.id.clone());
        let mut waiting: Vec<ToEmbed> = self
            .store
            .unembedded(space, &of, limit)?
            .into_iter()
            .map(|one| ToEmbed { chunks: in_chunks(&one.text), what: one.what, digest: one.digest })
            .collect();
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        for book in &books {
            let room = limit.saturating_sub(waiting.len());
            let spelling = settings.lore.spelling;
            let shelf = self.shelves.get(self.store.as_ref(), std::slice::from_ref(book), spelling)?;
            let Some(shelf) = shelf.filter(|_| room > 0) else { continue };
            let contents: HashMap<Arc<str>, &str> =
                shelf.by_meaning().map(|(name, content)| (name.entry, content)).collect();
            if contents.is_empty() {
                continue;
            }
            let entries = contents.keys().cloned().collect();
            let of = Embedding::Book { book: book.0.book.clone(), entries };
            for one in self.store.unembedded(space, &of, room)? {
                let Embeddable::Entry { entry, .. } = &one.what else { continue };
                let chunks = contents.get(entry).map(|content| in_chunks(content)).unwrap_or_default();
                waiting.push(ToEmbed { chunks, what: one.what, digest: one.digest });
            }
        }
        if waiting.is_empty() {
            // Every text has found its place in this space: what it had in others is of no use any more.
            self.store.keep_space(space, &of)?;
            self.done().insert(world.id.clone(), state);
        }
        Ok(waiting)
    }

    /// The books that a world uses and that are there, each with its revision.
    fn books_of(&self, world: &WorldId) -> Result<Vec<(Link, u64)>> {
        let mut books = Vec::new();
        for link in self.store.links(world)? {
            let one = Select::One(link.book.to_string());
            let document = self.store.documents(DocumentKind::Book, &one)?.pop();
            books.extend(document.map(|document| (link, document.revision)));
        }
        Ok(library::stack(books))
    }

    fn done(&self) -> std::sync::MutexGuard<'_, HashMap<WorldId, (String, Texts)>> {
        self.meanings.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_chunks(text: &str) -> Vec<String> {
    chunks(text, CHUNK_CHARS).into_iter().map(str::to_owned).collect()
}
