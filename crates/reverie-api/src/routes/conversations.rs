//! Conversations: found, opened, entered, left, undone.

use reverie_core::conversation::{ExpectedHead, HeadTarget, OpenConversation};
use reverie_core::{ConversationId, Error, LineId, Result};

use super::{conversation, line, page_of, paged, world, written};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{ConversationView, MoveHead, OpenConversationBody, SetPresent, into_all};

pub(super) fn open(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: OpenConversationBody = call.parse()?;
    let open = OpenConversation {
        id: body.id.as_deref().map(ConversationId::new).transpose()?,
        name: body.name,
        participants: into_all(body.participants)?,
    };
    written::<_, ConversationView>(call, api.engine.open_conversation(&world(call)?, open)?)
}

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    if call.query.flag("newest_first")? {
        return latest(api, call, after, limit);
    }
    let found = api.engine.conversations(&world(call)?, after, limit)?;
    Reply::ok(&paged(found, |conversation: &ConversationView| conversation.id.clone()))
}

/// The cursor tells where the last one stood when it was listed: it may have been spoken in since.
fn latest(api: &Api, call: &Call<'_>, after: Option<&str>, limit: usize) -> Result<Reply> {
    let read = |cursor: &str| -> Result<(Option<LineId>, ConversationId)> {
        let wrong =
            || Error::invalid("this cursor is not one of this list").hint("send `next` of the page before");
        let (head, id) = cursor.split_once('.').ok_or_else(wrong)?;
        let head = match head {
            "" => None,
            head => Some(line(head).map_err(|_| wrong())?),
        };
        Ok((head, ConversationId::new(id)?))
    };
    let behind = after.map(read).transpose()?;
    let behind = behind.as_ref().map(|(head, id)| (*head, id));
    let found = api.engine.latest_conversations(&world(call)?, behind, limit)?;
    let cursor = |one: &ConversationView| format!("{}.{}", one.head.as_deref().unwrap_or_default(), one.id);
    Reply::ok(&paged(found, cursor))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&ConversationView::from(api.engine.conversation(&world(call)?, &conversation(call)?)?))
}

pub(super) fn set_present(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: SetPresent = call.parse()?;
    let expected = expected_head(body.expected_head)?;
    let present = into_all(body.present)?;
    let found = api.engine.set_present(&world(call)?, &conversation(call)?, present, expected)?;
    written::<_, ConversationView>(call, found)
}

pub(super) fn move_head(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: MoveHead = call.parse()?;
    let target = match (body.line, body.undo) {
        (Some(Some(id)), None) => HeadTarget::Line(line(&id)?),
        (Some(None), None) => HeadTarget::Empty,
        (None, Some(lines)) => HeadTarget::Back(lines),
        (Some(_), Some(_)) => {
            return Err(Error::invalid("line and undo cannot both be given").hint(
                "line names the line to stand on, undo goes back from where the head is: send one of them",
            ));
        }
        (None, None) => {
            return Err(Error::invalid("say where the head goes")
                .hint("send {\"line\":\"12\"}, {\"line\":null} or {\"undo\":1}"));
        }
    };
    let expected = expected_head(body.expected_head)?;
    let found = api.engine.move_head(&world(call)?, &conversation(call)?, target, expected)?;
    Reply::ok(&ConversationView::from(found))
}

/// Absent: anything goes; null: nothing recorded yet; else this line.
pub(super) fn expected_head(given: Option<Option<String>>) -> Result<ExpectedHead> {
    match given {
        None => Ok(ExpectedHead::Any),
        Some(None) => Ok(ExpectedHead::Empty),
        Some(Some(id)) => line(&id).map(ExpectedHead::Line),
    }
}
