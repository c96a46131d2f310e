//! How does a batch of lines enter a conversation?

use std::collections::BTreeSet;

use reverie_core::conversation::{Append, AppendKey, Appended, Attach, Conversation, ExpectedHead};
use reverie_core::{ConversationId, Error, Line, LineId, RoundId, Who};
use rusqlite::{Connection, OptionalExtension, params};

use crate::cast::Cast;
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::growth::Growth;
use crate::keepsake::{self, Place};
use crate::line;
use crate::refreshment;
use crate::round::joining;
use crate::timer;
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn append(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    append: Append,
) -> Result<Appended> {
    let row = ConversationRow::find(connection, world, id)?;
    if let Some(key) = &append.key
        && let Some(replayed) = replay(connection, world, &row, key)?
    {
        return Ok(replayed);
    }
    row.check_head(connection, world, append.expected_head)?;
    let ticks: Vec<Option<i64>> = append.lines.iter().map(|line| line.tick).collect();
    let parent = attach_to(connection, world, &row, append.attach)?;
    let mut going_on = Vec::new();
    for round in append.lines.iter().filter_map(|line| line.round).collect::<BTreeSet<RoundId>>() {
        going_on.extend(joining::check(connection, world, &row, parent, round)?);
    }
    let conversation = row.no;
    let mut growth = Growth::start(connection, world, row, parent, &ticks)?;
    growth.now_ms = append.now_ms;
    for round in &going_on {
        joining::go_on(connection, world, round, growth.revision)?;
    }
    let mut cast = Cast::at(connection, world, growth.revision);
    for line in &append.lines {
        growth.add(line, &mut cast)?;
    }
    if let Some(key) = &append.key {
        remember(connection, conversation, key, growth.first, append.lines.len(), growth.revision)?;
    }
    let tick_ran_back_from = ran_back_from(growth.world_time, &ticks);
    let grown = growth.finish()?;
    let revision = grown.revision;
    let lines = grown.lines(append.lines);
    if let (Some(timers), Some(last)) = (&append.lore_timers, lines.last()) {
        timer::put(connection, world, conversation, last.id, timers)?;
    }
    for (at, text) in &append.keepsakes {
        let line =
            lines.get(*at).ok_or_else(|| Error::invalid("something is kept of a line that is not there"))?;
        let place = Place::Line { key: world.line_key(line.id.get()), conversation };
        keepsake::insert(connection, world, &place, text)?;
    }
    if let Some(last) = lines.last() {
        refreshment::put(connection, world, last, &append.refreshed)?;
    }
    Ok(Appended {
        head: lines.last().map(|line| line.id),
        lines,
        revision,
        replayed: false,
        tick_ran_back_from,
    })
}

/// The time before the first tick that runs back, whether an older line or one of the same batch reached it.
fn ran_back_from(world_time: Option<i64>, ticks: &[Option<i64>]) -> Option<i64> {
    let mut time = world_time;
    for tick in ticks.iter().flatten() {
        if time.is_some_and(|time| *tick < time) {
            return time;
        }
        time = Some(*tick);
    }
    None
}

/// Says who is there from now on, as a node of the tree.
pub(crate) fn set_present(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    present: &[Who],
    expected: ExpectedHead,
) -> Result<Conversation> {
    let row = ConversationRow::find(connection, world, id)?;
    row.check_head(connection, world, expected)?;
    if !row.is_scene() {
        return Err(Error::invalid(format!("the participants of conversation {id:?} never change"))
            .hint("another set is another conversation; use a named scene where people come and go")
            .into());
    }
    let mut cast = Cast::new(connection, world);
    let persons = cast.persons(present)?;
    let circle = circle::intern(connection, world.no, &persons)?;
    if circle != row.present(connection, world)? {
        let head = row.head;
        let mut growth = Growth::start(connection, world, row, head, &[None])?;
        growth.turn(circle)?;
        growth.finish()?;
    } else if cast.has_written() {
        world.bump(connection)?;
    }
    let row = ConversationRow::find(connection, world, id)?;
    row.read(connection, world, &mut Circles::default())
}

pub(crate) fn attach_to(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    attach: Attach,
) -> Result<Option<i64>> {
    match attach {
        Attach::Head => Ok(row.head),
        Attach::Root => Ok(None),
        // Behind the newest line means behind whoever came or went after it, too.
        Attach::Behind(line) if row.spoken_head(connection, world)? == Some(line) => Ok(row.head),
        Attach::Behind(line) => {
            tree::check_belongs(connection, world, row, line.get())?;
            Ok(Some(line.get() as i64))
        }
        Attach::Beside(line) => {
            tree::check_belongs(connection, world, row, line.get())?;
            Ok(tree::node(connection, world, line.get() as i64)?.parent)
        }
    }
}

fn replay(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    key: &AppendKey,
) -> Result<Option<Appended>> {
    let used: Option<(Vec<u8>, u64, u64, u64)> = connection
        .prepare_cached(
            "SELECT digest, first, count, revision FROM append_key WHERE conversation = ?1 AND key = ?2",
        )?
        .query_row(params![row.no, key.key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((digest, first, count, revision)) = used else { return Ok(None) };
    if digest != key.digest {
        return Err(Error::conflict(format!("the key {:?} was used for other lines", key.key))
            .hint("a key stands for one batch for ever: choose a new one for new lines")
            .into());
    }
    Ok(Some(Appended {
        lines: read_batch(connection, world, row, first, count)?,
        head: row.spoken_head(connection, world)?,
        revision,
        replayed: true,
        tick_ran_back_from: None,
    }))
}

/// Leaves a mark where a line with a host id was, under the revision that recorded it: it goes wherever the line would.
pub(crate) fn remember_erased(
    connection: &Connection,
    conversation: i64,
    host_id: &str,
    number: i64,
    revision: i64,
) -> Result<()> {
    let AppendKey { key, digest } = AppendKey::of_erased(host_id);
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO append_key (conversation, key, digest, first, count, revision)
             VALUES (?1, ?2, ?3, ?4, 1, ?5)",
        )?
        .execute(params![conversation, key, digest, number, revision])?;
    Ok(())
}

pub(crate) fn erased_host_ids(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    host_ids: &[String],
) -> Result<Vec<String>> {
    let row = ConversationRow::find(connection, world, id)?;
    let mut statement = connection
        .prepare_cached("SELECT 1 FROM append_key WHERE conversation = ?1 AND key = ?2 AND digest = ?3")?;
    let mut erased = Vec::new();
    for host_id in host_ids {
        let AppendKey { key, digest } = AppendKey::of_erased(host_id);
        if statement.exists(params![row.no, key, digest])? {
            erased.push(host_id.clone());
        }
    }
    Ok(erased)
}

fn remember(
    connection: &Connection,
    conversation: i64,
    key: &AppendKey,
    first: u64,
    count: usize,
    revision: u64,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO append_key (conversation, key, digest, first, count, revision) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![conversation, key.key, key.digest, first, count as i64, revision])?;
    Ok(())
}

/// What is left of a batch. How much that is, the lines say, not the number that was written down with the key.
fn read_batch(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    first: u64,
    count: u64,
) -> Result<Vec<Line>> {
    let last = first.saturating_add(count).min(LineId::LIMIT).saturating_sub(1);
    line::of_range(connection, (world.line_key(first), world.line_key(last)), row)
}
