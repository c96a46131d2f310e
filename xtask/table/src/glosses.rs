//! What does the dictionary say a Chinese word means?

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Simplified words and their meanings, the first ones first. The file is a pickled list of the dictionary's lines.
pub(crate) fn read(bytes: &[u8]) -> Result<BTreeMap<String, Vec<String>>> {
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines(bytes)? {
        let Some((head, meanings)) = line.split_once(" /") else { continue };
        let Some(simplified) = head.split(' ').nth(1) else { continue };
        let meanings = meanings.trim_end().trim_end_matches('/').split('/').flat_map(clean);
        let meanings: Vec<String> = meanings.collect();
        if !meanings.is_empty() {
            words.entry(simplified.to_owned()).or_default().extend(meanings);
        }
    }
    Ok(words)
}

/// Notes that are no meanings.
const NOTES: &[&str] = &[
    "CL:",
    "see ",
    "variant of",
    "old variant",
    "also written",
    "abbr. ",
    "surname",
    "erhua",
    "used in",
    "also pr.",
    "Taiwan pr.",
];
/// Longer ones explain more than they translate.
const LONGEST: usize = 80;

fn clean(meaning: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut bare = String::new();
    for c in meaning.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || c == '|' || ('\u{3400}'..='\u{9FFF}').contains(&c) => {}
            _ => bare.push(c),
        }
    }
    if NOTES.iter().any(|note| bare.trim().starts_with(note)) {
        return Vec::new();
    }
    let parts = bare.split(';').map(|part| {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        part.strip_prefix("to ").unwrap_or(&part).to_owned()
    });
    parts.filter(|part| part.len() < LONGEST && part.chars().any(|c| c.is_ascii_alphabetic())).collect()
}

/// The texts of a pickled list of texts, by the few instructions that such a list needs.
fn lines(bytes: &[u8]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(instruction) = bytes.get(at) {
        at += 1;
        match instruction {
            // Protocol, short memo.
            0x80 | b'q' => at += 1,
            // Long memo.
            b'r' => at += 4,
            // Empty list, mark, append all, append.
            b']' | b'(' | b'e' | b'a' => {}
            b'X' => {
                let length = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).context("cut short")?;
                let length = u32::from_le_bytes(*length) as usize;
                let text = bytes.get(at + 4..at + 4 + length).context("the dictionary is cut short")?;
                lines.push(String::from_utf8(text.to_vec())?);
                at += 4 + length;
            }
            b'.' => break,
            other => bail!("the dictionary is no list of texts (instruction {other})"),
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Python's protocol 3 writes a list of texts.
    fn pickled(lines: &[&str]) -> Vec<u8> {
        let mut bytes = b"\x80\x03]q\x00(".to_vec();
        for line in lines {
            bytes.push(b'X');
            bytes.extend((line.len() as u32).to_le_bytes());
            bytes.extend(line.as_bytes());
            bytes.extend(b"q\x01");
        }
        bytes.extend(b"e.");
        bytes
    }

    #[test]
    fn meanings_are_told_from_notes() {
        for (line, word, expected) in [
            ("火鍋 火锅 [huo3 guo1] /hotpot/", "火锅", vec!["hotpot"]),
            ("辣 辣 [la4] /hot (spicy)/hot (pungent); burning/", "辣", vec!["hot", "hot", "burning"]),
            ("吃 吃 [chi1] /to eat/to consume/CL:頓|顿[dun4]/", "吃", vec!["eat", "consume"]),
            ("張 张 [Zhang1] /surname Zhang/", "张", vec![]),
        ] {
            let found = read(&pickled(&[line])).unwrap();
            assert_eq!(found.get(word).cloned().unwrap_or_default(), expected, "{line}");
        }
        assert!(read(b"\x80\x03}q\x00.").is_err(), "a dictionary of another make is refused");
    }
}
