//! What was said at once? Where two ask at the same time, what they say stands on the path before both answers. Each client has
//! it in the order in which it came to that client, or has only its own: neither is a branch.

use std::collections::HashMap;
use std::ops::Range;

use super::pairs::pairs;
use super::{Stored, words_of};
use crate::completions::dialogue::By;
use crate::completions::words::Words;

/// The path as the list tells it.
pub(super) struct Told<'l, K> {
    /// As it is.
    path: &'l [Stored<K>],
    knots: Vec<Range<usize>>,
    /// Places on the path.
    order: Vec<usize>,
}

/// None if nothing was said at once, which is nearly always so.
pub(super) fn told<'l, K>(path: &'l [Stored<K>], said: &[Words<'_>]) -> Option<Told<'l, K>> {
    let knots = knots(path);
    if knots.is_empty() {
        return None;
    }
    let words: Vec<Words<'_>> = path.iter().map(words_of).collect();
    let is_tied = |place: &usize| knots.iter().any(|knot| knot.contains(place));
    let free: Vec<usize> = (0..path.len()).filter(|place| !is_tied(place)).collect();
    let free_words: Vec<Words<'_>> = free.iter().filter_map(|place| words.get(*place).cloned()).collect();
    let anchors = pairs(said, &free_words);
    let anchors: Vec<(usize, usize)> =
        anchors.iter().filter_map(|pair| Some((pair.said, *free.get(pair.line)?))).collect();
    let mut order: Vec<usize> = Vec::new();
    let mut next = 0;
    for knot in &knots {
        order.extend(next..knot.start);
        next = knot.end;
        let begin = anchors.iter().rev().find(|(_, line)| *line < knot.start).map_or(0, |(at, _)| at + 1);
        let end = anchors.iter().find(|(_, line)| *line >= knot.end).map_or(said.len(), |(at, _)| *at);
        let knot = Knot { path, words: &words, lines: knot.clone(), said };
        order.extend(knot.order(begin..end));
    }
    order.extend(next..path.len());
    Some(Told { path, knots, order })
}

impl<K: Clone + Eq> Told<'_, K> {
    pub(super) fn lines(&self) -> Vec<Stored<K>> {
        self.order.iter().filter_map(|place| self.path.get(*place).cloned()).collect()
    }

    /// What a line really stands behind, if it was said when all that was said at once was over.
    pub(super) fn before(&self, line: &K) -> Option<&K> {
        let place = self.path.iter().position(|stored| stored.key == *line)?;
        if self.knots.iter().any(|knot| knot.contains(&place)) {
            return None;
        }
        self.path.get(place.checked_sub(1)?).map(|before| &before.key)
    }
}

/// Places at which exchanges reach into each other.
fn knots<K>(path: &[Stored<K>]) -> Vec<Range<usize>> {
    let mut spans: HashMap<u64, Range<usize>> = HashMap::new();
    for (place, line) in path.iter().enumerate() {
        if let Some(exchange) = line.exchange {
            spans.entry(exchange).or_insert(place..place + 1).end = place + 1;
        }
    }
    let mut spans: Vec<Range<usize>> = spans.into_values().collect();
    spans.sort_unstable_by_key(|span| span.start);
    let mut knots: Vec<(Range<usize>, usize)> = Vec::new();
    for span in spans {
        match knots.last_mut() {
            Some((knot, count)) if span.start < knot.end => {
                (knot.end, *count) = (knot.end.max(span.end), *count + 1);
            }
            _ => knots.push((span, 1)),
        }
    }
    knots.into_iter().filter(|(_, count)| *count > 1).map(|(knot, _)| knot).collect()
}

struct Knot<'l, 'w, K> {
    path: &'l [Stored<K>],
    words: &'l [Words<'w>],
    lines: Range<usize>,
    said: &'l [Words<'l>],
}

impl<K> Knot<'_, '_, K> {
    /// Its lines as these messages have them. What the client has not is not there for it; but where it has nothing of all, or
    /// asks for another answer, all is as it was recorded.
    fn order(&self, messages: Range<usize>) -> Vec<usize> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        self.find(&messages, &mut found, |said, line| said.is_same(line));
        self.find(&messages, &mut found, |said, line| said.by == By::Assistant && said.is_extended(line));
        if found.is_empty() || self.is_asked_again(&found) {
            return self.lines.clone().collect();
        }
        found.sort_unstable();
        found.into_iter().map(|(_, line)| line).collect()
    }

    fn find(
        &self,
        messages: &Range<usize>,
        found: &mut Vec<(usize, usize)>,
        is_it: impl Fn(&Words<'_>, &Words<'_>) -> bool,
    ) {
        for at in messages.clone() {
            let Some(said) = self.said.get(at).filter(|_| found.iter().all(|(known, _)| *known != at)) else {
                continue;
            };
            let is_free = |line: &usize| found.iter().all(|(_, known)| known != line);
            let is_said = |line: &usize| self.words.get(*line).is_some_and(|line| is_it(said, line));
            let line = self.lines.clone().find(|line| is_free(line) && is_said(line));
            found.extend(line.map(|line| (at, line)));
        }
    }

    /// Whether the list ends with words that were answered.
    fn is_asked_again(&self, found: &[(usize, usize)]) -> bool {
        let last = found.iter().find(|(at, _)| at + 1 == self.said.len());
        let Some(last) = last.and_then(|(_, line)| self.path.get(*line)) else { return false };
        let mut lines = self.path.get(self.lines.clone()).unwrap_or_default().iter();
        last.by == By::User && lines.any(|line| line.by == By::Assistant && line.exchange == last.exchange)
    }
}
