//! How large is a layer, how fast does it fade, and what may be set about that?

use crate::memory::{Kind, Layer};
use crate::settings::{number, real, unknown};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct LayerRules {
    layers: [LayerRule; 4],
    /// Of kinds without a layer.
    capacities: [usize; 4],
    /// After so many hours a summed-up round is past.
    pub active_hours: u64,
    /// Below this activity a memory is dormant.
    pub floor: f64,
    pub hour: Hour,
    /// So many days are one era.
    pub era_days: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerRule {
    pub capacity: usize,
    /// The part of the activity that is lost each hour.
    pub decay: f64,
}

/// What an hour is, for decay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hour {
    /// As the world's calendar defines it; without one nothing decays.
    Calendar,
    Ticks(f64),
    /// Of the wall clock.
    Wall,
    Never,
}

/// Every key: its name, its default, what it means.
pub const KEYS: &[(&str, &str, &str)] = &[
    (
        "layers.active.capacity",
        "6",
        "rounds that stay before a character, the newest; older ones leave once their day is summed up",
    ),
    ("layers.active.hours", "24", "hours after which a summed-up round leaves, however few there are"),
    ("layers.situational.capacity", "20", "host events and pinned rounds, the liveliest"),
    ("layers.situational.decay", "0.05", "the part of its activity that one loses each hour"),
    ("layers.events.capacity", "50", "summaries of days, the liveliest"),
    ("layers.events.decay", "0.00384", "the part of its activity that one loses each hour"),
    ("layers.archive.capacity", "50", "summaries of eras, the liveliest"),
    ("layers.archive.decay", "0.00128", "the part of its activity that one loses each hour"),
    ("layers.semantic.capacity", "500", "facts, the weightiest"),
    ("layers.trait.capacity", "100", "traits, the weightiest"),
    ("layers.goal.capacity", "100", "goals, the weightiest"),
    (
        "layers.floor",
        "0.025",
        "below this activity a memory is dormant: kept, found by a search, not put before anyone",
    ),
    (
        "layers.hour",
        "calendar",
        "what an hour is for decay: calendar (without one nothing decays), wall, never, or a number of ticks",
    ),
    ("layers.era_days", "15", "days after which summaries of days are summed up"),
];

impl Default for LayerRules {
    fn default() -> Self {
        let layer = |capacity, decay| LayerRule { capacity, decay };
        Self {
            layers: [layer(6, 0.0), layer(20, 0.05), layer(50, 0.00384), layer(50, 0.00128)],
            capacities: [usize::MAX, 500, 100, 100],
            active_hours: 24,
            floor: 0.025,
            hour: Hour::Calendar,
            era_days: 15,
        }
    }
}

impl LayerRules {
    pub fn of(&self, layer: Layer) -> LayerRule {
        let [active, situational, events, archive] = self.layers;
        match layer {
            Layer::Active => active,
            Layer::Situational => situational,
            Layer::Events => events,
            Layer::Archive => archive,
        }
    }

    pub(super) fn capacity(&self, kind: Kind) -> usize {
        let [episodic, semantic, traits, goals] = self.capacities;
        match kind {
            Kind::Episodic => episodic,
            Kind::Semantic => semantic,
            Kind::Trait => traits,
            Kind::Goal => goals,
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let count = || number(key, value, 1 << 20);
        let share = || real(key, value, 0.0..=1.0);
        let [active, situational, events, archive] = &mut self.layers;
        let [_, semantic, traits, goals] = &mut self.capacities;
        match key {
            "layers.active.capacity" => active.capacity = count()?,
            "layers.active.hours" => self.active_hours = count()? as u64,
            "layers.situational.capacity" => situational.capacity = count()?,
            "layers.situational.decay" => situational.decay = share()?,
            "layers.events.capacity" => events.capacity = count()?,
            "layers.events.decay" => events.decay = share()?,
            "layers.archive.capacity" => archive.capacity = count()?,
            "layers.archive.decay" => archive.decay = share()?,
            "layers.semantic.capacity" => *semantic = count()?,
            "layers.trait.capacity" => *traits = count()?,
            "layers.goal.capacity" => *goals = count()?,
            "layers.floor" => self.floor = share()?,
            "layers.hour" => self.hour = Hour::from_name(value)?,
            "layers.era_days" => self.era_days = count()?.max(1) as i64,
            _ => return Err(unknown(key)),
        }
        Ok(())
    }
}

impl Hour {
    fn from_name(name: &str) -> Result<Self> {
        match (name, name.parse::<f64>()) {
            ("calendar", _) => Ok(Self::Calendar),
            ("wall", _) => Ok(Self::Wall),
            ("never", _) => Ok(Self::Never),
            (_, Ok(ticks)) if ticks.is_finite() && ticks > 0.0 => Ok(Self::Ticks(ticks)),
            _ => Err(Error::invalid(format!("layers.hour cannot be {name:?}"))
                .hint("use calendar, wall, never, or a number of ticks above 0")),
        }
    }
}
