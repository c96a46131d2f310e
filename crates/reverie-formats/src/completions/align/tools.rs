//! What did somebody say when they called tools? It is the beginning of an answer that goes on when the tools have answered. Clients
//! shorten it, write it anew or keep nothing but the call: the exchange is the same one all the same, and its line keeps its words.

use std::collections::HashSet;

use super::instructions::words_of_said;
use super::{Alignment, MOST_SAID, Path, Stored, Then, align, words_of};
use crate::completions::dialogue::{By, Dialogue};
use crate::completions::words::Words;

/// For a list that ends with what tools answered to the end of the path: the answer goes on there. None: it does not.
pub(super) fn go_on<K: Copy + Eq>(
    path: Path<'_, K>,
    children: &mut dyn FnMut(K) -> Vec<Stored<K>>,
    dialogue: &Dialogue,
) -> Option<Alignment<K>> {
    let begin = dialogue.after_tools?;
    let begun = path.lines.iter().rev().take_while(|line| line.by == By::Assistant && line.waits).count();
    let (asked, turn) = path.lines.split_at(path.lines.len() - begun);
    let first = turn.first()?.key;
    let count = dialogue.said.iter().take_while(|said| said.at < begin).count();
    let said = dialogue.said.get(..count)?.to_vec();
    let without = Dialogue { said, after_tools: None, ..dialogue.clone() };
    let found = align(Path { lines: asked, is_whole: path.is_whole }, children, &without);
    let is_asked = match found.then {
        Then::Append { from } => from == count,
        // It was answered already: with what is the beginning of this answer.
        Then::Regenerate { beside } => beside == first,
        _ => false,
    };
    let then = Then::Append { from: dialogue.said.len() };
    (is_asked && found.switch.is_none()).then_some(Alignment { then, ..found })
}

/// A list and a path without what was said at calls of tools, wherever the two differ in nothing else.
pub(super) struct Rewritten<K> {
    pub(super) lines: Vec<Stored<K>>,
    pub(super) dialogue: Dialogue,
    /// Which places of the list are left.
    kept: Vec<usize>,
    count: usize,
}

impl<K> Rewritten<K> {
    /// What was found so, as of the whole list.
    pub(super) fn told(&self, mut found: Alignment<K>) -> Alignment<K> {
        let place = |at: usize| self.kept.get(at).copied().unwrap_or(self.count);
        if let Then::Append { from } | Then::Branch { from, .. } = &mut found.then {
            *from = place(*from);
        }
        found.instructions.iter_mut().for_each(|at| *at = place(*at));
        found
    }
}

/// None if the list has all that was said so, which is nearly always the case.
pub(super) fn rewritten<K: Clone>(lines: &[Stored<K>], dialogue: &Dialogue) -> Option<Rewritten<K>> {
    let turns = turns(lines);
    if turns.is_empty() {
        return None;
    }
    let skipped = dialogue.said.len().saturating_sub(MOST_SAID);
    let newest = dialogue.said.get(skipped..).unwrap_or_default();
    let said: Vec<Words<'_>> = newest.iter().map(words_of_said).collect();
    let (mut gone_lines, mut gone_said) = (HashSet::new(), HashSet::new());
    for (begin, end) in turns {
        let around = begin.checked_sub(1).and_then(|at| lines.get(at)).zip(lines.get(end));
        let Some((asked, answer)) = around.map(|(asked, answer)| (words_of(asked), words_of(answer))) else {
            continue;
        };
        let turn: Vec<Words<'_>> = lines.get(begin..end).unwrap_or_default().iter().map(words_of).collect();
        for from in (0..said.len()).filter(|at| said.get(*at).is_some_and(|said| said.is_same(&asked))) {
            let calls = newest.iter().skip(from + 1).take_while(|said| said.calls).count();
            let between = said.get(from + 1..from + 1 + calls).unwrap_or_default();
            let is_answered = said.get(from + 1 + calls).is_some_and(|said| said.is_same(&answer));
            let is_as_it_was = between.len() == turn.len()
                && between.iter().zip(&turn).all(|(said, line)| said.is_same(line));
            if is_answered && !is_as_it_was {
                gone_lines.extend(begin..end);
                gone_said.extend(skipped + from + 1..skipped + from + 1 + calls);
            }
        }
    }
    if gone_lines.is_empty() {
        return None;
    }
    let is_left = |at: &usize| !gone_said.contains(at);
    let kept: Vec<usize> = (0..dialogue.said.len()).filter(is_left).collect();
    let left = kept.iter().filter_map(|at| dialogue.said.get(*at).cloned()).collect();
    let lines = lines.iter().enumerate().filter(|(at, _)| !gone_lines.contains(at));
    Some(Rewritten {
        lines: lines.map(|(_, line)| line.clone()).collect(),
        dialogue: Dialogue { said: left, ..dialogue.clone() },
        kept,
        count: dialogue.said.len(),
    })
}

/// Places of answers that the same one goes on with in the same exchange, up to the last one, which ends it.
fn turns<K>(lines: &[Stored<K>]) -> Vec<(usize, usize)> {
    let mut turns = Vec::new();
    let mut begin = 0;
    let is_one = |one: &Stored<K>, next: &Stored<K>| {
        let is_answer = one.by == By::Assistant && next.by == By::Assistant;
        is_answer && one.exchange.is_some() && one.exchange == next.exchange && one.speaker == next.speaker
    };
    for answer in lines.chunk_by(is_one) {
        let end = begin + answer.len();
        turns.extend((answer.len() > 1).then_some((begin, end - 1)));
        begin = end;
    }
    turns
}
