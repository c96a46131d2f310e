//! What becomes of words in the user's name that are the client's?
//!
//! Nothing is lost by a mistake: they are kept as hidden lines, which nobody remembers and which can be shown again.

use std::collections::HashSet;

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::history::HistoryQuery;
use reverie_core::store::LinePatch;
use reverie_core::{Line, LineId, Result};
use reverie_formats::completions::{Stored, sent_in_other_chats};

use super::searching::NEWEST_LINES;
use super::step::Step;
use super::stored::stored;

/// So many chats of the same people are looked at, and of each so many lines at its beginning: what a client sends in all of them stands in
/// the last ones.
const CHATS: usize = 8;
const LINES: usize = 32;

impl Step<'_> {
    /// Lines that were taken for the user's words until now.
    pub(super) fn hide_what_is_the_clients(&self) -> Result<()> {
        let clients = &self.found.alignment.clients;
        let is_shown = |line: &&Line| clients.contains(&line.id) && !line.hidden;
        for line in self.found.lines.iter().filter(is_shown) {
            let patch = LinePatch { hidden: Some(true), ..LinePatch::default() };
            self.engine.revise_line(&self.talk.named.world, line.id, patch)?;
        }
        Ok(())
    }

    /// Messages of the first request of a chat that other chats tell to be the client's, by their place in the request.
    pub(super) fn clients_from_the_start(&self) -> Result<HashSet<usize>> {
        if self.found.conversation.head.is_some() {
            return Ok(HashSet::new());
        }
        let places = sent_in_other_chats(self.dialogue, || self.beginnings())?;
        Ok(places.iter().filter_map(|place| self.dialogue.said.get(*place)).map(|said| said.at).collect())
    }

    /// Of other chats of the same people, the newest first.
    fn beginnings(&self) -> Result<Vec<Vec<Stored<LineId>>>> {
        let world = &self.talk.named.world;
        let participants = self.cast.all().map(|person| person.who.clone()).collect();
        let limit = NEWEST_LINES.min(self.engine.limits().history);
        let query = HistoryQuery { participants, witness: None, also: Vec::new(), limit };
        let history = self.engine.history(world, query)?.primary;
        let mut seen = HashSet::from([&self.found.conversation.id]);
        let chats = history.iter().rev().map(|line| &line.conversation).filter(|chat| seen.insert(chat));
        let beginning = |chat| {
            let query = LinesQuery {
                which: WhichLines::Path,
                witness: None,
                after: None,
                newest_first: false,
                limit: LINES.min(self.engine.limits().page),
            };
            let lines = self.engine.lines(world, chat, query)?.items;
            Ok(lines.iter().filter_map(stored).collect())
        };
        chats.take(CHATS).map(beginning).collect()
    }
}
