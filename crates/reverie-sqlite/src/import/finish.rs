//! When all records are there: what does the log imply, and when may the world be seen?

use std::vec::IntoIter;

use reverie_core::world::World;
use reverie_core::{ConversationId, WorldId};
use rusqlite::{Connection, params};

use super::arrival::{Arrival, Room, taken};
use super::leftovers::{self, Arriving};
use super::remembered::Settling;
use super::{along, broken};
use crate::backlog;
use crate::error::Result;
use crate::living::Stirred;
use crate::log::{self, Kind};
use crate::recency;
use crate::round::standing;
use crate::tree::{self, Way};
use crate::world::{self, WorldRow};

/// Deriving a conversation again costs about as much as changing so many rows.
const STEPS_OF_A_ROOM: usize = 16;

/// A world of which all records are written, and of what they imply some.
pub(super) struct Finish {
    world: WorldRow,
    pub(super) arriving: Arriving,
    revision: u64,
    /// Kind and subject of whatever the log speaks of, except heads.
    things: IntoIter<(i64, i64)>,
    rooms: IntoIter<Room>,
    /// A conversation whose active path is being led to its head.
    moving: Option<(i64, Way)>,
    settling: Settling,
}

pub(super) enum Progress {
    UnderWay(Box<Finish>),
    Arrived(World),
}

impl Finish {
    pub(super) fn begin(connection: &Connection, arrival: Arrival) -> Result<Self> {
        let no = arrival.row.no;
        let head = &arrival.head;
        connection.execute(
            "UPDATE world SET revision = ?2, next_line = ?3, next_round = ?4, next_memory = ?5, next_conversation = ?6
             WHERE no = ?1",
            params![
                no,
                head.revision,
                head.next_line,
                head.next_round,
                head.next_memory,
                next_conversation(&arrival)?
            ],
        )?;
        world::apply_settings(connection, no, 0)?;
        let has_settings = connection
            .prepare("SELECT 1 FROM setting WHERE world = ?1 AND version = 0 AND key = ''")?
            .exists([no])?;
        if !has_settings {
            return Err(broken("it has no settings"));
        }
        let things: Vec<(i64, i64)> = connection
            .prepare("SELECT DISTINCT kind, subject FROM change WHERE world = ?1 AND kind <> ?2")?
            .query_map([no, Kind::Head as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Self {
            revision: head.revision,
            things: things.into_iter(),
            rooms: arrival.rooms().into_iter(),
            moving: None,
            settling: Settling::begin(),
            arriving: arrival.arriving,
            world: arrival.row,
        })
    }

    pub(super) fn keep_alive(&self, connection: &Connection) -> Result<()> {
        leftovers::keep_alive(connection, self.arriving)
    }

    /// One slice of the rest: about so many rows are changed.
    pub(super) fn advance(mut self, connection: &Connection, id: &WorldId, steps: usize) -> Result<Progress> {
        let mut left = steps;
        while left > 0 {
            if let Some((room, way)) = self.moving.take() {
                self.lead(connection, room, way, &mut left)?;
            } else if let Some((kind, subject)) = self.things.next() {
                self.apply(connection, Kind::from_number(kind)?, subject)?;
                left -= 1;
            } else if let Some(room) = self.rooms.next() {
                let head = self.value(connection, Kind::Head, room.no)?;
                self.lead(connection, room.no, (room.tip.map(|tip| tip.line), head), &mut left)?;
            } else if self.settling.advance(connection, &self.world)? {
                left -= 1;
            } else {
                recency::cool_all(connection, self.world.no)?;
                along::settle(connection, &self.world)?;
                let is_free = leftovers::reveal(connection, self.arriving, id)?;
                is_free.then_some(()).ok_or_else(|| taken(id))?;
                return Ok(Progress::Arrived(world::read(connection, id)?));
            }
        }
        Ok(Progress::UnderWay(Box::new(self)))
    }

    fn value(&self, connection: &Connection, kind: Kind, subject: i64) -> Result<Option<i64>> {
        log::value_at(connection, self.world.no, kind, subject, self.revision)
    }

    fn apply(&self, connection: &Connection, kind: Kind, subject: i64) -> Result<()> {
        let value = self.value(connection, kind, subject)?;
        match kind {
            // Whatever depends on it is derived with the rest of the conversation.
            Kind::Beginning => tree::write_beginning(connection, &self.world, subject, value),
            kind => log::apply(connection, &self.world, kind, subject, value, &mut Stirred::default()),
        }
    }

    fn lead(&mut self, connection: &Connection, room: i64, way: Way, left: &mut usize) -> Result<()> {
        let (old, new) = tree::switch_path(connection, &self.world, way, left, &mut Vec::new())?;
        if old != new {
            self.moving = Some((room, (old, new)));
            return Ok(());
        }
        tree::write_head(connection, room, self.value(connection, Kind::Head, room)?)?;
        tree::refresh(connection, &self.world, room)?;
        standing::end_where_unknown(connection, room)?;
        backlog::settle(connection, &self.world, room)?;
        *left = left.saturating_sub(STEPS_OF_A_ROOM);
        Ok(())
    }
}

/// Behind those of our own ids that are taken, so that nobody has to try them all again.
fn next_conversation(arrival: &Arrival) -> Result<u64> {
    let mut next = 1;
    while arrival.has_conversation(&ConversationId::new(&format!("c{next}"))?) {
        next += 1;
    }
    Ok(next)
}
