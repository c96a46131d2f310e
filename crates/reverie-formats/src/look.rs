//! What does a file look like that nobody here can read? For telling people, so a guess will do.

use crate::document::without_mark;
use crate::utf8;

/// Looked at from its beginning, as a noun.
pub fn look(bytes: &[u8]) -> &'static str {
    const BEGINNINGS: [(&[u8], &str); 13] = [
        (b"\x89PNG", "a PNG picture"),
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"RIFF", "a WebP picture or a sound"),
        (b"PK", "a zip archive"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"7z\xBC\xAF", "a 7z archive"),
        (b"Rar!", "a RAR archive"),
        (b"%PDF", "a PDF document"),
        (b"SQLite format 3", "an SQLite database"),
        (b"OggS", "a sound"),
        (b"ID3", "a sound"),
        (b"\x7FELF", "a program"),
    ];
    if let Some((_, noun)) = BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning)) {
        return noun;
    }
    match utf8::text(bytes).err().and_then(|problem| problem.looks_like) {
        Some("UTF-16") => return "text in UTF-16",
        Some(_) => return "text in UTF-32",
        None => {}
    }
    let start = without_mark(bytes).trim_ascii_start();
    let is_text = start.iter().take(4096).all(|byte| *byte >= 0x20 || byte.is_ascii_whitespace());
    match start.first() {
        None => "an empty file",
        // With control characters in it, perhaps.
        Some(b'{' | b'[') => "JSON",
        Some(_) if !is_text => "binary data",
        Some(b'<') => "HTML or XML",
        Some(_) => "plain text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_look_like_something() {
        for (bytes, noun) in [
            (&b""[..], "an empty file"),
            (b" \r\n", "an empty file"),
            (b"\xEF\xBB\xBF [1,", "JSON"),
            (b"{\"a\":\"\x0B\"}", "JSON"),
            (b"\xFF\xFE{\0", "text in UTF-16"),
            (b"{\0\"\0", "text in UTF-16"),
            (b"\xFF\xFE\0\0{\0\0\0", "text in UTF-32"),
            ("从前有座山".as_bytes(), "plain text"),
            (b"<html>", "HTML or XML"),
            (b"\x00\x01\x02", "binary data"),
            (b"\xFF\xD8\xFF\xE0", "a JPEG picture"),
            (b"PK\x03\x04", "a zip archive"),
        ] {
            assert_eq!(look(bytes), noun);
        }
    }
}
