//! What did these people say among themselves, and what with others around: found at the cost of what is returned?

use std::collections::HashMap;

use reverie_core::history::{History, HistoryQuery};
use reverie_core::{ConversationId, Line};
use rusqlite::{Connection, OptionalExtension};

use crate::candidates::{Allowance, Candidate, Lead, Want, Which, candidates};
use crate::cast::Cast;
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::merge::{Found, Stop, View, merge};
use crate::reading::number_of;
use crate::world::WorldRow;

pub(crate) fn history(connection: &Connection, world: &WorldRow, query: &HistoryQuery) -> Result<History> {
    let viewer = match &query.witness {
        Some(witness) => number_of(connection, world, witness)?,
        None => None,
    };
    let also = granted(connection, world, &query.also, viewer, query.limit)?;
    let cast = Cast::new(connection, world);
    let Some(participants) = cast.known_persons(&query.participants)? else {
        return Ok(History { also, ..History::default() });
    };
    if query.witness.is_some() && viewer.is_none() {
        return Ok(History { also, ..History::default() });
    }
    let witnesses: Vec<i64> = viewer.into_iter().collect();
    let newest = |which| {
        let want = Want { participants: &participants, which, witnesses: &witnesses, except: None };
        let found = newest_lines(connection, world, &want, None, Stop::after(query.limit))?;
        load(connection, found.lines)
    };
    Ok(History { primary: newest(Which::Exactly)?, ancillary: newest(Which::WithOthers)?, also })
}

/// Entries of an index that the first search may read.
const FIRST_ALLOWANCE: usize = 32;

/// The newest lines of what is wanted, and of one more conversation, whoever takes part in it.
pub(crate) fn newest_lines(
    connection: &Connection,
    world: &WorldRow,
    want: &Want<'_>,
    own: Option<Candidate>,
    stop: Stop,
) -> Result<Found> {
    // Two ways lead to the same lines. Each is tried for a while, and then for longer, so that the shorter one decides what
    // the search costs.
    let mut entries = FIRST_ALLOWANCE;
    loop {
        for lead in [Lead::Participants, Lead::Witness] {
            let allowance = Allowance::new(if want.witnesses.is_empty() { usize::MAX } else { entries });
            let mut source =
                own.into_iter().map(Ok).chain(candidates(connection, world, want, lead, &allowance)?);
            let found = merge(connection, &mut source, View::of(want.witnesses), stop)?;
            drop(source);
            if !allowance.is_used_up() {
                return Ok(found);
            }
        }
        entries = entries.saturating_mul(4);
    }
}

/// The newest lines of conversations that a host opened to one question: the host's view of them, without what the viewer forgot.
pub(crate) fn granted(
    connection: &Connection,
    world: &WorldRow,
    ids: &[ConversationId],
    viewer: Option<i64>,
    limit: usize,
) -> Result<Vec<Line>> {
    let mut granted = Vec::new();
    for id in ids {
        granted.push(Candidate::first(ConversationRow::find(connection, world, id)?.no));
    }
    granted.sort_unstable();
    granted.dedup();
    let view = View { witnesses: &[], viewer };
    load(connection, merge(connection, &mut granted.into_iter().map(Ok), view, Stop::after(limit))?.lines)
}

/// The unnamed conversation of exactly these people, if they ever had one.
pub(crate) fn set_conversation(
    connection: &Connection,
    world: &WorldRow,
    people: &[i64],
) -> Result<Option<i64>> {
    let Some(set) = circle::find(connection, world.no, people)? else { return Ok(None) };
    let found = connection
        .prepare_cached("SELECT no FROM conversation WHERE world = ?1 AND beginning = ?2 AND name IS NULL")?
        .query_row([world.no, set], |row| row.get(0))
        .optional()?;
    Ok(found)
}

pub(crate) fn load(connection: &Connection, found: Vec<(i64, i64)>) -> Result<Vec<Line>> {
    let mut circles = Circles::default();
    let mut names: HashMap<i64, ConversationId> = HashMap::new();
    let mut lines = Vec::with_capacity(found.len());
    for (conversation, key) in found {
        let id = match names.get(&conversation) {
            Some(id) => id.clone(),
            None => {
                let id = ConversationRow::by_no(connection, conversation)?.id;
                names.insert(conversation, id.clone());
                id
            }
        };
        lines.extend(line::by_key(connection, key, &id, &mut circles)?);
    }
    Ok(lines)
}
