//! How is somebody's mind looked into while nobody is about to speak?
//!
//! It is the one that prompts are made of: read once, kept at hand, brought up to date with what changed. So whoever looks through
//! many memories pays for a pass over them, not for reading them.

use super::Engine;
use super::minds::{Spoken, Standings};
use super::recalling::{TRIES, Whole};
use crate::Result;
use crate::character::Who;
use crate::cue::Cue;
use crate::id::{CharacterId, WorldId};
use crate::layers::Now;
use crate::mind::Mind;
use crate::recollection::{Kept, Recollections};
use crate::store::Place;

impl Engine {
    /// Looks into a mind as it is now. Others wait who bring news of it, so that looking must be short.
    pub(super) fn look_into<T>(
        &self,
        world: &WorldId,
        holder: &CharacterId,
        look: impl Fn(&Mind, &Standings<'_>) -> T,
    ) -> Result<T> {
        let cue = Cue::new(Who::Id(holder.clone()), Place::Nowhere);
        let mut tries = TRIES;
        loop {
            tries = tries.saturating_sub(1);
            let Whole { mut gathered, settings, space, .. } = self.gather_minds(world, &cue, tries > 0)?;
            let mut read = match gathered.minds.pop() {
                Some(read) => read,
                None => self.without_a_mind(world, holder)?,
            };
            // Others changed this mind each time: it was read as a whole now, and nothing else is used.
            if tries == 0 {
                read.mark = None;
            }
            let tick = gathered.world.time;
            let now = Now::new(&settings.layers, settings.calendar.as_ref(), tick, self.now_ms());
            let spoken = Spoken { space, calendar: settings.calendar.clone() };
            if let Ok(looked) = self.minds.look_into(world, read, &spoken, (&settings.layers, &now), &look) {
                return Ok(looked);
            }
        }
    }

    /// Nobody speaks for a narrator, who may have been a person before.
    fn without_a_mind(&self, world: &WorldId, holder: &CharacterId) -> Result<Recollections> {
        let kept = |held| Kept { held, place: None, names: Vec::new(), vectors: Vec::new() };
        let kept = self.all_of(world, holder, false)?.into_iter().map(kept).collect();
        Ok(Recollections { holder: holder.clone(), mark: None, whole: true, kept, gone: Vec::new() })
    }
}
