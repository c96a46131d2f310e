//! What does a leg say of each candidate, measured by its best?

#[derive(Default)]
pub(super) struct Leg {
    /// 1 for the best.
    pub(super) near: Vec<f32>,
    /// How near the best is.
    pub(super) best: f32,
}

impl Leg {
    /// `best` is what all are measured by, and how near that is; nothing is nearer.
    pub(super) fn new(near: impl Iterator<Item = f32>, best: f32, how_near: f32) -> Self {
        if best <= 0.0 {
            return Self::default();
        }
        Self { near: near.map(|near| (near / best).min(1.0)).collect(), best: how_near }
    }

    /// A leg that found nothing has no say.
    pub(super) fn weight(&self, weight: f32) -> f32 {
        if self.near.is_empty() { 0.0 } else { weight }
    }
}

/// What all are measured by: the best of those that are not being said, unless nothing else is near.
pub(super) fn best_of(slots: &[usize], is_other: &dyn Fn(&usize) -> bool, near: &[f32]) -> f32 {
    let others = slots.iter().zip(near).filter(|(slot, _)| is_other(slot)).map(|(_, near)| *near);
    let others = others.fold(0.0, f32::max);
    if others > 0.0 { others } else { near.iter().copied().fold(0.0, f32::max) }
}
