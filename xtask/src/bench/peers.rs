//! Which other stores are measured against, and where do they come from? From the package index, into a folder of their own below
//! the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::environment::Environment;
use crate::run::{Echo, output, run, succeeded};

const INSTALL_LIMIT: Duration = Duration::from_secs(15 * 60);
/// Those that were measured last; others work as long as they can be called in the same way.
const PACKAGES: &[&str] = &["numpy==2.4.6", "lancedb==0.40.0", "mem0ai==2.2.1"];
const PROBE: &str = "import numpy, lancedb, mem0.vector_stores.qdrant";

/// A Python that has them.
pub(super) fn install(environment: &Environment) -> Result<PathBuf> {
    let Some(python) = environment.program("python3") else { bail!("there is no python3") };
    let folder = environment.target()?.join("bench-peers");
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if has_packages(&own) {
        return Ok(own);
    }
    println!("installing {}", PACKAGES.join(", "));
    let mut venv = Command::new(python);
    venv.args(["-m", "venv", "--clear"]).arg(&folder);
    let mut pip = Command::new(&own);
    pip.args(["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]).args(PACKAGES);
    for command in [&mut venv, &mut pip] {
        let ended = run(command, INSTALL_LIMIT, Echo::None)?;
        succeeded(command, &ended, INSTALL_LIMIT)?;
    }
    if !has_packages(&own) {
        bail!("the packages were installed and cannot be imported");
    }
    Ok(own)
}

fn has_packages(python: &Path) -> bool {
    let mut probe = Command::new(python);
    probe.args(["-c", PROBE]).env("MEM0_TELEMETRY", "false");
    python.is_file() && output(&mut probe, INSTALL_LIMIT).is_ok()
}
