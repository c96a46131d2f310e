//! Lore: which entries of the world books belong into the next prompt, and where?
//!
//! In reading order: [`entry`] (what an author writes), `decorators` and `macros` (what a content says about itself),
//! `keys` and `pattern` (what sets an entry off), `text` (what is searched), [`shelf`] (books made ready to search),
//! [`scan`] (the passes), `groups` and [`timers`], [`place`] (where the text goes), [`why`] (and why not).

pub mod entry;

pub use entry::{Book, Entry};
