//! `reverie recall`: the prompt for a character about to speak, or with `--explain` why each memory is in it or is not.

use reverie_api::wire::{CueBody, Explained, RecallView, RecalledView};
use reverie_core::{Degraded, Error, Result, WorldId};
use serde_json::{Map, Value, json};

use super::export::check_world;
use super::lore::pairs;
use super::{conversations, people};
use crate::data;
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    world: String,
    /// Who is about to speak: an id, or a name that one alone bears.
    character: String,
    /// Where, by its name or id; instead of it: --among.
    #[arg(long, short, value_name = "CONVERSATION", conflicts_with = "among")]
    conversation: Option<String>,
    /// Among whom, the character included; repeat for several.
    #[arg(long, value_name = "CHARACTER")]
    among: Vec<String>,
    /// What was just said, and is not recorded; absent: the newest line.
    #[arg(long, short, value_name = "TEXT")]
    message: Option<String>,
    /// Who said it.
    #[arg(long, value_name = "CHARACTER", requires = "message")]
    speaker: Option<String>,
    /// Others who are given a voice by the same prompt; repeat for several.
    #[arg(long, value_name = "CHARACTER")]
    with: Vec<String>,
    /// What is felt; repeat for several.
    #[arg(long, value_name = "EMOTION")]
    mood: Vec<String>,
    /// Tokens of the prompt at most.
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    /// Quote nothing that these people said with others around: such things come to mind like all others.
    #[arg(long)]
    no_background: bool,
    /// As it would have been at this revision of the world.
    #[arg(long, value_name = "REVISION")]
    as_of: Option<u64>,
    /// A setting of recall or lore for this prompt alone, over the world's and the character's: recall.threshold=0.1; repeat for several.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// A table of every memory that came to mind: how near it is by each leg, and why it is in the prompt or is not.
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let mut cue = cue(options).map_err(Failure::usage)?;
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = WorldId::new(&options.world)?;
    check_world(engine, &world)?;
    let known = people::find(engine, &world, &options.character)?;
    if let Some(character) = &known {
        cue.insert("character".to_owned(), json!(character.id.as_str()));
    }
    if let Some(name) = &options.conversation {
        let conversation = conversations::existing(engine, &world, name)?;
        cue.insert("conversation".to_owned(), json!(conversation.id.as_str()));
    }
    let body: CueBody = serde_json::from_value(Value::Object(cue)).map_err(|error| {
        Failure::usage(Error::invalid(error.to_string()).hint("see `reverie recall --help`"))
    })?;
    let cue = body.into_cue(engine.limits())?;
    let mut recall = engine.recall(&world, &cue)?;
    if known.is_none() {
        // With lines of its own a prompt needs nobody whom the world knows; whoever types a name means somebody.
        let nobody = engine.unknown_character(&world, &cue.character)?;
        recall.degraded.retain(|degraded| *degraded != nobody);
        recall.degraded.push(Degraded { hint: people::others(engine, &world)?, ..nobody });
    }
    let told = if options.explain { Explained::All } else { Explained::Nothing };
    let recall = RecallView::new(recall, told);
    let voices = if options.with.is_empty() { Voices::One } else { Voices::Several };
    let name_of = |id: &str| people::name_of(engine, &world, id);
    let text = if options.explain { explained(&recall, voices, &name_of) } else { prompt(&recall) };
    output.answer(&text, &serde_json::to_value(&recall).unwrap_or_default());
    Ok(())
}

fn cue(options: &Options) -> Result<Map<String, Value>> {
    let mut cue = Map::new();
    cue.insert("character".to_owned(), json!(options.character));
    match &options.conversation {
        Some(conversation) => cue.insert("conversation".to_owned(), json!(conversation)),
        None if options.among.is_empty() => cue.insert("history".to_owned(), json!([])),
        None => cue.insert("participants".to_owned(), json!(options.among)),
    };
    if let Some(message) = &options.message {
        cue.insert("message".to_owned(), json!({"content": message, "speaker": options.speaker}));
    }
    cue.insert("with".to_owned(), json!(options.with));
    cue.insert("mood".to_owned(), json!(options.mood));
    cue.insert("budget".to_owned(), json!(options.budget));
    cue.insert("background".to_owned(), json!(!options.no_background));
    cue.insert("as_of".to_owned(), json!(options.as_of));
    cue.insert("settings".to_owned(), Value::Object(pairs(&options.settings, "--set")?));
    Ok(cue)
}

/// As a model would get it.
pub(super) fn prompt(recall: &RecallView) -> String {
    let mut text = String::new();
    for message in &recall.messages {
        text += &format!("── {}\n{}\n\n", message.role.as_str(), message.content);
    }
    text += &footer(recall);
    text
}

/// Who is about to speak: of several, each memory says whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voices {
    One,
    Several,
}

pub(super) fn explained(recall: &RecallView, voices: Voices, name_of: &dyn Fn(&str) -> String) -> String {
    let considered = recall.considered.as_deref().unwrap_or_default();
    let fates: Vec<String> = considered.iter().map(|one| fate(one, name_of)).collect();
    let width = fates.iter().map(|fate| fate.chars().count()).max().unwrap_or_default().max(FATE.len());
    let mut text = format!("{HEADING}{FATE:<width$}  memory\n");
    for (one, fate) in considered.iter().zip(&fates) {
        text += &row(one, &format!("{fate:<width$}"), voices);
    }
    if considered.is_empty() {
        text += "nothing came to mind\n";
    }
    let by_fate = |fate: &str| considered.iter().filter(|one| one.fate.as_str() == fate).count();
    text += &format!(
        "\n{}, {} of them in the prompt\n",
        counted(considered.len() as u64, "memory came to mind", "memories came to mind"),
        by_fate("kept")
    );
    text += &footer(recall);
    text
}

const HEADING: &str = "  #  score  near   kind  age   words  mean   key    time   mood   rel    ";
const FATE: &str = "fate";

/// What became of it, in as many characters as it takes: the column is as wide as the longest.
fn fate(one: &RecalledView, name_of: &dyn Fn(&str) -> String) -> String {
    if let Some(lacking) = &one.lacked_by {
        let names: Vec<String> = lacking.iter().map(|id| name_of(id)).collect();
        return format!("{} (unknown to {})", one.fate.as_str(), names.join(", "));
    }
    match &one.alike {
        Some(other) => format!("{} of {other}", one.fate.as_str()),
        None if one.constant => format!("{} (constant)", one.fate.as_str()),
        None => one.fate.as_str().to_owned(),
    }
}

fn row(one: &RecalledView, fate: &str, voices: Voices) -> String {
    let whose = match voices {
        Voices::One => String::new(),
        Voices::Several => format!(" {{{}}}", one.known_by.join(", ")),
    };
    let parts = &one.parts;
    let part = |value: f32| if value > 0.0 { format!("{value:.3}") } else { "  ·  ".to_owned() };
    format!(
        "{:>3}  {:.3}  {:.3}  {:.2}  {:.2}  {}  {}  {}  {}  {}  {}  {fate}  {} [{}]{whose} {}\n",
        one.rank,
        one.score,
        one.nearness,
        one.weight,
        one.time_factor,
        part(parts.lexical),
        part(parts.semantic),
        part(parts.keyword),
        part(parts.temporal),
        part(parts.emotional),
        part(parts.related),
        one.id,
        one.kind.as_str(),
        shortened(&one.text)
    )
}

/// In a table a memory has one line.
const SHOWN_CHARS: usize = 60;

fn shortened(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

fn footer(recall: &RecallView) -> String {
    let mut text = format!("{} of {} tokens\n", recall.tokens.used, recall.tokens.budget);
    for degraded in &recall.degraded {
        text += &format!("note: {} ({})\n", degraded.message, degraded.hint);
    }
    text
}
