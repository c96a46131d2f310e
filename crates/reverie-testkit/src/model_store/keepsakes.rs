//! What is kept of hosts' files?

use reverie_core::keepsake::{Keepsake, KeptFor, names};
use reverie_core::record::Record;
use reverie_core::{ConversationId, LineId, Result};

use super::import::broken;
use super::no_line;
use super::world::ModelWorld;

impl ModelWorld {
    pub(super) fn put_keepsakes(&mut self, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize> {
        let mut changed = 0;
        for (of, text) in keepsakes {
            match of {
                KeptFor::File(_) => {}
                KeptFor::Conversation(id) => drop(self.room(id)?),
                KeptFor::Line(line) if self.is_spoken(line.get()) => {}
                KeptFor::Line(line) => return Err(no_line(line.get())),
            }
            let before = match text {
                Some(text) => self.keepsakes.insert(of.clone(), text.clone()),
                None => self.keepsakes.remove(of),
            };
            changed += usize::from(before != *text);
        }
        Ok(changed)
    }

    pub(super) fn kept(&self, these: &[KeptFor]) -> Vec<Keepsake> {
        let kept = |of: &KeptFor| Some(Keepsake { text: self.keepsakes.get(of)?.clone(), of: of.clone() });
        these.iter().filter_map(kept).collect()
    }

    pub(super) fn keepsakes(&self, of: Option<&ConversationId>) -> Result<Vec<Keepsake>> {
        let room = of.map(|id| self.room(id)).transpose()?;
        let is_wanted = |kept: &Keepsake| match &kept.of {
            KeptFor::File(_) => room.is_none(),
            KeptFor::Conversation(id) => Some(id) == of,
            KeptFor::Line(line) => {
                room.is_some() && self.nodes.get(&line.get()).map(|node| node.room) == room
            }
        };
        Ok(self.all_keepsakes(u64::MAX).filter(is_wanted).collect())
    }

    /// Files by name, conversations and lines in the order of their beginning.
    fn all_keepsakes(&self, revision: u64) -> impl Iterator<Item = Keepsake> {
        let files = self.keepsakes.keys().filter(|of| matches!(of, KeptFor::File(_))).cloned();
        let rooms = self.rooms.iter().filter(move |room| room.revision <= revision);
        let rooms = rooms.map(|room| KeptFor::Conversation(room.id.clone()));
        let lines = self.nodes.iter().filter(move |(_, node)| node.revision <= revision);
        let lines = lines.filter_map(|(number, _)| LineId::new(*number).ok()).map(KeptFor::Line);
        let kept = |of: KeptFor| Some(Keepsake { text: self.keepsakes.get(&of)?.clone(), of });
        files.chain(rooms).chain(lines).filter_map(kept)
    }

    pub(super) fn keepsake_records(&self, revision: u64) -> Vec<Record> {
        self.all_keepsakes(revision).map(Record::Keepsake).collect()
    }

    pub(super) fn take_keepsake(&mut self, kept: Keepsake) -> Result<()> {
        let is_there = match &kept.of {
            KeptFor::File(_) => true,
            KeptFor::Conversation(id) => self.room(id).is_ok(),
            KeptFor::Line(line) => self.is_spoken(line.get()),
        };
        if !is_there || self.keepsakes.insert(kept.of, kept.text).is_some() {
            return Err(broken("what is kept stands with nothing, or twice"));
        }
        Ok(())
    }

    /// What names somebody goes; what is kept of lines goes with the lines.
    pub(super) fn forget_keepsakes(&mut self, person: usize) {
        let person = self.person(person);
        let cards = person.cards.values();
        let cards = cards.flat_map(|card| card.aliases.iter().chain(&card.display_name).cloned());
        let host_ids = person.host_ids.iter().map(|(_, alias)| alias.clone());
        let known: Vec<String> = host_ids.chain(cards).chain([person.id.to_string()]).collect();
        let is_named = |text: &str| known.iter().any(|name| names(text, name));
        self.keepsakes.retain(|of, text| matches!(of, KeptFor::Line(_)) || !is_named(text));
    }
}
