//! What does a character's memory look like from afar?
//!
//! What is alike lies together: groups, each known by its words, and in each the memories that matter most. Every memory has
//! one place, whatever is asked for: who asks for a stretch of time gets fewer of them, in the same places. What only repeats one of them
//! ([`Mind::repeating`]) is not on it.

mod chance;
mod ground;
mod groups;
mod labels;
mod layout;
mod plane;
mod rows;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

pub use ground::By;
pub(crate) use layout::Layout;
use layout::Spot;

use crate::id::MemoryId;
use crate::memory::Kind;
use crate::mind::{Mind, Note};
use crate::time::{Moment, Tick};
use crate::{Error, Result};

/// What of a map is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapQuery {
    /// At most so many memories are told one by one.
    pub points: usize,
    /// Only memories of this group are told one by one.
    pub cluster: Option<MemoryId>,
    pub when: When,
}

/// A stretch of time, by either clock: from then on, and before then. A memory without a tick is in no stretch of ticks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
    pub from_tick: Option<Tick>,
    pub to_tick: Option<Tick>,
}

/// A map. All numbers but `of_all_times` are of the stretch of time that was asked for; places and words are of all.
#[derive(Debug, Clone, Default)]
pub struct MemoryMap {
    pub by: By,
    /// The space of meanings, where that decides.
    pub space: Option<String>,
    pub memories: usize,
    pub of_all_times: usize,
    /// Those that have a place on it.
    pub placed: usize,
    /// Those with most memories of all times first.
    pub clusters: Vec<Cluster>,
    /// By group, in their order; in each those that matter most first.
    pub points: Vec<Point>,
}

/// Memories that are alike.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// The memory in its midst.
    pub id: MemoryId,
    /// What it is known by from all others, the most telling first.
    pub words: Vec<String>,
    /// From -1 to 1, as is `y`; the whole circle lies inside.
    pub x: f64,
    pub y: f64,
    pub radius: f64,
    pub memories: usize,
    /// The mean.
    pub importance: f64,
    pub kinds: BTreeMap<Kind, usize>,
    /// How many memories have each emotion; the most frequent ones.
    pub emotions: BTreeMap<String, usize>,
    /// The first moment and the last, by each clock.
    pub from: Moment,
    pub to: Moment,
}

#[derive(Debug, Clone)]
pub struct Point {
    pub note: Arc<Note>,
    pub cluster: MemoryId,
    pub x: f64,
    pub y: f64,
}

impl MapQuery {
    /// So many are told one by one at most.
    pub const MOST_POINTS: usize = 5000;

    /// What is said to whoever asks for a cluster that is not there.
    pub fn no_cluster(id: &str) -> Error {
        Error::not_found(format!("there is no cluster {id:?} on this map")).hint(
            "clusters change with the memories; get the map without `cluster` and take an id from there",
        )
    }
}

/// Emotions that are told of a group.
const MOST_EMOTIONS: usize = 16;
/// Steps of importance that are counted.
const UNIT: f64 = 1_000_000.0;

/// Draws what is in a mind. Not found if there is no such group.
pub fn draw(mind: &Mind, query: &MapQuery) -> Result<MemoryMap> {
    let layout = mind.layout();
    if let Some(wanted) = query.cluster
        && !layout.areas.iter().any(|area| area.id == wanted)
    {
        return Err(MapQuery::no_cluster(&wanted.to_string()));
    }
    let mut map = MemoryMap { by: layout.by, ..MemoryMap::default() };
    let mut tallies: Vec<Tally<'_>> = layout.areas.iter().map(|_| Tally::default()).collect();
    let repeating: HashSet<MemoryId> = mind.repeating().collect();
    for (slot, note) in mind.notes().filter(|(_, note)| !repeating.contains(&note.held.memory.id)) {
        map.of_all_times += 1;
        if !query.when.holds(note) {
            continue;
        }
        map.memories += 1;
        let Some(spot) = layout.spots.get(slot).copied().flatten() else { continue };
        if let Some(tally) = tallies.get_mut(usize::from(spot.area)) {
            map.placed += 1;
            tally.add(note, spot);
        }
    }
    let wanted: Vec<usize> = layout
        .areas
        .iter()
        .zip(&tallies)
        .map(|(area, tally)| if query.cluster.is_none_or(|id| id == area.id) { tally.found.len() } else { 0 })
        .collect();
    let shares = shares(&wanted, query.points.min(MapQuery::MOST_POINTS));
    for ((area, mut tally), share) in layout.areas.iter().zip(tallies).zip(shares) {
        tally.keep_what_matters_most(share);
        map.points.extend(tally.found.iter().map(|(note, spot)| Point {
            note: Arc::clone(note),
            cluster: area.id,
            x: f64::from(spot.x),
            y: f64::from(spot.y),
        }));
        let [x, y] = area.circle.at;
        map.clusters.push(Cluster {
            id: area.id,
            words: area.words.clone(),
            x,
            y,
            radius: area.circle.radius,
            memories: tally.memories,
            importance: tally.importance as f64 / UNIT / tally.memories.max(1) as f64,
            emotions: tally.emotions(),
            kinds: tally.kinds,
            from: tally.from,
            to: tally.to,
        });
    }
    Ok(map)
}

impl When {
    /// Refuses what nothing could lie in.
    pub fn check(&self) -> Result<()> {
        for (from, to, begin, end) in
            [("from", "to", self.from_ms, self.to_ms), ("from_tick", "to_tick", self.from_tick, self.to_tick)]
        {
            if begin.zip(end).is_some_and(|(begin, end)| begin > end) {
                return Err(Error::invalid(format!("{from} lies behind {to}")).hint(
                    "put the earlier one first: from is the first moment that counts, to the first that does not",
                ));
            }
        }
        Ok(())
    }

    fn holds(&self, note: &Note) -> bool {
        let memory = &note.held.memory;
        let of_ticks = self.from_tick.is_some() || self.to_tick.is_some();
        let in_ticks = |tick: Tick| {
            self.from_tick.is_none_or(|from| tick >= from) && self.to_tick.is_none_or(|to| tick < to)
        };
        self.from_ms.is_none_or(|from| memory.wall_ms >= from)
            && self.to_ms.is_none_or(|to| memory.wall_ms < to)
            && (!of_ticks || memory.tick.is_some_and(in_ticks))
    }
}

/// What there is of a group.
#[derive(Default)]
struct Tally<'m> {
    found: Vec<(&'m Arc<Note>, Spot)>,
    memories: usize,
    /// In whole numbers, so that it does not depend on their order.
    importance: u64,
    kinds: BTreeMap<Kind, usize>,
    emotions: BTreeMap<&'m str, usize>,
    from: Moment,
    to: Moment,
}

impl<'m> Tally<'m> {
    fn add(&mut self, note: &'m Arc<Note>, spot: Spot) {
        let memory = &note.held.memory;
        self.found.push((note, spot));
        self.memories += 1;
        self.importance += (note.held.importance() * UNIT).round() as u64;
        *self.kinds.entry(memory.kind).or_default() += 1;
        for emotion in &memory.emotions {
            *self.emotions.entry(emotion).or_default() += 1;
        }
        let least = |so_far: Option<i64>, value: Option<i64>| so_far.into_iter().chain(value).min();
        let most = |so_far: Option<i64>, value: Option<i64>| so_far.into_iter().chain(value).max();
        let Moment { tick, wall_ms } = memory.moment();
        self.from = Moment { tick: least(self.from.tick, tick), wall_ms: least(self.from.wall_ms, wall_ms) };
        self.to = Moment { tick: most(self.to.tick, tick), wall_ms: most(self.to.wall_ms, wall_ms) };
    }

    fn emotions(&self) -> BTreeMap<String, usize> {
        let mut all: Vec<(&str, usize)> = self.emotions.iter().map(|(name, count)| (*name, *count)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        all.into_iter().take(MOST_EMOTIONS).map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// So many; of equals the newest.
    fn keep_what_matters_most(&mut self, most: usize) {
        self.found.sort_by(|(a, _), (b, _)| {
            let of = |note: &Note| (note.held.memory.tick, note.held.memory.wall_ms, note.held.memory.id);
            b.held.importance().total_cmp(&a.held.importance()).then_with(|| of(b).cmp(&of(a)))
        });
        self.found.truncate(most);
    }
}

/// How many of each: by how many there are of it, and of each at least one while there is room.
fn shares(wanted: &[usize], most: usize) -> Vec<usize> {
    let (mut left, mut rest) = (most, wanted.iter().sum::<usize>());
    let share = |count: &usize| {
        let share = (count * left).div_ceil(rest.max(1)).min(*count);
        left -= share;
        rest -= count;
        share
    };
    wanted.iter().map(share).collect()
}
