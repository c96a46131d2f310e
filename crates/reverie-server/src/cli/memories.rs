//! `reverie memories`: what a character remembers, as a list or found by words.

use reverie_api::wire::MemoryView;
use reverie_core::memory::{Kind, Layer};
use reverie_core::{CharacterId, MemoriesQuery, MemoryId, Result, WorldId};
use serde_json::json;

use super::export::check_world;
use super::people;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    world: String,
    /// Whose memories: an id, or a name that one alone bears.
    character: String,
    /// Only these: episodic, semantic, trait or goal; repeat for several.
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Only these: active, situational, events or archive; repeat for several.
    #[arg(long, value_name = "LAYER")]
    layer: Vec<String>,
    /// Only about this character; repeat for several.
    #[arg(long, value_name = "CHARACTER")]
    about: Vec<String>,
    /// Those in which these words are, the best first.
    #[arg(long, short, value_name = "WORDS")]
    search: Option<String>,
    /// Also what cannot be recalled now: off the path, forgotten, superseded.
    #[arg(long)]
    all: bool,
    /// The oldest first.
    #[arg(long, conflicts_with = "search")]
    oldest: bool,
    /// At most so many.
    #[arg(long, default_value_t = 50)]
    limit: usize,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let mut query = MemoriesQuery {
        kinds: all(&options.kind, Kind::from_name).map_err(Failure::usage)?,
        layers: all(&options.layer, Layer::from_name).map_err(Failure::usage)?,
        about: all(&options.about, CharacterId::new).map_err(Failure::usage)?,
        all: options.all,
        newest_first: !options.oldest,
        ..MemoriesQuery::of(CharacterId::new(&options.character).map_err(Failure::usage)?)
    };
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = WorldId::new(&options.world)?;
    check_world(engine, &world)?;
    query.holder = people::existing(engine, &world, &options.character)?.id;
    let mut found: Vec<MemoryView> = Vec::new();
    let mut has_more = true;
    while has_more && found.len() < options.limit {
        query.limit = (options.limit - found.len()).min(engine.limits().page);
        let page: (Vec<MemoryView>, bool) = match &options.search {
            Some(words) => {
                let page = engine.search_memories(&world, words, &query, found.len())?;
                (page.items.into_iter().map(MemoryView::from).collect(), page.has_more)
            }
            None => {
                let page = engine.memories(&world, &query)?;
                (page.items.into_iter().map(MemoryView::from).collect(), page.has_more)
            }
        };
        has_more = page.1;
        found.extend(page.0);
        query.after = found.last().and_then(|last| MemoryId::parse(&last.facts.id).ok()).map(Into::into);
    }
    let mut text: String = found.iter().map(told).collect();
    text.push_str(&match (found.len(), has_more) {
        (0, _) => "nothing".to_owned(),
        (count, false) => format!("{count} memories"),
        (count, true) => format!("the first {count} memories; --limit shows more"),
    });
    output.answer(&text, &json!({"memories": found, "more": has_more}));
    Ok(())
}

fn all<T>(names: &[String], parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    names.iter().map(|name| parse(name)).collect()
}

/// A heading, and the text below it.
fn told(memory: &MemoryView) -> String {
    let kind = memory.facts.kind.as_str();
    let mut facts = vec![
        memory.holding.layer.map_or(kind, |layer| layer.as_str()).to_owned(),
        memory.facts.origin.as_str().to_owned(),
        format!("importance {:.2}", memory.importance),
    ];
    facts.extend(memory.holding.activity.map(|activity| format!("activity {activity:.2}")));
    facts.extend(memory.facts.tick.map(|tick| format!("tick {tick}")));
    facts.extend(memory.holding.dormant.map(|why| format!("dormant: {}", why.as_str())));
    let marks = [
        (memory.holding.pinned, "pinned"),
        (memory.holding.shareable, "shareable"),
        (memory.holding.forgotten, "forgotten"),
        (!memory.holding.live, "not on the path"),
        (memory.own_text.is_some(), "reworded"),
    ];
    facts.extend(marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| (*mark).to_owned()));
    let text: String = memory.text.lines().map(|line| format!("    {line}\n")).collect();
    format!("{}  {}\n{text}", memory.facts.id, facts.join(", "))
}
