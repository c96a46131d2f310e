//! What do the messages that were found, and those that were not, mean together?

use super::pairs::{Pair, pairs};
use super::{Alignment, Path, Revised, Stored, Then, words_of};
use crate::completions::dialogue::{By, Said};
use crate::completions::words::Words;

/// So many messages may have other words and still be the same lines, if those behind them are.
const MOST_REVISED: usize = 8;
/// The same, before all that is known.
const MOST_REVISED_FIRST: usize = 2;
/// Fewer characters than these tell nothing, unless they are the beginning of both: everybody says "ok".
const WEAK: usize = 6;

/// Both sides, as they are and ready to be compared.
pub(super) struct Scene<'a, K> {
    pub(super) said: &'a [Said],
    pub(super) said_words: &'a [Words<'a>],
    pub(super) path: Path<'a, K>,
    pub(super) path_words: &'a [Words<'a>],
    /// How many messages of the dialogue stand before `said`.
    pub(super) skipped: usize,
}

/// For a list with a history.
pub(super) fn judge<K: Copy + Eq>(
    scene: &Scene<'_, K>,
    children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    continues: bool,
) -> Alignment<K> {
    let pairs = pairs(scene.said_words, scene.path_words);
    let Some(first) = pairs.first() else { return Alignment::elsewhere(true) };
    let trust = scene.trust(&pairs);
    let begins_alike = scene.begins_alike(first);
    if begins_alike && first.said > trust {
        return Alignment::elsewhere(true);
    }
    let (said, line) = if begins_alike { (0, 0) } else { (first.said, first.line) };
    let mut walk = Walk { scene, said, line, trust, found: Alignment::elsewhere(true) };
    let is_whole = walk.along(&pairs);
    let branched = walk.rest(children, continues && is_whole);
    match branched && walk.is_another_chat(first) {
        true => Alignment::elsewhere(true),
        false => walk.found,
    }
}

impl<K> Scene<'_, K> {
    /// How many lines may have other words, if so many are the same: words that everybody says prove nothing.
    fn trust(&self, pairs: &[Pair]) -> usize {
        let words = pairs.iter().filter_map(|pair| self.said_words.get(pair.said));
        let size: usize = words.map(|words| words.size).sum();
        if size < WEAK { 0 } else { (pairs.len() / 2).min(MOST_REVISED) }
    }

    /// Whether both begin at the same place, so that what stands before the first pair is the same in other words. Otherwise it
    /// was cut off, or is the client's own.
    fn begins_alike(&self, first: &Pair) -> bool {
        let sides =
            |words: &[Words<'_>]| words.iter().take(first.said).map(|words| words.by).collect::<Vec<_>>();
        self.path.is_whole
            && self.skipped == 0
            && first.said == first.line
            && first.said <= MOST_REVISED_FIRST
            && sides(self.said_words) == sides(self.path_words)
    }
}

/// How far both sides were followed, and what was found out on the way.
pub(super) struct Walk<'s, 'a, K> {
    pub(super) scene: &'s Scene<'a, K>,
    /// The next message and the next line.
    pub(super) said: usize,
    pub(super) line: usize,
    /// How many lines may still have other words.
    trust: usize,
    pub(super) found: Alignment<K>,
}

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// From pair to pair; false if the list leaves the path between two of them.
    fn along(&mut self, pairs: &[Pair]) -> bool {
        let first = pairs.first().map_or(0, |pair| pair.said);
        for pair in pairs {
            if !self.between(pair, first) {
                return false;
            }
            let key = self.scene.path.lines.get(pair.line).map(|line| line.key);
            self.see(key);
            (self.said, self.line) = (pair.said + 1, pair.line + pair.lines);
        }
        true
    }

    /// Whether what stands before the next pair leaves the list on the path.
    fn between(&mut self, next: &Pair, first: usize) -> bool {
        let (new, gone) = (self.said..next.said, self.line..next.line);
        let side = |words: &[Words<'_>], index: usize| words.get(index).map(|words| words.by);
        match (new.len(), gone.len()) {
            (0, 0) => true,
            // A greeting that a client keeps while it cuts off what follows it.
            (0, _) => {
                let before = self.scene.said_words.get(first..self.said).unwrap_or_default();
                before.iter().all(|words| words.by == By::Assistant)
            }
            // What a client puts between the lines in the user's name moves on with every turn.
            (_, 0) => new.into_iter().all(|index| side(self.scene.said_words, index) == Some(By::User)),
            (new_count, gone_count) => {
                let is_same_side = |(said, line): (usize, usize)| {
                    side(self.scene.said_words, said) == side(self.scene.path_words, line)
                };
                let is_revised = new_count == gone_count
                    && new_count <= self.trust
                    && new.clone().zip(gone).all(is_same_side);
                if is_revised {
                    self.trust -= new_count;
                    new.for_each(|_| self.revise());
                }
                is_revised
            }
        }
    }

    /// The next message is the next line in other words.
    fn revise(&mut self) {
        let words = (self.scene.said_words.get(self.said), self.scene.path_words.get(self.line));
        let key = self.scene.path.lines.get(self.line).map(|line| line.key);
        // What a client has joined to a message or taken from it is nobody's words.
        let is_near = matches!(words, (Some(said), Some(line)) if said.is_near(line));
        if let (Some(line), Some(said), false) = (key, self.scene.said.get(self.said), is_near) {
            self.found.revised.push(Revised { line, text: said.text.clone() });
        }
        let overlap = self.found.overlap;
        self.see(key);
        self.found.overlap = overlap;
        (self.said, self.line) = (self.said + 1, self.line + 1);
    }

    pub(super) fn see(&mut self, key: Option<K>) {
        let (said, words) = (self.scene.said.get(self.said), self.scene.said_words.get(self.said));
        if let (Some(said), Some(words), Some(key)) = (said, words, key) {
            self.found.seen.push((said.at, key));
            self.found.overlap += words.size;
        }
    }

    /// What is left on both sides decides. True if that is a branch.
    pub(super) fn rest(&mut self, children: &mut impl FnMut(K) -> Vec<Stored<K>>, continues: bool) -> bool {
        while self.said < self.scene.said.len() {
            if self.switch(children) {
                return false;
            }
            // An answer that was continued, or of which the client shows less.
            let words = (self.scene.said_words.get(self.said), self.scene.path_words.get(self.line));
            match words {
                (Some(said), Some(line)) if said.by == By::Assistant && said.is_extended(line) => {
                    self.revise_extended();
                }
                _ => break,
            }
        }
        let from = self.scene.skipped + self.said;
        let is_new = self.said < self.scene.said.len();
        let head = self.line.checked_sub(1).and_then(|line| self.scene.path.lines.get(line));
        let Some(after) = head.map(|line| line.key) else { return false };
        let gone = self.scene.path.lines.get(self.line..).unwrap_or_default();
        let Some(beside) = gone.first().map(|line| line.key) else {
            let ends_with_answer = head.is_some_and(|line| line.by == By::Assistant);
            self.found.then = match continues && !is_new && ends_with_answer {
                true => Then::Continue { line: after },
                false => Then::Append { from },
            };
            return false;
        };
        if !is_new && gone.iter().all(|line| line.by == By::Assistant) {
            self.found.then = Then::Regenerate { beside };
            return false;
        }
        self.found.then = Then::Branch { after, beside, from };
        true
    }

    fn revise_extended(&mut self) {
        let key = self.scene.path.lines.get(self.line).map(|line| line.key);
        if let (Some(line), Some(said)) = (key, self.scene.said.get(self.said)) {
            self.found.revised.push(Revised { line, text: said.text.clone() });
        }
        self.see(key);
        (self.said, self.line) = (self.said + 1, self.line + 1);
    }

    /// Follows the list along another branch, if one is known that begins so.
    fn switch(&mut self, children: &mut impl FnMut(K) -> Vec<Stored<K>>) -> bool {
        let behind = self.line.checked_sub(1).and_then(|line| self.scene.path.lines.get(line));
        let Some(mut head) = behind.map(|line| line.key) else { return false };
        let mut next: Vec<Stored<K>> = Vec::new();
        let mut switched = false;
        while let Some(words) = self.scene.said_words.get(self.said) {
            next = children(head);
            let Some(found) = next.iter().rev().find(|line| words.is_same(&words_of(line))) else { break };
            (head, switched) = (found.key, true);
            self.see(Some(head));
            self.said += 1;
        }
        if !switched {
            return false;
        }
        let is_done = self.said >= self.scene.said.len();
        if is_done {
            next = children(head);
        }
        self.found.switch = Some(head);
        let answered = next.first().filter(|line| is_done && line.by == By::Assistant);
        self.found.then = match answered {
            Some(answer) => Then::Regenerate { beside: answer.key },
            None => Then::Append { from: self.scene.skipped + self.said },
        };
        true
    }

    /// Whether a list that leaves the path has too little of it to be the same chat: a greeting that every chat begins with,
    /// or a few words that everybody says.
    fn is_another_chat(&self, first: &Pair) -> bool {
        let is_user = |words: &Words<'_>| words.by == By::User;
        let matched = self.scene.said_words.get(first.said..self.said).unwrap_or_default();
        let has_user = matched.iter().any(is_user);
        let before = self.scene.path_words.get(..first.line).unwrap_or_default();
        let is_greeting = self.scene.path.is_whole && !has_user && !before.iter().any(is_user);
        let begins_both = first.said == 0 && first.line == 0 && self.scene.path.is_whole;
        is_greeting || (self.found.overlap < WEAK && !(begins_both && has_user))
    }
}
