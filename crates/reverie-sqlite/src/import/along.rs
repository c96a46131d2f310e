//! How do timers, links and books come in with a world, and what becomes of a book that is there already?
//!
//! Books wait beside the library until the world is whole. Then each is the one that is there, or joins the library, under
//! another id if its own belongs to another book; and the world's links follow.

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::is_erased;
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{Document, DocumentEntry, DocumentKind, Link, Scope, another_id};
use reverie_core::record::BookRecord;
use reverie_core::{DocumentId, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use super::arrival::{Arrival, Staged};
use super::broken;
use crate::document::{self, Found};
use crate::error::Result;
use crate::keepsake::{self, Place};
use crate::link::{self, Target};
use crate::world::WorldRow;
use crate::{entry, staged, timer};

impl Arrival {
    pub(super) fn timers(&self, connection: &Connection, line: LineId, text: &str) -> Result<()> {
        let conversation = connection
            .prepare_cached("SELECT conversation FROM line WHERE id = ?1 AND attribute IS NOT NULL")?
            .query_row([self.row.line_key(line.get())], |row| row.get(0))
            .optional()?
            .ok_or_else(|| broken(&format!("it has timers for line {line}, which is not in it")))?;
        timer::put(connection, &self.row, conversation, line, text)
    }

    pub(super) fn keepsake(&self, connection: &Connection, kept: &Keepsake) -> Result<()> {
        let place = match &kept.of {
            KeptFor::File(name) => Place::World(name),
            KeptFor::Conversation(id) => Place::Conversation(self.room(id)?.no),
            KeptFor::Line(line) => keepsake::of_line(connection, &self.row, *line)?
                .ok_or_else(|| broken(&format!("it keeps something of line {line}, which is not in it")))?,
        };
        keepsake::insert(connection, &self.row, &place, &kept.text)
    }

    pub(super) fn link(&self, connection: &Connection, link: &Link) -> Result<()> {
        let target = match &link.scope {
            Scope::World => Target::WORLD,
            Scope::Character(id) if is_erased(id) => {
                return Err(broken(&format!("it has a book for {id:?}, who was deleted")));
            }
            Scope::Character(id) => Target::character(self.character_no(id)?),
            Scope::Conversation(id) => Target::conversation(self.room(id)?.no),
        };
        link::insert(connection, &self.row, target, &link.book, link.rank)
    }

    pub(super) fn book(&mut self, connection: &Connection, book: BookRecord) -> Result<()> {
        let no = staged::put(connection, self.row.no, &book)?;
        self.books.insert(book.id, Staged { no, entries: 0 });
        Ok(())
    }

    pub(super) fn entry(
        &mut self,
        connection: &Connection,
        book: &DocumentId,
        entry: &DocumentEntry,
    ) -> Result<()> {
        let staged = self.books.get_mut(book);
        let staged = staged
            .ok_or_else(|| broken(&format!("it has an entry of the book {book:?}, which is not in it")))?;
        staged.entries += 1;
        entry::insert_at(connection, staged.no, staged.entries, entry)
    }
}

/// Puts what waits into the library.
pub(super) fn settle(connection: &Connection, world: &WorldRow) -> Result<()> {
    let mut names = BTreeMap::new();
    for book in staged::all(connection, world.no)? {
        let name = find_place(connection, &book)?;
        if name != book.document.id {
            names.insert(book.document.id, name);
        }
    }
    if names.is_empty() { Ok(()) } else { rename_links(connection, world, &names) }
}

/// The first name that is free, or that of the same book.
fn find_place(connection: &Connection, book: &Found) -> Result<DocumentId> {
    let mut number = 1;
    loop {
        let name = another_id(&book.document.id, number)?;
        let Some(there) = document::look(connection, DocumentKind::Book, &name)? else {
            staged::adopt(connection, book.no, &name)?;
            return Ok(name);
        };
        if is_same(connection, &there, book)? {
            document::remove(connection, book.no)?;
            return Ok(name);
        }
        number += 1;
    }
}

fn is_same(connection: &Connection, there: &Found, book: &Found) -> Result<bool> {
    // What it is called, how far it has counted and which file it came from makes no other book of it.
    let Document { id, revision, imported, .. } = there.document.clone();
    let is_alike = there.document == Document { id, revision, imported, ..book.document.clone() };
    Ok(is_alike
        && document::file(connection, there.no)? == document::file(connection, book.no)?
        && entry::all(connection, there.no)? == entry::all(connection, book.no)?)
}

/// All at once: a new name of one book can be the old one of another. Two books that turn out to be one keep the lower
/// place.
fn rename_links(
    connection: &Connection,
    world: &WorldRow,
    names: &BTreeMap<DocumentId, DocumentId>,
) -> Result<()> {
    let rows: Vec<(i64, i64, String, i64)> = connection
        .prepare_cached(
            "SELECT scope, of, book, rank FROM link WHERE world = ?1 ORDER BY scope, of, rank, book",
        )?
        .query_map([world.no], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<rusqlite::Result<_>>()?;
    connection.prepare_cached("DELETE FROM link WHERE world = ?1")?.execute([world.no])?;
    let mut linked = BTreeSet::new();
    for (scope, of, book, rank) in rows {
        let book = DocumentId::new(&book)?;
        let book = names.get(&book).unwrap_or(&book);
        if linked.insert((scope, of, book.clone())) {
            connection
                .prepare_cached(
                    "INSERT INTO link (world, scope, of, book, rank) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![world.no, scope, of, book.as_str(), rank])?;
        }
    }
    Ok(())
}
