//! Which of the chats that come into question comes closest to a request?
//!
//! Those in which somebody spoke last come first. The search is over as soon as no other chat can come closer, and when its time is up.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Instant;

use reverie_core::character::Who;
use reverie_core::conversation::Conversation;
use reverie_core::history::HistoryQuery;
use reverie_core::{ConversationId, Result};

use super::finding::{Finder, Found, MOST_LINES};

/// Chats that have lines among so many of the newest ones are looked at first.
pub(super) const NEWEST_LINES: usize = 400;

pub(super) struct Search<'f> {
    finder: &'f Finder<'f>,
    pub(super) deadline: Instant,
    pub(super) best: Option<Found>,
    seen: HashSet<ConversationId>,
    /// Chats on whose path nothing of the list is.
    unmatched: Vec<Conversation>,
}

impl<'f> Search<'f> {
    pub(super) fn new(finder: &'f Finder<'f>) -> Self {
        let deadline = Instant::now() + finder.patience;
        Self { finder, deadline, best: None, seen: HashSet::new(), unmatched: Vec::new() }
    }

    /// True if no other chat can come closer, or nobody waits any longer.
    pub(super) fn is_over(&self) -> bool {
        self.best.as_ref().is_some_and(|best| self.finder.is_settled(best)) || Instant::now() > self.deadline
    }

    pub(super) fn has_seen(&self, chat: &ConversationId) -> bool {
        self.seen.contains(chat)
    }

    /// Takes what was found in a chat, on any branch of it, if nothing before it comes as close.
    pub(super) fn take(&mut self, found: Found) {
        self.seen.insert(found.conversation.id.clone());
        if found.is_elsewhere() {
            return;
        }
        let closeness = found.alignment.closeness;
        if self.best.as_ref().is_none_or(|best| closeness > best.alignment.closeness) {
            self.best = Some(found);
        }
    }

    /// The same for a chat that may be of others.
    pub(super) fn take_if_proven(&mut self, found: Found) {
        match self.finder.is_proven(&found) {
            true => self.take(found),
            false => _ = self.seen.insert(found.conversation.id),
        }
    }

    pub(super) fn look_at(&mut self, chats: impl IntoIterator<Item = Conversation>) -> Result<()> {
        for chat in chats {
            if self.is_over() {
                break;
            }
            if !self.has_seen(&chat.id) {
                let found = self.finder.look(chat)?;
                self.unmatched.extend(found.is_elsewhere().then(|| found.conversation.clone()));
                self.take_if_proven(found);
            }
        }
        Ok(())
    }

    /// Chats in which all of these people took part, whoever else did.
    pub(super) fn look_where_they_spoke(
        &mut self,
        people: Vec<Who>,
        is_one: impl Fn(&Conversation) -> bool,
    ) -> Result<()> {
        let engine = self.finder.engine;
        let limit = NEWEST_LINES.min(engine.limits().history);
        let query = HistoryQuery { participants: people, witness: None, also: Vec::new(), limit };
        let history = engine.history(self.finder.world, query)?;
        let mut lines = [history.primary, history.ancillary].concat();
        lines.sort_unstable_by_key(|line| Reverse(line.id));
        let mut listed = HashSet::new();
        lines.retain(|line| listed.insert(line.conversation.clone()));
        for line in lines {
            if self.is_over() {
                break;
            }
            if self.has_seen(&line.conversation) {
                continue;
            }
            let chat = engine.conversation(self.finder.world, &line.conversation)?;
            if is_one(&chat) {
                self.look_at([chat])?;
            }
        }
        Ok(())
    }

    /// Chats in which nobody spoke for long.
    pub(super) fn look_everywhere(&mut self, is_one: impl Fn(&Conversation) -> bool) -> Result<()> {
        let engine = self.finder.engine;
        let mut older = Vec::new();
        let mut after: Option<ConversationId> = None;
        while !self.is_over() {
            let limit = engine.limits().page.min(MOST_LINES);
            let after_id = after.as_ref().map(ConversationId::as_str);
            let listed = engine.conversations(self.finder.world, after_id, limit)?;
            after = listed.items.last().map(|last| last.id.clone());
            let is_theirs = |chat: &Conversation| chat.head.is_some() && is_one(chat);
            older.extend(listed.items.into_iter().filter(is_theirs));
            if !listed.has_more {
                break;
            }
        }
        older.sort_unstable_by_key(|chat| Reverse(chat.head));
        self.look_at(older)
    }

    /// Once more where nothing was found, on the branches that were left; only if nothing was found anywhere.
    pub(super) fn look_on_branches(&mut self) -> Result<()> {
        for chat in std::mem::take(&mut self.unmatched) {
            if self.best.is_some() || Instant::now() > self.deadline {
                break;
            }
            let found = self.finder.look(chat)?;
            let found = self.finder.on_another_branch(found, self.deadline)?;
            self.take(found);
        }
        Ok(())
    }
}
