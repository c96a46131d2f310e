//! How does a batch of lines enter a conversation?

use std::collections::BTreeSet;

use reverie_core::conversation::{Append, AppendKey, Appended, Attach, Conversation, ExpectedHead};
use reverie_core::line::{NewLine, Order, Wording};
use reverie_core::{Attribute, ConversationId, Error, Line, LineId, Who};
use rusqlite::{Connection, OptionalExtension, params};

use crate::cast::{Cast, Known};
use crate::circle::{self, Circles};
use crate::conversation::{ConversationRow, spoken_head};
use crate::error::Result;
use crate::line::{self, NewRow};
use crate::log::{self, Kind};
use crate::recency;
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn append(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    append: &Append,
) -> Result<Appended> {
    let row = ConversationRow::find(connection, world, id)?;
    if let Some(key) = &append.key
        && let Some(replayed) = replay(connection, world, &row, key)?
    {
        return Ok(replayed);
    }
    row.check_head(connection, world, append.expected_head)?;
    let ticks: Vec<Option<i64>> = append.lines.iter().map(|line| line.tick).collect();
    let mut growth = Growth::start(connection, world, row, append.attach, &ticks)?;
    growth.now_ms = append.now_ms;
    let mut cast = Cast::at(connection, world, growth.revision);
    for line in &append.lines {
        growth.add(line, &mut cast)?;
    }
    if let Some(key) = &append.key {
        remember(connection, growth.row.no, key, growth.first, append.lines.len(), growth.revision)?;
    }
    let earliest = ticks.into_iter().flatten().min();
    let tick_ran_back_from = growth.world_time.filter(|time| earliest.is_some_and(|tick| tick < *time));
    let (lines, revision) = growth.finish()?;
    Ok(Appended {
        head: lines.last().map(|line| line.id),
        lines,
        revision,
        replayed: false,
        tick_ran_back_from,
    })
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
        let mut growth = Growth::start(connection, world, row, Attach::Head, &[None])?;
        growth.turn(circle)?;
        growth.finish()?;
    } else if cast.has_written() {
        world.bump(connection)?;
    }
    let row = ConversationRow::find(connection, world, id)?;
    row.read(connection, world, &mut Circles::default())
}

/// New nodes on their way into one conversation.
struct Growth<'c> {
    connection: &'c Connection,
    world: &'c WorldRow,
    row: ConversationRow,
    revision: u64,
    now_ms: i64,
    first: u64,
    next: u64,
    /// The node to attach to.
    tip: Option<Tip>,
    /// The line before: nodes where somebody only came or went are none.
    last_line: Option<LineId>,
    present: i64,
    /// The members of `present`, sorted.
    present_members: Vec<i64>,
    /// Before these nodes.
    world_time: Option<i64>,
    /// True while the new nodes continue the active path, so that only its end moves.
    continues: bool,
    /// Everyone who came with a new node.
    arrivals: BTreeSet<i64>,
    /// The sets of witnesses that occur.
    heard: BTreeSet<i64>,
    circles: Circles,
    lines: Vec<Line>,
}

#[derive(Debug, Clone, Copy)]
struct Tip {
    number: i64,
    at: i64,
    tick: Option<i64>,
}

impl<'c> Growth<'c> {
    /// Reserves a number for each of the nodes to come, whose ticks these are.
    fn start(
        connection: &'c Connection,
        world: &'c WorldRow,
        row: ConversationRow,
        attach: Attach,
        ticks: &[Option<i64>],
    ) -> Result<Self> {
        let parent = attach_to(connection, world, &row, attach)?;
        let (tip, present, last_line) = match parent {
            Some(number) => {
                let node = tree::node(connection, world, number)?;
                let last_line = match node.is_spoken {
                    true => Some(LineId::new(number as u64)?),
                    false => spoken_head(connection, world.line_key(0), node.parent)?,
                };
                (Some(Tip { number, at: node.at, tick: node.tick }), node.present, last_line)
            }
            None => (None, row.beginning, None),
        };
        let world_time = world.time(connection)?;
        let place =
            |tip: Option<(i64, Option<i64>)>, tick: &Option<i64>| Some(Order::place(*tick, tip, world_time));
        let last = ticks.iter().fold(tip.map(|tip| (tip.at, tip.tick)), place);
        let time = last.map(|(at, _)| at).filter(|at| *at != Order::BEFORE_TIME).max(world_time);
        let count = ticks.len();
        let (first, revision): (u64, u64) = connection
            .prepare_cached(
                "UPDATE world SET next_line = next_line + ?2, revision = revision + 1, time = ?3 WHERE no = ?1
                 RETURNING next_line - ?2, revision",
            )?
            .query_row(params![world.no, count as i64, time], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if first + count as u64 > LineId::LIMIT {
            return Err(Error::invalid("this world has as many lines as a world can have")
                .hint("begin a new world, or fork this one at a checkpoint")
                .into());
        }
        Ok(Self {
            connection,
            world,
            revision,
            now_ms: 0,
            first,
            next: first,
            tip,
            last_line,
            present,
            present_members: circle::members(connection, present)?,
            world_time,
            continues: parent == row.head,
            arrivals: BTreeSet::new(),
            heard: BTreeSet::new(),
            circles: Circles::default(),
            lines: Vec::with_capacity(count),
            row,
        })
    }

    fn add(&mut self, line: &NewLine, cast: &mut Cast<'_>) -> Result<()> {
        let speaker = line.speaker.as_ref().map(|who| cast.get(who)).transpose()?;
        let arrival = self.let_in(speaker.as_ref(), line.attribute)?;
        let witnesses = self.witnesses(line, speaker.as_ref(), cast)?;
        self.check_host_id(line)?;
        let wall_ms = line.wall_ms.unwrap_or(self.now_ms);
        let tip = self.insert(&NewRow {
            attribute: Some(line.attribute),
            speaker: speaker.as_ref().map(|speaker| speaker.no),
            display_name: line.display_name.as_deref(),
            tick: line.tick,
            wall_ms,
            host_id: line.host_id.as_deref(),
            arrival,
            hidden: line.hidden,
            ..NewRow::empty(&line.wording, witnesses)
        })?;
        self.heard.insert(witnesses);
        if line.hidden {
            log::set(self.connection, self.world.no, self.revision, Kind::Hidden, tip.number, Some(1))?;
        }
        let id = LineId::new(tip.number as u64)?;
        let (speaker, label) = speaker.map_or((None, None), |speaker| (Some(speaker.id), speaker.label));
        self.lines.push(Line {
            id,
            conversation: self.row.id.clone(),
            parent: self.last_line.replace(id),
            attribute: line.attribute,
            speaker,
            name: line.display_name.clone().or(label),
            wording: line.wording.clone(),
            tick: tip.tick,
            wall_ms,
            host_id: line.host_id.clone(),
            witnesses: self.circles.ids(self.connection, witnesses)?,
            hidden: line.hidden,
            version: 0,
        });
        Ok(())
    }

    /// Whoever speaks in a scene is there. A participant set stays as it is.
    fn let_in(&mut self, speaker: Option<&Known>, attribute: Attribute) -> Result<bool> {
        let Some(speaker) = speaker.filter(|s| !s.is_narrator && attribute != Attribute::System) else {
            return Ok(false);
        };
        let Err(place) = self.present_members.binary_search(&speaker.no) else { return Ok(false) };
        if !self.row.is_scene() {
            return Err(Error::invalid(format!(
                "{:?} is not a participant of conversation {:?}",
                speaker.id, self.row.id
            ))
            .hint("another set is another conversation: POST …/conversations with all participants, or use a named scene")
            .into());
        }
        self.present_members.insert(place, speaker.no);
        self.arrivals.insert(speaker.no);
        self.present = circle::intern(self.connection, self.world.no, &self.present_members)?;
        Ok(true)
    }

    fn witnesses(&self, line: &NewLine, speaker: Option<&Known>, cast: &mut Cast<'_>) -> Result<i64> {
        let mut persons = match (&line.witnesses, line.attribute, speaker) {
            // A system line is for its addressee's eyes only.
            (_, Attribute::System, Some(_)) => Vec::new(),
            (Some(witnesses), ..) => cast.persons(witnesses)?,
            (None, ..) => return Ok(self.present),
        };
        persons.extend(speaker.filter(|speaker| !speaker.is_narrator).map(|speaker| speaker.no));
        circle::intern(self.connection, self.world.no, &persons)
    }

    fn check_host_id(&self, line: &NewLine) -> Result<()> {
        let Some(host_id) = &line.host_id else { return Ok(()) };
        let taken: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM line WHERE conversation = ?1 AND host_id = ?2")?
            .query_row(params![self.row.no, host_id], |row| row.get(0))
            .optional()?;
        match taken {
            None => Ok(()),
            Some(key) => Err(Error::conflict(format!(
                "line {} of this conversation has the host id {host_id:?} already",
                line::number(key)
            ))
            .hint("send a `key` with the batch to make a retry safe; edit a recorded line with PATCH")
            .into()),
        }
    }

    /// A node where only who is present changes.
    fn turn(&mut self, present: i64) -> Result<()> {
        self.present = present;
        self.arrivals.extend(circle::members(self.connection, present)?);
        let nobody = circle::intern(self.connection, self.world.no, &[])?;
        self.insert(&NewRow { arrival: true, ..NewRow::empty(&Wording::default(), nobody) })?;
        Ok(())
    }

    /// Puts a node behind the tip; its place in the tree is filled in here.
    fn insert(&mut self, row: &NewRow<'_>) -> Result<Tip> {
        let (at, tick) = Order::place(row.tick, self.tip.map(|tip| (tip.at, tip.tick)), self.world_time);
        let row = NewRow {
            key: self.world.line_key(self.next),
            conversation: self.row.no,
            parent: self.tip.map(|tip| tip.number),
            tick,
            at,
            present: self.present,
            // Those of the first line came with it: a scene can begin anew with others.
            arrival: row.arrival || self.tip.is_none(),
            active: self.continues,
            revision: self.revision,
            ..*row
        };
        line::insert(self.connection, &row)?;
        let tip = Tip { number: self.next as i64, at, tick };
        self.tip = Some(tip);
        self.next += 1;
        Ok(tip)
    }

    /// Moves the head to the last new node.
    fn finish(self) -> Result<(Vec<Line>, u64)> {
        let Self { connection, world, row, revision, tip, heard, lines, .. } = self;
        let Some(tip) = tip else { return Ok((lines, revision)) };
        for circle in heard {
            connection
                .prepare_cached("INSERT OR IGNORE INTO stream (conversation, circle) VALUES (?1, ?2)")?
                .execute([row.no, circle])?;
        }
        log::set(connection, world.no, revision, Kind::Head, row.no, Some(tip.number))?;
        if !self.continues {
            tree::put_head(connection, world, row.no, Some(tip.number))?;
            return Ok((lines, revision));
        }
        // The path only grew: what it decides is brought up to date without walking it.
        connection
            .prepare_cached("UPDATE conversation SET head = ?2, latest_at = ?3, latest = ?2 WHERE no = ?1")?
            .execute([row.no, tip.number, tip.at])?;
        if !self.arrivals.is_empty() {
            let mut members = circle::members(connection, row.members)?;
            members.extend(self.arrivals);
            let circle = circle::intern(connection, world.no, &members)?;
            connection
                .prepare_cached("UPDATE conversation SET members = ?2 WHERE no = ?1")?
                .execute([row.no, circle])?;
        }
        if !row.is_hot {
            recency::heat(connection, world.no, row.no)?;
        }
        Ok((lines, revision))
    }
}

fn attach_to(
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
    let used: Option<(Vec<u8>, u64, usize, u64)> = connection
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
        lines: read_batch(connection, world, &row.id, first, count)?,
        head: row.spoken_head(connection, world)?,
        revision,
        replayed: true,
        tick_ran_back_from: None,
    }))
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

fn read_batch(
    connection: &Connection,
    world: &WorldRow,
    conversation: &ConversationId,
    first: u64,
    count: usize,
) -> Result<Vec<Line>> {
    let mut circles = Circles::default();
    let mut lines = Vec::with_capacity(count);
    for number in first..first + count as u64 {
        lines.extend(line::by_key(connection, world.line_key(number), conversation, &mut circles)?);
    }
    Ok(lines)
}
