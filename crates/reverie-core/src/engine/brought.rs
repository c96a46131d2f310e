//! What of the memories that came to mind stands in a history that the host brings along?

use std::collections::BTreeSet;

use super::Engine;
use crate::Result;
use crate::compose::SaidAgain;
use crate::cue::Cue;
use crate::id::{LineId, WorldId};
use crate::rank::Considered;

/// Of so many lines it is looked at what they say, those of the nearest memories.
const LOOKED_AT: usize = 512;

impl Engine {
    /// Looks at what the memories were made of that may enter; of a history that is recorded nothing has to be looked at.
    pub(super) fn said_again(
        &self,
        world: &WorldId,
        cue: &Cue,
        considered: &[Considered],
    ) -> Result<SaidAgain> {
        let Some(history) = cue.history.as_ref().filter(|history| !history.is_empty()) else {
            return Ok(SaidAgain::default());
        };
        // What tells more than the history has does not stand in it.
        let may_stand =
            |one: &&Considered| one.barred.is_none() && !one.is_constant && one.lines.len() <= history.len();
        let mut lines: BTreeSet<LineId> = BTreeSet::new();
        for one in considered.iter().filter(may_stand) {
            if lines.len() + one.lines.len() > LOOKED_AT {
                break;
            }
            lines.extend(&one.lines);
        }
        if lines.is_empty() {
            return Ok(SaidAgain::default());
        }
        let lines: Vec<LineId> = lines.into_iter().collect();
        Ok(SaidAgain::new(history, self.store.words_of(world, &lines)?))
    }
}
