//! What happens to a chat between the client and the upstream?

use std::sync::Arc;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::HeaderMap;
use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_formats::completions::{Body, BodyError, Envelope};
use reverie_models::{Api, Passed, Passing, Upstream};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::failure::Instead;
use super::memory::{Finishing, Remembered, remembered};
use super::passing::{Ended, Outlet, passed_answer};
use super::source::Source;
use super::tap::{Heard, Tap};
use super::who::Named;
use super::{Client, Proxy, echo, failure, gemini, headers};
use crate::http::App;
use crate::http::answer::Answer;
use crate::http::body::{Buffered, Share};

const OPERATION: &str = "chatCompletions";

/// A request for an answer, and where it goes.
pub(super) struct Asked {
    /// As it came.
    bytes: Bytes,
    /// As it is understood, with the model that the upstream knows.
    pub(super) body: Result<Arc<Body>, BodyError>,
    pub(super) named: Named,
    /// True if it must be written anew even without memory: a model or a field in it is meant for us.
    is_ours: bool,
    /// None: `echo`.
    upstream: Option<Arc<Upstream>>,
    pub(super) headers: HeaderMap,
    query: Option<String>,
    /// Of what all bodies together may hold.
    _share: Share,
}

pub(super) async fn answer(
    app: &Arc<App>,
    proxy: &Arc<Proxy>,
    client: &Client<'_>,
    buffered: Buffered,
) -> Answer {
    let asked = match Asked::read(proxy, client, buffered) {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    let (tell, told) = oneshot::channel();
    let (app, proxy) = (Arc::clone(app), Arc::clone(proxy));
    let place = proxy.place().await;
    tokio::spawn(async move { converse(&app, &proxy, asked, place, tell).await });
    told.await.unwrap_or_else(|_| failure::refusal(500, "internal", "this request met a defect of Reverie"))
}

impl Asked {
    fn read(proxy: &Proxy, client: &Client<'_>, buffered: Buffered) -> Result<Self, Instead> {
        let Buffered { bytes, share } = buffered;
        let mut body = Body::parse(&bytes);
        let key = client.key.as_deref();
        // What cannot be read as a chat goes to the right upstream all the same, and without what is ours.
        let envelope = if body.is_err() { Envelope::parse(&bytes) } else { None };
        let written = match &body {
            Ok(body) => body.model(),
            Err(_) => envelope.as_ref().and_then(Envelope::model),
        };
        let written = written.unwrap_or_default();
        let upstreams = proxy.upstreams();
        let (base, character) = upstreams.split(&written);
        let model = match base {
            "" => key.and_then(|key| key.model.as_deref()).unwrap_or_default(),
            base => base,
        };
        if model.is_empty() && character.is_some() && !upstreams.is_empty() {
            return Err(failure::no_model(&written).into());
        }
        let server = upstreams.of_model(model, key.and_then(|key| key.upstream.as_deref()));
        let named = Named::read(proxy, client, body.as_ref().ok(), character)?;
        let mut is_ours = false;
        if let Ok(body) = &mut body {
            is_ours = body.reverie().is_some();
            if model != written {
                is_ours = true;
                body.set_model(if server.is_none() && model.is_empty() { echo::NAME } else { model });
            }
        }
        let bytes = match &envelope {
            Some(envelope) if model != written || envelope.reverie().is_some() => envelope.with_model(model),
            _ => bytes,
        };
        Ok(Self {
            body: body.map(Arc::new),
            is_ours,
            upstream: server.map(|server| Arc::clone(&server.upstream)),
            headers: client.head.headers.clone(),
            named,
            query: headers::query_going_on(client.head.uri.query()),
            bytes: bytes.into(),
            _share: share,
        })
    }

    /// In bytes, as it came.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// What goes on if nothing is put into it.
    pub(super) fn as_it_came(&self) -> Bytes {
        match &self.body {
            Ok(body) if self.is_ours => body.to_bytes().into(),
            _ => self.bytes.clone(),
        }
    }
}

/// From the request to the recorded end of its answer.
async fn converse(
    app: &Arc<App>,
    proxy: &Arc<Proxy>,
    asked: Asked,
    place: Option<OwnedSemaphorePermit>,
    mut tell: oneshot::Sender<Answer>,
) {
    let Remembered { bytes, told, pending } = remembered(app, proxy, &asked).await;
    let saying = proxy.endings.begin(asked.named.talkers());
    let mut ending = Some(Finishing { proxy: Arc::clone(proxy), pending, saying, place });
    let begun = tokio::select! {
        biased;
        () = tell.closed() => None,
        begun = begin(&asked, bytes, ending.as_ref().is_some_and(Finishing::listens)) => Some(begun),
    };
    // What clients send grows with every word of a talk, and an answer may take minutes.
    drop(asked);
    let (status, headers, mut source) = match begun {
        Some(Ok(Begun { status, headers, source })) => (status, headers, source),
        failed => {
            if let Some(Err(mut refusal)) = failed {
                refusal.headers.extend(told);
                drop(tell.send(*refusal));
            }
            return finish(&mut ending, Heard::default(), false);
        }
    };
    let mut tap = Tap::new(status, &headers);
    let (outlet, outgoing) = Outlet::new(app.limits.idle_timeout);
    let mut answer = passed_answer(status, headers, outgoing, OPERATION);
    answer.headers.extend(told);
    if tell.send(answer).is_err() {
        return finish(&mut ending, Heard::default(), false);
    }
    if !ending.as_ref().is_some_and(Finishing::listens) {
        outlet.pass(&mut source).await;
        return;
    }
    let patience = proxy.settings.recall_timeout;
    let ending_heard = &mut ending;
    let at_end = async |heard: Heard| {
        if let Some(finishing) = ending_heard.take() {
            // The end of an answer waits for its record no longer than its beginning did for memory.
            let _ = tokio::time::timeout(patience, finishing.start(heard, true)).await;
        }
    };
    let ended = outlet.pass_listening(&mut source, &mut tap, at_end).await;
    if let Some(reason) = tap.unreadable() {
        tracing::warn!(reason, "an answer was passed on that cannot be read: it is not recorded");
    }
    if ended != Ended::Whole {
        finish(&mut ending, tap.so_far(), false);
    }
}

fn finish(ending: &mut Option<Finishing>, heard: Heard, is_shown: bool) {
    if let Some(finishing) = ending.take() {
        drop(finishing.start(heard, is_shown));
    }
}

/// An answer that has begun.
pub(super) struct Begun {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) source: Source,
}

/// `readable`: what is said must be heard, so it must not come compressed.
async fn begin(asked: &Asked, body: Bytes, readable: bool) -> Result<Begun, Instead> {
    let Some(upstream) = &asked.upstream else { return echoed(&body) };
    begin_at(upstream, asked.query.clone(), &asked.headers, body, readable).await
}

pub(super) async fn begin_at(
    upstream: &Upstream,
    query: Option<String>,
    asked_with: &HeaderMap,
    body: Bytes,
    readable: bool,
) -> Result<Begun, Instead> {
    if upstream.api() == Api::Gemini {
        return gemini::begin(upstream, asked_with, &body).await;
    }
    let passing = Passing {
        method: Method::POST,
        path: "/chat/completions".to_owned(),
        query,
        headers: headers::going_on(asked_with, readable),
        body,
    };
    let Passed { status, headers, body } =
        upstream.pass(passing).await.map_err(|error| failure::of_upstream(&error))?;
    Ok(Begun { status, headers: headers::coming_back(headers), source: Source::Upstream(Box::new(body)) })
}

pub(super) fn echoed(body: &[u8]) -> Result<Begun, Instead> {
    let request: Option<Value> = serde_json::from_slice(body).ok();
    let request = request.filter(|request| request.get("messages").is_some_and(Value::is_array));
    let Some(request) = request else {
        let message = "the body must be a JSON object with a list of messages";
        return Err(failure::refusal(400, "invalid_request", message).into());
    };
    let now_ms = SystemClock.now_ms();
    let (headers, source) = echo::answer(&request, now_ms / 1000, &format!("chatcmpl-echo-{now_ms}"));
    Ok(Begun { status: 200, headers, source })
}
