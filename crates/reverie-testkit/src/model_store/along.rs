//! What does a world take along, and what becomes of it where it arrives?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::library::{DocumentEntry, DocumentKind, DocumentPut, Link, Scope, another_id};
use reverie_core::record::{BookRecord, Record};
use reverie_core::{CheckpointId, DocumentId, Result, WorldId};

use super::ModelStore;
use super::import::broken;
use super::world::ModelWorld;

/// In the order in which they come.
pub(super) type Books = Vec<Brought>;

pub(super) struct Brought {
    id: DocumentId,
    put: DocumentPut,
    imported: Option<[u8; 16]>,
}

impl ModelStore {
    /// A world and the books that it uses.
    pub(super) fn records(&self, world: &WorldId, checkpoint: Option<&CheckpointId>) -> Result<Vec<Record>> {
        let mut records = self.read(world, |world| world.records(checkpoint))?;
        let linked: BTreeSet<DocumentId> = records
            .iter()
            .filter_map(|record| match record {
                Record::Link(link) => Some(link.book.clone()),
                _ => None,
            })
            .collect();
        for id in linked {
            let Some(put) = self.shelf().documents.get(&(DocumentKind::Book, id.clone())).cloned() else {
                continue;
            };
            let DocumentPut { name, format, text, entries, file, .. } = put;
            let imported = self.shelf().imported.get(&(DocumentKind::Book, id.clone())).copied();
            let book = BookRecord { id: id.clone(), name, format, text, file, imported };
            records.push(Record::Book(Box::new(book)));
            records.extend(entries.into_iter().map(|entry| Record::Entry { book: id.clone(), entry }));
        }
        Ok(records)
    }

    /// Puts the books of a world that arrives into the library and leads its links to them.
    pub(super) fn settle(&self, world: &mut ModelWorld, books: Books) -> Result<()> {
        let mut shelf = self.shelf();
        let mut names = BTreeMap::new();
        for Brought { id, put, imported } in books {
            let mut candidates = (1..).map(|number| another_id(&id, number));
            let name = loop {
                let name = candidates.next().expect("numbers do not end")?;
                match shelf.documents.get(&(DocumentKind::Book, name.clone())) {
                    Some(there) if *there == put => break name,
                    Some(_) => continue,
                    None => {
                        shelf.put(DocumentKind::Book, &name, put);
                        let key = (DocumentKind::Book, name.clone());
                        shelf.imported.extend(imported.map(|fingerprint| (key, fingerprint)));
                        break name;
                    }
                }
            };
            names.insert(id, name);
        }
        let mut links: Vec<Link> = Vec::new();
        for mut link in world.links_at(world.revision) {
            link.book = names.get(&link.book).cloned().unwrap_or(link.book);
            if !links.iter().any(|other| (&other.scope, &other.book) == (&link.scope, &link.book)) {
                links.push(link);
            }
        }
        links.sort();
        world.links = links;
        Ok(())
    }
}

impl ModelWorld {
    /// By scope, rank and book: those for whoever was known at a revision.
    pub(super) fn links_at(&self, revision: u64) -> Vec<Link> {
        let is_known = |link: &&Link| match &link.scope {
            Scope::World => true,
            Scope::Character(id) => {
                self.people.iter().any(|person| person.id == *id && person.revision <= revision)
            }
            Scope::Conversation(id) => {
                self.rooms.iter().any(|room| room.id == *id && room.revision <= revision)
            }
        };
        let mut links: Vec<Link> = self.links.iter().filter(is_known).cloned().collect();
        links.sort_by_key(|link| (link.scope.clone(), link.rank, link.book.clone()));
        links
    }

    pub(super) fn take_timers(&mut self, number: u64, text: String) -> Result<()> {
        let node = self.nodes.get_mut(&number).filter(|node| node.attribute.is_some());
        let node = node.ok_or_else(|| broken("timers stand with no line"))?;
        match node.lore_timers.replace(text) {
            Some(_) => Err(broken("timers come twice")),
            None => Ok(()),
        }
    }

    pub(super) fn take_link(&mut self, link: Link) -> Result<()> {
        match &link.scope {
            Scope::World => {}
            Scope::Character(id) => {
                let who = self.one_known(id)?;
                if self.person(who).erased {
                    return Err(broken("a link is for somebody who was deleted"));
                }
            }
            Scope::Conversation(id) => drop(self.room(id).map_err(|_| broken("a link is nowhere"))?),
        }
        if self.links.iter().any(|other| (&other.scope, &other.book) == (&link.scope, &link.book)) {
            return Err(broken("a link comes twice"));
        }
        self.links.push(link);
        Ok(())
    }
}

pub(super) fn take_book(books: &mut Books, book: BookRecord) -> Result<()> {
    if books.iter().any(|other| other.id == book.id) {
        return Err(broken("a book comes twice"));
    }
    let BookRecord { id, name, format, text, file, imported } = book;
    let put = DocumentPut { name, format, text, file, ..DocumentPut::default() };
    books.push(Brought { id, put, imported });
    Ok(())
}

pub(super) fn take_entry(books: &mut Books, book: &DocumentId, entry: DocumentEntry) -> Result<()> {
    let found = books.iter_mut().find(|other| other.id == *book);
    let Brought { put, .. } = found.ok_or_else(|| broken("an entry is of a book that is not in it"))?;
    if put.entries.iter().any(|other| other.id == entry.id) {
        return Err(broken("an entry comes twice"));
    }
    put.entries.push(entry);
    Ok(())
}
