//! How are all memories of a mind laid out: in which group is each, and where in the square?
//!
//! The same mind is laid out in the same way, whatever is asked of it: a picture of one year shows every memory where the
//! picture of all years does. The work is bounded: groups are found on a sample, and each memory is looked at once.

use super::chance::spread;
use super::ground::{By, Ground};
use super::groups::groups;
use super::labels::labels;
use super::plane::{Circle, circles};
use super::rows::{Rows, add, to_unit};
use crate::dot::dot;
use crate::id::MemoryId;
use crate::mind::Mind;

#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(super) by: By,
    /// Those with most memories first.
    pub(super) areas: Vec<Area>,
    /// By slot of the mind; None: nobody knows where it stands.
    pub(super) spots: Vec<Option<Spot>>,
}

/// A group.
#[derive(Debug)]
pub(super) struct Area {
    /// The memory in its midst: groups are known by it.
    pub(super) id: MemoryId,
    pub(super) words: Vec<String>,
    pub(super) circle: Circle,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// By its place among the areas.
    pub(super) area: u8,
    pub(super) x: f32,
    pub(super) y: f32,
}

/// Memories among which groups are looked for.
const SAMPLE: usize = 4096;
/// How often the directions are looked for in which the members of a group differ most.
const STEPS: usize = 6;
/// How much of a circle its members take up, at most.
const INSIDE: f64 = 0.9;
/// So much of a circle those are apart that say the same.
const APART: f64 = 0.05;

/// What is known of a memory before its group has a place.
struct Standing {
    place: usize,
    group: usize,
    near: f32,
    /// How far it is from the middle of its group, in the two directions in which members differ most.
    aside: [f32; 2],
}

impl Layout {
    pub(crate) fn of(mind: &Mind) -> Self {
        let ground = Ground::of(mind);
        let (places, sample) = sample(&ground);
        let middles = groups(&sample);
        let members: Vec<usize> =
            sample.iter().map(|row| middles.nearest(row).map_or(0, |(group, _)| group)).collect();
        let axes = axes(&sample, &members, &middles);
        let standings = standings(&ground, &middles, &axes);
        let mut sizes = vec![0usize; middles.len()];
        for one in &standings {
            sizes.get_mut(one.group).into_iter().for_each(|size| *size += 1);
        }
        let midst = midst(&ground, &standings, middles.len());
        // Those with most memories first; a group that nobody is in is none.
        let mut order: Vec<usize> =
            (0..middles.len()).filter(|at| midst.get(*at).is_some_and(Option::is_some)).collect();
        let size_of = |at: &usize| sizes.get(*at).copied().unwrap_or_default();
        let midst_of = |at: &usize| midst.get(*at).copied().flatten();
        order.sort_by_key(|at| (std::cmp::Reverse(size_of(at)), midst_of(at)));
        let mut rank = vec![0usize; middles.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(new, old)| rank.get_mut(*old).into_iter().for_each(|rank| *rank = new));
        let mut ordered = Rows::new(middles.width(), order.len());
        order.iter().for_each(|at| ordered.push(middles.row(*at)));
        let sizes: Vec<usize> = order.iter().map(size_of).collect();
        let circles = circles(&ordered, &sizes);
        let rank_of = |group: usize| rank.get(group).copied().unwrap_or_default();
        let named = places.iter().zip(&members);
        let named = named.filter_map(|(place, group)| Some((rank_of(*group), ground.note(*place)?)));
        let words = labels(named, order.len());
        let spots = spots(mind.slots(), &ground, &standings, &circles, &rank_of);
        let area = |((at, circle), words): ((&usize, Circle), Vec<String>)| {
            Some(Area { id: midst_of(at)?, words, circle })
        };
        let areas = order.iter().zip(circles).zip(words).filter_map(area).collect();
        Self { by: ground.by, areas, spots }
    }
}

/// Some memories that do not change much when others come or go: those whose numbers, spread, are least.
fn sample(ground: &Ground<'_>) -> (Vec<usize>, Rows) {
    let mut chosen: Vec<(u64, usize)> =
        ground.notes.iter().enumerate().map(|(place, (id, _))| (spread(id.get()), place)).collect();
    if chosen.len() > SAMPLE {
        chosen.select_nth_unstable(SAMPLE);
        chosen.truncate(SAMPLE);
    }
    let mut places: Vec<usize> = chosen.into_iter().map(|(_, place)| place).collect();
    places.sort_unstable();
    let mut rows = Rows::new(ground.width(), places.len());
    let mut row = vec![0.0; ground.width()];
    places.retain(|place| {
        let is_known = ground.direction(*place, &mut row);
        if is_known {
            rows.push(&row);
        }
        is_known
    });
    (places, rows)
}

/// For each group the two directions in which its members differ most.
fn axes(sample: &Rows, members: &[usize], middles: &Rows) -> Vec<[Vec<f32>; 2]> {
    let mut aside: Vec<Rows> = middles.iter().map(|_| Rows::new(sample.width(), 0)).collect();
    let mut rest = vec![0.0; sample.width()];
    for (row, group) in sample.iter().zip(members) {
        rest.copy_from_slice(row);
        add(&mut rest, middles.row(*group), -1.0);
        aside.get_mut(*group).into_iter().for_each(|rows| rows.push(&rest));
    }
    let both = |rows: &Rows| {
        let first = widest(rows, &[]);
        let second = widest(rows, &first);
        [first, second]
    };
    aside.iter().map(both).collect()
}

/// The direction in which rows differ most, at right angles to one that is known. Zeros where they do not differ.
fn widest(rows: &Rows, known: &[f32]) -> Vec<f32> {
    let straighten = |vector: &mut [f32]| {
        let along = dot(vector, known);
        add(vector, known, -along);
        to_unit(vector)
    };
    let mut begin = vec![0.0; rows.width()];
    for row in rows.iter() {
        begin.copy_from_slice(row);
        if straighten(&mut begin) {
            break;
        }
    }
    for _ in 0..STEPS {
        let mut next = vec![0.0; rows.width()];
        rows.iter().for_each(|row| add(&mut next, row, dot(row, &begin)));
        straighten(&mut next);
        begin = next;
    }
    begin
}

/// Every memory of which it is known where it stands.
fn standings(ground: &Ground<'_>, middles: &Rows, axes: &[[Vec<f32>; 2]]) -> Vec<Standing> {
    let mut standings = Vec::with_capacity(ground.notes.len());
    let mut row = vec![0.0; ground.width()];
    for place in 0..ground.notes.len() {
        if !ground.direction(place, &mut row) {
            continue;
        }
        let Some((group, near)) = middles.nearest(&row) else { continue };
        let aside = axes.get(group).map_or([0.0; 2], |axes| {
            axes.each_ref().map(|axis| dot(&row, axis) - dot(middles.row(group), axis))
        });
        standings.push(Standing { place, group, near, aside });
    }
    standings
}

/// Of each group the memory that is nearest to its middle, of equals the first.
fn midst(ground: &Ground<'_>, standings: &[Standing], groups: usize) -> Vec<Option<MemoryId>> {
    let mut midst: Vec<Option<(f32, MemoryId)>> = vec![None; groups];
    for one in standings {
        let Some((id, _)) = ground.notes.get(one.place) else { continue };
        if let Some(best) = midst.get_mut(one.group)
            && best.is_none_or(|(near, _)| one.near > near)
        {
            *best = Some((one.near, *id));
        }
    }
    midst.into_iter().map(|best| best.map(|(_, id)| id)).collect()
}

/// Where each memory lies, by slot: within its group's circle, the further out the less usual it is there.
fn spots(
    slots: usize,
    ground: &Ground<'_>,
    standings: &[Standing],
    circles: &[Circle],
    rank_of: &dyn Fn(usize) -> usize,
) -> Vec<Option<Spot>> {
    let mut wide: Vec<([f64; 2], f64)> = vec![([0.0; 2], 0.0); circles.len()];
    for one in standings {
        let Some((sums, count)) = wide.get_mut(rank_of(one.group)) else { continue };
        sums.iter_mut().zip(one.aside).for_each(|(sum, aside)| *sum += f64::from(aside * aside));
        *count += 1.0;
    }
    let mut spots = vec![None; slots];
    for one in standings {
        let area = rank_of(one.group);
        let (Some(circle), Some((sums, count)), Some((id, slot))) =
            (circles.get(area), wide.get(area), ground.notes.get(one.place))
        else {
            continue;
        };
        let of_usual = |aside: f32, sum: f64| {
            let usual = (sum / count.max(1.0)).sqrt();
            if usual > 1e-6 { f64::from(aside) / usual } else { 0.0 }
        };
        let ([aside, above], [wide, high]) = (one.aside, *sums);
        let (across, up) = (of_usual(aside, wide), of_usual(above, high));
        let far = (across * across + up * up).sqrt();
        // However far aside, it stays inside.
        let inside = INSIDE / (1.0 + far * far).sqrt();
        let hash = spread(id.get() ^ 0xA5A5);
        let apart = |bits: u64| ((bits & 0xFFFF) as f64 / 32_768.0 - 1.0) * APART;
        let [x, y] = circle.at;
        let spot = Spot {
            area: u8::try_from(area).unwrap_or(u8::MAX),
            x: (x + circle.radius * (across * inside + apart(hash))) as f32,
            y: (y + circle.radius * (up * inside + apart(hash >> 16))) as f32,
        };
        spots.get_mut(*slot).into_iter().for_each(|place| *place = Some(spot));
    }
    spots
}
