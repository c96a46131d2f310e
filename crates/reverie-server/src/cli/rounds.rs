//! `reverie rounds`: the exchanges of a conversation, and which of them are remembered.

use reverie_api::wire::RoundView;
use reverie_core::{Code, ConversationId, Error, Result, WorldId};
use serde_json::json;

use super::export::check_world;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    world: String,
    conversation: String,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = WorldId::new(&options.world)?;
    check_world(engine, &world)?;
    let conversation = ConversationId::new(&options.conversation)?;
    let mut rounds = Vec::new();
    let mut after = None;
    loop {
        let page = engine.rounds(&world, &conversation, after, engine.limits().page);
        let page = page.map_err(|error| match error.code() {
            Code::NotFound => Error::not_found(error.message()).hint("name a conversation by its id"),
            _ => error,
        })?;
        after = page.items.last().map(|round| round.id);
        rounds.extend(page.items.into_iter().map(RoundView::from));
        if !page.has_more {
            break;
        }
    }
    let mut text: String = rounds.iter().map(told).collect();
    text.push_str(&format!("{} rounds", rounds.len()));
    output.answer(&text, &json!({"rounds": rounds}));
    Ok(())
}

/// One to a line.
pub(super) fn told(round: &RoundView) -> String {
    let how = if round.explicit { "opened" } else { "found" };
    let lines = match (&round.first_line, &round.last_line) {
        (Some(first), Some(last)) => format!(", lines {first} to {last}"),
        _ => String::new(),
    };
    let names: Vec<&str> =
        round.present.iter().map(|one| one.display_name.as_deref().unwrap_or(&one.character)).collect();
    let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!("{}  {}, {how}{lines}{names}\n", round.id, round.state.as_str())
}
