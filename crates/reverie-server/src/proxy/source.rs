//! Where does an answer come from, piece by piece?

use std::collections::VecDeque;

use hyper::body::Bytes;
use reverie_models::translate::Answering;
use reverie_models::{Coming, Result};

pub(super) enum Source {
    Upstream(Box<Coming>),
    /// What comes in Gemini's form is passed on in OpenAI's.
    Translated(Box<(Coming, Option<Answering>)>),
    /// What we say ourselves.
    Own(VecDeque<Bytes>),
}

impl Source {
    /// None at the end.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes>> {
        match self {
            Self::Upstream(coming) => coming.next().await,
            Self::Own(pieces) => pieces.pop_front().map(Ok),
            Self::Translated(translated) => {
                let (coming, answering) = translated.as_mut();
                loop {
                    let events = match coming.next().await {
                        Some(Ok(piece)) => answering.as_mut()?.take(&piece),
                        Some(Err(error)) => return Some(Err(error)),
                        None => answering.take()?.end(),
                    };
                    if !events.is_empty() {
                        return Some(Ok(events.into()));
                    }
                }
            }
        }
    }
}
