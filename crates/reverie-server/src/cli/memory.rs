//! `reverie memory`: one memory, read and changed. A server may be running on the file.

use reverie_api::wire::{HoldingView, MemoryHistoryView, MemoryStateView, MomentView, SharedMemoryView};
use reverie_core::memory::{Held, Kind};
use reverie_core::{CharacterId, Code, Engine, Error, MemoryId, MemoryPatch, Remember, Result, WorldId};

use super::export::check_world;
use super::written::{self, Told};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Write one by hand, for one character.
    Create(Create),
    /// A memory, and what it is to each who has it.
    Show(Which),
    /// It neither fades nor takes a place.
    Pin(Which),
    /// It may fade again.
    Unpin(Which),
    /// Reword it, or weigh it anew; the memory's own text and weight are kept.
    Edit(Edit),
    /// In no prompt and no list any more. `undo` brings it back.
    Forget(Forget),
    /// Take back the last change, or go back to a revision; without --holder for all whom it concerned. What was only added is
    /// let go, and what it took the place of counts again.
    Undo(Undo),
    /// Every state that it had, oldest first.
    History(Which),
}

#[derive(Debug, clap::Args)]
pub(super) struct Create {
    world: String,
    /// Who has it in mind.
    character: String,
    /// What it says.
    text: String,
    /// episodic, semantic, trait or goal.
    #[arg(long, default_value = "episodic")]
    kind: String,
    /// It neither fades nor takes a place.
    #[arg(long)]
    pinned: bool,
    /// It may be told to everyone, whoever witnessed it.
    #[arg(long)]
    shareable: bool,
    #[command(flatten)]
    told: Told,
}

#[derive(Debug, clap::Args)]
pub(super) struct Which {
    world: String,
    /// The number that `reverie memories` shows.
    memory: String,
    /// For this character alone; without it for all who have it.
    #[arg(long, value_name = "CHARACTER")]
    holder: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Edit {
    #[command(flatten)]
    which: Which,
    /// The new text; an empty one gives back the memory's own.
    #[arg(long, required_unless_present = "importance")]
    text: Option<String>,
    /// 0 to 1.
    #[arg(long, value_name = "WEIGHT")]
    importance: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Forget {
    #[command(flatten)]
    which: Which,
    /// The lines that it was made of, too: they are in no view of those who forget them, and nothing is derived from them for them.
    #[arg(long)]
    lines: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Undo {
    #[command(flatten)]
    which: Which,
    /// Of the world, as `reverie memory history` shows it.
    #[arg(long)]
    revision: Option<u64>,
}

pub(super) fn run(output: Output, settings: &Settings, command: Command) -> Result<(), Failure> {
    let patch = MemoryPatch::default();
    match command {
        Command::Create(new) => create(output, settings, new),
        Command::Show(which) => Found::read(settings, &which)?.show(output),
        Command::History(which) => Found::read(settings, &which)?.history(output),
        Command::Undo(undo) => Found::to_change(settings, &undo.which)?.undo(output, undo.revision),
        Command::Pin(which) => {
            Found::to_change(settings, &which)?.change(output, MemoryPatch { pinned: Some(true), ..patch })
        }
        Command::Unpin(which) => {
            Found::to_change(settings, &which)?.change(output, MemoryPatch { pinned: Some(false), ..patch })
        }
        Command::Forget(Forget { which, lines }) => {
            let patch = MemoryPatch { forgotten: Some(true), lines, ..patch };
            let found = Found::to_change(settings, &which)?;
            found.change(output, patch)?;
            if lines { Ok(()) } else { found.note_lines(output, "; with --lines they are forgotten, too") }
        }
        Command::Edit(Edit { which, text, importance }) => {
            let text = text.map(|text| Some(text).filter(|text| !text.is_empty()));
            let is_reworded = text.as_ref().is_some_and(Option::is_some);
            let patch = MemoryPatch { text, importance: importance.map(Some), ..patch };
            let found = Found::to_change(settings, &which)?;
            found.change(output, patch)?;
            if is_reworded { found.note_lines(output, "") } else { Ok(()) }
        }
    }
}

fn create(output: Output, settings: &Settings, new: Create) -> Result<(), Failure> {
    let kind = Kind::from_name(&new.kind).map_err(Failure::usage)?;
    let remember = new.told.remember(new.text, &[new.character], kind)?;
    let remember = Remember { pinned: new.pinned, shareable: new.shareable, ..remember };
    let (_, api) = data::open_to_change(settings)?;
    let world = WorldId::new(&new.world)?;
    check_world(api.engine(), &world)?;
    let noted = api.engine().remember(&world, remember)?;
    written::answer(output, api.engine(), &world, noted)
}

/// A memory that is there.
struct Found {
    api: reverie_api::Api,
    world: WorldId,
    memory: MemoryId,
    holder: Option<CharacterId>,
}

impl Found {
    fn read(settings: &Settings, which: &Which) -> Result<Self> {
        Self::find(data::open_existing(settings)?.1, which)
    }

    fn to_change(settings: &Settings, which: &Which) -> Result<Self> {
        Self::find(data::open_to_change(settings)?.1, which)
    }

    fn find(api: reverie_api::Api, which: &Which) -> Result<Self> {
        let world = WorldId::new(&which.world)?;
        check_world(api.engine(), &world)?;
        let memory = MemoryId::parse(&which.memory)?;
        let holder = which.holder.as_deref().map(CharacterId::new).transpose()?;
        let found = Self { api, world, memory, holder };
        let holders = found.held()?;
        match &found.holder {
            Some(holder) if !holders.iter().any(|held| held.holder == *holder) => {
                Err(Error::not_found(format!("{holder} does not have the memory {}", found.memory))
                    .hint(format!("these have it: {}", names(&holders))))
            }
            _ => Ok(found),
        }
    }

    fn engine(&self) -> &Engine {
        self.api.engine()
    }

    fn held(&self) -> Result<Vec<Held>> {
        self.engine().memory(&self.world, self.memory).map_err(|error| match error.code() {
            Code::NotFound => Error::not_found(error.message())
                .hint("`reverie memories WORLD CHARACTER --all` shows the numbers"),
            _ => error,
        })
    }

    fn show(&self, output: Output) -> Result<(), Failure> {
        let mut held = self.held()?;
        held.retain(|held| self.holder.as_ref().is_none_or(|holder| held.holder == *holder));
        self.answer(output, held)
    }

    fn change(&self, output: Output, patch: MemoryPatch) -> Result<(), Failure> {
        let changed = self.engine().change_memory(&self.world, self.memory, self.holder.as_ref(), patch)?;
        self.answer(output, changed.value)
    }

    /// Whoever changes what is remembered of lines may think that these change.
    fn note_lines(&self, output: Output, more: &str) -> Result<(), Failure> {
        let of_lines = |held: &Held| !held.memory.sources.is_empty();
        if self.held()?.iter().any(of_lines) {
            output.note(&format!(
                "the lines stay as they were said, and in prompts as long as these quote them{more}"
            ));
        }
        Ok(())
    }

    fn undo(&self, output: Output, revision: Option<u64>) -> Result<(), Failure> {
        let undone = self.engine().undo_memory(&self.world, self.memory, self.holder.as_ref(), revision);
        let undone = undone.map_err(|error| match error.code() {
            Code::Conflict => error.hint("`reverie memory history` shows the states that it had"),
            _ => error,
        });
        self.answer(output, undone?)
    }

    fn history(&self, output: Output) -> Result<(), Failure> {
        let history = self.engine().memory_history(&self.world, self.memory, self.holder.as_ref())?;
        let history = MemoryHistoryView::from(history);
        let text: String = history.states.iter().map(told_state).collect();
        output.answer(&text, &serde_json::to_value(&history).unwrap_or_default());
        Ok(())
    }

    fn answer(&self, output: Output, held: Vec<Held>) -> Result<(), Failure> {
        let remembered = self.engine().with_standings(&self.world, held)?;
        let view = SharedMemoryView::of(remembered)
            .ok_or_else(|| Error::not_found(format!("nobody has the memory {} any more", self.memory)))?;
        output.answer(&told_memory(&view), &serde_json::to_value(&view).unwrap_or_default());
        Ok(())
    }
}

/// What it says, and what it is to each who has it.
pub(super) fn told_memory(view: &SharedMemoryView) -> String {
    let mut text =
        format!("{}  {}, {}\n", view.facts.id, view.facts.kind.as_str(), view.facts.origin.as_str());
    text.extend(view.text.lines().map(|line| format!("    {line}\n")));
    text.extend(view.holders.iter().map(told_holder));
    text
}

fn names(held: &[Held]) -> String {
    held.iter().map(|held| held.holder.as_str()).collect::<Vec<_>>().join(", ")
}

fn told_holder(view: &HoldingView) -> String {
    let holding = &view.holding;
    let mut facts: Vec<String> = Vec::new();
    facts.extend(holding.layer.map(|layer| layer.as_str().to_owned()));
    facts.extend(holding.activity.map(|activity| format!("activity {activity:.2}")));
    facts.extend(holding.dormant.map(|why| format!("dormant: {}", why.as_str())));
    facts.extend(marks(holding.pinned, holding.shareable, holding.forgotten, holding.lines_forgotten));
    facts.extend((!holding.live).then(|| "not in view".to_owned()));
    facts.extend(holding.superseded_by.as_ref().map(|by| format!("superseded by {by}")));
    facts.extend(holding.valid_until.as_ref().map(|moment| format!("valid until {}", told_moment(moment))));
    facts.extend(view.importance.map(|importance| format!("importance {importance:.2}")));
    facts.extend(view.text.as_ref().map(|text| format!("says: {text}")));
    format!("{}: {}\n", holding.holder, facts.join(", "))
}

/// By the host's clock, where it has one.
fn told_moment(moment: &MomentView) -> String {
    let tick = moment.tick.map(|tick| format!("tick {tick}"));
    tick.or_else(|| moment.time.clone()).unwrap_or_else(|| "?".to_owned())
}

fn told_state(state: &MemoryStateView) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend((!state.held).then(|| "not there".to_owned()));
    facts.extend(state.layer.map(|layer| layer.as_str().to_owned()));
    facts.extend(marks(state.pinned, state.shareable, state.forgotten, state.lines_forgotten));
    facts.extend(state.importance.map(|importance| format!("importance {importance:.2}")));
    facts.extend(state.summarised_by.as_ref().map(|by| format!("summed up by {by}")));
    facts.extend(state.superseded_by.as_ref().map(|by| format!("superseded by {by}")));
    facts.extend(state.valid_until.as_ref().map(|moment| format!("valid until {}", told_moment(moment))));
    facts.extend(state.text.as_ref().map(|text| format!("says: {text}")));
    format!("{}, revision {}: {}\n", state.holder, state.revision, facts.join(", "))
}

fn marks(pinned: bool, shareable: bool, forgotten: bool, lines: bool) -> impl Iterator<Item = String> {
    let forgotten = [(forgotten && !lines, "forgotten"), (forgotten && lines, "forgotten with its lines")];
    let marks = [(pinned, "pinned"), (shareable, "shareable")].into_iter().chain(forgotten);
    marks.filter(|(is_so, _)| *is_so).map(|(_, mark)| mark.to_owned())
}
