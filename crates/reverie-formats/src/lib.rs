//! Files that hosts bring along: pure parsers, text in, values out.

pub mod bounded;
pub mod chat;
mod field;
pub mod folder;
#[doc(hidden)]
pub mod fuzz_chat;
pub mod json;
pub mod memory;
pub mod rows;
pub mod tree;
