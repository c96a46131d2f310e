//! How does an answer come in piece by piece, as it is said?

use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::HeaderMap;
use tokio::time::{Instant, timeout};

use super::{Outgoing, Sender, Transport};
use crate::error::Result;

/// An answer whose head is there. Dropped before its end, the connection goes with it: nobody says on what nobody hears.
pub(crate) struct Begun {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: Incoming,
    sender: Option<Sender>,
    transport: Arc<Transport>,
}

impl Transport {
    /// Asks, within the limits on connecting and on the first byte. How long the rest may take is the reader's business.
    pub(crate) async fn begin(self: &Arc<Self>, outgoing: &Outgoing<'_>) -> Result<Begun> {
        let end = Instant::now() + self.limits.connect.saturating_add(self.limits.first_byte);
        let (response, sender) = self.ask(outgoing, end).await?;
        let (head, body) = response.into_parts();
        Ok(Begun {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
            sender: Some(sender),
            transport: Arc::clone(self),
        })
    }
}

impl Begun {
    /// How long the body is, if the server said so.
    pub(crate) fn length(&self) -> Option<u64> {
        self.body.size_hint().exact()
    }

    /// The next piece, waited for no longer than `patience`; None at the end.
    pub(crate) async fn next(&mut self, patience: Duration) -> Option<Result<Bytes>> {
        loop {
            let frame = match timeout(patience, self.body.frame()).await {
                Ok(frame) => frame,
                Err(_) => return Some(Err(self.transport.timed_out("the answer did not go on"))),
            };
            match frame {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if data.is_empty() => {}
                    Ok(data) => return Some(Ok(data)),
                    // Trailers: nothing that speaks for a chat puts anything there.
                    Err(_) => {}
                },
                Some(Err(_)) => return Some(Err(self.transport.cut())),
                None => {
                    if let Some(sender) = self.sender.take() {
                        self.transport.keep(sender);
                    }
                    return None;
                }
            }
        }
    }
}
