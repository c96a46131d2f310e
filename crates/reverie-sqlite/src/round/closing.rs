//! What was shown of a round when it ended, and what becomes of the rest?

use reverie_core::round::{CloseRound, Ending, Round, RoundState};
use reverie_core::{Attribute, Error, RoundId};
use rusqlite::{Connection, params};

use super::found::Posted;
use super::{RoundRow, found, standing};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line::{self, Veil};
use crate::log::{self, Kind};
use crate::world::WorldRow;
use crate::{backlog, living, tree};

/// A line of a round, on whatever branch.
struct Said {
    number: i64,
    attribute: Attribute,
    is_shown: bool,
}

/// See [`reverie_core::Memories::close_round`].
pub(crate) fn close(
    connection: &Connection,
    world: &WorldRow,
    id: RoundId,
    close: &CloseRound,
) -> Result<Round> {
    let round = RoundRow::find(connection, world, id)?;
    let lines = lines(connection, world, &round)?;
    let shown = close.shown_through.map(|shown| shown.get() as i64);
    if shown.is_some_and(|shown| !lines.iter().any(|line| line.number == shown)) {
        return Err(Error::invalid(format!("what was shown last is no line of round {id}"))
            .hint("shown_through names a line that was recorded with this round")
            .into());
    }
    // What an earlier end settled stays as it is.
    let is_judged = |line: &&Said| line.number > round.settled;
    if round.state != Some(RoundState::Open) {
        let is_same = round.ending == Some(close.ending)
            && lines.iter().filter(is_judged).all(|line| line.is_shown == stays(line, close));
        return if is_same { round.read(connection) } else { Err(over(id)) };
    }
    let revision = world.bump(connection)?;
    let mut gone = Vec::new();
    for line in lines.iter().filter(is_judged).filter(|line| !stays(line, close)) {
        let key = world.line_key(line.number as u64);
        gone.push(key);
        if line.is_shown {
            line::apply_veil(connection, key, Veil::Unshown, true)?;
            log::set(connection, world.no, revision, Kind::Unshown, line.number, Some(1))?;
        }
    }
    connection
        .prepare_cached("UPDATE round SET ending = ?2 WHERE id = ?1")?
        .execute(params![round.key, super::ending_number(close.ending)])?;
    standing::end(connection, world, &round)?;
    super::set_state(connection, world, round.key, RoundState::Closed, revision)?;
    standing::uncover(connection, world, id, revision)?;
    step_back(connection, world, &round, revision)?;
    living::lines_changed(connection, world, &gone)?;
    backlog::settle(connection, world, round.conversation)?;
    RoundRow::find(connection, world, id)?.read(connection)
}

fn over(id: RoundId) -> crate::error::Error {
    Error::conflict(format!("round {id} is over, and ended differently"))
        .hint("a round ends once: read it, and open a new one for what comes next")
        .into()
}

fn lines(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<Vec<Said>> {
    if !round.is_explicit {
        let found = found::lines(connection, world, round)?.into_iter();
        let said =
            |line: Posted| Said { number: line.number, attribute: Attribute::User, is_shown: line.is_shown };
        return Ok(found.map(said).collect());
    }
    let mut statement = connection.prepare_cached(
        "SELECT id & 1099511627775, attribute, hidden & 2 = 0 FROM line
         WHERE conversation = ?1 AND round = ?2 ORDER BY id",
    )?;
    let mut rows = statement.query([round.conversation, round.number()])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let attribute: String = row.get(1)?;
        let attribute = Attribute::from_name(&attribute)?;
        lines.push(Said { number: row.get(0)?, attribute, is_shown: row.get(2)? });
    }
    Ok(lines)
}

/// Whether a line counts as shown. Numbers are in the order of every path.
fn stays(line: &Said, close: &CloseRound) -> bool {
    match (close.shown_through, close.ending) {
        (Some(shown), _) => line.number <= shown.get() as i64,
        (None, Ending::Complete) => true,
        (None, Ending::Aborted) => matches!(line.attribute, Attribute::User | Attribute::System),
    }
}

/// Where the path ends in lines of the round that nobody saw, the head moves before them. Whoever came or went among them did
/// so unseen; whoever did before them stays.
fn step_back(connection: &Connection, world: &WorldRow, round: &RoundRow, revision: u64) -> Result<()> {
    let head = ConversationRow::by_no(connection, round.conversation)?.head;
    let mut look = connection.prepare_cached(
        "SELECT parent, attribute IS NULL, round IS ?2 AND hidden & 2 <> 0 FROM line WHERE id = ?1",
    )?;
    let (mut at, mut new_head) = (head, head);
    while let Some(number) = at {
        let (parent, is_turn, is_unseen): (Option<i64>, bool, bool) = look
            .query_row([world.line_key(number as u64), round.number()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        if !is_turn && !is_unseen {
            break;
        }
        at = tree::checked_parent(number, parent)?;
        if is_unseen {
            new_head = at;
        }
    }
    if new_head == head {
        return Ok(());
    }
    log::set(connection, world.no, revision, Kind::Head, round.conversation, new_head)?;
    tree::turn_to(connection, world, round.conversation, new_head, revision)
}
