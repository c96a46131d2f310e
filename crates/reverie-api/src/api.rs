//! Which operation answers a request? One table drives dispatch and the OpenAPI document.

use std::cell::Cell;
use std::sync::Arc;

use reverie_core::digest::Purpose;
use reverie_core::{Code, Engine, Error, Result, WorldId};
use reverie_formats::json::sanitise;
use reverie_formats::utf8;

use crate::request::{Call, Query, Request, Response, decode, error_response};
use crate::routes::{ROUTES, Route};
use crate::wire::{
    BackupView, BackupsView, ConnectionBody, ConnectionView, ConnectionsView, DegradedCode, DegradedView,
    HeldUp, HeldUpReason, ModelTestView,
};

pub struct Api {
    pub(crate) engine: Arc<Engine>,
    pub(crate) import_bytes: usize,
    pub(crate) test_models: Option<TestModels>,
    pub(crate) what_holds_up: Option<WhatHoldsUp>,
    pub(crate) backups: Option<Backups>,
    pub(crate) connections: Option<Connections>,
    /// The world of what comes in mem0's shape.
    pub(crate) mem0: Option<WorldId>,
}

/// What keeps this server from asking the model for a purpose; None: nothing does.
pub type WhatHoldsUp = Arc<dyn Fn(Purpose) -> Option<HeldUp> + Send + Sync>;

/// Asks each configured model one tiny question. May take a minute.
pub type TestModels = Arc<dyn Fn() -> Vec<ModelTestView> + Send + Sync>;

/// Makes copies of the data file, and lists them: whoever has it can.
#[derive(Clone)]
pub struct Backups {
    /// May take as long as the file is large.
    pub make: Arc<dyn Fn() -> Result<BackupView> + Send + Sync>,
    pub list: Arc<dyn Fn() -> Result<BackupsView> + Send + Sync>,
}

/// What is done with the connection of this name.
pub type OfConnection<Given, Told> = dyn Fn(&str, Given) -> Result<Told> + Send + Sync;

/// Says where the models are that a server uses, and has it use others. Connections are named as on the wire.
#[derive(Clone)]
pub struct Connections {
    pub list: Arc<dyn Fn() -> ConnectionsView + Send + Sync>,
    pub save: Arc<OfConnection<ConnectionBody, ConnectionView>>,
    /// May take a minute.
    pub test: Arc<OfConnection<ConnectionBody, ModelTestView>>,
    pub reset: Arc<OfConnection<(), ConnectionView>>,
}

impl Api {
    pub fn new(engine: Arc<Engine>, import_bytes: usize) -> Self {
        Self {
            engine,
            import_bytes,
            test_models: None,
            what_holds_up: None,
            backups: None,
            connections: None,
            mem0: None,
        }
    }

    /// The world of what comes in mem0's shape, in place of [`crate::mem0::WORLD`].
    #[must_use]
    pub fn with_mem0_in(mut self, world: WorldId) -> Self {
        self.mem0 = Some(world);
        self
    }

    /// Lets it test the models that its server asks.
    #[must_use]
    pub fn testing_models(mut self, test: TestModels) -> Self {
        self.test_models = Some(test);
        self
    }

    /// Lets it make copies of the data file.
    #[must_use]
    pub fn backing_up(mut self, backups: Backups) -> Self {
        self.backups = Some(backups);
        self
    }

    /// Lets it choose the models that its server uses.
    #[must_use]
    pub fn choosing_models(mut self, connections: Connections) -> Self {
        self.connections = Some(connections);
        self
    }

    /// Lets it say why nobody asks.
    #[must_use]
    pub fn telling_what_holds_up(mut self, tell: WhatHoldsUp) -> Self {
        self.what_holds_up = Some(tell);
        self
    }

    pub(crate) fn held_up(&self, purpose: Purpose) -> Option<HeldUp> {
        self.what_holds_up.as_ref().and_then(|tell| tell(purpose))
    }

    /// Models that fail and are left alone, each once: what they would make of rounds and days waits.
    pub(crate) fn degraded(&self) -> Vec<DegradedView> {
        let mut degraded: Vec<DegradedView> = Vec::new();
        for purpose in [Purpose::Decide, Purpose::Summarise, Purpose::Retell] {
            let failing = self.held_up(purpose).filter(|held_up| held_up.reason == HeldUpReason::ModelFails);
            let Some(HeldUp { message, .. }) = failing else { continue };
            if degraded.iter().all(|known| known.message != message) {
                degraded.push(DegradedView {
                    code: DegradedCode::ModelsUnavailable.as_str(),
                    message,
                    hint: "what was said is remembered by rules meanwhile, and asked about later; /health tells how the models are"
                        .to_owned(),
                });
            }
        }
        degraded
    }

    /// Whether a path is one of ours, or lies below one: `/v1/worlds/…`. Of `/v1/models` only the test of models is.
    pub fn owns(path: &str) -> bool {
        let place = |path: &str| path.split('/').take(3).map(str::to_owned).collect::<Vec<_>>();
        let (wanted, is_test) = (place(path), path == "/v1/models/test");
        let shared = place("/v1/models");
        ROUTES.iter().map(|route| place(route.path)).any(|ours| ours == wanted && (ours != shared || is_test))
    }

    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Answers one request. Synchronous; may touch the disk.
    pub fn dispatch(&self, request: &Request) -> Response {
        let mut response = self.begin(request);
        let Some(stream) = response.stream.take() else { return response };
        match stream.write_to(&mut response.body) {
            Ok(()) => response,
            Err(error) => Response { operation: response.operation, ..refuse(&error) },
        }
    }

    /// As `dispatch`, for whoever can send a body while it is being written: an export comes as a `stream`.
    pub fn begin(&self, request: &Request) -> Response {
        if let Some(response) = crate::mem0::begin(self, request) {
            return response;
        }
        let (route, segments) = match find(&request.method, &request.path) {
            Ok(found) => found,
            Err(response) => return response,
        };
        // Files may be anything; whoever wants text asks for it, and is told if it is none.
        let text = utf8::text(&request.body);
        let (body, replaced) = sanitise(text.unwrap_or_default());
        let body = text.map(|_| &*body);
        let answer = || -> Result<Response> {
            let known: Vec<&str> = route.query.iter().map(|(name, _)| *name).collect();
            let query = Query::parse(&request.query, &known)?;
            let segments = segments.iter().map(|segment| decode(segment)).collect::<Result<_>>()?;
            let call = Call { segments, query, body, raw: &request.body, replaced: Cell::new(replaced) };
            let reply = (route.handler)(self, &call)?;
            Ok(reply.into_response(route.operation, call.replaced.get()))
        };
        match answer() {
            Ok(response) => response,
            Err(error) => Response { operation: route.operation, ..refuse(&error) },
        }
    }
}

fn refuse(error: &Error) -> Response {
    error_response(error.code(), error.message(), error.hint_text())
}

/// The route and the raw parameters of its path.
fn find<'p>(method: &str, path: &'p str) -> Result<(&'static Route, Vec<&'p str>), Response> {
    let mut other_methods = Vec::new();
    for route in ROUTES {
        let Some(segments) = matches(route.path, path) else { continue };
        if route.method == method {
            return Ok((route, segments));
        }
        other_methods.push(route.method);
    }
    if other_methods.is_empty() {
        let hint = "GET /openapi.json lists all operations; ids in a path are percent-encoded";
        return Err(error_response(Code::NotFound, "there is nothing at this path", Some(hint)));
    }
    let allowed = other_methods.join(", ");
    let hint = format!("this path takes: {allowed}");
    let refusal = error_response(Code::Invalid, &format!("{method} is not for this path"), Some(&hint));
    Err(Response { status: 405, allow: Some(allowed), ..refusal })
}

fn matches<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    let mut found = Vec::new();
    let mut parts = path.split('/');
    for expected in pattern.split('/') {
        let part = parts.next()?;
        if expected.starts_with('{') {
            if part.is_empty() {
                return None;
            }
            found.push(part);
        } else if expected != part {
            return None;
        }
    }
    parts.next().is_none().then_some(found)
}
