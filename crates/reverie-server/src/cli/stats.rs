//! `reverie stats`: how much a world holds, and what each character can recall.

use reverie_api::wire::{CharacterStatsView, StatsView};
use reverie_core::{Result, WorldId};

use super::export::check_world;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    world: String,
    /// At most so many characters, in the order of their ids.
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Continue behind this character.
    #[arg(long, value_name = "CHARACTER")]
    after: Option<String>,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = WorldId::new(&options.world)?;
    check_world(engine, &world)?;
    let stats = StatsView::from(engine.stats(&world, options.after.as_deref(), options.limit)?);
    let rounds = &stats.rounds;
    let mut text = format!(
        "{} characters, {} conversations, {} lines\n{} rounds: {} open, {} closed, {} digested\n{} memories; {} conversations wait\n",
        stats.characters,
        stats.conversations,
        stats.lines,
        rounds.open + rounds.closed + rounds.digested,
        rounds.open,
        rounds.closed,
        rounds.digested,
        stats.memories,
        stats.waiting_conversations
    );
    for (space, count) in &stats.embedding.by_space {
        let aside = stats.embedding.set_aside_by_space.get(space).copied().unwrap_or(0);
        let aside = if aside > 0 { format!(", {aside} set aside") } else { String::new() };
        text.push_str(&format!(
            "{count} of {} texts of memories embedded in {space}{aside}\n",
            stats.embedding.texts
        ));
    }
    for aside in &stats.embedding.set_aside {
        let names = [&aside.memory, &aside.character, &aside.book, &aside.entry];
        let named: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
        text.push_str(&format!("set aside: {}: {}\n", named.join(" "), aside.reason));
    }
    text.extend(stats.by_character.items.iter().map(told));
    if stats.by_character.next.is_some() {
        text.push_str("there are more characters; --limit and --after show them");
    }
    output.answer(&text, &serde_json::to_value(&stats).unwrap_or_default());
    Ok(())
}

fn told(of: &CharacterStatsView) -> String {
    let counted = of.by_layer.iter().chain(of.by_kind.iter().filter(|(kind, _)| **kind != "episodic"));
    let mut facts: Vec<String> = counted.map(|(name, count)| format!("{count} {name}")).collect();
    let dormant: usize = of.dormant.values().sum();
    facts.push(format!("{dormant} dormant"));
    facts.push(format!("{} pinned", of.pinned));
    format!("{}: {} memories ({})\n", of.character, of.memories, facts.join(", "))
}
