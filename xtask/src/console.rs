//! Does the console do what it promises, in a real browser, before the real binary?

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::bench;
use crate::browser::chromium;
use crate::clients::checks;
use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::packages::node;
use crate::report::Tally;
use crate::server::Server;

const PACKAGES: &[&str] = &["playwright-core@1.65.0", "axe-core@4.14.0"];
const RELEASE: &str = "--release";
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// Of the server that wants one; opens nothing else.
const TOKEN: &str = "rv_0000000000000000000000000000000000000000000000000000000000c0501e";

/// `arguments`: only these flows; with `--shots=FOLDER` pictures are kept, with `--release` the binary is one for measuring.
pub(crate) fn check(environment: &Environment, arguments: &[String]) -> Result<Tally> {
    let (options, flows): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with("--"));
    let program = match chromium::find_or_install(environment) {
        Ok(program) => program,
        Err(why) => return skip(&why),
    };
    let (node, folder) = match node(environment, "console-node", PACKAGES) {
        Ok(found) => found,
        Err(why) => return skip(&why),
    };
    let binary = match options.iter().any(|option| option == RELEASE) {
        true => bench::binary(environment, "reverie-server", "reverie")?,
        false => docs::binary(environment)?,
    };
    let scratch = Scratch::new("console")?;
    let server = Server::start(&binary, scratch.path(), &[])?;
    let guarded_scratch = Scratch::new("console-token")?;
    let guarded = Server::start(&binary, guarded_scratch.path(), &[("REVERIE_TOKEN", TOKEN)])?;
    let mut command = Command::new(node);
    command
        .arg(environment.root.join("xtask/console/run.mjs"))
        .current_dir(folder)
        .env("REVERIE", &server.address)
        .env("REVERIE_GUARDED", &guarded.address)
        .env("REVERIE_GUARDED_TOKEN", TOKEN)
        .env("CHROMIUM", program)
        .env("FLOWS", flows.join(","));
    for option in options.iter().filter(|option| *option != RELEASE) {
        let Some(folder) = option.strip_prefix("--shots=") else {
            bail!("there is no option {option}; there are --shots=FOLDER and {RELEASE}");
        };
        command.env("SHOTS", environment.root.join(folder));
    }
    checks(&mut command, "console", LIMIT)
}

fn skip(why: &anyhow::Error) -> Result<Tally> {
    println!("skipped: the console is tried in no browser: {why:#}");
    Ok(Tally::SKIPPED)
}
