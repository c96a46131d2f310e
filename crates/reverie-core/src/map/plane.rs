//! Where do groups lie in a square, so that what is alike lies together and nothing covers anything?
//!
//! Classical scaling: the two directions in which the middles of the groups differ most become across and up. Then each
//! group gets room by its size, and those that overlap push each other aside.

use super::chance::Chance;
use super::rows::Rows;
use crate::dot::dot;

/// A circle; the square reaches from -1 to 1 both ways.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Circle {
    pub(super) at: [f64; 2],
    pub(super) radius: f64,
}

/// A group of all memories would be so large.
const LARGEST: f64 = 0.7;
/// No group is drawn smaller or larger, before it has to make room.
const RADII: (f64, f64) = (0.04, 0.6);
/// Between two of them.
const GAP: f64 = 0.015;
/// How often those that overlap push each other aside.
const PUSHES: usize = 400;
/// Where across says much more than up, up is drawn so many times as large as it is.
const STRETCH: f64 = 2.0;
/// How often a direction is looked for.
const STEPS: usize = 200;
/// Those that stand in one place part in these directions.
const PARTING: [[f64; 2]; 5] = [[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8], [0.8, -0.6], [-0.8, -0.6]];

/// A circle for each group, in their order; `sizes` are how many memories each has.
pub(super) fn circles(middles: &Rows, sizes: &[usize]) -> Vec<Circle> {
    let all = sizes.iter().sum::<usize>().max(1) as f64;
    let radius = |size: &usize| (LARGEST * (*size as f64 / all).sqrt()).clamp(RADII.0, RADII.1);
    let places = in_the_square(scaled(middles));
    let circle = |(at, size): ([f64; 2], &usize)| Circle { at, radius: radius(size) };
    let mut circles: Vec<Circle> = places.into_iter().zip(sizes).map(circle).collect();
    circles.iter_mut().for_each(Circle::stay_inside);
    for _ in 0..PUSHES {
        if !push_apart(&mut circles) {
            break;
        }
    }
    shrink(&mut circles);
    circles
}

/// Distances of the middles, as well as two numbers for each can tell them.
fn scaled(middles: &Rows) -> Vec<[f64; 2]> {
    let count = middles.len();
    let product = |a: &[f32], b: &[f32]| f64::from(dot(a, b));
    let mut matrix: Vec<Vec<f64>> =
        middles.iter().map(|a| middles.iter().map(|b| product(a, b)).collect()).collect();
    let means: Vec<f64> = matrix.iter().map(|row| row.iter().sum::<f64>() / count.max(1) as f64).collect();
    let mean = means.iter().sum::<f64>() / count.max(1) as f64;
    for (row, own) in matrix.iter_mut().zip(&means) {
        row.iter_mut().zip(&means).for_each(|(value, other)| *value += mean - own - other);
    }
    let across = strongest(&mut matrix, 1);
    let up = strongest(&mut matrix, 2);
    across.into_iter().zip(up).map(|(x, y)| [x, y]).collect()
}

/// The direction in which a symmetric matrix is strongest, as long as it is strong, and takes it out of the matrix.
fn strongest(matrix: &mut [Vec<f64>], beginning: u64) -> Vec<f64> {
    let mut chance = Chance::new(beginning << 32);
    let mut vector: Vec<f64> = matrix.iter().map(|_| chance.draw() - 0.5).collect();
    let mut strength = 0.0;
    for _ in 0..STEPS {
        let times: Vec<f64> =
            matrix.iter().map(|row| row.iter().zip(&vector).map(|(a, b)| a * b).sum()).collect();
        strength = times.iter().map(|value| value * value).sum::<f64>().sqrt();
        if strength <= 1e-9 {
            return vec![0.0; matrix.len()];
        }
        vector = times.into_iter().map(|value| value / strength).collect();
    }
    // Both signs would do; the largest part decides.
    let largest =
        vector.iter().fold(0.0f64, |so_far, value| if value.abs() > so_far.abs() { *value } else { so_far });
    if largest < 0.0 {
        vector.iter_mut().for_each(|value| *value = -*value);
    }
    for (row, own) in matrix.iter_mut().zip(&vector) {
        row.iter_mut().zip(&vector).for_each(|(value, other)| *value -= strength * own * other);
    }
    vector.into_iter().map(|value| value * strength.sqrt()).collect()
}

/// As large as fits.
fn in_the_square(mut places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let reach = |axis: fn(&[f64; 2]) -> f64| places.iter().map(|at| axis(at).abs()).fold(0.0, f64::max);
    let (across, up) = (reach(|[x, _]| *x), reach(|[_, y]| *y));
    if across > 0.0 {
        let factor = 1.0 / across;
        let stretch = if up > 0.0 { (1.0 / up).min(STRETCH * factor) } else { 0.0 };
        places.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * factor, *y * stretch));
    }
    places
}

impl Circle {
    fn stay_inside(&mut self) {
        let most = 1.0 - self.radius;
        self.at.iter_mut().for_each(|value| *value = value.clamp(-most, most));
    }

    /// How far two are from each other, and in which direction the other one is.
    fn way_to(&self, other: &Self) -> (f64, [f64; 2]) {
        let ([x, y], [other_x, other_y]) = (self.at, other.at);
        let (x, y) = (other_x - x, other_y - y);
        let far = (x * x + y * y).sqrt();
        (far, [x / far.max(f64::MIN_POSITIVE), y / far.max(f64::MIN_POSITIVE)])
    }
}

/// Whether any two had to.
fn push_apart(circles: &mut [Circle]) -> bool {
    let mut pushed = false;
    for at in 1..circles.len() {
        let (before, behind) = circles.split_at_mut(at);
        let Some(circle) = behind.first_mut() else { break };
        for (number, other) in before.iter_mut().enumerate() {
            let (far, mut way) = circle.way_to(other);
            let needed = circle.radius + other.radius + GAP;
            // What rounding leaves is no overlap.
            if far >= needed - 1e-6 {
                continue;
            }
            if far < 1e-9 {
                way = PARTING.into_iter().cycle().nth(at + number).unwrap_or_default();
            }
            let push = (needed - far) / 2.0;
            let shift = |place: &mut [f64; 2], by: f64| {
                place.iter_mut().zip(way).for_each(|(value, way)| *value += way * by);
            };
            shift(&mut other.at, push);
            shift(&mut circle.at, -push);
            other.stay_inside();
            circle.stay_inside();
            pushed = true;
        }
    }
    pushed
}

/// Where pushing did not help, all become smaller by the same factor.
fn shrink(circles: &mut [Circle]) {
    let mut factor: f64 = 1.0;
    for (at, circle) in circles.iter().enumerate() {
        for other in circles.iter().skip(at + 1) {
            let (far, _) = circle.way_to(other);
            factor = factor.min(far / (circle.radius + other.radius));
        }
    }
    circles.iter_mut().for_each(|circle| circle.radius *= factor);
}
