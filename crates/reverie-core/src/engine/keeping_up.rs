//! How is a mind at hand before somebody is asked to speak?

use super::Engine;
use super::minds::Spoken;
use super::recalling::{TRIES, Whole};
use crate::Result;
use crate::character::Who;
use crate::cue::Cue;
use crate::id::{CharacterId, WorldId};
use crate::layers::Now;
use crate::store::Place;

impl Engine {
    /// Reads what somebody can recall, so that the next prompt need not. How many memories that are.
    pub fn preload(&self, world: &WorldId, who: &Who) -> Result<usize> {
        for tries in (0..TRIES).rev() {
            if let Some(memories) = self.learn(world, who, tries > 0)? {
                return Ok(memories);
            }
        }
        Ok(0)
    }

    /// Brings a mind that is at hand up to date, so that the next prompt need not wait for that. Nobody is told if it cannot be: then that
    /// prompt does it, as it would have anyway.
    pub fn keep_up(&self, world: &WorldId, holder: &CharacterId) {
        if self.minds.is_at_hand(world, holder) {
            let _ = self.learn(world, &Who::Id(holder.clone()), true);
        }
    }

    /// How many memories somebody has; None if others changed them meanwhile. `continues`: what is at hand is only brought up to date.
    fn learn(&self, world: &WorldId, who: &Who, continues: bool) -> Result<Option<usize>> {
        let cue = Cue::new(who.clone(), Place::Nowhere);
        let Whole { mut gathered, settings, space, .. } = self.gather_minds(world, &cue, continues)?;
        let Some(mut read) = gathered.minds.pop() else { return Ok(Some(0)) };
        // Others changed this mind each time, so it is at hand by their reading; only how many they are is told by this one.
        if !continues {
            read.mark = None;
        }
        let tick = gathered.world.time;
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), tick, self.now_ms());
        let spoken = Spoken { space, calendar: settings.calendar.clone() };
        let looked =
            self.minds.look_into(world, read, &spoken, (&settings.layers, &now), |mind, _| mind.len());
        Ok(looked.ok())
    }
}
