//! How is one written value (`8 MiB`, `30s`, `127.0.0.1:7878`) read?
//!
//! Every reader answers with a sentence that says what would have been right.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    // Resolving `localhost` could give two addresses; one server has one.
    if let Some(port) = text.strip_prefix("localhost:").and_then(|port| port.parse().ok()) {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse()
        .map_err(|_| "write an IP address and a port, such as 127.0.0.1:7878 or [::1]:7878".to_owned())
}

/// `8388608`, `8 MiB`, `8MB` (decimal).
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let expected = || "write a number of bytes, or one with KiB, MiB or GiB, such as 8 MiB".to_owned();
    let (number, unit) = number_and_unit(text).ok_or_else(expected)?;
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        _ => return Err(expected()),
    };
    let bytes = number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(expected)?;
    usize::try_from(bytes).map_err(|_| expected())
}

pub(crate) fn count(text: &str) -> Result<usize, String> {
    // Above this, semaphores and thread pools no longer take the number.
    up_to(1_000_000, text)
}

pub(crate) fn tokens(text: &str) -> Result<usize, String> {
    up_to(reverie_core::settings::MAX_BUDGET, text)
}

fn up_to(most: usize, text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("write a whole number from 1 to {most}"))
}

/// `30`, `30s`, `500ms`, `10min`, `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "write seconds, or a number with ms, s, min or h, such as 30s (at most 24h)".to_owned();
    let (number, unit) = number_and_unit(text).ok_or_else(expected)?;
    let milliseconds = match unit {
        "ms" => Some(number),
        "" | "s" => number.checked_mul(1_000),
        "m" | "min" => number.checked_mul(60_000),
        "h" => number.checked_mul(3_600_000),
        _ => None,
    };
    milliseconds.filter(|ms| (1..=86_400_000).contains(ms)).map(Duration::from_millis).ok_or_else(expected)
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    Some((number.replace('_', "").parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("8388608", Some(8 << 20)),
            ("8 MiB", Some(8 << 20)),
            ("8mib", Some(8 << 20)),
            ("1_000 kB", Some(1_000_000)),
            ("0", None),
            ("-1", None),
            ("8 MiBs", None),
            ("", None),
            ("99999999999999999999", None),
            ("99999999999 GiB", None),
        ] {
            assert_eq!(bytes(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, expected) in [
            ("30", Some(30_000)),
            ("30s", Some(30_000)),
            ("500 ms", Some(500)),
            ("10min", Some(600_000)),
            ("24h", Some(86_400_000)),
            ("25h", None),
            ("0", None),
            ("soon", None),
        ] {
            assert_eq!(duration(text).ok(), expected.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn addresses() {
        for (text, expected) in [
            ("127.0.0.1:7878", Some("127.0.0.1:7878")),
            ("localhost:80", Some("127.0.0.1:80")),
            ("[::1]:0", Some("[::1]:0")),
            ("127.0.0.1", None),
            ("reverie.example:80", None),
            ("127.0.0.1:70000", None),
        ] {
            assert_eq!(address(text).ok().map(|a| a.to_string()).as_deref(), expected, "{text}");
        }
    }
}
