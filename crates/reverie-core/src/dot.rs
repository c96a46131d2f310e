//! What is the product of two vectors, the same on every machine?

use multiversion::multiversion;

/// So many sums run beside each other: as many as the widest registers hold.
const LANES: usize = 16;

/// Summed in a fixed order and without fused operations, so that the last bit does not depend on what a machine can do at once.
/// What one of them has more than the other counts for nothing.
///
/// In registers as wide as there are: rows are far apart in memory, and the shorter one product is, the more of the next ones a processor
/// reads ahead.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let same = a.len().min(b.len());
    let (a, b) = (a.get(..same).unwrap_or_default(), b.get(..same).unwrap_or_default());
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    for ((sum, a), b) in sums.iter_mut().zip(a_rest).zip(b_rest) {
        *sum += a * b;
    }
    let mut width = LANES / 2;
    while width > 0 {
        let (left, right) = sums.split_at_mut(width);
        left.iter_mut().zip(right).for_each(|(left, right)| *left += *right);
        width /= 2;
    }
    let [sum, ..] = sums;
    sum
}
