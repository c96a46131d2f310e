//! What memories look like from afar.

use reverie_core::map::{MapQuery, When};
use reverie_core::sharing::Sharing;
use reverie_core::{Error, MemoryId, Result};

use super::remembered::{since, summaries};
use super::{character, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{MemoryMapView, SharingView, parse_time};

/// Characters in a picture of who shares what.
const DEFAULT_SHARERS: usize = 50;
/// Memories that a map tells one by one.
const DEFAULT_POINTS: usize = 1500;

pub(super) fn sharing(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let limit = call.query.number("limit", DEFAULT_SHARERS, Sharing::MOST)?;
    Reply::ok(&SharingView::from(api.engine.sharing(&world(call)?, limit)?))
}

pub(super) fn map(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let time = |name: &str| call.query.one(name)?.map(parse_time).transpose();
    let when = When {
        from_ms: time("from")?,
        to_ms: time("to")?,
        from_tick: tick(call, "from_tick")?,
        to_tick: tick(call, "to_tick")?,
    };
    let query = MapQuery {
        points: call.query.number("points", DEFAULT_POINTS, MapQuery::MOST_POINTS)?,
        cluster: call.query.one("cluster")?.map(cluster).transpose()?,
        when,
    };
    let world = world(call)?;
    let map = api.engine.memory_map(&world, &character(call)?, &query)?;
    let memories = map.points.iter().map(|point| &point.note.held.memory);
    let begun = api.engine.begun(&world, &summaries(memories))?;
    let mut view = MemoryMapView::from(map);
    for point in &mut view.points {
        point.since = since(&begun, &point.id);
    }
    Reply::ok(&view)
}

fn cluster(id: &str) -> Result<MemoryId> {
    MemoryId::parse(id).map_err(|_| MapQuery::no_cluster(id))
}

/// A moment of the host's clock.
fn tick(call: &Call<'_>, name: &str) -> Result<Option<i64>> {
    let Some(text) = call.query.one(name)? else { return Ok(None) };
    let tick = text.parse().map_err(|_| {
        Error::invalid(format!("{name} cannot be {text:?}")).hint("use a whole number: the host's own ticks")
    });
    tick.map(Some)
}
