//! Which memories of those that a leg finds are looked at by all of them?

use crate::id::MemoryId;
use crate::mind::Mind;

/// Of what each leg finds, so many are looked at by all legs.
pub(super) const LOOKED_AT: usize = 100;

/// The slots of the nearest, and of those that are as near as the last of them.
pub(super) fn nearest(
    mind: &Mind,
    near: &[f32],
    words: &[f32],
    is_admitted: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    let mut found: Vec<(f32, usize)> = Vec::with_capacity(LOOKED_AT * 4);
    let (mut least, mut full) = (f32::MIN_POSITIVE, LOOKED_AT * 4);
    for (slot, near) in near.iter().enumerate() {
        // Most of thousands are less near than what was found already, and cost no more than this.
        if *near < least || !is_admitted(slot) {
            continue;
        }
        found.push((*near, slot));
        if found.len() >= full {
            least = least_of_the_nearest(&mut found).unwrap_or(least);
            found.retain(|(near, _)| *near >= least);
            // Where all are equally near, none can be left out.
            full = full.max(found.len() * 2);
        }
    }
    let Some(least) = least_of_the_nearest(&mut found) else {
        return found.into_iter().map(|(_, slot)| slot).collect();
    };
    let (nearer, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|(near, _)| *near > least);
    let equals = rest.into_iter().filter(|(near, _)| *near >= least).map(|(_, slot)| slot).collect();
    nearer.into_iter().map(|(_, slot)| slot).chain(some_of(equals, mind, words)).collect()
}

/// How near the last of the nearest is; None if there is room for all.
fn least_of_the_nearest(found: &mut [(f32, usize)]) -> Option<f32> {
    let is_more = found.len() > LOOKED_AT;
    is_more.then(|| found.select_nth_unstable_by(LOOKED_AT - 1, |a, b| b.0.total_cmp(&a.0)).1.0)
}

/// Of very many that are equally near, those that words speak for, the oldest and the newest: a name may be in thousands of memories, and all of
/// a day is equally near to that day.
fn some_of(equals: Vec<usize>, mind: &Mind, words: &[f32]) -> Vec<usize> {
    const OF_EITHER_END: usize = LOOKED_AT / 2;
    if equals.len() <= LOOKED_AT * 2 {
        return equals;
    }
    let id = |slot: usize| mind.note(slot).map(|note| note.held.memory.id);
    let mut aged: Vec<(Option<MemoryId>, usize)> = equals.into_iter().map(|slot| (id(slot), slot)).collect();
    let newest = aged.len() - OF_EITHER_END;
    aged.select_nth_unstable(newest);
    let (older, newest) = aged.split_at_mut(newest);
    older.select_nth_unstable(OF_EITHER_END);
    let (oldest, between) = older.split_at_mut(OF_EITHER_END);
    let said = |slot: usize| words.get(slot).copied().unwrap_or_default();
    between.select_nth_unstable_by(LOOKED_AT, |a, b| {
        said(b.1).total_cmp(&said(a.1)).then_with(|| a.0.cmp(&b.0))
    });
    let spoken_for = between.iter().take(LOOKED_AT);
    spoken_for.chain(&*oldest).chain(&*newest).map(|(_, slot)| *slot).collect()
}
