//! Do the MCP SDK's own client and code for mem0's REST server get along with the real binary? And does a store come over that mem0
//! itself has made?

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::json::at;
use crate::packages::python;
use crate::report::Tally;
use crate::run::{Echo, output, run, succeeded};
use crate::server::Server;

const TOUR_LIMIT: Duration = Duration::from_secs(5 * 60);
const PACKAGES: &[&str] = &["mcp==2.3.0", "requests==2.34.2", "mem0ai==2.2.1"];
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
    bring_store(&python, &scripts, &binary, scratch.path())?;
    Ok(Tally::PASSED)
}

/// A store that mem0 itself has made: from its folder, and from what `get_all` answers, which is the same again.
fn bring_store(python: &Path, scripts: &Path, binary: &str, scratch: &Path) -> Result<()> {
    let store = scratch.join("mem0");
    std::fs::create_dir_all(&store)?;
    tour(python, &scripts.join("mem0_store.py"), &[&store.to_string_lossy()])?;
    let answered = store.join("all.json");
    for (from, expected) in [(&store, [2, 0, 0]), (&answered, [0, 0, 2])] {
        let mut import = Command::new(binary);
        import.args(["import", "--json", "--from", "mem0", "--data"]).arg(scratch.join("brought")).arg(from);
        let told: Value = serde_json::from_str(&output(&mut import, TOUR_LIMIT)?)?;
        let counts = ["/new", "/changed", "/same"].map(|name| at(&told, name).as_u64().unwrap_or_default());
        if counts != expected {
            bail!("{}: {told}", from.display());
        }
    }
    let mut list = Command::new(binary);
    list.args(["memories", "mem0", "alice", "--data"]).arg(scratch.join("brought"));
    let listed = output(&mut list, TOUR_LIMIT)?;
    if !listed.contains("Dolomites") || !listed.contains("钦灵怕水") || listed.contains("Noted") {
        bail!("other memories than mem0 had: {listed}");
    }
    println!("  a store that mem0 made, from its folder and from what it answers");
    Ok(())
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
