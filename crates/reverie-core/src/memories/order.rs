//! In what order are memories listed, and where does one stand in it?

use crate::id::{CharacterId, MemoryId};
use crate::memory::{Held, Memory};
use crate::time::Tick;

/// What comes first, when the first comes first. Of equals, what was made first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MemoryOrder {
    /// What was made first.
    #[default]
    Made,
    /// What happened first, by the wall clock.
    Time,
    /// What happened first by the host's clock. What has no tick comes before all that has one, by the wall clock.
    Tick,
}

/// Where a memory stands among others, in an order: greater is later. It says all that is needed to go on behind it, so that a page
/// ends at the same place whatever became of the memory meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// None where the host's clock does not count.
    pub tick: Option<Tick>,
    /// 0 where no clock counts.
    pub wall_ms: i64,
    pub memory: MemoryId,
}

impl MemoryOrder {
    pub fn spot(self, memory: &Memory) -> Spot {
        let Memory { id, tick, wall_ms, .. } = *memory;
        match self {
            Self::Made => Spot::from(id),
            Self::Time => Spot { tick: None, wall_ms, memory: id },
            Self::Tick => Spot { tick, wall_ms, memory: id },
        }
    }

    /// Where a page ends that ends with this one.
    pub fn place(self, held: &Held) -> (Spot, CharacterId) {
        (self.spot(&held.memory), held.holder.clone())
    }
}

/// Among memories in the order in which they were made.
impl From<MemoryId> for Spot {
    fn from(memory: MemoryId) -> Self {
        Self { tick: None, wall_ms: 0, memory }
    }
}
