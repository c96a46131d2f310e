//! Files that hosts bring along: pure parsers, text in, values out.

pub mod json;
pub mod rows;
pub mod tree;
