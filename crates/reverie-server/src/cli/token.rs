//! `reverie token`: a new token, printed once and kept nowhere.

use serde_json::json;

use crate::output::{Failure, Output};
use crate::secret::Secret;

pub(super) fn run(output: Output) -> Result<(), Failure> {
    let token = Secret::random()?;
    output.answer(token.reveal(), &json!({"token": token.reveal()}));
    Ok(())
}
