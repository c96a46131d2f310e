//! How long does a host wait for a prompt of 16 000 tokens?

use std::sync::Arc;

use anyhow::{Context, Result};
use reverie::SystemClock;
use reverie_core::conversation::OpenConversation;
use reverie_core::cue::CueMessage;
use reverie_core::line::{NewLine, Wording};
use reverie_core::store::{Gather, Place};
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, CharacterId, Cue, Engine, Limits, Record, Store, Who, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::{Dice, feeling, words};
use crate::history::LARGE;
use crate::measure::{Often, time};
use crate::table::Row;
use crate::world::{self, AUTUMN, SPRING};

const BUDGET: usize = 16_384;
const LINES: usize = 5000;
const OFTEN: Often = Often { warm_up: 5, samples: 100 };

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let path = workshop.folder.join("recall.db");
    world::remove(&path);
    let store = Arc::new(SqliteStore::open(&path, Options::default())?);
    let engine = Engine::new(store.clone(), Arc::new(SystemClock), Limits::default());
    let mut rows = Vec::new();
    for counter in ["estimate", "o200k"] {
        let id = WorldId::new(counter)?;
        let settings = [("prompt.counter".to_owned(), counter.to_owned())].into_iter().collect();
        engine.put_world(&id, WorldPatch { preset: None, settings })?;
        let cue = long_conversation(&engine, &id)?;
        let recall = engine.recall(&id, &cue)?;
        let note = format!(
            "{} of {} tokens, {} messages",
            recall.tokens.used,
            recall.tokens.budget,
            recall.messages.len()
        );
        rows.push(row(
            &format!("recall, counter {counter}"),
            time(OFTEN, || Ok(engine.recall(&id, &cue)?))?,
            note,
        ));
        if counter == "estimate" {
            let gather = gather(&cue);
            let lines = store.gather(&id, &gather)?.window.len();
            rows.push(row(
                "  of it reading",
                time(OFTEN, || Ok(store.gather(&id, &gather)?))?,
                format!("{lines} lines"),
            ));
        }
    }
    let large =
        Engine::new(Arc::new(world::store(workshop, LARGE)?), Arc::new(SystemClock), Limits::default());
    let id = world::world_id()?;
    let people = vec![who(SPRING)?, who(AUTUMN)?];
    let cue = with_message(Cue::new(who(SPRING)?, Place::Among(people)));
    let recall = large.recall(&id, &cue)?;
    let note = format!("{} tokens, {} messages", recall.tokens.used, recall.messages.len());
    rows.push(row(
        "recall of a short talk among 1M lines",
        time(OFTEN, || Ok(large.recall(&id, &cue)?))?,
        note,
    ));
    Ok(rows)
}

fn row(case: &str, time: crate::measure::Time, note: String) -> Row {
    Row { case: case.to_owned(), time, against: None, note }
}

fn who(name: &str) -> Result<Who> {
    Ok(Who::Id(CharacterId::new(name)?))
}

fn with_message(cue: Cue) -> Cue {
    let content = "你还记得我来找谁吗？".to_owned();
    Cue {
        message: Some(CueMessage { content, speaker: None }),
        system: Some("你叫春，住在灯塔里。".to_owned()),
        ..cue
    }
}

/// More lines than a window holds, and the cue for the next one.
fn long_conversation(engine: &Engine, world: &WorldId) -> Result<Cue> {
    let participants = vec![who(SPRING)?, who(AUTUMN)?, who("莱姆")?];
    let open = OpenConversation { participants: participants.clone(), ..OpenConversation::default() };
    let conversation = engine.open_conversation(world, open)?.value.id;
    let mut dice = Dice::new(17);
    let mut lines = Vec::new();
    for _ in 0..LINES {
        let speaker = dice.pick(&participants).cloned().context("nobody speaks")?;
        let user = speaker == who("莱姆")?;
        lines.push(NewLine {
            wording: Wording {
                content: words(&mut dice, 3),
                original_emotion: feeling(&mut dice),
                ..Wording::default()
            },
            ..NewLine::new(if user { Attribute::User } else { Attribute::Assistant }, Some(speaker), "")
        });
    }
    for batch in lines.chunks(1000) {
        engine.record(world, &conversation, Record { lines: batch.to_vec(), ..Record::default() })?;
    }
    let cue = with_message(Cue::new(who(SPRING)?, Place::Conversation(conversation)));
    Ok(Cue { budget: Some(BUDGET), ..cue })
}

fn gather(cue: &Cue) -> Gather {
    Gather {
        scope: cue.scope,
        window_lines: Limits::default().window_lines,
        budget: cue.budget,
        ..Gather::new(cue.character.clone(), cue.place.clone())
    }
}
