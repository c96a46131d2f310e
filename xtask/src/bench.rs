//! How are the benchmarks built and run? In release, one after the other, with their files below the target folder.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::environment::Environment;

/// True if they ran. What misses its target says so in the table; a slow machine is not a failure.
pub(crate) fn run(environment: &Environment, arguments: &[String]) -> Result<bool> {
    let mut build =
        environment.cargo_online(&["build", "--release", "--package", "reverie-bench", "--locked"]);
    if !build.stdout(Stdio::null()).status().context("cannot start cargo")?.success() {
        return Ok(false);
    }
    let target = environment.target()?;
    let program = target.join("release").join(format!("reverie-bench{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(arguments).arg(format!("--folder={}", target.join("bench").display()));
    Ok(command.status().context("cannot start the benchmarks")?.success())
}
