//! What is being asked of models, why does it take so long, and how is it hurried?

use super::asking::Swapped;
use super::{Engine, Listed};
use crate::id::WorldId;
use crate::job::{Job, JobsQuery, Stage, WhichJobs};
use crate::{Code, Error, Result};

impl Engine {
    /// Adds tokens that models took in an hour (hours since 1970), or takes back what was estimated too high. What was taken in
    /// that hour, by whoever shares the data, also before a restart.
    pub fn spend_tokens(&self, hour: i64, tokens: i64) -> Result<u64> {
        self.store.spend(hour, tokens)
    }

    /// The jobs of a world in the order of their keys, behind one; also those that were done in the last days.
    pub fn jobs(&self, world: &WorldId, after: Option<&str>, limit: usize) -> Result<Listed<Job>> {
        // A world that is not there has no jobs; a misspelt one must not look as if all were done.
        self.world(world)?;
        let limit = limit.min(self.limits.page);
        let after = after.map(|key| (world.clone(), key.to_owned()));
        let query = JobsQuery {
            world: Some(world.clone()),
            which: WhichJobs::All,
            after,
            limit: limit.saturating_add(1),
        };
        let mut items: Vec<Job> = self.store.jobs(&query)?.into_iter().map(|(_, job)| job).collect();
        let has_more = items.len() > limit;
        items.truncate(limit);
        Ok(Listed { items, has_more })
    }

    pub fn job(&self, world: &WorldId, key: &str) -> Result<Job> {
        self.world(world)?;
        let query = JobsQuery {
            world: Some(world.clone()),
            which: WhichJobs::One(key.to_owned()),
            after: None,
            limit: 1,
        };
        let found = self.store.jobs(&query)?.pop();
        found.map(|(_, job)| job).ok_or_else(|| {
            Error::not_found(format!("there is no job {key:?}"))
                .hint("list the world's jobs; those that were done long ago are gone")
        })
    }

    /// Makes a job due now, whatever it waited for, and counts its tries anew.
    pub fn retry_job(&self, world: &WorldId, key: &str) -> Result<Job> {
        let job = self.job(world, key)?;
        let now_ms = self.now_ms();
        if job.stage == Stage::Done {
            return Err(Error::new(Code::Conflict, "this job is done")
                .hint("its memories are there, and `rejects` says what was not believed"));
        }
        if job.leased_until_ms > now_ms {
            return Err(Error::new(Code::Conflict, "a model is being asked just now")
                .hint("wait for its answer; if none comes, the job is free again after `asked_until`"));
        }
        let next = Job { due_ms: now_ms, attempts: 0, leased_until_ms: 0, ..job.clone() };
        match self.swap(world, &job, Some(next))? {
            Swapped::Late => Err(Error::new(Code::Conflict, "the job changed just now").hint("look again")),
            Swapped::Done => self.job(world, key),
        }
    }
}
