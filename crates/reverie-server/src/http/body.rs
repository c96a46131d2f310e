//! How is a body read without letting it fill the memory or take for ever?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use tokio::time::{Instant, timeout_at};

/// Bytes of all bodies that are held at this moment.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    held: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, held: AtomicUsize::new(0) })
    }

    /// A share for a body that was read already; None if the others hold all there is. However large it is, one alone fits.
    pub(crate) fn admit(self: &Arc<Self>, bytes: usize) -> Option<Share> {
        let mut share = Share { budget: Arc::clone(self), bytes: 0 };
        let fits = share.grow(bytes).is_ok() || self.held.load(Ordering::Relaxed) == bytes;
        fits.then_some(share)
    }
}

/// A whole body, with its share of the budget.
#[derive(Debug)]
pub(crate) struct Buffered {
    pub(crate) bytes: Vec<u8>,
    pub(crate) share: Share,
}

/// Given back when dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Share {
    fn grow(&mut self, bytes: usize) -> Result<(), BodyError> {
        self.bytes += bytes;
        let held = self.budget.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if held > self.budget.limit { Err(BodyError::Full) } else { Ok(()) }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// Larger than one body may be.
    TooLarge,
    /// The others hold all there is.
    Full,
    TimedOut,
    /// The client went away or wrote nonsense.
    Broken,
}

pub(crate) async fn read<B>(
    body: &mut B,
    limit: usize,
    budget: &Arc<Budget>,
    deadline: Instant,
) -> Result<Buffered, BodyError>
where
    B: Body<Data = Bytes> + Unpin,
{
    // A declared length is believed only when it is bad news.
    if body.size_hint().lower() > limit as u64 {
        return Err(BodyError::TooLarge);
    }
    let mut buffered = Buffered { bytes: Vec::new(), share: Share { budget: budget.clone(), bytes: 0 } };
    loop {
        let frame = timeout_at(deadline, body.frame()).await.map_err(|_| BodyError::TimedOut)?;
        let Some(frame) = frame else { return Ok(buffered) };
        // Trailers are of no interest.
        let Ok(data) = frame.map_err(|_| BodyError::Broken)?.into_data() else { continue };
        if buffered.bytes.len() + data.len() > limit {
            return Err(BodyError::TooLarge);
        }
        buffered.share.grow(data.len())?;
        buffered.bytes.extend_from_slice(&data);
    }
}

/// Reads on for a while without keeping anything. A client that is still sending while the connection closes gets a
/// reset and never sees the refusal that explains it.
pub(crate) async fn discard<B>(body: &mut B)
where
    B: Body<Data = Bytes> + Unpin,
{
    const MOST_BYTES: usize = 64 << 20;
    const MOST_TIME: Duration = Duration::from_secs(2);
    let deadline = Instant::now() + MOST_TIME;
    let mut seen = 0;
    while let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await {
        seen += frame.data_ref().map_or(0, Bytes::len);
        if seen > MOST_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::Full;

    #[test]
    fn one_alone_is_admitted_whatever_its_size() {
        let budget = Budget::new(10);
        let large = budget.admit(100);
        assert!(large.is_some());
        assert!(budget.admit(1).is_none());
        drop(large);
        let small = budget.admit(6);
        assert!(small.is_some());
        assert!(budget.admit(6).is_none());
        assert!(budget.admit(4).is_some());
    }

    #[tokio::test]
    async fn the_budget_is_shared_and_given_back() {
        let budget = Budget::new(10);
        let deadline = Instant::now() + Duration::from_secs(60);
        let read_some = async |bytes: &'static [u8]| {
            read(&mut Full::new(Bytes::from_static(bytes)), 8, &budget, deadline).await
        };
        let first = read_some(b"12345678").await.unwrap();
        assert_eq!(read_some(b"123456789").await.unwrap_err(), BodyError::TooLarge);
        assert_eq!(read_some(b"123").await.unwrap_err(), BodyError::Full);
        drop(first);
        assert_eq!(read_some(b"123").await.unwrap().bytes, b"123");
        assert_eq!(budget.held.load(Ordering::Relaxed), 0);
    }
}
