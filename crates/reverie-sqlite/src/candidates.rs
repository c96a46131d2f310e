//! In which conversations could the newest lines stand? Newest first, read from an index as far as needed.

use std::cell::Cell;
use std::iter::Peekable;

use rusqlite::{Connection, Row};

use crate::circle;
use crate::error::Result;
use crate::recency::LARGE;
use crate::world::WorldRow;

/// How many conversations are read from an index at a time.
const STRIDE: i64 = 16;

/// Which conversations of a set of participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Exactly,
    WithOthers,
}

/// Whose lines are wanted, and who must all have witnessed them.
pub(crate) struct Want<'w> {
    /// Sorted.
    pub(crate) participants: &'w [i64],
    pub(crate) which: Which,
    pub(crate) witnesses: &'w [i64],
    /// A conversation that is dealt with elsewhere.
    pub(crate) except: Option<i64>,
}

/// A conversation and an order that none of its lines exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) at: i64,
    pub(crate) line: i64,
    pub(crate) conversation: i64,
}

impl Candidate {
    /// A conversation that must be looked at whatever stands in it.
    pub(crate) fn first(conversation: i64) -> Self {
        Self { at: i64::MAX, line: i64::MAX, conversation }
    }
}

/// Whose index leads the search: either finds everything, but one may be much longer than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    Participants,
    Witness,
}

/// How many entries of an index a search may still read. When they are used up it ends early, and that shows.
pub(crate) struct Allowance {
    left: Cell<usize>,
    is_used_up: Cell<bool>,
}

impl Allowance {
    pub(crate) fn new(entries: usize) -> Self {
        Self { left: Cell::new(entries), is_used_up: Cell::new(false) }
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.is_used_up.get()
    }

    fn spend(&self, entries: usize) -> bool {
        let left = self.left.get().checked_sub(entries);
        self.is_used_up.set(self.is_used_up.get() || left.is_none());
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

type Source<'s> = Box<dyn Iterator<Item = Result<Candidate>> + 's>;

/// All candidates for what is wanted, latest first.
pub(crate) fn candidates<'s>(
    connection: &'s Connection,
    world: &WorldRow,
    want: &'s Want<'s>,
    lead: Lead,
    allowance: &'s Allowance,
) -> Result<Source<'s>> {
    let set = circle::find(connection, world.no, want.participants)?;
    let nothing = want.participants.is_empty() || (want.which == Which::Exactly && set.is_none());
    if nothing {
        return Ok(Box::new(std::iter::empty()));
    }
    let asked = Asked { connection, world: world.no, set: set.unwrap_or(0), want, allowance };
    let hot: Source<'s> = Box::new(asked.hot()?.into_iter().map(Ok));
    let mut sources = vec![hot];
    match (lead, want.witnesses.first(), want.which) {
        (Lead::Witness, Some(witness), _) => sources.push(paged(move |below| asked.heard(*witness, below))),
        (_, _, Which::Exactly) => sources.push(paged(move |below| asked.exactly(below))),
        (_, _, Which::WithOthers) => {
            let small = pairs(want.participants);
            sources.push(paged(move |below| asked.in_all(&small, below)));
            if want.participants.len() > 1 {
                let large: Vec<_> = want.participants.iter().map(|member| (*member, LARGE)).collect();
                sources.push(paged(move |below| asked.in_all(&large, below)));
            }
        }
    }
    let sources = sources.into_iter().map(Iterator::peekable).collect();
    Ok(Box::new(Latest { sources }.filter(move |found| match found {
        Ok(candidate) => want.except != Some(candidate.conversation),
        Err(_) => true,
    })))
}

/// Several sources, each latest first, as one.
struct Latest<'s> {
    sources: Vec<Peekable<Source<'s>>>,
}

impl Iterator for Latest<'_> {
    type Item = Result<Candidate>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut latest: Option<(usize, Candidate)> = None;
        for (index, source) in self.sources.iter_mut().enumerate() {
            match source.peek() {
                None => {}
                Some(Err(_)) => return source.next(),
                Some(Ok(found)) if latest.is_none_or(|(_, best)| *found > best) => {
                    latest = Some((index, *found))
                }
                Some(Ok(_)) => {}
            }
        }
        self.sources.get_mut(latest?.0)?.next()
    }
}

fn columns(row: &Row<'_>) -> rusqlite::Result<Candidate> {
    Ok(Candidate { at: row.get(0)?, line: row.get(1)?, conversation: row.get(2)? })
}

#[derive(Clone, Copy)]
struct Asked<'s> {
    connection: &'s Connection,
    world: i64,
    /// The circle of exactly the participants; 0 if there is none.
    set: i64,
    want: &'s Want<'s>,
    allowance: &'s Allowance,
}

impl Asked<'_> {
    fn hot(&self) -> Result<Vec<Candidate>> {
        let hot: Vec<(Candidate, i64)> = self
            .connection
            .prepare_cached(
                "SELECT latest_at, latest, no, members FROM conversation WHERE world = ?1 AND hot = 1",
            )?
            .query_map([self.world], |row| Ok((columns(row)?, row.get(3)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut fitting = Vec::new();
        for (candidate, members) in hot {
            if self.fits(members)? {
                fitting.push(candidate);
            }
        }
        fitting.sort_unstable_by(|a, b| b.cmp(a));
        Ok(fitting)
    }

    fn fits(&self, members: i64) -> Result<bool> {
        match self.want.which {
            Which::Exactly => Ok(members == self.set),
            Which::WithOthers if members == self.set => Ok(false),
            Which::WithOthers => circle::includes(self.connection, members, self.want.participants),
        }
    }

    /// The next conversations in which the witness heard anything.
    fn heard(&self, witness: i64, below: (i64, i64)) -> Result<Vec<Candidate>> {
        let mut below = below;
        loop {
            if !self.allowance.spend(STRIDE as usize) {
                return Ok(Vec::new());
            }
            let seats: Vec<Ranked> = self
                .connection
                .prepare_cached(
                    "SELECT s.heard_at, s.heard, s.conversation, c.members, c.hot FROM seat s
                     CROSS JOIN conversation c ON c.no = s.conversation
                     WHERE s.character = ?1 AND (s.heard_at, s.heard) < (?2, ?3)
                     ORDER BY s.heard_at DESC, s.heard DESC LIMIT ?4",
                )?
                .query_map([witness, below.0, below.1, STRIDE], ranked)?
                .collect::<rusqlite::Result<_>>()?;
            let Some(last) = seats.last() else { return Ok(Vec::new()) };
            below = (last.candidate.at, last.candidate.line);
            let mut fitting = Vec::new();
            for seat in seats {
                if !seat.is_hot && self.fits(seat.members)? {
                    fitting.push(seat.candidate);
                }
            }
            if !fitting.is_empty() {
                return Ok(fitting);
            }
        }
    }

    /// The next conversations of exactly the set.
    fn exactly(&self, below: (i64, i64)) -> Result<Vec<Candidate>> {
        if !self.allowance.spend(STRIDE as usize) {
            return Ok(Vec::new());
        }
        let found = self
            .connection
            .prepare_cached(
                "SELECT ranked_at, ranked, no FROM conversation
                 WHERE world = ?1 AND members = ?2 AND (ranked_at, ranked) < (?3, ?4) AND hot = 0
                 ORDER BY ranked_at DESC, ranked DESC LIMIT ?5",
            )?
            .query_map([self.world, self.set, below.0, below.1, STRIDE], columns)?
            .collect::<rusqlite::Result<_>>()?;
        Ok(found)
    }

    /// The next conversations that stand in all of these lists of the ranking.
    fn in_all(&self, lists: &[(i64, i64)], below: (i64, i64)) -> Result<Vec<Candidate>> {
        let mut below = below;
        loop {
            let found = match lists {
                [] => return Ok(Vec::new()),
                [only] => self.read(*only, below, STRIDE)?,
                lists => self.leap(lists, below)?.into_iter().collect(),
            };
            let Some(last) = found.last() else { return Ok(Vec::new()) };
            below = (last.candidate.at, last.candidate.line);
            let fitting: Vec<Candidate> = found
                .into_iter()
                .filter(|ranked| !ranked.is_hot && ranked.members != self.set)
                .map(|ranked| ranked.candidate)
                .collect();
            if !fitting.is_empty() {
                return Ok(fitting);
            }
        }
    }

    /// All lists are in the same order, so they are intersected by leaping: each is asked for its next entry at or below
    /// where another one stands. That costs what the shortest of them costs.
    fn leap(&self, lists: &[(i64, i64)], below: (i64, i64)) -> Result<Option<Ranked>> {
        let mut below = below;
        let mut agreed = 0;
        let mut stand: Option<Candidate> = None;
        for list in lists.iter().cycle() {
            let Some(found) = self.read(*list, below, 1)?.pop() else { return Ok(None) };
            agreed = if stand == Some(found.candidate) { agreed + 1 } else { 1 };
            if agreed == lists.len() {
                return Ok(Some(found));
            }
            stand = Some(found.candidate);
            // The next list may stand on the same entry: look below the one just above it.
            below = (found.candidate.at, found.candidate.line.saturating_add(1));
        }
        Ok(None)
    }

    fn read(&self, (a, b): (i64, i64), below: (i64, i64), most: i64) -> Result<Vec<Ranked>> {
        if !self.allowance.spend(most as usize) {
            return Ok(Vec::new());
        }
        let found = self
            .connection
            .prepare_cached(
                "SELECT r.at, r.line, r.conversation, c.members, c.hot FROM rank r
                 CROSS JOIN conversation c ON c.no = r.conversation
                 WHERE r.a = ?1 AND r.b = ?2 AND (r.at, r.line) < (?3, ?4)
                 ORDER BY r.at DESC, r.line DESC LIMIT ?5",
            )?
            .query_map([a, b, below.0, below.1, most], ranked)?
            .collect::<rusqlite::Result<_>>()?;
        Ok(found)
    }
}

/// An entry of the ranking, or a seat. Of a hot conversation it is out of date.
struct Ranked {
    candidate: Candidate,
    members: i64,
    is_hot: bool,
}

fn ranked(row: &Row<'_>) -> rusqlite::Result<Ranked> {
    Ok(Ranked { candidate: columns(row)?, members: row.get(3)?, is_hot: row.get(4)? })
}

/// The lists of the ranking in whose intersection all (sorted) participants of a small group meet.
fn pairs(participants: &[i64]) -> Vec<(i64, i64)> {
    match participants {
        [] => Vec::new(),
        [only] => vec![(*only, *only)],
        [first, others @ ..] => others.iter().map(|other| (*first, *other)).collect(),
    }
}

/// Reads on, page by page, until a page is empty.
fn paged<'s>(read: impl Fn((i64, i64)) -> Result<Vec<Candidate>> + 's) -> Source<'s> {
    let mut page = Vec::new().into_iter();
    let mut below = (i64::MAX, i64::MAX);
    let mut is_done = false;
    Box::new(std::iter::from_fn(move || {
        loop {
            if let Some(candidate) = page.next() {
                return Some(Ok(candidate));
            }
            if is_done {
                return None;
            }
            match read(below) {
                Ok(found) => {
                    is_done = found.is_empty();
                    below = found.last().map_or(below, |last: &Candidate| (last.at, last.line));
                    page = found.into_iter();
                }
                Err(error) => {
                    is_done = true;
                    return Some(Err(error));
                }
            }
        }
    }))
}
