//! Did somebody ask while others wait for their answer? Their words stand behind what the others said, not in its place. Whoever changes
//! what they said leaves their answer before, and waits no more.

use std::time::Duration;

use reverie_core::{Line, LineId};
use reverie_formats::completions::{Alignment, By, Then};

use super::finding::Finder;
use super::remembering::Session;
use super::step::Step;

/// So long it may take until it is known that somebody has left.
const LEAVING: Duration = Duration::from_millis(50);

/// The first of those who wait, and where what is new belongs because of them.
#[derive(Clone, Copy)]
pub(super) struct Waiting<'l> {
    first: &'l Line,
    pub(super) then: Then<LineId>,
}

impl Finder<'_> {
    /// None: nobody waits, or the list leaves the path before what was said at once with it. `lines`: the path.
    pub(super) fn waiting<'l>(
        &self,
        lines: &'l [Line],
        alignment: &Alignment<LineId>,
    ) -> Option<Waiting<'l>> {
        let Then::Branch { beside, from, .. } = alignment.then else { return None };
        let new = self.dialogue.said.get(from..).unwrap_or_default();
        if new.is_empty() || new.iter().any(|said| said.by == By::Assistant) {
            return None;
        }
        let gone = lines.get(lines.iter().position(|line| line.id == beside)?..)?;
        let is_waiting =
            |line: &Line| line.round.is_some_and(|round| self.places.is_under_way(self.world, round));
        let (before, behind) = gone.split_at(gone.iter().position(is_waiting)?);
        let is_answered_behind =
            |line: &Line| line.round.is_some() && behind.iter().any(|other| other.round == line.round);
        let is_at_once = before.iter().all(is_answered_behind);
        behind.first().filter(|_| is_at_once).map(|first| Waiting { first, then: Then::Append { from } })
    }

    /// Blocks a little where it may be the same one, who has left and is not known to have.
    pub(super) fn has_left(&self, waiting: Waiting<'_>, is_scene: bool) -> bool {
        let newest = self.dialogue.said.iter().rev().find(|said| said.by == By::User);
        let speaker = newest.map(|said| self.cast.speaker(said, is_scene).0);
        let is_same = speaker.is_some_and(|speaker| speaker.id() == waiting.first.speaker.as_ref());
        let round = waiting.first.round.filter(|_| is_same);
        round.is_some_and(|round| self.places.ends_within(self.world, round, LEAVING))
    }
}

impl Step<'_> {
    /// How many lines of the path's end were said at once with an answer that is asked for again: it does not come to mind while it is.
    pub(super) fn said_at_once(&self, session: &Session) -> usize {
        let Some((_, asked)) = self.found.alignment.seen.last().filter(|_| session.instead.is_some()) else {
            return 0;
        };
        let lines = &self.found.lines;
        lines.iter().position(|line| line.id == *asked).map_or(0, |place| lines.len() - place)
    }
}
