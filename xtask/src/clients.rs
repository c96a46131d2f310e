//! Do clients that others wrote get along with the real binary: the MCP SDK's own, and code for mem0's REST server? And does a
//! store come over that mem0 itself has made?
//!
//! Each is a script in `xtask/clients`, run by a Python of its own with packages from the package index.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::json::at;
use crate::report::Tally;
use crate::run::{Echo, output, run, succeeded};
use crate::server::Server;

const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);
const TOUR_LIMIT: Duration = Duration::from_secs(5 * 60);
const PACKAGES: &[&str] = &["mcp==2.3.0", "requests==2.34.2", "mem0ai==2.2.1"];
const TOKEN: &str = "rv_clients0123456789abcdef01234567";

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let python = match install(environment) {
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

/// A Python that has the packages, in a folder of its own beside what cargo builds.
fn install(environment: &Environment) -> Result<PathBuf> {
    let Some(python) = environment.program("python3") else { bail!("there is no python3") };
    let folder = environment.target()?.join("clients");
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if has_packages(&own) {
        return Ok(own);
    }
    println!("installing {}", PACKAGES.join(", "));
    let mut venv = Command::new(python);
    venv.args(["-m", "venv", "--clear"]).arg(&folder);
    let ended = run(&mut venv, INSTALL_LIMIT, Echo::None)?;
    succeeded(&venv, &ended, INSTALL_LIMIT)?;
    let mut pip = Command::new(&own);
    pip.args(["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]).args(PACKAGES);
    let ended = run(&mut pip, INSTALL_LIMIT, Echo::None)?;
    succeeded(&pip, &ended, INSTALL_LIMIT)?;
    if !has_packages(&own) {
        bail!("the packages were installed and cannot be imported");
    }
    Ok(own)
}

/// As they are named above, and no others.
fn has_packages(python: &Path) -> bool {
    let wanted = PACKAGES.iter().map(|package| format!("{package:?}")).collect::<Vec<_>>().join(", ");
    let probe = format!(
        "from importlib.metadata import version\nfor p in [{wanted}]:\n  name, want = p.split('==')\n  assert version(name) == want"
    );
    python.is_file() && output(Command::new(python).args(["-c", &probe]), INSTALL_LIMIT).is_ok()
}
