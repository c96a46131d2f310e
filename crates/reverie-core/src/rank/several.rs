//! What came to the minds of several: what of it is one, and who knows it?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::choose::{Considered, RELATED};
use crate::id::{CharacterId, MemoryId};
use crate::mind::Related;
use crate::mind::terms::SPELLING;

/// What came to several minds is one, with all who know it, as near as it is to whom it is nearest.
pub(crate) fn merge(all: &mut Vec<Considered>, found: Vec<Considered>) {
    if all.is_empty() {
        *all = found;
        return;
    }
    let mut places: HashMap<MemoryId, Vec<usize>> = HashMap::new();
    for (place, one) in all.iter().enumerate() {
        places.entry(one.note.held.memory.id).or_default().push(place);
    }
    for one in found {
        let known = places.entry(one.note.held.memory.id).or_default();
        // Somebody may have it in other words.
        let is_same = |place: &&usize| {
            all.get(**place).is_some_and(|other| other.note.held.text() == one.note.held.text())
        };
        match known.iter().find(is_same).copied().and_then(|place| all.get_mut(place)) {
            None => {
                known.push(all.len());
                all.push(one);
            }
            Some(known) => {
                let known_by: Vec<CharacterId> =
                    known.known_by.iter().chain(&one.known_by).cloned().collect();
                let related = join(&known.related, &one.related);
                let is_nearer = (known.barred.is_some(), -known.score) > (one.barred.is_some(), -one.score);
                if is_nearer {
                    *known = one;
                }
                (known.known_by, known.related) = (known_by, related);
            }
        }
    }
}

/// What belongs to a memory in one mind or in the other: the nearest first, of equals what was remembered first.
fn join(one: &[Related], other: &[Related]) -> Vec<Related> {
    let mut joined: BTreeMap<MemoryId, Related> = BTreeMap::new();
    for related in one.iter().chain(other) {
        let known = joined.entry(related.memory).or_insert(*related);
        let shareable = known.shareable || related.shareable;
        if related.near > known.near {
            *known = *related;
        }
        known.shareable = shareable;
    }
    let mut joined: Vec<Related> = joined.into_values().collect();
    joined.sort_by(|a, b| b.near.total_cmp(&a.near));
    joined.truncate(RELATED);
    joined
}

/// Says of each who else has the same in mind, word for word, and may tell it here. Neither spelling nor marks make other words.
pub(crate) fn note_who_else(all: &mut [Considered]) {
    let mut knowing: HashMap<String, Vec<CharacterId>> = HashMap::new();
    for one in all.iter().filter(|one| one.barred.is_none()) {
        knowing.entry(words(one)).or_default().extend_from_slice(&one.known_by);
    }
    for one in all.iter_mut().filter(|one| one.barred.is_none()) {
        let everybody = knowing.get(&words(one)).into_iter().flatten();
        let others: BTreeSet<&CharacterId> = everybody.filter(|who| !one.known_by.contains(who)).collect();
        one.known_besides = others.into_iter().cloned().collect();
    }
}

fn words(one: &Considered) -> String {
    SPELLING.fold(one.note.held.text()).chars().filter(|char| char.is_alphanumeric()).collect()
}
