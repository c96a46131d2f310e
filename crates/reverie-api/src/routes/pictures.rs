//! What memories look like from afar.

use reverie_core::Result;
use reverie_core::sharing::Sharing;

use super::world;
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::SharingView;

/// Characters in a picture of who shares what.
const DEFAULT_SHARERS: usize = 50;

pub(super) fn sharing(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let limit = call.query.number("limit", DEFAULT_SHARERS, Sharing::MOST)?;
    Reply::ok(&SharingView::from(api.engine.sharing(&world(call)?, limit)?))
}
