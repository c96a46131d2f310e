//! Does a chat client that knows nothing of memory get it right: what is recorded, and what the model is sent?

mod align;
mod client;
mod dialogue;
mod inject;
mod passing;
mod tree;
