//! What does a request for a chat completion say, and what becomes of it on its way through a proxy?
//!
//! Clients send their whole history with every request. [`Body`] reads it and keeps every byte that it does not change;
//! [`Body::dialogue`] tells which of its messages somebody said; [`align`] finds them again among the lines that are
//! recorded, and tells what is new, changed or taken back; [`inject`] puts what is recalled into a copy of the request, and
//! [`Body::without`] takes out what a character did not witness. All of it is pure: no store, no clock, no network. The
//! rules are written down for users in `docs/guides/drop-in-history.md`.
//!
//! In reading order: [`Body`] and its messages (`body`, `content`), which of them are said (`dialogue`, by the rules of
//! `own_words`, `markers`, `headings`, `utility` and `names`), when two texts are the same (`words`), where the list meets the path (`align`), and
//! what goes on to the model (`inject`, `present`).

mod align;
mod body;
mod content;
mod dialogue;
mod envelope;
mod headings;
mod inject;
mod markers;
mod names;
mod own_words;
mod present;
mod utility;
mod words;

pub use align::{Alignment, Closeness, Path, Revised, Stored, Then, align, sent_in_other_chats};
pub use body::{Body, BodyError};
pub use dialogue::{By, Dialogue, Kind, Rules, Said};
pub use envelope::Envelope;
pub use inject::{Injected, Insert, Late, Place, inject};
pub use names::{name_before, spoken};
pub use words::is_telling;
