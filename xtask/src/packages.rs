//! Which packages of other languages do chores use, and where are they put?
//!
//! In folders of their own beside what cargo builds, by name and version; nothing outside of it changes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::environment::Environment;
use crate::run::{Echo, output, run, succeeded};

pub(crate) const INSTALL_LIMIT: Duration = Duration::from_secs(5 * 60);

/// A Python that has these packages, in these versions.
pub(crate) fn python(
    environment: &Environment,
    folder: &str,
    packages: &[&str],
    options: &[&str],
) -> Result<PathBuf> {
    let Some(python) = environment.program("python3") else { bail!("there is no python3") };
    let folder = environment.target()?.join(folder);
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let wanted = packages.iter().map(|package| format!("{package:?}")).collect::<Vec<_>>().join(", ");
    let probe = format!(
        "from importlib.metadata import version\nfor p in [{wanted}]:\n  name, want = p.split('==')\n  assert version(name) == want"
    );
    let is_ready = || own.is_file() && output(Command::new(&own).args(["-c", &probe]), INSTALL_LIMIT).is_ok();
    if is_ready() {
        return Ok(own);
    }
    println!("installing {}", packages.join(", "));
    finish(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:"];
    finish(Command::new(&own).args(pip).args(options).args(packages))?;
    if !is_ready() {
        bail!("the packages were installed and cannot be found");
    }
    Ok(own)
}

/// A folder from which Node.js finds these packages, and Node.js itself.
pub(crate) fn node(environment: &Environment, folder: &str, packages: &[&str]) -> Result<(PathBuf, PathBuf)> {
    let node = environment.program("node").context("there is no node")?;
    let npm = environment.program("npm").context("there is no npm")?;
    let folder = environment.target()?.join(folder);
    // Written when all of them are there.
    let (done, wanted) = (folder.join("installed"), packages.join("\n"));
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok((node, folder));
    }
    println!("installing {}", packages.join(", "));
    empty(&folder)?;
    std::fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
    let install = ["install", "--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts"];
    finish(Command::new(npm).args(install).args(packages).current_dir(&folder))?;
    std::fs::write(done, wanted)?;
    Ok((node, folder))
}

fn empty(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

fn finish(command: &mut Command) -> Result<()> {
    let ended = run(command, INSTALL_LIMIT, Echo::None)?;
    succeeded(command, &ended, INSTALL_LIMIT)
}
