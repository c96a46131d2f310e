//! How does a store behave, written down as plainly as possible?
//!
//! A second implementation of [`Store`] for comparing with: everything in memory, nothing indexed, nothing derived and
//! kept. What a checkpoint can bring back is cloned whole after every commit, so restoring is taking a clone.

mod along;
mod commit;
mod erase;
mod export;
mod graft;
mod held;
mod import;
mod jobs;
mod keepsakes;
mod library;
mod minds;
mod people;
mod read;
mod rebuild;
mod remembered;
mod remembering;
mod rounds;
mod sharing;
mod stale;
mod standing;
mod vectors;
mod waiting;
mod world;
mod write;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reverie_core::character::{CharacterPatch, Who};
use reverie_core::conversation::{
    Append, AppendKey, Appended, Attach, ExpectedHead, Graft, Grafted, HeadTarget, LinesQuery,
    OpenConversation,
};
use reverie_core::history::{History, HistoryQuery};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::record::Record;
use reverie_core::settings::Pairs;
use reverie_core::store::{Counts, Erase, Gather, Gathered, LinePatch, Select, TimersAt};
use reverie_core::world::{Checkpoint, WorldPatch};
use reverie_core::{
    Character, CheckpointId, Conversation, ConversationId, Error, Line, LineId, Result, Store, World, WorldId,
};

use library::Shelf;
use world::ModelWorld;

#[derive(Default)]
pub struct ModelStore {
    worlds: Mutex<BTreeMap<WorldId, ModelWorld>>,
    shelf: Mutex<Shelf>,
    /// Tokens by hour.
    spent: Mutex<BTreeMap<i64, u64>>,
}

impl ModelStore {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<WorldId, ModelWorld>> {
        self.worlds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, id: &WorldId, view: impl FnOnce(&ModelWorld) -> Result<T>) -> Result<T> {
        view(self.lock().get(id).ok_or_else(no_world)?)
    }

    /// Changes a copy and keeps it only if that went well. Whatever changed is one new revision.
    fn write<C, T>(
        &self,
        id: &WorldId,
        change: impl FnOnce(&mut ModelWorld) -> Result<C>,
        view: impl FnOnce(&ModelWorld, C) -> Result<T>,
    ) -> Result<T> {
        let mut worlds = self.lock();
        let world = worlds.get_mut(id).ok_or_else(no_world)?;
        let mut copy = world.clone();
        let changed = change(&mut copy)?;
        copy.met.clear();
        if copy != *world && copy.revision == world.revision {
            copy.commit();
        }
        let seen = view(&copy, changed)?;
        *world = copy;
        Ok(seen)
    }
}

impl Store for ModelStore {
    fn put_world(&self, id: &WorldId, patch: &WorldPatch, now_ms: i64) -> Result<(World, bool)> {
        if !self.lock().contains_key(id) {
            let world =
                ModelWorld::new(id, patch.preset.unwrap_or_default(), patched(Pairs::new(), patch), now_ms)?;
            let seen = world.view();
            self.lock().insert(id.clone(), world);
            return Ok((seen, true));
        }
        self.write(id, |world| world.put_settings(patch), |world, ()| Ok((world.view(), false)))
    }

    fn worlds(&self, select: &Select) -> Result<Vec<World>> {
        let worlds = self.lock().values().map(ModelWorld::view).collect();
        Ok(selected(worlds, select, |world| world.id.as_str()))
    }

    fn put_character(&self, world: &WorldId, who: &Who, patch: &CharacterPatch) -> Result<(Character, bool)> {
        self.write(
            world,
            |world| world.put_person(who, patch),
            |world, (person, created)| Ok((world.character(person), created)),
        )
    }

    fn characters(&self, world: &WorldId, select: &Select) -> Result<Vec<Character>> {
        self.read(world, |world| {
            let known: Vec<usize> = match select {
                Select::One(_) => {
                    (0..world.people.len()).filter(|person| !world.person(*person).erased).collect()
                }
                Select::Page { .. } => world.people_there().collect(),
            };
            let known = known.into_iter().map(|person| world.character(person)).collect();
            Ok(selected(known, select, |c| c.id.as_str()))
        })
    }

    fn open_conversation(&self, world: &WorldId, open: &OpenConversation) -> Result<(Conversation, bool)> {
        self.write(
            world,
            |world| world.open(open),
            |world, (room, opened)| Ok((world.conversation(room), opened)),
        )
    }

    fn name_conversation(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        name: &str,
    ) -> Result<Conversation> {
        self.write(
            world,
            |world| world.name_room(conversation, name),
            |world, room| Ok(world.conversation(room)),
        )
    }

    fn conversations(&self, world: &WorldId, select: &Select) -> Result<Vec<Conversation>> {
        self.read(world, |world| {
            let all: Vec<usize> = match select {
                Select::One(_) => (0..world.rooms.len()).collect(),
                Select::Page { .. } => world.rooms_there().collect(),
            };
            let all = all.into_iter().map(|room| world.conversation(room)).collect();
            Ok(selected(all, select, |conversation| conversation.id.as_str()))
        })
    }

    fn latest_conversations(
        &self,
        world: &WorldId,
        behind: Option<(Option<LineId>, &ConversationId)>,
        limit: usize,
    ) -> Result<Vec<Conversation>> {
        self.read(world, |world| {
            let mut all: Vec<_> = world.rooms_there().map(|room| world.conversation(room)).collect();
            all.sort_by(|a, b| b.head.cmp(&a.head).then_with(|| a.id.cmp(&b.id)));
            all.retain(|one| {
                behind.is_none_or(|(head, id)| one.head < head || (one.head == head && one.id > *id))
            });
            all.truncate(limit);
            Ok(all)
        })
    }

    fn set_present(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        present: &[Who],
        expected_head: ExpectedHead,
    ) -> Result<Conversation> {
        self.write(
            world,
            |world| world.set_present(conversation, present, expected_head),
            |world, room| Ok(world.conversation(room)),
        )
    }

    fn move_head(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        target: HeadTarget,
        expected_head: ExpectedHead,
    ) -> Result<Conversation> {
        self.write(
            world,
            |world| world.move_head(conversation, target, expected_head),
            |world, room| Ok(world.conversation(room)),
        )
    }

    fn append(&self, world: &WorldId, conversation: &ConversationId, append: Append) -> Result<Appended> {
        self.write(
            world,
            |world| world.append(conversation, &append),
            |world, written| Ok(world.appended(&written)),
        )
    }

    fn graft(&self, world: &WorldId, conversation: &ConversationId, graft: Graft) -> Result<Grafted> {
        self.write(world, |world| world.graft(conversation, graft), |_, grafted| Ok(grafted))
    }

    fn revise(&self, world: &WorldId, line: LineId, patch: &LinePatch) -> Result<Line> {
        self.write(
            world,
            |world| world.revise(line.get(), patch),
            |world, ()| world.line(line.get()).ok_or_else(|| no_line(line.get())),
        )
    }

    fn lines(&self, world: &WorldId, conversation: &ConversationId, query: &LinesQuery) -> Result<Vec<Line>> {
        self.read(world, |world| world.lines(conversation, query))
    }

    fn erased_host_ids(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        host_ids: &[String],
    ) -> Result<Vec<String>> {
        self.read(world, |world| {
            let room = world.room(conversation)?;
            let is_erased = |host_id: &&String| {
                let AppendKey { key, digest } = AppendKey::of_erased(host_id);
                world.keys.get(&(room, key)).is_some_and(|mark| mark.digest == digest)
            };
            Ok(host_ids.iter().filter(is_erased).cloned().collect())
        })
    }

    fn put_keepsakes(&self, world: &WorldId, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize> {
        self.write(world, |world| world.put_keepsakes(keepsakes), |_, changed| Ok(changed))
    }

    fn keepsakes(&self, world: &WorldId, of: Option<&ConversationId>) -> Result<Vec<Keepsake>> {
        self.read(world, |world| world.keepsakes(of))
    }

    fn kept(&self, world: &WorldId, of: &[KeptFor]) -> Result<Vec<Keepsake>> {
        self.read(world, |world| Ok(world.kept(of)))
    }

    fn line(&self, world: &WorldId, line: LineId) -> Result<Line> {
        self.read(world, |world| world.line(line.get()).ok_or_else(|| no_line(line.get())))
    }

    fn words_of(&self, world: &WorldId, lines: &[LineId]) -> Result<Vec<(LineId, String)>> {
        self.read(world, |world| {
            let words = lines.iter().filter_map(|id| Some((*id, world.line(id.get())?.wording.content)));
            Ok(words.collect())
        })
    }

    fn timers_at(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        attach: Attach,
        through: Option<LineId>,
    ) -> Result<TimersAt> {
        self.read(world, |world| world.timers_at(world.room(conversation)?, attach, through))
    }

    fn history(&self, world: &WorldId, query: &HistoryQuery) -> Result<History> {
        self.read(world, |world| world.history(query))
    }

    fn gather(&self, world: &WorldId, gather: &Gather) -> Result<Gathered> {
        let gathered = self.read(world, |world| match gather.as_of {
            None => world.gather(gather),
            Some(revision) => world.gather_as_of(gather, revision),
        })?;
        let (books, missing_books) = self.books(world, &gathered)?;
        Ok(Gathered { books, missing_books, ..gathered })
    }

    fn counts(&self, world: &WorldId) -> Result<Counts> {
        self.read(world, |world| Ok(world.counts()))
    }

    fn put_checkpoint(&self, world: &WorldId, id: &CheckpointId, now_ms: i64) -> Result<(Checkpoint, bool)> {
        let mut worlds = self.lock();
        let world = worlds.get_mut(world).ok_or_else(no_world)?;
        let checkpoint =
            Checkpoint { id: id.clone(), revision: world.revision, time: world.time(), created_ms: now_ms };
        let old = world.checkpoints.insert(id.clone(), checkpoint.clone());
        Ok((checkpoint, old.is_none()))
    }

    fn checkpoints(&self, world: &WorldId, select: &Select) -> Result<Vec<Checkpoint>> {
        self.read(world, |world| {
            Ok(selected(world.checkpoints.values().cloned().collect(), select, |c| c.id.as_str()))
        })
    }

    fn restore(&self, world: &WorldId, checkpoint: &CheckpointId) -> Result<World> {
        self.write(world, |world| world.restore(checkpoint), |world, ()| Ok(world.view()))
    }

    fn erase(&self, world: &WorldId, what: &Erase) -> Result<()> {
        match what {
            Erase::World => self.lock().remove(world).map(|_| ()).ok_or_else(no_world),
            Erase::Checkpoint(id) => {
                let mut worlds = self.lock();
                let world = worlds.get_mut(world).ok_or_else(no_world)?;
                world.checkpoints.remove(id).map(|_| ()).ok_or_else(|| no_checkpoint(id))
            }
            Erase::Line(line) => self.write(world, |world| world.erase_line(line.get()), |_, ()| Ok(())),
            Erase::Character(id) => self.write(world, |world| world.erase_person(id), |_, ()| Ok(())),
        }
    }

    fn export(
        &self,
        world: &WorldId,
        checkpoint: Option<&CheckpointId>,
        sink: &mut dyn FnMut(Record) -> Result<()>,
    ) -> Result<()> {
        self.records(world, checkpoint)?.into_iter().try_for_each(sink)
    }

    fn import(&self, id: &WorldId, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<World> {
        if self.lock().contains_key(id) {
            return Err(Error::conflict("the world exists already"));
        }
        let (mut world, books) = ModelWorld::from_records(id, records)?;
        let mut worlds = self.lock();
        let Entry::Vacant(place) = worlds.entry(id.clone()) else {
            return Err(Error::conflict("the world exists by now"));
        };
        self.settle(&mut world, books)?;
        Ok(place.insert(world).view())
    }

    fn fork(
        &self,
        from: &WorldId,
        to: &WorldId,
        checkpoint: Option<&CheckpointId>,
        now_ms: i64,
    ) -> Result<World> {
        let records = self.records(from, checkpoint)?;
        self.import(to, &mut records.into_iter().map(|record| Ok(record.forked(from, now_ms))))
    }
}

fn selected<T>(mut all: Vec<T>, select: &Select, id: impl Fn(&T) -> &str) -> Vec<T> {
    all.sort_by(|a, b| id(a).cmp(id(b)));
    match select {
        Select::One(wanted) => all.into_iter().filter(|one| id(one) == wanted).collect(),
        Select::Page { after, limit } => {
            let after = after.as_deref().unwrap_or("");
            all.into_iter().filter(|one| id(one) > after).take(*limit).collect()
        }
    }
}

/// An empty value takes a setting away.
fn patched(pairs: Pairs, patch: &WorldPatch) -> Pairs {
    reverie_core::settings::patched(pairs, &patch.settings)
}

fn no_world() -> Error {
    Error::not_found("there is no such world")
}

fn no_line(number: u64) -> Error {
    Error::not_found(format!("there is no line {number}"))
}

fn no_checkpoint(id: &CheckpointId) -> Error {
    Error::not_found(format!("there is no checkpoint {id:?}"))
}
