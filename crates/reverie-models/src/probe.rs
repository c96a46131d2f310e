//! Does a configured model work, and if not, what should be done?
//!
//! One tiny question, asked once, whatever the breaker says; success closes it.

use std::time::Duration;

use reverie_formats::model_json::extract_json;
use serde_json::Value;

use crate::address::Operation;
use crate::caller::{Caller, Manner};
use crate::chat::{Chat, ChatRequest, Role, Shape};
use crate::embedding::Embeddings;
use crate::error::{Error, Kind, Result};
use crate::pieces::{odd, pieces};

/// What a test of the connection found, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub is_well: bool,
    /// What was found.
    pub message: String,
    /// What to do about it, or what is worth knowing.
    pub hint: Option<String>,
    /// What the server said, where it refused. The question was ours: no dialogue is in it.
    pub server_said: Option<String>,
    /// Names of models that the server offers, where ours was not among them, or where nothing but they were asked for.
    pub offered: Vec<String>,
    /// How long the vectors are.
    pub dims: Option<usize>,
}

const QUESTION: &str =
    "This is a test of the connection. Answer with the JSON object {\"ok\": true} and nothing else.";
/// Models that think first need room for it.
const ROOM: u32 = 1024;
const PATIENCE: Duration = Duration::from_secs(60);
const MOST_OFFERED: usize = 200;
const MOST_IN_A_HINT: usize = 20;

impl Chat {
    pub async fn probe(&self) -> Probe {
        let mut request = ChatRequest::new([(Role::User, QUESTION.to_owned())]).shape(Shape::Json);
        request.max_tokens = Some(ROOM);
        let deadline = self.caller.deadline(Some(PATIENCE));
        let reply = match self.converse(&request, deadline, Manner::Test).await {
            Ok(reply) => reply,
            Err(error) => return failed(&self.caller, error).await,
        };
        self.dependency().close();
        let model = &self.model.model;
        match extract_json(&reply.text) {
            Ok(_) => Probe::well(format!("{model} at {} answers, in JSON", self.caller.server())),
            Err(_) => Probe {
                hint: Some("it may still do, but answers that should be JSON will often be rejected; a larger model does better".to_owned()),
                ..Probe::well(format!("{model} at {} answers, but not in JSON when asked for it", self.caller.server()))
            },
        }
    }
}

impl Chat {
    /// As [`Chat::probe`], without a question: whoever lists its models can be reached, and takes the key. Costs nothing.
    pub async fn probe_by_listing(&self) -> Probe {
        match self.models().await {
            Ok(offered) => {
                self.dependency().close();
                let message = format!("{} answers, and lists {} models", self.caller.server(), offered.len());
                Probe { offered, ..Probe::well(message) }
            }
            Err(error) => failed(&self.caller, error).await,
        }
    }
}

impl Embeddings {
    pub async fn probe(&self) -> Probe {
        let deadline = self.caller.deadline(Some(PATIENCE));
        match self.embed_by(&["connection test 连接测试"], deadline, Manner::Test).await {
            Ok(vectors) => {
                self.dependency().close();
                let dims = vectors.first().map(Vec::len);
                let model = &self.model.model;
                let length = dims.unwrap_or_default();
                let message = format!(
                    "{model} at {} answers with vectors of {length} dimensions",
                    self.caller.server()
                );
                Probe { dims, ..Probe::well(message) }
            }
            Err(error) => failed(&self.caller, error).await,
        }
    }
}

impl Chat {
    /// Names of the models that the server offers; asked once, whatever the breaker says.
    pub async fn models(&self) -> Result<Vec<String>> {
        list_models(&self.caller).await
    }
}

impl Embeddings {
    /// Names of the models that the server offers, chat models among them; asked once, whatever the breaker says.
    pub async fn models(&self) -> Result<Vec<String>> {
        list_models(&self.caller).await
    }
}

impl Probe {
    fn well(message: String) -> Self {
        Self { is_well: true, message, hint: None, server_said: None, offered: Vec::new(), dims: None }
    }
}

async fn failed(caller: &Caller, error: Error) -> Probe {
    let offered = if error.kind() == Kind::NoSuchModel { offered(caller).await } else { Vec::new() };
    let hint = match offered.as_slice() {
        [] => error.hint_text().map(str::to_owned),
        names => {
            let some: Vec<&str> = names.iter().take(MOST_IN_A_HINT).map(String::as_str).collect();
            let more = if names.len() > some.len() { ", …" } else { "" };
            Some(format!("choose one of the models that it offers: {}{more}", some.join(", ")))
        }
    };
    Probe {
        is_well: false,
        message: error.message().to_owned(),
        hint,
        server_said: error.server_said().map(str::to_owned),
        offered,
        dims: None,
    }
}

/// Empty if the server does not tell.
async fn offered(caller: &Caller) -> Vec<String> {
    list_models(caller).await.unwrap_or_else(|error| {
        tracing::debug!(kind = error.kind().as_str(), "the server does not tell its models");
        Vec::new()
    })
}

async fn list_models(caller: &Caller) -> Result<Vec<String>> {
    let read = |reply: &_, server: &str| {
        let pieces = pieces(reply, server)?;
        let body = pieces.values.first().unwrap_or(&Value::Null);
        let list = body.get("data").or_else(|| body.get("models")).and_then(Value::as_array);
        let list = list.ok_or_else(|| odd(server, "it lists no models"))?;
        let names = list.iter().filter_map(|model| model.get("id").or_else(|| model.get("name"))?.as_str());
        // Gemini writes the name of the list before each.
        let names = names.map(|name| name.strip_prefix("models/").unwrap_or(name));
        Ok(names.take(MOST_OFFERED).map(|name| name.chars().take(100).collect()).collect())
    };
    let deadline = caller.deadline(Some(Duration::from_secs(10)));
    caller.call(Operation::ListModels, None, read, deadline, Manner::Test).await
}
