//! Do models that are perfect, slow, broken or rude all come to a good end? Over real HTTP, on loopback.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod breaker;
mod budget;
mod chat;
mod dialect;
mod driving;
mod embedding;
mod faults;
mod patience;
mod probe;
mod proxy;
mod refusals;
mod scenarios;
mod secrets;
mod spaces;
mod stage;
mod tls;
mod translate;
mod world;
