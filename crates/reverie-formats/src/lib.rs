//! Files that hosts bring along: pure parsers, text in, values out.

pub mod book;
pub mod document;
pub mod json;
pub mod limits;
mod merge;
pub mod rows;
pub mod tree;
pub mod warning;

pub use limits::Limits;
pub use warning::Warning;
