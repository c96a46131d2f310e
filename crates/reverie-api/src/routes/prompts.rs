//! Reading for a prompt: history, recall, perspective.

use reverie_core::history::{DEFAULT_LIMIT, HistoryQuery};
use reverie_core::{CharacterId, ConversationId, Result, Who};

use super::world;
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{CueBody, DegradedView, HistoryView, RecallView};

pub(super) fn history(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let participants = call.query.all("participants").map(|id| CharacterId::new(id).map(Who::Id));
    let query = HistoryQuery {
        participants: participants.collect::<Result<_>>()?,
        witness: call.query.one("as")?.map(CharacterId::new).transpose()?,
        also: call.query.all("also").map(ConversationId::new).collect::<Result<_>>()?,
        limit: call.query.number("limit", DEFAULT_LIMIT, api.engine.limits().history)?,
    };
    Reply::ok(&HistoryView::from(api.engine.history(&world(call)?, query)?))
}

pub(super) fn recall(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: CueBody = call.parse()?;
    let mut view = RecallView::from(api.engine.recall(&world(call)?, &body.into_cue()?)?);
    if call.replaced.get() > 0 {
        view.degraded.push(DegradedView {
            code: "characters_replaced",
            message: format!("{} characters of the cue could not be kept", call.replaced.get()),
            hint: "send well-formed UTF-8 and no lone surrogates; U+FFFD stands in their place".to_owned(),
        });
    }
    Reply::ok(&view)
}

pub(super) fn perspective(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&crate::perspective::run(call.parse()?, api.engine.limits())?)
}
