//! `reverie notice`: whose work is in this program, and under which licences?
//!
//! A program is passed on without the repository beside it, so what its sources ask to be said stands in it.

use serde_json::json;

use crate::output::{Failure, Output};

const OWN: &str = "Reverie is licensed as MIT or Apache-2.0, at your option.";
const DATA: &str = include_str!("../../../../NOTICE");

pub(super) fn run(output: Output) -> Result<(), Failure> {
    let table = reverie_offline::NOTICE;
    let text = format!("{OWN}\n\n{}\n\n{}", DATA.trim_end(), table.trim_end());
    output.answer(&text, &json!({"notice": text}));
    Ok(())
}
