//! Reverie's nouns and pure logic. No I/O of its own, no clock, no environment, no serde.

pub mod attribute;
mod error;
pub mod identity;
pub mod perspective;

pub use error::{Code, Error, Result};
