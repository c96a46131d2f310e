//! What of a conversation waits: which lines, and of which rounds?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::memories::Backlog;
use reverie_core::round::Round;
use reverie_core::{ConversationId, LineId};
use rusqlite::{Connection, OptionalExtension};

use super::names::Names;
use super::{covered, waiting};
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::round::standing::stands;
use crate::round::{COLUMNS, RoundRow, columns, found};
use crate::world::WorldRow;

pub(crate) fn read(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    limit: usize,
) -> Result<Backlog> {
    let row = ConversationRow::find(connection, world, id)?;
    let covered = covered(connection, world, &row)?;
    let search = Search { connection, world, row: &row, covered: covered.unwrap_or(0) };
    let (numbers, is_cut) = search.lines(limit)?;
    let rounds = search.rounds(&numbers)?;
    let mut names = Names::new(connection, world);
    let mut circles = Circles::default();
    let mut lines = Vec::with_capacity(numbers.len());
    for number in numbers {
        let key = world.line_key(number as u64);
        if let Some(line) = line::by_key(connection, key, id, &mut circles)? {
            lines.push(names.path_line(key, line)?);
        }
    }
    let covered = covered.map(|covered| LineId::new(covered as u64)).transpose()?;
    Ok(Backlog { conversation: id.clone(), covered, rounds, lines, is_cut })
}

struct Search<'s> {
    connection: &'s Connection,
    world: &'s WorldRow,
    row: &'s ConversationRow,
    covered: i64,
}

impl Search<'_> {
    /// The first lines that wait, and whether there are more. The first round that waits is among them, whole.
    fn lines(&self, limit: usize) -> Result<(BTreeSet<i64>, bool)> {
        let mut rounds = Vec::new();
        for round in waiting(self.connection, self.world, self.row, usize::MAX)? {
            let first = round.span(self.connection)?.map_or(0, |span| span.first.get() as i64);
            rounds.push((first, round));
        }
        rounds.sort_unstable_by_key(|(first, round)| (*first, round.key));
        let mut rounds = rounds.into_iter().peekable();
        let mut lines = BTreeSet::new();
        // To the end of the first round all of them count.
        let mut end = 0;
        if let Some((_, round)) = rounds.next() {
            lines.extend(self.lines_of(&round)?);
            end = lines.last().copied().unwrap_or(0);
        }
        while let Some((_, round)) = rounds.next_if(|(first, _)| *first <= end) {
            lines.extend(self.lines_of(&round)?);
        }
        if end > self.covered {
            lines.extend(self.said(self.covered, end, usize::MAX)?);
        }
        let whole = lines.iter().filter(|line| **line <= end).count();
        let most = limit.max(whole).max(1);
        lines.extend(self.said(self.covered.max(end), i64::MAX, most.saturating_add(1))?);
        for (first, round) in rounds {
            if lines.iter().nth(most).is_some_and(|beyond| *beyond < first) {
                break;
            }
            lines.extend(self.lines_of(&round)?);
        }
        let beyond = lines.iter().nth(most).copied();
        if let Some(beyond) = beyond {
            lines.split_off(&beyond);
        }
        Ok((lines, beyond.is_some()))
    }

    /// Lines of the path behind one, and not behind another, that were shown; the first of them.
    fn said(&self, after: i64, through: i64, limit: usize) -> Result<Vec<i64>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id & 1099511627775 FROM line WHERE conversation = ?1 AND witnesses = ?2 AND active = 1
               AND id > ?3 AND id <= ?4 AND attribute IS NOT NULL AND hidden & 2 = 0 ORDER BY id LIMIT ?5",
        )?;
        let from = self.world.line_key(after as u64);
        let to = self.world.line_key((through as u64).min(LineId::LIMIT - 1));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut numbers = Vec::new();
        for stream in circle::streams(self.connection, self.row.no, &[])? {
            let found = statement.query_map([self.row.no, stream, from, to, limit], |row| row.get(0))?;
            for number in found {
                numbers.push(number?);
            }
        }
        Ok(numbers)
    }

    /// Those lines of a round that are to be seen on the path, on which it stands.
    fn lines_of(&self, round: &RoundRow) -> Result<Vec<i64>> {
        if !round.is_explicit {
            let lines = found::lines(self.connection, self.world, round)?;
            return Ok(lines.into_iter().filter(|line| line.is_shown).map(|line| line.number).collect());
        }
        let lines = self
            .connection
            .prepare_cached(
                "SELECT id & 1099511627775 FROM line
                 WHERE conversation = ?1 AND round = ?2 AND active = 1 AND hidden & 2 = 0 ORDER BY id",
            )?
            .query_map([round.conversation, round.number()], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(lines)
    }

    /// The rounds of the path that these lines reach into, by id.
    fn rounds(&self, lines: &BTreeSet<i64>) -> Result<Vec<Round>> {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(Vec::new()) };
        let mut rounds: BTreeMap<i64, RoundRow> = BTreeMap::new();
        let mut of_line = self.connection.prepare_cached(&format!(
            "{COLUMNS} WHERE id = (SELECT (l.id & ~1099511627775) + l.round FROM line l WHERE l.id = ?1)"
        ))?;
        for number in lines {
            let round = of_line.query_row([self.world.line_key(*number as u64)], columns).optional()?;
            if let Some(round) = round.transpose()?
                && stands(self.connection, self.world, &round)?
            {
                rounds.insert(round.key, round);
            }
        }
        for round in found::around(self.connection, self.row.no, *first, *last)? {
            let is_here = stands(self.connection, self.world, &round)?;
            if is_here && self.lines_of(&round)?.iter().any(|line| lines.contains(line)) {
                rounds.insert(round.key, round);
            }
        }
        rounds.values().map(|round| round.read(self.connection)).collect()
    }
}
