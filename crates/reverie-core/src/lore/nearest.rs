//! Which of the entries that are near in meaning are the nearest, where only so many come?
//!
//! Only those take a place that it could bring in here and now. What somebody may not know, what rests, and what comes anyway
//! would else keep out what they may.

use std::collections::HashMap;

use super::admission;
use super::nature;
use super::rules::Request;
use super::shelf::{Item, Shelf};
use super::timers::Timed;

/// How near entries are in meaning, by their place on the shelf.
pub(super) struct Nearest {
    near: HashMap<u32, f64>,
    /// Those for which there are too many nearer ones.
    behind: HashMap<u32, f64>,
    most: usize,
}

impl Nearest {
    /// `timed` is what is on, of so many messages.
    pub(super) fn new(
        shelf: &Shelf,
        request: &Request<'_>,
        timed: &HashMap<u32, Timed>,
        messages: u32,
    ) -> Self {
        let mut near: HashMap<u32, f64> = request
            .similar
            .iter()
            .filter_map(|(book, entry, score)| Some((shelf.find(book, entry)?, *score)))
            .collect();
        let most = request.most_similar.unwrap_or(usize::MAX);
        if near.len() <= most {
            return Self { near, behind: HashMap::new(), most };
        }
        let mut ranked: Vec<(u32, f64, &Item)> = near
            .iter()
            .filter_map(|(index, similarity)| {
                let item = shelf.items.get(*index as usize)?;
                let timed = timed.get(index).copied().unwrap_or_default();
                Some((*index, brought_in(item, request, timed, messages, *similarity)?, item))
            })
            .collect();
        ranked.sort_by(|(_, strength, one), (_, other_strength, other)| {
            let by_name = || (&one.book, &one.entry.id).cmp(&(&other.book, &other.entry.id));
            other_strength.total_cmp(strength).then_with(by_name)
        });
        let behind: HashMap<u32, f64> =
            ranked.iter().skip(most).map(|(index, strength, _)| (*index, *strength)).collect();
        near.retain(|index, _| !behind.contains_key(index));
        Self { near, behind, most }
    }

    /// How near it is, unless others are before it.
    pub(super) fn of(&self, index: u32) -> Option<f64> {
        self.near.get(&index).copied()
    }

    /// How near it is, its weight taken into account, and how many are before it, if they are too many.
    pub(super) fn behind(&self, index: u32) -> Option<(f64, usize)> {
        self.behind.get(&index).map(|strength| (*strength, self.most))
    }

    /// Those that nothing nearer keeps out.
    pub(super) fn all(&self) -> impl Iterator<Item = &u32> {
        self.near.keys()
    }
}

/// How strongly its meaning brings an entry in; None: nothing that is said now does that by its meaning.
fn brought_in(
    item: &Item,
    request: &Request<'_>,
    timed: Timed,
    messages: u32,
    similarity: f64,
) -> Option<f64> {
    let entry = &item.entry;
    let comes_anyway = entry.constant || timed.stays() || item.orders.activate.is_some();
    let is_possible = !comes_anyway
        && entry.probability.is_none_or(|chance| chance > 0.0)
        && timed.check(item, messages).is_ok()
        && admission::refuse(item, request).is_none();
    if is_possible { nature::likeness(entry, request, similarity) } else { None }
}
