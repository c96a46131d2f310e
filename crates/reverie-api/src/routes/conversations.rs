//! Conversations: found, opened, entered, left, undone.

use reverie_core::conversation::{ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines};
use reverie_core::store::Select;
use reverie_core::{ConversationId, Error, Result, WorldId};

use super::{conversation, line, page_of, paged, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{ConversationView, MoveHead, OpenConversationBody, SetPresent, filled, into_all};

pub(super) fn open(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: OpenConversationBody = call.parse()?;
    api.engine.limits().check_people(body.participants.len())?;
    let open = OpenConversation {
        id: body.id.as_deref().map(ConversationId::new).transpose()?,
        // A scene's name is its key, so it obeys the rules of ids.
        name: filled(body.name)
            .map(|name| ConversationId::new(&call.clean(&name)).map(|name| name.to_string()))
            .transpose()?,
        participants: into_all(body.participants)?,
    };
    let (found, created) = api.engine.store().open_conversation(&world(call)?, &open)?;
    Reply::made(created, &ConversationView::from(found))
}

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (select, limit) = page_of(api, call)?;
    let found = api.engine.store().conversations(&world(call)?, &select)?;
    Reply::ok(&paged(found, limit, |conversation: &ConversationView| conversation.id.clone()))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (world, id) = (world(call)?, conversation(call)?);
    let found = api.engine.store().conversations(&world, &Select::One(id.as_str().to_owned()))?.pop();
    let found = found.ok_or_else(|| missing(api, &world, &id))?;
    Reply::ok(&ConversationView::from(found))
}

/// The store's own refusal: it knows whether a scene has this for a name.
fn missing(api: &Api, world: &WorldId, id: &ConversationId) -> Error {
    let which = WhichLines::Path;
    let nothing = LinesQuery { which, witness: None, after: None, newest_first: false, limit: 0 };
    let refusal = api.engine.store().lines(world, id, &nothing).err();
    refusal.unwrap_or_else(|| Error::not_found(format!("there is no conversation {id:?}")))
}

pub(super) fn set_present(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: SetPresent = call.parse()?;
    api.engine.limits().check_people(body.present.len())?;
    let expected = expected_head(body.expected_head)?;
    let present = into_all(body.present)?;
    let found = api.engine.store().set_present(&world(call)?, &conversation(call)?, &present, expected)?;
    Reply::ok(&ConversationView::from(found))
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
    let found = api.engine.store().move_head(&world(call)?, &conversation(call)?, target, expected)?;
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
