//! What does each wide character cost, and which neighbours do not stay apart?

use std::collections::BTreeMap;

use crate::joiners::symbol_of;
use crate::tears::{Tear, tears};
use crate::vocabulary::Vocabulary;

const BLOCK: u32 = 256;
const END: u32 = 0x1fb00;
const BONDS: std::ops::Range<u32> = 0x3000..0xa000;
const TORN: u16 = 0x8000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Letter,
    Mark,
    Unclear,
}

/// None: the table does not know the character, the estimate counts its bytes.
pub(crate) fn role_of(c: char) -> Option<Role> {
    match c {
        '\u{400}'..='\u{45f}'
        | '々'
        | '〆'
        | '〻'
        | '〼'
        | '\u{3041}'..='\u{3096}'
        | 'ゝ'..='ゟ'
        | '\u{30a1}'..='\u{30fa}'
        | 'ー'..='ヿ'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | 'Ａ'..='Ｚ'
        | 'ａ'..='ｚ' => Some(Role::Letter),
        // Combining marks: part of a word or of a run of marks, depending on what stands before.
        '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}' | '\u{fe0f}' => {
            Some(Role::Unclear)
        }
        '\u{200b}'..='\u{200d}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{20a0}'..='\u{20c0}'
        | '\u{2100}'..='\u{2bff}'
        | '\u{3001}'..='\u{303f}'
        | '\u{309b}'
        | '\u{309c}'
        | '\u{30a0}'
        | '\u{30fb}'
        | '\u{3200}'..='\u{33ff}'
        | '\u{fe30}'..='\u{fe6b}'
        | '\u{ff01}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f000}'..='\u{1faff}' => Some(if c.is_alphanumeric() { Role::Unclear } else { Role::Mark }),
        _ => None,
    }
}

pub(crate) fn table(vocabulary: &Vocabulary) -> Vec<u8> {
    let tears = tears(vocabulary);
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    let mut index = Vec::new();
    for start in (0..END).step_by(BLOCK as usize) {
        let codes: Vec<u8> = (start..start + BLOCK).map(|point| code_of(vocabulary, &tears, point)).collect();
        let packed: Vec<u8> = codes.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect();
        let number = blocks.iter().position(|block| *block == packed).unwrap_or_else(|| {
            blocks.push(packed);
            blocks.len() - 1
        });
        index.push(u8::try_from(number).unwrap());
    }
    index.into_iter().chain(blocks.into_iter().flatten()).collect()
}

/// 0 for unknown; else by role, the cost, or 4 for a cost of 1 that a leading space makes 2.
fn code_of(vocabulary: &Vocabulary, tears: &[Tear], point: u32) -> u8 {
    let Some(c) = char::from_u32(point).filter(|c| symbol_of(*c).is_none()) else {
        return 0;
    };
    let Some(role) = role_of(c) else { return 0 };
    let cost = cost_of(vocabulary, tears, c);
    let torn = vocabulary.cost(&format!(" {c}")) > 1 + cost;
    assert!((1..=3).contains(&cost) && (!torn || cost == 1), "{c} does not fit the code");
    let base = match role {
        Role::Letter => 0,
        Role::Mark => 4,
        Role::Unclear => 8,
    };
    base + if torn { 4 } else { cost as u8 }
}

/// Where a neighbour can take the last byte of a character, the other two may stay apart.
fn cost_of(vocabulary: &Vocabulary, tears: &[Tear], c: char) -> usize {
    let cost = vocabulary.cost(&c.to_string());
    let loses_last_byte = match c.to_string().as_bytes() {
        [first, second, _] => !vocabulary.has(&[*first, *second]),
        _ => false,
    };
    // Inside the range of bonds, the pair is listed instead.
    let is_listed = BONDS.contains(&u32::from(c));
    let is_torn = cost == 1
        && !is_listed
        && tears.iter().any(|tear| tear.is_head_of(c) && tear.wins_over(vocabulary, c));
    cost + usize::from(cost < c.len_utf8() && (loses_last_byte || is_torn))
}

pub(crate) fn bonds_table(vocabulary: &Vocabulary) -> Vec<u8> {
    let tears = tears(vocabulary);
    let is_bound = |c: &char| role_of(*c) == Some(Role::Letter) && cost_of(vocabulary, &tears, *c) == 1;
    let letters: Vec<char> = BONDS.filter_map(char::from_u32).filter(is_bound).collect();
    let mut bonds: BTreeMap<(char, char), u16> = BTreeMap::new();
    for tear in &tears {
        bonds.extend(tear.pairs(vocabulary, &tears, &letters).into_iter().map(|pair| (pair, TORN)));
    }
    for (_, text) in vocabulary.texts() {
        let mut chars = text.chars();
        if let (Some(first), Some(second), None) = (chars.next(), chars.next(), chars.next())
            && letters.contains(&first)
            && letters.contains(&second)
        {
            bonds.insert((first, second), 0);
        }
    }
    let starts = BONDS.step_by(16).chain([BONDS.end]);
    let starts = starts.map(|start| bonds.range(..(char::from_u32(start).unwrap(), '\0')).count() as u16);
    let entries = bonds.iter().flat_map(|((first, second), torn)| {
        [u32::from(*first) as u16, (u32::from(*second) - BONDS.start) as u16 | torn]
    });
    starts.chain(entries).flat_map(u16::to_le_bytes).collect()
}
