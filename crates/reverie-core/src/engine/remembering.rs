//! How are memories read, written by hand, pinned, reworded, forgotten and brought back?

use super::{Engine, Listed, Written};
use crate::admit::check_share;
use crate::character::{CharacterPatch, Who};
use crate::digest::importance_of_event;
use crate::fingerprint::fingerprint_of_key;
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::layers::{Now, Standing, standings};
use crate::line::{check_tick, check_wall_ms};
use crate::memories::{Commit, Committed, Effect, Guard, HeldQuery, NewMemory, Which, WhichHeld};
use crate::memory::{Held, Kind, Layer, Origin, State};
use crate::settings::WorldSettings;
use crate::time::Tick;
use crate::words::keywords;
use crate::{Error, Result};

/// Something to remember that no line says: a host's event, or a memory written by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Remember {
    pub text: String,
    /// Who saw it, or has it in mind.
    pub holders: Vec<Who>,
    /// None: those who hold it.
    pub about: Option<Vec<Who>>,
    pub kind: Kind,
    /// None: by rules.
    pub importance: Option<f64>,
    /// None: those that the text shows.
    pub keywords: Option<Vec<String>>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    /// None: now.
    pub tick: Option<Tick>,
    pub wall_ms: Option<i64>,
    pub pinned: bool,
    pub shareable: bool,
    /// Makes a retry safe.
    pub key: Option<String>,
}

/// What to change about a memory for one who has it; None leaves a thing as it is, Some(None) gives it back its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryPatch {
    pub text: Option<Option<String>>,
    pub importance: Option<Option<f64>>,
    pub pinned: Option<bool>,
    pub shareable: Option<bool>,
    pub forgotten: Option<bool>,
}

/// A memory as one has it, and how it stands among the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    pub held: Held,
    /// Of what cannot be recalled now there is no standing.
    pub standing: Option<Standing>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MemoriesQuery {
    pub holder: CharacterId,
    pub kinds: Vec<Kind>,
    pub layers: Vec<Layer>,
    pub about: Vec<CharacterId>,
    /// Also what cannot be recalled now: off the path, forgotten, superseded.
    pub all: bool,
    pub after: Option<MemoryId>,
    pub newest_first: bool,
    pub limit: usize,
}

/// What a weight is where nobody says, of memories written by hand.
const HAND_IMPORTANCE: f64 = 0.7;
const KEYWORDS: usize = 16;
/// A page of memories when all of a holder's are read.
const PAGE: usize = 1000;
/// How often a change is tried again when others change the same memory.
const TRIES: usize = 20;

impl Engine {
    /// Something happened, and these saw it: it becomes a situational memory of theirs.
    pub fn event(&self, world: &WorldId, event: Remember) -> Result<Written<Vec<Held>>> {
        self.write_down(world, event, Origin::Event)
    }

    /// A memory written by hand.
    pub fn remember(&self, world: &WorldId, remember: Remember) -> Result<Written<Vec<Held>>> {
        self.write_down(world, remember, Origin::Hand)
    }

    fn write_down(&self, world: &WorldId, mut new: Remember, origin: Origin) -> Result<Written<Vec<Held>>> {
        let replaced = self.admit_memory(&mut new)?;
        let holders = self.people(world, &new.holders)?;
        if holders.is_empty() {
            return Err(Error::invalid("nobody would have this memory").hint("name at least one witness"));
        }
        let mut about = match &new.about {
            Some(about) => self.people(world, about)?,
            None => holders.clone(),
        };
        about.sort();
        let now = self.world(world)?;
        let tick = new.tick.or(now.time);
        let names = self.names(world, about.iter().cloned())?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let importance = new.importance.unwrap_or_else(|| match origin {
            Origin::Event => importance_of_event(&new.text, !new.emotions.is_empty(), holders.len()),
            _ => HAND_IMPORTANCE,
        });
        let layer = (new.kind == Kind::Episodic).then_some(Layer::Situational);
        let state = State { pinned: new.pinned, shareable: new.shareable, ..State::new(layer, tick) };
        let memory = NewMemory {
            fingerprint: new
                .key
                .as_deref()
                .map(|key| fingerprint_of_key(origin, &scoped(key, origin, &holders))),
            kind: new.kind,
            origin,
            keywords: new.keywords.unwrap_or_else(|| keywords([new.text.as_str()], &names, KEYWORDS)),
            text: new.text,
            sources: Vec::new(),
            from: Vec::new(),
            about,
            importance,
            topics: new.topics,
            emotions: new.emotions,
            tick,
            wall_ms: new.wall_ms.unwrap_or_else(|| self.now_ms()),
            model: None,
            holders: holders.into_iter().map(|holder| (holder, state.clone())).collect(),
        };
        let commit = Commit { guards: Vec::new(), effects: vec![Effect::Remember(memory)] };
        let before = now.revision;
        let Committed::Done { memories, .. } = self.store.commit(world, &commit)? else {
            return Err(Error::conflict("the world changed meanwhile").hint("send it again"));
        };
        self.sum_up_anew(world);
        let made = memories.first().map(|id| self.holdings(world, *id)).transpose()?;
        let value = made.unwrap_or_default();
        let created = value.iter().any(|held| held.memory.revision > before);
        Ok(Written { value, created, replaced })
    }

    /// Changes what a memory is to one holder, or to all who have it.
    pub fn change_memory(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
        mut patch: MemoryPatch,
    ) -> Result<Written<Vec<Held>>> {
        let mut replaced = 0;
        if let Some(Some(text)) = &mut patch.text {
            replaced = self.limits.admit_memory_text(text)?;
        }
        patch.importance.flatten().map(|share| check_share("importance", share)).transpose()?;
        let now_ms = self.now_ms();
        self.change(world, memory, holder, |held, time| patched(held, &patch, time, now_ms))?;
        if let Some(forgotten) = patch.forgotten {
            self.forget_what_was_said_before(world, memory, holder, forgotten)?;
        }
        let mut value = self.holdings(world, memory)?;
        value.retain(|held| holder.is_none_or(|holder| held.holder == *holder));
        Ok(Written { value, created: false, replaced })
    }

    /// What a memory took the place of must not come back when that memory is forgotten, and comes back with it.
    fn forget_what_was_said_before(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
        forgotten: bool,
    ) -> Result<()> {
        for held in self.holdings(world, memory)? {
            if holder.is_some_and(|holder| held.holder != *holder) {
                continue;
            }
            let all = self.all_of(world, &held.holder, true)?;
            let mut newer = vec![memory];
            while let Some(newest) = newer.pop() {
                let older = all.iter().filter(|held| held.state.superseded_by == Some(newest));
                for older in older.filter(|held| held.state.forgotten != forgotten) {
                    newer.push(older.memory.id);
                    let forget = |held: &Held, _| State { forgotten, ..held.state.clone() };
                    self.change(world, older.memory.id, Some(&held.holder), forget)?;
                }
            }
        }
        Ok(())
    }

    /// Gives a memory the state that it had before its last change, or at a revision.
    pub fn undo_memory(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
        revision: Option<u64>,
    ) -> Result<Held> {
        let states = self.store.states(world, memory, holder)?;
        let before = match revision {
            Some(revision) => states.iter().rev().find(|(at, _)| *at <= revision),
            None => states.iter().rev().nth(1),
        };
        let state = before.and_then(|(_, state)| state.clone()).ok_or_else(|| {
            Error::conflict("there is nothing to go back to").hint(
                "GET …/memories/{memory}/history lists the states that it had, and the revision of each",
            )
        })?;
        self.change(world, memory, Some(holder), |_, _| state.clone())?;
        let held = self.holdings(world, memory)?.into_iter().find(|held| held.holder == *holder);
        held.ok_or_else(|| no_memory(memory))
    }

    /// Every state that a memory had for a holder, oldest first, each with the revision that gave it.
    pub fn memory_history(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        let states = self.store.states(world, memory, holder)?;
        if states.is_empty() { Err(no_memory(memory)) } else { Ok(states) }
    }

    /// A memory, for each who has it.
    pub fn memory(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        self.holdings(world, memory)
    }

    /// The memories of a character, and how they stand to each other.
    pub fn memories(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Listed<Remembered>> {
        self.check_page(query.limit)?;
        let which = match query.about.is_empty() {
            true => WhichHeld::Any,
            false => WhichHeld::About(query.about.clone()),
        };
        let found = self.store.held(
            world,
            &HeldQuery {
                kinds: query.kinds.clone(),
                layers: query.layers.clone(),
                all: query.all,
                after: query.after.map(|after| (after, query.holder.clone())),
                newest_first: query.newest_first,
                limit: query.limit + 1,
                ..HeldQuery::of(Some(&query.holder), which)
            },
        )?;
        let listed = Listed::of(found, query.limit);
        let all = self.all_held(world, &query.holder)?;
        let standings = self.standings(world, &all)?;
        let standing = |held: &Held| {
            let place = all.binary_search_by_key(&held.memory.id, |held| held.memory.id).ok()?;
            standings.get(place).copied()
        };
        let items =
            listed.items.into_iter().map(|held| Remembered { standing: standing(&held), held }).collect();
        Ok(Listed { items, has_more: listed.has_more })
    }

    /// All that a holder can recall, in the order of ids.
    pub(super) fn all_held(&self, world: &WorldId, holder: &CharacterId) -> Result<Vec<Held>> {
        self.all_of(world, holder, false)
    }

    /// `all`: also what is in no view now.
    fn all_of(&self, world: &WorldId, holder: &CharacterId, all: bool) -> Result<Vec<Held>> {
        let mut found: Vec<Held> = Vec::new();
        loop {
            let after = found.last().map(Held::place);
            let query = HeldQuery { after, all, limit: PAGE, ..HeldQuery::of(Some(holder), WhichHeld::Any) };
            let page = self.store.held(world, &query)?;
            let is_last = page.len() < PAGE;
            found.extend(page);
            if is_last {
                return Ok(found);
            }
        }
    }

    pub(super) fn standings(&self, world: &WorldId, held: &[Held]) -> Result<Vec<Standing>> {
        let world = self.world(world)?;
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), world.time, self.now_ms());
        Ok(standings(held, &settings.layers, &now))
    }

    fn change(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
        change: impl Fn(&Held, Option<Tick>) -> State,
    ) -> Result<()> {
        for _ in 0..TRIES {
            let time = self.world(world)?.time;
            let mut commit = Commit::default();
            let held = self.holdings(world, memory)?;
            let these = held.iter().filter(|held| holder.is_none_or(|holder| held.holder == *holder));
            for held in these {
                let holder = held.holder.clone();
                commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
                commit.effects.push(Effect::State {
                    memory: Which::Known(memory),
                    holder,
                    state: Box::new(change(held, time)),
                    summarised_by: None,
                    superseded_by: None,
                });
            }
            if commit.effects.is_empty() {
                return Err(no_memory(memory));
            }
            if self.store.commit(world, &commit)? != Committed::Stale {
                // A summary of what is forgotten, or comes back, is none any more.
                self.sum_up_anew(world);
                return Ok(());
            }
        }
        Err(Error::conflict("others keep changing this memory").hint("try again"))
    }

    fn holdings(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        let query =
            HeldQuery { all: true, limit: self.limits.people, ..HeldQuery::of(None, WhichHeld::One(memory)) };
        let held = self.store.held(world, &query)?;
        if held.is_empty() { Err(no_memory(memory)) } else { Ok(held) }
    }

    /// Whoever is meant; created on first mention. Each once, in order.
    fn people(&self, world: &WorldId, people: &[Who]) -> Result<Vec<CharacterId>> {
        let mut ids = Vec::new();
        for who in people {
            let (character, _) = self.store.put_character(world, who, &CharacterPatch::default())?;
            if !ids.contains(&character.id) {
                ids.push(character.id);
            }
        }
        Ok(ids)
    }

    fn admit_memory(&self, new: &mut Remember) -> Result<usize> {
        let mut replaced = self.limits.admit_memory_text(&mut new.text)?;
        if new.text.trim().is_empty() {
            return Err(Error::invalid("a memory needs a text").hint("say in `text` what is remembered"));
        }
        replaced += self.limits.admit_people(&mut new.holders)?;
        if let Some(about) = &mut new.about {
            replaced += self.limits.admit_people(about)?;
        }
        let keywords = new.keywords.as_mut();
        for words in [Some(&mut new.topics), Some(&mut new.emotions), keywords].into_iter().flatten() {
            replaced += self.limits.admit_words(words)?;
        }
        new.importance.map(|share| check_share("importance", share)).transpose()?;
        new.tick.map(check_tick).transpose()?;
        new.wall_ms.map(check_wall_ms).transpose()?;
        new.key.as_deref().map(|key| self.limits.check_key(key)).transpose()?;
        Ok(replaced)
    }
}

/// An event's key is the world's; what is written by hand is its holder's, so that others may use the same key.
fn scoped(key: &str, origin: Origin, holders: &[CharacterId]) -> String {
    let holders = holders.iter().filter(|_| origin == Origin::Hand).map(CharacterId::as_str);
    holders.chain([key]).collect::<Vec<_>>().join("\n")
}

/// `time` is the world's, `now_ms` the wall clock's.
fn patched(held: &Held, patch: &MemoryPatch, time: Option<Tick>, now_ms: i64) -> State {
    let mut state = held.state.clone();
    if let Some(text) = &patch.text {
        state.text = text.clone().filter(|text| !text.trim().is_empty() && *text != held.memory.text);
    }
    if let Some(importance) = patch.importance {
        state.importance = importance;
    }
    if let Some(shareable) = patch.shareable {
        state.shareable = shareable;
    }
    if let Some(forgotten) = patch.forgotten {
        state.forgotten = forgotten;
    }
    if let Some(pinned) = patch.pinned.filter(|pinned| *pinned != state.pinned) {
        state.pinned = pinned;
        // It begins to fade when it is let go.
        state.since = time.or(state.since);
        state.since_ms = Some(now_ms);
        if pinned && state.layer == Some(Layer::Active) {
            state.layer = Some(Layer::Situational);
        }
    }
    state
}

fn no_memory(memory: MemoryId) -> Error {
    Error::not_found(format!("there is no memory {memory}")).hint("GET …/memories lists them")
}
