//! How is a chat model asked something?

use std::time::Duration;

use reverie_core::dependency::Dependency;
use reverie_core::tokens::Counter;
use serde_json::{Map, Value};

use crate::address::{Api, Operation};
use crate::breaker::Rules;
use crate::caller::{Caller, Deadline, Manner};
use crate::dialect::{JsonHelp, Learned};
use crate::endpoint::Endpoint;
use crate::error::Result;
use crate::merge::check_options;
use crate::pace::Surroundings;
use crate::{gemini, openai};

/// A chat model, as a user configures it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatModel {
    pub endpoint: Endpoint,
    /// As the server knows it.
    pub model: String,
    /// Merged into every request: objects are merged, null takes away. For Gemini they go into `generationConfig` unless
    /// they name another part of the request.
    pub options: Map<String, Value>,
    /// For requests that name none.
    pub max_output_tokens: Option<u32>,
    /// For requests that name none.
    pub temperature: Option<f64>,
    pub json: JsonMode,
    pub breaker: Rules,
}

impl ChatModel {
    pub fn new(endpoint: Endpoint, model: &str) -> Self {
        Self {
            endpoint,
            model: model.to_owned(),
            options: Map::new(),
            max_output_tokens: None,
            temperature: None,
            json: JsonMode::default(),
            breaker: Rules::default(),
        }
    }
}

/// Whether the server is asked to see to it that JSON is JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonMode {
    /// As far as the server goes along.
    #[default]
    Auto,
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub text: String,
}

/// What the answer should be like. The question must say so, too: not every server helps.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Shape {
    #[default]
    Text,
    Json,
    /// A JSON schema, for servers that can be held to one.
    Schema(Value),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    pub shape: Shape,
    pub max_tokens: Option<u32>,
    pub temperature: Option<f64>,
}

impl ChatRequest {
    pub fn new(messages: impl IntoIterator<Item = (Role, String)>) -> Self {
        let messages = messages.into_iter().map(|(role, text)| Message { role, text }).collect();
        Self { messages, ..Self::default() }
    }

    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatReply {
    /// Never blank; without what the model thought aloud before it.
    pub text: String,
    pub finish: Finish,
    pub usage: Option<Usage>,
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// It had said all.
    Stop,
    /// It was not allowed more tokens: the text breaks off.
    Length,
    /// A filter stopped it.
    Filtered,
    /// In the server's words, or empty where it gave none.
    Other(String),
}

/// Tokens, as the server counted them; thinking counts as output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
}

impl Usage {
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// A client for one chat model. Cheap to share behind an `Arc`; made once, so that it learns what its server understands.
pub struct Chat {
    pub(crate) model: ChatModel,
    pub(crate) caller: Caller,
    learned: Learned,
}

/// How often one question is put differently.
const MOST_ADAPTATIONS: usize = 4;

impl Chat {
    /// `name`: as `/health` calls it. Nothing is sent yet.
    pub fn new(name: &str, model: ChatModel, surroundings: Surroundings) -> Result<Self> {
        check_options(&model.options)?;
        let caller = Caller::new(name, &model.endpoint, &model.model, model.breaker, surroundings)?;
        Ok(Self { model, caller, learned: Learned::default() })
    }

    pub fn dependency(&self) -> &Dependency {
        self.caller.dependency()
    }

    /// Asks, for as long as the retry rules allow.
    pub async fn ask(&self, request: &ChatRequest) -> Result<ChatReply> {
        self.converse(request, self.caller.deadline(None), Manner::Usual).await
    }

    /// Asks, and gives up after this time at the latest.
    pub async fn ask_within(&self, request: &ChatRequest, within: Duration) -> Result<ChatReply> {
        self.converse(request, self.caller.deadline(Some(within)), Manner::Usual).await
    }

    /// What a request will cost at most, in tokens, for a budget.
    pub fn estimate(&self, request: &ChatRequest) -> u64 {
        /// What chat templates put around a message.
        const AROUND: usize = 8;
        let counted = request.messages.iter().map(|message| Counter::Estimate.count(&message.text) + AROUND);
        let output = request.max_tokens.or(self.model.max_output_tokens).unwrap_or(DEFAULT_OUTPUT);
        u64::try_from(counted.sum::<usize>()).unwrap_or(u64::MAX).saturating_add(output.into())
    }

    pub(crate) async fn converse(
        &self,
        request: &ChatRequest,
        deadline: Deadline,
        manner: Manner,
    ) -> Result<ChatReply> {
        let mut dialect = self.learned.current();
        let mut adaptations = 0;
        loop {
            let json: JsonHelp = dialect.json_for(&request.shape, self.model.json);
            let addresses = self.caller.addresses();
            let (body, read): (_, fn(&_, &_) -> _) = match addresses.api {
                Api::OpenAi => (
                    openai::chat_body(&self.model, &addresses.model, request, dialect, json),
                    openai::read_chat,
                ),
                Api::Gemini => (gemini::chat_body(&self.model, request, dialect, json), gemini::read_chat),
            };
            let outcome = self.caller.call(Operation::Chat, Some(&body), read, deadline, manner).await;
            let error = match outcome {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            adaptations += 1;
            match self.learned.learn(dialect, &error, json, self.model.json) {
                Some(next) if adaptations <= MOST_ADAPTATIONS => dialect = next,
                _ => return Err(error),
            }
        }
    }
}

/// For estimates only: what a model may say if nobody limits it.
const DEFAULT_OUTPUT: u32 = 1024;
