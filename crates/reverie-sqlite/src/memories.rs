//! The embedded store as a keeper of memories.

use std::collections::BTreeMap;

use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded};
use reverie_core::job::{Job, JobsQuery};
use reverie_core::memories::{
    Backlog, BacklogsQuery, Commit, Committed, Embedding, Glimpse, HeldQuery, LetGo, RoundsQuery, Spaces,
};
use reverie_core::memory::{Held, Layer, State};
use reverie_core::recollection::Provenance;
use reverie_core::round::{CloseRound, OpenRound, Round};
use reverie_core::sharing::Sharing;
use reverie_core::time::Moment;
use reverie_core::{CharacterId, CheckpointId, ConversationId, Memories, MemoryId, Result, RoundId, WorldId};

use crate::round::{closing, opening};
use crate::{
    SqliteStore, backlog, commit, held, holding, job, log, memory, mind, rebuild, round, sharing, vector,
};

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

    fn derive_anew(&self, world: &WorldId, checkpoint: &CheckpointId, now_ms: i64) -> Result<LetGo> {
        let checkpoint = checkpoint.clone();
        self.write_world(world, move |connection, world| {
            rebuild::derive_anew(connection, world, &checkpoint, now_ms)
        })
    }

    fn held(&self, world: &WorldId, query: &HeldQuery) -> Result<Vec<Held>> {
        self.read_world(world, |connection, world| held::held(connection, world, query))
    }

    fn glance(&self, world: &WorldId, query: &HeldQuery, each: &mut dyn FnMut(Glimpse)) -> Result<()> {
        let all = HeldQuery { after: None, ..query.clone() };
        self.read_world(world, |connection, world| held::glance(connection, world, &all, each))
    }

    fn begun(&self, world: &WorldId, memories: &[MemoryId]) -> Result<BTreeMap<MemoryId, Moment>> {
        self.read_world(world, |connection, world| memory::begun(connection, world, memories))
    }

    fn recallable(&self, world: &WorldId, holder: &CharacterId) -> Result<Vec<MemoryId>> {
        self.read_world(world, |connection, world| held::recallable(connection, world, holder))
    }

    fn states(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        self.read_world(world, |connection, world| holding::states(connection, world, memory, holder))
    }

    fn provenance(
        &self,
        world: &WorldId,
        memories: &[MemoryId],
        as_of: Option<u64>,
    ) -> Result<Vec<Provenance>> {
        let Some(revision) = as_of else {
            return self.read_world(world, |connection, world| mind::provenance(connection, world, memories));
        };
        let file = self.file()?;
        Ok(file.writer.between(|connection| {
            log::as_of(connection, world, revision, |world| mind::provenance(connection, world, memories))
        })?)
    }

    fn sharing(&self, world: &WorldId, most: usize) -> Result<Sharing> {
        self.read_world(world, |connection, world| sharing::sharing(connection, world, most))
    }

    fn jobs(&self, query: &JobsQuery) -> Result<Vec<(WorldId, Job)>> {
        self.read(|connection| job::list(connection, query))
    }

    fn spend(&self, hour: i64, tokens: i64) -> Result<u64> {
        match tokens {
            0 => self.read(|connection| job::spent(connection, hour)),
            _ => self.write(move |connection| job::spend(connection, hour, tokens)),
        }
    }

    fn unembedded(&self, space: &str, of: &Embedding, limit: usize) -> Result<Vec<Unembedded>> {
        self.read(|connection| vector::unembedded(connection, space, of, limit))
    }

    fn put_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()> {
        vectors.iter().try_for_each(Embedded::check)?;
        let (space, vectors) = (space.to_owned(), vectors.to_vec());
        self.write(move |connection| vector::put(connection, &space, &vectors))
    }

    fn vectors(
        &self,
        space: &str,
        of: &Embedding,
        after: Option<&Embeddable>,
        limit: usize,
    ) -> Result<Vec<Embedded>> {
        self.read(|connection| vector::list(connection, space, of, after, limit))
    }

    fn spaces(&self, of: &Embedding) -> Result<Spaces> {
        self.read(|connection| vector::spaces(connection, of))
    }

    fn set_aside(&self, texts: &[SetAside]) -> Result<()> {
        let texts = texts.to_vec();
        self.write(move |connection| vector::set_aside(connection, &texts))
    }

    fn aside(&self, of: &Embedding, limit: usize) -> Result<Vec<SetAside>> {
        self.read(|connection| vector::aside(connection, of, limit))
    }

    fn try_again(&self, space: &str, settings: &str) -> Result<()> {
        let (space, settings) = (space.to_owned(), settings.to_owned());
        self.write(move |connection| vector::try_again(connection, &space, &settings))
    }

    fn keep_space(&self, space: &str, of: &Embedding) -> Result<()> {
        // After every round it is asked for, and nearly always there is nothing to let go: nobody shall wait for that to write.
        if self.read(|connection| vector::keeps_only(connection, space, of))? {
            return Ok(());
        }
        let (space, of) = (space.to_owned(), of.clone());
        self.write(move |connection| vector::keep_space(connection, &space, &of))
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
