//! What somebody remembers: listed, searched, spread over time, counted; and what was made of a line.

use std::collections::BTreeMap;

use reverie_core::memories::{MemoryOrder, Only, Sieve, Spot};
use reverie_core::memory::{Kind, Layer, Memory};
use reverie_core::time::Moment;
use reverie_core::{
    CharacterId, Error, MOST_STRETCHES, MadeOf, MemoriesQuery, MemoryId, Result, TimeAxis, WorldId,
};

use super::memories::with_all;
use super::{character, line, page_of, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{
    CharacterFacetsView, MemoryView, MomentView, Page, SharedMemoryView, TimelineView, parse_time,
};

const DEFAULT_STRETCHES: usize = 60;

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (cursor, limit) = page_of(api, call)?;
    let words = call.query.one("q")?.map(str::trim).filter(|words| !words.is_empty());
    let world = world(call)?;
    let asked = asked(api, call, &world)?;
    let mut query = MemoriesQuery { newest_first: call.query.flag("newest")?, limit, ..asked };
    let Some(words) = words else {
        query.order = order(call)?;
        query.after = cursor.map(|cursor| parse_spot(query.order, cursor)).transpose()?;
        let found = api.engine.memories(&world, &query)?;
        let last = found.items.last().filter(|_| found.has_more);
        let next = last.map(|last| written_spot(query.order, query.order.spot(&last.held.memory)));
        let begun = api.engine.begun(&world, &summaries(found.items.iter().map(|one| &one.held.memory)))?;
        let items = found.items.into_iter().map(MemoryView::from).collect();
        return Reply::ok(&Page { items: dated(items, &begun), next });
    };
    let skip = cursor.map(|cursor| cursor.parse::<usize>()).transpose();
    let skip = skip.map_err(|_| Error::invalid("the cursor is not one of this search"))?.unwrap_or(0);
    let found = match call.query.one("by")? {
        None | Some("words") => api.engine.search_memories(&world, words, &query, skip)?,
        Some("mind") => api.engine.reminded_of(&world, words, &query, skip)?,
        Some(other) => {
            return Err(
                Error::invalid(format!("memories are not found by {other:?}")).hint("use words or mind")
            );
        }
    };
    let next = found.has_more.then(|| (skip + found.items.len()).to_string());
    let memories = found.items.iter().map(|one| &one.remembered.held.memory);
    let begun = api.engine.begun(&world, &summaries(memories))?;
    let items = found.items.into_iter().map(MemoryView::from).collect();
    Reply::ok(&Page { items: dated(items, &begun), next })
}

/// Of these memories, those that sum up others.
pub(super) fn summaries<'m>(memories: impl Iterator<Item = &'m Memory>) -> Vec<MemoryId> {
    memories.filter(|memory| !memory.from.is_empty()).map(|memory| memory.id).collect()
}

pub(super) fn since(begun: &BTreeMap<MemoryId, Moment>, id: &str) -> Option<MomentView> {
    begun.get(&MemoryId::parse(id).ok()?).copied().map(MomentView::from)
}

fn dated(mut items: Vec<MemoryView>, begun: &BTreeMap<MemoryId, Moment>) -> Vec<MemoryView> {
    for item in &mut items {
        item.facts.since = since(begun, &item.facts.id);
    }
    items
}

fn order(call: &Call<'_>) -> Result<MemoryOrder> {
    match call.query.one("order")? {
        None | Some("made") => Ok(MemoryOrder::Made),
        Some("time") => Ok(MemoryOrder::Time),
        Some("tick") => Ok(MemoryOrder::Tick),
        Some(other) => {
            Err(Error::invalid(format!("memories have no order by {other:?}")).hint("use made, time or tick"))
        }
    }
}

/// What counts in an order, between dots.
fn written_spot(order: MemoryOrder, spot: Spot) -> String {
    let Spot { tick, wall_ms, memory } = spot;
    match order {
        MemoryOrder::Made => memory.to_string(),
        MemoryOrder::Time => format!("{wall_ms}.{memory}"),
        MemoryOrder::Tick => {
            format!("{}.{wall_ms}.{memory}", tick.map(|tick| tick.to_string()).unwrap_or_default())
        }
    }
}

fn parse_spot(order: MemoryOrder, cursor: &str) -> Result<Spot> {
    let other = || {
        Error::invalid("the cursor is not one of this order").hint("ask for the first page without a cursor")
    };
    let number = |text: &str| text.parse::<i64>().map_err(|_| other());
    let parts: Vec<&str> = cursor.split('.').collect();
    match (order, parts.as_slice()) {
        (MemoryOrder::Made, [memory]) => Ok(MemoryId::parse(memory)?.into()),
        (MemoryOrder::Time, [wall_ms, memory]) => {
            Ok(Spot { tick: None, wall_ms: number(wall_ms)?, memory: MemoryId::parse(memory)? })
        }
        (MemoryOrder::Tick, [tick, wall_ms, memory]) => {
            let tick = (!tick.is_empty()).then(|| number(tick)).transpose()?;
            Ok(Spot { tick, wall_ms: number(wall_ms)?, memory: MemoryId::parse(memory)? })
        }
        _ => Err(other()),
    }
}

/// Which memories are asked for.
fn asked(api: &Api, call: &Call<'_>, world: &WorldId) -> Result<MemoriesQuery> {
    let time = |name: &str| call.query.one(name)?.map(parse_time).transpose();
    let sieve = Sieve {
        emotions: call.query.all("emotion").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        from_ms: time("from")?,
        to_ms: time("to")?,
        from_tick: call.query.tick("from_tick")?,
        to_tick: call.query.tick("to_tick")?,
        pinned: call.query.choice("pinned")?,
        shared_with: call.query.one("shared_with")?.map(CharacterId::new).transpose()?,
        only: if call.query.flag("forgotten")? { Only::Forgotten } else { Only::Asked },
    };
    // Somebody who is not there has no memories; a misspelt name must not look like one who forgot everything.
    let holder = character(call)?;
    for id in [&holder].into_iter().chain(&sieve.shared_with) {
        api.engine.character(world, id)?;
    }
    Ok(MemoriesQuery {
        kinds: call.query.all("kind").map(Kind::from_name).collect::<Result<_>>()?,
        layers: call.query.all("layer").map(Layer::from_name).collect::<Result<_>>()?,
        about: call.query.all("about").map(CharacterId::new).collect::<Result<_>>()?,
        dormant: call.query.choice("dormant")?,
        repeats: call.query.choice("repeats")?,
        all: call.query.flag("all")?,
        sieve,
        ..MemoriesQuery::of(holder)
    })
}

pub(super) fn timeline(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let stretches = call.query.number("buckets", DEFAULT_STRETCHES, MOST_STRETCHES)?;
    let by = match call.query.one("by")? {
        None => None,
        Some("time") => Some(TimeAxis::Time),
        Some("tick") => Some(TimeAxis::Tick),
        Some(other) => {
            return Err(Error::invalid(format!("there is no timeline by {other:?}")).hint("use time or tick"));
        }
    };
    let world = world(call)?;
    let query = asked(api, call, &world)?;
    Reply::ok(&TimelineView::from(api.engine.timeline(&world, &query, by, stretches)?))
}

pub(super) fn stats(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&CharacterFacetsView::from(api.engine.facets(&world(call)?, &character(call)?)?))
}

pub(super) fn of_line(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (cursor, limit) = page_of(api, call)?;
    let query = MadeOf {
        line: line(call.segment(1))?,
        all: call.query.flag("all")?,
        after: cursor.map(MemoryId::parse).transpose()?,
        limit,
    };
    let made = api.engine.made_of(&world(call)?, &query)?;
    let items = made.items.into_iter().map(with_all).collect::<Result<Vec<SharedMemoryView>>>()?;
    let next = items.last().filter(|_| made.has_more).map(|last| last.facts.id.clone());
    Reply::ok(&Page { items, next })
}
