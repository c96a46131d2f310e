//! Does a question about the past cost what it returns, or what exists?

use anyhow::Result;
use reverie_core::history::{History, HistoryQuery};
use reverie_core::{CharacterId, Store, Who};

use crate::Workshop;
use crate::measure::{Often, time_both};
use crate::table::{Against, Row, Target};
use crate::world::{self, AUTUMN, PAST, QUIET, SPRING};

pub(crate) const SMALL: usize = 10_000;
pub(crate) const LARGE: usize = 1_000_000;
const LIMIT: usize = 10;
const OFTEN: Often = Often { warm_up: 20, samples: 400 };

/// Who is asked about, and who asks (nobody: the host).
const QUESTIONS: &[(&str, &[&str], Option<&str>)] = &[
    ("pair, host's view", &[SPRING, AUTUMN], None),
    ("pair, member's view", &[SPRING, AUTUMN], Some(SPRING)),
    ("pair, asker who heard ten lines", &[SPRING, AUTUMN], Some(QUIET)),
    ("with the one who heard ten lines, host's view", &[SPRING, QUIET], None),
    ("with the one who heard ten lines, its own view", &[SPRING, QUIET], Some(QUIET)),
    ("alone, host's view", &[SPRING], None),
    ("alone, own view", &[SPRING], Some(SPRING)),
    ("pair that met long ago, host's view", &PAST, None),
    ("pair that met long ago, member's view", &PAST, Some(PAST[0])),
    ("two busy people who never met", &[SPRING, PAST[0]], None),
    ("somebody unknown", &[SPRING, "nobody"], None),
];

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let (small, large) = (world::store(workshop, SMALL)?, world::store(workshop, LARGE)?);
    let id = world::world_id()?;
    let mut rows = Vec::new();
    for (case, participants, witness) in QUESTIONS {
        let query = query(participants, *witness)?;
        let answer = large.history(&id, &query)?;
        let (in_large, in_small) =
            time_both(OFTEN, || Ok(large.history(&id, &query)?), || Ok(small.history(&id, &query)?))?;
        rows.push(Row {
            case: (*case).to_owned(),
            time: in_large,
            against: Some(Against {
                name: "10k lines",
                time: in_small,
                ratio: in_large.over(in_small),
                target: Target::AtMost(2.0),
            }),
            note: found(&answer, &small.history(&id, &query)?),
        });
    }
    Ok(rows)
}

pub(crate) fn query(participants: &[&str], witness: Option<&str>) -> Result<HistoryQuery> {
    let id = |name: &&str| CharacterId::new(name);
    Ok(HistoryQuery {
        participants: participants.iter().map(|name| id(name).map(Who::Id)).collect::<Result<_, _>>()?,
        witness: witness.as_ref().map(id).transpose()?,
        also: Vec::new(),
        limit: LIMIT,
    })
}

/// How many lines came: primary + ancillary, in the large and in the small world.
fn found(large: &History, small: &History) -> String {
    let count = |history: &History| format!("{}+{}", history.primary.len(), history.ancillary.len());
    format!("{} lines, small {}", count(large), count(small))
}
