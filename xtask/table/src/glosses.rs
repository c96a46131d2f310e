//! What does the dictionary say a Chinese word means?

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Of hot (spicy): `said` is hot, `which` is spicy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) said: String,
    /// Which one of several meanings of what is said, if that has to be said.
    pub(crate) which: String,
}

/// Simplified words and their meanings, the first ones first. The file is a pickled list of the dictionary's lines.
pub(crate) fn read(bytes: &[u8]) -> Result<BTreeMap<String, Vec<Meaning>>> {
    let mut words: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
    for line in lines(bytes)? {
        let Some((head, meanings)) = line.split_once(" /") else { continue };
        let Some(simplified) = head.split(' ').nth(1) else { continue };
        let meanings = meanings.trim_end().trim_end_matches('/').split('/').flat_map(clean);
        let meanings: Vec<Meaning> = meanings.collect();
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

/// Said behind a meaning of how it is used; anything else that is short says which meaning it is: hot (spicy).
const LABELS: &[&str] = &[
    "idiom",
    "name",
    "loanword",
    "old",
    "archaic",
    "dialect",
    "brand",
    "person",
    "proverb",
    "literary",
    "honorific",
    "slang",
    "colloquial",
    "coll",
    "surname",
    "humble",
    "formal",
    "classical",
    "traditional",
    "vulgar",
    "polite",
    "euphemism",
    "suffix",
    "prefix",
    "term",
    "usage",
    "historical",
    "abbr",
    "lit",
    "fig",
    "usually",
    "often",
    "especially",
    "also",
    "numeral",
    "particle",
    "onom",
    "sb",
    "sth",
    "doing",
    "do",
    "that",
];
/// Words of the longest note that says which meaning it is.
const LONGEST_NOTE: usize = 3;

fn clean(meaning: &str) -> Vec<Meaning> {
    let mut parts = vec![(String::new(), String::new())];
    let mut note = String::new();
    let mut depth = 0usize;
    for c in meaning.chars() {
        let Some((said, which)) = parts.last_mut() else { break };
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                let is_behind = said.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric());
                if depth == 0 && c == ')' && is_behind && tells_which(&note) {
                    which.push(' ');
                    which.push_str(&note);
                }
                note.clear();
            }
            '|' | '\u{3400}'..='\u{9FFF}' => {}
            _ if depth > 0 => note.push(c),
            ';' => parts.push((String::new(), String::new())),
            _ => said.push(c),
        }
    }
    if parts.first().is_some_and(|(said, _)| NOTES.iter().any(|note| said.trim().starts_with(note))) {
        return Vec::new();
    }
    let one_space = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let meaning = |(said, which): (String, String)| {
        let said = one_space(&said);
        let said = said.strip_prefix("to ").unwrap_or(&said).to_owned();
        let is_told = said.len() < LONGEST && said.chars().any(|c| c.is_ascii_alphabetic());
        is_told.then(|| Meaning { said, which: one_space(&which) })
    };
    parts.into_iter().filter_map(meaning).collect()
}

fn tells_which(note: &str) -> bool {
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let mut words = note.split_whitespace();
    note.split_whitespace().count() <= LONGEST_NOTE
        && words.all(|word| is_word(word) && !LABELS.contains(&word))
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
pub(crate) mod tests {
    use super::*;

    /// As Python's protocol 3 writes a list of texts.
    pub(crate) fn pickled(lines: &[&str]) -> Vec<u8> {
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
            ("火鍋 火锅 [huo3 guo1] /hotpot/", "火锅", vec![("hotpot", "")]),
            (
                "辣 辣 [la4] /hot (spicy)/hot (pungent); burning/",
                "辣",
                vec![("hot", "spicy"), ("hot", "pungent"), ("burning", "")],
            ),
            ("彈 弹 [tan2] /to play (a string instrument)/", "弹", vec![("play", "a string instrument")]),
            ("漩 漩 [xuan2] /(of water) whirling (literary)/", "漩", vec![("whirling", "")]),
            ("壹 壹 [yi1] /one (banker's anti-fraud numeral)/", "壹", vec![("one", "")]),
            ("吃 吃 [chi1] /to eat/to consume/CL:頓|顿[dun4]/", "吃", vec![("eat", ""), ("consume", "")]),
            ("張 张 [Zhang1] /surname Zhang/", "张", vec![]),
        ] {
            let found = read(&pickled(&[line])).unwrap();
            let found = found.get(word).into_iter().flatten();
            let found: Vec<(&str, &str)> = found.map(|one| (one.said.as_str(), one.which.as_str())).collect();
            assert_eq!(found, expected, "{line}");
        }
        assert!(read(b"\x80\x03}q\x00.").is_err(), "a dictionary of another make is refused");
    }
}
