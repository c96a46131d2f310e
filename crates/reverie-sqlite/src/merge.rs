//! How are the newest lines taken from many conversations without reading them all?
//!
//! Candidates come latest first. One is opened only when its latest line could still be among the newest wanted, and
//! lines are taken off the tops of those that are open.

use std::collections::BinaryHeap;

use rusqlite::{Connection, Row, params};

use crate::candidates::Candidate;
use crate::circle;
use crate::error::Result;
use crate::forgotten;
use crate::line;

/// When there are enough lines, and which do not count.
#[derive(Debug, Clone, Copy)]
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

    pub(crate) fn after_spoken_bytes(lines: usize, bytes: usize) -> Self {
        Self { lines, bytes, skips_system: true }
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
}

/// What of the lines is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'v> {
    /// All of them witnessed it.
    pub(crate) witnesses: &'v [i64],
    /// Whoever looks, and sees nothing that it forgot.
    pub(crate) viewer: Option<i64>,
}

impl<'v> View<'v> {
    /// What all of these witnessed, as the first of them has it in mind.
    pub(crate) fn of(witnesses: &'v [i64]) -> Self {
        Self { witnesses, viewer: witnesses.first().copied() }
    }
}

/// What was found: conversation and line key, oldest first.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) lines: Vec<(i64, i64)>,
    pub(crate) is_cut: bool,
}

pub(crate) fn merge(
    connection: &Connection,
    source: &mut dyn Iterator<Item = Result<Candidate>>,
    view: View<'_>,
    mut stop: Stop,
) -> Result<Found> {
    let mut next = source.next().transpose()?;
    let mut open: Vec<Tops> = Vec::new();
    let mut heap: BinaryHeap<(i64, i64, usize)> = BinaryHeap::new();
    let mut lines = Vec::new();
    let is_cut = loop {
        while let Some(candidate) = next
            && heap.peek().is_none_or(|(at, line, _)| (candidate.at, candidate.line) >= (*at, *line))
        {
            let mut tops = Tops::open(connection, candidate.conversation, view)?;
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
            if !stop.takes(top.bytes) {
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
    /// The sets of witnesses to read.
    streams: Vec<i64>,
    viewer: Option<i64>,
    ready: std::vec::IntoIter<Top>,
    current: Option<Top>,
    below: i64,
    stride: i64,
    is_done: bool,
}

#[derive(Debug, Clone, Copy)]
struct Top {
    at: i64,
    key: i64,
    bytes: usize,
    is_system: bool,
}

impl Tops {
    fn open(connection: &Connection, conversation: i64, view: View<'_>) -> Result<Self> {
        Ok(Self {
            conversation,
            streams: circle::streams(connection, conversation, view.witnesses)?,
            viewer: view.viewer,
            ready: Vec::new().into_iter(),
            current: None,
            below: i64::MAX,
            stride: 16,
            is_done: false,
        })
    }

    fn peek(&mut self, connection: &Connection) -> Result<Option<Top>> {
        while self.current.is_none() {
            self.current = self.ready.next();
            if self.current.is_some() || self.is_done {
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
        let mut statement = connection.prepare_cached(&format!(
            "SELECT at, id, octet_length(content), attribute = 'system' FROM line
             WHERE conversation = ?1 AND witnesses = ?2 AND active = 1 AND id < ?3 AND attribute IS NOT NULL
               AND hidden = 0 AND {}
             ORDER BY id DESC LIMIT ?4",
            forgotten::is_in_mind("line", "?5")
        ))?;
        for stream in &self.streams {
            let values = params![self.conversation, stream, self.below, self.stride, self.viewer];
            for found in statement.query_map(values, top)? {
                tops.push(found?);
            }
        }
        tops.sort_unstable_by_key(|top| std::cmp::Reverse(top.key));
        tops.truncate(self.stride as usize);
        self.is_done = (tops.len() as i64) < self.stride;
        self.below = tops.last().map_or(self.below, |top| top.key);
        self.stride = (self.stride * 2).min(256);
        self.ready = tops.into_iter();
        Ok(())
    }
}

fn top(row: &Row<'_>) -> rusqlite::Result<Top> {
    let bytes = row.get::<_, i64>(2)? as usize;
    Ok(Top { at: row.get(0)?, key: row.get(1)?, bytes, is_system: row.get(3)? })
}
