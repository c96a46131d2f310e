//! What do the messages that were found, and those that were not, mean together?

use std::collections::HashSet;
use std::ops::Range;

use super::pairs::{Pair, pairs};
use super::{Alignment, Path, Revised, Stored, Then, words_of};
use crate::completions::dialogue::{By, Said};
use crate::completions::words::Words;

/// So many messages may have other words and still be the same lines, if those behind them are.
const MOST_REVISED: usize = 8;
/// The same, before all that is known.
const MOST_REVISED_FIRST: usize = 2;

/// Both sides, as they are and ready to be compared.
pub(super) struct Scene<'a, K> {
    pub(super) said: &'a [Said],
    pub(super) said_words: &'a [Words<'a>],
    pub(super) path: Path<'a, K>,
    pub(super) path_words: &'a [Words<'a>],
    /// How many messages of the dialogue stand before `said`.
    pub(super) skipped: usize,
    /// True if no other conversation comes into question.
    pub(super) is_named: bool,
}

/// For a list with a history.
pub(super) fn judge<K: Copy + Eq>(
    scene: &Scene<'_, K>,
    children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    continues: bool,
) -> Alignment<K> {
    let pairs = pairs(scene.said_words, scene.path_words);
    let Some(first) = pairs.first() else { return Alignment::elsewhere(true) };
    let new = scene.new_behind_the_end(&pairs);
    let is_end = new.is_some_and(|new| new <= 1);
    let is_proof = scene.is_proof(&pairs);
    let abridged = scene.abridged(&pairs);
    let cut_short = (1..=first.said).take_while(|back| abridged.contains(&(first.said - back))).count();
    let before = cut_short.max(usize::from(scene.is_edited_at_the_front(first)));
    let begins_alike = scene.begins_alike(first);
    let is_put_right = begins_alike && first.said == 1 && scene.is_edited(0, 0);
    if !is_end && !is_put_right && scene.is_chance(&pairs, before) {
        return Alignment::elsewhere(true);
    }
    let (said, line) = if begins_alike { (0, 0) } else { (first.said - before, first.line - before) };
    let trust = (pairs.len() / 2).min(MOST_REVISED).max(usize::from(is_put_right));
    let found = Alignment::elsewhere(true);
    let (is_from_beginning, passed) = (line == 0, Vec::new());
    let mut walk = Walk { scene, abridged, said, line, is_from_beginning, trust, is_proof, passed, found };
    if begins_alike && !walk.may_be_revised(0..first.said, 0..first.line) {
        return Alignment::elsewhere(true);
    }
    let is_whole = walk.along(&pairs, children);
    walk.rest(children, continues && is_whole);
    if is_whole {
        walk.join(&pairs);
    }
    // All that is recorded is the beginning of the list: nothing speaks against it.
    let is_all = new.is_some() && scene.path.is_whole && first.said == 0 && first.line == 0;
    let is_proven = walk.is_proof || scene.has_edited_newest(&pairs);
    if !is_end && !is_all && !is_proven {
        return Alignment::elsewhere(true);
    }
    walk.found.is_proven = is_proven;
    walk.found.clients = walk.moved_on(&walk.passed);
    walk.found.closeness.is_end = is_end;
    walk.found.closeness.goes_on = new.is_some();
    walk.found
}

impl<K> Scene<'_, K> {
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
    /// Messages that stand for a line without saying it.
    abridged: HashSet<usize>,
    /// The next message and the next line.
    pub(super) said: usize,
    pub(super) line: usize,
    /// Whether all lines from the first one that was read on were found so far.
    pub(super) is_from_beginning: bool,
    /// How many lines may still have other words.
    trust: usize,
    /// Whether something was found that is not in every chat.
    is_proof: bool,
    /// Messages between lines that were said one behind the other.
    passed: Vec<usize>,
    pub(super) found: Alignment<K>,
}

impl<K: Copy + Eq> Walk<'_, '_, K> {
    /// From pair to pair; false if the list leaves the path between two of them.
    fn along(&mut self, pairs: &[Pair], children: &mut impl FnMut(K) -> Vec<Stored<K>>) -> bool {
        let first = pairs.first().map_or(0, |pair| pair.said);
        for (at, pair) in pairs.iter().enumerate() {
            if !self.between(pairs.get(at..).unwrap_or_default(), first, children) {
                return false;
            }
            let key = self.scene.path.lines.get(pair.line).map(|line| line.key);
            self.said = pair.said;
            self.see(key);
            (self.said, self.line) = (pair.said + 1, pair.line + pair.lines);
        }
        true
    }

    /// Whether what stands before the next pair leaves the list on the path.
    fn between(
        &mut self,
        rest: &[Pair],
        first: usize,
        children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    ) -> bool {
        let Some(next) = rest.first() else { return true };
        let (new, gone) = (self.said..next.said, self.line..next.line);
        match (new.len(), gone.len()) {
            (0, 0) => true,
            // A greeting that a client keeps while it cuts off what follows it.
            (0, _) => {
                let before = self.scene.said_words.get(first..self.said).unwrap_or_default();
                let is_greeting = before.iter().all(|words| words.by == By::Assistant);
                let is_cut_out = is_greeting || self.is_middle_cut(rest, children);
                self.is_from_beginning = false;
                is_cut_out
            }
            // What a client puts between the lines moves on with every turn, in whoever's name it is. But what was said on a branch
            // that was left is no note.
            (_, 0) => {
                let is_note = !self.was_said_beside(new.clone(), children);
                self.passed.extend(new.filter(|_| is_note));
                is_note
            }
            (new_count, gone_count) => {
                let is_revised = new_count == gone_count && self.may_be_revised(new.clone(), gone);
                if is_revised {
                    self.trust -= self.reworded(new.clone());
                    new.for_each(|_| self.revise());
                }
                is_revised
            }
        }
    }

    /// Whether these messages can be these lines in other words: enough else is the same and it is surely this chat, or they are
    /// nearly the same themselves.
    fn may_be_revised(&mut self, new: Range<usize>, gone: Range<usize>) -> bool {
        let words = |(said, line): (usize, usize)| {
            Some((self.scene.said_words.get(said)?, self.scene.path_words.get(line)?))
        };
        let all = |is_so: fn(&Words<'_>, &Words<'_>) -> bool| {
            new.clone().zip(gone.clone()).all(|two| words(two).is_some_and(|(said, line)| is_so(said, line)))
        };
        let is_close = |said: &Words<'_>, line: &Words<'_>| {
            let is_telling = said.is_telling() && line.is_telling();
            said.is_reworded(line) || (is_telling && (said.is_near(line) || said.is_cut_from(line)))
        };
        if self.reworded(new.clone()) > self.trust || !all(|said, line| said.by == line.by) {
            return false;
        }
        let is_user =
            |index: usize| self.scene.said_words.get(index).is_some_and(|words| words.by == By::User);
        let has_user = new.clone().any(is_user);
        let is_close = all(is_close);
        self.is_proof |= has_user && is_close;
        is_close || self.is_proof
    }

    /// How many of these messages somebody may have written anew.
    fn reworded(&self, new: Range<usize>) -> usize {
        new.filter(|place| !self.abridged.contains(place)).count()
    }

    /// The next message is the next line in other words.
    fn revise(&mut self) {
        let words = (self.scene.said_words.get(self.said), self.scene.path_words.get(self.line));
        let key = self.scene.path.lines.get(self.line).map(|line| line.key);
        // What a client has joined to a message or taken from it is nobody's words.
        let is_near = matches!(words, (Some(said), Some(line)) if said.is_near(line));
        let is_clients = is_near || self.abridged.contains(&self.said);
        if let (Some(line), Some(said), false) = (key, self.scene.said.get(self.said), is_clients) {
            self.found.revised.push(Revised { line, text: said.text.clone() });
        }
        let closeness = self.found.closeness;
        self.see(key);
        self.found.closeness = closeness;
        (self.said, self.line) = (self.said + 1, self.line + 1);
    }

    pub(super) fn see(&mut self, key: Option<K>) {
        let (said, words) = (self.scene.said.get(self.said), self.scene.said_words.get(self.said));
        if let (Some(said), Some(words), Some(key)) = (said, words, key) {
            self.found.seen.push((said.at, key));
            self.found.closeness.size += words.size;
            self.found.closeness.users += usize::from(words.by == By::User);
        }
    }

    /// What is left on both sides decides.
    pub(super) fn rest(&mut self, children: &mut impl FnMut(K) -> Vec<Stored<K>>, continues: bool) {
        while self.said < self.scene.said.len() {
            if self.switch(children) {
                return;
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
        let Some(after) = head.map(|line| line.key) else { return };
        let gone = self.scene.path.lines.get(self.line..).unwrap_or_default();
        let Some(beside) = gone.first().map(|line| line.key) else {
            let ends_with_answer = head.is_some_and(|line| line.by == By::Assistant);
            self.found.then = match continues && !is_new && ends_with_answer {
                true => Then::Continue { line: after },
                false => Then::Append { from },
            };
            return;
        };
        if !is_new && gone.iter().all(|line| line.by == By::Assistant) {
            self.found.then = Then::Regenerate { beside };
            return;
        }
        self.found.then = Then::Branch { after: Some(after), beside, from };
    }

    /// Whether an answer at this place may be what every chat begins with, so that it is no reason to leave what the user said behind it.
    fn is_in_many_chats(&self, place: usize) -> bool {
        let left = self.scene.path_words.get(self.line..).unwrap_or_default();
        let has_gone_on = left.iter().any(|line| line.by == By::User);
        !self.scene.is_named && self.is_from_beginning && has_gone_on && self.scene.is_at_the_beginning(place)
    }

    fn revise_extended(&mut self) {
        let key = self.scene.path.lines.get(self.line).map(|line| line.key);
        if let (Some(line), Some(said)) = (key, self.scene.said.get(self.said)) {
            self.found.revised.push(Revised { line, text: said.text.clone() });
        }
        self.is_proof |= self.scene.path_words.get(self.line).is_some_and(Words::is_telling)
            && self.scene.said_words.get(self.said).is_some_and(Words::is_telling)
            && !self.is_in_many_chats(self.line);
        self.see(key);
        (self.said, self.line) = (self.said + 1, self.line + 1);
    }

    /// Follows the list along another branch, if one is known that begins so.
    fn switch(&mut self, children: &mut impl FnMut(K) -> Vec<Stored<K>>) -> bool {
        let behind = self.line.checked_sub(1).and_then(|line| self.scene.path.lines.get(line));
        let Some(mut head) = behind.map(|line| line.key) else { return false };
        let mut next: Vec<Stored<K>> = Vec::new();
        let mut switched = false;
        let mut place = self.line;
        while let Some(words) = self.scene.said_words.get(self.said) {
            next = children(head);
            let Some(found) = next.iter().rev().find(|line| words.is_same(&words_of(line))) else { break };
            (head, switched) = (found.key, true);
            let is_stock = words.by == By::Assistant && self.is_in_many_chats(place);
            self.is_proof |= words.is_telling() && !is_stock;
            self.see(Some(head));
            self.said += 1;
            place += 1;
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
}
