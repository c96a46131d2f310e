//! How alive is a lived memory, and which have sunk out of reach?
//!
//! Nothing is written while time passes: what a memory is now follows from what it was and from world time. A dormant memory
//! is kept and can be searched for; it is not put before the character any more.

mod order;
mod rules;

pub(crate) use order::{Lively, Order, Stand};
pub use rules::{Hour, KEYS, LayerRule, LayerRules};

use std::borrow::Borrow;

use crate::memory::Held;
use crate::time::{Calendar, Moment, Tick};

/// The present, as far as memories are concerned.
#[derive(Debug, Clone, PartialEq)]
pub struct Now {
    pub moment: Moment,
    /// None: no hour is defined, and nothing decays.
    hour: Option<f64>,
    is_wall: bool,
}

impl Now {
    /// `time` is the world's time, `wall_ms` that of whoever asks.
    pub fn new(rules: &LayerRules, calendar: Option<&Calendar>, time: Option<Tick>, wall_ms: i64) -> Self {
        let hour = match rules.hour {
            Hour::Calendar => calendar.and_then(Calendar::ticks_per_hour),
            Hour::Ticks(ticks) => Some(ticks),
            Hour::Wall => Some(MS_PER_HOUR),
            Hour::Never => None,
        };
        let moment = Moment { tick: time, wall_ms: Some(wall_ms) };
        Self { moment, hour: hour.filter(|hour| *hour > 0.0), is_wall: rules.hour == Hour::Wall }
    }

    /// Whether the first of two moments comes before the second, or at the same time.
    fn is_before(&self, one: Moment, other: Moment) -> bool {
        match self.is_wall {
            true => one.wall_ms <= other.wall_ms,
            false => one.tick <= other.tick,
        }
    }

    /// Whether memories stand the same at both: where no hour is defined, at any time.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self == other || (self.hour.is_none() && other.hour.is_none())
    }

    /// Days since then; None where they cannot be counted.
    pub fn days_since(&self, then: Moment) -> Option<f64> {
        self.hours_since(then).map(|hours| hours as f64 / 24.0)
    }

    /// Whole hours since then; None where they cannot be counted. What lies ahead, after an undo, is now.
    fn hours_since(&self, then: Moment) -> Option<u64> {
        let (now, then) = match self.is_wall {
            true => (self.moment.wall_ms?, then.wall_ms?),
            false => (self.moment.tick?, then.tick?),
        };
        Some((now.saturating_sub(then).max(0) as f64 / self.hour?) as u64)
    }
}

const MS_PER_HOUR: f64 = 3_600_000.0;

/// How alive a memory is now.
pub fn activity(held: &Held, rules: &LayerRules, now: &Now) -> f64 {
    let rate = held.state.layer.map_or(0.0, |layer| rules.of(layer).decay);
    if held.state.pinned || rate == 0.0 {
        return held.state.activity;
    }
    let set_ms = held.state.since_ms.unwrap_or(held.memory.wall_ms);
    let set = Moment { tick: held.state.since, wall_ms: Some(set_ms) };
    let refreshed = held.refreshed.filter(|moment| now.is_wall || moment.tick.is_some());
    let (value, then) = match refreshed {
        Some(refreshed) if now.is_before(set, refreshed) => (1.0, refreshed),
        _ => (held.state.activity, set),
    };
    now.hours_since(then).map_or(value, |hours| value * power(1.0 - rate, hours))
}

/// By squaring: the same bits on every machine, which `powf` does not promise.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    pub activity: f64,
    /// None: it can be put before the character.
    pub dormant: Option<Dormant>,
}

/// Why a memory is not put before the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dormant {
    /// Its activity fell below the floor.
    Faded,
    /// Livelier ones, or of facts weightier ones, fill the place.
    Crowded,
    /// Newer rounds took its place among the active, and its day is summed up.
    Past,
}

impl Dormant {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Faded => "faded",
            Self::Crowded => "crowded",
            Self::Past => "past",
        }
    }
}

/// How the memories of one holder stand to each other: for each of them, in the same order. They must be all that the holder
/// can recall.
pub fn standings<H: Borrow<Held>>(held: &[H], rules: &LayerRules, now: &Now) -> Vec<Standing> {
    let stands: Vec<Stand> = held.iter().map(|held| Stand::of(held.borrow())).collect();
    let order = Order::new((0..).zip(&stands), rules);
    let lively = order.at(|place| held.get(place as usize).map(Borrow::borrow), rules, now);
    held.iter().map(|held| order.standing(&lively, held.borrow(), rules, now)).collect()
}
