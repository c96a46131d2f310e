//! Do the clients that people really use get along with the real binary?
//!
//! Each is a script in `xtask/clients`, or code of a guide, run with packages from the package indexes.

mod agents;
mod guides;
mod koishi;
mod openai;

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::environment::Environment;
use crate::report::Tally;
use crate::run::{Echo, run};

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let mut tally = agents::check(environment)?;
    tally.add(guides::check(environment)?);
    tally.add(koishi::check(environment)?);
    tally.add(openai::check(environment)?);
    Ok(tally)
}

/// Runs a script that says of each check `ok …` or `FAILED …`.
pub(crate) fn checks(command: &mut Command, name: &str, limit: Duration) -> Result<Tally> {
    println!("{name}");
    let ended = run(command, limit, Echo::Live)?;
    let count = |word: &str| ended.stdout.lines().filter(|line| line.starts_with(word)).count();
    let mut tally = Tally { passed: count("ok "), failed: count("FAILED "), skipped: 0 };
    // One that died says nothing about the rest.
    if tally.failed == 0 && (!ended.success || tally.passed == 0) {
        println!("error: {name} did not come to its end\n{}", ended.stderr.trim_end());
        tally.failed = 1;
    }
    Ok(tally)
}
