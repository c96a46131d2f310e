//! Does the plugin of the guide to Koishi do in a real Koishi what the guide says?

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::clients::checks;
use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::packages::node;
use crate::report::Tally;
use crate::server::Server;

const PACKAGES: &[&str] = &["koishi@4.18.11", "@koishijs/plugin-mock@2.6.6"];
const LIMIT: Duration = Duration::from_secs(2 * 60);

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let (node, folder) = match node(environment, "clients-koishi", PACKAGES) {
        Ok(found) => found,
        Err(why) => {
            println!("skipped: Koishi is not to be had: {why:#}");
            return Ok(Tally::SKIPPED);
        }
    };
    let scratch = Scratch::new("clients")?;
    let server = Server::start(&docs::binary(environment)?, scratch.path(), &[])?;
    let mut command = Command::new(node);
    command
        .arg(environment.root.join("xtask/clients/koishi.mjs"))
        .current_dir(folder)
        .env("REVERIE", &server.address)
        .env("GUIDE", environment.root.join("docs/guides/koishi.md"));
    checks(&mut command, "koishi.mjs", LIMIT)
}
