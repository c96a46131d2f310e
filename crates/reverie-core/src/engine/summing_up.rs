//! Which days and eras of a world are over, and are summed up?

use std::collections::BTreeSet;

use super::Engine;
use super::digesting::{Digested, Slice};
use crate::Result;
use crate::digest::{Promotion, STEPS, day, is_over, promotions};
use crate::fail_point::{Step, reach};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::memories::{Commit, Effect, HeldQuery, MemoryOrder, Spot, Which, WhichHeld};
use crate::memory::{Held, Layer};
use crate::settings::WorldSettings;
use crate::store::Select;
use crate::time::Moment;
use crate::world::World;

const CHARACTERS: usize = 64;
/// Memories of one character that are read at a time: few, because each may be long.
const PAGE: usize = 16;
/// What is in mind at once while the days of one character are summed up: so many memories, or so many bytes of text.
const IN_MIND: usize = 10_000;
const IN_MIND_BYTES: usize = 1 << 20;

/// Whose memories are summed up, into what, and when.
struct Of<'a> {
    world: &'a WorldId,
    character: &'a CharacterId,
    layers: &'a [Layer],
    to: Layer,
    settings: &'a WorldSettings,
    now: Moment,
}

impl Engine {
    /// Sums up the days and eras of a world that are over.
    pub(super) fn sum_up(&self, world: &World, slice: &Slice<'_>, done: &mut Digested) -> Result<()> {
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let now = Moment { tick: world.time, wall_ms: Some(self.now_ms()) };
        let today = day(&settings.layers, settings.calendar.as_ref(), now);
        if !settings.digest.enabled || self.is_summed_up(&world.id, today) {
            return Ok(());
        }
        let (begun, mut after) = self.digests().characters.remove(&world.id).unwrap_or_default();
        for (step, (layers, to)) in STEPS.into_iter().enumerate().skip(begun) {
            loop {
                let page = self.store.unsummarised(&world.id, layers, after.as_ref(), CHARACTERS)?;
                for character in &page {
                    let of = Of { world: &world.id, character, layers, to, settings: &settings, now };
                    self.sum_up_character(&of, done)?;
                    if !(slice.go_on)() {
                        done.more = true;
                        let place = (step, Some(character.clone()));
                        self.digests().characters.insert(world.id.clone(), place);
                        return Ok(());
                    }
                }
                after = page.last().cloned();
                if after.is_none() {
                    break;
                }
            }
        }
        self.digests().summed_up.insert(world.id.clone(), today);
        Ok(())
    }

    /// A few days at a time, however much there is. A day that is larger than what can be in mind is told in parts.
    fn sum_up_character(&self, of: &Of<'_>, done: &mut Digested) -> Result<()> {
        let mut in_mind: Vec<Held> = Vec::new();
        let mut after = None;
        loop {
            let is_all = self.read_on(of, &mut after, &mut in_mind)?;
            let mut over =
                promotions(&in_mind, of.to, &of.settings.layers, of.settings.calendar.as_ref(), of.now);
            // More of the last one may follow, if there is room for more.
            let last = over.last().filter(|last| !is_all && !is_full(last.sources.iter().copied()));
            let unfinished: BTreeSet<MemoryId> = last.into_iter().flat_map(Promotion::source_ids).collect();
            if !unfinished.is_empty() {
                over.pop();
            }
            for promotion in &over {
                self.promote(of, promotion, done)?;
            }
            if is_all {
                return Ok(());
            }
            in_mind.retain(|held| unfinished.contains(&held.memory.id));
        }
    }

    /// Reads until there is nothing more, or no more fits; true if that was all.
    fn read_on(
        &self,
        of: &Of<'_>,
        after: &mut Option<(Spot, CharacterId)>,
        in_mind: &mut Vec<Held>,
    ) -> Result<bool> {
        while !is_full(in_mind.iter()) {
            let query = HeldQuery {
                layers: of.layers.to_vec(),
                limit: PAGE,
                after: after.take(),
                ..HeldQuery::of(Some(of.character), WhichHeld::Unsummarised)
            };
            let page = self.store.held(of.world, &query)?;
            let Some(last) = page.last() else { return Ok(true) };
            *after = Some(MemoryOrder::Made.place(last));
            in_mind.extend(page);
        }
        Ok(false)
    }

    fn promote(&self, of: &Of<'_>, promotion: &Promotion<'_>, done: &mut Digested) -> Result<()> {
        let names = self.names(of.world, promotion.about())?;
        let fuller = self.fuller(of, promotion)?;
        let text = promotion.rule_text(&names, of.settings.calendar.as_ref());
        let commit = promotion.commit(of.character, text, fuller);
        reach(Step::SummaryMade);
        let before = done.memories;
        if self.commit(of.world, &commit, done)? {
            reach(Step::SummaryKept);
            done.summaries += done.memories - before;
        } else {
            done.more = true;
        }
        Ok(())
    }

    /// An earlier summary of all that and more, of which a part cannot be recalled now.
    fn fuller(&self, of: &Of<'_>, promotion: &Promotion<'_>) -> Result<Option<MemoryId>> {
        let earlier: BTreeSet<MemoryId> =
            promotion.sources.iter().filter_map(|held| held.state.summarised_by).collect();
        let from = promotion.from();
        for summary in earlier {
            let which = WhichHeld::One(summary);
            let query = HeldQuery { all: true, ..HeldQuery::of(Some(of.character), which) };
            let held = self.store.held(of.world, &query)?.pop();
            if held.is_some_and(|held| from.iter().all(|part| held.memory.from.contains(part))) {
                return Ok(Some(summary));
            }
        }
        Ok(None)
    }

    pub(super) fn names(
        &self,
        world: &WorldId,
        about: impl IntoIterator<Item = CharacterId>,
    ) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for id in about {
            let found = self.store.characters(world, &Select::One(id.to_string()))?.pop();
            names.extend(found.map(|found| found.card.display_name.unwrap_or_else(|| id.to_string())));
        }
        Ok(names)
    }

    fn is_summed_up(&self, world: &WorldId, today: Option<i64>) -> bool {
        self.digests().summed_up.get(world) == Some(&today)
    }

    /// Whether all that a commit does is to remember what is of a day that is not over. Nothing of that can be summed up yet, and
    /// whoever has much to remember of today need not read it after every word.
    pub(super) fn is_of_today(&self, world: &WorldId, commit: &Commit) -> Result<bool> {
        let found = self.store.worlds(&Select::One(world.to_string()))?.pop();
        let Some(found) = found else { return Ok(false) };
        let settings = WorldSettings::resolve(found.preset, &found.settings)?;
        let now = Moment { tick: found.time, wall_ms: Some(self.now_ms()) };
        let is_new = |effect: &Effect| match effect {
            Effect::Remember(new) => {
                let then = Moment { tick: new.tick, wall_ms: Some(new.wall_ms) };
                !is_over(&settings.layers, settings.calendar.as_ref(), then, now)
            }
            Effect::Digested(_) | Effect::Found { .. } | Effect::Job { .. } => true,
            Effect::State { memory, .. } => matches!(memory, Which::New(_)),
            Effect::Lines { .. } => false,
        };
        Ok(commit.effects.iter().all(is_new))
    }

    /// Something changed that may have been summed up, or may have summed up something.
    pub(super) fn sum_up_anew(&self, world: &WorldId) {
        let mut digests = self.digests();
        digests.summed_up.remove(world);
        digests.characters.remove(world);
    }
}

fn is_full<'h>(in_mind: impl Iterator<Item = &'h Held>) -> bool {
    let (memories, bytes) =
        in_mind.fold((0, 0), |(memories, bytes), held| (memories + 1, bytes + held.text().len()));
    memories >= IN_MIND || bytes >= IN_MIND_BYTES
}

impl Held {
    /// Which memory, of whom.
    pub fn place(&self) -> (MemoryId, CharacterId) {
        (self.memory.id, self.holder.clone())
    }
}
