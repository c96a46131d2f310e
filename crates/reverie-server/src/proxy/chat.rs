//! What happens to a chat between the client and the upstream?

use std::sync::Arc;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::HeaderMap;
use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_formats::completions::{Body, BodyError};
use reverie_models::{Passed, Passing, Upstream};
use serde_json::Value;
use tokio::sync::oneshot;

use super::passing::{Ended, Outlet, passed_answer};
use super::source::Source;
use super::{Client, Proxy, echo, failure, headers};
use crate::http::App;
use crate::http::answer::Answer;
use crate::http::body::Buffered;

const OPERATION: &str = "chatCompletions";

/// A request for an answer, and where it goes.
pub(super) struct Asked {
    /// As it came.
    bytes: Bytes,
    /// As it is understood, with the model that the upstream knows.
    body: Result<Body, BodyError>,
    /// True if it must be written anew even without memory: a model or a field in it is meant for us.
    is_ours: bool,
    /// None: `echo`.
    upstream: Option<Arc<Upstream>>,
    headers: HeaderMap,
    query: Option<String>,
}

pub(super) async fn answer(
    app: &Arc<App>,
    proxy: &Arc<Proxy>,
    client: &Client<'_>,
    buffered: Buffered,
) -> Answer {
    let asked = match Asked::read(proxy, client, buffered.bytes) {
        Ok(asked) => asked,
        Err(refusal) => return refusal,
    };
    let (tell, told) = oneshot::channel();
    let (app, proxy) = (Arc::clone(app), Arc::clone(proxy));
    let share = buffered.share;
    let place = proxy.place().await;
    tokio::spawn(async move {
        converse(&app, &proxy, asked, tell).await;
        drop((share, place));
    });
    told.await.unwrap_or_else(|_| failure::refusal(500, "internal", "this request met a defect of Reverie"))
}

impl Asked {
    fn read(proxy: &Proxy, client: &Client<'_>, bytes: Vec<u8>) -> Result<Self, Answer> {
        let mut body = Body::parse(&bytes);
        let key = client.key.as_deref();
        let written = body.as_ref().ok().and_then(Body::model).unwrap_or_default();
        let (base, character) = proxy.upstreams.split(&written);
        let model = match base {
            "" => key.and_then(|key| key.model.as_deref()).unwrap_or_default(),
            base => base,
        };
        if model.is_empty() && character.is_some() && !proxy.upstreams.is_empty() {
            let message =
                format!("write a model before the character: MODEL{written}, or give its key a model");
            return Err(failure::refusal(400, "model_not_found", &message));
        }
        let server = proxy.upstreams.of_model(model, key.and_then(|key| key.upstream.as_deref()));
        let mut is_ours = false;
        if let Ok(body) = &mut body {
            is_ours = body.reverie().is_some();
            if model != written {
                is_ours = true;
                body.set_model(if server.is_none() && model.is_empty() { echo::NAME } else { model });
            }
        }
        Ok(Self {
            body,
            is_ours,
            upstream: server.map(|server| Arc::clone(&server.upstream)),
            headers: headers::going_on(&client.head.headers, false),
            query: client.head.uri.query().map(str::to_owned),
            bytes: bytes.into(),
        })
    }

    /// What goes on if nothing is put into it.
    fn as_it_came(&self) -> Bytes {
        match &self.body {
            Ok(body) if self.is_ours => body.to_bytes().into(),
            _ => self.bytes.clone(),
        }
    }
}

/// From the request to the end of its answer.
async fn converse(app: &App, proxy: &Proxy, asked: Asked, mut tell: oneshot::Sender<Answer>) {
    let forwarded = asked.as_it_came();
    let begun = tokio::select! {
        biased;
        () = tell.closed() => return,
        begun = begin(proxy, &asked, forwarded) => begun,
    };
    let Begun { status, headers, mut source } = match begun {
        Ok(begun) => begun,
        Err(refusal) => return drop(tell.send(refusal)),
    };
    let (outlet, outgoing) = Outlet::new(app.limits.idle_timeout);
    let mut answer = passed_answer(status, headers, outgoing, OPERATION);
    answer
        .headers
        .push(("x-reverie-memory", hyper::header::HeaderValue::from_static("off; reason=settings")));
    if tell.send(answer).is_err() {
        return;
    }
    let _ended: Ended = outlet.pass(&mut source).await;
}

/// An answer that has begun.
struct Begun {
    status: u16,
    headers: HeaderMap,
    source: Source,
}

async fn begin(_proxy: &Proxy, asked: &Asked, body: Bytes) -> Result<Begun, Answer> {
    let Some(upstream) = &asked.upstream else { return echoed(&body) };
    let passing = Passing {
        method: Method::POST,
        path: "/chat/completions".to_owned(),
        query: asked.query.clone(),
        headers: asked.headers.clone(),
        body,
    };
    let Passed { status, headers, body } =
        upstream.pass(passing).await.map_err(|error| failure::of_upstream(&error))?;
    Ok(Begun { status, headers: headers::coming_back(headers), source: Source::Upstream(Box::new(body)) })
}

fn echoed(body: &[u8]) -> Result<Begun, Answer> {
    let request: Option<Value> = serde_json::from_slice(body).ok();
    let request = request.filter(|request| request.get("messages").is_some_and(Value::is_array));
    let Some(request) = request else {
        return Err(failure::refusal(
            400,
            "invalid_request",
            "the body must be a JSON object with a list of messages",
        ));
    };
    let now_ms = SystemClock.now_ms();
    let (headers, source) = echo::answer(&request, now_ms / 1000, &format!("chatcmpl-echo-{now_ms}"));
    Ok(Begun { status: 200, headers, source })
}
