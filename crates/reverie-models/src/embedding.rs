//! How are texts turned into vectors by a model elsewhere?

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reverie_core::dependency::Dependency;
use serde_json::{Map, Value};

use crate::address::{Api, Operation};
use crate::breaker::Rules;
use crate::caller::{Caller, Deadline, Manner};
use crate::endpoint::Endpoint;
use crate::error::{Error, Kind, Result};
use crate::merge::check_options;
use crate::pace::Surroundings;
use crate::pieces::odd;
use crate::{gemini, openai};

pub type Vector = Vec<f32>;

/// An embedding model, as a user configures it.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingModel {
    pub endpoint: Endpoint,
    /// As the server knows it.
    pub model: String,
    /// How many numbers a vector must have. The server is asked for so many, if it takes the question.
    pub dims: Option<usize>,
    /// The name of the server's place among those that have a model of this name. None: as its address tells. Where a server moved, or
    /// several serve the same model, one name says that their vectors can be compared.
    pub space: Option<String>,
    /// Texts in one request.
    pub batch_size: usize,
    /// Merged into every request (Gemini: into each text's part of it).
    pub options: Map<String, Value>,
    pub breaker: Rules,
}

impl EmbeddingModel {
    pub fn new(endpoint: Endpoint, model: &str) -> Self {
        Self {
            endpoint,
            model: model.to_owned(),
            dims: None,
            space: None,
            batch_size: 32,
            options: Map::new(),
            breaker: Rules::default(),
        }
    }
}

/// A client for one embedding model. Made once, so that it learns what its server understands.
pub struct Embeddings {
    pub(crate) model: EmbeddingModel,
    pub(crate) caller: Caller,
    /// Not every model can be asked for a number of dimensions.
    takes_dims: AtomicBool,
    /// What the server was seen to take at once.
    batch: AtomicUsize,
}

/// Gemini's limit; nobody's is known to be lower by default.
const MOST_AT_ONCE: usize = 100;

impl Embeddings {
    /// `name`: as `/health` calls it. Nothing is sent yet.
    pub fn new(name: &str, model: EmbeddingModel, surroundings: Surroundings) -> Result<Self> {
        check_options(&model.options)?;
        let caller = Caller::new(name, &model.endpoint, &model.model, model.breaker, surroundings)?;
        let batch = AtomicUsize::new(model.batch_size.clamp(1, MOST_AT_ONCE));
        Ok(Self { model, caller, takes_dims: AtomicBool::new(true), batch })
    }

    /// The name of the space that its vectors are in: `model@place`, or `model:dims@place`. Another model, another number of dimensions
    /// or another server is another space: under one name two servers may serve different models.
    pub fn space(&self) -> String {
        let model = &self.model.model;
        let place = self.model.space.clone().unwrap_or_else(|| self.caller.addresses().place());
        match self.model.dims {
            Some(dims) => format!("{model}:{dims}@{place}"),
            None => format!("{model}@{place}"),
        }
    }

    pub fn dependency(&self) -> &Dependency {
        self.caller.dependency()
    }

    /// One vector for each text, in order; all or nothing.
    pub async fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>> {
        self.embed_by(texts, self.caller.deadline(None), Manner::Usual).await
    }

    /// The same, given up after this time at the latest: for whoever waits for a reply.
    pub async fn embed_within(&self, texts: &[&str], within: Duration) -> Result<Vec<Vector>> {
        self.embed_by(texts, self.caller.deadline(Some(within)), Manner::Usual).await
    }

    pub(crate) async fn embed_by(
        &self,
        texts: &[&str],
        deadline: Deadline,
        manner: Manner,
    ) -> Result<Vec<Vector>> {
        if let Some(position) = texts.iter().position(|text| text.trim().is_empty()) {
            return Err(Error::invalid(format!("text {position} of those to embed is blank"))
                .hint("leave it out: it means nothing"));
        }
        let mut vectors = Vec::with_capacity(texts.len());
        let known = self.batch.load(Ordering::Relaxed).max(1);
        let mut most = known;
        while let Some(rest) = texts.get(vectors.len()..).filter(|rest| !rest.is_empty()) {
            let size = most.min(rest.len());
            let batch = rest.get(..size).unwrap_or(rest);
            match self.embed_batch(batch, deadline, manner).await {
                Ok(more) => vectors.extend(more),
                Err(error) if size > 1 && is_about_the_batch(&error) => {
                    most = size / 2;
                }
                Err(error) => return Err(error),
            }
        }
        // Learnt only now: where one text alone is refused too, it was not about how many there were.
        if most < known {
            self.batch.store(most, Ordering::Relaxed);
        }
        self.check(&vectors)?;
        Ok(vectors)
    }

    async fn embed_batch(&self, texts: &[&str], deadline: Deadline, manner: Manner) -> Result<Vec<Vector>> {
        let operation = if texts.len() == 1 { Operation::EmbedOne } else { Operation::EmbedMany };
        loop {
            let ask_for_dims = self.takes_dims.load(Ordering::Relaxed) && self.model.dims.is_some();
            let addresses = self.caller.addresses();
            let name = &addresses.model;
            let (body, read): (_, fn(&_, &_) -> _) = match addresses.api {
                Api::OpenAi => {
                    (openai::embedding_body(&self.model, name, texts, ask_for_dims), openai::read_embeddings)
                }
                Api::Gemini => {
                    (gemini::embedding_body(&self.model, name, texts, ask_for_dims), gemini::read_embeddings)
                }
            };
            let read_all = |reply: &_, server: &_| {
                let vectors: Vec<Vector> = read(reply, server)?;
                let (there, wanted) = (vectors.len(), texts.len());
                if there == wanted {
                    Ok(vectors)
                } else {
                    Err(odd(server, &format!("{there} vectors for {wanted} texts")))
                }
            };
            match self.caller.call(operation, Some(&body), read_all, deadline, manner).await {
                Err(error) if ask_for_dims && is_about_dims(&error) => {
                    self.takes_dims.store(false, Ordering::Relaxed);
                }
                outcome => return outcome,
            }
        }
    }

    /// Vectors of different lengths cannot be compared, and those of another length than expected belong to another space.
    fn check(&self, vectors: &[Vector]) -> Result<()> {
        let Some(first) = vectors.first().map(Vec::len) else { return Ok(()) };
        if vectors.iter().any(|vector| vector.len() != first) {
            return Err(odd(&self.caller.server(), "its vectors have different lengths"));
        }
        match self.model.dims {
            Some(dims) if dims != first => {
                let model = &self.caller.addresses().model;
                Err(Error::invalid(format!(
                    "{model} gives vectors of {first} dimensions, and {dims} are configured"
                ))
                .hint(format!("set the dimensions to {first}, or leave them out, or choose another model")))
            }
            _ => Ok(()),
        }
    }
}

fn is_about_dims(error: &Error) -> bool {
    error.kind() == Kind::Refused && error.mentions(&["dimension", "matryoshka"])
}

fn is_about_the_batch(error: &Error) -> bool {
    let is_refused = matches!(error.kind(), Kind::Refused | Kind::TooLong);
    // llama.cpp calls so what one text may be long.
    let is_about_one_text = error.mentions(&["physical batch"]);
    let is_about_many =
        error.status() == Some(413) || error.mentions(&["batch", "too many inputs", "array length"]);
    is_refused && is_about_many && !is_about_one_text
}
