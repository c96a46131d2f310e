//! By which words is a group known from all others?

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::ground::words_of;
use crate::mind::Note;
use crate::mind::terms::SPELLING;

/// Words of a group.
const MOST_WORDS: usize = 5;
/// Of a group with more memories than this a word of a single one tells nothing.
const FEW: u32 = 4;

/// How often something stands in a group, and in all.
#[derive(Default)]
struct Count {
    by_group: BTreeMap<usize, u32>,
    all: u32,
    /// As it was written first.
    written: String,
}

/// The words of each group, the most telling first: those that many of its notes have and few others. Notes come with the
/// group that they are of.
pub(super) fn labels<'n>(notes: impl Iterator<Item = (usize, &'n Note)>, groups: usize) -> Vec<Vec<String>> {
    let mut counts: HashMap<String, Count> = HashMap::new();
    let mut sizes: Vec<u32> = vec![0; groups];
    for (group, note) in notes {
        sizes.get_mut(group).into_iter().for_each(|size| *size += 1);
        let mut own: Vec<(String, Cow<'_, str>)> =
            words_of(note).into_iter().map(|word| (SPELLING.fold(&word), word)).collect();
        own.sort();
        own.dedup_by(|a, b| a.0 == b.0);
        for (spelt, word) in own {
            let count = counts.entry(spelt).or_default();
            if count.written.is_empty() {
                count.written = word.into_owned();
            }
            *count.by_group.entry(group).or_default() += 1;
            count.all += 1;
        }
    }
    let all: u32 = sizes.iter().sum();
    let mut telling: Vec<Vec<(f64, &str, &str)>> = vec![Vec::new(); groups];
    for (spelt, count) in &counts {
        for (group, own) in &count.by_group {
            let size = sizes.get(*group).copied().unwrap_or_default();
            if *own == 1 && size > FEW {
                continue;
            }
            let others = f64::from(count.all - own) / f64::from((all - size).max(1));
            let share = f64::from(*own) / f64::from(size.max(1));
            // As often here as elsewhere tells nothing; one other note more or less decides nothing.
            let tells = share * ((share + SMOOTH) / (others + SMOOTH)).ln();
            if tells > 0.0 {
                telling.get_mut(*group).into_iter().for_each(|of| of.push((tells, spelt, &count.written)));
            }
        }
    }
    telling.into_iter().map(best).collect()
}

/// So that a word of nobody else's is not infinitely telling.
const SMOOTH: f64 = 0.01;

/// The most telling ones; of words within words one is enough.
fn best(mut telling: Vec<(f64, &str, &str)>) -> Vec<String> {
    telling.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let mut spelt: Vec<&str> = Vec::new();
    let mut words = Vec::new();
    for (_, one, written) in telling {
        if spelt.iter().any(|other| other.contains(one) || one.contains(other)) {
            continue;
        }
        spelt.push(one);
        words.push(written.to_owned());
        if words.len() == MOST_WORDS {
            break;
        }
    }
    words
}
