//! What is worth asking a model about?
//!
//! Rounds of which nobody asked yet what is worth keeping, several together; and days that only rules have told so far.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Engine;
use crate::fail_point::{Step, reach};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::job::{Job, JobKind, JobsQuery, Stage, WhichJobs};
use crate::memories::{Commit, Committed, Effect, Guard, HeldQuery, WhichHeld};
use crate::memory::Held;
use crate::settings::WorldSettings;
use crate::store::Select;
use crate::world::World;
use crate::{Code, Result};

/// Holdings that are looked at together. What does not fit waits until these are done.
const LOOK_AT: usize = 2000;
/// Jobs that are read at a time.
const JOBS: usize = 1000;
/// So long one can see what became of a job.
const KEEP_DONE_MS: i64 = 7 * 86_400_000;
const WORLDS: usize = 100;

impl Engine {
    /// Puts down what is to be asked. When to look again at the latest, if nothing changes until then.
    pub(super) fn plan(&self, world: Option<&WorldId>) -> Result<Option<i64>> {
        let mut look_again: Option<i64> = None;
        let mut after = None;
        loop {
            let select = match world {
                Some(world) => Select::One(world.to_string()),
                None => Select::Page { after: after.take(), limit: WORLDS },
            };
            let worlds = self.store.worlds(&select)?;
            for world in &worlds {
                let planned = match self.plan_world(world) {
                    // It was erased meanwhile.
                    Err(error) if error.code() == Code::NotFound => None,
                    planned => planned?,
                };
                look_again = look_again.into_iter().chain(planned).min();
            }
            match worlds.last() {
                Some(last) if world.is_none() => after = Some(last.id.to_string()),
                _ => return Ok(look_again),
            }
        }
    }

    fn plan_world(&self, world: &World) -> Result<Option<i64>> {
        let now_ms = self.now_ms();
        let known = self.digests().planned.get(&world.id).copied();
        if let Some(Planned { revision, look_again_ms }) = known
            && revision == world.revision
            && look_again_ms.is_none_or(|at| now_ms < at)
        {
            return Ok(look_again_ms);
        }
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let mut look_again_ms = None;
        if settings.digest.enabled && settings.digest.models {
            let jobs = self.jobs_of(&world.id)?;
            let mut commit = Commit::default();
            look_again_ms = self.plan_considering(&world.id, &settings, &jobs, now_ms, &mut commit)?;
            self.plan_retelling(&world.id, &jobs, now_ms, &mut commit)?;
            clear_away(&jobs, now_ms, &mut commit);
            // Somebody else plans at the same time: what that leaves to plan is seen at the next look.
            if !commit.effects.is_empty() {
                reach(Step::JobsPlanned);
                if self.store.commit(&world.id, &commit)? == Committed::Stale {
                    return Ok(Some(now_ms));
                }
                reach(Step::JobsKept);
            }
        }
        let planned = Planned { revision: world.revision, look_again_ms };
        self.digests().planned.insert(world.id.clone(), planned);
        Ok(look_again_ms)
    }

    fn plan_considering(
        &self,
        world: &WorldId,
        settings: &WorldSettings,
        jobs: &HashMap<String, Job>,
        now_ms: i64,
        commit: &mut Commit,
    ) -> Result<Option<i64>> {
        let rules = &settings.digest;
        let query = HeldQuery { limit: LOOK_AT, ..HeldQuery::of(None, WhichHeld::Unconsidered) };
        let mut planned: HashSet<(MemoryId, &CharacterId)> = HashSet::new();
        for job in jobs.values().filter(|job| job.kind == JobKind::Consider && job.stage != Stage::Done) {
            let of_job = |memory: &MemoryId| {
                job.holders.iter().map(move |holder| (*memory, holder)).collect::<Vec<_>>()
            };
            planned.extend(job.memories.iter().flat_map(of_job));
        }
        let mut look_again = None;
        for (holders, rounds) in alike(self.store.held(world, &query)?) {
            let fresh: Vec<Held> = rounds
                .into_iter()
                .filter(|held| !holders.iter().any(|holder| planned.contains(&(held.memory.id, holder))))
                .collect();
            for batch in
                batches(&fresh, |text| settings.counter.count(text), rules.batch_tokens, rules.batch_rounds)
            {
                let oldest_ms = batch.iter().map(|held| held.memory.wall_ms).min().unwrap_or(now_ms);
                let due_ms = oldest_ms.saturating_add(rules.batch_ms);
                if batch.len() < rules.batch_rounds && now_ms < due_ms {
                    look_again = Some(look_again.map_or(due_ms, |at: i64| at.min(due_ms)));
                    continue;
                }
                let memories: Vec<MemoryId> = batch.iter().map(|held| held.memory.id).collect();
                let Some(first) = memories.first() else { continue };
                let who = holders.first().map(CharacterId::as_str).unwrap_or_default();
                let key = format!("consider:{first}:{}:{who}", holders.len());
                let stage = if rules.decide { Stage::Deciding } else { Stage::Summarising };
                put(new_job(key, JobKind::Consider, stage, holders.clone(), memories, now_ms), jobs, commit);
            }
        }
        Ok(look_again)
    }

    fn plan_retelling(
        &self,
        world: &WorldId,
        jobs: &HashMap<String, Job>,
        now_ms: i64,
        commit: &mut Commit,
    ) -> Result<()> {
        let query = HeldQuery { limit: LOOK_AT, ..HeldQuery::of(None, WhichHeld::ByRules) };
        for held in self.store.held(world, &query)? {
            let (memory, holder) = held.place();
            let key = format!("retell:{memory}:{holder}");
            if !jobs.contains_key(&key) {
                let job =
                    new_job(key, JobKind::Retell, Stage::Summarising, vec![holder], vec![memory], now_ms);
                put(job, jobs, commit);
            }
        }
        Ok(())
    }

    fn jobs_of(&self, world: &WorldId) -> Result<HashMap<String, Job>> {
        let mut jobs = HashMap::new();
        let mut query =
            JobsQuery { world: Some(world.clone()), which: WhichJobs::All, after: None, limit: JOBS };
        loop {
            let page = self.store.jobs(&query)?;
            let is_last = page.len() < JOBS;
            query.after = page.last().map(|(world, job)| (world.clone(), job.key.clone()));
            jobs.extend(page.into_iter().map(|(_, job)| (job.key.clone(), job)));
            if is_last {
                return Ok(jobs);
            }
        }
    }
}

/// What was planned when, so that nothing is looked at twice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    revision: u64,
    look_again_ms: Option<i64>,
}

/// Rounds by the set of those who have them and were not asked yet.
fn alike(held: Vec<Held>) -> BTreeMap<Vec<CharacterId>, Vec<Held>> {
    let mut groups: BTreeMap<Vec<CharacterId>, Vec<Held>> = BTreeMap::new();
    let mut held = held.into_iter().peekable();
    while let Some(first) = held.next() {
        let mut holders = vec![first.holder.clone()];
        while let Some(next) = held.next_if(|next| next.memory.id == first.memory.id) {
            holders.push(next.holder);
        }
        holders.sort();
        groups.entry(holders).or_default().push(first);
    }
    groups
}

/// In order, each within its bounds; a round that is too long by itself is a batch of its own.
fn batches(held: &[Held], count: impl Fn(&str) -> usize, tokens: usize, rounds: usize) -> Vec<Vec<&Held>> {
    let mut batches: Vec<Vec<&Held>> = Vec::new();
    let mut room = 0;
    for held in held {
        let size = count(held.text());
        match batches.last_mut().filter(|batch| batch.len() < rounds && size <= room) {
            Some(batch) => {
                batch.push(held);
                room -= size;
            }
            None => {
                batches.push(vec![held]);
                room = tokens.saturating_sub(size);
            }
        }
    }
    batches
}

fn new_job(
    key: String,
    kind: JobKind,
    stage: Stage,
    holders: Vec<CharacterId>,
    memories: Vec<MemoryId>,
    now_ms: i64,
) -> Job {
    Job {
        key,
        kind,
        stage,
        holders,
        memories,
        known: Vec::new(),
        attempts: 0,
        due_ms: now_ms,
        leased_until_ms: 0,
        trouble: None,
        rejects: Vec::new(),
        made_ms: now_ms,
        version: 0,
    }
}

fn put(job: Job, jobs: &HashMap<String, Job>, commit: &mut Commit) {
    let version = jobs.get(&job.key).map_or(0, |old| old.version);
    commit.guards.push(Guard::Job { key: job.key.clone(), version });
    commit.effects.push(Effect::Job { key: job.key.clone(), job: Some(Box::new(job)) });
}

/// Jobs that were done long ago. Where no model was believed, the job stays, so that none is asked again.
fn clear_away(jobs: &HashMap<String, Job>, now_ms: i64, commit: &mut Commit) {
    let is_over =
        |job: &&Job| job.stage == Stage::Done && (job.kind == JobKind::Consider || job.rejects.is_empty());
    for job in jobs.values().filter(is_over) {
        if now_ms.saturating_sub(job.made_ms) > KEEP_DONE_MS {
            commit.guards.push(Guard::Job { key: job.key.clone(), version: job.version });
            commit.effects.push(Effect::Job { key: job.key.clone(), job: None });
        }
    }
}
