//! What is the product of two vectors, the same on every machine?

/// So many sums run beside each other: as many as the widest registers hold.
const LANES: usize = 16;

/// Summed in a fixed order and without fused operations, so that the last bit does not depend on what a machine can do at once.
/// What one of them has more than the other counts for nothing.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let same = a.len().min(b.len());
    let (a, b) = (a.get(..same).unwrap_or_default(), b.get(..same).unwrap_or_default());
    let (a_whole, b_whole) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_whole.remainder(), b_whole.remainder());
    let mut sums = [0.0f32; LANES];
    for (a, b) in a_whole.zip(b_whole) {
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
