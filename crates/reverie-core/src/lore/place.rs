//! Where in the prompt does active lore stand?

use std::collections::HashMap;

use super::entry::Position;
use super::scan::Active;
use crate::perspective::Role;

/// Entries that stand together.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot<'a> {
    pub position: Position,
    /// For [`Position::AtDepth`]: messages that follow.
    pub depth: Option<u32>,
    pub role: Option<Role>,
    /// For [`Position::Outlet`].
    pub outlet: Option<&'a str>,
    /// As they stand in the prompt; those of the greatest order last, in an outlet first.
    pub entries: Vec<&'a Active>,
}

/// Slots in the order of positions; at depth, those with the entry of the greatest order first.
pub fn place(active: &[Active]) -> Vec<Slot<'_>> {
    let nowhere = |active: &Active| {
        active.content.is_empty() || (active.position == Position::Outlet && active.outlet.is_empty())
    };
    let mut sorted: Vec<&Active> = active.iter().filter(|active| !nowhere(active)).collect();
    sorted.sort_by_key(|active| std::cmp::Reverse(active.order));
    let mut slots: Vec<Slot<'_>> = Vec::new();
    let mut known = HashMap::new();
    for active in sorted {
        let at_depth = active.position == Position::AtDepth;
        let depth = at_depth.then_some(active.depth);
        let role = at_depth.then_some(active.role);
        let outlet = (active.position == Position::Outlet).then_some(active.outlet.as_str());
        let index = *known.entry((active.position, depth, role, outlet)).or_insert(slots.len());
        match slots.get_mut(index) {
            Some(slot) => slot.entries.push(active),
            None => {
                slots.push(Slot { position: active.position, depth, role, outlet, entries: vec![active] })
            }
        }
    }
    let upwards = |slot: &&mut Slot<'_>| slot.position != Position::Outlet;
    slots.iter_mut().filter(upwards).for_each(|slot| slot.entries.reverse());
    slots.sort_by_key(|slot| slot.position);
    slots
}
