//! Conversations: how are they found by set or by name, and who is there?

use reverie_core::conversation::{Conversation, ExpectedHead, OpenConversation};
use reverie_core::line::Order;
use reverie_core::store::Select;
use reverie_core::{Code, ConversationId, Error, LineId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::away;
use crate::cast::Cast;
use crate::circle::{self, Circles};
use crate::error::Result;
use crate::log::{self, Kind};
use crate::select::rows;
use crate::tree;
use crate::world::WorldRow;

#[derive(Debug, Clone)]
pub(crate) struct ConversationRow {
    pub(crate) no: i64,
    pub(crate) id: ConversationId,
    pub(crate) name: Option<String>,
    pub(crate) beginning: i64,
    pub(crate) members: i64,
    pub(crate) head: Option<i64>,
    /// Its place in the ranking is open.
    pub(crate) is_hot: bool,
    /// Something on its path waits to be remembered.
    pub(crate) waits: bool,
    /// A restore went back behind its opening.
    pub(crate) is_away: bool,
}

const COLUMNS: &str = "SELECT no, id, name, beginning, members, head, hot, waits, away FROM conversation";

impl ConversationRow {
    pub(crate) fn is_scene(&self) -> bool {
        self.name.is_some()
    }

    pub(crate) fn find(connection: &Connection, world: &WorldRow, id: &ConversationId) -> Result<Self> {
        match Self::look(connection, world, id)? {
            Some(row) => Ok(row),
            None => Err(missing(connection, world, id)?.into()),
        }
    }

    pub(crate) fn look(
        connection: &Connection,
        world: &WorldRow,
        id: &ConversationId,
    ) -> Result<Option<Self>> {
        let by_id = format!("{COLUMNS} WHERE world = ?1 AND id = ?2");
        first(connection, &by_id, params![world.no, id.as_str()])
    }

    pub(crate) fn by_no(connection: &Connection, no: i64) -> Result<Self> {
        first(connection, &format!("{COLUMNS} WHERE no = ?1"), params![no])?
            .ok_or_else(|| Error::new(Code::Corrupt, format!("conversation number {no} is missing")).into())
    }

    /// The circle of those who would witness the next line.
    pub(crate) fn present(&self, connection: &Connection, world: &WorldRow) -> Result<i64> {
        let Some(head) = self.head else { return Ok(self.beginning) };
        let present = connection
            .prepare_cached("SELECT present FROM line WHERE id = ?1")?
            .query_row([world.line_key(head as u64)], |row| row.get(0))
            .optional()?;
        present.ok_or_else(|| missing_line(head))
    }

    /// The newest line on the active path.
    pub(crate) fn spoken_head(&self, connection: &Connection, world: &WorldRow) -> Result<Option<LineId>> {
        spoken_head(connection, world.line_key(0), self.head)
    }

    pub(crate) fn check_head(
        &self,
        connection: &Connection,
        world: &WorldRow,
        expected: ExpectedHead,
    ) -> Result<()> {
        if expected == ExpectedHead::Any {
            return Ok(());
        }
        let head = self.spoken_head(connection, world)?;
        if expected.admits(head) {
            return Ok(());
        }
        let is = head.map_or("empty".to_owned(), |head| format!("line {head}"));
        Err(Error::conflict(format!("the head of conversation {:?} is {is}, not what you expected", self.id))
            .hint("somebody else has written meanwhile: read the new lines, then decide again")
            .into())
    }

    pub(crate) fn read(
        &self,
        connection: &Connection,
        world: &WorldRow,
        circles: &mut Circles,
    ) -> Result<Conversation> {
        let present = self.present(connection, world)?;
        Ok(Conversation {
            id: self.id.clone(),
            name: self.name.clone(),
            participants: circles.ids(connection, self.members)?,
            present: circles.ids(connection, present)?,
            head: self.spoken_head(connection, world)?,
        })
    }
}

/// The newest line at or above a node: a head can stand on a node where somebody only came or went. `base` is the key
/// of the world's line 0.
pub(crate) fn spoken_head(connection: &Connection, base: i64, head: Option<i64>) -> Result<Option<LineId>> {
    let Some(number) = head else { return Ok(None) };
    let spoken: Option<i64> = connection
        .prepare_cached("SELECT iif(attribute IS NULL, spoken, id & 1099511627775) FROM line WHERE id = ?1")?
        .query_row([base | number], |row| row.get(0))
        .optional()?
        .ok_or_else(|| missing_line(number))?;
    Ok(spoken.map(|line| LineId::new(line as u64)).transpose()?)
}

/// Whoever knows a scene by its name is told its id.
fn missing(connection: &Connection, world: &WorldRow, id: &ConversationId) -> Result<Error> {
    let by_name = format!("{COLUMNS} WHERE world = ?1 AND name = ?2");
    let scene = first(connection, &by_name, params![world.no, id.as_str()])?;
    let hint = match scene {
        Some(scene) => format!("a scene has this name; its id is {:?}", scene.id),
        None => "POST /v1/worlds/{world}/conversations opens one and returns its id".to_owned(),
    };
    Ok(Error::not_found(format!("there is no conversation {id:?}")).hint(hint))
}

pub(crate) fn missing_line(number: i64) -> crate::error::Error {
    Error::new(Code::Corrupt, format!("line {number} is missing although others refer to it"))
        .hint("run `reverie doctor` and restore a backup")
        .into()
}

fn first(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Option<ConversationRow>> {
    connection.prepare_cached(sql)?.query_row(values, columns).optional()?.transpose()
}

pub(crate) fn columns(row: &Row<'_>) -> rusqlite::Result<Result<ConversationRow>> {
    let id: String = row.get(1)?;
    let (no, name, beginning, members) = (row.get(0)?, row.get(2)?, row.get(3)?, row.get(4)?);
    let (head, is_hot, waits, is_away) = (row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?);
    Ok(ConversationId::new(&id)
        .map(|id| ConversationRow { no, id, name, beginning, members, head, is_hot, waits, is_away })
        .map_err(Into::into))
}

/// The scene of this name, if opening it changes nothing: something was said in it, and it is there.
pub(crate) fn known(
    connection: &Connection,
    world: &WorldRow,
    open: &OpenConversation,
) -> Result<Option<Conversation>> {
    let Some(name) = &open.name else { return Ok(None) };
    let is_under_way = |row: &ConversationRow| row.head.is_some() && !row.is_away;
    let Some(row) = named(connection, world, name)?.filter(is_under_way) else { return Ok(None) };
    check_id(&row, open)?;
    row.read(connection, world, &mut Circles::default()).map(Some)
}

fn named(connection: &Connection, world: &WorldRow, name: &str) -> Result<Option<ConversationRow>> {
    first(connection, &format!("{COLUMNS} WHERE world = ?1 AND name = ?2"), params![world.no, name])
}

pub(crate) fn open(
    connection: &Connection,
    world: &WorldRow,
    open: &OpenConversation,
) -> Result<(Conversation, bool)> {
    let mut cast = Cast::new(connection, world);
    let found = match (&open.name, &open.id) {
        (Some(name), _) => named(connection, world, name)?,
        (None, Some(id)) if open.participants.is_empty() => {
            Some(ConversationRow::find(connection, world, id)?)
        }
        (None, _) => {
            let persons = cast.persons(&open.participants)?;
            if persons.is_empty() {
                return Err(Error::invalid("a conversation needs participants or a name")
                    .hint("send {\"participants\":[\"a\",\"b\"]} or {\"name\":\"tavern\"}; narrators do not count")
                    .into());
            }
            let set = circle::intern(connection, world.no, &persons)?;
            let sql = format!("{COLUMNS} WHERE world = ?1 AND beginning = ?2 AND name IS NULL");
            first(connection, &sql, params![world.no, set])?
        }
    };
    let mut is_counted = false;
    let (row, created) = match found {
        Some(row) => {
            check_id(&row, open)?;
            let (row, began) = begin_anew(connection, world, row, open, &mut cast)?;
            is_counted = began;
            if row.is_away {
                let revision = if began { world.revision(connection)? } else { world.bump(connection)? };
                away::conversation_returns(connection, world, row.no, revision)?;
                is_counted = true;
            }
            (row, false)
        }
        None => (create(connection, world, open, &mut cast)?, true),
    };
    if cast.has_written() && !created && !is_counted {
        world.bump(connection)?;
    }
    Ok((row.read(connection, world, &mut Circles::default())?, created))
}

fn create(
    connection: &Connection,
    world: &WorldRow,
    open: &OpenConversation,
    cast: &mut Cast<'_>,
) -> Result<ConversationRow> {
    let persons = cast.persons(&open.participants)?;
    let id = match &open.id {
        Some(id) => id.clone(),
        None => fresh_id(connection, world)?,
    };
    let revision = world.bump(connection)?;
    let row = insert(connection, world.no, &id, open.name.as_deref(), &persons, revision)?;
    if row.is_scene() {
        log::set(connection, world.no, revision, Kind::Beginning, row.no, Some(row.beginning))?;
    }
    Ok(row)
}

/// Whoever names an id for what is there already must mean that id.
fn check_id(row: &ConversationRow, open: &OpenConversation) -> Result<()> {
    if let Some(id) = open.id.as_ref().filter(|id| **id != row.id) {
        return Err(Error::conflict(format!(
            "that conversation exists already and its id is {:?}, not {id:?}",
            row.id
        ))
        .hint("use the existing id, or leave the id out")
        .into());
    }
    Ok(())
}

/// See [`reverie_core::Store::name_conversation`]. Names are in no log, so the beginning of a scene stands there as if it always had been one.
pub(crate) fn name(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    name: &str,
) -> Result<Conversation> {
    let row = ConversationRow::find(connection, world, id)?;
    if row.name.as_deref() == Some(name) {
        return row.read(connection, world, &mut Circles::default());
    }
    if row.is_scene() || named(connection, world, name)?.is_some() {
        return Err(Error::conflict(format!("conversation {id:?} cannot be called {name:?}"))
            .hint("it has a name already, or another scene has this one")
            .into());
    }
    world.bump(connection)?;
    let opened: u64 = connection
        .prepare_cached("UPDATE conversation SET name = ?2 WHERE no = ?1 RETURNING revision")?
        .query_row(params![row.no, name], |row| row.get(0))?;
    log::set(connection, world.no, opened, Kind::Beginning, row.no, Some(row.beginning))?;
    ConversationRow::by_no(connection, row.no)?.read(connection, world, &mut Circles::default())
}

/// A scene in which nothing has happened (any more) begins with whoever is there now. True if that is a change.
fn begin_anew(
    connection: &Connection,
    world: &WorldRow,
    row: ConversationRow,
    open: &OpenConversation,
    cast: &mut Cast<'_>,
) -> Result<(ConversationRow, bool)> {
    if !row.is_scene() || row.head.is_some() || open.participants.is_empty() {
        return Ok((row, false));
    }
    let persons = cast.persons(&open.participants)?;
    let circle = circle::intern(connection, world.no, &persons)?;
    if circle == row.beginning {
        return Ok((row, false));
    }
    let revision = world.bump(connection)?;
    tree::put_beginning(connection, world, row.no, Some(circle))?;
    log::set(connection, world.no, revision, Kind::Beginning, row.no, Some(circle))?;
    Ok((ConversationRow::by_no(connection, row.no)?, true))
}

pub(crate) fn insert(
    connection: &Connection,
    world: i64,
    id: &ConversationId,
    name: Option<&str>,
    persons: &[i64],
    revision: u64,
) -> Result<ConversationRow> {
    let beginning = circle::intern(connection, world, persons)?;
    let taken = connection
        .prepare_cached("SELECT 1 FROM conversation WHERE world = ?1 AND id = ?2")?
        .exists(params![world, id.as_str()])?;
    if taken {
        return Err(Error::conflict(format!("the conversation id {id:?} is taken"))
            .hint("choose another id, or leave it out")
            .into());
    }
    connection
        .prepare_cached(
            "INSERT INTO conversation (world, id, name, beginning, members, head, latest_at, latest, revision)
             VALUES (?1, ?2, ?3, ?4, ?4, NULL, ?5, 0, ?6)",
        )?
        .execute(params![world, id.as_str(), name, beginning, Order::BEFORE_TIME, revision])?;
    let no = connection.last_insert_rowid();
    Ok(ConversationRow {
        no,
        id: id.clone(),
        name: name.map(Into::into),
        beginning,
        members: beginning,
        head: None,
        is_hot: false,
        waits: false,
        is_away: false,
    })
}

fn fresh_id(connection: &Connection, world: &WorldRow) -> Result<ConversationId> {
    loop {
        let number: i64 = connection
            .prepare_cached(
                "UPDATE world SET next_conversation = next_conversation + 1 WHERE no = ?1
                 RETURNING next_conversation - 1",
            )?
            .query_row([world.no], |row| row.get(0))?;
        let id = ConversationId::new(&format!("c{number}"))?;
        let taken = connection
            .prepare_cached("SELECT 1 FROM conversation WHERE world = ?1 AND id = ?2")?
            .exists(params![world.no, id.as_str()])?;
        if !taken {
            return Ok(id);
        }
    }
}

pub(crate) fn list(connection: &Connection, world: &WorldRow, select: &Select) -> Result<Vec<Conversation>> {
    let sql = format!("{COLUMNS} WHERE world = ?3 {} AND", away::listed(select));
    let found = rows(connection, &sql, Some(world.no), select, columns)?;
    let mut circles = Circles::default();
    found.into_iter().map(|row| row?.read(connection, world, &mut circles)).collect()
}

/// A pass over the conversations of a world, of which a page is read: their heads move with every line, and an index of them would cost
/// every line something.
pub(crate) fn latest(
    connection: &Connection,
    world: &WorldRow,
    behind: Option<(Option<LineId>, &ConversationId)>,
    limit: usize,
) -> Result<Vec<Conversation>> {
    let (head, id) = match behind {
        Some((head, id)) => (head.map_or(0, |head| head.get() as i64), id.as_str()),
        None => (i64::MAX, ""),
    };
    let mut statement = connection.prepare_cached(
        "SELECT no, id, name, beginning, members, head, hot, waits, away FROM (
             SELECT conversation.*, ifnull(
                 (SELECT iif(line.attribute IS NULL, line.spoken, line.id & 1099511627775) FROM line WHERE line.id = ?2 | conversation.head), 0
             ) AS said_last FROM conversation WHERE world = ?1 AND away = 0
         ) WHERE said_last < ?3 OR (said_last = ?3 AND id > ?4) ORDER BY said_last DESC, id LIMIT ?5",
    )?;
    let values = params![world.no, world.line_key(0), head, id, limit as i64];
    let found: Vec<Result<ConversationRow>> =
        statement.query_map(values, columns)?.collect::<rusqlite::Result<_>>()?;
    let mut circles = Circles::default();
    found.into_iter().map(|row| row?.read(connection, world, &mut circles)).collect()
}
