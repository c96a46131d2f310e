//! What is kept of hosts' files: how does it get in, out, and away?

use reverie_core::keepsake::{self, Keepsake, KeptFor};
use reverie_core::line::no_line;
use reverie_core::{ConversationId, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::naming;
use crate::world::WorldRow;

/// Where a text is kept, as the tables have it.
pub(crate) enum Place<'p> {
    World(&'p str),
    Conversation(i64),
    Line { key: i64, conversation: i64 },
}

/// How many are other texts than before.
pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    keepsakes: &[(KeptFor, Option<String>)],
) -> Result<usize> {
    let mut changed = 0;
    for (of, text) in keepsakes {
        let place = match of {
            KeptFor::File(name) => Place::World(name),
            KeptFor::Conversation(id) => {
                Place::Conversation(ConversationRow::find(connection, world, id)?.no)
            }
            KeptFor::Line(line) => of_line(connection, world, *line)?.ok_or_else(|| no_line(*line))?,
        };
        changed += match text {
            Some(text) => write(connection, world, &place, text)?,
            None => remove(connection, world, &place)?,
        };
    }
    if changed > 0 {
        world.bump(connection)?;
    }
    Ok(changed)
}

pub(crate) fn of_line(
    connection: &Connection,
    world: &WorldRow,
    line: LineId,
) -> Result<Option<Place<'static>>> {
    let key = world.line_key(line.get());
    let conversation = connection
        .prepare_cached("SELECT conversation FROM line WHERE id = ?1 AND attribute IS NOT NULL")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(conversation.map(|conversation| Place::Line { key, conversation }))
}

/// 1 if the text is another one than before, else 0.
fn write(connection: &Connection, world: &WorldRow, place: &Place<'_>, text: &str) -> Result<usize> {
    let changed = match place {
        Place::World(file) => connection
            .prepare_cached(
                "INSERT INTO world_keepsake (world, file, text) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
            )?
            .execute(params![world.no, file, text])?,
        Place::Conversation(no) => connection
            .prepare_cached(
                "INSERT INTO conversation_keepsake (conversation, text) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
            )?
            .execute(params![no, text])?,
        Place::Line { key, conversation } => connection
            .prepare_cached(
                "INSERT INTO line_keepsake (line, conversation, text) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
            )?
            .execute(params![key, conversation, text])?,
    };
    Ok(changed)
}

fn remove(connection: &Connection, world: &WorldRow, place: &Place<'_>) -> Result<usize> {
    let removed = match place {
        Place::World(file) => connection
            .prepare_cached("DELETE FROM world_keepsake WHERE world = ?1 AND file = ?2")?
            .execute(params![world.no, file])?,
        Place::Conversation(no) => connection
            .prepare_cached("DELETE FROM conversation_keepsake WHERE conversation = ?1")?
            .execute([no])?,
        Place::Line { key, .. } => {
            connection.prepare_cached("DELETE FROM line_keepsake WHERE line = ?1")?.execute([key])?
        }
    };
    Ok(removed)
}

/// Where nothing is kept yet; twice the same place is refused by the tables.
pub(crate) fn insert(connection: &Connection, world: &WorldRow, place: &Place<'_>, text: &str) -> Result<()> {
    match place {
        Place::World(file) => connection
            .prepare_cached("INSERT INTO world_keepsake (world, file, text) VALUES (?1, ?2, ?3)")?
            .execute(params![world.no, file, text])?,
        Place::Conversation(no) => connection
            .prepare_cached("INSERT INTO conversation_keepsake (conversation, text) VALUES (?1, ?2)")?
            .execute(params![no, text])?,
        Place::Line { key, conversation } => connection
            .prepare_cached("INSERT INTO line_keepsake (line, conversation, text) VALUES (?1, ?2, ?3)")?
            .execute(params![key, conversation, text])?,
    };
    Ok(())
}

/// Of a conversation and its lines; None: the files of the world.
pub(crate) fn list(
    connection: &Connection,
    world: &WorldRow,
    of: Option<&ConversationId>,
) -> Result<Vec<Keepsake>> {
    let Some(id) = of else {
        return files(connection, world);
    };
    let no = ConversationRow::find(connection, world, id)?.no;
    let own: Option<String> = connection
        .prepare_cached("SELECT text FROM conversation_keepsake WHERE conversation = ?1")?
        .query_row([no], |row| row.get(0))
        .optional()?;
    let own = own.map(|text| Keepsake { of: KeptFor::Conversation(id.clone()), text });
    let mut kept: Vec<Keepsake> = own.into_iter().collect();
    let mut statement = connection
        .prepare_cached("SELECT line, text FROM line_keepsake WHERE conversation = ?1 ORDER BY line")?;
    let mut rows = statement.query([no])?;
    while let Some(row) = rows.next()? {
        let line = LineId::new(line::number(row.get(0)?))?;
        kept.push(Keepsake { of: KeptFor::Line(line), text: row.get(1)? });
    }
    Ok(kept)
}

/// Each by its key, in the order given.
pub(crate) fn of_these(
    connection: &Connection,
    world: &WorldRow,
    these: &[KeptFor],
) -> Result<Vec<Keepsake>> {
    let mut kept = Vec::new();
    for of in these {
        let text: Option<String> = match of {
            KeptFor::File(name) => connection
                .prepare_cached("SELECT text FROM world_keepsake WHERE world = ?1 AND file = ?2")?
                .query_row(params![world.no, name], |row| row.get(0))
                .optional()?,
            KeptFor::Conversation(id) => connection
                .prepare_cached(
                    "SELECT k.text FROM conversation c JOIN conversation_keepsake k ON k.conversation = c.no
                     WHERE c.world = ?1 AND c.id = ?2",
                )?
                .query_row(params![world.no, id.as_str()], |row| row.get(0))
                .optional()?,
            KeptFor::Line(line) => connection
                .prepare_cached("SELECT text FROM line_keepsake WHERE line = ?1")?
                .query_row([world.line_key(line.get())], |row| row.get(0))
                .optional()?,
        };
        kept.extend(text.map(|text| Keepsake { of: of.clone(), text }));
    }
    Ok(kept)
}

pub(crate) fn files(connection: &Connection, world: &WorldRow) -> Result<Vec<Keepsake>> {
    let kept = connection
        .prepare_cached("SELECT file, text FROM world_keepsake WHERE world = ?1 ORDER BY file")?
        .query_map([world.no], |row| Ok(Keepsake { of: KeptFor::File(row.get(0)?), text: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(kept)
}

/// Takes away what names somebody: of the world and of its conversations. What is kept of lines goes with the lines.
pub(crate) fn forget_person(connection: &Connection, world: &WorldRow, character: i64) -> Result<()> {
    let mut known: Vec<String> = connection
        .prepare_cached(
            "SELECT id FROM character WHERE no = ?1
             UNION SELECT display_name FROM character WHERE no = ?1 AND display_name IS NOT NULL
             UNION SELECT display_name FROM character_version WHERE character = ?1 AND display_name IS NOT NULL
             UNION SELECT value FROM alias WHERE character = ?1",
        )?
        .query_map([character], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    known.extend(naming::ever(connection, character)?);
    let is_named = |text: &str| known.iter().any(|name| keepsake::names(text, name));
    for Keepsake { of, text } in files(connection, world)? {
        if let KeptFor::File(file) = &of
            && is_named(&text)
        {
            remove(connection, world, &Place::World(file))?;
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT k.conversation, k.text FROM conversation c JOIN conversation_keepsake k ON k.conversation = c.no
         WHERE c.world = ?1",
    )?;
    let kept: Vec<(i64, String)> = statement
        .query_map([world.no], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (no, _) in kept.iter().filter(|(_, text)| is_named(text)) {
        remove(connection, world, &Place::Conversation(*no))?;
    }
    Ok(())
}
