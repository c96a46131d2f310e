//! Which memories crowd out which others?
//!
//! Much of that does not change while time passes: it is found out once for all that somebody can recall, from a few words about
//! each. What does change is found out for those layers alone that fade.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Dormant, LayerRules, Now, Standing, activity};
use crate::memory::{Held, Kind, Layer, Origin};
use crate::time::{Moment, Tick};

/// What decides about the place of a memory among others. Small, because it is looked through as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stand {
    layer: Option<Layer>,
    kind: Kind,
    stays: bool,
    importance: f64,
    age: Age,
}

/// Greater is newer. No two memories have the same.
type Age = (Option<Tick>, i64, u64);

impl Stand {
    pub(crate) fn of(held: &Held) -> Self {
        Self {
            layer: held.state.layer,
            kind: held.memory.kind,
            stays: stays(held),
            importance: held.importance(),
            age: age(held),
        }
    }
}

/// Whether it takes no place: what is pinned, and what somebody took the trouble to write down.
fn stays(held: &Held) -> bool {
    let is_noted = held.memory.origin == Origin::Hand && held.state.layer == Some(Layer::Situational);
    held.state.pinned || is_noted
}

/// How all that one can recall is ordered, whatever the time is.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Rounds from this one on stay before the character. None: all do.
    newest_rounds: Option<Age>,
    /// By kind, of what has no layer: these and whatever is weightier have room, where not all have.
    weightiest: BTreeMap<Kind, (f64, Age)>,
    /// Where memories fade, by layer.
    fading: BTreeMap<Layer, Vec<u32>>,
}

impl Order {
    pub(crate) fn new<'s>(stands: impl Iterator<Item = (u32, &'s Stand)>, rules: &LayerRules) -> Self {
        let mut order = Self::default();
        // There are many more of these than have room.
        let mut rounds = Greatest::new(rules.of(Layer::Active).capacity);
        let mut kinds: BTreeMap<Kind, Vec<(f64, Age)>> = BTreeMap::new();
        for (place, stand) in stands.filter(|(_, stand)| !stand.stays) {
            match stand.layer {
                Some(Layer::Active) => rounds.offer(stand.age),
                Some(layer) => order.fading.entry(layer).or_default().push(place),
                None => kinds.entry(stand.kind).or_default().push((stand.importance, stand.age)),
            }
        }
        order.newest_rounds = rounds.last();
        for (kind, mut ranked) in kinds {
            let last = last_with_room(&mut ranked, rules.capacity(kind), by_weight);
            order.weightiest.extend(last.map(|last| (kind, last)));
        }
        order
    }

    /// What is liveliest now, of each layer that fades.
    pub(crate) fn at<'h>(
        &self,
        held: impl Fn(u32) -> Option<&'h Held>,
        rules: &LayerRules,
        now: &Now,
    ) -> Lively {
        let mut lively = Lively::default();
        for (layer, of_layer) in &self.fading {
            let known = of_layer.iter().filter_map(|place| held(*place));
            let alive = known.map(|held| (activity(held, rules, now), age(held)));
            let mut alive: Vec<(f64, Age)> = alive.filter(|(activity, _)| *activity >= rules.floor).collect();
            let last = last_with_room(&mut alive, rules.of(*layer).capacity, by_weight);
            lively.liveliest.extend(last.map(|last| (*layer, last)));
        }
        lively
    }

    /// How one of them stands now.
    pub(crate) fn standing(&self, lively: &Lively, held: &Held, rules: &LayerRules, now: &Now) -> Standing {
        let activity = activity(held, rules, now);
        let standing = |dormant: Option<Dormant>| Standing { activity, dormant };
        if held.state.pinned {
            return standing(None);
        }
        let age = age(held);
        let dormant = match held.state.layer {
            Some(Layer::Active) => {
                let then = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
                let is_old = || now.hours_since(then).is_some_and(|hours| hours >= rules.active_hours);
                let has_room = self.newest_rounds.is_none_or(|last| age >= last);
                (held.summarised.is_some() && (!has_room || is_old())).then_some(Dormant::Past)
            }
            Some(_) if activity < rules.floor => Some(Dormant::Faded),
            Some(layer) => {
                let last = lively.liveliest.get(&layer).filter(|_| !stays(held));
                (!has_room(last, &(activity, age))).then_some(Dormant::Crowded)
            }
            None => {
                let last = self.weightiest.get(&held.memory.kind);
                (!has_room(last, &(held.importance(), age))).then_some(Dormant::Crowded)
            }
        };
        standing(dormant)
    }
}

/// By layer: these and whatever is livelier have room, where not all have.
#[derive(Debug, Default)]
pub(crate) struct Lively {
    liveliest: BTreeMap<Layer, (f64, Age)>,
}

fn has_room(last: Option<&(f64, Age)>, one: &(f64, Age)) -> bool {
    last.is_none_or(|last| by_weight(one, last).is_ge())
}

/// Of equals the newer is greater.
fn by_weight(a: &(f64, Age), b: &(f64, Age)) -> Ordering {
    a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))
}

/// The greatest so many of all that come by. Whoever offers the greatest first, offers the rest for next to nothing.
struct Greatest {
    room: usize,
    came: usize,
    kept: Vec<Age>,
    /// What is not greater is not among them.
    least: Option<Age>,
}

/// So many more than have room are kept before the least of them are let go.
const SPARE: usize = 64;

impl Greatest {
    fn new(room: usize) -> Self {
        Self { room, came: 0, kept: Vec::new(), least: None }
    }

    fn offer(&mut self, age: Age) {
        self.came += 1;
        if self.least.is_some_and(|least| age <= least) {
            return;
        }
        self.kept.push(age);
        if self.kept.len() >= self.room.saturating_mul(2).saturating_add(SPARE) {
            self.least = last_with_room(&mut self.kept, self.room, Age::cmp);
            self.kept.truncate(self.room);
        }
    }

    /// The last of them. None: there was room for all.
    fn last(mut self) -> Option<Age> {
        match self.kept.len() {
            // All others were less than each of these.
            kept if kept == self.room && self.came > kept => self.least,
            _ => last_with_room(&mut self.kept, self.room, Age::cmp),
        }
    }
}

/// The last of so many, the greatest first. None: there is room for all; with room for none, it is beyond all.
fn last_with_room<T: Copy + Beyond>(
    all: &mut [T],
    room: usize,
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<T> {
    if all.len() <= room {
        return None;
    }
    match room.checked_sub(1) {
        Some(last) => Some(*all.select_nth_unstable_by(last, |a, b| order(b, a)).1),
        None => Some(T::BEYOND),
    }
}

/// What is greater than all others.
trait Beyond {
    const BEYOND: Self;
}

impl Beyond for Age {
    const BEYOND: Self = (Some(Tick::MAX), i64::MAX, u64::MAX);
}

impl Beyond for (f64, Age) {
    const BEYOND: Self = (f64::INFINITY, Age::BEYOND);
}

fn age(held: &Held) -> Age {
    (held.memory.tick, held.memory.wall_ms, held.memory.id.get())
}
