//! What is kept of hosts' files: is it the same in both stores?

use reverie_core::keepsake::KeptFor;
use reverie_core::{ConversationId, WorldId};

use super::take::{pick, who};
use super::{Twins, Verdict};
use crate::story::Pick;

impl Twins<'_> {
    /// Mostly of what is there; the texts name somebody now and then.
    pub(super) fn keep(&self, world: &WorldId, of: &[Pick], text: Option<Pick>) -> Verdict {
        let mut keepsakes = Vec::new();
        for (place, at) in of.iter().enumerate() {
            let text =
                text.map(|text| format!("抄 {} \\\"{:?}\"", (text as usize + place) % 3, who(text / 3)));
            keepsakes.push((self.kept_for(world, *at)?, text));
        }
        self.both("keeping", |store| store.put_keepsakes(world, &keepsakes)).map(drop)
    }

    fn kept_for(&self, world: &WorldId, at: Pick) -> Verdict<KeptFor> {
        let room = self.room(world, at / 3)?;
        Ok(match (at % 3, room) {
            (0, _) => KeptFor::File(
                (*pick(&["groups/1.json", "組.json"], at / 3).expect("there are two")).to_owned(),
            ),
            (1, Some(room)) => KeptFor::Line(self.line(world, &room.id, at / 3)?),
            (_, Some(room)) => KeptFor::Conversation(room.id),
            (_, None) => KeptFor::Conversation(ConversationId::new("nowhere").expect("legal")),
        })
    }
}
