//! Which member of an inclusion group may stay?

use std::collections::HashMap;
use std::sync::Arc;

use super::why::{Contest, Outcome};

/// Someone who wants to become active in this pass.
pub(super) struct Candidate<'a> {
    pub(super) item: u32,
    pub(super) id: &'a Arc<str>,
    pub(super) groups: &'a [String],
    pub(super) order: i64,
    pub(super) preferred: bool,
    pub(super) weight: f64,
    pub(super) is_scored: bool,
    pub(super) is_sticky: bool,
}

/// Tells who has to go, and why. `active` are groups of which an entry of an earlier pass is the member, and that entry.
pub(super) fn decide(
    candidates: &[Candidate<'_>],
    active: &HashMap<&str, &Arc<str>>,
    score: impl Fn(u32) -> u32,
    draw: &mut dyn FnMut() -> f64,
) -> HashMap<u32, Outcome> {
    let mut lost = HashMap::new();
    for (name, mut group) in grouped(candidates) {
        let mut lose = |loser: &Candidate<'_>, how: Contest| {
            let outcome = || Outcome::LostGroup { group: name.to_owned(), how };
            lost.entry(loser.item).or_insert_with(outcome);
        };
        if group.iter().any(|member| member.is_sticky) {
            group.iter().filter(|member| !member.is_sticky).for_each(|member| lose(member, Contest::Sticky));
            continue;
        }
        if group.iter().any(|member| member.is_scored) {
            let scores: HashMap<u32, u32> =
                group.iter().map(|member| (member.item, score(member.item))).collect();
            let best = scores.values().copied().max().unwrap_or(0);
            group.retain(|member| {
                let own = scores.get(&member.item).copied().unwrap_or(0);
                let stays = !member.is_scored || own >= best;
                if !stays {
                    lose(member, Contest::Score { own, best });
                }
                stays
            });
        }
        if let Some(by) = active.get(name) {
            group.iter().for_each(|member| lose(member, Contest::Taken { by: Arc::clone(by) }));
            continue;
        }
        if group.len() < 2 {
            continue;
        }
        let mut preferred: Vec<_> = group.iter().filter(|member| member.preferred).collect();
        preferred.sort_by_key(|member| std::cmp::Reverse(member.order));
        let (winner, how) = match preferred.first() {
            Some(winner) => (winner.item, Contest::Override { winner: Arc::clone(winner.id) }),
            None => {
                let total: f64 = group.iter().map(|member| member.weight).sum();
                let roll = draw() * total;
                let Some(winner) = drawn(&group, roll) else { continue };
                (winner.item, Contest::Draw { winner: Arc::clone(winner.id), roll, total })
            }
        };
        group.iter().filter(|member| member.item != winner).for_each(|member| lose(member, how.clone()));
    }
    lost
}

fn drawn<'g, 'a>(group: &[&'g Candidate<'a>], roll: f64) -> Option<&'g Candidate<'a>> {
    let mut reached = 0.0;
    group.iter().copied().find(|member| {
        reached += member.weight;
        roll <= reached
    })
}

/// In the order in which groups are first mentioned, those named by a number first: so authors' draws fall as they are
/// used to.
fn grouped<'g, 'a>(candidates: &'g [Candidate<'a>]) -> Vec<(&'a str, Vec<&'g Candidate<'a>>)> {
    let mut groups: Vec<(&str, Vec<&Candidate<'_>>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates {
        for name in candidate.groups {
            let place = *places.entry(name).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, members)) => members.push(candidate),
                None => groups.push((name, vec![candidate])),
            }
        }
    }
    groups.sort_by_cached_key(|(name, _)| {
        // The greatest of them is no index there.
        let number =
            name.parse::<u32>().ok().filter(|number| *number < u32::MAX && number.to_string() == **name);
        (number.is_none(), number)
    });
    groups
}
