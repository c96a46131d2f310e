//! What does a newcomer find in a fresh data file? A small world, recorded through the same door as everybody's.

use reverie_api::{Api, Request};
use reverie_core::{Code, Error, Result};
use serde_json::Value;

/// Requests to make, in order: method, path, body.
const SAMPLE: &str = include_str!("sample.json");

pub(crate) fn fill(api: &Api) -> Result<()> {
    let requests: Vec<(String, String, Value)> =
        serde_json::from_str(SAMPLE).map_err(|error| broken(&error.to_string()))?;
    for (method, path, body) in requests {
        let request = Request { method, path, query: String::new(), body: body.to_string().into_bytes() };
        let response = api.dispatch(&request);
        if response.status >= 300 {
            return Err(broken(&String::from_utf8_lossy(&response.body)));
        }
    }
    Ok(())
}

fn broken(why: &str) -> Error {
    Error::new(Code::Internal, format!("the sample world cannot be made: {why}"))
}
