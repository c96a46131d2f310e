//! What of a prompt that Reverie would make belongs into a prompt that a client has made?
//!
//! What the client cannot know: lore and memories. Its history and its persona stay its own; a character's stored persona is used only
//! where the client sends no system message.

use std::borrow::Cow;
use std::collections::BTreeSet;

use reverie_core::Recall;
use reverie_core::cue::{Block, Position};
use reverie_core::lore::entry;
use reverie_formats::completions::{Body, Insert, Late, Place, inject};

/// The request with what was recalled.
pub(super) fn with_memory(body: Cow<'_, Body>, recall: &Recall, late: Late) -> Body {
    let told =
        recall.blocks.iter().filter(|block| matches!(block.position, Position::History | Position::Message));
    let told: BTreeSet<usize> = told.map(|block| block.depth).collect();
    let inserts: Vec<Insert> =
        recall.blocks.iter().filter_map(|block| insert(block, recall, body.has_system(), &told)).collect();
    if inserts.is_empty() {
        return body.into_owned();
    }
    inject(&body, &inserts, late).body
}

/// `told`: the depths of all that was said.
fn insert(block: &Block, recall: &Recall, has_system: bool, told: &BTreeSet<usize>) -> Option<Insert> {
    let place = match block.position {
        Position::Persona if !has_system => Place::System,
        Position::Memory => Place::BeforeNewest,
        Position::Lore => {
            let lore = block.lore.as_ref()?;
            match lore.position {
                entry::Position::Outlet => return None,
                // Between the same messages as recall has put it.
                entry::Position::AtDepth => Place::Depth(told.range(..block.depth).count()),
                _ if lore.constant => Place::System,
                _ => Place::BeforeNewest,
            }
        }
        _ => return None,
    };
    let held = recall.memories.iter().map(|one| &one.considered.note.held);
    let told = held.filter(|held| block.memories.contains(&held.memory.id));
    let items = told.map(|held| held.text().to_owned()).collect();
    Some(Insert { place, role: block.role, text: block.text.clone(), items })
}
