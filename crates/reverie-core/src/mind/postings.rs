//! Which notes hold a term, and how often?
//!
//! Most terms stand in one packed list; what came since stands beside it until there is enough to pack again. Packing never
//! changes an answer.

use std::collections::HashMap;

use super::terms::Term;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) slot: u32,
    /// How often, at most 65 535.
    pub(super) count: u16,
}

#[derive(Debug, Default)]
pub(super) struct Postings {
    /// Sorted.
    terms: Vec<Term>,
    /// Where the postings of a term end; they begin where those of the term before end.
    ends: Vec<u32>,
    packed: Vec<Posting>,
    fresh: HashMap<Term, Vec<Posting>>,
    fresh_count: usize,
    gone_count: usize,
}

/// Of a note that is not there any more.
const GONE: u32 = u32::MAX;
/// What a term takes in a table.
const FRESH_TERM: usize = size_of::<Term>() + size_of::<Vec<Posting>>() + 1;
/// So many fresh postings are not worth packing.
const FEW: usize = 4096;

impl Postings {
    pub(super) fn add(&mut self, slot: u32, terms: &[(Term, u16)]) {
        for (term, count) in terms {
            self.fresh.entry(*term).or_default().push(Posting { slot, count: *count });
        }
        self.fresh_count += terms.len();
        if self.fresh_count > FEW.max(self.packed.len() / 4) {
            self.pack();
        }
    }

    /// Takes a note out that was added with these terms.
    pub(super) fn remove(&mut self, slot: u32, terms: &[(Term, u16)]) {
        for (term, _) in terms {
            let range = self.range(*term);
            let packed = self.packed.get_mut(range).unwrap_or_default();
            if let Some(posting) = packed.iter_mut().find(|posting| posting.slot == slot) {
                posting.slot = GONE;
                self.gone_count += 1;
                continue;
            }
            if let Some(fresh) = self.fresh.get_mut(term) {
                fresh.retain(|posting| posting.slot != slot);
                self.fresh_count -= 1;
            }
        }
        if self.gone_count > FEW.max(self.packed.len() / 2) {
            self.pack();
        }
    }

    /// In no particular order.
    pub(super) fn of(&self, term: Term) -> impl Iterator<Item = Posting> + Clone {
        let packed = self.packed.get(self.range(term)).unwrap_or_default();
        let fresh = self.fresh.get(&term).map(Vec::as_slice).unwrap_or_default();
        packed.iter().filter(|posting| posting.slot != GONE).chain(fresh).copied()
    }

    pub(super) fn bytes(&self) -> usize {
        // Each list is a piece of its own, with room for a few.
        let fresh = self.fresh.capacity() * FRESH_TERM
            + self.fresh.len() * 48
            + self.fresh_count * size_of::<Posting>();
        self.terms.capacity() * 12 + self.packed.capacity() * size_of::<Posting>() + fresh
    }

    fn range(&self, term: Term) -> std::ops::Range<usize> {
        let Ok(place) = self.terms.binary_search(&term) else { return 0..0 };
        let end = |place: usize| self.ends.get(place).map_or(0, |end| *end as usize);
        place.checked_sub(1).map_or(0, end)..end(place)
    }

    fn pack(&mut self) {
        let mut terms: Vec<Term> = self.terms.iter().chain(self.fresh.keys()).copied().collect();
        terms.sort_unstable();
        terms.dedup();
        let mut packed = Vec::with_capacity(self.packed.len() + self.fresh_count - self.gone_count);
        let mut ends = Vec::with_capacity(terms.len());
        terms.retain(|term| {
            let before = packed.len();
            packed.extend(self.of(*term));
            let is_used = packed.len() > before;
            if is_used {
                ends.push(packed.len() as u32);
            }
            is_used
        });
        *self = Self { terms, ends, packed, ..Self::default() };
    }
}
