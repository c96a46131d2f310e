//! Which notes are nearest by meaning, exactly and fast?
//!
//! Every vector is kept twice: exactly, and rounded. A search reads the rounded ones, an eighth of the bytes, and then only those
//! exact ones that could still be among the nearest. What comes out is what reading all exact ones would give.

mod halves;
mod rounded;

use crate::dot::dot;
use crate::embed::Vector;
use rounded::Rounded;

#[derive(Debug, Default)]
pub(super) struct Vectors {
    dimensions: usize,
    exact: Vec<f32>,
    rounded: Rounded,
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
}

/// A note that is near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub slot: usize,
    pub cosine: f32,
}

const NONE: u32 = u32::MAX;
/// So many rows are ruled out together, before what is left of them is looked at closely.
const TOGETHER: usize = 1024;
/// Steps of a sum's unit.
const UNIT: f32 = 16_777_216.0;

impl Vectors {
    pub(super) fn add(&mut self, slot: u32, vectors: &[Vector]) {
        for vector in vectors {
            if self.count == 0 && vector.0.len() != self.dimensions {
                *self = Self::of_dimensions(vector.0.len());
            }
            if vector.0.len() == self.dimensions {
                self.add_one(slot, &vector.0);
            }
        }
    }

    fn of_dimensions(dimensions: usize) -> Self {
        Self { dimensions, rounded: Rounded::new(dimensions), sum: vec![0; dimensions], ..Self::default() }
    }

    /// So many are about to come, like this one.
    pub(super) fn expect(&mut self, vectors: usize, like: &Vector) {
        if self.count == 0 && like.0.len() != self.dimensions {
            *self = Self::of_dimensions(like.0.len());
        }
        reserve(&mut self.rows, vectors);
        reserve(&mut self.exact, vectors * self.dimensions);
        self.rounded.reserve(vectors);
    }

    fn add_one(&mut self, slot: u32, vector: &[f32]) {
        if self.first.len() <= slot as usize {
            self.first.resize(slot as usize + 1, NONE);
        }
        let row = self.free.pop().unwrap_or_else(|| {
            reserve(&mut self.rows, 1);
            self.rows.push(Row { slot: NONE, next: NONE });
            reserve(&mut self.exact, self.dimensions);
            self.exact.resize(self.rows.len() * self.dimensions, 0.0);
            (self.rows.len() - 1) as u32
        });
        let range = self.range(row);
        self.exact.get_mut(range).into_iter().for_each(|exact| exact.copy_from_slice(vector));
        self.rounded.set(row as usize, vector);
        let first = self.first.get_mut(slot as usize);
        let next = first.map_or(NONE, |first| std::mem::replace(first, row));
        if let Some(place) = self.rows.get_mut(row as usize) {
            *place = Row { slot, next };
        }
        self.sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += (value * UNIT) as i64);
        self.count += 1;
    }

    pub(super) fn remove(&mut self, slot: u32) {
        let Some(first) = self.first.get_mut(slot as usize) else { return };
        let mut row = std::mem::replace(first, NONE);
        while let Some(place) = self.rows.get_mut(row as usize) {
            let next = place.next;
            *place = Row { slot: NONE, next: NONE };
            self.rounded.remove(row as usize);
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
            + self.rounded.bytes()
            + self.rows.capacity() * size_of::<Row>()
            + self.first.capacity() * size_of::<u32>()
    }

    /// So many of those that are admitted, if there are, and all that are as near as the last of them; in the order of slots, each
    /// once.
    pub(super) fn nearest(
        &self,
        query: &Vector,
        most: usize,
        is_admitted: &dyn Fn(usize) -> bool,
    ) -> Vec<Near> {
        if query.0.len() != self.dimensions || self.count == 0 || most == 0 {
            return Vec::new();
        }
        let rounded = self.rounded.query(&query.0);
        let coarse = self.rounded.coarse(&rounded);
        let mut nearest = Nearest::new(most);
        // Those that look near first: whatever is not as near as they are needs no closer look.
        for row in self.likeliest(&coarse.at_most, most, is_admitted) {
            nearest.add(self.exactly(query, row));
        }
        nearest.settle();
        let (mut left, mut at_most) = (Vec::with_capacity(TOGETHER), Vec::with_capacity(TOGETHER));
        for (begin, block) in coarse.at_most.chunks(TOGETHER).enumerate() {
            let begin = begin * TOGETHER;
            left.clear();
            let is_left = |(_, at_most): &(usize, &f32)| **at_most >= nearest.enough;
            left.extend(block.iter().enumerate().filter(is_left).map(|(row, _)| (begin + row) as u32));
            self.rounded.fine(&rounded, &coarse, &left, &mut at_most);
            for (row, at_most) in left.iter().map(|row| *row as usize).zip(&at_most) {
                if *at_most >= nearest.enough && self.slot(row).is_some_and(is_admitted) {
                    nearest.add(self.exactly(query, row));
                }
            }
        }
        nearest.settle();
        let mut near = nearest.found;
        near.sort_unstable_by_key(|near| near.slot);
        near
    }

    /// Rows of at least so many slots, if there are, and those most likely that are near.
    fn likeliest(&self, at_most: &[f32], most: usize, is_admitted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut likely = Nearest::new(most);
        for (row, at_most) in at_most.iter().enumerate() {
            if *at_most > likely.enough
                && let Some(slot) = self.slot(row).filter(|slot| is_admitted(*slot))
            {
                likely.add(Near { slot, cosine: *at_most });
            }
        }
        likely.settle();
        let rows = likely.found.iter().flat_map(|near| self.rows_of(near.slot as u32));
        rows.map(|row| row as usize).collect()
    }

    fn exactly(&self, query: &Vector, row: usize) -> Near {
        Near { slot: self.slot(row).unwrap_or_default(), cosine: self.exact_cosine(query, row as u32) }
    }

    fn slot(&self, row: usize) -> Option<usize> {
        self.rows.get(row).map(|row| row.slot).filter(|slot| *slot != NONE).map(|slot| slot as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// How many a slot has.
    pub(super) fn of(&self, slot: u32) -> usize {
        self.rows_of(slot).count()
    }

    fn rows_of(&self, slot: u32) -> impl Iterator<Item = u32> {
        let first = self.first.get(slot as usize).copied();
        let next = |row: &u32| self.rows.get(*row as usize).map(|row| row.next);
        std::iter::successors(first, next).take_while(|row| *row != NONE)
    }

    /// What a slot has.
    pub(super) fn chunks_of(&self, slot: u32) -> impl Iterator<Item = &[f32]> {
        self.rows_of(slot).filter_map(|row| self.exact.get(self.range(row)))
    }

    /// The mean of all; nothing where there are none.
    pub(super) fn mean(&self) -> Vec<f32> {
        let count = f64::from(UNIT) * self.count.max(1) as f64;
        self.sum.iter().map(|total| (*total as f64 / count) as f32).collect()
    }

    /// Of the nearest of its vectors.
    pub(super) fn cosine(&self, query: &Vector, slot: u32) -> Option<f32> {
        if query.0.len() != self.dimensions {
            return None;
        }
        self.rows_of(slot).map(|row| self.exact_cosine(query, row)).reduce(f32::max)
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
        dot(&query.0, self.exact.get(self.range(row)).unwrap_or_default())
    }

    fn range(&self, row: u32) -> std::ops::Range<usize> {
        let begin = row as usize * self.dimensions;
        begin..begin + self.dimensions
    }
}

/// The nearest so far, each slot once.
struct Nearest {
    most: usize,
    found: Vec<Near>,
    /// Whatever is less near than this is not among them.
    enough: f32,
    /// When there are so many, it is time to settle.
    full: usize,
}

/// So many are found before it is settled for the first time.
const FIRST: usize = 64;

impl Nearest {
    fn new(most: usize) -> Self {
        Self { most, found: Vec::new(), enough: f32::NEG_INFINITY, full: most.saturating_mul(2).max(FIRST) }
    }

    fn add(&mut self, near: Near) {
        if near.cosine < self.enough {
            return;
        }
        self.found.push(near);
        if self.found.len() >= self.full {
            self.settle();
            // Where all are equally near, none can be left out.
            self.full = self.full.max(self.found.len().saturating_mul(2));
        }
    }

    /// Leaves out what is not among the nearest.
    fn settle(&mut self) {
        let nearest_first = |a: &Near, b: &Near| b.cosine.total_cmp(&a.cosine);
        self.found.sort_unstable_by(|a, b| a.slot.cmp(&b.slot).then_with(|| nearest_first(a, b)));
        self.found.dedup_by_key(|near| near.slot);
        if let Some(last) = self.most.checked_sub(1).filter(|last| *last < self.found.len()) {
            self.enough = self.found.select_nth_unstable_by(last, nearest_first).1.cosine;
            let enough = self.enough;
            self.found.retain(|near| near.cosine >= enough);
        }
    }
}

/// What is no larger may double.
const SMALL_BYTES: usize = 65_536;

/// Room for so many more. Vectors are large: what they would never fill is not set aside.
fn reserve<T>(of: &mut Vec<T>, more: usize) {
    if of.capacity() - of.len() < more {
        let is_small = of.len() * size_of::<T>() <= SMALL_BYTES;
        let ahead = if is_small { of.len() } else { of.len() / 64 };
        of.reserve_exact(more.max(ahead));
    }
}
