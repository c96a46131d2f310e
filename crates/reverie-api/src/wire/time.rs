//! Times on the wire: RFC 3339, UTC, to the millisecond, in the years 0000 to 9999.

use jiff::SignedDuration;
use jiff::civil::{DateTime, date};
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use reverie_core::{Error, Result};

// Civil times, not jiff's timestamps: those end a day before the year 9999 does, for the sake of time zones.
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);
const FIRST: DateTime = date(0, 1, 1).at(0, 0, 0, 0);

/// `2026-01-31T08:15:30.250Z`. None for a time that RFC 3339 cannot write.
pub fn format_time(ms: i64) -> Option<String> {
    let time = EPOCH.checked_add(SignedDuration::from_millis(ms)).ok().filter(|time| *time >= FIRST)?;
    Some(format!("{time:.3}Z"))
}

pub fn parse_time(text: &str) -> Result<i64> {
    let ms = utc_ms(text).filter(|ms| format_time(*ms).is_some());
    ms.ok_or_else(|| {
        Error::invalid(format!("{text:?} is not a time"))
            .hint("use RFC 3339, for example 2026-01-31T08:15:30Z, in the years 0000 to 9999 of UTC")
    })
}

/// A time as other programs write it: also without an offset or a time of day, both taken for UTC, or as seconds since 1970.
pub fn parse_loose_time(text: &str) -> Option<i64> {
    let text = text.trim();
    let seconds = || text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    let ms = utc_ms(text)
        .or_else(|| civil_ms(text))
        .or_else(|| seconds().map(|seconds| (seconds * 1000.0) as i64));
    ms.filter(|ms| format_time(*ms).is_some())
}

fn civil_ms(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok().filter(|pieces| pieces.offset().is_none())?;
    let time = pieces.date().to_datetime(pieces.time().unwrap_or_default());
    i64::try_from(time.duration_since(EPOCH).as_nanos().div_euclid(1_000_000)).ok()
}

fn utc_ms(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let ahead = match pieces.offset()? {
        PiecesOffset::Zulu => 0,
        PiecesOffset::Numeric(offset) => i128::from(offset.offset().seconds()),
        _ => return None,
    };
    let local = pieces.date().to_datetime(pieces.time()?).duration_since(EPOCH);
    let ms = local.as_nanos().div_euclid(1_000_000) - ahead * 1000;
    i64::try_from(ms).ok()
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
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.999999999+00:00", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T23:00:00+14:00", "9999-12-31T09:00:00.000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("0000-01-01T00:00:00-01:00", "0000-01-01T01:00:00.000Z"),
        ] {
            assert_eq!(parse_time(text).map(format_time), Ok(Some(expected.to_owned())), "{text}");
        }
        for text in [
            "yesterday",
            "2026-01-31",
            "2026-01-31T08:15:30",
            "9999-12-31T23:00:00-02:00",
            "0000-01-01T00:00:00+01:00",
            "-000001-01-01T00:00:00Z",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert_eq!(format_time(i64::MAX), None);
        assert_eq!(format_time(i64::MIN), None);
    }
}
