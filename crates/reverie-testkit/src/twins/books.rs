//! What do steps with the library stand for, and is it the same in both stores?

use reverie_core::library::{
    Bringing, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Link, Scope,
};
use reverie_core::store::Select;
use reverie_core::{CharacterId, ConversationId, DocumentId, Who, WorldId};

use super::take::{pick, who};
use super::{Twins, Verdict};
use crate::story::Pick;

impl Twins<'_> {
    pub(super) fn look_at_the_library(&self) -> Verdict {
        for kind in [DocumentKind::Book, DocumentKind::Card] {
            let all = self.both("documents", |store| store.documents(kind, &Select::default()))?;
            let page = Select::Page { after: Some("a".to_owned()), limit: 1 };
            self.both("page of documents", |store| store.documents(kind, &page))?;
            for document in all.into_iter().flatten() {
                self.both("file", |store| store.document_file(kind, &document.id))?;
                let entries = self.both("entries", |store| store.entries(&document.id, &EntrySelect::All))?;
                let after = entries.and_then(|(_, entries)| entries.first().map(|entry| entry.id.clone()));
                let page = EntrySelect::Page { after, limit: 2 };
                self.both("page of entries", |store| store.entries(&document.id, &page))?;
            }
        }
        Ok(())
    }

    pub(super) fn put_document(&mut self, id: Pick, entries: &[Pick], expect: Option<Pick>) -> Verdict {
        let (kind, id) = document(id);
        let put = DocumentPut {
            name: format!("书 {}", entries.len()),
            format: "x".to_owned(),
            text: format!("〔{}〕", entries.len() / 2),
            entries: entries.iter().map(|pick| entry(*pick)).collect(),
            file: (entries.len() == 3).then(|| entries.to_vec()),
            expected_revision: expect.map(u64::from),
            bringing: if entries.len().is_multiple_of(2) { Bringing::Import } else { Bringing::Replace },
        };
        self.both("putting a document", |store| store.put_document(kind, &id, put.clone())).map(drop)
    }

    pub(super) fn change_entries(&mut self, id: Pick, changes: &[Pick]) -> Verdict {
        let (_, id) = document(id);
        let change = |pick: &Pick| match pick.is_multiple_of(2) {
            true => EntryChange::Put(entry(pick / 2)),
            false => EntryChange::Remove(entry(pick / 2).id),
        };
        let changes: Vec<EntryChange> = changes.iter().map(change).collect();
        self.both("changing entries", |store| store.change_entries(&id, changes.clone(), None)).map(drop)
    }

    pub(super) fn erase_document(&mut self, id: Pick) -> Verdict {
        let (kind, id) = document(id);
        self.both("erasing a document", |store| store.erase_document(kind, &id)).map(drop)
    }

    pub(super) fn link(&self, world: &WorldId, scope: Pick, book: Pick, rank: i64) -> Verdict {
        let link = Link { scope: self.scope(world, scope)?, book: document(book).1, rank };
        self.both("linking", |store| store.put_link(world, &link)).map(drop)
    }

    fn scope(&self, world: &WorldId, at: Pick) -> Verdict<Scope> {
        Ok(match (at % 3, who(at / 3)) {
            (0, _) => Scope::World,
            (1, Who::Id(id)) => Scope::Character(id),
            (1, Who::Named(_)) => Scope::Character(CharacterId::new("莱姆").expect("legal")),
            _ => match self.room(world, at / 3)? {
                Some(room) => Scope::Conversation(room.id),
                None => Scope::Conversation(ConversationId::new("nowhere").expect("legal")),
            },
        })
    }

    /// Mostly a link that is there.
    pub(super) fn unlink(&self, world: &WorldId, at: Pick) -> Verdict {
        let links = self.both("links", |store| store.links(world))?.unwrap_or_default();
        let (book, scope) = match pick(&links, at).filter(|_| at % 8 != 7) {
            Some(link) => (link.book.clone(), link.scope.clone()),
            None => (document(at).1, self.scope(world, at)?),
        };
        self.both("unlinking", |store| store.remove_link(world, &book, &scope)).map(drop)
    }
}

/// Mostly books, and ids that are common to books and cards.
fn document(at: Pick) -> (DocumentKind, DocumentId) {
    let kind = if at % 5 == 4 { DocumentKind::Card } else { DocumentKind::Book };
    let id = pick(&["世界书", "本", "a book"], at).expect("there are three");
    (kind, DocumentId::new(id).expect("legal"))
}

fn entry(at: Pick) -> DocumentEntry {
    DocumentEntry { id: format!("e{}", at % 5).into(), text: format!("条目 {}", at / 5 % 3).into() }
}
