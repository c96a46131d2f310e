//! The embedded store as a keeper of memories.

use reverie_core::memories::{Backlog, BacklogsQuery, Commit, Committed, HeldQuery, RoundsQuery};
use reverie_core::memory::{Held, Layer, State};
use reverie_core::round::{CloseRound, OpenRound, Round};
use reverie_core::{CharacterId, ConversationId, Memories, MemoryId, Result, RoundId, WorldId};

use crate::round::{closing, opening};
use crate::{SqliteStore, backlog, commit, held, holding, round};

impl Memories for SqliteStore {
    fn open_round(&self, world: &WorldId, conversation: &ConversationId, open: &OpenRound) -> Result<Round> {
        let (id, open) = (conversation.clone(), open.clone());
        self.write_world(world, move |connection, world| opening::open(connection, world, &id, &open))
    }

    fn close_round(&self, world: &WorldId, round: RoundId, close: &CloseRound) -> Result<Round> {
        let close = *close;
        self.write_world(world, move |connection, world| closing::close(connection, world, round, &close))
    }

    fn rounds(&self, world: &WorldId, query: &RoundsQuery) -> Result<Vec<Round>> {
        self.read_world(world, |connection, world| round::list(connection, world, query))
    }

    fn backlogs(&self, query: &BacklogsQuery) -> Result<Vec<(WorldId, ConversationId)>> {
        self.read(|connection| backlog::list(connection, query))
    }

    fn backlog(&self, world: &WorldId, conversation: &ConversationId, lines: usize) -> Result<Backlog> {
        self.read_world(world, |connection, world| backlog::read(connection, world, conversation, lines))
    }

    fn commit(&self, world: &WorldId, commit: &Commit) -> Result<Committed> {
        let commit = commit.clone();
        self.write_world(world, move |connection, world| commit::commit(connection, world, &commit))
    }

    fn held(&self, world: &WorldId, query: &HeldQuery) -> Result<Vec<Held>> {
        self.read_world(world, |connection, world| held::held(connection, world, query))
    }

    fn states(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        self.read_world(world, |connection, world| holding::states(connection, world, memory, holder))
    }

    fn unsummarised(
        &self,
        world: &WorldId,
        layers: &[Layer],
        after: Option<&CharacterId>,
        limit: usize,
    ) -> Result<Vec<CharacterId>> {
        self.read_world(world, |connection, world| {
            held::unsummarised(connection, world, layers, after, limit)
        })
    }
}
