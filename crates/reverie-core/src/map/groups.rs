//! Which memories belong together?
//!
//! Groups are found on a sample, by looking for the directions around which most stand: spherical k-means, begun where the
//! sample is not covered yet. Whatever turns out to be one is put together, so that the number of groups follows the
//! memories and not the other way round.

use super::chance::Chance;
use super::rows::{Rows, add, to_unit};
use crate::dot::dot;

/// No map has more groups.
pub(super) const MOST_GROUPS: usize = 24;
/// How often each of a sample looks for its group.
const ROUNDS: usize = 8;
/// And once more when groups were put together.
const LAST_ROUNDS: usize = 2;
/// Of so many that might begin a group the best one does.
const CANDIDATES: usize = 2;
/// A group of a smaller part of the sample is none.
const LEAST_PART: usize = 400;
/// Two groups are one if their members are half as near to each other as to their own.
const AS_NEAR: f32 = 0.5;
/// Members of a group that are no nearer to each other than this are nearly strangers.
const STRANGERS: f32 = 0.02;
/// Where every sequence of draws begins.
const BEGINNING: u64 = 0x5EED;

/// The directions of the groups, one row each; none if there is nothing to group.
pub(super) fn groups(sample: &Rows) -> Rows {
    let most = ((sample.len() as f64).sqrt().ceil() as usize).min(MOST_GROUPS);
    let mut middles = beginnings(sample, most);
    let mut members = settle(sample, &mut middles, ROUNDS);
    let least = sample.len() / LEAST_PART;
    let sizes = sizes(&members, middles.len());
    let is_group = |at: usize| sizes.get(at).is_some_and(|size| *size > 0 && *size >= least);
    let mut kept = Rows::new(sample.width(), middles.len());
    middles.iter().enumerate().filter(|(at, _)| is_group(*at)).for_each(|(_, middle)| kept.push(middle));
    if kept.len() > 0 && kept.len() < middles.len() {
        middles = kept;
        members = settle(sample, &mut middles, 1);
    }
    let few = (most / 4).max(1);
    let mut middles = put_together(sample, &members, middles.len(), few);
    settle(sample, &mut middles, LAST_ROUNDS);
    middles
}

/// Rows that are far from each other, drawn by how badly those before cover the sample.
fn beginnings(sample: &Rows, most: usize) -> Rows {
    let mut chance = Chance::new(BEGINNING);
    let mut begun = Rows::new(sample.width(), most);
    // How far each row is from the nearest beginning.
    let mut far: Vec<f32> = vec![2.0; sample.len()];
    while begun.len() < most {
        let weights: f64 = far.iter().map(|far| f64::from(far * far)).sum();
        if weights <= 1e-9 {
            break;
        }
        let mut best: Option<(f64, Vec<f32>, usize)> = None;
        for _ in 0..CANDIDATES {
            let row = drawn(&far, chance.draw() * weights);
            let candidate = sample.row(row);
            let covers = |(far, other): (&f32, &[f32])| far.min((1.0 - dot(candidate, other)).max(0.0));
            let left: Vec<f32> = far.iter().zip(sample.iter()).map(covers).collect();
            let rest: f64 = left.iter().map(|far| f64::from(*far)).sum();
            if best.as_ref().is_none_or(|(so_far, ..)| rest < *so_far) {
                best = Some((rest, left, row));
            }
        }
        let Some((_, left, row)) = best else { break };
        far = left;
        begun.push(sample.row(row));
    }
    begun
}

/// The row at which this much of the weight is reached.
fn drawn(far: &[f32], target: f64) -> usize {
    let mut reached = 0.0;
    let is_there = |far: &f32| {
        reached += f64::from(far * far);
        reached > target
    };
    far.iter().position(is_there).unwrap_or(far.len().saturating_sub(1))
}

/// Lets each row choose its group and each group its middle, a few times; which group each has chosen last.
fn settle(sample: &Rows, middles: &mut Rows, rounds: usize) -> Vec<usize> {
    let mut members: Vec<usize> = Vec::new();
    for _ in 0..rounds {
        let choose = |row: &[f32]| middles.nearest(row).map_or(0, |(group, _)| group);
        let chosen: Vec<usize> = sample.iter().map(choose).collect();
        if chosen == members {
            break;
        }
        members = chosen;
        let sums = sums(sample, &members, middles.len());
        for (at, sum) in sums.iter().enumerate() {
            let mut middle = sum.to_vec();
            // A group of nobody, or of opposites, stays where it is.
            if to_unit(&mut middle) {
                middles.row_mut(at).copy_from_slice(&middle);
            }
        }
    }
    members
}

fn sums(sample: &Rows, members: &[usize], groups: usize) -> Rows {
    let mut sums = Rows::new(sample.width(), groups);
    (0..groups).for_each(|_| sums.push(&[]));
    sample.iter().zip(members).for_each(|(row, group)| add(sums.row_mut(*group), row, 1.0));
    sums
}

fn sizes(members: &[usize], groups: usize) -> Vec<usize> {
    let mut sizes = vec![0; groups];
    for group in members {
        sizes.get_mut(*group).into_iter().for_each(|size| *size += 1);
    }
    sizes
}

/// A group, by the sum of its members.
struct Group {
    sum: Vec<f32>,
    size: f32,
}

impl Group {
    /// How near two members are to each other on average.
    fn within(&self) -> f32 {
        match self.size > 1.0 {
            true => (dot(&self.sum, &self.sum) - self.size) / (self.size * (self.size - 1.0)),
            false => 1.0,
        }
    }

    /// How near members of both are to each other on average, as a part of how near they are to their own.
    fn as_near(&self, other: &Self) -> f32 {
        let between = dot(&self.sum, &other.sum) / (self.size * other.size);
        between / self.within().min(other.within()).max(STRANGERS)
    }
}

/// Puts those together that are one, the nearest first; a few stay.
fn put_together(sample: &Rows, members: &[usize], groups: usize, few: usize) -> Rows {
    let sizes = sizes(members, groups);
    let sums = sums(sample, members, groups);
    let mut all: Vec<Group> = sums
        .iter()
        .zip(sizes)
        .filter(|(_, size)| *size > 0)
        .map(|(sum, size)| Group { sum: sum.to_vec(), size: size as f32 })
        .collect();
    while all.len() > few {
        let mut best: Option<(f32, usize, usize)> = None;
        for (one, group) in all.iter().enumerate() {
            for (other, second) in all.iter().enumerate().skip(one + 1) {
                let as_near = group.as_near(second);
                if as_near >= AS_NEAR && best.is_none_or(|(so_far, ..)| as_near > so_far) {
                    best = Some((as_near, one, other));
                }
            }
        }
        let Some((_, one, other)) = best else { break };
        let gone = all.remove(other);
        if let Some(group) = all.get_mut(one) {
            add(&mut group.sum, &gone.sum, 1.0);
            group.size += gone.size;
        }
    }
    let mut middles = Rows::new(sample.width(), all.len());
    for group in &mut all {
        to_unit(&mut group.sum);
        middles.push(&group.sum);
    }
    middles
}
