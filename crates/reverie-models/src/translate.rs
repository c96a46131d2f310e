//! How does a chat in OpenAI's form reach Gemini's own API, and its answer come back in the form that was asked for?
//!
//! Pure. What the other API has no word for is left out and named, so that whoever asked can be told.

mod answer;
mod likelihood;
mod request;

pub use answer::{Answering, as_stream, refused, whole};
pub use request::{Translated, to_gemini};
