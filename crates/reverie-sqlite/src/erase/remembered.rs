//! What was remembered of lines and people that go?

use std::collections::{BTreeSet, HashMap};

use reverie_core::memories::{Committed, Effect, HeldQuery, NewMemory, WhichHeld};
use reverie_core::memory::Held;
use reverie_core::{MemoryId, digest};
use rusqlite::{Connection, params};

use crate::backlog;
use crate::circle;
use crate::commit;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::held;
use crate::holding::{self, Course};
use crate::living;
use crate::log::Kind;
use crate::memory;
use crate::mind;
use crate::round::found::{self, undigest};
use crate::world::{Revision, WorldRow};

/// Before lines go, whatever was made of them goes. What is left of their rounds is to be remembered anew.
pub(super) fn forget_lines(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    numbers: &[i64],
    revision: u64,
) -> Result<()> {
    let gone: BTreeSet<i64> = numbers.iter().copied().collect();
    found::let_go(connection, world, conversation, &gone, revision)?;
    let keys: Vec<i64> = numbers.iter().map(|number| world.line_key(*number as u64)).collect();
    memory::erase(connection, world, living::made_of(connection, world, &keys)?)
}

/// What holders decided about the memories of these lines, before they go.
pub(super) fn decided_about_lines(
    connection: &Connection,
    world: &WorldRow,
    numbers: &[i64],
) -> Result<Vec<Decided>> {
    let keys: Vec<i64> = numbers.iter().map(|number| world.line_key(*number as u64)).collect();
    decided_about(connection, world, &living::made_of(connection, world, &keys)?)
}

/// A memory about which its holder decided something, and how that came.
pub(super) struct Decided {
    pub(super) held: Held,
    course: Course,
}

fn decided_about(
    connection: &Connection,
    world: &WorldRow,
    memories: &BTreeSet<i64>,
) -> Result<Vec<Decided>> {
    let mut decided = Vec::new();
    for held in held::decided(connection, memories)? {
        let Some(row) = holding::find(connection, world, held.memory.id, &held.holder)? else { continue };
        decided.push(Decided { course: Course::read(connection, world, &row)?, held });
    }
    Ok(decided)
}

/// What is left of rounds about which somebody had decided something is remembered at once, so that nobody else remembers it first, as
/// if nothing had been decided.
pub(super) fn remember_anew(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    decided: &[Decided],
    revision: u64,
) -> Result<()> {
    if decided.is_empty() {
        return Ok(());
    }
    let erased: Vec<Held> = decided.iter().map(|one| one.held.clone()).collect();
    let id = ConversationRow::by_no(connection, conversation)?.id;
    let backlog = backlog::read(connection, world, &id, usize::MAX)?;
    let lines = backlog.lines.iter().map(|line| line.line.id).collect();
    let query = HeldQuery { all: true, limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::From(lines)) };
    let known = held::held(connection, world, &query)?;
    let commit = digest::remember_anew(&backlog, &known, &erased);
    if commit.effects.is_empty() {
        return Ok(());
    }
    let done = commit::commit_as(connection, world, &commit, Revision::of(connection, world, revision))?;
    let Committed::Done { memories, .. } = done else { return Ok(()) };
    let made = commit.effects.iter().filter_map(|effect| match effect {
        Effect::Remember(new) => Some(new),
        _ => None,
    });
    for (new, id) in made.zip(memories) {
        for (holder, _) in &new.holders {
            let Some(before) = digest::predecessor(new, holder, &erased) else { continue };
            let is_it = |one: &&Decided| one.held.place() == before.place();
            let Some(before) = decided.iter().find(is_it) else { continue };
            go_on_from(connection, world, new, id, before, revision)?;
        }
    }
    Ok(())
}

/// What is left of a memory is to its holder what that was, at every revision before: a checkpoint that is older than the loss of a line
/// must not bring back what was forgotten then.
fn go_on_from(
    connection: &Connection,
    world: &WorldRow,
    new: &NewMemory,
    id: MemoryId,
    before: &Decided,
    revision: u64,
) -> Result<()> {
    let Some(row) = holding::find(connection, world, id, &before.held.holder)? else { return Ok(()) };
    let has_a_past = connection
        .prepare_cached(
            "SELECT 1 FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3 AND revision <> ?4",
        )?
        .exists(params![world.no, Kind::Holding as i64, row.no, revision])?;
    // It was there already, and has a past of its own.
    if has_a_past || row.version != Some(0) {
        return Ok(());
    }
    before.course.precede(connection, world, row.no, revision, |state| digest::as_before(new, state))?;
    connection
        .prepare_cached("UPDATE memory SET revision = min(revision, ?2) WHERE id = ?1")?
        .execute(params![world.key(id.get()), before.held.memory.revision])?;
    Ok(())
}

/// Before a person goes: all that they remember, what was derived from what was said before them, and their names in rounds. Gives back
/// the conversations in which something is to be remembered anew, and what others had decided about that.
pub(super) fn forget_person(
    connection: &Connection,
    world: &WorldRow,
    person: i64,
    revision: u64,
) -> Result<(BTreeSet<i64>, Vec<Decided>)> {
    let mut stirred = BTreeSet::new();
    for round in rounds_with(connection, world, person)? {
        undigest(connection, world, round, revision)?;
        let of = connection
            .prepare_cached("SELECT conversation FROM round WHERE id = ?1")?
            .query_row([round], |row| row.get(0))?;
        stirred.insert(of);
    }
    connection.prepare_cached("DELETE FROM round_person WHERE character = ?1")?.execute([person])?;
    let numbers = |sql: &str| -> Result<Vec<i64>> {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map([person], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    };
    let derived: BTreeSet<i64> = numbers(DERIVED_ABOUT)?.into_iter().collect();
    let decided = decided_about(connection, world, &derived)?;
    memory::erase(connection, world, derived)?;
    mind::no_longer_about(connection, person)?;
    connection.prepare_cached("DELETE FROM memory_about WHERE character = ?1")?.execute([person])?;
    let had = numbers("SELECT memory FROM holding WHERE holder = ?1")?;
    for holding in numbers("SELECT no FROM holding WHERE holder = ?1")? {
        memory::erase_holding(connection, world, holding)?;
    }
    let mut held = connection.prepare_cached("SELECT 1 FROM holding WHERE memory = ?1")?;
    let mut nobodys = BTreeSet::new();
    for memory in had {
        if !held.exists([memory])? {
            nobodys.insert(memory);
        }
    }
    memory::erase(connection, world, nobodys)?;
    Ok((stirred, decided))
}

/// Whatever is about somebody and can be derived again without them: rounds and summaries, and statements of lines that were said before
/// them. What a model made of other people's talk behind their back is other people's.
const DERIVED_ABOUT: &str = "SELECT a.memory FROM memory_about a JOIN memory m ON m.id = a.memory
     WHERE a.character = ?1 AND (m.origin IN ('round', 'day', 'era') OR (m.origin = 'statement' AND EXISTS
       (SELECT 1 FROM memory_source s JOIN line l ON l.id = s.line WHERE s.memory = m.id AND (EXISTS
         (SELECT 1 FROM circle_member p
          WHERE p.circle = iif(l.round IS NULL, l.present, l.witnesses) AND p.character = ?1)
        OR EXISTS (SELECT 1 FROM round_person r
          WHERE r.round = (l.id & ~1099511627775) + l.round AND r.character = ?1)))))";

/// The rounds in which somebody took part: was listed, present, heard or spoke.
fn rounds_with(connection: &Connection, world: &WorldRow, person: i64) -> Result<BTreeSet<i64>> {
    let mut rounds: BTreeSet<i64> = connection
        .prepare_cached("SELECT round FROM round_person WHERE character = ?1")?
        .query_map([person], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let (low, high) = world.keys();
    let mut was_there = connection.prepare_cached(
        "SELECT DISTINCT round FROM line WHERE id BETWEEN ?2 AND ?3 AND round IS NOT NULL
           AND (speaker = ?1 OR EXISTS (SELECT 1 FROM circle_member p WHERE p.circle = witnesses AND p.character = ?1))",
    )?;
    for round in was_there.query_map([person, low, high], |row| row.get::<_, i64>(0))? {
        rounds.insert(world.key(round? as u64));
    }
    let mut is_in: HashMap<i64, bool> = HashMap::new();
    for round in found::all(connection, world)? {
        for line in found::lines(connection, world, &round)? {
            let is_present = match is_in.get(&line.present) {
                Some(is_in) => *is_in,
                None => {
                    let contains = circle::contains(connection, line.present, person)?;
                    is_in.insert(line.present, contains);
                    contains
                }
            };
            let is_listed = line.round.is_some_and(|round| rounds.contains(&world.key(round as u64)));
            if is_present || is_listed || line.speaker == Some(person) {
                rounds.insert(round.key);
                break;
            }
        }
    }
    Ok(rounds)
}
