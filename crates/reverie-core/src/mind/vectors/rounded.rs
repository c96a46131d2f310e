//! How near can a vector be at most, read from a few bits a dimension?
//!
//! A vector is rounded to a byte a dimension, and the bytes are kept in halves: all upper ones together, all lower ones together.
//! What the upper halves tell rules most vectors out, and is an eighth of what the exact ones weigh: a search is as fast as memory is
//! read. The sums are of whole numbers and so the same on every machine; what rounding took away is known for each vector, so
//! nothing is ruled out that is near.

use super::halves::{Halves, products_of, products_of_some};

#[derive(Debug, Default)]
pub(super) struct Rounded {
    /// Bytes of a half: two dimensions each, one from either half of the vector.
    width: usize,
    upper: Vec<u8>,
    lower: Vec<u8>,
    rows: Vec<Row>,
    /// No vector is longer.
    longest: f32,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// What one step of the bytes is worth.
    step: f32,
    /// The length of what is missing in the upper halves.
    without_lower: f32,
    /// The length of what is missing in both.
    without_rest: f32,
}

/// A vector that is not there is not near anything.
const NOBODY: Row = Row { step: 0.0, without_lower: f32::NEG_INFINITY, without_rest: f32::NEG_INFINITY };
/// Halves are kept in multiples of so many bytes.
const WIDTH: usize = 16;
/// Steps to either side of 0, of a vector and of a query: as many as a byte with a sign has.
const STEPS: f32 = 127.0;
/// Of a byte that stands for 0, and of the middle of what one upper half stands for.
const ZERO: i32 = 128;
const MIDDLE: i32 = 8;
/// Adds the byte of 0, and rounds to the nearest when what is behind the point is cut off.
const HALF_UP: f32 = 128.5;

/// A query in the same form.
pub(super) struct Query {
    halves: Halves,
    sum: i32,
    step: f32,
    /// Its length, with what rounding may have added.
    length: f32,
    /// What rounding the query and adding floats can change.
    slack: f32,
}

impl Rounded {
    pub(super) fn new(dimensions: usize) -> Self {
        Self { width: dimensions.div_ceil(2).next_multiple_of(WIDTH), ..Self::default() }
    }

    pub(super) fn reserve(&mut self, rows: usize) {
        super::reserve(&mut self.upper, rows * self.width);
        super::reserve(&mut self.lower, rows * self.width);
        super::reserve(&mut self.rows, rows);
    }

    /// In place of what there was.
    pub(super) fn set(&mut self, row: usize, vector: &[f32]) {
        let place = row * self.width..(row + 1) * self.width;
        if self.rows.len() <= row {
            self.reserve(row + 1 - self.rows.len());
            self.rows.resize(row + 1, NOBODY);
            self.upper.resize(place.end, 0);
            self.lower.resize(place.end, 0);
        }
        let greatest = vector.iter().fold(0.0f32, |greatest, value| greatest.max(value.abs()));
        let step = if greatest > 0.0 { greatest / STEPS } else { 1.0 };
        let per_step = step.recip();
        let bytes: Vec<u8> = vector.iter().map(|value| (value * per_step + HALF_UP) as u8).collect();
        let (first, second) = bytes.split_at(bytes.len().min(self.width));
        let byte = |half: &[u8], index: usize| half.get(index).copied().unwrap_or(ZERO as u8);
        let upper = self.upper.get_mut(place.clone()).unwrap_or_default();
        let lower = self.lower.get_mut(place).unwrap_or_default();
        for (index, (upper, lower)) in upper.iter_mut().zip(lower).enumerate() {
            let (first, second) = (byte(first, index), byte(second, index));
            *upper = first >> 4 | second & 0xF0;
            *lower = first & 0x0F | second << 4;
        }
        self.longest = self.longest.max(length(vector.iter().map(|value| f64::from(*value))));
        // Measured from the bytes as they are, so that it holds however they were rounded.
        let lost = |mask: u8, middle: i32| {
            let values = vector.iter().zip(&bytes).map(|(value, byte)| {
                let rounded = i32::from(byte & mask) + middle - ZERO;
                f64::from(*value) - f64::from(rounded as f32 * step)
            });
            length(values)
        };
        let (without_rest, without_lower) = (lost(0xFF, 0), lost(0xF0, MIDDLE));
        if let Some(place) = self.rows.get_mut(row) {
            *place = Row { step, without_lower, without_rest };
        }
    }

    pub(super) fn remove(&mut self, row: usize) {
        self.rows.get_mut(row).into_iter().for_each(|row| *row = NOBODY);
    }

    pub(super) fn bytes(&self) -> usize {
        self.upper.capacity() + self.lower.capacity() + self.rows.capacity() * size_of::<Row>()
    }

    pub(super) fn query(&self, query: &[f32]) -> Query {
        let greatest = query.iter().fold(0.0f32, |greatest, value| greatest.max(value.abs()));
        let step = if greatest > 0.0 { greatest / STEPS } else { 1.0 };
        let rounded: Vec<i8> = query.iter().map(|value| (value / step).round() as i8).collect();
        let exact = query.iter().map(|value| f64::from(*value));
        let length_of_exact = length(exact.clone());
        let lost =
            length(exact.zip(&rounded).map(|(value, rounded)| value - f64::from(f32::from(*rounded) * step)));
        let floats = f32::EPSILON * (query.len() + WIDTH) as f32 * (length_of_exact + lost) * self.longest;
        let (first, second) = rounded.split_at(rounded.len().min(self.width));
        let padded = |half: &[i8]| {
            let mut half: Vec<u8> = half.iter().map(|value| value.cast_unsigned()).collect();
            half.resize(self.width, 0);
            half
        };
        Query {
            halves: Halves { low: padded(first), high: padded(second) },
            sum: rounded.iter().map(|value| i32::from(*value)).sum(),
            step,
            length: length_of_exact + lost,
            slack: lost * self.longest + floats,
        }
    }

    /// What the upper halves of all rows tell.
    pub(super) fn coarse(&self, query: &Query) -> Coarse {
        let mut products = vec![0; self.rows.len()];
        products_of(&self.upper, &query.halves, &mut products);
        let reach = |(row, product): (&Row, &i32)| {
            // 16 · upper + 8 - 128, in whole numbers as long as possible.
            let product = 2 * product - 15 * query.sum;
            8.0 * product as f32 * (row.step * query.step) + query.length * row.without_lower + query.slack
        };
        Coarse { at_most: self.rows.iter().zip(&products).map(reach).collect(), products }
    }

    /// How near these rows can be at most, by both halves.
    pub(super) fn fine(&self, query: &Query, coarse: &Coarse, rows: &[u32], at_most: &mut Vec<f32>) {
        let mut lower = vec![0; rows.len()];
        products_of_some(&self.lower, &query.halves, rows, &mut lower);
        let reach = |(row, lower): (&u32, i32)| {
            let upper = coarse.products.get(*row as usize).copied().unwrap_or_default();
            let product = 16 * i64::from(upper) + i64::from(lower) - i64::from(ZERO) * i64::from(query.sum);
            let row = self.rows.get(*row as usize).copied().unwrap_or(NOBODY);
            product as f32 * (row.step * query.step) + query.length * row.without_rest + query.slack
        };
        at_most.clear();
        at_most.extend(rows.iter().zip(lower).map(reach));
    }
}

/// What the upper halves tell, row by row.
pub(super) struct Coarse {
    /// How near each can be at most.
    pub(super) at_most: Vec<f32>,
    products: Vec<i32>,
}

/// Rounded up, so that nothing is longer.
fn length(values: impl Iterator<Item = f64>) -> f32 {
    let length = values.map(|value| value * value).sum::<f64>().sqrt();
    (length * (1.0 + 1e-6)) as f32
}
