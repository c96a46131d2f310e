//! How is a world read, a bounded part at a time?

use super::{Engine, Listed, no_world, one};
use crate::character::Character;
use crate::conversation::{Conversation, LinesQuery, WhichLines};
use crate::history::{History, HistoryQuery};
use crate::id::{CharacterId, CheckpointId, ConversationId, LineId, WorldId};
use crate::keepsake::{Keepsake, KeptFor};
use crate::limits::check;
use crate::line::{Line, no_line_in};
use crate::record::Record;
use crate::store::Select;
use crate::world::{Checkpoint, World, no_checkpoint};
use crate::{Error, Result};

/// Lists are in the order of their ids and go on behind `after`.
impl Engine {
    pub fn world(&self, id: &WorldId) -> Result<World> {
        self.store.worlds(&one(id))?.pop().ok_or_else(|| no_world(id))
    }

    pub fn worlds(&self, after: Option<&str>, limit: usize) -> Result<Listed<World>> {
        self.listed(after, limit, |select| self.store.worlds(select))
    }

    pub fn character(&self, world: &WorldId, id: &CharacterId) -> Result<Character> {
        let found = self.store.characters(world, &one(id))?.pop();
        found.ok_or_else(|| Error::not_found(format!("there is no character {id:?}")))
    }

    pub fn characters(
        &self,
        world: &WorldId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Listed<Character>> {
        self.listed(after, limit, |select| self.store.characters(world, select))
    }

    pub fn conversation(&self, world: &WorldId, id: &ConversationId) -> Result<Conversation> {
        let found = self.store.conversations(world, &one(id))?.pop();
        found.ok_or_else(|| self.no_conversation(world, id))
    }

    pub fn conversations(
        &self,
        world: &WorldId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Listed<Conversation>> {
        self.listed(after, limit, |select| self.store.conversations(world, select))
    }

    /// Those in which something was said last come first; behind the one that stood at this head with this id.
    pub fn latest_conversations(
        &self,
        world: &WorldId,
        behind: Option<(Option<LineId>, &ConversationId)>,
        limit: usize,
    ) -> Result<Listed<Conversation>> {
        self.check_page(limit)?;
        Ok(Listed::of(self.store.latest_conversations(world, behind, limit + 1)?, limit))
    }

    pub fn checkpoint(&self, world: &WorldId, id: &CheckpointId) -> Result<Checkpoint> {
        let found = self.store.checkpoints(world, &one(id))?.pop();
        match found {
            Some(checkpoint) => Ok(checkpoint),
            None => Err(no_checkpoint(id, &self.store.checkpoints(world, &Select::some_of_them())?)),
        }
    }

    pub fn checkpoints(
        &self,
        world: &WorldId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Listed<Checkpoint>> {
        self.listed(after, limit, |select| self.store.checkpoints(world, select))
    }

    pub fn lines(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        query: LinesQuery,
    ) -> Result<Listed<Line>> {
        self.check_page(query.limit)?;
        let one_more = LinesQuery { limit: query.limit + 1, ..query };
        Ok(Listed::of(self.store.lines(world, conversation, &one_more)?, query.limit))
    }

    /// A line, if it stands in this conversation. It never leaves it.
    pub fn line(&self, world: &WorldId, conversation: &ConversationId, id: LineId) -> Result<Line> {
        let query = LinesQuery {
            which: WhichLines::Tree,
            witness: None,
            after: LineId::new(id.get() - 1).ok(),
            newest_first: false,
            limit: 1,
        };
        let found = self.store.lines(world, conversation, &query)?.pop().filter(|line| line.id == id);
        found.ok_or_else(|| no_line_in(id, conversation))
    }

    /// Those of the host ids whose line was deleted for good: bringing them again would undo that.
    pub fn erased_host_ids(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        host_ids: &[String],
    ) -> Result<Vec<String>> {
        self.store.erased_host_ids(world, conversation, host_ids)
    }

    /// What is kept of the file that a conversation and its lines came in; None: the files of the world.
    pub fn keepsakes(&self, world: &WorldId, of: Option<&ConversationId>) -> Result<Vec<Keepsake>> {
        self.store.keepsakes(world, of)
    }

    /// What is kept of these alone, in the order given; nothing of what is not there.
    pub fn kept(&self, world: &WorldId, of: &[KeptFor]) -> Result<Vec<Keepsake>> {
        self.store.kept(world, of)
    }

    /// A line, whichever conversation it stands in, on the active path or not.
    pub fn line_anywhere(&self, world: &WorldId, id: LineId) -> Result<Line> {
        self.store.line(world, id)
    }

    /// What these people said among themselves, and what with others around.
    pub fn history(&self, world: &WorldId, mut query: HistoryQuery) -> Result<History> {
        if query.participants.is_empty() {
            return Err(Error::invalid("whose history?")
                .hint("repeat participants for each one: ?participants=a&participants=b"));
        }
        self.limits.admit_people(&mut query.participants)?;
        self.limits.check_also(query.also.len())?;
        check("lines of history", query.limit, self.limits.history, "limits.history")?;
        self.store.history(world, &query)
    }

    /// Hands out a world as it is, or as it was at a checkpoint, record by record.
    pub fn export(
        &self,
        world: &WorldId,
        checkpoint: Option<&CheckpointId>,
        sink: &mut dyn FnMut(Record) -> Result<()>,
    ) -> Result<()> {
        self.store.export(world, checkpoint, sink)
    }

    /// The store's own refusal: it knows whether a scene has this for a name.
    fn no_conversation(&self, world: &WorldId, id: &ConversationId) -> Error {
        let which = WhichLines::Path;
        let nothing = LinesQuery { which, witness: None, after: None, newest_first: false, limit: 0 };
        let refusal = self.store.lines(world, id, &nothing).err();
        refusal.unwrap_or_else(|| Error::not_found(format!("there is no conversation {id:?}")))
    }

    /// Asks for one more than wanted, to know whether another follows.
    pub(super) fn listed<T>(
        &self,
        after: Option<&str>,
        limit: usize,
        read: impl FnOnce(&Select) -> Result<Vec<T>>,
    ) -> Result<Listed<T>> {
        self.check_page(limit)?;
        let found = read(&Select::Page { after: after.map(str::to_owned), limit: limit + 1 })?;
        Ok(Listed::of(found, limit))
    }

    pub(super) fn check_page(&self, entries: usize) -> Result<()> {
        check("entries on a page", entries, self.limits.page, "limits.page")
    }
}

impl<T> Listed<T> {
    pub(super) fn of(mut items: Vec<T>, limit: usize) -> Self {
        let has_more = items.len() > limit;
        items.truncate(limit);
        Self { items, has_more }
    }
}
