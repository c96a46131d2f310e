//! Does a chat client that knows nothing of memory get it right: what is recorded, and what the model is sent?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod align;
mod client;
mod dialogue;
mod inject;
mod passing;
mod tree;
