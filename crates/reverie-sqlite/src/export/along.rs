//! What does a world take along besides its log: timers, keepsakes, links, and the books that it uses?

use std::collections::BTreeSet;

use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{DocumentEntry, DocumentKind, Scope};
use reverie_core::record::{BookRecord, Record};
use reverie_core::{ConversationId, DocumentId, LineId};
use rusqlite::{Connection, params};

use super::Out;
use crate::error::Result;
use crate::world::WorldRow;
use crate::{document, keepsake, line, link};

const OF_CONVERSATIONS: &str =
    "SELECT c.id, k.text FROM conversation c JOIN conversation_keepsake k ON k.conversation = c.no
     WHERE c.world = ?1 AND c.revision <= ?2 ORDER BY c.no";
const OF_LINES: &str = "SELECT k.line, k.text FROM line_keepsake k JOIN line l ON l.id = k.line
     WHERE k.line > ?1 AND k.line <= ?2 AND l.revision <= ?3 ORDER BY k.line";

/// Whether any keepsake is in an export up to a revision.
pub(super) fn has_keepsakes(connection: &Connection, world: &WorldRow, revision: u64) -> Result<bool> {
    let (low, high) = world.keys();
    let of_world = connection.prepare("SELECT 1 FROM world_keepsake WHERE world = ?1")?.exists([world.no])?;
    Ok(of_world
        || connection.prepare(OF_CONVERSATIONS)?.exists(params![world.no, revision])?
        || connection.prepare(OF_LINES)?.exists(params![low, high, revision])?)
}

impl Out<'_> {
    pub(super) fn timers(&mut self) -> Result<()> {
        let mut statement = self.connection.prepare(
            "SELECT t.line, t.text FROM lore_timers t JOIN line l ON l.id = t.line
             WHERE t.line > ?1 AND t.line <= ?2 AND l.revision <= ?3 ORDER BY t.line",
        )?;
        let (low, high) = (self.world.line_key(0), self.world.line_key(LineId::LIMIT - 1));
        let mut rows = statement.query(params![low, high, self.revision])?;
        while let Some(row) = rows.next()? {
            let line = LineId::new(line::number(row.get(0)?))?;
            (self.sink)(Record::Timers { line, text: row.get(1)? })?;
        }
        Ok(())
    }

    pub(super) fn keepsakes(&mut self) -> Result<()> {
        for kept in keepsake::files(self.connection, self.world)? {
            (self.sink)(Record::Keepsake(kept))?;
        }
        let mut statement = self.connection.prepare(OF_CONVERSATIONS)?;
        let mut rows = statement.query(params![self.world.no, self.revision])?;
        while let Some(row) = rows.next()? {
            let of = KeptFor::Conversation(ConversationId::new(&row.get::<_, String>(0)?)?);
            (self.sink)(Record::Keepsake(Keepsake { of, text: row.get(1)? }))?;
        }
        let mut statement = self.connection.prepare(OF_LINES)?;
        let (low, high) = self.world.keys();
        let mut rows = statement.query(params![low, high, self.revision])?;
        while let Some(row) = rows.next()? {
            let of = KeptFor::Line(LineId::new(line::number(row.get(0)?))?);
            (self.sink)(Record::Keepsake(Keepsake { of, text: row.get(1)? }))?;
        }
        Ok(())
    }

    /// Those for whoever and whatever is in the export; returns the books that they name.
    pub(super) fn links(&mut self) -> Result<BTreeSet<DocumentId>> {
        let mut books = BTreeSet::new();
        for link in link::list(self.connection, self.world)? {
            let is_known = match &link.scope {
                Scope::World => true,
                Scope::Character(id) => self.ids.characters.values().any(|known| known == id),
                Scope::Conversation(id) => self.ids.conversations.values().any(|known| known == id),
            };
            if is_known {
                books.insert(link.book.clone());
                (self.sink)(Record::Link(link))?;
            }
        }
        Ok(books)
    }

    /// With its entries, if it is there.
    pub(super) fn book(&mut self, id: &DocumentId) -> Result<()> {
        let Some(found) = document::look(self.connection, DocumentKind::Book, id)? else { return Ok(()) };
        let file = document::file(self.connection, found.no)?;
        let document = found.document;
        (self.sink)(Record::Book(Box::new(BookRecord {
            id: document.id,
            name: document.name,
            format: document.format,
            text: document.text,
            file,
            imported: document.imported,
        })))?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT id, text FROM entry WHERE document = ?1 ORDER BY place")?;
        let mut rows = statement.query([found.no])?;
        while let Some(row) = rows.next()? {
            let entry = DocumentEntry { id: row.get(0)?, text: row.get(1)? };
            (self.sink)(Record::Entry { book: id.clone(), entry })?;
        }
        Ok(())
    }
}
