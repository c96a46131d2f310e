//! Do the clients that people really use get along with the real binary?
//!
//! Each is a script in `xtask/clients`, run with packages from the package indexes.

mod agents;
mod openai;

use anyhow::Result;

use crate::environment::Environment;
use crate::report::Tally;

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let mut tally = agents::check(environment)?;
    tally.add(openai::check(environment)?);
    Ok(tally)
}
