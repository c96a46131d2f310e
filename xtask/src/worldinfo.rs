//! How are recorded cases of world books run? Through the stateless scan, by an example of the API's crate.

use anyhow::{Context, Result};

use crate::environment::Environment;

/// True if every case that is not marked as a bug or a quirk came out as recorded.
pub(crate) fn run(environment: &Environment, cases: &str) -> Result<bool> {
    let mut command = environment.cargo_online(&[
        "run",
        "--quiet",
        "--package",
        "reverie-api",
        "--example",
        "worldinfo",
        "--locked",
        "--",
        cases,
    ]);
    Ok(command.status().context("cannot start cargo")?.success())
}
