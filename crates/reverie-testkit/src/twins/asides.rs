//! What is asked of models, and where texts stand in spaces of meanings: is it the same in both stores?

use std::sync::Arc;

use reverie_core::embed::{Embeddable, Embedded, Vector};
use reverie_core::job::{Job, JobKind, JobsQuery, Reject, Stage, Trouble, WhichJobs};
use reverie_core::library::{DocumentKind, EntrySelect};
use reverie_core::memories::{Commit, Effect, Embedding, Guard, Which};
use reverie_core::memory::State;
use reverie_core::store::Select;
use reverie_core::{MemoryId, WorldId};

use super::take::pick;
use super::{Twins, Verdict};
use crate::story::{AsideStep, JobGuard, JobStep, Pick, Slip};

const SPACES: [&str; 3] = ["甲/3", "provider:model@1:2", ""];
const KEYS: [&str; 4] = ["consider:1:2:莱姆", "retell:3:Bob", "k", "ん"];

impl Twins<'_> {
    pub(super) fn take_aside_step(&mut self, world: &WorldId, step: &AsideStep) -> Verdict {
        match step {
            AsideStep::Jobs { jobs, considers } => {
                let mut commit = Commit::default();
                for job in jobs {
                    self.add_job(world, job, &mut commit)?;
                }
                let all = self.all_held(world)?;
                if let Some(held) = considers.and_then(|at| pick(&all, at)) {
                    commit.effects.push(Effect::State {
                        memory: Which::Known(held.memory.id),
                        holder: held.holder.clone(),
                        state: Box::new(State { considered: true, ..held.state.clone() }),
                        summarised_by: None,
                        superseded_by: None,
                    });
                }
                self.write(world, &commit)
            }
            AsideStep::Embed { space, book, from, count, slip } => {
                let Some(of) = self.embedding(world, *book)? else { return Ok(()) };
                let space = *pick(&SPACES, *space).expect("there are three");
                let bare =
                    self.both("texts without vectors", |store| store.unembedded(space, &of, usize::MAX))?;
                let bare = bare.unwrap_or_default();
                let begin = usize::from(*from).checked_rem(bare.len()).unwrap_or(0);
                let embedded = |(number, text): (usize, &reverie_core::embed::Unembedded)| {
                    let values = |chunk: usize| [0.5, (number + chunk) as f32, -0.25].as_slice().into();
                    let chunks = (0..usize::from(from % 3)).map(|chunk| Vector(values(chunk))).collect();
                    slipped(Embedded { what: text.what.clone(), digest: text.digest, chunks }, *slip)
                };
                let some = bare.iter().skip(begin).take(usize::from(*count)).enumerate();
                let vectors: Vec<Embedded> = some.map(embedded).collect();
                self.both("putting vectors", |store| store.put_vectors(space, &vectors)).map(drop)
            }
            AsideStep::KeepSpace { space, book } => {
                let Some(of) = self.embedding(world, *book)? else { return Ok(()) };
                let space = *pick(&SPACES, *space).expect("there are three");
                self.both("keeping a space", |store| store.keep_space(space, &of)).map(drop)
            }
        }
    }

    fn add_job(&self, world: &WorldId, step: &JobStep, commit: &mut Commit) -> Verdict {
        let key = (*pick(&KEYS, step.key).expect("there are some")).to_owned();
        let query = JobsQuery {
            world: Some(world.clone()),
            which: WhichJobs::One(key.clone()),
            after: None,
            limit: 1,
        };
        let old = self.both("a job", |store| store.jobs(&query))?.unwrap_or_default();
        let version = old.first().map_or(0, |(_, job)| job.version);
        match step.guard {
            JobGuard::None => {}
            JobGuard::Right => commit.guards.push(Guard::Job { key: key.clone(), version }),
            JobGuard::Wrong => commit.guards.push(Guard::Job { key: key.clone(), version: version + 1 }),
        }
        let known = self.known(world)?;
        let holders = step.holders.iter().filter_map(|at| pick(&known, *at).cloned()).collect();
        let job = step.put.map(|put| {
            // Now and then under the wrong name.
            let own_key = if put % 32 == 31 { "另" } else { key.as_str() };
            Box::new(Job { key: own_key.to_owned(), holders, ..job(put) })
        });
        commit.effects.push(Effect::Job { key, job });
        Ok(())
    }

    /// The memories of a world, or some entries of a book.
    fn embedding(&self, world: &WorldId, book: Option<Pick>) -> Verdict<Option<Embedding>> {
        let Some(at) = book else { return Ok(Some(Embedding::World(world.clone()))) };
        let books = self.both("books", |store| store.documents(DocumentKind::Book, &Select::default()))?;
        let Some(book) = pick(&books.unwrap_or_default(), at).map(|book| book.id.clone()) else {
            return Ok(None);
        };
        let entries = ["e3", "e0", "e1", "没有"].iter().skip(usize::from(at / 8 % 3));
        Ok(Some(Embedding::Book { book, entries: entries.map(|id| Arc::from(*id)).collect() }))
    }

    pub(super) fn look_at_jobs(&self) -> Verdict {
        let list = |world: Option<&WorldId>, which, after, limit| JobsQuery {
            world: world.cloned(),
            which,
            after,
            limit,
        };
        let all = self.both("jobs", |store| store.jobs(&list(None, WhichJobs::All, None, usize::MAX)))?;
        let all = all.unwrap_or_default();
        let after = all.get(all.len() / 2).map(|(world, job)| (world.clone(), job.key.clone()));
        for which in [WhichJobs::All, WhichJobs::One("k".to_owned()), due(0), due(3), due(100)] {
            for world in [None, self.worlds.first()] {
                self.both("page of jobs", |store| store.jobs(&list(world, which.clone(), after.clone(), 3)))?;
            }
        }
        Ok(())
    }

    pub(super) fn look_at_vectors(&self) -> Verdict {
        for world in &self.worlds {
            self.look_at_vectors_of(&Embedding::World(world.clone()))?;
        }
        let books = self.both("books", |store| store.documents(DocumentKind::Book, &Select::default()))?;
        for book in books.into_iter().flatten() {
            let entries = self.both("entries", |store| store.entries(&book.id, &EntrySelect::All))?;
            let ids = entries.into_iter().flat_map(|(_, entries)| entries).map(|entry| entry.id);
            let mut entries: Vec<Arc<str>> = ids.collect();
            entries.reverse();
            self.look_at_vectors_of(&Embedding::Book { book: book.id, entries })?;
        }
        Ok(())
    }

    fn look_at_vectors_of(&self, of: &Embedding) -> Verdict {
        let counted = self.both("spaces", |store| store.spaces(of))?.unwrap_or_default();
        for space in SPACES {
            let bare = self.both("unembedded", |store| store.unembedded(space, of, usize::MAX))?;
            self.both("some unembedded", |store| store.unembedded(space, of, 2))?;
            let all = self.both("vectors", |store| store.vectors(space, of, None, usize::MAX))?;
            let (bare, all) = (bare.unwrap_or_default(), all.unwrap_or_default());
            let embedded = counted.embedded.get(space).copied().unwrap_or(0);
            if (embedded, embedded + bare.len()) != (all.len(), counted.texts) {
                return Err(format!("{counted:?}, but {bare:?} and {all:?} in {space:?}"));
            }
            let after = all.get(all.len() / 2).map(|embedded| embedded.what.clone());
            self.both("page of vectors", |store| store.vectors(space, of, after.as_ref(), 2))?;
            let missing = bare.first().map(|text| text.what.clone());
            self.both("vectors behind a text", |store| store.vectors(space, of, missing.as_ref(), 2))?;
        }
        Ok(())
    }
}

fn due(now_ms: i64) -> WhichJobs {
    WhichJobs::Due { now_ms }
}

fn job(put: Pick) -> Job {
    let memory = |number: u8| MemoryId::new(u64::from(number) + 1).expect("legal");
    Job {
        key: String::new(),
        kind: if put.is_multiple_of(2) { JobKind::Consider } else { JobKind::Retell },
        stage: *pick(&[Stage::Deciding, Stage::Summarising, Stage::Done], put / 2).expect("there are three"),
        holders: Vec::new(),
        memories: (0..put % 3).map(memory).collect(),
        known: (0..put % 2).map(memory).collect(),
        attempts: u32::from(put % 5),
        due_ms: i64::from(put % 7) - 1,
        leased_until_ms: i64::from(put % 4),
        trouble: put.is_multiple_of(3).then(|| Trouble {
            code: "unreadable".to_owned(),
            message: "模型什么也没说".to_owned(),
            at_ms: 5,
        }),
        rejects: (0..put % 3)
            .map(|number| Reject {
                text: format!("〔编 {number}〕"),
                reason: "its lines do not say 7".to_owned(),
            })
            .collect(),
        made_ms: i64::from(put),
        version: u64::from(put),
    }
}

fn slipped(mut embedded: Embedded, slip: Slip) -> Embedded {
    match slip {
        Slip::None => {}
        Slip::Outdated => embedded.digest = [7; 16],
        Slip::Unknown => match &mut embedded.what {
            Embeddable::Memory { memory, .. } | Embeddable::Own { memory, .. } => {
                *memory = MemoryId::new(9_999).expect("legal");
            }
            Embeddable::Entry { entry, .. } => *entry = "没有".into(),
        },
        Slip::Broken => embedded.chunks.push(Vector([f32::NAN].as_slice().into())),
    }
    embedded
}
