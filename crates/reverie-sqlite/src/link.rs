//! Which books does a world use, and for whom?
//!
//! A new link needs its book, and a conversation that is there. A character is made on first mention, as everywhere.

use reverie_core::character::is_erased;
use reverie_core::library::{DocumentKind, Link, Scope};
use reverie_core::{CharacterId, ConversationId, DocumentId, Error, Who};
use rusqlite::{Connection, OptionalExtension, params};

use crate::cast::{Cast, Known};
use crate::conversation::ConversationRow;
use crate::document;
use crate::error::Result;
use crate::reading::number_of;
use crate::world::WorldRow;

/// For whom a book is, as the table has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    scope: i64,
    of: i64,
}

const CHARACTER: i64 = 1;
const CONVERSATION: i64 = 2;

impl Target {
    pub(crate) const WORLD: Self = Self { scope: 0, of: 0 };

    pub(crate) fn character(no: i64) -> Self {
        Self { scope: CHARACTER, of: no }
    }

    pub(crate) fn conversation(no: i64) -> Self {
        Self { scope: CONVERSATION, of: no }
    }
}

/// True if the link is new.
pub(crate) fn put(connection: &Connection, world: &WorldRow, link: &Link) -> Result<bool> {
    let mut cast = Cast::new(connection, world);
    let target = match &link.scope {
        Scope::World => Target::WORLD,
        Scope::Character(id) => {
            let known = cast.get(&Who::Id(id.clone()))?;
            if is_erased(&known.id) {
                return Err(Error::not_found(format!("{:?} was deleted", known.id)).into());
            }
            Target::character(known.no)
        }
        Scope::Conversation(id) => conversation(connection, world, id)?,
    };
    let old = rank(connection, world, target, &link.book)?;
    if old.is_none() {
        document::find(connection, DocumentKind::Book, &link.book)?;
    }
    match old {
        Some(rank) if rank == link.rank && !cast.has_written() => return Ok(false),
        Some(rank) if rank == link.rank => {}
        Some(_) => move_to(connection, world, target, &link.book, link.rank)?,
        None => insert(connection, world, target, &link.book, link.rank)?,
    }
    world.bump(connection)?;
    Ok(old.is_none())
}

pub(crate) fn insert(
    connection: &Connection,
    world: &WorldRow,
    target: Target,
    book: &DocumentId,
    rank: i64,
) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO link (world, scope, of, book, rank) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![world.no, target.scope, target.of, book.as_str(), rank])?;
    Ok(())
}

fn move_to(
    connection: &Connection,
    world: &WorldRow,
    target: Target,
    book: &DocumentId,
    rank: i64,
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE link SET rank = ?5 WHERE world = ?1 AND scope = ?2 AND of = ?3 AND book = ?4",
        )?
        .execute(params![world.no, target.scope, target.of, book.as_str(), rank])?;
    Ok(())
}

fn rank(connection: &Connection, world: &WorldRow, target: Target, book: &DocumentId) -> Result<Option<i64>> {
    let rank = connection
        .prepare_cached("SELECT rank FROM link WHERE world = ?1 AND scope = ?2 AND of = ?3 AND book = ?4")?
        .query_row(params![world.no, target.scope, target.of, book.as_str()], |row| row.get(0))
        .optional()?;
    Ok(rank)
}

fn conversation(connection: &Connection, world: &WorldRow, id: &ConversationId) -> Result<Target> {
    Ok(Target::conversation(ConversationRow::find(connection, world, id)?.no))
}

pub(crate) fn remove(
    connection: &Connection,
    world: &WorldRow,
    book: &DocumentId,
    scope: &Scope,
) -> Result<()> {
    let missing = || Error::not_found(format!("there is no link to the book {book:?} in this scope"));
    let target = match scope {
        Scope::World => Target::WORLD,
        Scope::Character(id) => Target::character(number_of(connection, world, id)?.ok_or_else(missing)?),
        Scope::Conversation(id) => conversation(connection, world, id)?,
    };
    let removed = connection
        .prepare_cached("DELETE FROM link WHERE world = ?1 AND scope = ?2 AND of = ?3 AND book = ?4")?
        .execute(params![world.no, target.scope, target.of, book.as_str()])?;
    if removed == 0 {
        return Err(missing().into());
    }
    world.bump(connection)?;
    Ok(())
}

/// All that is only for somebody who is deleted.
pub(crate) fn drop_character(connection: &Connection, world: &WorldRow, character: i64) -> Result<()> {
    connection.execute(
        "DELETE FROM link WHERE world = ?1 AND scope = ?2 AND of = ?3",
        [world.no, CHARACTER, character],
    )?;
    Ok(())
}

/// By scope, rank and book.
pub(crate) fn list(connection: &Connection, world: &WorldRow) -> Result<Vec<Link>> {
    let mut statement = connection.prepare_cached(
        "SELECT k.scope, coalesce(c.id, r.id), k.book, k.rank FROM link k
         LEFT JOIN character c ON k.scope = 1 AND c.no = k.of
         LEFT JOIN conversation r ON k.scope = 2 AND r.no = k.of
         WHERE k.world = ?1",
    )?;
    let mut rows = statement.query([world.no])?;
    let mut links = Vec::new();
    while let Some(row) = rows.next()? {
        let of: Option<String> = row.get(1)?;
        let of = of.as_deref().unwrap_or_default();
        let scope = match row.get::<_, i64>(0)? {
            CHARACTER => Scope::Character(CharacterId::new(of)?),
            CONVERSATION => Scope::Conversation(ConversationId::new(of)?),
            _ => Scope::World,
        };
        let book: String = row.get(2)?;
        links.push(Link { scope, book: DocumentId::new(&book)?, rank: row.get(3)? });
    }
    links.sort_unstable_by(|a, b| (&a.scope, a.rank, &a.book).cmp(&(&b.scope, b.rank, &b.book)));
    Ok(links)
}

/// Books that are there, with their revisions, and links to those that are gone.
pub(crate) type Linked = (Vec<(Link, u64)>, Vec<Link>);

/// The books for these in a conversation: by rank, then by id.
pub(crate) fn books(
    connection: &Connection,
    world: &WorldRow,
    characters: &[&Known],
    conversation: Option<&ConversationRow>,
) -> Result<Linked> {
    let (mut books, mut missing) = books_of(connection, world, characters.first().copied(), conversation)?;
    for character in characters.iter().skip(1) {
        let (of_one, lost) = books_of(connection, world, Some(character), None)?;
        let is_own = |link: &Link| matches!(link.scope, Scope::Character(_));
        books.extend(of_one.into_iter().filter(|(link, _)| is_own(link)));
        missing.extend(lost.into_iter().filter(is_own));
    }
    let place = |a: &Link, b: &Link| (a.rank, &a.book, &a.scope).cmp(&(b.rank, &b.book, &b.scope));
    books.sort_by(|(a, _), (b, _)| place(a, b));
    missing.sort_by(place);
    Ok((books, missing))
}

fn books_of(
    connection: &Connection,
    world: &WorldRow,
    character: Option<&Known>,
    conversation: Option<&ConversationRow>,
) -> Result<Linked> {
    const NOBODY: i64 = -1;
    let mut statement = connection.prepare_cached(
        "SELECT k.scope, k.book, k.rank, d.revision FROM (VALUES (0, 0), (1, ?2), (2, ?3)) meant
         CROSS JOIN link k ON k.world = ?1 AND k.scope = meant.column1 AND k.of = meant.column2
         LEFT JOIN document d ON d.arrives = 0 AND d.kind = 1 AND d.id = k.book
         ORDER BY k.rank, k.book, k.scope",
    )?;
    let (of_character, of_conversation) =
        (character.map_or(NOBODY, |known| known.no), conversation.map_or(NOBODY, |row| row.no));
    let mut rows = statement.query([world.no, of_character, of_conversation])?;
    let (mut books, mut missing) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let scope = match (row.get::<_, i64>(0)?, character, conversation) {
            (CHARACTER, Some(known), _) => Scope::Character(known.id.clone()),
            (CONVERSATION, _, Some(room)) => Scope::Conversation(room.id.clone()),
            _ => Scope::World,
        };
        let book: String = row.get(1)?;
        let link = Link { scope, book: DocumentId::new(&book)?, rank: row.get(2)? };
        match row.get(3)? {
            Some(revision) => books.push((link, revision)),
            None => missing.push(link),
        }
    }
    Ok((books, missing))
}
