//! What does a test need around a model: a clock that stands still, pauses that cost no time, a client?

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reverie_core::clock::Clock;
use reverie_models::{
    Chat, ChatModel, ChatReply, ChatRequest, EmbeddingModel, Embeddings, Endpoint, Error, Key, Limits, Pace,
    Role, Surroundings,
};

pub(crate) use reverie_testkit::scripted_model::{Behaviour, ScriptedModel, Seen};

/// A moment in 2024.
pub(crate) const NOON: i64 = 1_714_564_800_000;

/// Time that passes only when somebody sleeps or says so.
#[derive(Default)]
pub(crate) struct Stage {
    passed_ms: AtomicI64,
    pauses: Mutex<Vec<Duration>>,
}

impl Stage {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn surroundings(self: &Arc<Self>) -> Surroundings {
        Surroundings { clock: self.clone(), pace: self.clone() }
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.passed_ms.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// How long was slept, each time, in milliseconds.
    pub(crate) fn pauses(&self) -> Vec<u128> {
        self.pauses.lock().unwrap().iter().map(Duration::as_millis).collect()
    }
}

impl Clock for Stage {
    fn now_ms(&self) -> i64 {
        NOON + self.passed_ms.load(Ordering::SeqCst)
    }
}

impl Pace for Stage {
    fn now(&self) -> Duration {
        Duration::from_millis(self.passed_ms.load(Ordering::SeqCst).unsigned_abs())
    }

    fn sleep(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.pauses.lock().unwrap().push(pause);
        self.pass(pause);
        Box::pin(std::future::ready(()))
    }

    fn chance(&self) -> f64 {
        1.0
    }
}

/// Generous where a test is not about time.
pub(crate) fn limits() -> Limits {
    Limits { response_bytes: 1 << 20, ..Limits::default() }
}

pub(crate) fn openai(server: &ScriptedModel) -> Endpoint {
    Endpoint { limits: limits(), ..Endpoint::new(&server.openai()) }.key(Key::new("sk-swordfish").unwrap())
}

pub(crate) fn gemini(server: &ScriptedModel) -> Endpoint {
    let address = format!("{}/models/scripted-chat:generateContent", server.gemini());
    Endpoint { limits: limits(), ..Endpoint::new(&address) }.key(Key::new("sk-swordfish").unwrap())
}

/// The API that a test runs on; most run on both.
pub(crate) const BOTH: [fn(&ScriptedModel) -> Endpoint; 2] = [openai, gemini];

pub(crate) fn chat_on(stage: &Arc<Stage>, endpoint: Endpoint) -> Chat {
    chat_with(stage, ChatModel::new(endpoint, "scripted-chat"))
}

pub(crate) fn chat_with(stage: &Arc<Stage>, model: ChatModel) -> Chat {
    Chat::new("chat", model, stage.surroundings()).unwrap()
}

pub(crate) fn embeddings_on(stage: &Arc<Stage>, endpoint: Endpoint) -> Embeddings {
    embeddings_with(stage, EmbeddingModel::new(endpoint, "scripted-embedding"))
}

pub(crate) fn embeddings_with(stage: &Arc<Stage>, model: EmbeddingModel) -> Embeddings {
    Embeddings::new("embedding", model, stage.surroundings()).unwrap()
}

pub(crate) fn question() -> ChatRequest {
    ChatRequest::new([(Role::System, "你是档案员。".to_owned()), (Role::User, "白小喵几岁了？".to_owned())])
}

/// `text [finish]`, or `kind: message`.
pub(crate) fn told(outcome: &Result<ChatReply, Error>) -> String {
    match outcome {
        Ok(reply) => format!("{} [{:?}]", reply.text, reply.finish),
        Err(error) => format!("{}: {}", error.kind().as_str(), error.message()),
    }
}
