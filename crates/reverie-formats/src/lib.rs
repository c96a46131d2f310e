//! Files that hosts bring along: pure parsers, bytes in, values out.
//!
//! [`open`] takes a card or a book in whatever container it comes. [`book`], [`card`] and [`container`] are the parts.

pub mod answer;
pub mod book;
pub mod card;
pub mod chat;
pub mod completions;
pub mod container;
pub mod document;
mod field;
pub mod folder;
#[doc(hidden)]
pub mod fuzz;
pub mod json;
mod lenient;
pub mod limits;
mod look;
pub mod memory;
mod merge;
pub mod model_json;
mod opened;
pub mod pickle;
pub mod repeated;
pub mod rows;
pub mod tree;
pub mod utf8;
pub mod warning;

pub use limits::Limits;
pub use look::look;
pub use opened::{Opened, open};
pub use warning::Warning;
