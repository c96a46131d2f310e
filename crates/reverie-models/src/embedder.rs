//! How does the engine, which waits for no network, get its vectors from one?

use std::sync::Arc;
use std::time::Duration;

use reverie_core::clock::Clock;
use reverie_core::embed::Embedder;
use reverie_core::{Code, Result};
use tokio::runtime::Handle;

use crate::Embeddings;

/// An embedding model behind the engine's door. Asked from threads that may wait, never from those of the runtime.
pub struct RemoteEmbedder {
    embeddings: Arc<Embeddings>,
    space: String,
    runtime: Handle,
    clock: Arc<dyn Clock>,
}

impl RemoteEmbedder {
    pub fn new(embeddings: Arc<Embeddings>, runtime: Handle, clock: Arc<dyn Clock>) -> Self {
        let space = embeddings.space();
        Self { embeddings, space, runtime, clock }
    }
}

impl Embedder for RemoteEmbedder {
    fn space(&self) -> &str {
        &self.space
    }

    fn is_local(&self) -> bool {
        false
    }

    fn embed(&self, texts: &[&str], deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        let left_ms = u64::try_from(deadline_ms.saturating_sub(self.clock.now_ms())).unwrap_or(0);
        let asked = self.embeddings.embed_within(texts, Duration::from_millis(left_ms));
        self.runtime.block_on(asked).map_err(|error| {
            let told = reverie_core::Error::new(Code::Unavailable, error.message());
            match error.hint_text() {
                Some(hint) => told.hint(hint),
                None => told,
            }
        })
    }
}
