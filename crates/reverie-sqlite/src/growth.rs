//! How do new nodes find their place in a conversation's tree?

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use reverie_core::line::{NewLine, Order};
use reverie_core::{Attribute, CharacterId, ConversationId, Error, Line, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::away;
use crate::backlog;
use crate::cast::{Cast, Known};
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::log::{self, Kind};
use crate::new_line::{self, NewRow};
use crate::recency;
use crate::round::{self, company::Company};
use crate::tree;
use crate::world::WorldRow;

/// New nodes on their way into one conversation.
pub(crate) struct Growth<'c, 'l> {
    connection: &'c Connection,
    world: &'c WorldRow,
    pub(crate) row: ConversationRow,
    pub(crate) revision: u64,
    pub(crate) now_ms: i64,
    pub(crate) first: u64,
    next: u64,
    /// The node that the first new one is attached to.
    root: Option<i64>,
    /// The node to attach to.
    tip: Option<Tip>,
    /// True if the first new node begins a branch, or the tree: its parent goes on with another child, or is none.
    forks: bool,
    /// On their way into the table.
    rows: Vec<NewRow<'l>>,
    host_ids: HashSet<&'l str>,
    /// The line before: nodes where somebody only came or went are none.
    last_line: Option<LineId>,
    present: i64,
    /// The members of `present`, sorted.
    present_members: Vec<i64>,
    /// Those with each round that lines are put into.
    companies: BTreeMap<i64, Company>,
    /// Before these nodes.
    pub(crate) world_time: Option<i64>,
    /// True while the new nodes continue the active path, so that only its end moves.
    continues: bool,
    /// Everyone who came with a new node.
    arrivals: BTreeSet<i64>,
    /// The sets of witnesses that occur.
    heard: BTreeSet<i64>,
    circles: Circles,
    told: Vec<Told>,
}

/// What the tree makes of a new line.
struct Told {
    id: LineId,
    parent: Option<LineId>,
    speaker: Option<Known>,
    tick: Option<i64>,
    wall_ms: i64,
    witnesses: Vec<CharacterId>,
}

impl Told {
    fn with(self, line: NewLine, conversation: &ConversationId) -> Line {
        let (speaker, label) = self.speaker.map_or((None, None), |speaker| (Some(speaker.id), speaker.label));
        Line {
            id: self.id,
            conversation: conversation.clone(),
            parent: self.parent,
            attribute: line.attribute,
            speaker,
            name: line.display_name.or(label),
            wording: line.wording,
            tick: self.tick,
            wall_ms: self.wall_ms,
            host_id: line.host_id,
            witnesses: self.witnesses,
            forgotten_by: Vec::new(),
            hidden: line.hidden,
            shown: true,
            round: line.round,
            version: 0,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Tip {
    number: i64,
    at: i64,
    tick: Option<i64>,
    said: i64,
}

impl<'c, 'l> Growth<'c, 'l> {
    /// Behind this parent. Reserves a number for each of the nodes to come, whose ticks these are.
    pub(crate) fn start(
        connection: &'c Connection,
        world: &'c WorldRow,
        row: ConversationRow,
        parent: Option<i64>,
        ticks: &[Option<i64>],
    ) -> Result<Self> {
        let (tip, present, last_line, forks) = match parent {
            Some(number) => {
                let node = tree::node(connection, world, number)?;
                let last_line = node.spoken.map(|line| LineId::new(line as u64)).transpose()?;
                let tip = Tip { number, at: node.at, tick: node.tick, said: node.said };
                (Some(tip), node.present, last_line, node.child.is_some())
            }
            None => (None, row.beginning, None, true),
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
            root: parent,
            tip,
            forks,
            rows: Vec::with_capacity(count),
            host_ids: HashSet::new(),
            last_line,
            present,
            present_members: circle::members(connection, present)?,
            companies: BTreeMap::new(),
            world_time,
            continues: parent == row.head,
            arrivals: BTreeSet::new(),
            heard: BTreeSet::new(),
            circles: Circles::default(),
            told: Vec::with_capacity(count),
            row,
        })
    }

    pub(crate) fn add(&mut self, line: &'l NewLine, cast: &mut Cast<'_>) -> Result<()> {
        let speaker = line.speaker.as_ref().map(|who| cast.get(who)).transpose()?;
        let arrival = self.let_in(speaker.as_ref(), line.attribute)?;
        let witnesses = self.witnesses(line, speaker.as_ref(), cast)?;
        self.check_host_id(line)?;
        let wall_ms = line.wall_ms.unwrap_or(self.now_ms);
        let tip = self.push(NewRow {
            attribute: Some(line.attribute),
            speaker: speaker.as_ref().map(|speaker| speaker.no),
            display_name: line.display_name.as_deref(),
            tick: line.tick,
            wall_ms,
            host_id: line.host_id.as_deref(),
            arrival,
            hidden: line.hidden,
            round: line.round.map(|round| round.get() as i64),
            wording: Some(&line.wording),
            ..NewRow::nothing_said(witnesses)
        });
        self.heard.insert(witnesses);
        if line.hidden {
            log::set(self.connection, self.world.no, self.revision, Kind::Hidden, tip.number, Some(1))?;
        }
        let id = LineId::new(tip.number as u64)?;
        self.told.push(Told {
            id,
            parent: self.last_line.replace(id),
            speaker,
            tick: tip.tick,
            wall_ms,
            witnesses: self.circles.ids(self.connection, witnesses)?,
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

    fn witnesses(&mut self, line: &NewLine, speaker: Option<&Known>, cast: &mut Cast<'_>) -> Result<i64> {
        let speaks = speaker.filter(|speaker| !speaker.is_narrator).map(|speaker| speaker.no);
        let mut persons = match (&line.witnesses, line.attribute, speaker) {
            // A system line is for its addressee's eyes only.
            (_, Attribute::System, Some(_)) => Vec::new(),
            (Some(witnesses), ..) => cast.persons(witnesses)?,
            (None, ..) => return self.listeners(line, speaks),
        };
        persons.extend(speaks);
        circle::intern(self.connection, self.world.no, &persons)
    }

    /// Who hears what is said aloud: those present, and in a round those who are with it.
    fn listeners(&mut self, line: &NewLine, speaker: Option<i64>) -> Result<i64> {
        let Some(round) = line.round.map(|round| round.get() as i64) else { return Ok(self.present) };
        let company = match self.companies.entry(round) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let (root, beginning) = (self.root, self.row.beginning);
                place.insert(Company::at(self.connection, self.world, round, root, beginning)?)
            }
        };
        company.circle(self.connection, self.world, &self.rows, speaker)
    }

    fn check_host_id(&mut self, line: &'l NewLine) -> Result<()> {
        let Some(host_id) = &line.host_id else { return Ok(()) };
        if !self.host_ids.insert(host_id) {
            return Err(Error::conflict(format!("two lines of this batch have the host id {host_id:?}"))
                .hint("a host id names one line of a conversation")
                .into());
        }
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
    pub(crate) fn turn(&mut self, present: i64) -> Result<()> {
        self.present = present;
        self.arrivals.extend(circle::members(self.connection, present)?);
        let nobody = circle::intern(self.connection, self.world.no, &[])?;
        self.push(NewRow { arrival: true, ..NewRow::nothing_said(nobody) });
        Ok(())
    }

    /// Puts a node behind the tip; its place in the tree is filled in here.
    fn push(&mut self, row: NewRow<'l>) -> Tip {
        let (at, tick) = Order::place(row.tick, self.tip.map(|tip| (tip.at, tip.tick)), self.world_time);
        let number = self.next as i64;
        let said = self.tip.map_or(0, |tip| tip.said) + i64::from(row.attribute.is_some());
        let fork = match self.rows.last_mut() {
            Some(before) => {
                before.child = Some(number);
                false
            }
            None => self.forks,
        };
        self.rows.push(NewRow {
            key: self.world.line_key(self.next),
            conversation: self.row.no,
            parent: self.tip.map(|tip| tip.number),
            fork,
            said,
            spoken: self.last_line.filter(|_| row.attribute.is_none()).map(|line| line.get() as i64),
            tick,
            at,
            present: self.present,
            // Those of the first line came with it: a scene can begin anew with others.
            arrival: row.arrival || self.tip.is_none(),
            active: self.continues,
            revision: self.revision,
            ..row
        });
        let tip = Tip { number, at, tick, said };
        self.tip = Some(tip);
        self.next += 1;
        tip
    }

    /// Writes the new nodes and moves the head to the last of them.
    pub(crate) fn finish(self) -> Result<Grown> {
        let Self { connection, world, row, revision, heard, rows, .. } = self;
        let grown = Grown { told: self.told, conversation: row.id.clone(), revision };
        let Some(tip) = self.tip else { return Ok(grown) };
        if let Some(NewRow { parent: Some(parent), fork: false, .. }) = rows.first() {
            tree::continue_with(connection, world, *parent, self.first as i64)?;
        }
        new_line::insert(connection, &rows)?;
        for circle in heard {
            connection
                .prepare_cached("INSERT OR IGNORE INTO stream (conversation, circle) VALUES (?1, ?2)")?
                .execute([row.no, circle])?;
        }
        log::set(connection, world.no, revision, Kind::Head, row.no, Some(tip.number))?;
        round::grew(connection, world, &rows)?;
        if !self.continues {
            tree::turn_to(connection, world, row.no, Some(tip.number), revision)?;
            away::conversation_returns(connection, world, row.no, revision)?;
            return Ok(grown);
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
        if !row.waits && !grown.told.is_empty() {
            backlog::wait(connection, row.no)?;
        }
        if !row.is_hot {
            recency::heat(connection, world.no, row.no)?;
        }
        if row.is_away {
            away::conversation_returns(connection, world, row.no, revision)?;
        }
        Ok(grown)
    }
}

/// New lines that are in the table.
pub(crate) struct Grown {
    told: Vec<Told>,
    conversation: ConversationId,
    pub(crate) revision: u64,
}

impl Grown {
    /// As they can be read from now on; `lines` are those that were added.
    pub(crate) fn lines(self, lines: Vec<NewLine>) -> Vec<Line> {
        lines.into_iter().zip(self.told).map(|(line, told)| told.with(line, &self.conversation)).collect()
    }
}
