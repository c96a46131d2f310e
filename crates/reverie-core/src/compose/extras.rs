//! What enters the prompt beside persona and history, as far as the budget lets it in?

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
    /// Scene and other data.
    pub(super) volatile: Option<Piece>,
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
    ) -> (Self, Vec<LeftOut>) {
        let mut left_out = Vec::new();
        let volatile = volatile(cue, settings, room, &mut left_out);
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
        (Self { background, granted, volatile }, left_out)
    }

    pub(super) fn volatile_cost(&self) -> usize {
        self.volatile.as_ref().map_or(0, Piece::cost)
    }

    pub(super) fn cost(&self) -> usize {
        [&self.background, &self.granted, &self.volatile].into_iter().flatten().map(Piece::cost).sum()
    }
}

/// One message of what fits, scene first.
fn volatile(cue: &Cue, settings: &WorldSettings, room: usize, left_out: &mut Vec<LeftOut>) -> Option<Piece> {
    let counter = settings.counter;
    let texts = [
        (Position::Scene, text::scene(&cue.scene, settings.language)),
        (Position::Other, text::other(&cue.other, settings.language)),
    ];
    let mut chosen: Option<Piece> = None;
    let mut parts: Vec<(Position, String, usize)> = Vec::new();
    for (position, text) in texts {
        let Some(text) = text else { continue };
        let content: Vec<&str> =
            parts.iter().map(|(_, text, _)| text.as_str()).chain([text.as_str()]).collect();
        let piece = Piece::system(content.join("\n\n"), position, counter);
        if piece.cost() > room {
            left_out.push(over_budget(position, Vec::new()));
            continue;
        }
        let tokens = counter.count(&text);
        parts.push((position, text, tokens));
        chosen = Some(piece);
    }
    chosen.map(|piece| piece.with_parts(parts))
}

fn over_budget(position: Position, lines: Vec<LineId>) -> LeftOut {
    LeftOut { position, reason: Reason::Budget, lines, and_older: false }
}
