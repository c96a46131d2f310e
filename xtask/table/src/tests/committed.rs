//! Does the table that ships hold together, and is it the one that its report speaks of?

use std::collections::{BTreeMap, HashSet};

use reverie_offline::format::{HASH_BEGIN, HEADER, LONGEST_PIECE, LONGEST_WORD, MAGIC, hash, slot};

use crate::sha256::sha256;

const TABLE: &[u8] = include_bytes!("../../../../crates/reverie-offline/src/table.bin");
const REPORT: &str = include_str!("../../../../crates/reverie-offline/src/table.txt");

struct Parts {
    slots: Vec<u32>,
    spellings: Vec<String>,
    forms: BTreeMap<char, char>,
}

/// As the format describes them.
fn parts() -> Parts {
    let numbers: Vec<u32> =
        TABLE.as_chunks::<4>().0.iter().take(HEADER).map(|four| u32::from_le_bytes(*four)).collect();
    let [magic, dimensions, entries, rows, slots, text, forms, _] = numbers.try_into().unwrap();
    assert_eq!(magic, MAGIC);
    let mut rest = TABLE.split_at(HEADER * 4).1;
    let mut part = |bytes: u32| {
        let (part, behind) = rest.split_at(bytes as usize);
        rest = behind;
        part
    };
    let numbers = |bytes: &[u8]| -> Vec<u32> {
        bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
    };
    part(rows * dimensions / 2);
    let slots = numbers(part(slots * 4));
    let ends = numbers(part(entries * 4));
    part(rows * 2);
    part(entries);
    let text = std::str::from_utf8(part(text)).unwrap();
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let spelling = |(begin, end): (u32, &u32)| text.get(begin as usize..*end as usize).unwrap().to_owned();
    let letters: Vec<char> = numbers(part(forms * 8)).into_iter().filter_map(char::from_u32).collect();
    let forms: Vec<(char, char)> = letters.as_chunks::<2>().0.iter().map(|[from, to]| (*from, *to)).collect();
    assert!(forms.is_sorted(), "forms are looked up by halves");
    Parts { slots, spellings: begins.zip(&ends).map(spelling).collect(), forms: forms.into_iter().collect() }
}

#[test]
fn the_report_is_of_this_table() {
    let said = REPORT.lines().find_map(|line| line.strip_prefix("sha256 of the table: "));
    assert_eq!(said, Some(sha256(TABLE).as_str()), "run the maker: it writes both");
}

#[test]
fn every_entry_is_where_it_is_looked_for_and_no_text_is_folded_past_it() {
    let parts = parts();
    let count = parts.slots.len() as u32;
    let mut seen = HashSet::new();
    for (spelling, number) in parts.spellings.iter().zip(1u32..) {
        assert!(seen.insert(spelling), "{spelling} is there twice");
        let longest = if spelling.is_ascii() { LONGEST_PIECE } else { LONGEST_WORD };
        assert!((1..=longest).contains(&spelling.trim_start_matches('#').chars().count()), "{spelling}");
        let unfolded = spelling.chars().find(|c| parts.forms.contains_key(c) || c.is_uppercase());
        assert_eq!(unfolded, None, "{spelling} is never looked up");
        let begin = slot(spelling.bytes().fold(HASH_BEGIN, hash), count);
        let mut passed =
            (begin..count).chain(0..begin).map(|at| parts.slots.get(at as usize).copied().unwrap_or(0));
        assert!(passed.by_ref().take_while(|entry| *entry != 0).any(|entry| entry == number), "{spelling}");
    }
    for (from, to) in &parts.forms {
        assert!(!parts.forms.contains_key(to), "{from} leads to {to}, which is not the last one");
    }
}
