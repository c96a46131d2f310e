//! Whose clock do dates without a zone follow?

use std::fmt;

use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use reverie_core::{Error, Result};

/// A zone of the time zone database (`Asia/Shanghai`), which knows summer and winter, or a fixed distance from UTC (`+08:00`).
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    name: String,
    zone: TimeZone,
}

impl Zone {
    pub fn parse(text: &str) -> Result<Self> {
        let name = text.trim();
        let zone = match fixed(name) {
            Some(offset) => Some(offset.to_time_zone()),
            None => TimeZoneDatabase::bundled().get(name).ok(),
        };
        let unknown = || {
            Error::invalid(format!("there is no time zone {name:?}"))
                .hint("use a name of the time zone database such as Asia/Shanghai, or a distance from UTC such as +08:00")
        };
        Ok(Self { name: name.to_owned(), zone: zone.ok_or_else(unknown)? })
    }

    /// The moment at which a clock there shows what a clock in UTC shows at `shown_ms`. An hour that comes twice is its first
    /// one; what no clock ever showed is an hour later.
    pub(super) fn wall_ms(&self, shown_ms: i64) -> i64 {
        let Ok(shown) = Timestamp::from_millisecond(shown_ms) else { return shown_ms };
        let civil = TimeZone::UTC.to_datetime(shown);
        let offset = match self.zone.to_ambiguous_timestamp(civil).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset,
            AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. } => before,
        };
        shown_ms.saturating_sub(i64::from(offset.seconds()) * 1000)
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self { name: "UTC".to_owned(), zone: TimeZone::UTC }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// `+8`, `+0800`, `-03:30`, `UTC+8`.
fn fixed(name: &str) -> Option<Offset> {
    if name.eq_ignore_ascii_case("utc") || name.eq_ignore_ascii_case("z") {
        return Some(Offset::UTC);
    }
    let name = name.strip_prefix("UTC").or_else(|| name.strip_prefix("GMT")).unwrap_or(name);
    let minutes = super::time::offset(name).filter(|_| name.starts_with(['+', '-']))?;
    Offset::from_seconds(minutes * 60).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_named_or_counted() {
        let noon = 1_704_196_800_000; // 2024-01-02 12:00 UTC
        for (name, hours) in [
            ("UTC", 0.0),
            ("z", 0.0),
            ("+8", 8.0),
            ("+0800", 8.0),
            ("UTC+8", 8.0),
            ("-03:30", -3.5),
            ("Asia/Shanghai", 8.0),
            ("Asia/Tokyo", 9.0),
            (" Europe/Berlin ", 1.0),
        ] {
            let zone = Zone::parse(name).expect(name);
            assert_eq!(zone.wall_ms(noon), noon - (hours * 3_600_000.0) as i64, "{name}");
        }
        let summer = 1_719_921_600_000; // 2024-07-02 12:00 UTC
        assert_eq!(Zone::parse("Europe/Berlin").expect("a zone").wall_ms(summer), summer - 2 * 3_600_000);
        assert_eq!(Zone::default(), Zone::parse("UTC").expect("a zone"));
        for name in ["", "8", "Nowhere/Land", "+99", "+08:00:00x"] {
            assert!(Zone::parse(name).is_err(), "{name}");
        }
    }
}
