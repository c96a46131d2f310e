//! Did several answer the same words? Their answers stand on the path as they came. Each client has them in an order of its own,
//! which is no branch.

use std::collections::HashSet;
use std::ops::Range;

use super::{Stored, words_of};
use crate::completions::dialogue::By;
use crate::completions::words::Words;

/// The path with such answers in the order of the list; None if nothing is in another order, which is nearly always so.
pub(super) fn as_listed<K: Clone>(path: &[Stored<K>], said: &[Words<'_>]) -> Option<Vec<Stored<K>>> {
    let mut listed: Option<Vec<Stored<K>>> = None;
    for answers in runs(path) {
        let Some(order) = order(path, &answers, said).filter(|order| !order.is_sorted()) else { continue };
        let lines = listed.get_or_insert_with(|| path.to_vec());
        for (place, from) in answers.zip(order) {
            if let (Some(line), Some(answer)) = (lines.get_mut(place), path.get(from)) {
                *line = answer.clone();
            }
        }
    }
    listed
}

/// Places at which several answer the same words, each once.
fn runs<K>(path: &[Stored<K>]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut begin = 0;
    for run in path.chunk_by(|one, next| one.by == next.by) {
        let end = begin + run.len();
        let speakers: HashSet<&str> = run.iter().filter_map(|line| line.speaker.as_deref()).collect();
        let is_answers = run.first().is_some_and(|line| line.by == By::Assistant);
        if is_answers && run.len() > 1 && begin > 0 && speakers.len() == run.len() {
            runs.push(begin..end);
        }
        begin = end;
    }
    runs
}

/// The places of these answers as the list has all of them behind the words that they answer.
fn order<K>(path: &[Stored<K>], answers: &Range<usize>, said: &[Words<'_>]) -> Option<Vec<usize>> {
    let answered = words_of(path.get(answers.start.checked_sub(1)?)?);
    let lines: Vec<(usize, Words<'_>)> =
        answers.clone().filter_map(|place| Some((place, words_of(path.get(place)?)))).collect();
    let listed_behind = |at: usize| -> Option<Vec<usize>> {
        let mut order: Vec<usize> = Vec::new();
        for message in said.get(at + 1..at + 1 + answers.len())? {
            let is_it = |(place, line): &&(usize, Words<'_>)| !order.contains(place) && message.is_same(line);
            order.push(lines.iter().find(is_it)?.0);
        }
        Some(order)
    };
    let places = said.iter().enumerate().rev().filter(|(_, message)| message.is_same(&answered));
    places.map(|(at, _)| at).find_map(listed_behind)
}
