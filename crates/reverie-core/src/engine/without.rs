//! What of a prompt can be made while the store is away, and what is said about it?
//!
//! A chat must not stop for its memory. A host that says what was just said, or brings its own history, gets its prompt, made of what
//! it brought and of the defaults; whatever else needs the store is refused clearly.

use std::collections::BTreeMap;

use super::{Degraded, Engine};
use crate::compose::{Composed, With, compose};
use crate::cue::{Cue, Recall};
use crate::id::WorldId;
use crate::names::CalledBesides;
use crate::recall_id::RecallId;
use crate::settings::{Pairs, Preset, WorldSettings};
use crate::store::{Gathered, Place};
use crate::world::World;
use crate::{Code, Error, Result};

impl Engine {
    pub(super) fn recall_without_memory(&self, world: &WorldId, cue: &Cue, error: &Error) -> Result<Recall> {
        let mut settings =
            WorldSettings::for_one_prompt(Preset::default(), &Pairs::default(), &cue.settings)?;
        settings.budget = settings.budget.min(self.limits.budget);
        let Composed { mut recall, .. } =
            compose(&nothing(world), cue, &settings, With::default(), self.now_ms())?;
        let id = RecallId {
            world: world.as_str().to_owned(),
            conversation: match &cue.place {
                Place::Conversation(id) if cue.history.is_none() => id.as_str().to_owned(),
                _ => String::new(),
            },
            head: None,
            step: Default::default(),
            memories: Vec::new(),
        };
        recall.id = id.encode();
        recall.degraded.push(Degraded {
            code: "memory_unavailable",
            message: format!(
                "made of what the request brought along and of default settings alone: {}",
                error.message()
            ),
            hint: error.hint_text().unwrap_or("see /health for what is wrong with the store").to_owned(),
        });
        Ok(recall)
    }

    /// What is said while the store can only be read.
    pub(super) fn only_read(&self) -> Option<Degraded> {
        self.store.trouble().map(|error| Degraded {
            code: "memory_read_only",
            message: format!("nothing can be recorded or remembered for now: {}", error.message()),
            hint: error.hint_text().unwrap_or("see /health for what is wrong with the store").to_owned(),
        })
    }
}

/// Is there anything to answer to?
pub(super) fn can_go_on(cue: &Cue) -> bool {
    cue.message.is_some() || cue.history.is_some()
}

/// The store is away, or cannot be read; what is missing or wrong in the request is another matter.
pub(super) fn is_away(error: &Error) -> bool {
    matches!(error.code(), Code::Unavailable | Code::Corrupt)
}

/// A world of which nothing is known.
fn nothing(world: &WorldId) -> Gathered {
    Gathered {
        world: World {
            id: world.clone(),
            preset: Preset::default(),
            settings: Pairs::default(),
            revision: 0,
            time: None,
            forked_from: None,
            created_ms: 0,
        },
        character: None,
        conversation: None,
        people: Vec::new(),
        earlier_system: Vec::new(),
        window: Vec::new(),
        window_is_cut: false,
        background: Vec::new(),
        also: Vec::new(),
        books: Vec::new(),
        missing_books: Vec::new(),
        lore_timers: None,
        remembered_through: None,
        unremembered: Vec::new(),
        elsewhere: Vec::new(),
        decided: BTreeMap::new(),
        names: CalledBesides::default(),
        minds: Vec::new(),
        voiced: Vec::new(),
        strangers: Vec::new(),
        path_lines: 0,
    }
}
