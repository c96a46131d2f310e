//! What is being asked of models?

use reverie_core::job::{Job, JobsQuery, Stage, WhichJobs};
use reverie_core::{CharacterId, Error, Result, WorldId};

use super::ModelStore;
use super::world::ModelWorld;

impl ModelWorld {
    pub(super) fn put_job(&mut self, key: &str, job: Option<&Job>) -> Result<()> {
        if job.is_some_and(|job| job.key != key) {
            return Err(Error::invalid("a job is put under its own key"));
        }
        let old = self.aside.jobs.remove(key);
        if let Some(job) = job {
            let version = old.map_or(0, |old| old.version) + 1;
            self.aside.jobs.insert(key.to_owned(), Job { version, ..job.clone() });
        }
        Ok(())
    }

    /// When lines or people go: what quotes dialogue goes, and so does what is about the one who goes.
    pub(super) fn forget_jobs(&mut self, person: Option<&CharacterId>) {
        self.aside.jobs.retain(|_, job| {
            job.stage != Stage::Done && person.is_none_or(|person| !job.holders.contains(person))
        });
        for job in self.aside.jobs.values_mut().filter(|job| !job.rejects.is_empty()) {
            job.rejects.clear();
            job.version += 1;
        }
    }
}

impl ModelStore {
    pub(super) fn list_jobs(&self, query: &JobsQuery) -> Vec<(WorldId, Job)> {
        let worlds = self.lock();
        let mut jobs: Vec<(WorldId, Job)> = worlds
            .iter()
            .flat_map(|(id, world)| world.aside.jobs.values().map(|job| (id.clone(), job.clone())))
            .filter(|(id, _)| query.world.as_ref().is_none_or(|world| world == id))
            .collect();
        jobs.sort_by(|(a, job_a), (b, job_b)| (a, &job_a.key).cmp(&(b, &job_b.key)));
        if let WhichJobs::One(key) = &query.which {
            jobs.retain(|(_, job)| job.key == *key);
        }
        if let WhichJobs::Due { now_ms } = query.which {
            jobs.retain(|(_, job)| {
                job.stage != Stage::Done && job.due_ms <= now_ms && job.leased_until_ms <= now_ms
            });
            jobs.sort_by_key(|(_, job)| job.due_ms);
        } else if let Some((world, key)) = &query.after {
            jobs.retain(|(id, job)| (id, &job.key) > (world, key));
        }
        jobs.truncate(query.limit);
        jobs
    }
}
