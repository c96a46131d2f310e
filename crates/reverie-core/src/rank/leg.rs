//! What does a leg say of each candidate, measured by its best?

#[derive(Default)]
pub(super) struct Leg {
    /// 1 for the best.
    pub(super) near: Vec<f32>,
    /// How near the best is.
    pub(super) best: f32,
}

impl Leg {
    pub(super) fn new(near: impl Iterator<Item = f32>, how_near: impl Fn(f32) -> f32) -> Self {
        let mut near: Vec<f32> = near.collect();
        let best = near.iter().copied().fold(0.0, f32::max);
        if best <= 0.0 {
            return Self::default();
        }
        near.iter_mut().for_each(|near| *near /= best);
        Self { near, best: how_near(best) }
    }

    /// A leg that found nothing has no say.
    pub(super) fn weight(&self, weight: f32) -> f32 {
        if self.near.is_empty() { 0.0 } else { weight }
    }
}
