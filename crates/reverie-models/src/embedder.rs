//! How does the engine, which waits for no network, get its vectors from one?

use std::sync::Arc;
use std::time::Duration;

use reverie_core::clock::Clock;
use reverie_core::embed::Embedder;
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::{Code, Result};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::{Embeddings, Kind};

/// An embedding model behind the engine's door. Asked from threads that may wait, never from those of the runtime.
pub struct RemoteEmbedder {
    embeddings: Arc<Embeddings>,
    space: String,
    /// Its own, so that whoever asks needs none. None: it is being dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    clock: Arc<dyn Clock>,
}

impl RemoteEmbedder {
    pub fn new(embeddings: Arc<Embeddings>, clock: Arc<dyn Clock>) -> std::io::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let space = embeddings.space();
        let handle = runtime.handle().clone();
        Ok(Self { embeddings, space, runtime: Some(runtime), handle, clock })
    }
}

impl Drop for RemoteEmbedder {
    /// Another one may take its place while a server runs, and whoever lets go of it last may stand in a runtime, where none may be waited
    /// for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Embedder for RemoteEmbedder {
    fn space(&self) -> &str {
        &self.space
    }

    fn is_local(&self) -> bool {
        false
    }

    fn settings(&self) -> String {
        let model = &self.embeddings.model;
        let all = format!("{:?} {} {:?}", model.endpoint.api, model.endpoint.address, model.options);
        fingerprint_of_text(&all).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn embed(&self, texts: &[&str], deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        let left_ms = u64::try_from(deadline_ms.saturating_sub(self.clock.now_ms())).unwrap_or(0);
        let asked = self.embeddings.embed_within(texts, Duration::from_millis(left_ms));
        // The handle, because the runtime's own threads do the work, and several may wait at once.
        self.handle.block_on(asked).map_err(|error| {
            let code = match error.kind() {
                kind if is_about_a_text(kind) => Code::Invalid,
                // A text may be the reason, or not.
                Kind::ServerFault => Code::Internal,
                _ => Code::Unavailable,
            };
            let told = reverie_core::Error::new(code, error.message());
            match error.hint_text() {
                Some(hint) => told.hint(hint),
                None => told,
            }
        })
    }
}

/// The same texts would be refused again. What is wrong with the settings may look like that too; the engine finds out.
fn is_about_a_text(kind: Kind) -> bool {
    matches!(kind, Kind::Refused | Kind::TooLong | Kind::Filtered)
}
