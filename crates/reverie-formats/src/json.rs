//! How is JSON read that is not quite JSON?
//!
//! Two repairs, both before parsing and both without touching what is well-formed: escapes of lone surrogates (C# and
//! JavaScript strings can hold them, UTF-8 cannot), and, for files written by people, Python's `None` and trailing commas.

use std::borrow::Cow;
use std::ops::Range;

use reverie_core::text::{clean, is_illegal_in_xml};

/// Text with what JSON cannot hold replaced by U+FFFD, and how often that was.
pub fn sanitise(text: &str) -> (Cow<'_, str>, usize) {
    let (text, control) = replace_control_characters(Cow::Borrowed(text));
    let (text, lone) = replace_lone_surrogates(text);
    (text, control + lone)
}

/// Some writers do not escape control characters, which JSON cannot hold and XML cannot carry.
fn replace_control_characters(text: Cow<'_, str>) -> (Cow<'_, str>, usize) {
    let is_bad = |c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{7F}');
    match text.chars().filter(|c| is_bad(*c)).count() {
        0 => (text, 0),
        count => (Cow::Owned(text.replace(is_bad, "\u{FFFD}")), count),
    }
}

/// Replaces `\uD800`-style escapes that have no partner.
fn replace_lone_surrogates(text: Cow<'_, str>) -> (Cow<'_, str>, usize) {
    // Surrogate escapes begin \uD8 to \uDF; most bodies have none.
    if !text.contains("\\u") {
        return (text, 0);
    }
    let bytes = text.as_bytes();
    let mut lone: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        match escape_at(bytes, at) {
            Some(0xD800..=0xDBFF) => match escape_at(bytes, at + 6) {
                Some(0xDC00..=0xDFFF) => at += 12,
                _ => {
                    lone.push(at..at + 6);
                    at += 6;
                }
            },
            Some(0xDC00..=0xDFFF) => {
                lone.push(at..at + 6);
                at += 6;
            }
            Some(_) => at += 6,
            // Another escape, `\\` among them: two bytes.
            None => at += 2,
        }
    }
    replace_escapes(text, &lone)
}

/// JSON without what XML cannot carry, plain or escaped, and how often that was: for texts that go out again as they
/// came in.
pub fn without_illegal(json: &str) -> (Cow<'_, str>, usize) {
    let (json, plain) = clean(json);
    let bytes = json.as_bytes();
    let mut illegal: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let code = escape_at(bytes, at);
        let end = at + if code.is_some() { 6 } else { 2 };
        let is_illegal = match (code, bytes.get(at + 1)) {
            (Some(code), _) => char::from_u32(code.into()).is_some_and(is_illegal_in_xml),
            (None, short) => matches!(short, Some(b'b' | b'f')),
        };
        if is_illegal {
            illegal.push(at..end);
        }
        at = end;
    }
    let (json, escaped) = replace_escapes(json, &illegal);
    (json, plain + escaped)
}

fn replace_escapes<'t>(text: Cow<'t, str>, places: &[Range<usize>]) -> (Cow<'t, str>, usize) {
    if places.is_empty() {
        return (text, 0);
    }
    let mut repaired = String::with_capacity(text.len());
    let mut copied = 0;
    for place in places {
        repaired.push_str(text.get(copied..place.start).unwrap_or_default());
        repaired.push_str("\\uFFFD");
        copied = place.end;
    }
    repaired.push_str(text.get(copied..).unwrap_or_default());
    (Cow::Owned(repaired), places.len())
}

/// The code unit of a `\uXXXX` that begins here.
fn escape_at(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Turns `None`, `True`, `False` and trailing commas outside of strings into JSON.
pub fn relax(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut in_string = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if in_string => {
                chars.next();
            }
            '"' => in_string = !in_string,
            _ if in_string => {}
            ',' if closes_next(text.get(at + 1..).unwrap_or_default()) => {
                out.push_str(text.get(copied..at).unwrap_or_default());
                copied = at + 1;
            }
            'N' | 'T' | 'F' => {
                let rest = text.get(at..).unwrap_or_default();
                for (python, json) in [("None", "null"), ("True", "true"), ("False", "false")] {
                    if rest.starts_with(python) {
                        out.push_str(text.get(copied..at).unwrap_or_default());
                        out.push_str(json);
                        copied = at + python.len();
                    }
                }
            }
            _ => {}
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

fn closes_next(rest: &str) -> bool {
    rest.trim_start().starts_with([']', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_counted() {
        for (input, expected, count) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#, 0),
            (r#""a\ud83d""#, r#""a\uFFFD""#, 1),
            (r#""\udc00\ud83d\ude00\uD800\u0041""#, r#""\uFFFD\ud83d\ude00\uFFFD\u0041""#, 2),
            (r#""\\ud83d""#, r#""\\ud83d""#, 0),
            (r#""\\\ud83d\"""#, r#""\\\uFFFD\"""#, 1),
            (r#""\u"#, r#""\u"#, 0),
            ("\"你好\"", "\"你好\"", 0),
        ] {
            let (text, replaced) = sanitise(input);
            assert_eq!((&*text, replaced), (expected, count), "{input}");
        }
    }

    #[test]
    fn raw_control_characters_are_replaced_and_counted() {
        for (input, expected, count) in [
            ("好\u{FFFD}", "好\u{FFFD}", 0),
            ("\"a\u{0}b\tc\u{1F}d\u{7F}\"", "\"a\u{FFFD}b\tc\u{FFFD}d\u{7F}\"", 2),
        ] {
            let (text, replaced) = sanitise(input);
            assert_eq!((&*text, replaced), (expected, count));
        }
    }

    #[test]
    fn what_xml_cannot_carry_is_replaced_plain_and_escaped() {
        for (input, expected, count) in [
            (r#""a\u0001b""#, r#""a\uFFFDb""#, 1),
            (r#""\\u0001 \\\u000B\ufffe""#, r#""\\u0001 \\\uFFFD\uFFFD""#, 2),
            ("\"\u{FFFE}\\u0000\"", "\"\u{FFFD}\\uFFFD\"", 2),
            (r#""\t\u0009\u007f\ud83d\ude00你好""#, r#""\t\u0009\u007f\ud83d\ude00你好""#, 0),
            (r#""\b\\b\f""#, r#""\uFFFD\\b\uFFFD""#, 2),
            ("\\你", "\\你", 0),
            ("\\", "\\", 0),
            (r#""\u00"#, r#""\u00"#, 0),
        ] {
            let (text, replaced) = without_illegal(input);
            assert_eq!((&*text, replaced), (expected, count), "{input}");
        }
    }

    #[test]
    fn python_leftovers_become_json() {
        for (input, expected) in [
            (r#"[{"a": None,},]"#, r#"[{"a": null}]"#),
            (r#"{"None": "True, ]", "b": True}"#, r#"{"None": "True, ]", "b": true}"#),
            (r#"["a\",]"]"#, r#"["a\",]"]"#),
            ("[1,\n  \n]", "[1\n  \n]"),
        ] {
            assert_eq!(relax(input), expected);
        }
    }
}
