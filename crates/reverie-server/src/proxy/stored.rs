//! How does a recorded line look to whoever compares a list with it?

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::round::RoundState;
use reverie_core::{Attribute, ConversationId, Engine, Line, LineId, Result, RoundId, WorldId};
use reverie_formats::completions::{By, Stored};

use super::finding::{Finder, MOST_LINES};

/// All lines that stand directly behind a line.
pub(super) fn children(
    engine: &Engine,
    world: &WorldId,
    conversation: &ConversationId,
    line: LineId,
) -> Result<Vec<Line>> {
    let query = LinesQuery {
        which: WhichLines::Children(Some(line)),
        witness: None,
        after: None,
        newest_first: false,
        limit: MOST_LINES.min(engine.limits().page),
    };
    Ok(engine.lines(world, conversation, query)?.items)
}

/// Directions, and what nobody was shown, are in no list.
pub(super) fn stored(line: &Line) -> Option<Stored<LineId>> {
    let by = match line.attribute {
        Attribute::User => By::User,
        Attribute::Assistant => By::Assistant,
        _ => return None,
    };
    let name = line.name.clone().or_else(|| line.speaker.as_ref().map(ToString::to_string));
    let exchange = line.round.map(RoundId::get);
    let speaker = line.speaker.as_ref().map(ToString::to_string);
    let text = line.wording.content.clone();
    let (key, hidden) = (line.id, line.hidden);
    line.shown.then_some(Stored { key, by, name, speaker, text, exchange, hidden, waits: false })
}

impl Finder<'_> {
    /// The exchange that the path ends with, if it is not over though it was answered, and tools have answered since.
    pub(super) fn waits_for_tools(&self, lines: &[Line]) -> Option<RoundId> {
        self.dialogue.after_tools?;
        let last = lines.last().filter(|last| last.attribute == Attribute::Assistant)?;
        let round = self.engine.round(self.world, last.round?).ok()?;
        (round.state == RoundState::Open).then_some(round.id)
    }
}
