//! Chat and embedding models over HTTP: asking, waiting, trying again, giving up in time.
//!
//! About talking to models; what to ask them is the engine's business. In reading order: [`Endpoint`], [`Chat`] and [`Embeddings`];
//! [`Error`], whose texts may be logged; [`Dependency`] with its [`breaker`]; [`Budget`]; and [`Driver`], which asks what the
//! engine wants to know.
//!
//! Nothing here reads the clock, the environment or a setting: [`Surroundings`] bring time and chance, the configuration
//! everything else. Keys are in headers and nowhere else.

mod address;
mod budget;
mod caller;
mod chat;
mod collected;
mod dependency;
mod dialect;
mod driver;
mod embedder;
mod embedding;
mod endpoint;
mod error;
mod gemini;
mod merge;
mod openai;
mod pace;
mod pieces;
mod probe;
mod refusal;
mod retry;
mod secret;
pub mod translate;
mod transport;
mod upstream;

pub use address::Api;
pub use budget::{Budget, Granted, NotBefore, Spent};
pub use chat::{Chat, ChatModel, ChatReply, ChatRequest, Finish, JsonMode, Message, Role, Shape, Usage};
pub use driver::{Bell, Chats, Driver, Lanes, NO_BUDGET, Step, Tally};
pub use embedder::RemoteEmbedder;
pub use embedding::{EmbeddingModel, Embeddings, Vector};
pub use endpoint::Endpoint;
pub use error::{Error, Kind, Result};
pub use pace::{Pace, RealPace, Surroundings};
pub use probe::Probe;
pub use retry::RetryRules;
pub use reverie_core::breaker;
pub use reverie_core::dependency::{Dependency, Health, LastFailure, Permit};
pub use secret::Key;
pub use transport::{Limits, Proxy};
pub use upstream::{Coming, Passed, Passing, Patience, Seen, Upstream};
