//! How do many branches enter a conversation at once, all of them or none?

use reverie_core::conversation::{ExpectedHead, Graft, Grafted, HeadTarget};
use reverie_core::{ConversationId, Error, LineId};
use rusqlite::Connection;

use crate::append::append;
use crate::circle::Circles;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn graft(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    graft: Graft,
) -> Result<Grafted> {
    let mut lines: Vec<LineId> = Vec::new();
    let mut appended = Vec::with_capacity(graft.branches.len());
    for branch in graft.branches {
        let branch = branch.into_append(&lines)?;
        let count = branch.lines.len();
        let one = append(connection, world, id, branch)?;
        one.check_whole(count)?;
        lines.extend(one.lines.iter().map(|line| line.id));
        appended.push(one);
    }
    let is_new = appended.iter().any(|appended| !appended.replayed);
    let conversation = match graft.head.filter(|_| is_new) {
        Some(head) => {
            let line = lines.get(head).copied();
            let line = line.ok_or_else(|| Error::invalid("there is no such line in the graft"))?;
            tree::move_head(connection, world, id, HeadTarget::Line(line), ExpectedHead::Any)?
        }
        None => {
            ConversationRow::find(connection, world, id)?.read(connection, world, &mut Circles::default())?
        }
    };
    Ok(Grafted { appended, head: conversation.head })
}
