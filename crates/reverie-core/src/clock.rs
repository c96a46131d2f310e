//! What time is it, on the host's wall?

/// Wall time comes from outside, so that a result can be reproduced.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970, UTC.
    fn now_ms(&self) -> i64;
}
