//! How does the change log leave?

use reverie_core::record::Record;
use reverie_core::world::Change;
use reverie_core::{LineId, MemoryId, RoundId};
use rusqlite::{Row, params};

use super::{Out, found};
use crate::circle::Circles;
use crate::error::Result;
use crate::line::number;
use crate::log::Kind;
use crate::round;

impl Out<'_> {
    /// In the order of revisions; within one, what speaks of holdings in the order of memories and holders.
    pub(super) fn changes(&mut self) -> Result<()> {
        let mut circles = Circles::default();
        let mut statement = self.connection.prepare(
            "SELECT c.revision, c.kind, c.subject, c.value, h.memory, h.holder
             FROM change c INDEXED BY change_by_revision LEFT JOIN holding h ON c.kind = 9 AND h.no = c.subject
             WHERE c.world = ?1 AND c.revision <= ?2
             ORDER BY c.revision, c.kind, coalesce(h.memory, c.subject), h.holder",
        )?;
        let mut rows = statement.query(params![self.world.no, self.revision])?;
        while let Some(row) = rows.next()? {
            let change = self.change(row, &mut circles)?;
            (self.sink)(Record::Change { revision: row.get(0)?, change })?;
        }
        Ok(())
    }

    fn change(&self, row: &Row<'_>, circles: &mut Circles) -> Result<Change> {
        let (subject, value): (i64, Option<i64>) = (row.get(2)?, row.get(3)?);
        let version = u32::try_from(value.unwrap_or(0)).unwrap_or(0);
        let line = || LineId::new(subject as u64);
        Ok(match Kind::from_number(row.get(1)?)? {
            Kind::Head => Change::Head {
                conversation: found(&self.ids.conversations, subject)?,
                line: value.map(|line| LineId::new(line as u64)).transpose()?,
            },
            Kind::Wording => Change::Wording { line: line()?, version },
            Kind::Hidden => Change::Hidden { line: line()?, hidden: version != 0 },
            Kind::Unshown => Change::Unshown { line: line()?, unshown: version != 0 },
            Kind::Card => Change::Card { character: found(&self.ids.characters, subject)?, version },
            Kind::Settings => Change::Settings { version },
            Kind::ConversationAway => Change::ConversationAway {
                conversation: found(&self.ids.conversations, subject)?,
                away: version != 0,
            },
            Kind::CharacterAway => {
                Change::CharacterAway { character: found(&self.ids.characters, subject)?, away: version != 0 }
            }
            Kind::Beginning => Change::Beginning {
                conversation: found(&self.ids.conversations, subject)?,
                people: value.map(|circle| circles.ids(self.connection, circle)).transpose()?,
            },
            Kind::Forgotten => Change::Forgotten {
                line: line()?,
                by: match value {
                    Some(circle) => circles.ids(self.connection, circle)?,
                    None => Vec::new(),
                },
            },
            Kind::Round => Change::Round {
                round: RoundId::new(subject as u64)?,
                state: value.map(round::state_of).transpose()?,
            },
            Kind::Holding => Change::Holding {
                memory: MemoryId::new(number(row.get(4)?))?,
                holder: found(&self.ids.characters, row.get(5)?)?,
                version: value.map(|_| version),
            },
        })
    }
}
