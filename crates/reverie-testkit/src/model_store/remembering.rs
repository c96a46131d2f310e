//! The store's side of rounds and memories: one transaction per call.

use std::collections::BTreeMap;
use std::sync::PoisonError;

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

use super::ModelStore;
use super::commit::told;

impl Memories for ModelStore {
    fn open_round(&self, world: &WorldId, conversation: &ConversationId, open: &OpenRound) -> Result<Round> {
        self.write(world, |world| world.open_round(conversation, open), |world, id| world.round(id))
    }

    fn close_round(&self, world: &WorldId, round: RoundId, close: &CloseRound) -> Result<Round> {
        self.write(world, |world| world.close_round(round, close), |world, ()| world.round(round))
    }

    fn rounds(&self, world: &WorldId, query: &RoundsQuery) -> Result<Vec<Round>> {
        self.read(world, |world| world.list_rounds(query))
    }

    fn backlogs(&self, query: &BacklogsQuery) -> Result<Vec<(WorldId, ConversationId)>> {
        let mut waiting = Vec::new();
        for (id, world) in self.lock().iter() {
            let rooms = (0..world.rooms.len()).filter(|room| world.has_backlog(*room));
            waiting.extend(rooms.map(|room| (id.clone(), world.conversation(room).id)));
        }
        waiting.sort();
        waiting.retain(|(world, _)| query.world.as_ref().is_none_or(|wanted| world == wanted));
        waiting.retain(|place| query.after.as_ref().is_none_or(|after| place > after));
        waiting.truncate(query.limit);
        Ok(waiting)
    }

    fn backlog(&self, world: &WorldId, conversation: &ConversationId, lines: usize) -> Result<Backlog> {
        self.read(world, |world| world.backlog(conversation, lines))
    }

    fn commit(&self, world: &WorldId, commit: &Commit) -> Result<Committed> {
        self.write(world, |world| world.remember(commit), |world, made| Ok(told(made, world.revision)))
    }

    fn derive_anew(&self, world: &WorldId, checkpoint: &CheckpointId, now_ms: i64) -> Result<LetGo> {
        self.write(world, |world| Ok(world.derive_anew(checkpoint, now_ms)), |_, let_go| Ok(let_go))
    }

    fn held(&self, world: &WorldId, query: &HeldQuery) -> Result<Vec<Held>> {
        self.read(world, |world| Ok(world.held(query)))
    }

    fn glance(&self, world: &WorldId, query: &HeldQuery, each: &mut dyn FnMut(Glimpse)) -> Result<()> {
        self.read(world, |world| {
            world.glance(query, each);
            Ok(())
        })
    }

    fn begun(&self, world: &WorldId, memories: &[MemoryId]) -> Result<BTreeMap<MemoryId, Moment>> {
        self.read(world, |world| Ok(world.summed_up_since(memories)))
    }

    fn recallable(&self, world: &WorldId, holder: &CharacterId) -> Result<Vec<MemoryId>> {
        self.read(world, |world| Ok(world.recallable(holder)))
    }

    fn sharing(&self, world: &WorldId, most: usize) -> Result<Sharing> {
        self.read(world, |world| Ok(world.sharing(most)))
    }

    fn states(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        self.read(world, |world| world.states_of(memory, holder))
    }

    fn provenance(
        &self,
        world: &WorldId,
        memories: &[MemoryId],
        as_of: Option<u64>,
    ) -> Result<Vec<Provenance>> {
        self.read(world, |world| match as_of {
            None => Ok(world.provenance(memories)),
            Some(revision) => Ok(world.as_of(revision)?.provenance(memories)),
        })
    }

    fn jobs(&self, query: &JobsQuery) -> Result<Vec<(WorldId, Job)>> {
        Ok(self.list_jobs(query))
    }

    fn spend(&self, hour: i64, tokens: i64) -> Result<u64> {
        let mut all = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens != 0 {
            let spent = all.entry(hour).or_insert(0);
            *spent = spent.saturating_add_signed(tokens);
            all.retain(|other, _| *other >= hour - 1);
        }
        Ok(all.get(&hour).copied().unwrap_or(0))
    }

    fn unembedded(&self, space: &str, of: &Embedding, limit: usize) -> Result<Vec<Unembedded>> {
        self.bare_texts(space, of, limit)
    }

    fn put_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()> {
        self.keep_vectors(space, vectors)
    }

    fn vectors(
        &self,
        space: &str,
        of: &Embedding,
        after: Option<&Embeddable>,
        limit: usize,
    ) -> Result<Vec<Embedded>> {
        self.list_vectors(space, of, after, limit)
    }

    fn spaces(&self, of: &Embedding) -> Result<Spaces> {
        self.count_spaces(of)
    }

    fn set_aside(&self, texts: &[SetAside]) -> Result<()> {
        self.keep_asides(texts)
    }

    fn aside(&self, of: &Embedding, limit: usize) -> Result<Vec<SetAside>> {
        self.list_asides(of, limit)
    }

    fn try_again(&self, space: &str, settings: &str) -> Result<()> {
        self.drop_asides(space, settings);
        Ok(())
    }

    fn keep_space(&self, space: &str, of: &Embedding) -> Result<()> {
        self.drop_other_spaces(space, of)
    }

    fn unsummarised(
        &self,
        world: &WorldId,
        layers: &[Layer],
        after: Option<&CharacterId>,
        limit: usize,
    ) -> Result<Vec<CharacterId>> {
        self.read(world, |world| Ok(world.unsummarised(layers, after, limit)))
    }
}
