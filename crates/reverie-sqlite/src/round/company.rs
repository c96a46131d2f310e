//! Who hears what is said in a round?
//!
//! Those who were there when it opened; whoever spoke in it since; and whoever came to the scene, not who left it. What happens in
//! another round is that round's own: its people neither come to this one nor leave it.

use std::collections::BTreeSet;

use reverie_core::Attribute;
use rusqlite::{Connection, params};

use crate::circle;
use crate::error::Result;
use crate::new_line::NewRow;
use crate::tree::checked_parent;
use crate::world::WorldRow;

/// Those who are with a round at a node.
pub(crate) struct Company {
    /// The number of the round.
    round: i64,
    members: BTreeSet<i64>,
    /// The circle of those in the conversation at that node.
    present: i64,
    /// How many new nodes it knows of.
    rows: usize,
}

/// As much of a node as says who came and went.
struct Step {
    round: Option<i64>,
    /// Who spoke, if it was neither a direction nor a narrator.
    speaker: Option<i64>,
    present: i64,
    /// False if the people of another round came with its opening.
    is_known: bool,
}

impl Company {
    /// At this node; None: at the root, where those of `beginning` are.
    pub(crate) fn at(
        connection: &Connection,
        world: &WorldRow,
        round: i64,
        node: Option<i64>,
        beginning: i64,
    ) -> Result<Self> {
        let key = world.key(round as u64);
        let opened: u64 = connection
            .prepare_cached("SELECT revision FROM round WHERE id = ?1")?
            .query_row([key], |row| row.get(0))?;
        let members = connection
            .prepare_cached("SELECT character FROM round_person WHERE round = ?1")?
            .query_map([key], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let (steps, present) = since(connection, world, key, opened, node)?;
        let mut company = Self { round, members, present: present.unwrap_or(beginning), rows: 0 };
        for step in steps.iter().rev() {
            company.take(connection, step)?;
        }
        Ok(company)
    }

    /// Goes on behind new nodes; the circle of those with the round there.
    pub(crate) fn circle(
        &mut self,
        connection: &Connection,
        world: &WorldRow,
        rows: &[NewRow<'_>],
        speaker: Option<i64>,
    ) -> Result<i64> {
        for row in rows.iter().skip(self.rows) {
            let is_said = row.attribute.is_some_and(|attribute| attribute != Attribute::System);
            let mut speaker = row.speaker.filter(|_| is_said);
            if let Some(somebody) = speaker
                && !circle::contains(connection, row.present, somebody)?
            {
                speaker = None;
            }
            let step = Step { round: row.round, speaker, present: row.present, is_known: true };
            self.take(connection, &step)?;
        }
        self.rows = rows.len();
        let members: Vec<i64> = self.members.iter().copied().chain(speaker).collect();
        circle::intern(connection, world.no, &members)
    }

    fn take(&mut self, connection: &Connection, step: &Step) -> Result<()> {
        let before = std::mem::replace(&mut self.present, step.present);
        if step.round == Some(self.round) {
            self.members.extend(step.speaker);
            return Ok(());
        }
        if step.round.is_some() || !step.is_known || before == step.present {
            return Ok(());
        }
        let before: BTreeSet<i64> = circle::members(connection, before)?.into_iter().collect();
        let now: BTreeSet<i64> = circle::members(connection, step.present)?.into_iter().collect();
        self.members.extend(now.difference(&before));
        self.members.retain(|member| now.contains(member) || !before.contains(member));
        Ok(())
    }
}

/// What happened on the way to a node since a round was opened, newest first, and who was in the conversation before that.
fn since(
    connection: &Connection,
    world: &WorldRow,
    round: i64,
    opened: u64,
    node: Option<i64>,
) -> Result<(Vec<Step>, Option<i64>)> {
    // Who speaks and is nobody in the story is not among those present. The revision that opens a round with its people brings
    // them to a scene.
    let mut look = connection.prepare_cached(
        "SELECT l.parent, l.revision, l.round, l.present,
           iif(l.attribute <> ?3 AND EXISTS
             (SELECT 1 FROM circle_member p WHERE p.circle = l.present AND p.character = l.speaker), l.speaker, NULL),
           l.attribute IS NOT NULL OR NOT EXISTS
             (SELECT 1 FROM round r WHERE r.id > ?2 AND r.conversation = l.conversation AND r.explicit = 1
              AND r.revision = l.revision)
         FROM line l WHERE l.id = ?1",
    )?;
    let mut steps = Vec::new();
    let mut at = node;
    while let Some(number) = at {
        let system = Attribute::System.as_str();
        let (parent, revision, step): (Option<i64>, u64, Step) =
            look.query_row(params![world.line_key(number as u64), round, system], |row| {
                let step = Step {
                    round: row.get(2)?,
                    present: row.get(3)?,
                    speaker: row.get(4)?,
                    is_known: row.get(5)?,
                };
                Ok((row.get(0)?, row.get(1)?, step))
            })?;
        if revision <= opened {
            return Ok((steps, Some(step.present)));
        }
        steps.push(step);
        at = checked_parent(number, parent)?;
    }
    Ok((steps, None))
}
