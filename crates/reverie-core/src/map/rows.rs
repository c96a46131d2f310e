//! Numbers in rows of one width, one behind the other.

use crate::dot::dot;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Rows {
    values: Vec<f32>,
    width: usize,
}

impl Rows {
    pub(super) fn new(width: usize, rows: usize) -> Self {
        Self { values: Vec::with_capacity(width * rows), width }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn len(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    pub(super) fn push(&mut self, row: &[f32]) {
        self.values.extend(row.iter().copied().chain(std::iter::repeat(0.0)).take(self.width));
    }

    /// Nothing, where there is no such row.
    pub(super) fn row(&self, at: usize) -> &[f32] {
        self.values.get(at * self.width..(at + 1) * self.width).unwrap_or_default()
    }

    pub(super) fn row_mut(&mut self, at: usize) -> &mut [f32] {
        self.values.get_mut(at * self.width..(at + 1) * self.width).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// The row that points most in this direction, and how much; of equals the first.
    pub(super) fn nearest(&self, direction: &[f32]) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (at, row) in self.iter().enumerate() {
            let near = dot(row, direction);
            if best.is_none_or(|(_, so_far)| near > so_far) {
                best = Some((at, near));
            }
        }
        best
    }
}

/// Adds so many times a vector.
pub(super) fn add(to: &mut [f32], what: &[f32], times: f32) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what * times);
}

/// Makes a vector 1 long. One without a direction becomes all zeros: false.
pub(super) fn to_unit(vector: &mut [f32]) -> bool {
    let length = dot(vector, vector).sqrt();
    // What is left of equal numbers after a subtraction is noise.
    let is_direction = length > 1e-5 && length.is_finite();
    vector.iter_mut().for_each(|value| *value = if is_direction { *value / length } else { 0.0 });
    is_direction
}
