//! What goes when something is deleted for good?

mod remembered;

use std::collections::{BTreeMap, HashMap};

use reverie_core::character::{ERASED_PREFIX, is_erased};
use reverie_core::line::no_line;
use reverie_core::store::Erase;
use reverie_core::{CharacterId, CheckpointId, Error, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::append;
use crate::backlog;
use crate::conversation::missing_line;
use crate::error::Result;
use crate::job;
use crate::keepsake;
use crate::link;
use crate::log::{self, Kind};
use crate::mind;
use crate::reading::number_of;
use crate::staged;
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn erase(connection: &Connection, world: &WorldRow, what: &Erase) -> Result<()> {
    match what {
        Erase::World => erase_world(connection, world),
        Erase::Character(id) => erase_character(connection, world, id),
        Erase::Line(line) => {
            let conversation = conversation_of(connection, world, *line)?;
            let revision = world.bump(connection)?;
            job::forget(connection, world, None)?;
            let number = line.get() as i64;
            let decided = remembered::decided_about_lines(connection, world, &[number])?;
            remembered::forget_lines(connection, world, conversation, &[number], revision)?;
            cut_out(connection, world, conversation, &[number])?;
            tree::refresh(connection, world, conversation)?;
            backlog::settle(connection, world, conversation)?;
            remembered::remember_anew(connection, world, conversation, &decided, revision)
        }
        Erase::Checkpoint(id) => erase_checkpoint(connection, world, id),
    }
}

pub(crate) fn erase_world(connection: &Connection, world: &WorldRow) -> Result<()> {
    let (low, high) = world.keys();
    for table in ["refreshed WHERE holding", "holding_version WHERE holding"] {
        let sql = format!("DELETE FROM {table} IN (SELECT no FROM holding WHERE memory BETWEEN ?1 AND ?2)");
        connection.execute(&sql, [low, high])?;
    }
    for table in [
        "memory_vector WHERE memory",
        "holding WHERE memory",
        "memory_source WHERE memory",
        "memory_part WHERE memory",
        "memory_about WHERE memory",
        "memory WHERE id",
        "round_person WHERE round",
        "round WHERE id",
        "line_keepsake WHERE line",
        "forgotten WHERE line",
        "lore_timers WHERE line",
        "line_version WHERE line",
        "line WHERE id",
    ] {
        connection.execute(&format!("DELETE FROM {table} BETWEEN ?1 AND ?2"), [low, high])?;
    }
    for table in ["stream", "seat", "append_key", "conversation_keepsake"] {
        let sql = format!(
            "DELETE FROM {table} WHERE conversation IN (SELECT no FROM conversation WHERE world = ?1)"
        );
        connection.execute(&sql, [world.no])?;
    }
    connection
        .execute("DELETE FROM rank WHERE a IN (SELECT no FROM character WHERE world = ?1)", [world.no])?;
    connection.execute(
        "DELETE FROM circle_member WHERE circle IN (SELECT no FROM circle WHERE world = ?1)",
        [world.no],
    )?;
    connection.execute(
        "DELETE FROM character_version WHERE character IN (SELECT no FROM character WHERE world = ?1)",
        [world.no],
    )?;
    for table in [
        "job_reject",
        "job_holder",
        "job",
        "world_keepsake",
        "link",
        "circle",
        "alias",
        "other_name",
        "character",
        "conversation",
        "checkpoint",
        "change",
        "setting",
    ] {
        connection.execute(&format!("DELETE FROM {table} WHERE world = ?1"), [world.no])?;
    }
    connection.execute("DELETE FROM mind_change WHERE memory BETWEEN ?1 AND ?2", [low, high])?;
    mind::begin_anew(connection)?;
    staged::remove(connection, world.no)?;
    connection.execute("DELETE FROM world WHERE no = ?1", [world.no])?;
    Ok(())
}

/// A person's own words and whatever tells who they were go; in other people's lines a number stays behind.
fn erase_character(connection: &Connection, world: &WorldRow, id: &CharacterId) -> Result<()> {
    let no = number_of(connection, world, id)?
        .filter(|_| !is_erased(id))
        .ok_or_else(|| Error::not_found(format!("there is no character {id:?}")))?;
    let revision = world.bump(connection)?;
    job::forget(connection, world, Some(id))?;
    let said: Vec<(i64, i64)> = connection
        .prepare_cached(
            "SELECT conversation, id & 1099511627775 FROM line WHERE id BETWEEN ?2 AND ?3 AND speaker = ?1 ORDER BY id",
        )?
        .query_map([no, world.line_key(0), world.line_key(LineId::LIMIT - 1)], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let numbers: Vec<i64> = said.iter().map(|(_, number)| *number).collect();
    let mut decided = remembered::decided_about_lines(connection, world, &numbers)?;
    let (mut stirred, others) = remembered::forget_person(connection, world, no, revision)?;
    decided.extend(others);
    decided.retain(|one| one.held.holder != *id);
    let mut by_conversation: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (conversation, number) in said {
        by_conversation.entry(conversation).or_default().push(number);
    }
    for (conversation, numbers) in by_conversation {
        remembered::forget_lines(connection, world, conversation, &numbers, revision)?;
        cut_out(connection, world, conversation, &numbers)?;
        tree::refresh(connection, world, conversation)?;
        stirred.insert(conversation);
    }
    for conversation in &stirred {
        backlog::settle(connection, world, *conversation)?;
    }
    link::drop_character(connection, world, no)?;
    keepsake::forget_person(connection, world, no)?;
    connection.execute("DELETE FROM alias WHERE character = ?1", [no])?;
    connection.execute("DELETE FROM other_name WHERE character = ?1", [no])?;
    connection.execute("DELETE FROM character_version WHERE character = ?1", [no])?;
    connection.execute(
        "DELETE FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3",
        params![world.no, Kind::Card as i64, no],
    )?;
    connection.execute(
        "UPDATE character SET id = ?2, version = 0, display_name = NULL, aliases = NULL, persona = NULL, tags = NULL, card = NULL, erased = 1 WHERE no = ?1",
        params![no, nobody(connection, world)?.as_str()],
    )?;
    // Not before the name is gone.
    stirred.into_iter().try_for_each(|conversation| {
        remembered::remember_anew(connection, world, conversation, &decided, revision)
    })
}

/// An id that tells nothing and that nobody in this world has; an imported world brings such ids along.
fn nobody(connection: &Connection, world: &WorldRow) -> Result<CharacterId> {
    let mut number: u64 = connection
        .prepare_cached("SELECT count(*) + 1 FROM character WHERE world = ?1 AND erased = 1")?
        .query_row([world.no], |row| row.get(0))?;
    loop {
        let id = CharacterId::new(&format!("{ERASED_PREFIX}{number}"))?;
        if number_of(connection, world, &id)?.is_none() {
            return Ok(id);
        }
        number += 1;
    }
}

fn erase_checkpoint(connection: &Connection, world: &WorldRow, id: &CheckpointId) -> Result<()> {
    log::find(connection, world, id)?;
    connection
        .execute("DELETE FROM checkpoint WHERE world = ?1 AND id = ?2", params![world.no, id.as_str()])?;
    Ok(())
}

fn conversation_of(connection: &Connection, world: &WorldRow, line: LineId) -> Result<i64> {
    let found: Option<i64> = connection
        .prepare_cached("SELECT conversation FROM line WHERE id = ?1 AND attribute IS NOT NULL")?
        .query_row([world.line_key(line.get())], |row| row.get(0))
        .optional()?;
    Ok(found.ok_or_else(|| no_line(line))?)
}

/// Takes lines (in the order of recording) out of their tree: their children, and every head that ever stood on one of
/// them, move up to the next line above that stays.
fn cut_out(connection: &Connection, world: &WorldRow, conversation: i64, numbers: &[i64]) -> Result<()> {
    let mut moved: HashMap<i64, Option<i64>> = HashMap::with_capacity(numbers.len());
    let mut since = i64::MAX;
    for number in numbers {
        let (parent, revision) = cut_out_one(connection, world, conversation, *number)?;
        moved.insert(*number, parent);
        since = since.min(revision);
    }
    let head: Option<i64> = connection
        .prepare_cached("SELECT head FROM conversation WHERE no = ?1")?
        .query_row([conversation], |row| row.get(0))?;
    if let Some(parent) = head.and_then(|head| moved.get(&head)) {
        connection
            .prepare_cached("UPDATE conversation SET head = ?2 WHERE no = ?1")?
            .execute(params![conversation, parent])?;
    }
    let heads: Vec<(i64, i64)> = connection
        .prepare_cached(
            "SELECT revision, value FROM change
             WHERE world = ?1 AND kind = ?2 AND subject = ?3 AND revision >= ?4 AND value IS NOT NULL",
        )?
        .query_map(params![world.no, Kind::Head as i64, conversation, since], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    for (revision, head) in heads {
        if let Some(parent) = moved.get(&head) {
            log::set(connection, world.no, revision as u64, Kind::Head, conversation, *parent)?;
        }
    }
    Ok(())
}

/// What must be known of a line that goes.
struct Cut {
    parent: Option<i64>,
    child: Option<i64>,
    fork: bool,
    present: i64,
    arrival: bool,
    revision: i64,
    host_id: Option<String>,
}

impl Cut {
    fn read(connection: &Connection, key: i64) -> Result<Option<Self>> {
        let cut = connection
            .prepare_cached(
                "SELECT parent, child, fork, present, arrival, revision, host_id FROM line WHERE id = ?1",
            )?
            .query_row([key], |row| {
                Ok(Self {
                    parent: row.get(0)?,
                    child: row.get(1)?,
                    fork: row.get(2)?,
                    present: row.get(3)?,
                    arrival: row.get(4)?,
                    revision: row.get(5)?,
                    host_id: row.get(6)?,
                })
            });
        Ok(cut.optional()?)
    }
}

/// The parent, at which those below now hang, and the revision that recorded the line.
fn cut_out_one(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    number: i64,
) -> Result<(Option<i64>, i64)> {
    let key = world.line_key(number as u64);
    let cut = Cut::read(connection, key)?.ok_or_else(|| missing_line(number))?;
    let Cut { parent, child, fork, present, arrival, revision, host_id } = cut;
    if let Some(host_id) = host_id {
        append::remember_erased(connection, conversation, &host_id, number, revision)?;
    }
    let mut arrive = connection
        .prepare_cached("UPDATE line SET arrival = 1 WHERE id = ?1 AND present = ?2 AND arrival = 0")?;
    let mut hang = connection.prepare_cached("UPDATE line SET parent = ?2 WHERE id = ?1")?;
    for below in tree::children(connection, world, conversation, Some(number))? {
        if arrival {
            // Somebody came with this line; its children keep who is there, so they carry the arrival now.
            arrive.execute([below.key, present])?;
        }
        hang.execute(params![below.key, parent])?;
    }
    // Whoever came or went right after it did so after the line above, now.
    let above = match parent {
        Some(parent) => tree::node(connection, world, parent)?.spoken,
        None => None,
    };
    connection
        .prepare_cached(
            "UPDATE line SET spoken = ?3 WHERE conversation = ?1 AND spoken = ?2 AND attribute IS NULL",
        )?
        .execute(params![conversation, number, above])?;
    // The child takes the place that the line had beside its siblings.
    if let Some(child) = child {
        connection
            .prepare_cached("UPDATE line SET fork = ?2 WHERE id = ?1")?
            .execute(params![world.line_key(child as u64), fork])?;
    }
    if let Some(parent) = parent.filter(|_| !fork) {
        connection
            .prepare_cached("UPDATE line SET child = ?2 WHERE id = ?1")?
            .execute(params![world.line_key(parent as u64), child])?;
    }
    for kind in [Kind::Wording, Kind::Hidden, Kind::Unshown, Kind::Forgotten] {
        connection
            .prepare_cached("DELETE FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3")?
            .execute(params![world.no, kind as i64, number])?;
    }
    connection.prepare_cached("DELETE FROM refreshed WHERE line = ?1")?.execute([key])?;
    connection.prepare_cached("DELETE FROM forgotten WHERE line = ?1")?.execute([key])?;
    connection.prepare_cached("DELETE FROM lore_timers WHERE line = ?1")?.execute([key])?;
    connection.prepare_cached("DELETE FROM line_keepsake WHERE line = ?1")?.execute([key])?;
    connection.prepare_cached("DELETE FROM line_version WHERE line = ?1")?.execute([key])?;
    connection.prepare_cached("DELETE FROM line WHERE id = ?1")?.execute([key])?;
    Ok((parent, revision))
}
