//! The third verb: what was lived through becomes memories, a slice of time at a time.

use std::collections::HashMap;
use std::sync::PoisonError;

use super::Engine;
use super::planning::Planned;
use crate::digest::{Closing, MOST_LINES, digest_rounds};
use crate::fail_point::{Step, reach};
use crate::id::{CharacterId, ConversationId, WorldId};
use crate::memories::{BacklogsQuery, Commit, Committed, Effect};
use crate::round::{CloseRound, Ending};
use crate::settings::WorldSettings;
use crate::store::Select;
use crate::{Code, Error, Result};

/// How much to do.
pub struct Slice<'a> {
    /// None: every world.
    pub world: Option<WorldId>,
    /// True: what was said last is a round that is over, whatever the rules say.
    pub now: bool,
    /// Asked after every step: some dozens of memories, or all that waits in one conversation, written at once. That takes some
    /// milliseconds; where hundreds of lines wait in one conversation, some dozens.
    pub go_on: &'a dyn Fn() -> bool,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Digested {
    /// Conversations in which a round was over.
    pub conversations: usize,
    /// Memories that were made, each once, however many have it. One that is remembered again is none.
    pub memories: usize,
    /// Those of them that sum up a day or an era; who lived through the same day shares one.
    pub summaries: usize,
    /// True if there was more to do when the slice ended. A pass over everything may take several slices; what is written
    /// meanwhile may have to wait for the next pass.
    pub more: bool,
    /// When to look again at the latest if nothing is said until then (milliseconds since 1970).
    pub look_again_ms: Option<i64>,
    /// What could not be done, and where. The rest went on.
    pub failed: Vec<(WorldId, Error)>,
    /// Why texts could not be embedded, if they could not. What is remembered does not wait for that.
    pub not_embedded: Option<Error>,
}

/// What earlier slices of this process found.
#[derive(Default)]
pub(super) struct Digests {
    /// The day on which all that was over was summed up.
    pub(super) summed_up: HashMap<WorldId, Option<i64>>,
    pub(super) planned: HashMap<WorldId, Planned>,
    /// Where the last slice ended, of all worlds or of one: the next begins there, so that everybody gets a turn however short
    /// the slices are.
    conversations: HashMap<Option<WorldId>, (WorldId, ConversationId)>,
    /// The same of the characters of a world, and in which step.
    pub(super) characters: HashMap<WorldId, (usize, Option<CharacterId>)>,
}

/// Conversations that are looked at together, and memories that are written together.
const TOGETHER: usize = 32;
/// Lines that are read of a conversation at first; where they are short, many more.
const FEW_LINES: usize = 64;
const SHORT: usize = 2048;
/// Texts of memories that are written together.
const TOGETHER_BYTES: usize = 1 << 20;
/// Memories and rounds that are written together: more keep others waiting, fewer cost a sync each.
const TOGETHER_EFFECTS: usize = 64;

/// How often the same is tried.
const TRIES: usize = 3;

/// Where conversations are digested, and how.
#[derive(Clone, Copy)]
struct Stage<'a> {
    world: &'a WorldId,
    settings: &'a WorldSettings,
    slice: &'a Slice<'a>,
}

/// What is to be written about a conversation.
struct Made {
    conversation: ConversationId,
    commit: Commit,
    /// True if more of it is to be read when this is written.
    goes_on: bool,
}

impl Engine {
    /// Remembers rounds that are over, and sums up days that are over. Waits for nothing but the store, and can be called from
    /// any thread.
    pub fn digest(&self, slice: &Slice<'_>) -> Result<Digested> {
        let mut done = Digested::default();
        self.digest_conversations(slice, &mut done)?;
        let mut after = None;
        while !done.more {
            let select = match &slice.world {
                Some(world) => Select::One(world.to_string()),
                None => Select::Page { after: after.take(), limit: TOGETHER },
            };
            let worlds = self.store.worlds(&select)?;
            for world in &worlds {
                let summed_up = self.sum_up(world, slice, &mut done);
                done.note(&world.id, summed_up);
            }
            match worlds.last() {
                Some(last) if slice.world.is_none() => after = Some(last.id.to_string()),
                _ => break,
            }
        }
        if !done.more {
            match self.embed_locally(slice.go_on) {
                Ok(embedded) => done.more |= embedded.more,
                Err(error) => done.not_embedded = Some(error),
            }
        }
        Ok(done)
    }

    /// From where the last slice ended, and then from the beginning: something may have come there meanwhile.
    fn digest_conversations(&self, slice: &Slice<'_>, done: &mut Digested) -> Result<()> {
        let after = self.digests().conversations.remove(&slice.world);
        let mut from_the_middle = after.is_some();
        let mut query = BacklogsQuery { world: slice.world.clone(), after, limit: TOGETHER };
        loop {
            let page = self.store.backlogs(&query)?;
            let Some(last) = page.last().cloned() else {
                if !std::mem::take(&mut from_the_middle) {
                    return Ok(());
                }
                query.after = None;
                continue;
            };
            query.after = Some(last);
            for of_world in page.chunk_by(|(a, _), (b, _)| a == b) {
                let (Some((world, _)), Some(last)) = (of_world.first(), of_world.last()) else { continue };
                let conversations = of_world.iter().map(|(_, conversation)| conversation);
                let digested = self.digest_world(world, conversations, slice, done);
                let stopped = match digested {
                    Ok(stopped) => stopped.map(|conversation| (world.clone(), conversation)),
                    Err(error) => {
                        done.note(world, Err(error));
                        None
                    }
                };
                if stopped.is_some() || !(slice.go_on)() {
                    done.more = true;
                    let place = stopped.unwrap_or_else(|| last.clone());
                    self.digests().conversations.insert(slice.world.clone(), place);
                    return Ok(());
                }
            }
        }
    }

    /// Where it stopped, if the slice was over before all of them had their turn.
    fn digest_world<'a>(
        &self,
        world: &WorldId,
        conversations: impl Iterator<Item = &'a ConversationId>,
        slice: &Slice<'_>,
        done: &mut Digested,
    ) -> Result<Option<ConversationId>> {
        let settings = self.settings(world)?;
        if !settings.digest.enabled {
            return Ok(None);
        }
        let place = Stage { world, settings: &settings, slice };
        let mut made = Vec::new();
        for conversation in conversations {
            made.extend(self.digest_conversation(&place, conversation, done)?);
            let effects: usize = made.iter().map(|made| made.commit.effects.len()).sum();
            let bytes: usize = made.iter().map(|made| bytes(&made.commit)).sum();
            if effects >= TOGETHER_EFFECTS || bytes >= TOGETHER_BYTES {
                self.commit_all(&place, std::mem::take(&mut made), done)?;
                if !(slice.go_on)() {
                    return Ok(Some(conversation.clone()));
                }
            }
        }
        self.commit_all(&place, made, done)?;
        Ok(None)
    }

    fn commit_all(&self, place: &Stage<'_>, all: Vec<Made>, done: &mut Digested) -> Result<()> {
        reach(Step::RoundsMade);
        if all.len() > 1 {
            let together = Commit {
                guards: all.iter().flat_map(|made| made.commit.guards.clone()).collect(),
                effects: all.iter().flat_map(|made| made.commit.effects.clone()).collect(),
            };
            if self.commit(place.world, &together, done)? {
                reach(Step::RoundsKept);
                done.conversations += all.len();
                done.more |= all.iter().any(|made| made.goes_on);
                return Ok(());
            }
        }
        // One of them changed since it was read: the others need not wait for it.
        for made in all {
            self.commit_one(place, made, done)?;
        }
        Ok(())
    }

    /// What changed since it was read is read again. Where it reads as before and cannot be written all the same, nobody else is
    /// at work there: the store contradicts itself, and that is told instead of tried for ever.
    fn commit_one(&self, place: &Stage<'_>, mut made: Made, done: &mut Digested) -> Result<()> {
        for _ in 0..TRIES {
            if self.commit(place.world, &made.commit, done)? {
                reach(Step::RoundsKept);
                done.conversations += 1;
                done.more |= made.goes_on;
                return Ok(());
            }
            let Some(again) = self.digest_conversation(place, &made.conversation, done)? else {
                return Ok(());
            };
            if again.commit.guards != made.commit.guards {
                done.more = true;
                return Ok(());
            }
            made = again;
        }
        let stuck = format!("what was said in conversation {:?} cannot be remembered", made.conversation);
        let stuck = Error::new(Code::Internal, stuck)
            .hint("it reads the same each time and is taken for changed each time: run `reverie doctor`");
        done.note(place.world, Err(stuck));
        Ok(())
    }

    fn digest_conversation(
        &self,
        place: &Stage<'_>,
        conversation: &ConversationId,
        done: &mut Digested,
    ) -> Result<Option<Made>> {
        let Stage { world, settings, slice } = *place;
        let closing = if slice.now { Closing::Now } else { self.due() };
        // With fewer no round would ever be full.
        let few = FEW_LINES.max(settings.digest.round_lines + 1);
        let mut backlog = self.store.backlog(world, conversation, few.min(MOST_LINES))?;
        reach(Step::BacklogRead);
        let mut rounds = digest_rounds(&backlog, &settings.digest, settings.language, closing);
        let read: usize = backlog.lines.iter().map(|line| line.line.wording.content.len()).sum();
        let is_short = read <= backlog.lines.len() * SHORT;
        // Many at once make few commits; and behind a round that is open something may be over.
        if backlog.is_cut && (is_short || rounds.commit.effects.is_empty()) {
            backlog = self.store.backlog(world, conversation, MOST_LINES)?;
            rounds = digest_rounds(&backlog, &settings.digest, settings.language, closing);
        }
        for round in &rounds.abandoned {
            let close = CloseRound { ending: Ending::Complete, shown_through: None };
            self.store.close_round(world, *round, &close)?;
            reach(Step::RoundAbandoned);
        }
        let goes_on = backlog.is_cut && !rounds.commit.effects.is_empty();
        done.more |= !rounds.abandoned.is_empty();
        done.look_again(rounds.look_again_ms);
        if rounds.commit.effects.is_empty() {
            return Ok(None);
        }
        self.carry_over(world, &mut rounds.commit)?;
        Ok(Some(Made { conversation: conversation.clone(), commit: rounds.commit, goes_on }))
    }

    pub(super) fn due(&self) -> Closing {
        Closing::Due { now_ms: self.now_ms() }
    }

    /// Writes; false if something changed since it was read.
    pub(super) fn commit(&self, world: &WorldId, commit: &Commit, done: &mut Digested) -> Result<bool> {
        if commit.effects.is_empty() {
            return Ok(true);
        }
        match self.store.commit(world, commit)? {
            Committed::Done { memories, made, .. } => {
                done.memories += made;
                if !memories.is_empty() && !self.is_of_today(world, commit)? {
                    // Old rounds may have come: days that were over have to be looked at again.
                    self.sum_up_anew(world);
                }
                Ok(true)
            }
            Committed::Stale => Ok(false),
        }
    }

    pub(super) fn digests(&self) -> std::sync::MutexGuard<'_, Digests> {
        self.digested.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What it holds of texts.
fn bytes(commit: &Commit) -> usize {
    let texts = commit.effects.iter().map(|effect| match effect {
        Effect::Remember(new) => new.text.len(),
        _ => 0,
    });
    texts.sum()
}

impl Digested {
    fn look_again(&mut self, at_ms: Option<i64>) {
        self.look_again_ms = self.look_again_ms.into_iter().chain(at_ms).min();
    }

    /// One world's trouble is not the others'. A world that was erased meanwhile is no trouble.
    fn note(&mut self, world: &WorldId, result: Result<()>) {
        match result {
            Err(error) if error.code() != Code::NotFound => self.failed.push((world.clone(), error)),
            _ => {}
        }
    }
}
