//! What is a question about, and what do those who will remember the answer know already?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Engine;
use crate::digest::{Batch, Cast, Retelling};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::job::Job;
use crate::memories::{HeldQuery, MemoryOrder, WhichHeld};
use crate::memory::{Held, Origin};
use crate::store::Select;
use crate::words::mentions;
use crate::{Code, Result};

/// Of what is known, a question tells the newest so many.
const KNOWN: usize = 24;
/// So many questions at most are asked about the same rounds, one for each group of those who know the same.
const MOST_GROUPS: usize = 4;
const PAGE: usize = 1000;
/// Nobody's memories of somebody are read further back than this.
const KNOWN_PAGES: usize = 20;

impl Engine {
    /// What the job is about, as it is now; None if nothing is left of it.
    pub(super) fn batch(&self, world: &WorldId, job: &Job) -> Result<Option<Batch>> {
        let mut rounds = Vec::new();
        for memory in &job.memories {
            let held = self.of_memory(world, *memory)?;
            let of_job =
                |held: &Held| job.holders.contains(&held.holder) && held.is_valid() && !held.state.considered;
            rounds.extend(held.into_iter().filter(of_job));
        }
        // All of them must still have it alike.
        let count = |memory: MemoryId| rounds.iter().filter(|held| held.memory.id == memory).count();
        let whole: BTreeSet<MemoryId> =
            job.memories.iter().copied().filter(|memory| count(*memory) == job.holders.len()).collect();
        rounds.retain(|held| whole.contains(&held.memory.id));
        let mut lines = Vec::new();
        let sources: BTreeSet<_> =
            rounds.iter().flat_map(|held| held.memory.sources.iter().map(|source| source.line)).collect();
        for line in sources {
            match self.store.line(world, line) {
                // It was erased meanwhile, and what was made of it.
                Err(error) if error.code() == Code::NotFound => return Ok(None),
                line => lines.push(line?),
            }
        }
        Ok((!lines.is_empty()).then(|| Batch { holders: job.holders.clone(), rounds, lines }))
    }

    pub(super) fn retelling(&self, world: &WorldId, job: &Job) -> Result<Option<Retelling>> {
        let (Some(memory), Some(holder)) = (job.memories.first(), job.holders.first()) else {
            return Ok(None);
        };
        let of_holder = |held: &Held| held.holder == *holder && held.is_valid();
        let Some(summary) = self.of_memory(world, *memory)?.into_iter().find(of_holder) else {
            return Ok(None);
        };
        // A day that a model told better since is still what the era was made of.
        let is_part = |held: &Held| held.holder == *holder && held.live && !held.state.forgotten;
        let mut sources = Vec::new();
        for from in &summary.memory.from {
            sources.extend(self.of_memory(world, *from)?.into_iter().find(is_part));
        }
        // An era is told from its days, not from what these were made of.
        let within: BTreeSet<MemoryId> =
            sources.iter().flat_map(|held| held.memory.from.iter().copied()).collect();
        sources.retain(|held| !within.contains(&held.memory.id));
        sources.sort_by_key(|held| (held.memory.tick, held.memory.wall_ms, held.memory.id));
        Ok((!sources.is_empty()).then_some(Retelling { summary, sources }))
    }

    fn of_memory(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        let query = HeldQuery { all: true, limit: PAGE, ..HeldQuery::of(None, WhichHeld::One(memory)) };
        self.store.held(world, &query)
    }

    /// What each holder knows of those who appear in the rounds or are spoken of there; what they forgot is among it.
    pub(super) fn known(
        &self,
        world: &WorldId,
        batch: &Batch,
        cast: &Cast,
    ) -> Result<HashMap<CharacterId, Vec<Held>>> {
        let mut about: BTreeSet<CharacterId> =
            batch.rounds.iter().flat_map(|held| held.memory.about.iter().cloned()).collect();
        let is_spoken_of = |name: &str| batch.lines.iter().any(|line| mentions(&line.wording.content, name));
        about.extend(cast.iter().filter(|(_, name)| is_spoken_of(name)).map(|(id, _)| id.clone()));
        let about: Vec<CharacterId> = about.into_iter().collect();
        let mut known = HashMap::new();
        for holder in &batch.holders {
            known.insert(holder.clone(), self.known_to(world, holder, &about)?);
        }
        Ok(known)
    }

    /// Adds what is about nobody whom the world knows; there is no list of it, so it is looked for only where a model tells of a
    /// stranger.
    pub(super) fn add_strangers(
        &self,
        world: &WorldId,
        known: &mut HashMap<CharacterId, Vec<Held>>,
    ) -> Result<()> {
        for (holder, known) in known {
            let all = self.worth_knowing(world, holder, WhichHeld::Any)?;
            known.extend(all.into_iter().filter(|held| held.memory.about.is_empty()));
        }
        Ok(())
    }

    fn known_to(&self, world: &WorldId, holder: &CharacterId, about: &[CharacterId]) -> Result<Vec<Held>> {
        self.worth_knowing(world, holder, WhichHeld::About(about.to_vec()))
    }

    /// The newest first. Most of what is about somebody are rounds, so that it is read page by page.
    fn worth_knowing(&self, world: &WorldId, holder: &CharacterId, which: WhichHeld) -> Result<Vec<Held>> {
        let mut query =
            HeldQuery { all: true, newest_first: true, limit: PAGE, ..HeldQuery::of(Some(holder), which) };
        let mut known = Vec::new();
        for _ in 0..KNOWN_PAGES {
            let page = self.store.held(world, &query)?;
            query.after = page.last().map(|last| MemoryOrder::Made.place(last));
            let is_last = page.len() < PAGE;
            let worth = |held: &Held| {
                matches!(held.memory.origin, Origin::Statement | Origin::Hand) || held.state.forgotten
            };
            known.extend(page.into_iter().filter(worth));
            if is_last {
                break;
            }
        }
        Ok(known)
    }

    /// Everybody who has a name.
    pub(super) fn cast(&self, world: &WorldId) -> Result<Cast> {
        let mut cast = BTreeMap::new();
        let mut after = None;
        loop {
            let page = self.store.characters(world, &Select::Page { after: after.take(), limit: PAGE })?;
            let Some(last) = page.last() else { return Ok(cast) };
            after = Some(last.id.to_string());
            for character in page {
                let name = character.card.display_name.unwrap_or_else(|| character.id.to_string());
                cast.insert(character.id, name);
            }
        }
    }
}

/// Holders by what a question would tell as known to them. Whoever knows the same is asked about together, for what one alone knows is
/// not told to the others' memory; and where a newcomer is among them, who knows nothing, the others' knowledge can still be replaced.
/// Where there are too many such groups, those who know least are asked about as one.
pub(super) fn alike_in_knowledge(
    holders: &[CharacterId],
    known: &HashMap<CharacterId, Vec<Held>>,
) -> Vec<Vec<CharacterId>> {
    let mut groups: BTreeMap<Vec<MemoryId>, Vec<CharacterId>> = BTreeMap::new();
    for holder in holders {
        let mut own: Vec<MemoryId> = known
            .get(holder)
            .into_iter()
            .flatten()
            .filter(|held| is_told(held))
            .map(|held| held.memory.id)
            .collect();
        own.sort_by_key(|id| std::cmp::Reverse(*id));
        own.truncate(KNOWN);
        groups.entry(own).or_default().push(holder.clone());
    }
    let mut groups: Vec<(Vec<MemoryId>, Vec<CharacterId>)> = groups.into_iter().collect();
    groups.sort_by(|(known, holders), (other, others)| {
        other.len().cmp(&known.len()).then_with(|| holders.cmp(others))
    });
    let mut groups: Vec<Vec<CharacterId>> = groups.into_iter().map(|(_, holders)| holders).collect();
    if groups.len() > MOST_GROUPS {
        let mut least: Vec<CharacterId> = groups.drain(MOST_GROUPS - 1..).flatten().collect();
        least.sort();
        groups.push(least);
    }
    groups
}

/// Rounds are what is asked about.
fn is_told(held: &Held) -> bool {
    held.is_valid() && held.memory.origin != Origin::Round
}

/// What all of them can recall, the newest first: what one alone knows is not told to the others' memory.
pub(super) fn shared_by_all(known: &HashMap<CharacterId, Vec<Held>>) -> Vec<&Held> {
    let mut lists: Vec<&Vec<Held>> = known.values().collect();
    lists.sort_by_key(|list| list.len());
    let Some((first, others)) = lists.split_first() else { return Vec::new() };
    let knows =
        |list: &Vec<Held>, id: MemoryId| list.iter().any(|held| held.memory.id == id && held.is_valid());
    let mut shared: Vec<&Held> = first
        .iter()
        .filter(|held| is_told(held))
        .filter(|held| others.iter().all(|list| knows(list, held.memory.id)))
        .collect();
    shared.sort_by_key(|held| std::cmp::Reverse(held.memory.id));
    shared.truncate(KNOWN);
    shared
}
