//! How does a line find its place in its tree?

use reverie_core::LineId;
use reverie_core::line::{Order, check_tick};
use reverie_core::record::LineRecord;
use rusqlite::{Connection, OptionalExtension};

use super::arrival::{Arrival, Room, Tip};
use super::broken;
use crate::error::Result;
use crate::line;
use crate::new_line::{self, NewRow};
use crate::tree;

/// So far a path is taken back to make place for a branch; a longer one is left to the end.
const SHORT_WAY: usize = 512;

impl Arrival {
    pub(super) fn line(&mut self, connection: &Connection, record: &LineRecord) -> Result<()> {
        let number = record.id.get();
        if number <= self.last_line || number >= self.head.next_line {
            return Err(broken(&format!("line {number} is out of order")));
        }
        self.last_line = number;
        self.lines += 1;
        self.check_revision(record.revision)?;
        let mut room = self.room(&record.conversation)?;
        let place = self.place(connection, record, &room)?;
        check_time(record, place.parent_at)?;
        let Some(((0, wording), others)) = record.wordings.split_first() else {
            return Err(broken(&format!("line {number} has no first wording")));
        };
        let present = self.circle(connection, &record.present)?;
        let witnesses = self.circle(connection, &record.witnesses)?;
        let speaker = record.speaker.as_ref().map(|id| self.character_no(id)).transpose()?;
        let active = place.is_on_path && self.lead_to(connection, &mut room, record.parent)?;
        let fork = match record.parent {
            Some(parent) => !tree::continue_with(connection, &self.row, parent.get() as i64, number as i64)?,
            None => true,
        };
        let key = self.row.line_key(number);
        let said = place.said + i64::from(record.attribute.is_some());
        let row = NewRow {
            key,
            conversation: room.no,
            parent: record.parent.map(|parent| parent.get() as i64),
            child: None,
            fork,
            said,
            spoken: place.spoken.filter(|_| record.attribute.is_none()),
            attribute: record.attribute,
            speaker,
            display_name: record.display_name.as_deref(),
            wording: Some(wording),
            tick: record.tick,
            at: record.at,
            wall_ms: record.wall_ms,
            host_id: record.host_id.as_deref(),
            present,
            arrival: record.parent.is_none() || present != place.parent_present,
            witnesses,
            hidden: false,
            round: record.round.map(|round| round.get() as i64),
            active,
            revision: record.revision,
        };
        new_line::insert(connection, &[row])?;
        if let Some(round) = record.round {
            self.put_into_round(connection, &record.conversation, record.id, round)?;
        }
        for (version, wording) in others {
            line::keep_old(connection, key, *version, wording)?;
        }
        if self.streams.insert((room.no, witnesses)) {
            connection
                .prepare_cached("INSERT OR IGNORE INTO stream (conversation, circle) VALUES (?1, ?2)")?
                .execute([room.no, witnesses])?;
        }
        if active {
            let spoken = if record.attribute.is_some() { Some(number as i64) } else { place.spoken };
            room.tip = Some(Tip { line: number as i64, present, at: record.at, said, spoken });
        }
        self.conversations.insert(record.conversation.clone(), room);
        Ok(())
    }

    fn place(&self, connection: &Connection, record: &LineRecord, room: &Room) -> Result<Place> {
        let Some(parent) = record.parent else {
            return Ok(Place {
                parent_present: room.beginning,
                parent_at: Order::BEFORE_TIME,
                said: 0,
                spoken: None,
                is_on_path: true,
            });
        };
        if let Some(tip) = room.tip.filter(|tip| tip.line == parent.get() as i64) {
            let Tip { present, at, said, spoken, .. } = tip;
            return Ok(Place { parent_present: present, parent_at: at, said, spoken, is_on_path: true });
        }
        let found: Option<(i64, Place)> = connection
            .prepare_cached(
                "SELECT conversation, present, at, said, active, iif(attribute IS NULL, spoken, id & 1099511627775)
                 FROM line WHERE id = ?1",
            )?
            .query_row([self.row.line_key(parent.get())], |row| {
                let (parent_present, parent_at, said) = (row.get(1)?, row.get(2)?, row.get(3)?);
                let (is_on_path, spoken) = (row.get(4)?, row.get(5)?);
                let place = Place { parent_present, parent_at, said, spoken, is_on_path };
                Ok((row.get(0)?, place))
            })
            .optional()?;
        match found {
            Some((of, place)) if of == room.no => Ok(place),
            _ => Err(broken(&format!(
                "line {} names the parent {parent}, which does not come before it",
                record.id
            ))),
        }
    }

    /// Takes the active path back to a line on it, so that it can go on from there. A line is taken back once at most, so
    /// this costs no more than writing them did.
    fn lead_to(&self, connection: &Connection, room: &mut Room, parent: Option<LineId>) -> Result<bool> {
        let parent = parent.map(|parent| parent.get() as i64);
        let tip = room.tip.map(|tip| tip.line);
        if tip == parent {
            return Ok(true);
        }
        let mut left = SHORT_WAY;
        let (reached, _) =
            tree::switch_path(connection, &self.row, (tip, parent), &mut left, &mut Vec::new())?;
        room.tip = match reached {
            None => None,
            Some(line) => {
                let node = tree::node(connection, &self.row, line)?;
                let tree::Node { present, at, said, spoken, .. } = node;
                Some(Tip { line, present, at, said, spoken })
            }
        };
        Ok(reached == parent)
    }
}

/// Where a line hangs.
struct Place {
    parent_present: i64,
    parent_at: i64,
    /// Lines on the path up to the parent.
    said: i64,
    /// The nearest line at or above the parent.
    spoken: Option<i64>,
    /// The parent is on the path that is marked active.
    is_on_path: bool,
}

/// Time never runs backwards along a path; merging conversations relies on it.
fn check_time(record: &LineRecord, parent_at: i64) -> Result<()> {
    let is_known = record.at != Order::BEFORE_TIME;
    for tick in record.tick.into_iter().chain(is_known.then_some(record.at)) {
        check_tick(tick)?;
    }
    if record.at < parent_at.max(record.tick.unwrap_or(Order::BEFORE_TIME)) {
        return Err(broken(&format!("line {} comes before its parent or its own tick", record.id)));
    }
    Ok(())
}
