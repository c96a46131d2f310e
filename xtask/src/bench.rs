//! How are the benchmarks built and run?

use anyhow::Result;

use crate::environment::Environment;

pub(crate) fn run(_environment: &Environment, _arguments: &[String]) -> Result<bool> {
    anyhow::bail!("there are no benchmarks yet")
}
