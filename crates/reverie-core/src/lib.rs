//! Reverie's nouns and pure logic. No I/O of its own, no clock, no environment, no serde.
//!
//! In reading order: [`line`], [`character`], [`conversation`], [`world`], [`time`]; then [`perspective`], [`history`],
//! [`tokens`], [`compose`]; then [`store`], [`clock`] and [`Engine`], which ties them together.

mod admit;
pub mod attribute;
pub mod breaker;
pub mod character;
pub mod clock;
pub mod compose;
pub mod conversation;
pub mod cue;
pub mod dependency;
pub mod digest;
mod dot;
pub mod embed;
mod engine;
mod error;
#[doc(hidden)]
pub mod fail_point;
pub mod feeling;
pub mod fingerprint;
#[doc(hidden)]
pub mod fuzz;
pub mod history;
mod id;
pub mod identity;
mod inquiry;
pub mod job;
pub mod keepsake;
pub mod laps;
pub mod layers;
pub mod library;
mod likeness;
mod limits;
pub mod line;
pub mod lore;
pub mod map;
pub mod memories;
pub mod memory;
pub mod mind;
pub mod names;
mod near;
mod numerals;
pub mod perspective;
pub mod rank;
mod recall_id;
pub mod recollection;
pub mod reconcile;
pub mod record;
pub mod round;
pub mod search;
pub mod settings;
pub mod sharing;
pub mod store;
pub mod target;
pub mod text;
pub mod time;
mod time_words;
pub mod tokens;
pub mod words;
pub mod world;

pub use attribute::Attribute;
pub use character::{Character, Who};
pub use conversation::Conversation;
pub use cue::{Cue, Recall};
pub use engine::{
    Answered, CharacterStats, Dated, Degraded, Digested, Embeddings, Engine, Facets, FoundMemory, Linked,
    Listed, LorePreview, MOST_FACETS, MOST_STRETCHES, MOST_WAITING, MadeOf, MemoriesQuery, MemoryPatch,
    MindsAtHand, Noted, Past, Quantiles, QueriesAtHand, Rebuilding, RecallTimes, Record, Recorded, Remember,
    Remembered, Replaced, ResultsAtHand, Slice, Stats, Stretch, TimeAxis, Timeline, ToEmbed, Written,
};
pub use error::{Code, Error, Result};
pub use id::{
    CharacterId, CheckpointId, ConversationId, DocumentId, LineId, MAX_ID_BYTES, MemoryId, RoundId, WorldId,
};
pub use library::Library;
pub use limits::Limits;
pub use line::Line;
pub use memories::Memories;
pub use memory::Memory;
pub use round::Round;
pub use store::Store;
pub use world::World;
