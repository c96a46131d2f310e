//! How are the benchmarks built and run? In release, one after the other, with their files below the target folder.

mod peers;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::environment::Environment;

/// What is measured against others; without a name, `--peers` means this.
const WITH_PEERS: &[&str] = &["meaning", "remembered"];
/// What needs the real server.
const WITH_SERVER: &[&str] = &["load", "drop-in"];

/// True if they ran. What misses its target says so in the table; a slow machine is not a failure.
pub(crate) fn run(environment: &Environment, arguments: &[String]) -> Result<bool> {
    let (peers, mut arguments): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument == "--peers");
    let is_all = arguments.iter().all(|argument| argument.starts_with("--"));
    if !peers.is_empty() {
        match peers::install(environment) {
            Ok(python) => arguments.push(format!("--peers={}", python.display())),
            Err(why) => println!("cannot install the peers, so nothing is measured against them: {why:#}"),
        }
        if is_all {
            arguments.extend(WITH_PEERS.iter().map(|name| (*name).to_owned()));
        }
    }
    let needs_server =
        (is_all && peers.is_empty()) || arguments.iter().any(|name| WITH_SERVER.contains(&name.as_str()));
    if !build(environment, "reverie-bench")? || (needs_server && !build(environment, "reverie-server")?) {
        return Ok(false);
    }
    let target = environment.target()?;
    let mut command = Command::new(program(&target, "reverie-bench"));
    command.args(arguments).arg(format!("--folder={}", target.join("bench").display()));
    if needs_server {
        command.arg(format!("--server={}", program(&target, "reverie").display()));
    }
    Ok(command.status().context("cannot start the benchmarks")?.success())
}

/// A program of the workspace, as it is measured.
pub(crate) fn binary(environment: &Environment, package: &str, name: &str) -> Result<PathBuf> {
    if !build(environment, package)? {
        bail!("{package} cannot be built");
    }
    Ok(program(&environment.target()?, name))
}

fn build(environment: &Environment, package: &str) -> Result<bool> {
    let mut build = environment.cargo_online(&["build", "--release", "--package", package, "--locked"]);
    Ok(build.stdout(Stdio::null()).status().context("cannot start cargo")?.success())
}

fn program(target: &std::path::Path, name: &str) -> PathBuf {
    target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
