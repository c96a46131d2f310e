//! Which directions matter most, and which map takes one space nearest to another? In 64 bits, in order.

use crate::matrix::{Matrix, Panels};

/// The directions of a symmetric matrix (rows of the answer) and how much lies along each, the largest first. Jacobi's
/// rotations until nothing is left beside the diagonal.
pub(crate) fn directions(symmetric: &Matrix) -> (Matrix, Vec<f64>) {
    let size = symmetric.rows;
    let mut a: Vec<Vec<f64>> =
        (0..size).map(|row| symmetric.row(row).iter().map(|v| f64::from(*v)).collect()).collect();
    let mut turned: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| if row == column { 1.0 } else { 0.0 }).collect())
        .collect();
    for _ in 0..SWEEPS {
        let scale: f64 = (0..size).map(|at| at_of(&a, at, at).abs()).fold(0.0, f64::max);
        let mut is_done = true;
        for p in 0..size {
            for q in p + 1..size {
                let off = at_of(&a, p, q);
                if off.abs() <= scale * 1e-12 {
                    continue;
                }
                is_done = false;
                let theta = (at_of(&a, q, q) - at_of(&a, p, p)) / (2.0 * off);
                let sign = if theta < 0.0 { -1.0 } else { 1.0 };
                let t = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    rotate_in(row, p, q, c, s);
                }
                rotate_rows(&mut a, p, q, c, s);
                rotate_rows(&mut turned, p, q, c, s);
            }
        }
        if is_done {
            break;
        }
    }
    let mut order: Vec<(f64, usize)> = (0..size).map(|at| (at_of(&a, at, at), at)).collect();
    order.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
    let mut rows = Matrix::zeros(size, size);
    for (place, (_, at)) in order.iter().enumerate() {
        let direction = turned.get(*at).map(Vec::as_slice).unwrap_or_default();
        // A direction and its opposite are the same: the largest value decides.
        let largest = direction
            .iter()
            .copied()
            .fold(0.0f64, |most, value| if value.abs() > most.abs() { value } else { most });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        rows.row_mut(place)
            .iter_mut()
            .zip(direction)
            .for_each(|(place, value)| *place = (value * sign) as f32);
    }
    (rows, order.into_iter().map(|(value, _)| value.max(0.0)).collect())
}

const SWEEPS: usize = 12;

fn at_of(a: &[Vec<f64>], row: usize, column: usize) -> f64 {
    a.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
}

fn rotate_in(row: &mut [f64], p: usize, q: usize, c: f64, s: f64) {
    let (Some(x), Some(y)) = (row.get(p).copied(), row.get(q).copied()) else { return };
    if let Some(place) = row.get_mut(p) {
        *place = c * x - s * y;
    }
    if let Some(place) = row.get_mut(q) {
        *place = s * x + c * y;
    }
}

fn rotate_rows(rows: &mut [Vec<f64>], p: usize, q: usize, c: f64, s: f64) {
    let (before, behind) = rows.split_at_mut(q);
    let (Some(first), Some(second)) = (before.get_mut(p), behind.first_mut()) else { return };
    for (x, y) in first.iter_mut().zip(second) {
        let (old_x, old_y) = (*x, *y);
        *x = c * old_x - s * old_y;
        *y = s * old_x + c * old_y;
    }
}

/// Of all pairs of columns, summed over the rows.
pub(crate) fn products(left: &Matrix, right: &Matrix) -> Matrix {
    Panels::of(right).after(&left.transposed())
}

/// The map that takes the rows of `from` nearest to those of `to`, kept small by `ridge`. By Cholesky's factors.
pub(crate) fn map(from: &Matrix, to: &Matrix, ridge: f64) -> Matrix {
    let size = from.columns;
    let gram = products(from, from);
    let mut lower = vec![vec![0.0f64; size]; size];
    for row in 0..size {
        for column in 0..=row {
            let own = gram.row(row).get(column).copied().map_or(0.0, f64::from)
                + if row == column { ridge } else { 0.0 };
            let (above, here) = lower.split_at_mut(row);
            let Some(here) = here.first_mut() else { continue };
            let value = if row == column {
                (own - here.iter().take(column).map(|v| v * v).sum::<f64>()).max(1e-9).sqrt()
            } else {
                let other = above.get(column).map(Vec::as_slice).unwrap_or_default();
                let sum: f64 = here.iter().zip(other).take(column).map(|(a, b)| a * b).sum();
                (own - sum) / other.get(column).copied().unwrap_or(1.0)
            };
            if let Some(place) = here.get_mut(column) {
                *place = value;
            }
        }
    }
    let right = products(from, to).transposed();
    let mut solution = Matrix::zeros(to.columns, size);
    for column in 0..to.columns {
        let mut y: Vec<f64> = right.row(column).iter().map(|v| f64::from(*v)).collect();
        for row in 0..size {
            let factors = lower.get(row).map(Vec::as_slice).unwrap_or_default();
            let known: f64 = factors.iter().zip(&y).take(row).map(|(a, b)| a * b).sum();
            if let Some(place) = y.get_mut(row) {
                *place = (*place - known) / factors.get(row).copied().unwrap_or(1.0);
            }
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size)
                .map(|below| at_of(&lower, below, row) * y.get(below).copied().unwrap_or(0.0))
                .sum();
            if let Some(place) = y.get_mut(row) {
                *place = (*place - known) / at_of(&lower, row, row);
            }
        }
        solution.row_mut(column).iter_mut().zip(&y).for_each(|(place, value)| *place = *value as f32);
    }
    solution.transposed()
}

/// Each row divided by its length; rows of nothing stay.
pub(crate) fn normalise(matrix: &mut Matrix) {
    let columns = matrix.columns.max(1);
    matrix.values.chunks_exact_mut(columns).for_each(normalise_row);
}

pub(crate) fn normalise_row(row: &mut [f32]) {
    let squares: f64 = row.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    if squares > 0.0 {
        let length = squares.sqrt() as f32;
        row.iter_mut().for_each(|value| *value /= length);
    }
}

/// Takes the mean of some rows, and the directions most common to them, out of all that are not empty.
pub(crate) fn remove_common(matrix: &mut Matrix, of: &[usize], most: usize) {
    let mut mean = vec![0.0f64; matrix.columns];
    for row in of {
        mean.iter_mut().zip(matrix.row(*row)).for_each(|(mean, value)| *mean += f64::from(*value));
    }
    let mean: Vec<f32> = mean.iter().map(|sum| (sum / of.len().max(1) as f64) as f32).collect();
    for row in
        matrix.values.chunks_exact_mut(mean.len().max(1)).filter(|row| row.iter().any(|value| *value != 0.0))
    {
        row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
    }
    let mut sample = Matrix::zeros(of.len(), matrix.columns);
    for (place, row) in of.iter().enumerate() {
        sample.row_mut(place).copy_from_slice(matrix.row(*row));
    }
    let (common, _) = directions(&products(&sample, &sample));
    for row in matrix.values.chunks_exact_mut(mean.len().max(1)) {
        for direction in 0..most {
            let direction = common.row(direction);
            let along: f32 = row.iter().zip(direction).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(direction).for_each(|(value, part)| *value -= along * part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f32) -> Matrix {
        let values = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Matrix { rows, columns, values: values.map(|(row, column)| value(row, column)).collect() }
    }

    /// Numbers without a pattern.
    fn scattered(row: usize, column: usize) -> f32 {
        ((row * 31 + column * 17 + row * column * 7) % 23) as f32 / 11.0 - 1.0
    }

    #[test]
    fn products_are_sums_of_products() {
        let (left, right) = (matrix(13, 7, scattered), matrix(13, 19, |row, column| scattered(column, row)));
        let found = products(&left, &right);
        for row in 0..7 {
            for column in 0..19 {
                let exact: f32 = (0..13).map(|at| left.row(at)[row] * right.row(at)[column]).sum();
                assert!((found.row(row)[column] - exact).abs() < 1e-5, "{row} {column}");
            }
        }
    }

    #[test]
    fn directions_take_a_matrix_apart() {
        let data = matrix(40, 9, scattered);
        let symmetric = products(&data, &data);
        let (rows, strengths) = directions(&symmetric);
        assert!(strengths.is_sorted_by(|a, b| a >= b));
        for row in 0..9 {
            for column in 0..9 {
                let parts = strengths.iter().enumerate().map(|(at, strength)| {
                    f64::from(rows.row(at)[row]) * strength * f64::from(rows.row(at)[column])
                });
                let sum: f64 = parts.sum();
                assert!((sum - f64::from(symmetric.row(row)[column])).abs() < 1e-3, "{row} {column}");
            }
        }
    }

    #[test]
    fn a_map_that_exists_is_found() {
        let from = matrix(60, 5, scattered);
        let true_map = matrix(5, 3, |row, column| scattered(column + 3, row));
        let to = Panels::of(&true_map).after(&from);
        let found = map(&from, &to, 1e-6);
        for (found, expected) in found.values.iter().zip(&true_map.values) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}
