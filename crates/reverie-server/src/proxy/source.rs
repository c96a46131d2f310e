//! Where does an answer come from, piece by piece?

use std::collections::VecDeque;

use hyper::body::Bytes;
use reverie_models::{Coming, Result};

pub(super) enum Source {
    Upstream(Box<Coming>),
    /// What we say ourselves.
    Own(VecDeque<Bytes>),
}

impl Source {
    /// None at the end.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes>> {
        match self {
            Self::Upstream(coming) => coming.next().await,
            Self::Own(pieces) => pieces.pop_front().map(Ok),
        }
    }
}
