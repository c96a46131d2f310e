//! Who is there when a round opens?

use reverie_core::round::{OpenRound, Round, RoundState};
use reverie_core::{ConversationId, Error, Who};
use rusqlite::{Connection, params};

use super::RoundRow;
use crate::away;
use crate::cast::Cast;
use crate::character;
use crate::circle;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::growth::Growth;
use crate::log::{self, Kind};
use crate::world::WorldRow;

/// Somebody who is there, by number, and the name of the moment.
type Person = (i64, Option<String>);

/// See [`reverie_core::Memories::open_round`].
pub(crate) fn open(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    open: &OpenRound,
) -> Result<Round> {
    let row = ConversationRow::find(connection, world, id)?;
    let (conversation, is_away) = (row.no, row.is_away);
    let (people, revision) = match &open.present {
        None => (present(connection, world, &row)?, world.bump(connection)?),
        Some(given) => {
            let people = meet(&mut Cast::new(connection, world), given)?;
            let revision = match row.is_scene() {
                true => gather(connection, world, row, &people)?,
                false => {
                    check_participants(connection, &row, &people)?;
                    world.bump(connection)?
                }
            };
            (people, revision)
        }
    };
    if is_away {
        away::conversation_returns(connection, world, conversation, revision)?;
    }
    let round = RoundRow {
        key: super::fresh_key(connection, world)?,
        conversation,
        is_explicit: true,
        state: Some(RoundState::Open),
        opened_ms: open.now_ms,
        first: None,
        last: None,
        ending: None,
        ends_at: None,
        settled: 0,
    };
    super::insert(connection, &round, revision)?;
    // Whoever was deleted is nobody to remember anything.
    let mut alive = Vec::with_capacity(people.len());
    for person in people {
        if !character::is_gone(connection, person.0)? {
            alive.push(person);
        }
    }
    write_people(connection, round.key, &alive)?;
    let state = Some(super::state_number(RoundState::Open));
    log::set(connection, world.no, revision, Kind::Round, round.number(), state)?;
    round.read(connection)
}

/// In the order given, each once, narrators left out. The host's own name for somebody wins.
fn meet(cast: &mut Cast<'_>, given: &[Who]) -> Result<Vec<Person>> {
    let mut people: Vec<Person> = Vec::with_capacity(given.len());
    for who in given {
        let known = cast.get(who)?;
        if known.is_narrator || people.iter().any(|(no, _)| *no == known.no) {
            continue;
        }
        people.push((known.no, who.called().map(str::to_owned).or(known.label)));
    }
    Ok(people)
}

/// Those in the conversation now, in the order of their ids.
fn present(connection: &Connection, world: &WorldRow, row: &ConversationRow) -> Result<Vec<Person>> {
    let circle = row.present(connection, world)?;
    let mut statement = connection.prepare_cached(
        "SELECT c.no, c.display_name FROM circle_member m JOIN character c ON c.no = m.character
         WHERE m.circle = ?1 ORDER BY c.id",
    )?;
    let people = statement
        .query_map([circle], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(people)
}

/// In a scene these are there from now on. The revision of that, or a new one if they were there already.
fn gather(connection: &Connection, world: &WorldRow, row: ConversationRow, people: &[Person]) -> Result<u64> {
    let numbers: Vec<i64> = people.iter().map(|(no, _)| *no).collect();
    let circle = circle::intern(connection, world.no, &numbers)?;
    if circle == row.present(connection, world)? {
        return world.bump(connection);
    }
    let head = row.head;
    let mut growth = Growth::start(connection, world, row, head, &[None])?;
    let revision = growth.revision;
    growth.turn(circle)?;
    growth.finish()?;
    Ok(revision)
}

fn check_participants(connection: &Connection, row: &ConversationRow, people: &[Person]) -> Result<()> {
    for (person, _) in people {
        if !circle::contains(connection, row.beginning, *person)? {
            return Err(Error::invalid(format!(
                "not everybody in this round is a participant of conversation {:?}",
                row.id
            ))
            .hint("another set is another conversation; use a named scene where people come and go")
            .into());
        }
    }
    Ok(())
}

pub(crate) fn write_people(connection: &Connection, round: i64, people: &[Person]) -> Result<()> {
    let mut insert = connection
        .prepare_cached("INSERT INTO round_person (round, place, character, name) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, (character, name)) in people.iter().enumerate() {
        insert.execute(params![round, place as i64, character, name])?;
    }
    Ok(())
}
