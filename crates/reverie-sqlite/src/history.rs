//! What did these people say among themselves, and what with others around: found at the cost of what is returned?
//!
//! Conversations come newest first from an index, each is opened only when its latest line could still be among the
//! newest wanted, and lines are taken off the tops of the opened ones.

use std::collections::BinaryHeap;

use reverie_core::history::{History, HistoryQuery};
use reverie_core::{ConversationId, Line};
use rusqlite::{Connection, OptionalExtension, params};

use crate::character::Cast;
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::reading::number_of;
use crate::world::WorldRow;

/// A character with no more seats than this is looked up by what it heard; one with more by the participants.
const FEW: usize = 64;
/// How many conversations are fetched from an index at a time.
const STRIDE: usize = 16;

pub(crate) fn history(connection: &Connection, world: &WorldRow, query: &HistoryQuery) -> Result<History> {
    let also = granted(connection, world, &query.also, query.limit)?;
    let cast = Cast::new(connection, world)?;
    let Some(participants) = cast.known_persons(&query.participants)? else {
        return Ok(History { also, ..History::default() });
    };
    let witnesses = match &query.witness {
        None => Vec::new(),
        Some(witness) => match number_of(connection, world, witness)? {
            Some(number) => vec![number],
            None => return Ok(History { also, ..History::default() }),
        },
    };
    let newest = |which| {
        let want = Want { participants: &participants, which, witnesses: &witnesses, except: None };
        let found = newest_lines(connection, world, &want, &mut Stop::after(query.limit))?;
        load(connection, found.lines)
    };
    Ok(History { primary: newest(Which::Exactly)?, ancillary: newest(Which::WithOthers)?, also })
}

/// The newest lines of conversations that a host opened to one question: the host's view of them.
pub(crate) fn granted(
    connection: &Connection,
    world: &WorldRow,
    ids: &[ConversationId],
    limit: usize,
) -> Result<Vec<Line>> {
    let mut candidates = Vec::new();
    for id in ids {
        let row = ConversationRow::find(connection, world, id)?;
        candidates.push(Candidate { at: i64::MAX, line: i64::MAX, conversation: row.no });
    }
    candidates.sort_unstable_by_key(|candidate| candidate.conversation);
    candidates.dedup();
    let mut source = candidates.into_iter().map(Ok);
    load(connection, merge(connection, &mut source, &[], &mut Stop::after(limit))?.lines)
}

/// Which conversations of a set of participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Exactly,
    WithOthers,
}

/// Whose lines are wanted, and who must all have witnessed them.
pub(crate) struct Want<'w> {
    pub(crate) participants: &'w [i64],
    pub(crate) which: Which,
    pub(crate) witnesses: &'w [i64],
    /// A conversation that is dealt with elsewhere.
    pub(crate) except: Option<i64>,
}

/// When there are enough lines, and which do not count.
pub(crate) struct Stop {
    lines: usize,
    bytes: usize,
    skips_system: bool,
}

impl Stop {
    pub(crate) fn after(lines: usize) -> Self {
        Self { lines, bytes: usize::MAX, skips_system: false }
    }

    /// Of what was said aloud.
    pub(crate) fn after_spoken(lines: usize) -> Self {
        Self { skips_system: true, ..Self::after(lines) }
    }

    pub(crate) fn after_bytes(lines: usize, bytes: usize) -> Self {
        Self { lines, bytes, skips_system: false }
    }

    fn takes(&mut self, bytes: usize) -> bool {
        if self.lines == 0 || self.bytes == 0 {
            return false;
        }
        self.lines -= 1;
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }

    fn is_reached(&self) -> bool {
        self.lines == 0 || self.bytes == 0
    }
}

/// A conversation and an order that none of its lines exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) at: i64,
    pub(crate) line: i64,
    pub(crate) conversation: i64,
}

/// What was found: conversation and line key, oldest first.
pub(crate) struct Found {
    pub(crate) lines: Vec<(i64, i64)>,
    pub(crate) is_cut: bool,
}

pub(crate) fn newest_lines(
    connection: &Connection,
    world: &WorldRow,
    want: &Want<'_>,
    stop: &mut Stop,
) -> Result<Found> {
    newest_lines_with(connection, world, want, None, stop)
}

/// As `newest_lines`, with one more conversation that is wanted whoever takes part in it.
pub(crate) fn newest_lines_with(
    connection: &Connection,
    world: &WorldRow,
    want: &Want<'_>,
    own: Option<Candidate>,
    stop: &mut Stop,
) -> Result<Found> {
    let mut own = own.into_iter().map(Ok);
    let set = circle::find(connection, world.no, want.participants)?;
    if want.participants.is_empty() || (want.which == Which::Exactly && set.is_none()) {
        return merge(connection, &mut own, want.witnesses, stop);
    }
    let set = set.unwrap_or(0);
    if let Some(witness) = want.witnesses.first()
        && let Some(heard) = few_seats(connection, *witness)?
    {
        let fits = |candidate: &Candidate| fits(connection, candidate.conversation, set, want);
        let fitting = heard.into_iter().filter_map(|candidate| match fits(&candidate) {
            Ok(true) => Some(Ok(candidate)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        });
        return merge(connection, &mut own.chain(fitting), want.witnesses, stop);
    }
    let walk = Walk {
        connection,
        world: world.no,
        set,
        want,
        page: Vec::new().into_iter(),
        last: None,
        done: false,
    };
    merge(connection, &mut own.chain(walk), want.witnesses, stop)
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

/// All conversations in which somebody heard anything, newest first, if they are few.
fn few_seats(connection: &Connection, character: i64) -> Result<Option<Vec<Candidate>>> {
    let seats: Vec<Candidate> = connection
        .prepare_cached(
            "SELECT heard_at, heard, conversation FROM seat WHERE character = ?1 AND heard IS NOT NULL
             ORDER BY heard_at DESC, heard DESC LIMIT ?2",
        )?
        .query_map(params![character, FEW as i64 + 1], candidate)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(seats).filter(|seats| seats.len() <= FEW))
}

fn candidate(row: &rusqlite::Row<'_>) -> rusqlite::Result<Candidate> {
    Ok(Candidate { at: row.get(0)?, line: row.get(1)?, conversation: row.get(2)? })
}

fn fits(connection: &Connection, conversation: i64, set: i64, want: &Want<'_>) -> Result<bool> {
    if want.except == Some(conversation) {
        return Ok(false);
    }
    let members: i64 = connection
        .prepare_cached("SELECT members FROM conversation WHERE no = ?1")?
        .query_row([conversation], |row| row.get(0))?;
    match want.which {
        Which::Exactly => Ok(members == set),
        Which::WithOthers if members == set => Ok(false),
        Which::WithOthers => {
            for participant in want.participants {
                let sits = connection
                    .prepare_cached(
                        "SELECT 1 FROM seat WHERE conversation = ?1 AND character = ?2 AND member = 1",
                    )?
                    .exists([conversation, *participant])?;
                if !sits {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Conversations of the participants, latest first, read from an index page by page.
///
/// With others around, every participant's seats are in the same order, so the lists are intersected by leaping: each
/// list is asked for its next entry at or below where another list stands.
struct Walk<'w> {
    connection: &'w Connection,
    world: i64,
    set: i64,
    want: &'w Want<'w>,
    page: std::vec::IntoIter<Candidate>,
    last: Option<Candidate>,
    done: bool,
}

impl Iterator for Walk<'_> {
    type Item = Result<Candidate>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(candidate) = self.page.next() {
                self.last = Some(candidate);
                match fits(self.connection, candidate.conversation, self.set, self.want) {
                    Ok(true) => return Some(Ok(candidate)),
                    Ok(false) => continue,
                    Err(error) => return Some(Err(error)),
                }
            }
            if self.done {
                return None;
            }
            match self.turn_page() {
                Ok(()) => {}
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl Walk<'_> {
    fn turn_page(&mut self) -> Result<()> {
        let below = self.last.map_or((i64::MAX, i64::MAX), |last| (last.at, last.line));
        let page: Vec<Candidate> = match self.want.which {
            Which::Exactly => self
                .connection
                .prepare_cached(
                    "SELECT latest_at, latest, no FROM conversation
                     WHERE world = ?1 AND members = ?2 AND (latest_at, latest) < (?3, ?4) AND latest > 0
                     ORDER BY latest_at DESC, latest DESC LIMIT ?5",
                )?
                .query_map(params![self.world, self.set, below.0, below.1, STRIDE as i64], candidate)?
                .collect::<rusqlite::Result<_>>()?,
            Which::WithOthers => self.leap(below)?.into_iter().collect(),
        };
        self.done = page.is_empty();
        self.page = page.into_iter();
        Ok(())
    }

    /// The latest conversation below an order in which every participant has a seat.
    fn leap(&self, below: (i64, i64)) -> Result<Option<Candidate>> {
        let mut strict = self.connection.prepare_cached(
            "SELECT latest_at, latest, conversation FROM seat
             WHERE character = ?1 AND member = 1 AND (latest_at, latest) < (?2, ?3) AND latest > 0
             ORDER BY latest_at DESC, latest DESC LIMIT 1",
        )?;
        let (mut at, mut line) = below;
        let mut agreed = 0;
        let mut stand: Option<Candidate> = None;
        for participant in self.want.participants.iter().cycle() {
            let mut rows = strict.query_map(params![participant, at, line], candidate)?;
            let Some(found) = rows.next().transpose()? else { return Ok(None) };
            if stand.is_some_and(|stand| stand == found) {
                agreed += 1;
            } else {
                agreed = 1;
                stand = Some(found);
            }
            if agreed == self.want.participants.len() {
                return Ok(stand);
            }
            // The next list may stand on the same entry: look below the one just above it.
            (at, line) = (found.at, found.line.saturating_add(1));
        }
        Ok(None)
    }
}

/// Takes the newest lines off the tops of conversations that come latest first.
pub(crate) fn merge(
    connection: &Connection,
    source: &mut dyn Iterator<Item = Result<Candidate>>,
    witnesses: &[i64],
    stop: &mut Stop,
) -> Result<Found> {
    let mut next = source.next().transpose()?;
    let mut open: Vec<Tops> = Vec::new();
    let mut heap: BinaryHeap<(i64, i64, usize)> = BinaryHeap::new();
    let mut lines = Vec::new();
    let is_cut = loop {
        while let Some(candidate) = next
            && heap.peek().is_none_or(|(at, line, _)| (candidate.at, candidate.line) >= (*at, *line))
        {
            let mut tops = Tops::open(connection, candidate.conversation, witnesses)?;
            if let Some(top) = tops.peek(connection)? {
                heap.push((top.at, line::number(top.key) as i64, open.len()));
                open.push(tops);
            }
            next = source.next().transpose()?;
        }
        let Some((_, _, index)) = heap.pop() else { break false };
        let Some(tops) = open.get_mut(index) else { break false };
        let Some(top) = tops.peek(connection)? else { continue };
        if !(top.is_system && stop.skips_system) {
            if stop.is_reached() || !stop.takes(top.bytes) {
                break true;
            }
            lines.push((tops.conversation, top.key));
        }
        tops.advance();
        if let Some(top) = tops.peek(connection)? {
            heap.push((top.at, line::number(top.key) as i64, index));
        }
    };
    lines.reverse();
    Ok(Found { lines, is_cut })
}

/// One conversation's visible lines, newest first, read a few at a time.
struct Tops {
    conversation: i64,
    /// The circles of witnesses to read; None reads every line.
    streams: Option<Vec<i64>>,
    ready: std::vec::IntoIter<Top>,
    current: Option<Top>,
    below: i64,
    stride: i64,
    done: bool,
}

#[derive(Debug, Clone, Copy)]
struct Top {
    at: i64,
    key: i64,
    bytes: usize,
    is_system: bool,
}

impl Tops {
    fn open(connection: &Connection, conversation: i64, witnesses: &[i64]) -> Result<Self> {
        let streams =
            if witnesses.is_empty() { None } else { Some(streams(connection, conversation, witnesses)?) };
        Ok(Self {
            conversation,
            streams,
            ready: Vec::new().into_iter(),
            current: None,
            below: i64::MAX,
            stride: 4,
            done: false,
        })
    }

    fn peek(&mut self, connection: &Connection) -> Result<Option<Top>> {
        while self.current.is_none() {
            self.current = self.ready.next();
            if self.current.is_some() || self.done {
                break;
            }
            self.fill(connection)?;
        }
        Ok(self.current)
    }

    fn advance(&mut self) {
        self.current = None;
    }

    fn fill(&mut self, connection: &Connection) -> Result<()> {
        let mut tops: Vec<Top> = Vec::new();
        let top = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Top> {
            let bytes = row.get::<_, i64>(2)? as usize;
            Ok(Top { at: row.get(0)?, key: row.get(1)?, bytes, is_system: row.get(3)? })
        };
        match &self.streams {
            None => {
                let mut statement = connection.prepare_cached(
                    "SELECT at, id, octet_length(content), attribute = 'system' FROM line
                     WHERE conversation = ?1 AND active = 1 AND id < ?2 AND attribute IS NOT NULL AND hidden = 0
                     ORDER BY id DESC LIMIT ?3",
                )?;
                for found in statement.query_map([self.conversation, self.below, self.stride], top)? {
                    tops.push(found?);
                }
            }
            Some(streams) => {
                let mut statement = connection.prepare_cached(
                    "SELECT at, id, octet_length(content), attribute = 'system' FROM line
                     WHERE conversation = ?1 AND witnesses = ?4 AND active = 1 AND id < ?2 AND attribute IS NOT NULL
                       AND hidden = 0
                     ORDER BY id DESC LIMIT ?3",
                )?;
                for stream in streams {
                    for found in
                        statement.query_map([self.conversation, self.below, self.stride, *stream], top)?
                    {
                        tops.push(found?);
                    }
                }
                tops.sort_unstable_by_key(|top| std::cmp::Reverse(top.key));
                tops.truncate(self.stride as usize);
            }
        }
        self.done = (tops.len() as i64) < self.stride;
        self.below = tops.last().map_or(self.below, |top| top.key);
        self.stride = (self.stride * 2).min(256);
        self.ready = tops.into_iter();
        Ok(())
    }
}

/// The circles in a conversation whose members include all of these.
fn streams(connection: &Connection, conversation: i64, witnesses: &[i64]) -> Result<Vec<i64>> {
    let mut circles: Vec<i64> = connection
        .prepare_cached("SELECT circle FROM stream WHERE conversation = ?1")?
        .query_map([conversation], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut is_member =
        connection.prepare_cached("SELECT 1 FROM circle_member WHERE circle = ?1 AND character = ?2")?;
    let mut failure = None;
    circles.retain(|circle| {
        witnesses.iter().all(|witness| {
            is_member.exists([*circle, *witness]).unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        })
    });
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(circles),
    }
}

pub(crate) fn load(connection: &Connection, found: Vec<(i64, i64)>) -> Result<Vec<Line>> {
    let mut circles = Circles::default();
    let mut names: std::collections::HashMap<i64, ConversationId> = std::collections::HashMap::new();
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
