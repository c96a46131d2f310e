//! `reverie round`: one exchange, opened and ended. A server may be running on the file.

use reverie_api::wire::RoundView;
use reverie_core::round::{CloseRound, Ending};
use reverie_core::{Code, ConversationId, Engine, Error, LineId, Result, Round, RoundId, WorldId};
use serde_json::json;

use super::export::check_world;
use super::rounds::told;
use super::written::people;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Begin one; lines that are recorded with its number belong to it.
    Open(Open),
    /// It was shown to its end, or through a line; it will be remembered.
    Complete(Close),
    /// It was broken off: of what was not shown nothing will be remembered.
    Abort(Close),
}

#[derive(Debug, clap::Args)]
pub(super) struct Open {
    world: String,
    conversation: String,
    /// Who is there, silent ones too; repeat for several. Default: those present in the conversation.
    #[arg(long, value_name = "CHARACTER")]
    present: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Close {
    world: String,
    /// The number that `reverie rounds` shows.
    round: String,
    /// The last line that was shown. Default: of a complete round all of them, of an aborted one what users said.
    #[arg(long, value_name = "LINE")]
    shown_through: Option<String>,
}

pub(super) fn run(output: Output, settings: &Settings, command: Command) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let round = match command {
        Command::Open(open) => {
            let world = WorldId::new(&open.world)?;
            check_world(engine, &world)?;
            let present = (!open.present.is_empty()).then(|| people(&open.present)).transpose();
            let present = present.map_err(Failure::usage)?;
            let opened = engine.open_round(&world, &ConversationId::new(&open.conversation)?, present);
            opened.map_err(|error| unknown(error, "name a conversation by its id"))?.value
        }
        Command::Complete(close) => close.run(engine, Ending::Complete)?,
        Command::Abort(close) => close.run(engine, Ending::Aborted)?,
    };
    let round = RoundView::from(round);
    output.answer(told(&round).trim_end(), &json!(round));
    Ok(())
}

impl Close {
    fn run(self, engine: &Engine, ending: Ending) -> Result<Round, Failure> {
        let world = WorldId::new(&self.world)?;
        check_world(engine, &world)?;
        let shown_through = self.shown_through.as_deref().map(LineId::parse).transpose()?;
        let closed = RoundId::parse(&self.round)
            .and_then(|round| engine.close_round(&world, round, CloseRound { ending, shown_through }));
        Ok(closed.map_err(|error| unknown(error, "`reverie rounds WORLD CONVERSATION` shows the numbers"))?)
    }
}

fn unknown(error: Error, hint: &str) -> Error {
    match error.code() {
        Code::NotFound => Error::not_found(error.message()).hint(hint),
        _ => error,
    }
}
