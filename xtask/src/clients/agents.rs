//! Do the MCP SDK's own client and code for mem0's REST server get along with the real binary?

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::packages::python;
use crate::report::Tally;
use crate::run::{Echo, run, succeeded};
use crate::server::Server;

const TOUR_LIMIT: Duration = Duration::from_secs(5 * 60);
const PACKAGES: &[&str] = &["mcp==2.3.0", "requests==2.34.2"];
const TOKEN: &str = "rv_clients0123456789abcdef01234567";

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let python = match python(environment, "clients-agents", PACKAGES, &[]) {
        Ok(python) => python,
        Err(why) => {
            println!("skipped: no clients to be had: {why:#}");
            return Ok(Tally::SKIPPED);
        }
    };
    let scratch = Scratch::new("clients")?;
    let binary = docs::binary(environment)?;
    let scripts = environment.root.join("xtask/clients");
    let server = Server::start(&binary, scratch.path(), &[("REVERIE_TOKEN", TOKEN)])?;
    let started = scratch.path().join("started");
    let (binary, started) = (binary.to_string_lossy(), started.to_string_lossy());
    let tools = format!("{}/mcp", server.address);
    tour(&python, &scripts.join("mem0_calls.py"), &[&server.address, TOKEN])?;
    tour(&python, &scripts.join("mcp_tools.py"), &["http", &tools, TOKEN])?;
    tour(&python, &scripts.join("mcp_tools.py"), &["stdio", &binary, &started])?;
    Ok(Tally::PASSED)
}

fn tour(python: &Path, script: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(python);
    command.arg(script).args(arguments);
    let ended = run(&mut command, TOUR_LIMIT, Echo::None)?;
    for line in ended.stdout.lines() {
        println!("  {line}");
    }
    succeeded(&command, &ended, TOUR_LIMIT)
}
