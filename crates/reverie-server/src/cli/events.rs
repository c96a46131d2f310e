//! `reverie events add`: something happened in a world, and these saw it.

use reverie_core::WorldId;
use reverie_core::memory::Kind;

use super::export::check_world;
use super::written::{self, Told};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Something happened: it becomes a situational memory of everybody who saw it.
    Add(Add),
}

#[derive(Debug, clap::Args)]
pub(super) struct Add {
    world: String,
    /// What happened.
    text: String,
    /// Who saw it; repeat for several.
    #[arg(long, required = true, value_name = "CHARACTER")]
    witness: Vec<String>,
    #[command(flatten)]
    told: Told,
}

pub(super) fn run(output: Output, settings: &Settings, command: Command) -> Result<(), Failure> {
    let Command::Add(Add { world, text, witness, told }) = command;
    let event = told.remember(text, &witness, Kind::Episodic)?;
    let (_, api) = data::open_to_change(settings)?;
    let world = WorldId::new(&world)?;
    check_world(api.engine(), &world)?;
    let noted = api.engine().event(&world, event)?;
    written::answer(output, api.engine(), &world, noted)
}
