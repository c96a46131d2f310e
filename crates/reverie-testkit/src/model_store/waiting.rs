//! What did those who are about to speak hear that nobody remembers yet, and what of it have they decided about before?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::settings::{Audience, WorldSettings};
use reverie_core::store::{ELSEWHERE_BYTES, ELSEWHERE_LINES, Gather, Gathered, UNREMEMBERED_BYTES};
use reverie_core::{Attribute, Line, LineId, Result};

use super::read::newest;
use super::world::ModelWorld;

impl ModelWorld {
    /// Beside the window, which is there already.
    pub(super) fn read_waiting(
        &self,
        gathered: &mut Gathered,
        gather: &Gather,
        here: Option<usize>,
    ) -> Result<()> {
        if gather.unremembered_lines == 0 {
            return Ok(());
        }
        let mut voices: BTreeSet<usize> = self.minded(gather)?.into_iter().collect();
        voices.extend(self.look(&gather.character)?.filter(|who| !self.person(*who).erased));
        let mut unremembered = Vec::new();
        let mut looked_at = BTreeSet::new();
        if let Some(here) = here {
            gathered.remembered_through = self.covered(here).map(LineId::new).transpose()?;
            let id = self.conversation(here).id;
            let in_window = gathered.window.iter().filter(|line| line.conversation == id);
            looked_at.extend(
                in_window.map(|line| line.id).filter(|line| Some(*line) > gathered.remembered_through),
            );
            unremembered = self.unremembered(gathered, gather.unremembered_lines, here, &voices);
        }
        let settings = WorldSettings::resolve(gathered.world.preset, &gathered.world.settings)?;
        let elsewhere = match settings.audience {
            Audience::SameConversation => Vec::new(),
            Audience::Open | Audience::Strict => self.elsewhere(here, &voices),
        };
        looked_at.extend(unremembered.iter().chain(&elsewhere).map(|line| line.id));
        for line in looked_at {
            let by = voices.iter().copied().filter(|who| self.has_decided(line, *who)).collect();
            gathered.decided.insert(line, self.ids(&by));
        }
        gathered.decided.retain(|_, by| !by.is_empty());
        let voices = self.ids(&voices);
        let is_news = |line: &Line| voices.iter().any(|who| gathered.is_news_to(who, line));
        unremembered.retain(is_news);
        let elsewhere: Vec<Line> = elsewhere.into_iter().filter(is_news).collect();
        (gathered.unremembered, gathered.elsewhere) = (unremembered, elsewhere);
        Ok(())
    }

    /// What one of them heard here behind what is remembered, and not all of them read in the window.
    fn unremembered(
        &self,
        gathered: &Gathered,
        most: usize,
        here: usize,
        voices: &BTreeSet<usize>,
    ) -> Vec<Line> {
        let everybody = self.ids(voices);
        let is_shown = |line: &Line| {
            let is_common = everybody.iter().all(|who| line.is_witnessed_by(who));
            is_common && gathered.window.iter().any(|shown| shown.id == line.id)
        };
        let mut heard: BTreeMap<LineId, Line> = BTreeMap::new();
        for voice in voices {
            let lines = self.seen([here], &BTreeSet::from([*voice]), Some(*voice));
            heard.extend(lines.into_iter().map(|line| (line.id, line)));
        }
        heard.retain(|id, line| {
            let is_word = line.attribute != Attribute::System;
            Some(*id) > gathered.remembered_through && is_word && !is_shown(line)
        });
        within(heard.into_values().collect(), most, UNREMEMBERED_BYTES)
    }

    /// Of the last words that each of them heard in other rooms, those behind what is remembered there.
    fn elsewhere(&self, here: Option<usize>, voices: &BTreeSet<usize>) -> Vec<Line> {
        let mut heard: BTreeMap<LineId, Line> = BTreeMap::new();
        for voice in voices {
            let own = BTreeSet::from([*voice]);
            let mut rooms = self.rooms_of(|others| others.contains(voice) && *others != own);
            rooms.retain(|other| Some(*other) != here);
            let mut lines = self.seen(rooms.iter().copied(), &own, Some(*voice));
            lines.retain(|line| line.attribute != Attribute::System);
            let mut lines = within(lines, ELSEWHERE_LINES, ELSEWHERE_BYTES);
            for room in rooms {
                let (id, covered) = (self.conversation(room).id, self.covered(room).unwrap_or(0));
                lines.retain(|line| line.conversation != id || line.id.get() > covered);
            }
            heard.extend(lines.into_iter().map(|line| (line.id, line)));
        }
        heard.into_values().collect()
    }

    /// Whether somebody forgot or reworded anything that was ever made of a line.
    fn has_decided(&self, line: LineId, who: usize) -> bool {
        let made_of_it = self
            .memories
            .iter()
            .filter(|(_, kept)| kept.memory.sources.iter().any(|source| source.line == line));
        let mut states = made_of_it.filter_map(|(id, _)| self.state(*id, who));
        states.any(|state| state.forgotten || state.text.is_some())
    }
}

/// The newest so many, and no more text than this, the line that crosses it included.
fn within(lines: Vec<Line>, most: usize, mut bytes: usize) -> Vec<Line> {
    let read = lines.iter().rev().take(most).take_while(|line| {
        let is_read = bytes > 0;
        bytes = bytes.saturating_sub(line.wording.content.len());
        is_read
    });
    let read = read.count();
    newest(lines, read)
}
