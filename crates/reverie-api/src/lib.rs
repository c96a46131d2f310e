//! Reverie's wire: types v1, OpenAPI, the export format, and one transport-free [`Api::dispatch`].

mod api;
pub mod chats;
mod chinese;
pub mod conversations;
pub mod documents;
pub mod export;
#[doc(hidden)]
pub mod fuzz;
pub mod library;
pub mod lore;
pub mod mem0;
mod openapi;
pub mod perspective;
mod request;
mod routes;
pub mod tools;
pub mod wire;
pub mod wording;

pub use api::{Api, Backups, Connections, OfConnection, TestModels, WhatHoldsUp};
pub use request::{Request, Response, Stream, error_response, status_of};

impl Api {
    /// The OpenAPI 3.1 document, as JSON.
    pub fn openapi() -> String {
        format!("{}\n", openapi::document())
    }
}
