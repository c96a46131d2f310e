//! What belongs to the memories that are nearest, and comes along with them?

use std::collections::HashMap;

use crate::mind::{Mind, Related, Relating};
use crate::settings::recall::RecallRules;

/// So many of the nearest bring along what belongs to them.
const BRING_ALONG: usize = 5;
/// What each of them brings along at most.
const BROUGHT: usize = 20;

/// What belongs to the nearest, the nearer the more. What was said right before or after is left to words.
pub(super) fn by_links(
    mind: &Mind,
    mut scores: Vec<(f32, usize)>,
    rules: &RecallRules,
) -> HashMap<usize, f32> {
    let id = |slot: usize| mind.note(slot).map(|note| note.held.memory.id);
    scores.retain(|(score, _)| *score >= rules.threshold);
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| id(a.1).cmp(&id(b.1))));
    let mut linked: HashMap<usize, f32> = HashMap::new();
    let mut relating = Relating::new(mind);
    for (score, slot) in scores.into_iter().take(BRING_ALONG) {
        for Related { memory, links, near, .. } in relating.to(slot, BROUGHT) {
            let belongs = links.people || links.topic || links.cause;
            if let Some(slot) = mind.slot_of(memory).filter(|_| belongs) {
                let known = linked.entry(slot).or_default();
                *known = known.max(score * near);
            }
        }
    }
    linked
}
