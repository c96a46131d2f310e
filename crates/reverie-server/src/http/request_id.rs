//! By which id do client, log and answer speak of the same request?

use std::sync::atomic::{AtomicU64, Ordering};

use hyper::header::HeaderMap;

use crate::secret::PREFIX;

pub(crate) const HEADER: &str = "x-request-id";

/// Makes ids that do not repeat, also not after a restart.
pub(crate) struct RequestIds {
    run: u32,
    next: AtomicU64,
}

impl RequestIds {
    /// `run` is random.
    pub(crate) fn new(run: u32) -> Self {
        Self { run, next: AtomicU64::new(1) }
    }

    /// The caller's own id if it can go into a log line unharmed, else a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> String {
        let given = headers.get(HEADER).and_then(|value| value.to_str().ok());
        match given {
            Some(id) if is_sane(id) => id.to_owned(),
            _ => format!("{:08x}-{}", self.run, self.next.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

fn is_sane(id: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (1..=64).contains(&id.len()) && id.bytes().all(legal) && !id.starts_with(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sane_ids_are_kept() {
        let ids = RequestIds::new(0xabc);
        for (given, expected) in [
            ("01J9-trace.7", "01J9-trace.7"),
            ("", "00000abc-1"),
            ("two words", "00000abc-2"),
            ("rv_a-token-by-mistake", "00000abc-3"),
            ("a\"b", "00000abc-4"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, given.parse().unwrap());
            assert_eq!(ids.of(&headers), expected);
        }
        assert!(!is_sane(&"x".repeat(65)));
    }
}
