//! When do texts get their place in the space of meanings, and which entries of books are near what is said?
//!
//! In the background, a batch at a time; a prompt embeds only what was said last, and within a deadline. Without an embedder,
//! or while it fails, everything else goes on, and what is missing is said.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Degraded, Engine};
use crate::cue::{Cue, LoreName};
use crate::embed::{CHUNK_CHARS, Embeddable, Embedded, Embedder, Vector, chunks};
use crate::id::{DocumentId, WorldId};
use crate::library::{self, DocumentKind, Link};
use crate::lore::Shelf;
use crate::memories::{Embedding, Spaces};
use crate::settings::WorldSettings;
use crate::store::{Gathered, Select};
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
    entries: Mutex<HashMap<EntriesKey, Arc<EntryVectors>>>,
}

/// Which texts a world has: its revision, and those of its books, which change beside it.
type Texts = (u64, Vec<(DocumentId, u64)>);
/// A space, and books at their revisions.
type EntriesKey = (String, Vec<(DocumentId, u64)>);
type EntryVectors = Vec<(LoreName, Vec<Vector>)>;

/// Texts that are embedded together.
const BATCH: usize = 32;
/// However slow the embedder is, whoever embeds in the background gives up then.
const PATIENCE_MS: i64 = 60_000;
/// Stacks of books whose vectors are kept at hand.
const STACKS: usize = 16;
/// Of what was said last, so much is embedded.
const QUERY_CHARS: usize = 1000;

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
        let mut after = None;
        loop {
            let worlds = self.store.worlds(&Select::Page { after: after.take(), limit: 100 })?;
            let Some(last) = worlds.last() else { return Ok(waiting) };
            after = Some(last.id.to_string());
            for world in &worlds {
                let books = self.books_of(&world.id)?;
                let revisions = books.iter().map(|(link, revision)| (link.book.clone(), *revision));
                let state = (space.to_owned(), (world.revision, revisions.collect()));
                if self.done().get(&world.id) == Some(&state) {
                    continue;
                }
                let room = limit.saturating_sub(waiting.len());
                let found = self.texts_of_world(&world.id, &books, space, room)?;
                if found.is_empty() && room > 0 {
                    // Every text has found its place in this space: what it had in others is of no use any more.
                    self.store.keep_space(space, &Embedding::World(world.id.clone()))?;
                    self.done().insert(world.id.clone(), state);
                }
                waiting.extend(found);
                if waiting.len() >= limit {
                    return Ok(waiting);
                }
            }
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

    /// Of its memories, and of the entries of its books that are found by meaning.
    fn texts_of_world(
        &self,
        world: &WorldId,
        books: &[(Link, u64)],
        space: &str,
        limit: usize,
    ) -> Result<Vec<ToEmbed>> {
        let of = Embedding::World(world.clone());
        let mut waiting: Vec<ToEmbed> = self
            .store
            .unembedded(space, &of, limit)?
            .into_iter()
            .map(|one| ToEmbed { chunks: in_chunks(&one.text), what: one.what, digest: one.digest })
            .collect();
        let settings = self.settings(world)?;
        for book in books {
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

    /// The cue with the entries that are near what was said last; and what could not be found out.
    pub(super) fn with_similar(
        &self,
        cue: &Cue,
        gathered: &Gathered,
        shelf: Option<&Shelf>,
        settings: &WorldSettings,
    ) -> (Option<Cue>, Option<Degraded>) {
        // A host that says what is near knows better.
        let Some(embedder) = self.meanings.embedder.as_deref().filter(|_| cue.lore.similar.is_empty()) else {
            return (None, None);
        };
        let wanted: Vec<LoreName> =
            shelf.map(|shelf| shelf.by_meaning().map(|(name, _)| name).collect()).unwrap_or_default();
        let query = said_last(cue, gathered, settings.lore.depth as usize);
        if wanted.is_empty() || query.is_empty() {
            return (None, None);
        }
        match self.similar(embedder, &query, &wanted, gathered, settings) {
            Ok((similar, missing)) => {
                let mut near = cue.clone();
                near.lore.similar = similar;
                (Some(near), (missing > 0).then(|| not_embedded(missing)))
            }
            Err(error) => (None, Some(no_meaning(&error))),
        }
    }

    fn similar(
        &self,
        embedder: &dyn Embedder,
        query: &str,
        wanted: &[LoreName],
        gathered: &Gathered,
        settings: &WorldSettings,
    ) -> Result<(Vec<(LoreName, f64)>, usize)> {
        let entries = self.entry_vectors(embedder.space(), wanted, gathered)?;
        let missing = wanted.len().saturating_sub(entries.len());
        if entries.is_empty() {
            return Ok((Vec::new(), missing));
        }
        let deadline_ms = self.now_ms().saturating_add(settings.embed_ms);
        let made = embedder.embed(&[query], deadline_ms)?.pop().and_then(Vector::normal);
        let Some(query) = made else { return Ok((Vec::new(), missing)) };
        let nearest = |vectors: &[Vector]| {
            vectors.iter().map(|vector| f64::from(query.cosine(vector))).max_by(f64::total_cmp)
        };
        let mut similar: Vec<(LoreName, f64)> = entries
            .iter()
            .filter_map(|(name, vectors)| Some((name.clone(), nearest(vectors)?)))
            .filter(|(_, near)| *near >= settings.lore_similarity)
            .collect();
        similar.sort_by(|(a, near_a), (b, near_b)| {
            near_b.total_cmp(near_a).then_with(|| (&a.book, &a.entry).cmp(&(&b.book, &b.entry)))
        });
        similar.truncate(settings.lore_similar_entries);
        Ok((similar, missing))
    }

    /// Of these entries, as far as they have vectors.
    fn entry_vectors(
        &self,
        space: &str,
        wanted: &[LoreName],
        gathered: &Gathered,
    ) -> Result<Arc<EntryVectors>> {
        let books = gathered.books.iter().map(|(link, revision)| (link.book.clone(), *revision)).collect();
        let key: EntriesKey = (space.to_owned(), books);
        if let Some(known) = self.vectors_at_hand().get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut found: EntryVectors = Vec::new();
        for (book, _) in &key.1 {
            let entries: Vec<Arc<str>> = wanted
                .iter()
                .filter(|name| *name.book == *book.as_str())
                .map(|name| Arc::clone(&name.entry))
                .collect();
            if entries.is_empty() {
                continue;
            }
            let limit = entries.len();
            let of = Embedding::Book { book: book.clone(), entries };
            for embedded in self.store.vectors(space, &of, None, limit)? {
                let Embeddable::Entry { book, entry } = embedded.what else { continue };
                found.push((LoreName { book: Arc::from(book.as_str()), entry }, embedded.chunks));
            }
        }
        let found = Arc::new(found);
        if found.len() == wanted.len() {
            let mut known = self.vectors_at_hand();
            if known.len() >= STACKS {
                known.clear();
            }
            known.insert(key, Arc::clone(&found));
        }
        Ok(found)
    }

    fn done(&self) -> std::sync::MutexGuard<'_, HashMap<WorldId, (String, Texts)>> {
        self.meanings.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn vectors_at_hand(&self) -> std::sync::MutexGuard<'_, HashMap<EntriesKey, Arc<EntryVectors>>> {
        self.meanings.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_chunks(text: &str) -> Vec<String> {
    chunks(text, CHUNK_CHARS).into_iter().map(str::to_owned).collect()
}

/// The newest message and the lines before it, as many as books are searched for, the newest last.
fn said_last(cue: &Cue, gathered: &Gathered, lines: usize) -> String {
    let before = lines.max(1).saturating_sub(usize::from(cue.message.is_some()));
    let told: Vec<&str> = match &cue.history {
        Some(history) => history.iter().map(|line| line.wording.content.as_str()).collect(),
        None => gathered.window.iter().map(|line| line.wording.content.as_str()).collect(),
    };
    let begin = told.len().saturating_sub(before);
    let message = cue.message.as_ref().map(|message| message.content.as_str());
    let said: Vec<&str> = told.get(begin..).unwrap_or_default().iter().copied().chain(message).collect();
    let text = said.join("\n");
    let skipped = text.chars().count().saturating_sub(QUERY_CHARS);
    text.chars().skip(skipped).collect::<String>().trim().to_owned()
}

fn not_embedded(missing: usize) -> Degraded {
    Degraded {
        code: "lore_not_embedded",
        message: format!("{missing} entries that are found by meaning have no vector yet"),
        hint: "they are embedded in the background; ask again in a moment".to_owned(),
    }
}

fn no_meaning(error: &Error) -> Degraded {
    Degraded {
        code: "embedder_unavailable",
        message: format!("entries that are found by meaning were not looked for: {}", error.message()),
        hint: error.hint_text().unwrap_or("see /health for what is wrong with the embedder").to_owned(),
    }
}
