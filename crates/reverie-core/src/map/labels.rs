//! By which words is a group known from all others?

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::ground::words_of;
use crate::digest::is_ordinary_word;
use crate::mind::Note;
use crate::mind::terms::SPELLING;
use crate::words::is_filler;

/// Words of a group.
const MOST_WORDS: usize = 5;
/// Of a group with more memories than this a word of a single one tells nothing.
const FEW: u32 = 8;

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
    let mut telling: Vec<Vec<Telling<'_>>> = vec![Vec::new(); groups];
    for (spelt, count) in &counts {
        let is_filler = is_filler(&count.written.to_lowercase());
        // What anybody needs to tell anything tells less than what is only said of some things.
        let weight = match (is_ordinary_word(spelt), is_torn(spelt)) {
            (_, true) => TORN,
            (true, false) => ORDINARY,
            (false, false) => 1.0,
        };
        for (group, own) in &count.by_group {
            let size = sizes.get(*group).copied().unwrap_or_default();
            let others = f64::from(count.all - own) / f64::from((all - size).max(1));
            let share = f64::from(*own) / f64::from(size.max(1));
            // As often here as elsewhere tells nothing; one other note more or less decides nothing.
            let tells = weight * share * ((share + SMOOTH) / (others + SMOOTH)).ln();
            let is_of_one = *own == 1 && size > FEW;
            let names_it = tells > 0.0 && !is_of_one && !is_filler;
            let word = Telling { names_it, is_filler, tells, spelt, written: &count.written };
            telling.get_mut(*group).into_iter().for_each(|of| of.push(word));
        }
    }
    telling.into_iter().map(best).collect()
}

/// So that a word of nobody else's is not infinitely telling.
const SMOOTH: f64 = 0.01;

/// How much of that is left to a word of everybody's language.
const ORDINARY: f64 = 0.6;

/// And to two characters that are, more often than not, a piece of one word and something between words: 的屋, 我看, 被打.
const TORN: f64 = 0.3;
const BETWEEN: &str = "的了我你他她它们这那把被让给从但么吗呢吧啊又很还";

fn is_torn(word: &str) -> bool {
    word.chars().count() == 2 && word.chars().any(|char| BETWEEN.contains(char))
}

/// A word of a group.
#[derive(Clone, Copy)]
struct Telling<'w> {
    /// False: only where nothing else does.
    names_it: bool,
    is_filler: bool,
    tells: f64,
    spelt: &'w str,
    written: &'w str,
}

/// The most telling ones; of words within words one is enough. A poor name is better than none.
fn best(mut telling: Vec<Telling<'_>>) -> Vec<String> {
    telling.sort_by(|a, b| {
        let last = |word: &Telling<'_>| (!word.names_it, word.is_filler);
        last(a).cmp(&last(b)).then_with(|| b.tells.total_cmp(&a.tells)).then_with(|| a.spelt.cmp(b.spelt))
    });
    let named = telling.iter().filter(|word| word.names_it).count();
    telling.truncate(named.max(1));
    let mut spelt: Vec<&str> = Vec::new();
    let mut words = Vec::new();
    for Telling { spelt: one, written, .. } in telling {
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
