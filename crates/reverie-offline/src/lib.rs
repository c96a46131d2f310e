//! Where does a text stand, on a machine that was never online?
//!
//! A table of vectors for Chinese and English words and pieces of words, in one space, is part of the program. A text is cut
//! into what the table knows, and stands at the weighted sum. Only whole numbers are added, so that every machine gets the
//! same vector. What the table does not know at all (kana, Hangul, Cyrillic, emoji) gets a place from its spelling: such
//! texts are near each other where they share letters.

mod embedder;
mod fold;
pub mod format;
mod kind;
mod pieces;
mod spelled;
mod sum;
mod table;

pub use embedder::OfflineEmbedder;
pub use table::Table;

/// Whose data is in the table. Whoever passes it on, also inside a program, passes this on with it.
pub const NOTICE: &str = include_str!("../NOTICE");
