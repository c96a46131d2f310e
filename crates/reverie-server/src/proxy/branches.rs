//! Does a request go on from the end of a branch that was left?
//!
//! Where the list holds the place at which two branches part, it leads from one to the other by itself. A client that sends only the end of its
//! history has nothing of that place: then the ends of the other branches are compared with it, the newest first.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::{Attribute, Line, LineId, Result};
use reverie_formats::completions::{Alignment, By, Said, Then};

use super::finding::{Finder, Found, MORE_LINES, MOST_LINES};

/// So many ends are compared at most.
const ENDS: usize = 50;

impl Finder<'_> {
    /// The same conversation from the end of the branch that the list is of; as it was found, if it is of none. What was found on the path, and
    /// has an exchange besides that is not there, may have been said on two branches: then only a list that is the end of the other one is of it.
    pub(super) fn on_another_branch(&self, found: Found, deadline: Instant) -> Result<Found> {
        let is_elsewhere = found.is_elsewhere();
        let is_in_question = is_elsewhere || self.brings_an_exchange(&found.alignment);
        if !is_in_question || found.conversation.head.is_none() || !self.has_exchange() {
            return Ok(found);
        }
        let query = LinesQuery {
            which: WhichLines::Tree,
            witness: None,
            after: None,
            newest_first: true,
            limit: MOST_LINES.min(self.engine.limits().page),
        };
        let tree = self.engine.lines(self.world, &found.conversation.id, query)?.items;
        let by_id: HashMap<LineId, &Line> = tree.iter().map(|line| (line.id, line)).collect();
        let shown = || tree.iter().filter(|line| line.shown);
        let gone_on_from: HashSet<LineId> = shown().filter_map(|line| line.parent).collect();
        // What turned out to be another chat stands there now.
        let is_elsewhere_now = |line: &Line| line.hidden && line.attribute == Attribute::Assistant;
        let is_end = |line: &&Line| {
            let is_left = !gone_on_from.contains(&line.id) && Some(line.id) != found.conversation.head;
            is_left && !is_elsewhere_now(line)
        };
        // Stock words are said in every chat: they lead away from nothing that the user said.
        let may_leave = |lines: &[Line], alignment: &Alignment<LineId>| {
            let kept: HashSet<LineId> = lines.iter().map(|line| line.id).collect();
            let is_left = |line: &Line| line.attribute == Attribute::User && !kept.contains(&line.id);
            alignment.is_proven || self.dialogue.is_named || !found.lines.iter().any(is_left)
        };
        let mut best: Option<(Vec<Line>, Alignment<LineId>)> = None;
        for end in shown().filter(is_end).take(ENDS) {
            if Instant::now() > deadline {
                break;
            }
            let lines = self.path_to(end, &by_id);
            let is_whole = lines.first().is_some_and(|first| first.parent.is_none());
            let alignment = self.aligned(&found.conversation.id, &lines, is_whole);
            let is_nothing = matches!(alignment.then, Then::Elsewhere { .. });
            if is_nothing || !(is_elsewhere || alignment.closeness.is_end) || !may_leave(&lines, &alignment) {
                continue;
            }
            let is_over = alignment.closeness.is_end;
            if best.as_ref().is_none_or(|(_, best)| alignment.closeness > best.closeness) {
                best = Some((lines, alignment));
            }
            if is_over {
                break;
            }
        }
        let Some((lines, mut alignment)) = best else { return Ok(found) };
        let stays =
            matches!(alignment.then, Then::Append { .. } | Then::Continue { .. } | Then::Reword { .. });
        if stays && alignment.switch.is_none() {
            alignment.switch = lines.last().map(|end| end.id);
        }
        Ok(Found { conversation: found.conversation, lines, alignment })
    }

    /// Whether the list has an exchange that is not on the path where it was found.
    fn brings_an_exchange(&self, alignment: &Alignment<LineId>) -> bool {
        if alignment.closeness.is_end {
            return false;
        }
        let seen: HashSet<usize> = alignment.seen.iter().map(|(at, _)| *at).collect();
        let is_exchange = |two: &[Said]| match two {
            [words, answer] => {
                let are_unseen = !seen.contains(&words.at) && !seen.contains(&answer.at);
                are_unseen && (words.by, answer.by) == (By::User, By::Assistant)
            }
            _ => false,
        };
        self.dialogue.said.windows(2).any(is_exchange)
    }

    /// As many lines up to this one as are needed and known, oldest first.
    fn path_to(&self, end: &Line, by_id: &HashMap<LineId, &Line>) -> Vec<Line> {
        let parent = |line: &&Line| by_id.get(&line.parent?).copied();
        let upwards = std::iter::successors(Some(end), parent);
        let mut lines: Vec<Line> =
            upwards.take(self.dialogue.said.len().saturating_add(MORE_LINES)).cloned().collect();
        lines.reverse();
        lines
    }

    /// Whether the list has something of the user that was answered: nothing else proves that it is of a branch.
    fn has_exchange(&self) -> bool {
        let said = &self.dialogue.said;
        let answer = said.iter().rposition(|said| said.by == By::Assistant).unwrap_or(0);
        said.iter().take(answer).any(|said| said.by == By::User)
    }
}
