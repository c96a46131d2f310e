//! Which conversations were spoken in last, and by whom could they be missed?
//!
//! A few conversations of a world are hot; writing to them ranks nothing. When another one warms up, the one that was
//! quiet for longest cools down: only then its place in the ranking and its witnesses' seats are written.

use std::collections::BTreeMap;

use reverie_core::line::Order;
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle;
use crate::error::Result;

/// How many conversations of a world stay unranked: few, because every search looks at all of them.
const HOT: i64 = 8;
/// Groups up to this size are ranked for every pair of members.
const PAIRED: usize = 12;
/// The second of a pair that stands for a large group.
pub(crate) const LARGE: i64 = -1;

/// Says that a conversation's path or people changed.
pub(crate) fn heat(connection: &Connection, world: i64, conversation: i64) -> Result<()> {
    connection.prepare_cached("UPDATE conversation SET hot = 1 WHERE no = ?1")?.execute([conversation])?;
    let quietest: Option<i64> = connection
        .prepare_cached(
            "SELECT no FROM conversation WHERE world = ?1 AND hot = 1
             ORDER BY latest_at DESC, latest DESC, no LIMIT -1 OFFSET ?2",
        )?
        .query_row([world, HOT], |row| row.get(0))
        .optional()?;
    quietest.map_or(Ok(()), |quietest| cool(connection, quietest))
}

/// Ranks whatever is not ranked yet.
pub(crate) fn cool_all(connection: &Connection, world: i64) -> Result<()> {
    let hot: Vec<i64> = connection
        .prepare_cached("SELECT no FROM conversation WHERE world = ?1 AND hot = 1")?
        .query_map([world], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    hot.into_iter().try_for_each(|conversation| cool(connection, conversation))
}

/// The greatest tick on an active path of the world.
pub(crate) fn world_time(connection: &Connection, world: i64) -> Result<Option<i64>> {
    let time: Option<i64> = connection
        .prepare_cached(
            "SELECT max(coalesce((SELECT max(ranked_at) FROM conversation WHERE world = ?1 AND hot = 0), ?2),
                        coalesce((SELECT max(latest_at) FROM conversation WHERE world = ?1 AND hot = 1), ?2))",
        )?
        .query_row([world, Order::BEFORE_TIME], |row| row.get(0))?;
    Ok(time.filter(|at| *at != Order::BEFORE_TIME))
}

fn cool(connection: &Connection, conversation: i64) -> Result<()> {
    let (members, at, line, ranked): (i64, i64, i64, Option<(i64, i64, i64)>) = connection
        .prepare_cached(
            "SELECT members, latest_at, latest, ranked_members, ranked_at, ranked FROM conversation WHERE no = ?1",
        )?
        .query_row([conversation], |row| {
            let ranked: Option<i64> = row.get(3)?;
            let ranked = ranked.map(|members| Ok::<_, rusqlite::Error>((members, row.get(4)?, row.get(5)?)));
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, ranked.transpose()?))
        })?;
    if let Some((members, at, line)) = ranked {
        for (a, b) in pairs(&circle::members(connection, members)?) {
            connection
                .prepare_cached("DELETE FROM rank WHERE a = ?1 AND b = ?2 AND at = ?3 AND line = ?4")?
                .execute([a, b, at, line])?;
        }
    }
    connection.prepare_cached("DELETE FROM seat WHERE conversation = ?1")?.execute([conversation])?;
    let ranked = if line == 0 { None } else { Some((at, line)) };
    if ranked.is_some() {
        for (a, b) in pairs(&circle::members(connection, members)?) {
            connection
                .prepare_cached(
                    "INSERT INTO rank (a, b, at, line, conversation) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute([a, b, at, line, conversation])?;
        }
        for (character, (at, line)) in heard(connection, conversation)? {
            connection
                .prepare_cached(
                    "INSERT INTO seat (conversation, character, heard_at, heard) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute([conversation, character, at, line])?;
        }
    }
    connection
        .prepare_cached(
            "UPDATE conversation SET hot = 0, ranked_at = ?2, ranked = ?3, ranked_members = ?4 WHERE no = ?1",
        )?
        .execute(params![
            conversation,
            ranked.map(|(at, _)| at),
            ranked.map(|(_, line)| line),
            ranked.map(|_| members)
        ])?;
    Ok(())
}

/// Under which pairs a conversation of these (sorted) members stands in the ranking.
fn pairs(members: &[i64]) -> Vec<(i64, i64)> {
    if members.len() > PAIRED {
        return members.iter().flat_map(|a| [(*a, *a), (*a, LARGE)]).collect();
    }
    let from =
        |(index, a): (usize, &i64)| members.iter().skip(index).map(move |b| (*a, *b)).collect::<Vec<_>>();
    let a = members.iter().enumerate();
    a.flat_map(|(index, a)| from((index, a))).collect()
}

/// For everyone who witnessed anything on the path: the order of the newest such line.
fn heard(connection: &Connection, conversation: i64) -> Result<BTreeMap<i64, (i64, i64)>> {
    let mut heard = BTreeMap::new();
    for stream in circle::streams(connection, conversation, &[])? {
        let newest: Option<(i64, i64)> = connection
            .prepare_cached(
                "SELECT at, id & 1099511627775 FROM line WHERE conversation = ?1 AND witnesses = ?2 AND active = 1
                 ORDER BY id DESC LIMIT 1",
            )?
            .query_row([conversation, stream], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some(newest) = newest else { continue };
        for character in circle::members(connection, stream)? {
            let best = heard.entry(character).or_insert(newest);
            *best = newest.max(*best);
        }
    }
    Ok(heard)
}
