//! What does a character's memory look like from afar?

use super::Engine;
use super::minds::Spoken;
use super::recalling::{TRIES, Whole};
use crate::Result;
use crate::character::Who;
use crate::cue::Cue;
use crate::id::{CharacterId, WorldId};
use crate::layers::Now;
use crate::map::{By, MapQuery, MemoryMap, draw};
use crate::store::Place;

impl Engine {
    /// A map of what somebody can recall: by meaning where most of it has a place in the world's space, else by words. Writes
    /// nothing and asks nobody. The same memories are the same map; who asks again before they change gets it at once.
    pub fn memory_map(&self, world: &WorldId, holder: &CharacterId, query: &MapQuery) -> Result<MemoryMap> {
        query.when.check()?;
        self.character(world, holder)?;
        let cue = Cue::new(Who::Id(holder.clone()), Place::Nowhere);
        for tries in (0..TRIES).rev() {
            let Whole { mut gathered, settings, space, .. } = self.gather_minds(world, &cue, tries > 0)?;
            let Some(mut read) = gathered.minds.pop() else { break };
            // Others changed this mind each time: then nobody else's reading is used.
            if tries == 0 {
                read.mark = None;
            }
            let tick = gathered.world.time;
            let now = Now::new(&settings.layers, settings.calendar.as_ref(), tick, self.now_ms());
            let spoken = Spoken { space: space.clone(), calendar: settings.calendar.clone() };
            let drawn = self
                .minds
                .look_into(world, read, &spoken, (&settings.layers, &now), |mind, _| draw(mind, query));
            if let Ok(drawn) = drawn {
                let map = drawn?;
                let space = space.filter(|_| map.by == By::Meaning);
                return Ok(MemoryMap { space, ..map });
            }
        }
        Ok(MemoryMap::default())
    }
}
