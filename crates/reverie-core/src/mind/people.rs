//! Which notes are about somebody who is named?

use std::collections::{BTreeSet, HashMap};

use super::by_words::rarity_among;
use super::phrases::faded;
use super::{Mind, Nearness, Said, Term, each_term};

impl Mind {
    /// Which notes are about somebody who is named: the rarer notes about them are, the nearer.
    pub fn by_names(&self, said: &Said) -> Nearness {
        let worth = |notes: usize, weight: f32| [faded(weight) * rarity_among(self.len() as f32, notes)];
        let [near] = self.names.search(said, self.notes.len(), worth);
        near
    }

    /// The names in a text that notes are about, as it spells them.
    pub(crate) fn names_in(&self, text: &str) -> Vec<String> {
        let mut names = Vec::new();
        self.names.each_stretch_in(text, |name| names.push(name.to_owned()));
        names
    }

    /// Marks the notes that are about somebody of this name, or tell of them. As it is spelled; a name may be in all of very many.
    pub(crate) fn mark_of_person(&self, name: &str, notes: &mut [bool]) {
        let mut mark = |slot: u32| notes.get_mut(slot as usize).into_iter().for_each(|note| *note = true);
        self.names.of(Term::whole(name)).for_each(&mut mark);
        let mut terms: BTreeSet<Term> = BTreeSet::new();
        each_term(name, |term, tells| {
            if tells >= 1.0 {
                terms.insert(term);
            }
        });
        let mut told: HashMap<u32, usize> = HashMap::new();
        let mut count = |slot: u32| {
            let terms = told.entry(slot).or_default();
            *terms += 1;
            *terms
        };
        for term in &terms {
            self.words
                .of(*term)
                .filter(|posting| count(posting.slot) == terms.len())
                .for_each(|posting| mark(posting.slot));
        }
    }
}
