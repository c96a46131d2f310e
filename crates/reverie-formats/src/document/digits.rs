//! Which whole numbers have more digits than can be kept?
//!
//! A number beyond 64 bits becomes the nearest one of double precision, as in JavaScript. Whoever keeps ids in this way should
//! know.

/// How many whole numbers of this JSON are longer, and in which line the first stands, counted from 1.
pub(super) fn too_long(json: &str) -> Option<(usize, usize)> {
    let mut found = None;
    let mut line = 1;
    let mut rest = json.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = match byte {
            b'"' => behind_string(after),
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
                let (number, after) = rest.split_at(end);
                if is_rounded(number) {
                    let (count, first) = found.unwrap_or((0, line));
                    found = Some((count + 1, first));
                }
                after
            }
            _ => {
                line += usize::from(*byte == b'\n');
                after
            }
        };
    }
    found
}

/// What has a point or an exponent says itself that it is not exact.
fn is_rounded(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    let fits = || {
        let text = std::str::from_utf8(number).ok()?;
        text.parse::<u64>().ok().map(drop).or_else(|| text.parse::<i64>().ok().map(drop))
    };
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && fits().is_none()
}

fn behind_string(mut rest: &[u8]) -> &[u8] {
    while let Some((byte, after)) = rest.split_first() {
        rest = match byte {
            b'"' => return after,
            b'\\' => after.get(1..).unwrap_or_default(),
            _ => after,
        };
    }
    rest
}
