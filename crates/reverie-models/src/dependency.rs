//! When a model is left alone, and when it works again: in which words is it told, and where?

use reverie_core::dependency::{Resting, Turned};

use crate::error::{Error, Kind};

impl From<Resting> for Error {
    fn from(resting: Resting) -> Self {
        Self::new(Kind::Resting, resting.message).hint(resting.hint).retry_after_is(Some(resting.pause))
    }
}

/// Once for each turn. The failure is in our own words.
pub(crate) fn log(turned: Turned, name: &str, failure: Option<&Error>) {
    match turned {
        Turned::Opened => {
            let (code, message) =
                failure.map(|error| (error.kind().as_str(), error.message())).unwrap_or_default();
            tracing::warn!(name, code, message, "a dependency fails and is left alone for a while");
        }
        Turned::Closed => tracing::info!(name, "a dependency works again"),
        Turned::Not => {}
    }
}
