//! Where in the prompt does active lore stand?

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
    for active in sorted {
        let at_depth = active.position == Position::AtDepth;
        let slot = Slot {
            position: active.position,
            depth: at_depth.then_some(active.depth),
            role: at_depth.then_some(active.role),
            outlet: (active.position == Position::Outlet).then_some(active.outlet.as_str()),
            entries: vec![active],
        };
        match slots.iter_mut().find(|known| known.is_same_place(&slot)) {
            Some(known) => known.entries.push(active),
            None => slots.push(slot),
        }
    }
    let upwards = |slot: &&mut Slot<'_>| slot.position != Position::Outlet;
    slots.iter_mut().filter(upwards).for_each(|slot| slot.entries.reverse());
    slots.sort_by_key(|slot| slot.position);
    slots
}

impl Slot<'_> {
    fn is_same_place(&self, other: &Self) -> bool {
        (self.position, self.depth, self.role, self.outlet)
            == (other.position, other.depth, other.role, other.outlet)
    }
}
