//! Which notes are nearest by meaning, exactly and fast?
//!
//! Every vector is kept twice: exactly, and rounded to a byte a dimension with a bound on what rounding did. A search reads the
//! rounded ones, a quarter of the bytes, and then only those exact ones that could still be among the nearest. What comes out
//! is what reading all exact ones would give.

use crate::embed::Vector;

#[derive(Debug, Default)]
pub(super) struct Vectors {
    dimensions: usize,
    exact: Vec<f32>,
    rounded: Vec<i8>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// The first row of a slot, and so on from each row to the next of the same slot.
    first: Vec<u32>,
    /// The sum of all vectors in whole numbers, so that it does not depend on their order.
    sum: Vec<i64>,
    count: u64,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    slot: u32,
    next: u32,
    /// What one step of the rounded vector is worth.
    step: f32,
    /// The length of what rounding took away.
    lost: f32,
}

/// A note that is near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub slot: usize,
    pub cosine: f32,
}

const NONE: u32 = u32::MAX;
/// Steps of a sum's unit.
const UNIT: f32 = 16_777_216.0;
/// Of a rounded vector, and of a rounded query: their product fits whatever the number of dimensions.
const STEPS: f32 = 127.0;
const QUERY_STEPS: f32 = 2047.0;

impl Vectors {
    pub(super) fn add(&mut self, slot: u32, vectors: &[Vector]) {
        for vector in vectors {
            if self.count == 0 {
                *self = Self { dimensions: vector.0.len(), sum: vec![0; vector.0.len()], ..Self::default() };
            }
            if vector.0.len() == self.dimensions {
                self.add_one(slot, &vector.0);
            }
        }
    }

    fn add_one(&mut self, slot: u32, vector: &[f32]) {
        if self.first.len() <= slot as usize {
            self.first.resize(slot as usize + 1, NONE);
        }
        let row = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row { slot: NONE, next: NONE, step: 0.0, lost: 0.0 });
            self.exact.resize(self.rows.len() * self.dimensions, 0.0);
            self.rounded.resize(self.rows.len() * self.dimensions, 0);
            (self.rows.len() - 1) as u32
        });
        let range = self.range(row);
        let (mut rounded, step, lost) = round(vector, STEPS);
        if let (Some(exact), Some(bytes)) = (self.exact.get_mut(range.clone()), self.rounded.get_mut(range)) {
            exact.copy_from_slice(vector);
            bytes.iter_mut().zip(rounded.drain(..)).for_each(|(byte, value)| *byte = value as i8);
        }
        let first = self.first.get_mut(slot as usize);
        let next = first.map_or(NONE, |first| std::mem::replace(first, row));
        if let Some(place) = self.rows.get_mut(row as usize) {
            *place = Row { slot, next, step, lost };
        }
        self.sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += (value * UNIT) as i64);
        self.count += 1;
    }

    pub(super) fn remove(&mut self, slot: u32) {
        let Some(first) = self.first.get_mut(slot as usize) else { return };
        let mut row = std::mem::replace(first, NONE);
        while let Some(place) = self.rows.get_mut(row as usize) {
            let next = place.next;
            *place = Row { slot: NONE, next: NONE, ..*place };
            let range = self.range(row);
            let vector = self.exact.get(range).unwrap_or_default();
            self.sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum -= (value * UNIT) as i64);
            self.count -= 1;
            self.free.push(row);
            row = next;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.exact.capacity() * size_of::<f32>()
            + self.rounded.capacity()
            + self.rows.capacity() * size_of::<Row>()
            + self.first.capacity() * size_of::<u32>()
    }

    /// At least so many of those that are admitted, if there are; in the order of slots, each once.
    pub(super) fn nearest(
        &self,
        query: &Vector,
        most: usize,
        is_admitted: &dyn Fn(usize) -> bool,
    ) -> Vec<Near> {
        if query.0.len() != self.dimensions || self.count == 0 || most == 0 {
            return Vec::new();
        }
        let (rounded, query_step, query_lost) = round(&query.0, QUERY_STEPS);
        let mut about: Vec<(f32, u32)> = Vec::with_capacity(self.rows.len());
        for (index, (row, bytes)) in
            self.rows.iter().zip(self.rounded.chunks_exact(self.dimensions)).enumerate()
        {
            if row.slot != NONE {
                about.push((product(bytes, &rounded) as f32 * (row.step * query_step), index as u32));
            }
        }
        about.retain(|(_, row)| {
            self.rows.get(*row as usize).is_some_and(|row| is_admitted(row.slot as usize))
        });
        let slack = |row: u32| {
            let lost = self.rows.get(row as usize).map_or(0.0, |row| row.lost);
            query_lost + (1.0 + query_lost) * lost + ROUNDING
        };
        let slot = |row: u32| self.rows.get(row as usize).map_or(0, |row| row.slot as usize);
        // Whatever is among the nearest is at least as near as this.
        let mut least = vec![f32::NEG_INFINITY; self.first.len()];
        for (near, row) in &about {
            let place = least.get_mut(slot(*row));
            place.into_iter().for_each(|least| *least = least.max(near - slack(*row)));
        }
        let enough = place_of(&mut least, most);
        about.retain(|(near, row)| near + slack(*row) >= enough);
        let exact = |(_, row): &(f32, u32)| Near { slot: slot(*row), cosine: self.exact_cosine(query, *row) };
        let mut near: Vec<Near> = about.iter().map(exact).collect();
        near.sort_unstable_by(|a, b| a.slot.cmp(&b.slot).then(b.cosine.total_cmp(&a.cosine)));
        near.dedup_by_key(|near| near.slot);
        near
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// How many a slot has.
    pub(super) fn of(&self, slot: u32) -> usize {
        let first = self.first.get(slot as usize).copied();
        let next = |row: &u32| self.rows.get(*row as usize).map(|row| row.next);
        let rows = std::iter::successors(first, next);
        rows.take_while(|row| *row != NONE).count()
    }

    /// Of the nearest of its vectors.
    pub(super) fn cosine(&self, query: &Vector, slot: u32) -> Option<f32> {
        if query.0.len() != self.dimensions {
            return None;
        }
        let mut best: Option<f32> = None;
        let mut row = *self.first.get(slot as usize)?;
        while let Some(place) = self.rows.get(row as usize) {
            let cosine = self.exact_cosine(query, row);
            best = Some(best.map_or(cosine, |best| best.max(cosine)));
            row = place.next;
        }
        best
    }

    /// The mean of all.
    pub(super) fn mean_cosine(&self, query: &Vector) -> f32 {
        let pairs = query.0.iter().zip(&self.sum);
        let sum = pairs.fold(0.0f64, |sum, (value, total)| sum + f64::from(*value) * *total as f64);
        (sum / f64::from(UNIT) / self.count.max(1) as f64) as f32
    }

    /// The query less a share of the mean of all, of length 1; None where nothing is left.
    pub(super) fn without_common(&self, query: &Vector, share: f32) -> Option<Vector> {
        if query.0.len() != self.dimensions {
            return None;
        }
        let count = f64::from(UNIT) * self.count.max(1) as f64;
        let less = |(value, total): (&f32, &i64)| value - share * (*total as f64 / count) as f32;
        Vector::normal(query.0.iter().zip(&self.sum).map(less).collect())
    }

    fn exact_cosine(&self, query: &Vector, row: u32) -> f32 {
        let vector = self.exact.get(self.range(row)).unwrap_or_default();
        query.0.iter().zip(vector).fold(0.0, |sum, (a, b)| a.mul_add(*b, sum))
    }

    fn range(&self, row: u32) -> std::ops::Range<usize> {
        let begin = row as usize * self.dimensions;
        begin..begin + self.dimensions
    }
}

/// What so many reach; if there are fewer, all do.
fn place_of(values: &mut [f32], most: usize) -> f32 {
    match most.checked_sub(1) {
        Some(place) if place < values.len() => *values.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1,
        _ => f32::NEG_INFINITY,
    }
}

/// What adding up floats in different orders can change.
const ROUNDING: f32 = 1e-5;

/// Whole numbers, what one of them is worth, and the length of what was lost.
fn round(vector: &[f32], steps: f32) -> (Vec<i16>, f32, f32) {
    let greatest = vector.iter().fold(0.0f32, |greatest, value| greatest.max(value.abs()));
    let step = if greatest > 0.0 { greatest / steps } else { 1.0 };
    let rounded: Vec<i16> = vector.iter().map(|value| (value / step).round() as i16).collect();
    let lost = vector.iter().zip(&rounded).fold(0.0f32, |sum, (value, rounded)| {
        let lost = value - f32::from(*rounded) * step;
        lost.mul_add(lost, sum)
    });
    (rounded, step, lost.sqrt())
}

fn product(bytes: &[i8], query: &[i16]) -> i32 {
    bytes.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}
