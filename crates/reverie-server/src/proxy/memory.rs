//! How long does a chat wait for its memory, and who writes down what was answered?

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};
use reverie_core::{CharacterId, Code, WorldId};
use reverie_formats::completions::BodyError;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Proxy;
use super::chat::Asked;
use super::endings::Saying;
use super::headers::encoded;
use super::remembering::{Off, Recalled, Session, Talk};
use super::tap::Heard;
use crate::http::admission::Outcome;
use crate::http::{App, deadline_in};

/// An answer is worth waiting for longer than a request is.
const WRITING: Duration = Duration::from_secs(60);
/// So long a chat waits at most until what was said before it is written down.
const ENDING: Duration = Duration::from_millis(500);
/// So long it may take until it is known that a client has left.
const LEAVING: Duration = Duration::from_millis(50);
/// A recall that knows of very many memories has an id that is too long for a header.
const LONGEST_HEADER: usize = 4096;

type Told = Vec<(&'static str, HeaderValue)>;
type Remembering = JoinHandle<Outcome<Result<Session, Off>>>;

/// A request as it goes on, what the client is told of it, and where its answer belongs.
pub(super) struct Remembered {
    pub(super) bytes: Bytes,
    pub(super) told: Told,
    pub(super) pending: Pending,
}

/// Where an answer belongs, as far as that is known.
pub(super) enum Pending {
    /// What was asked is still being recorded.
    Work(Remembering),
    Known(Box<Session>),
    /// Nothing is remembered.
    Nothing,
}

/// Waits for memory, and no longer than the settings allow.
pub(super) async fn remembered(app: &App, proxy: &Arc<Proxy>, asked: &Asked) -> Remembered {
    let off = |reason: &str, pending: Pending| {
        let told = format!("off; reason={reason}");
        let told = HeaderValue::try_from(told).unwrap_or(HeaderValue::from_static("off"));
        Remembered { bytes: asked.as_it_came(), told: vec![("x-reverie-memory", told)], pending }
    };
    if !proxy.settings.memory {
        return off("settings", Pending::Nothing);
    }
    if !asked.named.memory {
        return off("asked", Pending::Nothing);
    }
    let body = match &asked.body {
        Ok(body) => Arc::clone(body),
        Err(BodyError::NotAnObject) if is_packed(&asked.headers) => return off("packed", Pending::Nothing),
        Err(error) => return off(error.reason(), Pending::Nothing),
    };
    let Some(share) = proxy.waiting.admit(asked.size()) else { return off("busy", Pending::Nothing) };
    let patience = proxy.settings.recall_timeout;
    let now = Instant::now();
    // With its history a client tells what it was shown.
    let leaving = if body.has_answers() { Duration::ZERO } else { LEAVING };
    let (soon, late) = (now + leaving.min(patience / 2), now + ENDING.min(patience / 2));
    proxy.endings.wait(&asked.named.talkers(), soon, late).await;
    let (named, late) = (asked.named.clone(), proxy.settings.late);
    let talk = Talk { proxy: Arc::clone(proxy), named, body, late, _share: share };
    let (tell, recalled) = oneshot::channel();
    let (remembering, deadline) = (Arc::clone(proxy), deadline_in(app.limits.request_timeout));
    let mut work =
        tokio::spawn(async move { remembering.remembering.run(deadline, move || talk.remember(tell)).await });
    match tokio::time::timeout_at(now + patience, recalled).await {
        Ok(Ok(recalled)) => {
            let told = told(&recalled);
            Remembered { bytes: recalled.bytes, told, pending: Pending::Work(work) }
        }
        Err(_) => off("slow", Pending::Work(work)),
        // It ended without.
        Ok(Err(_)) => match (&mut work).await {
            Ok(Outcome::Done(Ok(session))) => {
                let reason = session.unrecalled.map_or("internal", Code::as_str);
                off(&format!("recall:{reason}"), Pending::Known(Box::new(session)))
            }
            Ok(Outcome::Done(Err(Off(reason)))) => off(&reason, Pending::Nothing),
            Ok(Outcome::Busy) => off("busy", Pending::Nothing),
            Ok(Outcome::TimedOut) => off("slow", Pending::Nothing),
            Ok(Outcome::Panicked) | Err(_) => off("internal", Pending::Nothing),
        },
    }
}

fn told(recalled: &Recalled) -> Told {
    let degraded = recalled.degraded.join(",");
    let memory = if degraded.is_empty() { "on".to_owned() } else { format!("on; degraded={degraded}") };
    let mut told = vec![
        ("x-reverie-memory", HeaderValue::try_from(memory).unwrap_or(HeaderValue::from_static("on"))),
        ("x-reverie-world", encoded(&recalled.world)),
        ("x-reverie-conversation", encoded(&recalled.conversation)),
        ("x-reverie-recorded", HeaderValue::from(recalled.recorded)),
    ];
    if recalled.recall.len() <= LONGEST_HEADER {
        told.push(("x-reverie-recall", encoded(&recalled.recall)));
    }
    told
}

/// What is left to do when an answer has ended.
pub(super) struct Finishing {
    pub(super) proxy: Arc<Proxy>,
    pub(super) pending: Pending,
    pub(super) saying: Saying,
    pub(super) place: Option<OwnedSemaphorePermit>,
}

impl Finishing {
    /// Whether anybody wants to know what is said.
    pub(super) fn listens(&self) -> bool {
        !matches!(self.pending, Pending::Nothing)
    }

    /// Writes it down, whoever waits for that. `is_shown`: whether the client saw all of it.
    pub(super) fn start(self, heard: Heard, is_shown: bool) -> JoinHandle<()> {
        let Self { proxy, pending, mut saying, place } = self;
        saying.end();
        tokio::spawn(async move {
            let session = match pending {
                Pending::Known(session) => *session,
                Pending::Nothing => return,
                Pending::Work(work) => match work.await {
                    Ok(Outcome::Done(Ok(session))) => session,
                    Ok(Outcome::Done(Err(Off(reason)))) => {
                        // Of what is no chat nothing is kept; whatever else it was, somebody should know.
                        if !reason.starts_with("utility") && reason != "no-dialogue" {
                            tracing::warn!(reason, "a chat was not recorded");
                        }
                        return;
                    }
                    _ => return tracing::warn!("a chat was not recorded: too much is going on"),
                },
            };
            let answered = session.cast.character.who.id().map(|who| (session.world.clone(), who.clone()));
            let written =
                proxy.writing.run(deadline_in(WRITING), move || session.write(&heard, is_shown)).await;
            match written {
                Outcome::Done(Ok(())) => {
                    if let Some((world, who)) = answered {
                        keep_up(&proxy, world, who);
                    }
                }
                Outcome::Done(Err(error)) => {
                    tracing::warn!(code = error.code().as_str(), "an answer was not recorded");
                }
                _ => tracing::warn!("an answer was not recorded: too much is going on"),
            }
            drop((saying, place));
        })
    }
}

/// An answer changes what its character can recall. While nobody else asks for memory, that is learned now and not when the next answer is asked for.
fn keep_up(proxy: &Arc<Proxy>, world: WorldId, who: CharacterId) {
    if proxy.remembering.load() != (0, 0) {
        return;
    }
    let proxy = Arc::clone(proxy);
    tokio::spawn(async move {
        let engine = Arc::clone(&proxy.engine);
        proxy.remembering.run(deadline_in(WRITING), move || engine.keep_up(&world, &who)).await
    });
}

/// Whether the client says that the body must be unpacked before it can be read.
fn is_packed(headers: &HeaderMap) -> bool {
    let coding = headers.get(CONTENT_ENCODING);
    coding.is_some_and(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}
