//! How does an answer reach the client while it comes in, and what if one of the two stops?

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::header::HeaderMap;
use reverie_formats::completions::Envelope;
use reverie_models::{Passed, Passing};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::source::Source;
use super::tap::{Heard, Tap};
use super::{Client, Proxy, failure, headers};
use crate::http::App;
use crate::http::answer::Answer;
use crate::http::body::Buffered;
use crate::http::outgoing::{Outgoing, Piece, WAITING};

/// How a talk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// All that came was passed on.
    Whole,
    ClientLeft,
    /// The upstream broke off, or fell silent.
    Broken,
}

/// The way to the client.
pub(super) struct Outlet {
    to: mpsc::Sender<Piece>,
    patience: Duration,
}

impl Outlet {
    /// The body of an answer, and the way to fill it. A client that takes nothing for so long has left.
    pub(super) fn new(patience: Duration) -> (Self, Outgoing) {
        let (to, pieces) = mpsc::channel(WAITING);
        (Self { to, patience }, Outgoing::Pieces(pieces))
    }

    async fn send(&self, piece: Bytes) -> Result<(), Ended> {
        match timeout(self.patience, self.to.send(Ok(piece))).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Ended::ClientLeft),
        }
    }

    /// Passes on all that comes.
    pub(super) async fn pass(&self, source: &mut Source) -> Ended {
        loop {
            match self.next(source).await {
                Ok(Some(piece)) => {
                    if let Err(ended) = self.send(piece).await {
                        return ended;
                    }
                }
                Ok(None) => return Ended::Whole,
                Err(ended) => return ended,
            }
        }
    }

    /// The same, listening. `at_end` is told what was said before the client sees the end of it: its next request may come at once, and
    /// should find it recorded.
    pub(super) async fn pass_listening(
        &self,
        source: &mut Source,
        tap: &mut Tap,
        at_end: impl AsyncFnOnce(Heard),
    ) -> Ended {
        let mut at_end = Some(at_end);
        loop {
            let piece = match self.next(source).await {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(ended) => return ended,
            };
            let is_last = tap.take(&piece);
            if is_last && let Some(at_end) = at_end.take() {
                at_end(tap.so_far()).await;
            }
            if let Err(ended) = self.send(piece).await {
                return ended;
            }
        }
        if let Some(at_end) = at_end.take() {
            at_end(tap.end()).await;
        }
        Ended::Whole
    }

    /// The next piece, unless the client leaves before. What breaks off, breaks off for the client, too.
    async fn next(&self, source: &mut Source) -> Result<Option<Bytes>, Ended> {
        let next = tokio::select! {
            biased;
            () = self.to.closed() => return Err(Ended::ClientLeft),
            next = source.next() => next,
        };
        match next {
            Some(Ok(piece)) => Ok(Some(piece)),
            None => Ok(None),
            Some(Err(error)) => {
                tracing::warn!(kind = error.kind().as_str(), "an upstream's answer broke off");
                // If the client is gone, nobody has to be told.
                let _ =
                    timeout(self.patience, self.to.send(Err(io::Error::other("the answer broke off")))).await;
                Err(Ended::Broken)
            }
        }
    }
}

/// Somebody else's answer, as ours.
pub(super) fn passed_answer(
    status: u16,
    headers: HeaderMap,
    body: Outgoing,
    operation: &'static str,
) -> Answer {
    Answer { body, passed: Some(headers), ..Answer::new(operation, "", "") }.status(status)
}

/// A request that is looked at no further than its model: what is ours is taken out, and nothing is remembered.
pub(super) async fn pass_on(
    app: &Arc<App>,
    proxy: &Arc<Proxy>,
    client: &Client<'_>,
    path: String,
    buffered: Buffered,
) -> Answer {
    let upstreams = proxy.upstreams();
    let envelope = Envelope::parse(&buffered.bytes);
    let written = envelope.as_ref().and_then(Envelope::model).unwrap_or_default();
    let key = client.key.as_deref();
    let model = match upstreams.split(&written) {
        ("", Some(_)) => match key.and_then(|key| key.model.as_deref()) {
            Some(model) => model,
            None => return failure::no_model(&written),
        },
        (base, _) => base,
    };
    let server = upstreams.of_model(model, key.and_then(|key| key.upstream.as_deref()));
    let Some(server) = server else { return failure::no_upstream() };
    let body = match &envelope {
        Some(envelope) if model != written || envelope.reverie().is_some() => envelope.with_model(model),
        _ => buffered.bytes,
    };
    let passing = Passing {
        method: client.head.method.clone(),
        path,
        query: headers::query_going_on(client.head.uri.query()),
        headers: headers::going_on(&client.head.headers, false),
        body: body.into(),
    };
    let upstream = Arc::clone(&server.upstream);
    let patience = app.limits.idle_timeout;
    let (tell, told) = oneshot::channel();
    tokio::spawn(async move {
        let mut tell = tell;
        let passed = tokio::select! {
            biased;
            () = tell.closed() => return,
            passed = upstream.pass(passing) => passed,
        };
        match passed {
            Err(error) => drop(tell.send(failure::of_upstream(&error))),
            Ok(Passed { status, headers, body }) => {
                let (outlet, outgoing) = Outlet::new(patience);
                let answer = passed_answer(status, headers::coming_back(headers), outgoing, "passThrough");
                if tell.send(answer).is_ok() {
                    outlet.pass(&mut Source::Upstream(Box::new(body))).await;
                }
            }
        }
    });
    let answer = told.await;
    answer
        .unwrap_or_else(|_| failure::refusal(500, "internal", "this request met a defect of Reverie"))
        .header("x-reverie-memory", "off; reason=path")
}
