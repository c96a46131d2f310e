//! Reverie's nouns and pure logic. No I/O of its own, no clock, no environment, no serde.

mod error;
pub mod tokens;

pub use error::{Code, Error, Result};
