//! Lore: which entries of the world books belong into the next prompt, and where?
//!
//! In reading order: [`entry`] (what an author writes), `decorators` and `macros` (what a text says about itself), `key`,
//! `pattern`, `words`, `fold` and [`slashes`] (what a key matches, and how it is written), [`shelf`] (books made ready), `window` and `origin` (what is searched),
//! `admission`, `hearing`, `facts`, `trigger`, [`nature`] and `patience` (what keeps an entry back and what sets it off), `groups`, [`timers`] and
//! `budget`, `watch` and [`scan`] (the passes), [`place`] (where the text goes) and [`why`].

mod admission;
mod budget;
mod decorators;
pub mod dice;
pub mod entry;
mod facts;
pub mod fold;
#[doc(hidden)]
pub mod fuzz;
mod groups;
mod hearing;
mod key;
pub(crate) mod macros;
pub mod nature;
mod nearest;
mod origin;
mod patience;
mod pattern;
pub mod place;
pub mod rules;
pub mod scan;
pub mod shelf;
pub(crate) mod shelves;
pub mod slashes;
pub mod timers;
mod trigger;
mod watch;
pub mod why;
mod window;
mod words;

pub use dice::{Dice, Draw};
pub use entry::{Book, Entry};
pub use macros::Names;
pub use origin::{EntryOrigin, Origin};
pub use patience::MOST_STEPS;
pub use place::place;
pub use rules::{Meter, Request, Rules, Texts, Voice};
pub use scan::{Activation, Active, scan};
pub use shelf::{Problem, Shelf, Spelling};
pub use shelves::ReadBook;
pub use timers::Timers;
