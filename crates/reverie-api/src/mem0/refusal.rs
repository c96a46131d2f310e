//! In which words and which status is something refused?

use reverie_core::{Code, Error};
use serde_json::{Value, json};

use crate::status_of;

/// `detail` is a sentence; of a body that is not as it should be a list of what is wrong where.
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) detail: Value,
}

pub(super) type Refused<T> = Result<T, Refusal>;

impl Refusal {
    pub(super) fn new(status: u16, detail: &str) -> Self {
        Self { status, detail: detail.into() }
    }

    /// Something in the body; `place` are the names of the fields that lead there.
    pub(super) fn field(kind: &str, place: &[&str], message: &str) -> Self {
        let place: Vec<&str> = ["body"].into_iter().chain(place.iter().copied()).collect();
        Self { status: 422, detail: json!([{"type": kind, "loc": place, "msg": message}]) }
    }

    pub(super) fn missing(place: &[&str]) -> Self {
        Self::field("missing", place, "Field required")
    }

    pub(super) fn no_memory(id: &str) -> Self {
        Self::new(404, &format!("Memory with id {id} not found"))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let hint = error.hint_text().map_or_else(String::new, |hint| format!(" ({hint})"));
        Self::new(status_of(error.code()), &format!("{}{hint}", error.message()))
    }
}

/// What is not there yet is empty, not an error: nobody creates users or worlds in this shape.
pub(super) fn or_nothing<T: Default>(found: reverie_core::Result<T>) -> reverie_core::Result<T> {
    match found {
        Err(error) if error.code() == Code::NotFound => Ok(T::default()),
        found => found,
    }
}
