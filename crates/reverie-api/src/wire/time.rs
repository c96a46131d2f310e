//! Times on the wire: RFC 3339, UTC, to the millisecond.

use jiff::Timestamp;
use reverie_core::{Error, Result};

/// `2026-01-31T08:15:30.250Z`.
pub fn format_time(ms: i64) -> Option<String> {
    Timestamp::from_millisecond(ms).ok().map(|time| format!("{time:.3}"))
}

pub fn parse_time(text: &str) -> Result<i64> {
    text.parse::<Timestamp>().map(|time| time.as_millisecond()).map_err(|_| {
        Error::invalid(format!("{text:?} is not a time"))
            .hint("use RFC 3339, for example 2026-01-31T08:15:30Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        for (text, expected) in [
            ("2026-01-31T08:15:30Z", "2026-01-31T08:15:30.000Z"),
            ("2026-01-31T08:15:30.25+08:00", "2026-01-31T00:15:30.250Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(parse_time(text).map(format_time), Ok(Some(expected.to_owned())));
        }
        assert!(parse_time("yesterday").is_err());
        assert_eq!(format_time(i64::MAX), None);
    }
}
