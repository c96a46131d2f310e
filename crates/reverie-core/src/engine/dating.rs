//! When was it, for somebody who looks at a world from outside?

use std::collections::BTreeMap;

use super::Engine;
use crate::Result;
use crate::id::{MemoryId, WorldId};
use crate::settings::WorldSettings;
use crate::time::{Language, Moment, Tick};
use crate::time_words::bare;

/// A tick in the words of a world's calendar. None: the world has none, or its calendar does not reach so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    pub tick: Tick,
    pub date: Option<String>,
    /// Without hours and what else is shorter than a day.
    pub day: Option<String>,
}

impl Engine {
    /// What a world calls these ticks.
    pub fn dates(&self, world: &WorldId, ticks: &[Tick], language: Option<Language>) -> Result<Vec<Dated>> {
        let world = self.world(world)?;
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let language = language.unwrap_or(settings.language);
        let dated = |tick: &Tick| {
            let moment = Moment { tick: Some(*tick), wall_ms: None };
            let calendar = settings.calendar.as_ref();
            let date = calendar.and_then(|calendar| calendar.format(moment, language));
            let day = calendar.and_then(|calendar| calendar.format_day(moment, language));
            Dated { tick: *tick, date: date.map(|stamp| bare(&stamp)), day: day.map(|stamp| bare(&stamp)) }
        };
        Ok(ticks.iter().map(dated).collect())
    }

    /// When the first of what each of these memories sums up happened; of those that sum up nothing, nothing.
    pub fn begun(&self, world: &WorldId, memories: &[MemoryId]) -> Result<BTreeMap<MemoryId, Moment>> {
        if memories.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.store.begun(world, memories)
    }
}
