//! How does anything but a line get into a world? Cleaned and bounded, whoever calls.

use super::{Engine, Written, no_world, one};
use crate::Result;
use crate::admit::Inspection;
use crate::character::{Character, CharacterPatch, Who};
use crate::conversation::{Conversation, ExpectedHead, HeadTarget, OpenConversation};
use crate::id::{CheckpointId, ConversationId, LineId, WorldId};
use crate::keepsake::KeptFor;
use crate::limits::check;
use crate::line::Line;
use crate::record;
use crate::settings::{WorldSettings, patched};
use crate::store::{Erase, LinePatch};
use crate::world::{Checkpoint, World, WorldPatch};

/// The setting that names what compares meanings.
const EMBEDDER: &str = "embedder";

impl Engine {
    /// Creates a world, or changes its settings.
    pub fn put_world(&self, id: &WorldId, mut patch: WorldPatch) -> Result<Written<World>> {
        let replaced = self.limits.admit_pairs(&mut patch.settings)?;
        // A world that came to more under other limits can still be opened as it is.
        if !patch.settings.is_empty() {
            let old = self.store.worlds(&one(id))?.pop();
            let (preset, pairs) = old.map(|world| (world.preset, world.settings)).unwrap_or_default();
            let before = pairs.get(EMBEDDER).cloned();
            let pairs = patched(pairs, &patch.settings);
            check("settings", pairs.len(), self.limits.settings, "limits.settings")?;
            let resolved = WorldSettings::resolve(patch.preset.unwrap_or(preset), &pairs)?;
            self.limits.check_settings(&pairs, &resolved)?;
            // A world that came from a machine with another one keeps its wish, and prompts say that it is not there.
            if before.as_ref() != pairs.get(EMBEDDER) {
                self.meanings.embedders.check(&resolved)?;
            }
        }
        let (value, created) = self.store.put_world(id, &patch, self.now_ms())?;
        self.sum_up_anew(id);
        Ok(Written { value, created, replaced })
    }

    /// Creates a character, or changes what is known of it.
    pub fn put_character(
        &self,
        world: &WorldId,
        mut who: Who,
        mut patch: CharacterPatch,
    ) -> Result<Written<Character>> {
        let replaced = self.limits.admit_character(&mut who, &mut patch)?;
        let (value, created) = self.store.put_character(world, &who, &patch)?;
        Ok(Written { value, created, replaced })
    }

    /// Finds the conversation, or opens it.
    pub fn open_conversation(
        &self,
        world: &WorldId,
        mut open: OpenConversation,
    ) -> Result<Written<Conversation>> {
        let replaced = self.limits.admit_open(&mut open)?;
        let (value, created) = self.store.open_conversation(world, &open)?;
        Ok(Written { value, created, replaced })
    }

    /// Makes a scene of a conversation of a set, so that somebody else can join it.
    pub fn name_conversation(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        name: &str,
    ) -> Result<Conversation> {
        let mut open = OpenConversation { name: Some(name.to_owned()), ..OpenConversation::default() };
        self.limits.admit_open(&mut open)?;
        self.store.name_conversation(world, conversation, open.name.as_deref().unwrap_or_default())
    }

    /// Says who is there from now on. Only scenes have people who come and go.
    pub fn set_present(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        mut present: Vec<Who>,
        expected_head: ExpectedHead,
    ) -> Result<Written<Conversation>> {
        let replaced = self.limits.admit_people(&mut present)?;
        let value = self.store.set_present(world, conversation, &present, expected_head)?;
        Ok(Written { value, created: false, replaced })
    }

    /// Undo, redo, another branch.
    pub fn move_head(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        target: HeadTarget,
        expected_head: ExpectedHead,
    ) -> Result<Conversation> {
        let moved = self.store.move_head(world, conversation, target, expected_head)?;
        self.sum_up_anew(world);
        Ok(moved)
    }

    /// Edits a line, hides it from prompts, or shows it again.
    pub fn revise_line(&self, world: &WorldId, line: LineId, mut patch: LinePatch) -> Result<Written<Line>> {
        let replaced = self.limits.admit_patch(&mut patch)?;
        let value = self.store.revise(world, line, &patch)?;
        self.sum_up_anew(world);
        Ok(Written { value, created: false, replaced })
    }

    /// Keeps what a host's file says of these and means nothing here; None takes it away. How many are other texts than
    /// before.
    pub fn put_keepsakes(&self, world: &WorldId, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize> {
        for (of, text) in keepsakes {
            self.limits.check_keepsake(of, text.as_deref().unwrap_or_default())?;
        }
        self.store.put_keepsakes(world, keepsakes)
    }

    /// Removes for good. What is left of a round is remembered anew, as pinned or forgotten as it was. With a person go their own words,
    /// their memories, and everything derived from what was said before them; the others remember what is left of that anew. Events and
    /// what others wrote by hand stay with the others, word for word.
    pub fn erase(&self, world: &WorldId, what: &Erase) -> Result<()> {
        self.store.erase(world, what)?;
        self.meanings.queries.forget();
        self.minds.forget_questions();
        self.sum_up_anew(world);
        Ok(())
    }

    /// Names the current revision; an id that is in use moves.
    pub fn put_checkpoint(&self, world: &WorldId, id: &CheckpointId) -> Result<Written<Checkpoint>> {
        let (value, created) = self.store.put_checkpoint(world, id, self.now_ms())?;
        Ok(Written { value, created, replaced: 0 })
    }

    /// Begins anew at a checkpoint. Nothing is deleted.
    pub fn restore(&self, world: &WorldId, checkpoint: &CheckpointId) -> Result<World> {
        let restored = self.store.restore(world, checkpoint)?;
        self.sum_up_anew(world);
        Ok(restored)
    }

    /// Makes a new world from the records of an export, all of it or nothing.
    pub fn import(
        &self,
        world: &WorldId,
        records: &mut dyn Iterator<Item = Result<record::Record>>,
    ) -> Result<Written<World>> {
        let mut inspection = Inspection::new(&self.limits);
        let value = self.store.import(world, &mut records.map(|record| inspection.pass(record?)))?;
        Ok(Written { value, created: true, replaced: inspection.replaced() })
    }

    pub(super) fn settings(&self, world: &WorldId) -> Result<WorldSettings> {
        let found = self.store.worlds(&one(world))?.pop().ok_or_else(|| no_world(world))?;
        WorldSettings::resolve(found.preset, &found.settings)
    }
}
