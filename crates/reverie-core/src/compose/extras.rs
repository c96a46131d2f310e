//! What enters the prompt beside persona and history, as far as the budget lets it in?

use std::collections::BTreeSet;

use super::lore::{Chosen, Part};
use super::prompt::Piece;
use super::{reference, text};
use crate::cue::{Cue, LeftOut, Position, Reason};
use crate::id::LineId;
use crate::settings::WorldSettings;
use crate::store::Gathered;

/// The parts beside persona and history, ready to be placed.
#[derive(Default)]
pub(super) struct Extras {
    pub(super) background: Option<Piece>,
    pub(super) granted: Option<Piece>,
    /// Scene and other data, lore, and memories where they stand with them.
    pub(super) volatile: Option<Piece>,
    /// Memories in a message of their own before what was said last.
    pub(super) remembered: Option<Piece>,
    /// Memories so many messages before the end.
    pub(super) deep: Option<(usize, Piece)>,
}

impl Extras {
    /// Scene first, then other data, quoted conversations, background. `room` is what persona and newest message leave
    /// of the budget.
    pub(super) fn choose(
        gathered: &Gathered,
        cue: &Cue,
        settings: &WorldSettings,
        budget: usize,
        room: usize,
        lore: &Chosen,
    ) -> (Self, Vec<LeftOut>) {
        let mut left_out = Vec::new();
        let volatile = volatile(cue, settings, room, lore.triggered(), &mut left_out);
        let mut room = room - volatile.as_ref().map_or(0, Piece::cost);
        let share = budget.saturating_mul(settings.background_percent) / 100;
        let labels = text::labels(settings.language);
        let mut quote = |label, lines, position| {
            let (quoted, cut) = reference::write(label, lines, position, settings, share.min(room));
            room -= quoted.as_ref().map_or(0, Piece::cost);
            left_out.extend((!cut.is_empty()).then(|| over_budget(position, cut)));
            quoted
        };
        let granted = quote(labels.granted, &gathered.also, Position::Granted);
        let background = quote(labels.background, &gathered.background, Position::Background);
        (Self { background, granted, volatile, remembered: None, deep: None }, left_out)
    }

    /// The lines of other conversations that are told.
    pub(super) fn quoted(&self) -> BTreeSet<LineId> {
        let told = [&self.background, &self.granted].into_iter().flatten();
        told.flat_map(Piece::sources).copied().collect()
    }

    pub(super) fn volatile_cost(&self) -> usize {
        self.volatile.as_ref().map_or(0, Piece::cost)
    }

    pub(super) fn cost(&self) -> usize {
        [&self.background, &self.granted, &self.volatile].into_iter().flatten().map(Piece::cost).sum()
    }
}

/// One message of what fits, scene first.
fn volatile(
    cue: &Cue,
    settings: &WorldSettings,
    room: usize,
    lore: Vec<Part>,
    left_out: &mut Vec<LeftOut>,
) -> Option<Piece> {
    let counter = settings.counter;
    let part = |position, text: Option<String>| {
        text.map(|text| Part {
            position,
            tokens: counter.count(&text),
            text,
            sources: Vec::new(),
            lore: None,
            memories: Vec::new(),
        })
    };
    let told = [
        part(Position::Scene, text::scene(&cue.scene, settings.language)),
        part(Position::Other, text::other(&cue.other, settings.language)),
    ];
    let mut chosen: Option<Piece> = None;
    let mut parts: Vec<Part> = Vec::new();
    for part in told.into_iter().flatten().chain(lore) {
        let content: Vec<&str> = parts.iter().chain([&part]).map(|part| part.text.as_str()).collect();
        let piece = Piece::system(content.join("\n\n"), part.position, counter);
        if piece.cost() > room {
            let lore = part.lore.map(|lore| lore.entries).unwrap_or_default();
            left_out.push(LeftOut { lore, ..over_budget(part.position, Vec::new()) });
            continue;
        }
        parts.push(part);
        chosen = Some(piece);
    }
    chosen.map(|piece| piece.with_parts(parts))
}

fn over_budget(position: Position, lines: Vec<LineId>) -> LeftOut {
    LeftOut {
        position,
        reason: Reason::Budget,
        lines,
        and_older: false,
        lore: Vec::new(),
        memories: Vec::new(),
    }
}
