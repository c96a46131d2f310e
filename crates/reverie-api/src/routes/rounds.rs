//! Rounds: begun, ended, read.

use reverie_core::round::{CloseRound, Ending};
use reverie_core::{Result, RoundId};

use super::{conversation, line, page_of, paged, round, world, written};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{CloseRoundBody, OpenRoundBody, RoundView, filled, into_all};

pub(super) fn open(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: OpenRoundBody = call.parse()?;
    let present = body.present.map(into_all).transpose()?;
    written::<_, RoundView>(call, api.engine.open_round(&world(call)?, &conversation(call)?, present)?)
}

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let after = after.map(RoundId::parse).transpose()?;
    let found = api.engine.rounds(&world(call)?, &conversation(call)?, after, limit)?;
    Reply::ok(&paged(found, |round: &RoundView| round.id.clone()))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&RoundView::from(api.engine.round(&world(call)?, round(call)?)?))
}

pub(super) fn complete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    close(api, call, Ending::Complete)
}

pub(super) fn abort(api: &Api, call: &Call<'_>) -> Result<Reply> {
    close(api, call, Ending::Aborted)
}

fn close(api: &Api, call: &Call<'_>, ending: Ending) -> Result<Reply> {
    let body: CloseRoundBody = call.parse()?;
    let shown_through = filled(body.shown_through).as_deref().map(line).transpose()?;
    let closed = api.engine.close_round(&world(call)?, round(call)?, CloseRound { ending, shown_through })?;
    Reply::ok(&RoundView::from(closed))
}
