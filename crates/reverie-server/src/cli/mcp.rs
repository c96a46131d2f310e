//! `reverie mcp`: the tools over standard input and output, for a client that starts this program.
//!
//! Standard output carries the protocol and nothing else; everything there is to tell people goes to standard error.

use std::sync::Arc;

use reverie_api::tools::Defaults;
use reverie_core::{CharacterId, Code, Error, Result, WorldId};
use rmcp::ServiceExt as _;

use super::serve;
use crate::http::Admission;
use crate::log;
use crate::mcp::Tools;
use crate::memory::{First, Manner};
use crate::output::Failure;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Clients start it, by a configuration such as {\"command\": \"reverie\", \"args\": [\"mcp\", \"--world\", \"home\"]}; it ends \
                  when they close its standard input. A server may work on the same data file. What an exchange becomes is found by \
                  rules at once, and by the chat model, if one is configured, as in a server.\n\
                  Exit codes: 0 the client left, 1 the data file cannot be used, 2 the command line or a setting is wrong."
)]
pub(super) struct Options {
    /// The world, where a call names none; default: the setting mcp.world. Made when something is added.
    #[arg(long)]
    world: Option<String>,
    /// Whose memories, where a call names nobody; default: the setting mcp.character.
    #[arg(long)]
    character: Option<String>,
}

pub(super) fn run(settings: Settings, options: &Options) -> Result<(), Failure> {
    let world = options.world.as_deref().map(WorldId::new).transpose().map_err(Failure::usage)?;
    let character = options.character.as_deref().map(CharacterId::new).transpose().map_err(Failure::usage)?;
    let defaults = Defaults {
        world: world.unwrap_or_else(|| settings.mcp.world.clone()),
        character: character.unwrap_or_else(|| settings.mcp.character.clone()),
    };
    log::start(settings.log);
    let runtime = serve::runtime(&settings)?;
    let drain_timeout = settings.limits.drain_timeout;
    let result = runtime.block_on(talk(settings, defaults));
    // Reading standard input cannot be broken off.
    runtime.shutdown_timeout(drain_timeout.min(std::time::Duration::from_millis(200)));
    Ok(result?)
}

async fn talk(settings: Settings, defaults: Defaults) -> Result<()> {
    let settings = Arc::new(settings);
    let serve::Prepared { memory, api, .. } =
        serve::prepare(&settings, Manner { fail_fast: true, expect_data: false })?;
    let (trying, first) = memory.open()?;
    if let Ok(First::Refused(error)) = first.await {
        return Err(error);
    }
    let limits = &settings.limits;
    let tools = Tools::new(
        serve::dispatch(api, &memory),
        defaults,
        Admission::new(limits.concurrent, limits.queue),
        limits.request_timeout,
    );
    let ended = match tools.serve(rmcp::transport::stdio_pipes()).await {
        Ok(served) => served.waiting().await.map(|_| ()).map_err(|error| broken(&error)),
        // A client that left without a word is none that failed.
        Err(error) => {
            tracing::debug!(%error, "the client did not begin");
            Ok(())
        }
    };
    drop(trying);
    memory.stop(limits.drain_timeout);
    ended
}

fn broken(error: &dyn std::fmt::Display) -> Error {
    Error::new(Code::Internal, format!("the talk with the client broke off: {error}"))
}
