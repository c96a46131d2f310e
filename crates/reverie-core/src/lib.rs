//! Reverie's nouns and pure logic. No I/O of its own, no clock, no environment, no serde.
//!
//! In reading order: [`line`], [`character`], [`conversation`], [`world`], [`time`]; then [`perspective`], [`history`],
//! [`tokens`], [`compose`]; then [`store`], [`clock`] and [`Engine`], which ties them together.

mod admit;
pub mod attribute;
pub mod character;
pub mod clock;
pub mod compose;
pub mod conversation;
pub mod cue;
mod engine;
mod error;
pub mod fingerprint;
#[doc(hidden)]
pub mod fuzz;
pub mod history;
mod id;
pub mod identity;
pub mod library;
mod limits;
pub mod line;
pub mod lore;
pub mod perspective;
mod recall_id;
pub mod record;
pub mod settings;
pub mod store;
pub mod target;
pub mod text;
pub mod time;
pub mod tokens;
pub mod world;

pub use attribute::Attribute;
pub use character::{Character, Who};
pub use conversation::Conversation;
pub use cue::{Cue, Recall};
pub use engine::{Degraded, Engine, Linked, Listed, LorePreview, Record, Recorded, Replaced, Written};
pub use error::{Code, Error, Result};
pub use id::{CharacterId, CheckpointId, ConversationId, DocumentId, LineId, MAX_ID_BYTES, WorldId};
pub use library::Library;
pub use limits::Limits;
pub use line::Line;
pub use store::Store;
pub use world::World;
