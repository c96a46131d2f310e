//! How do many branches enter a conversation at once?

use reverie_core::conversation::{ExpectedHead, Graft, Grafted, HeadTarget};
use reverie_core::{ConversationId, Error, LineId, Result};

use super::world::ModelWorld;

impl ModelWorld {
    /// One append after the other, each a revision of its own.
    pub(super) fn graft(&mut self, id: &ConversationId, graft: Graft) -> Result<Grafted> {
        let mut lines = Vec::new();
        let mut appended = Vec::new();
        for branch in graft.branches {
            let append = branch.into_append(&lines)?;
            let written = self.as_a_revision(|world| world.append(id, &append))?;
            let one = self.appended(&written);
            one.check_whole(append.lines.len())?;
            lines.extend(one.lines.iter().map(|line| line.id));
            appended.push(one);
        }
        let is_new = appended.iter().any(|appended| !appended.replayed);
        if let Some(head) = graft.head.filter(|_| is_new) {
            let head =
                *lines.get(head).ok_or_else(|| Error::invalid("there is no such line in the graft"))?;
            self.as_a_revision(|world| world.move_head(id, HeadTarget::Line(head), ExpectedHead::Any))?;
        }
        let head = self.spoken_head(self.room(id)?).and_then(|head| LineId::new(head).ok());
        Ok(Grafted { appended, head })
    }

    fn as_a_revision<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.clone();
        let changed = change(self)?;
        self.met.clear();
        if *self != before && self.revision == before.revision {
            self.commit();
        }
        Ok(changed)
    }
}
