//! What became of a line: which memories were made of it, and who has them?

use std::collections::BTreeSet;

use super::{Engine, Listed, Remembered};
use crate::Result;
use crate::id::{CharacterId, LineId, MemoryId, WorldId};
use crate::memories::{HeldQuery, MemoryOrder, WhichHeld};
use crate::memory::Held;

/// Which of the memories that were made of a line, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeOf {
    pub line: LineId,
    /// Also what nobody can recall now: off the path, forgotten, superseded.
    pub all: bool,
    pub after: Option<MemoryId>,
    pub limit: usize,
}

/// Holdings that are looked at together. Few memories are made of one line, and many may have each of them.
const PAGE: usize = 1000;

impl Engine {
    /// The memories that were made of a line itself, in the order of their ids, each with all who have it. What sums these up is
    /// none of them.
    pub fn made_of(&self, world: &WorldId, query: &MadeOf) -> Result<Listed<Vec<Remembered>>> {
        self.check_page(query.limit)?;
        // A line that is not there was never remembered; a mistyped number must not look like one.
        self.store.line(world, query.line)?;
        let mut ids = self.ids_made_of(world, query)?;
        let has_more = ids.len() > query.limit;
        let surplus = ids.iter().nth(query.limit).copied();
        ids.retain(|id| surplus.is_none_or(|surplus| *id < surplus));
        let mut held: Vec<Held> = Vec::new();
        for id in &ids {
            // It may have been erased meanwhile.
            held.extend(self.held_of(world, *id)?);
        }
        let remembered = self.with_standings(world, held)?;
        let each = remembered.chunk_by(|a, b| a.held.memory.id == b.held.memory.id);
        Ok(Listed { items: each.map(<[Remembered]>::to_vec).collect(), has_more })
    }

    /// One more than a page, if there are so many.
    fn ids_made_of(&self, world: &WorldId, query: &MadeOf) -> Result<BTreeSet<MemoryId>> {
        let mut ids = BTreeSet::new();
        // Whoever has the last one of the page before: all of them are passed over.
        let anybody = CharacterId::new("?")?;
        let mut after = query.after.map(|memory| (memory.into(), anybody));
        while ids.len() <= query.limit {
            let asked = HeldQuery {
                all: query.all,
                after,
                limit: PAGE,
                ..HeldQuery::of(None, WhichHeld::From(vec![query.line]))
            };
            let page = self.store.held(world, &asked)?;
            after = page.last().map(|last| MemoryOrder::Made.place(last));
            ids.extend(page.iter().map(|held| held.memory.id).filter(|id| Some(*id) != query.after));
            if page.len() < PAGE {
                break;
            }
        }
        Ok(ids)
    }
}
