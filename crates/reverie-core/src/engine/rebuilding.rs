//! How is everything that was derived from lines derived anew?

use super::Engine;
use crate::Result;
use crate::id::{CheckpointId, WorldId};
use crate::memories::LetGo;

/// What a rebuild begins with. What is left to do, digest does: by and by, and after a crash as if there had been none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilding {
    /// Names the revision before the rebuild: restoring it takes the rebuild back.
    pub checkpoint: CheckpointId,
    pub let_go: LetGo,
}

impl Engine {
    /// Lets go of all that was derived from what was said, so that [`digest`](Self::digest) derives it anew: the memories of rounds, the
    /// summaries of days and eras, and what models found worth keeping. Pinned and reworded memories, events and what was written by
    /// hand stay; what was forgotten stays forgotten. Rounds stay as they were found.
    pub fn rebuild(&self, world: &WorldId, checkpoint: Option<CheckpointId>) -> Result<Rebuilding> {
        let revision = self.world(world)?.revision;
        let checkpoint = match checkpoint {
            Some(checkpoint) => checkpoint,
            None => CheckpointId::new(&format!("before-rebuild-{revision}"))?,
        };
        let let_go = self.store.derive_anew(world, &checkpoint, self.now_ms())?;
        self.sum_up_anew(world);
        Ok(Rebuilding { checkpoint, let_go })
    }
}
