//! How long does a prompt take whose character remembers a lot: all legs, composed? And does one of many characters take longer than one
//! alone?

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use reverie::SystemClock;
use reverie_core::cue::{CueMessage, Recall};
use reverie_core::rank::Fate;
use reverie_core::store::Place;
use reverie_core::world::WorldPatch;
use reverie_core::{Cue, Engine, Limits, Store, Who};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::Dice;
use crate::measure::{Often, Time, time_both};
use crate::minds::{self, Crowd, Topics, sentence};
use crate::table::{Against, Row, Target};

const FEW: Crowd = Crowd { characters: 1, memories: 10_000 };
const MANY: Crowd = Crowd { characters: 1, memories: 100_000 };
const EVERYBODY: Crowd = Crowd { characters: 10_000, memories: 100 };
const OFTEN: Often = Often { warm_up: 10, samples: 300 };
const COLD: usize = 3;
/// Lines of the talk that stand in the prompt.
const LINES: usize = 20;
/// Enough for everybody to stay in mind.
const ROOM: usize = 16 << 30;
/// What a host can wait for, after the seed of this project.
const BOUND_MS: f64 = 100.0;

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = of_size(workshop)?;
    rows.extend(of_crowd(workshop)?);
    Ok(rows)
}

fn engine(store: &Arc<SqliteStore>) -> Engine {
    let limits = Limits { minds_bytes: ROOM, ..Limits::default() };
    Engine::new(Arc::clone(store) as Arc<dyn Store>, Arc::new(SystemClock), limits)
        .embedding_with(Arc::new(Topics::new()))
}

fn open(workshop: &Workshop, crowd: Crowd) -> Result<Arc<SqliteStore>> {
    Ok(Arc::new(SqliteStore::open(&minds::file(workshop, crowd)?, Options::default())?))
}

/// Somebody is asked something.
fn ask(engine: &Engine, number: usize, dice: &mut Dice) -> Result<Recall> {
    let message = CueMessage { content: sentence(dice, 6), speaker: None };
    let cue = Cue {
        message: Some(message),
        history_limit: Some(LINES),
        ..Cue::new(Who::Id(minds::character(number)?), Place::Conversation(minds::room(number)?))
    };
    let recall = engine.recall(&minds::world_id()?, &cue)?;
    ensure!(recall.degraded.is_empty(), "{:?}", recall.degraded);
    Ok(recall)
}

fn of_size(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (hour, name) in [("calendar", ""), ("wall", ", fading by the clock")] {
        let mut engines = Vec::new();
        for crowd in [FEW, MANY] {
            let store = open(workshop, crowd)?;
            let settings = [("layers.hour".to_owned(), hour.to_owned())].into_iter().collect();
            let made = engine(&store);
            made.put_world(&minds::world_id()?, WorldPatch { preset: None, settings })?;
            if hour == "calendar" {
                rows.push(cold(&store, crowd)?);
            }
            engines.push(made);
        }
        let [few, many] = engines.as_slice() else { anyhow::bail!("there are two sizes") };
        let (mut dice, mut same) = (Dice::new(41), Dice::new(41));
        let (few_time, many_time) = time_both(OFTEN, || ask(few, 0, &mut dice), || ask(many, 0, &mut same))?;
        let told = |engine: &Engine| -> Result<String> {
            let recall = ask(engine, 0, &mut Dice::new(43))?;
            Ok(format!(
                "{} tokens; {} came to mind, {} are told",
                recall.tokens.used,
                recall.memories.len(),
                recall.memories.iter().filter(|memory| memory.fate == Fate::Kept).count()
            ))
        };
        rows.push(Row {
            case: format!("recall among {}{name}", FEW.memories),
            time: few_time,
            against: None,
            note: told(few)?,
        });
        rows.push(Row {
            case: format!("recall among {}{name}", MANY.memories),
            time: many_time,
            against: Some(Against {
                name: "among 10000",
                time: few_time,
                ratio: many_time.over(few_time),
                target: Target::AtMost(10.0),
            }),
            note: format!("{}; {}", told(many)?, bound(many_time)),
        });
        rows.push(again(many, name)?);
    }
    Ok(rows)
}

/// Whoever asks the same once more, before anything changed.
fn again(engine: &Engine, name: &str) -> Result<Row> {
    let (mut dice, mut same) = (Dice::new(45), Dice::new(45));
    let (first, again) = time_both(OFTEN, || ask(engine, 0, &mut dice), || ask(engine, 0, &mut same))?;
    Ok(Row {
        case: format!("the same again among {}{name}", MANY.memories),
        time: again,
        against: Some(Against {
            name: "the first time",
            time: first,
            ratio: again.over(first),
            target: Target::None,
        }),
        note: String::new(),
    })
}

fn bound(time: Time) -> String {
    let p99 = time.p99.as_secs_f64() * 1e3;
    format!("100 ms {}", if p99 <= BOUND_MS { "holds" } else { "does not hold" })
}

/// The first prompt of a process reads the whole mind.
fn cold(store: &Arc<SqliteStore>, crowd: Crowd) -> Result<Row> {
    let mut samples = Vec::new();
    let mut note = String::new();
    for seed in 0..COLD as u64 {
        let engine = engine(store);
        let start = Instant::now();
        ask(&engine, 0, &mut Dice::new(seed))?;
        samples.push(start.elapsed());
        let at_hand = engine.minds_at_hand();
        note = format!(
            "{:.0} MB at hand, {:.2} kB a memory",
            at_hand.bytes as f64 / 1e6,
            at_hand.bytes as f64 / crowd.memories as f64 / 1e3
        );
    }
    Ok(Row {
        case: format!("the first recall among {}", crowd.memories),
        time: Time::of(samples),
        against: None,
        note,
    })
}

fn of_crowd(workshop: &Workshop) -> Result<Vec<Row>> {
    let store = open(workshop, EVERYBODY)?;
    let engine = engine(&store);
    let mut dice = Dice::new(47);
    let mut first = Vec::new();
    for number in 0..EVERYBODY.characters {
        let start = Instant::now();
        ask(&engine, number, &mut dice)?;
        first.push(start.elapsed());
    }
    let at_hand = engine.minds_at_hand();
    ensure!(at_hand.minds == EVERYBODY.characters, "{} are in mind", at_hand.minds);
    let note = format!("{:.0} MB at hand", at_hand.bytes as f64 / 1e6);
    let cold = Row {
        case: "the first recall of each of 10000 characters with 100".to_owned(),
        time: Time::of(first),
        against: None,
        note,
    };
    let alone = self::engine(&store);
    let (mut whose, mut said, mut same) = (Dice::new(53), Dice::new(59), Dice::new(59));
    let (any, one) = time_both(
        Often { warm_up: 50, samples: 2000 },
        || ask(&engine, whose.below(EVERYBODY.characters), &mut said),
        || ask(&alone, 0, &mut same),
    )?;
    let against =
        Against { name: "always the same one", time: one, ratio: any.over(one), target: Target::AtMost(1.5) };
    let warm = Row {
        case: "any of 10000 characters with 100".to_owned(),
        time: any,
        against: Some(against),
        note: String::new(),
    };
    Ok(vec![cold, warm])
}
