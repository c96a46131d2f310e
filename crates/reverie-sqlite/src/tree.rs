//! The tree of lines: which of them are on the path to the head, and what follows when the head moves?

use std::collections::BTreeSet;

use reverie_core::conversation::{Conversation, ExpectedHead, HeadTarget};
use reverie_core::line::{Order, no_line_in};
use reverie_core::{Code, ConversationId, Error};
use rusqlite::{Connection, OptionalExtension, params};

use crate::away;
use crate::backlog;
use crate::circle::{self, Circles};
use crate::conversation::{ConversationRow, missing_line};
use crate::error::Result;
use crate::living;
use crate::log::{self, Kind};
use crate::recency;
use crate::round::standing;
use crate::world::WorldRow;

pub(crate) fn move_head(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    target: HeadTarget,
    expected: ExpectedHead,
) -> Result<Conversation> {
    let row = ConversationRow::find(connection, world, id)?;
    row.check_head(connection, world, expected)?;
    let head = match target {
        HeadTarget::Empty => None,
        HeadTarget::Line(line) => {
            check_belongs(connection, world, &row, line.get())?;
            Some(line.get() as i64)
        }
        HeadTarget::Back(lines) => back(connection, world, row.head, lines)?,
    };
    if head != row.head {
        let revision = world.bump(connection)?;
        log::set(connection, world.no, revision, Kind::Head, row.no, head)?;
        turn_to(connection, world, row.no, head, revision)?;
        away::conversation_returns(connection, world, row.no, revision)?;
    }
    ConversationRow::by_no(connection, row.no)?.read(connection, world, &mut Circles::default())
}

/// Before the line that was said so many lines ago. Lines that were never shown count for nothing.
fn back(connection: &Connection, world: &WorldRow, head: Option<i64>, lines: usize) -> Result<Option<i64>> {
    let mut at = head;
    let mut left = lines;
    while left > 0 {
        let Some(number) = at else {
            return Err(Error::invalid(format!("there are only {} lines to go back", lines - left))
                .hint("GET …/lines shows the path; {\"line\":null} empties it")
                .into());
        };
        let node = node(connection, world, number)?;
        left -= usize::from(node.is_spoken && node.is_shown);
        at = if node.is_spoken { node.parent } else { node.spoken };
    }
    // Nor is one of them where a path would end.
    while let Some(number) = at.filter(|at| Some(*at) != head) {
        let node = node(connection, world, number)?;
        if !node.is_spoken || node.is_shown {
            break;
        }
        at = node.parent;
    }
    Ok(at)
}

pub(crate) fn check_belongs(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    line: u64,
) -> Result<()> {
    let belongs = connection
        .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND conversation = ?2 AND attribute IS NOT NULL")?
        .exists(params![world.line_key(line), row.no])?;
    if belongs {
        return Ok(());
    }
    Err(no_line_in(line, &row.id).into())
}

/// Says who is there when a scene begins; None: it has not begun, and nobody is. Logs nothing.
pub(crate) fn put_beginning(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    circle: Option<i64>,
) -> Result<()> {
    write_beginning(connection, world, conversation, circle)?;
    refresh(connection, world, conversation)
}

/// As `put_beginning`, for whoever refreshes the conversation later.
pub(crate) fn write_beginning(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    circle: Option<i64>,
) -> Result<()> {
    let circle = circle.map_or_else(|| circle::intern(connection, world.no, &[]), Ok)?;
    connection
        .prepare_cached("UPDATE conversation SET beginning = ?2 WHERE no = ?1")?
        .execute([conversation, circle])?;
    Ok(())
}

/// Says where the head stands, and nothing else.
pub(crate) fn write_head(connection: &Connection, conversation: i64, head: Option<i64>) -> Result<()> {
    connection
        .prepare_cached("UPDATE conversation SET head = ?2 WHERE no = ?1")?
        .execute(params![conversation, head])?;
    Ok(())
}

/// Puts the head somewhere else and brings all that depends on the path up to date. Where the head stands is not logged here.
pub(crate) fn turn_to(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    head: Option<i64>,
    revision: u64,
) -> Result<()> {
    let flipped = put_head(connection, world, conversation, head)?;
    standing::reshape(connection, world, &flipped, revision)?;
    living::lines_changed(connection, world, &flipped)?;
    backlog::settle(connection, world, conversation)
}

/// As `turn_to`, but what is remembered of the path is for the caller to bring up to date: these lines came or went.
pub(crate) fn put_head(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    head: Option<i64>,
) -> Result<Vec<i64>> {
    let row = ConversationRow::by_no(connection, conversation)?;
    let mut all_of_it = usize::MAX;
    let mut flipped = Vec::new();
    switch_path(connection, world, (row.head, head), &mut all_of_it, &mut flipped)?;
    write_head(connection, conversation, head)?;
    refresh(connection, world, conversation)?;
    Ok(flipped)
}

/// A way from one head to another that is not walked to its end, from both sides.
pub(crate) type Way = (Option<i64>, Option<i64>);

/// Flips what lies between two heads and their common ancestor, as many lines of it as are left to do, lists their keys, and
/// gives back the rest of the way. A parent's number is always smaller than its child's, so the greater of the two is never the ancestor.
pub(crate) fn switch_path(
    connection: &Connection,
    world: &WorldRow,
    (mut old, mut new): Way,
    left: &mut usize,
    flipped: &mut Vec<i64>,
) -> Result<Way> {
    // Not UPDATE … RETURNING: SQLite would keep a copy of every touched page per statement, for all of a long path.
    let mut look = connection.prepare_cached("SELECT parent FROM line WHERE id = ?1")?;
    let mut flip = connection.prepare_cached("UPDATE line SET active = ?2 WHERE id = ?1")?;
    let mut step = |number: i64, active: bool| -> Result<Option<i64>> {
        let key = world.line_key(number as u64);
        let parent: Option<i64> =
            look.query_row([key], |row| row.get(0)).optional()?.ok_or_else(|| missing_line(number))?;
        flip.execute(params![key, active])?;
        flipped.push(key);
        checked_parent(number, parent)
    };
    while old != new && *left > 0 {
        *left -= 1;
        match (old, new) {
            (Some(leaving), entering) if entering.is_none_or(|entering| leaving > entering) => {
                old = step(leaving, false)?;
            }
            (_, Some(entering)) => new = step(entering, true)?,
            (_, None) => break,
        }
    }
    Ok((old, new))
}

/// Derives again what a conversation's path decides: its members and its latest line, and the world's time.
pub(crate) fn refresh(connection: &Connection, world: &WorldRow, conversation: i64) -> Result<()> {
    let row = ConversationRow::by_no(connection, conversation)?;
    let mut members: BTreeSet<i64> = circle::members(connection, row.beginning)?.into_iter().collect();
    if row.is_scene() {
        let arrivals: Vec<i64> = connection
            .prepare_cached(
                "SELECT DISTINCT present FROM line WHERE conversation = ?1 AND arrival = 1 AND active = 1",
            )?
            .query_map([conversation], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for present in arrivals {
            members.extend(circle::members(connection, present)?);
        }
    }
    let members: Vec<i64> = members.into_iter().collect();
    let circle = circle::intern(connection, world.no, &members)?;
    let (at, latest) = match row.head {
        Some(head) => (node(connection, world, head)?.at, head),
        None => (Order::BEFORE_TIME, 0),
    };
    connection
        .prepare_cached("UPDATE conversation SET members = ?2, latest_at = ?3, latest = ?4 WHERE no = ?1")?
        .execute(params![conversation, circle, at, latest])?;
    recency::heat(connection, world.no, conversation)?;
    let time = recency::world_time(connection, world.no)?;
    connection
        .prepare_cached("UPDATE world SET time = ?2 WHERE no = ?1")?
        .execute(params![world.no, time])?;
    Ok(())
}

pub(crate) struct Node {
    pub(crate) parent: Option<i64>,
    pub(crate) at: i64,
    pub(crate) tick: Option<i64>,
    pub(crate) present: i64,
    pub(crate) is_spoken: bool,
    pub(crate) is_shown: bool,
    pub(crate) child: Option<i64>,
    pub(crate) said: i64,
    /// The nearest line at or above it.
    pub(crate) spoken: Option<i64>,
}

pub(crate) fn node(connection: &Connection, world: &WorldRow, number: i64) -> Result<Node> {
    let node = connection
        .prepare_cached(
            "SELECT parent, at, tick, present, attribute IS NOT NULL, child, said,
               iif(attribute IS NULL, spoken, id & 1099511627775), hidden & 2 = 0 FROM line WHERE id = ?1",
        )?
        .query_row([world.line_key(number as u64)], |row| {
            Ok(Node {
                parent: row.get(0)?,
                at: row.get(1)?,
                tick: row.get(2)?,
                present: row.get(3)?,
                is_spoken: row.get(4)?,
                child: row.get(5)?,
                said: row.get(6)?,
                spoken: row.get(7)?,
                is_shown: row.get(8)?,
            })
        })
        .optional()?
        .ok_or_else(|| missing_line(number))?;
    checked_parent(number, node.parent)?;
    checked_parent(number + 1, node.spoken)?;
    Ok(node)
}

pub(crate) struct Child {
    pub(crate) key: i64,
    pub(crate) witnesses: i64,
    pub(crate) is_spoken: bool,
    pub(crate) is_shown: bool,
}

/// The nodes below one, or below none: the one that is no fork, and the forks.
pub(crate) fn children(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    parent: Option<i64>,
) -> Result<Vec<Child>> {
    let children = connection
        .prepare_cached(
            "SELECT c.id, c.witnesses, c.attribute IS NOT NULL, c.hidden & 2 = 0 FROM line p JOIN line c ON c.id = ?1 + p.child
             WHERE p.id = ?1 + ?3
             UNION ALL
             SELECT id, witnesses, attribute IS NOT NULL, hidden & 2 = 0 FROM line
             WHERE conversation = ?2 AND parent IS ?3 AND fork = 1",
        )?
        .query_map(params![world.line_key(0), conversation, parent], |row| {
            let (key, witnesses) = (row.get(0)?, row.get(1)?);
            Ok(Child { key, witnesses, is_spoken: row.get(2)?, is_shown: row.get(3)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(children)
}

/// Makes a line its parent's child that is no fork; false if there is another.
pub(crate) fn continue_with(
    connection: &Connection,
    world: &WorldRow,
    parent: i64,
    child: i64,
) -> Result<bool> {
    let changed = connection
        .prepare_cached("UPDATE line SET child = ?2 WHERE id = ?1 AND child IS NULL")?
        .execute([world.line_key(parent as u64), child])?;
    Ok(changed > 0)
}

/// A parent that does not come before its child would make an endless walk.
pub(crate) fn checked_parent(number: i64, parent: Option<i64>) -> Result<Option<i64>> {
    if parent.is_some_and(|parent| parent >= number) {
        return Err(Error::new(Code::Corrupt, format!("line {number} stands in a cycle"))
            .hint("run `reverie doctor` and restore a backup")
            .into());
    }
    Ok(parent)
}
