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
    /// The answer that is asked for again.
    again: Option<usize>,
}

/// None if nothing was said at once, which is nearly always so.
/// `answers`: who is about to answer, by an id.
pub(super) fn told<'l, K>(
    path: &'l [Stored<K>],
    said: &[Words<'_>],
    answers: Option<&str>,
) -> Option<Told<'l, K>> {
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
    let (mut order, mut again): (Vec<usize>, Option<usize>) = (Vec::new(), None);
    let mut next = 0;
    for knot in &knots {
        order.extend(next..knot.start);
        next = knot.end;
        let begin = anchors.iter().rev().find(|(_, line)| *line < knot.start).map_or(0, |(at, _)| at + 1);
        let end = anchors.iter().find(|(_, line)| *line >= knot.end).map_or(said.len(), |(at, _)| *at);
        let knot = Knot { path, words: &words, lines: knot.clone(), said, answers };
        let (lines, asked_again) = knot.order(begin..end);
        order.extend(lines);
        again = again.or(asked_again);
    }
    order.extend(next..path.len());
    Some(Told { path, knots, order, again })
}

impl<K: Clone + Eq> Told<'_, K> {
    pub(super) fn lines(&self) -> Vec<Stored<K>> {
        self.order.iter().filter_map(|place| self.path.get(*place).cloned()).collect()
    }

    /// Whether another answer is asked for instead of this line, and nothing else of what was said at once is to go.
    pub(super) fn is_asked_again(&self, line: &K) -> bool {
        self.again.and_then(|place| self.path.get(place)).is_some_and(|again| again.key == *line)
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
    answers: Option<&'l str>,
}

impl<K> Knot<'_, '_, K> {
    /// Its lines as these messages have them. What the client has not is not there for it, but for the answer that it asks for again,
    /// which is told, too. Where it has nothing of all, everything is as it was recorded.
    fn order(&self, messages: Range<usize>) -> (Vec<usize>, Option<usize>) {
        let mut found: Vec<(usize, usize)> = Vec::new();
        self.find(&messages, &mut found, |said, line| said.is_same(line));
        self.find(&messages, &mut found, |said, line| said.by == By::Assistant && said.is_extended(line));
        let answers = self.asked_again(&found);
        let again = match answers.as_slice() {
            [] => None,
            [answer] if self.is_theirs(*answer) => Some(*answer),
            _ => return (self.lines.clone().collect(), None),
        };
        if found.is_empty() {
            return (self.lines.clone().collect(), None);
        }
        found.sort_unstable();
        (found.into_iter().map(|(_, line)| line).chain(again).collect(), again)
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

    /// The answers to the words that the list ends with.
    fn asked_again(&self, found: &[(usize, usize)]) -> Vec<usize> {
        let last = found.iter().find(|(at, _)| at + 1 == self.said.len());
        let last = last.and_then(|(_, line)| self.path.get(*line)).filter(|last| last.by == By::User);
        let is_answer = |line: &Stored<K>| {
            line.by == By::Assistant && last.is_some_and(|last| last.exchange == line.exchange)
        };
        self.lines.clone().filter(|place| self.path.get(*place).is_some_and(is_answer)).collect()
    }

    /// Whether the one who is about to answer has said this, as far as anybody knows.
    fn is_theirs(&self, place: usize) -> bool {
        let speaker = self.path.get(place).and_then(|line| line.speaker.as_deref());
        speaker.zip(self.answers).is_none_or(|(speaker, who)| speaker == who)
    }
}
