//! When do texts get their place in the space of meanings?
//!
//! In the background, a batch at a time. One world's trouble is not the others'. A text that the embedder refuses is set aside with the
//! reason, so that it holds up nobody.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use super::embedders::{Embedders, Source};
use super::queries::Queries;
use super::suspects::Suspects;
use super::{Engine, index};
use crate::clock::Clock;
use crate::cue::LoreName;
use crate::dependency::Dependency;
use crate::digest::meant;
use crate::embed::{Embeddable, Embedded, Embedder, SetAside, Vector, chunks};
use crate::fail_point::{Step, reach};
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
    /// Texts that the embedder refused; see [`Engine::set_aside_texts`].
    pub refused: usize,
    /// True if there was more to do.
    pub more: bool,
}

/// What the engine knows of meanings.
pub(super) struct Meanings {
    pub(super) embedders: Embedders,
    /// Of each world the state in which every text had a vector, in a space.
    done: Mutex<HashMap<WorldId, (String, Texts)>>,
    pub(super) entries: Mutex<HashMap<EntriesKey, Arc<EntryVectors>>>,
    pub(super) queries: Queries,
    suspects: Suspects,
    pub(super) index: Dependency,
}

impl Meanings {
    pub(super) fn new(clock: &Arc<dyn Clock>, queries: Queries) -> Self {
        Self {
            embedders: Embedders::default(),
            done: Mutex::default(),
            entries: Mutex::default(),
            queries,
            suspects: Suspects::default(),
            index: index::dependency(clock),
        }
    }
}

/// Which texts a world has: its revision, and those of its books, which change beside it.
type Texts = (u64, Vec<(DocumentId, u64)>);
/// A space, and books at their revisions.
pub(super) type EntriesKey = (String, Vec<(DocumentId, u64)>);
pub(super) type EntryVectors = Vec<(LoreName, Vec<Vector>)>;

/// Texts that are embedded together.
pub(super) const BATCH: usize = 32;
/// However slow the embedder is, whoever embeds in the background gives up then.
const PATIENCE_MS: i64 = 60_000;
/// Worlds that are looked at together.
const WORLDS: usize = 100;
/// If an embedder refuses this, it is not about the text.
const HARMLESS: &str = "ok";

impl Engine {
    /// Texts that have no vector in a space yet, at most so many: for a host that embeds them itself and brings the vectors
    /// with [`put_vectors`](Self::put_vectors).
    pub fn texts_to_embed(&self, space: &str, limit: usize) -> Result<Vec<ToEmbed>> {
        self.to_embed(space, None, limit)
    }

    /// In all worlds, or in those that use this embedder.
    fn to_embed(&self, space: &str, source: Option<&Arc<Source>>, limit: usize) -> Result<Vec<ToEmbed>> {
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
                match self.texts_of_world(world, space, source, room) {
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

    /// Embeds what waits, until `go_on` says no. May wait for a network if an embedder does: then call it from a thread of its own.
    pub fn embed(&self, go_on: &dyn Fn() -> bool) -> Result<Embeddings> {
        self.embed_with(&|_| true, go_on)
    }

    /// With embedders that never wait for a network alone.
    pub(super) fn embed_locally(&self, go_on: &dyn Fn() -> bool) -> Result<Embeddings> {
        self.embed_with(&|source| source.embedder.is_local(), go_on)
    }

    /// One embedder's trouble is not the others'.
    fn embed_with(&self, is_asked: &dyn Fn(&Source) -> bool, go_on: &dyn Fn() -> bool) -> Result<Embeddings> {
        let mut done = Embeddings::default();
        let mut trouble = None;
        for source in self.meanings.embedders.all().iter().filter(|source| is_asked(source)) {
            if done.more {
                break;
            }
            trouble = self.embed_from(source, go_on, &mut done).err().or(trouble);
        }
        trouble.map_or(Ok(done), Err)
    }

    fn embed_from(
        &self,
        source: &Arc<Source>,
        go_on: &dyn Fn() -> bool,
        done: &mut Embeddings,
    ) -> Result<()> {
        let embedder = source.embedder.as_ref();
        if !source.is_reconsidered.load(Ordering::Relaxed) {
            self.with_vectors(|store| store.try_again(embedder.space(), &embedder.settings()))?;
            source.is_reconsidered.store(true, Ordering::Relaxed);
        }
        loop {
            let waiting = self.to_embed(embedder.space(), Some(source), BATCH)?;
            if waiting.is_empty() {
                source.learn_languages(self.patience_ms());
                return Ok(());
            }
            reach(Step::TextsRead);
            let batch = self.embed_batch(embedder, &waiting);
            reach(Step::VectorsMade);
            // What was made before something failed is not made again.
            if !batch.made.is_empty() {
                self.with_vectors(|store| store.put_vectors(embedder.space(), &batch.made))?;
                reach(Step::VectorsKept);
            }
            if !batch.refused.is_empty() {
                self.with_vectors(|store| store.set_aside(&batch.refused))?;
                reach(Step::RefusalsKept);
            }
            done.texts += batch.made.len();
            done.refused += batch.refused.len();
            if let Some(error) = batch.trouble {
                return Err(error);
            }
            if !go_on() {
                done.more = true;
                return Ok(());
            }
        }
    }

    /// All of them at once; where the embedder refuses that, by halves, until it is known which it refuses. Where it fails, the rest waits;
    /// see [`Suspects`] for what is tried then.
    fn embed_batch(&self, embedder: &dyn Embedder, waiting: &[ToEmbed]) -> Batch {
        let mut batch = Batch::default();
        let suspects = &self.meanings.suspects;
        let mut is_well = false;
        let mut parts = suspects.parts(waiting);
        parts.reverse();
        while let Some(part) = parts.pop() {
            let is_prime = suspects.is_prime(&part);
            if is_prime && let Err(error) = embedder.embed(&[HARMLESS], self.patience_ms()) {
                batch.trouble = Some(error);
                return batch;
            }
            let error = match self.embed_part(embedder, &part) {
                Ok(made) => {
                    is_well = true;
                    suspects.clear(&part);
                    batch.made.extend(made);
                    continue;
                }
                Err(error) => error,
            };
            if error.code() == Code::Internal && !is_prime {
                suspects.note_failure(&part);
            }
            let is_about_a_text =
                error.code() == Code::Invalid || (is_prime && error.code() == Code::Internal);
            if !is_about_a_text {
                batch.trouble = Some(error);
                return batch;
            }
            // Of a suspect it is asked before and after: so the embedder was well when it failed.
            if (!is_well || is_prime)
                && let Err(worse) = self.check_embedder(embedder, &error)
            {
                batch.trouble = Some(worse);
                return batch;
            }
            is_well = true;
            match part.as_slice() {
                [text] => {
                    suspects.clear(&part);
                    batch.refused.push(self.refused(embedder, text, &error));
                }
                many => {
                    let (first, second) = many.split_at(many.len() / 2);
                    parts.extend([second.to_vec(), first.to_vec()]);
                }
            }
        }
        batch
    }

    /// One that refuses everything is set up wrongly, and no text is to blame for that.
    fn check_embedder(&self, embedder: &dyn Embedder, refusal: &Error) -> Result<()> {
        let Err(error) = embedder.embed(&[HARMLESS], self.patience_ms()) else { return Ok(()) };
        let told = if error.code() == Code::Invalid { refusal } else { &error };
        let told_again = Error::new(Code::Unavailable, told.message());
        Err(told.hint_text().into_iter().fold(told_again, Error::hint))
    }

    fn refused(&self, embedder: &dyn Embedder, text: &ToEmbed, error: &Error) -> SetAside {
        SetAside {
            space: embedder.space().to_owned(),
            what: text.what.clone(),
            digest: text.digest,
            reason: error.message().to_owned(),
            at_ms: self.now_ms(),
            settings: embedder.settings(),
        }
    }

    fn embed_part(&self, embedder: &dyn Embedder, waiting: &[&ToEmbed]) -> Result<Vec<Embedded>> {
        let texts: Vec<&str> = waiting.iter().flat_map(|one| one.chunks.iter().map(String::as_str)).collect();
        let made = embedder.embed(&texts, self.patience_ms())?;
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

    pub(super) fn patience_ms(&self) -> i64 {
        self.now_ms().saturating_add(PATIENCE_MS)
    }

    /// Texts of a world, and of its books, that an embedder refused; at most so many.
    pub fn set_aside_texts(&self, world: &WorldId, limit: usize) -> Result<Vec<SetAside>> {
        let found = self.world(world)?;
        let mut aside = self.store.aside(&Embedding::World(world.clone()), limit)?;
        let settings = WorldSettings::resolve(found.preset, &found.settings)?;
        for book in &self.books_of(world)? {
            let room = limit.saturating_sub(aside.len());
            let Some(of) = self.by_meaning(book, &settings)?.filter(|_| room > 0) else { continue };
            aside.extend(self.store.aside(&of.0, room)?);
        }
        Ok(aside)
    }

    /// Of its memories, and of the entries of its books that are found by meaning; what has no text left is not looked at
    /// again before it changes.
    fn texts_of_world(
        &self,
        world: &World,
        space: &str,
        source: Option<&Arc<Source>>,
        limit: usize,
    ) -> Result<Vec<ToEmbed>> {
        let books = self.books_of(&world.id)?;
        let revisions = books.iter().map(|(link, revision)| (link.book.clone(), *revision));
        let state = (space.to_owned(), (world.revision, revisions.collect()));
        if self.done().get(&world.id) == Some(&state) {
            return Ok(Vec::new());
        }
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        if source.is_some_and(|source| !self.meanings.embedders.of(&settings).is(source)) {
            return Ok(Vec::new());
        }
        let of = Embedding::World(world.id.clone());
        let mut waiting: Vec<ToEmbed> = self
            .store
            .unembedded(space, &of, limit)?
            .into_iter()
            .map(|one| {
                let chunks = in_chunks(&meant(&one.text), &settings);
                ToEmbed { chunks, what: one.what, digest: one.digest }
            })
            .collect();
        for book in &books {
            let room = limit.saturating_sub(waiting.len());
            let found = if room > 0 { self.by_meaning(book, &settings)? } else { None };
            let Some((of, contents)) = found else { continue };
            for one in self.store.unembedded(space, &of, room)? {
                let Embeddable::Entry { entry, .. } = &one.what else { continue };
                let chunks = contents.get(entry).map(|content| in_chunks(content, &settings));
                let chunks = chunks.unwrap_or_default();
                waiting.push(ToEmbed { chunks, what: one.what, digest: one.digest });
            }
        }
        if waiting.is_empty() {
            // Every text has found its place in this space: what it had in others is of no use any more.
            reach(Step::SpaceFull);
            self.store.keep_space(space, &of)?;
            reach(Step::SpaceKept);
            self.done().insert(world.id.clone(), state);
        }
        Ok(waiting)
    }

    /// The entries of a book that are found by meaning, with what they say; None: there are none.
    fn by_meaning(&self, book: &(Link, u64), settings: &WorldSettings) -> Result<Option<Meant>> {
        let books = std::slice::from_ref(book);
        let Some(shelf) = self.shelves.get(self.store.as_ref(), books, settings.lore.spelling)? else {
            return Ok(None);
        };
        let contents: HashMap<Arc<str>, String> =
            shelf.by_meaning().map(|(name, content)| (name.entry, content.to_owned())).collect();
        let entries = contents.keys().cloned().collect();
        let of = Embedding::Book { book: book.0.book.clone(), entries };
        Ok((!contents.is_empty()).then_some((of, contents)))
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

/// Entries of a book, and what they say.
type Meant = (Embedding, HashMap<Arc<str>, String>);

/// What became of some texts.
#[derive(Default)]
struct Batch {
    made: Vec<Embedded>,
    refused: Vec<SetAside>,
    /// Why the rest waits.
    trouble: Option<Error>,
}

pub(super) fn in_chunks(text: &str, settings: &WorldSettings) -> Vec<String> {
    chunks(text, settings.digest.chunk_chars).into_iter().map(str::to_owned).collect()
}
