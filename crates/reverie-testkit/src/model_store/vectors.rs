//! Where do texts stand in spaces of meanings?

use std::sync::Arc;

use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded, Vector};
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::library::DocumentKind;
use reverie_core::memories::{Embedding, Spaces};
use reverie_core::{DocumentId, Error, Result, WorldId};

use super::world::ModelWorld;
use super::{ModelStore, no_world};

/// A digest of a text, and the vectors of its chunks, or why it has none.
pub(super) type Kept = ([u8; 16], Vec<Vector>, Option<SetAside>);

impl ModelWorld {
    /// Every text that somebody has and did not forget, in order.
    fn texts(&self) -> Vec<(Embeddable, String)> {
        let mut texts = Vec::new();
        for (id, kept) in &self.memories {
            let states = self.now.holdings.keys().filter(|(memory, _)| memory == id);
            let states = states.filter_map(|(memory, who)| Some((*who, self.state(*memory, *who)?)));
            let (mut is_told, mut own) = (false, Vec::new());
            for (who, state) in states.filter(|(_, state)| !state.forgotten) {
                match state.text {
                    None => is_told = true,
                    Some(text) => own.push((self.person(who).id.clone(), text)),
                }
            }
            let world = || self.id.clone();
            if is_told {
                texts.push((Embeddable::Memory { world: world(), memory: *id }, kept.memory.text.clone()));
            }
            own.sort();
            let own = own.into_iter();
            texts.extend(
                own.map(|(holder, text)| (Embeddable::Own { world: world(), memory: *id, holder }, text)),
            );
        }
        texts
    }
}

/// A text, its digest, and its vectors in each space that are of it.
struct Text {
    what: Embeddable,
    digest: [u8; 16],
    text: String,
    spaces: Vec<(String, Vec<Vector>)>,
    asides: Vec<SetAside>,
}

impl ModelStore {
    fn texts(&self, of: &Embedding) -> Result<Vec<Text>> {
        let texts = match of {
            Embedding::World(id) => self.read(id, |world| Ok(world.texts()))?,
            Embedding::Book { book, entries } => self.entry_texts(book, entries)?,
        };
        let text = |(what, text): (Embeddable, String)| {
            let digest = fingerprint_of_text(&text);
            let kept = self.vectors_of(&what).into_iter().filter(|(_, (other, ..))| *other == digest);
            let (mut spaces, mut asides) = (Vec::new(), Vec::new());
            for (space, (_, chunks, aside)) in kept {
                spaces.push((space, chunks));
                asides.extend(aside);
            }
            Text { what, digest, text, spaces, asides }
        };
        Ok(texts.into_iter().map(text).collect())
    }

    fn entry_texts(&self, book: &DocumentId, entries: &[Arc<str>]) -> Result<Vec<(Embeddable, String)>> {
        let shelf = self.shelf();
        let put = shelf.documents.get(&(DocumentKind::Book, book.clone()));
        let put = put.ok_or_else(|| Error::not_found("there is no such book"))?;
        let find = |id: &Arc<str>| {
            let entry = put.entries.iter().find(|entry| entry.id == *id)?;
            Some((Embeddable::Entry { book: book.clone(), entry: id.clone() }, entry.text.to_string()))
        };
        Ok(entries.iter().filter_map(find).collect())
    }

    fn vectors_of(&self, what: &Embeddable) -> Vec<(String, Kept)> {
        let (world, memory, holder) = match what {
            Embeddable::Memory { world, memory } => (world, memory, None),
            Embeddable::Own { world, memory, holder } => (world, memory, Some(holder)),
            Embeddable::Entry { book, entry } => {
                let shelf = self.shelf();
                let own = shelf.vectors.iter().filter(|((b, e, _), _)| b == book && e == entry);
                return own.map(|((.., space), kept)| (space.clone(), kept.clone())).collect();
            }
        };
        let worlds = self.lock();
        let Some(world) = worlds.get(world) else { return Vec::new() };
        let holder = holder.and_then(|holder| world.number_of(holder));
        let own = world.aside.vectors.iter().filter(|((m, h, _), _)| m == memory && *h == holder);
        own.map(|((.., space), kept)| (space.clone(), kept.clone())).collect()
    }

    pub(super) fn bare_texts(&self, space: &str, of: &Embedding, limit: usize) -> Result<Vec<Unembedded>> {
        let bare =
            self.texts(of)?.into_iter().filter(|text| text.spaces.iter().all(|(name, _)| name != space));
        let bare = bare.map(|Text { what, digest, text, .. }| Unembedded { what, digest, text });
        Ok(bare.take(limit).collect())
    }

    pub(super) fn keep_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()> {
        vectors.iter().try_for_each(Embedded::check)?;
        for Embedded { what, digest, chunks } in vectors {
            self.keep_vector(space, what, (*digest, chunks.clone(), None))?;
        }
        Ok(())
    }

    pub(super) fn keep_asides(&self, texts: &[SetAside]) -> Result<()> {
        for text in texts {
            self.keep_vector(&text.space, &text.what, (text.digest, Vec::new(), Some(text.clone())))?;
        }
        Ok(())
    }

    pub(super) fn list_asides(&self, of: &Embedding, limit: usize) -> Result<Vec<SetAside>> {
        Ok(self.texts(of)?.into_iter().flat_map(|text| text.asides).take(limit).collect())
    }

    pub(super) fn drop_asides(&self, space: &str, settings: &str) {
        let stays = |kept: &Kept| {
            let is_due = |aside: &SetAside| aside.space == space && aside.settings != settings;
            !kept.2.as_ref().is_some_and(is_due)
        };
        for world in self.lock().values_mut() {
            world.aside.vectors.retain(|_, kept| stays(kept));
        }
        self.shelf().vectors.retain(|_, kept| stays(kept));
    }

    /// What is not there, or says something else by now, is passed over.
    fn keep_vector(&self, space: &str, what: &Embeddable, vector: Kept) -> Result<()> {
        let of = match what {
            Embeddable::Memory { world, .. } | Embeddable::Own { world, .. } => {
                Embedding::World(world.clone())
            }
            Embeddable::Entry { book, entry } => {
                Embedding::Book { book: book.clone(), entries: vec![entry.clone()] }
            }
        };
        let texts = self.texts(&of).unwrap_or_default();
        if !texts.iter().any(|text| (&text.what, text.digest) == (what, vector.0)) {
            return Ok(());
        }
        let (world, memory, holder) = match what {
            Embeddable::Memory { world, memory } => (world, memory, None),
            Embeddable::Own { world, memory, holder } => (world, memory, Some(holder)),
            Embeddable::Entry { book, entry } => {
                let key = (book.clone(), entry.clone(), space.to_owned());
                self.shelf().vectors.insert(key, vector);
                return Ok(());
            }
        };
        let mut worlds = self.lock();
        let world = worlds.get_mut(world).ok_or_else(no_world)?;
        let holder = holder.and_then(|holder| world.number_of(holder));
        world.aside.vectors.insert((*memory, holder, space.to_owned()), vector);
        Ok(())
    }

    pub(super) fn list_vectors(
        &self,
        space: &str,
        of: &Embedding,
        after: Option<&Embeddable>,
        limit: usize,
    ) -> Result<Vec<Embedded>> {
        let texts = self.texts(of)?;
        let is_behind: Box<dyn Fn(&Embeddable) -> bool> = match (of, after) {
            (_, None) => Box::new(|_| true),
            (Embedding::World(id), Some(after)) if world_of(after) == Some(id) => {
                Box::new(|what| place(what) > place(after))
            }
            (Embedding::Book { book, entries }, Some(Embeddable::Entry { book: other, entry }))
                if book == other =>
            {
                let last = entries.iter().position(|id| id == entry).ok_or_else(elsewhere)?;
                let behind: Vec<Arc<str>> = entries.iter().skip(last + 1).cloned().collect();
                Box::new(
                    move |what| matches!(what, Embeddable::Entry { entry, .. } if behind.contains(entry)),
                )
            }
            _ => return Err(elsewhere()),
        };
        let mut found = Vec::new();
        for Text { what, digest, spaces, .. } in texts.into_iter().filter(|text| is_behind(&text.what)) {
            let own = spaces.into_iter().find(|(name, _)| name == space);
            found.extend(own.map(|(_, chunks)| Embedded { what, digest, chunks }));
        }
        found.truncate(limit);
        Ok(found)
    }

    pub(super) fn count_spaces(&self, of: &Embedding) -> Result<Spaces> {
        let texts = self.texts(of)?;
        let mut spaces = Spaces { texts: texts.len(), ..Spaces::default() };
        for (space, _) in texts.into_iter().flat_map(|text| text.spaces) {
            *spaces.embedded.entry(space).or_default() += 1;
        }
        Ok(spaces)
    }

    pub(super) fn drop_other_spaces(&self, space: &str, of: &Embedding) -> Result<()> {
        match of {
            Embedding::World(id) => {
                let mut worlds = self.lock();
                let world = worlds.get_mut(id).ok_or_else(no_world)?;
                world.aside.vectors.retain(|(.., name), _| name == space);
            }
            Embedding::Book { book, entries } => {
                self.entry_texts(book, entries)?;
                let mut shelf = self.shelf();
                shelf
                    .vectors
                    .retain(|(b, entry, name), _| b != book || !entries.contains(entry) || name == space);
            }
        }
        Ok(())
    }
}

fn world_of(what: &Embeddable) -> Option<&WorldId> {
    match what {
        Embeddable::Memory { world, .. } | Embeddable::Own { world, .. } => Some(world),
        Embeddable::Entry { .. } => None,
    }
}

/// A memory's own text stands before its holders' rewordings.
fn place(what: &Embeddable) -> (u64, &str) {
    match what {
        Embeddable::Memory { memory, .. } => (memory.get(), ""),
        Embeddable::Own { memory, holder, .. } => (memory.get(), holder.as_str()),
        Embeddable::Entry { .. } => (0, ""),
    }
}

fn elsewhere() -> Error {
    Error::invalid("this is not in the list that goes on behind it")
}
