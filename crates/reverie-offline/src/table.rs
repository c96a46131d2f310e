//! What does the table hold for a spelling?

use crate::format::{DIMENSIONS, HASH_BEGIN, HEADER, MAGIC, hash, slot};

/// A table of vectors, read in place.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    rows: u32,
    slots: u32,
    /// Of a spelled vector of weight 1.
    pub(crate) spelled_scale: u32,
    vectors: &'a [[u8; ROW]],
    slot_entries: &'a [[u8; 4]],
    ends: &'a [[u8; 4]],
    scales: &'a [[u8; 2]],
    costs: &'a [u8],
    text: &'a [u8],
    forms: &'a [[u8; 8]],
}

/// Bytes of one vector.
const ROW: usize = DIMENSIONS / 2;

/// The table that is part of the program. One that cannot be read does not compile.
pub(crate) static BUILT_IN: Table<'static> = match Table::read(BYTES) {
    Some(table) => table,
    None => panic!("table.bin is no table of this version"),
};
const BYTES: &[u8] = include_bytes!("table.bin");

/// A vector as it is stored, and what to multiply it with.
pub(crate) struct Row<'a> {
    pub(crate) halves: &'a [u8; ROW],
    pub(crate) scale: i32,
}

impl<'a> Table<'a> {
    /// None if the bytes are no table of this version.
    #[must_use]
    pub const fn read(bytes: &'a [u8]) -> Option<Self> {
        let Some((header, rest)) = bytes.split_at_checked(HEADER * 4) else { return None };
        let (numbers, _) = header.as_chunks::<4>();
        let [magic, dimensions, entries, rows, slots, text_bytes, forms, spelled_scale] = numbers else {
            return None;
        };
        if u32::from_le_bytes(*magic) != MAGIC || u32::from_le_bytes(*dimensions) as usize != DIMENSIONS {
            return None;
        }
        let (rows, slots) = (u32::from_le_bytes(*rows), u32::from_le_bytes(*slots));
        let entries = u32::from_le_bytes(*entries) as usize;
        let Some((vectors, rest)) = rest.split_at_checked(rows as usize * ROW) else { return None };
        let Some((slot_entries, rest)) = rest.split_at_checked(slots as usize * 4) else { return None };
        let Some((ends, rest)) = rest.split_at_checked(entries * 4) else { return None };
        let Some((scales, rest)) = rest.split_at_checked(rows as usize * 2) else { return None };
        let Some((costs, rest)) = rest.split_at_checked(entries) else { return None };
        let Some((text, forms_bytes)) = rest.split_at_checked(u32::from_le_bytes(*text_bytes) as usize)
        else {
            return None;
        };
        if !slots.is_power_of_two() || forms_bytes.len() != u32::from_le_bytes(*forms) as usize * 8 {
            return None;
        }
        Some(Self {
            rows,
            slots,
            spelled_scale: u32::from_le_bytes(*spelled_scale),
            vectors: vectors.as_chunks().0,
            slot_entries: slot_entries.as_chunks().0,
            ends: ends.as_chunks().0,
            scales: scales.as_chunks().0,
            costs,
            text,
            forms: forms_bytes.as_chunks().0,
        })
    }

    /// The entry that is spelled so; its hash is known already.
    pub(crate) fn find(&self, hash: u32, begin: &[u8], rest: &[u8]) -> Option<u32> {
        let mut at = slot(hash, self.slots);
        // A full table would end here, too: nobody writes one, but nobody is made to wait for it.
        for _ in 0..self.slots {
            let entry = u32::from_le_bytes(*self.slot_entries.get(at as usize)?).checked_sub(1)?;
            let spelled = self.spelling(entry);
            if spelled.strip_prefix(begin) == Some(rest) {
                return Some(entry);
            }
            at = (at + 1) & (self.slots - 1);
        }
        None
    }

    /// The entry that is spelled so.
    pub(crate) fn find_word(&self, word: &[u8]) -> Option<u32> {
        self.find(word.iter().fold(HASH_BEGIN, |state, byte| hash(state, *byte)), &[], word)
    }

    /// How rare an entry is, in eighths of a bit.
    pub(crate) fn cost(&self, entry: u32) -> u32 {
        self.costs.get(entry as usize).copied().map_or(u32::from(u8::MAX), u32::from)
    }

    /// None for entries that only help to find the ends of words.
    pub(crate) fn row(&self, entry: u32) -> Option<Row<'a>> {
        if entry >= self.rows {
            return None;
        }
        let scale = i32::from(u16::from_le_bytes(*self.scales.get(entry as usize)?));
        Some(Row { halves: self.vectors.get(entry as usize)?, scale })
    }

    /// The one form of a character that has several: the simplified one of traditional and Japanese characters.
    pub(crate) fn one_form(&self, character: char) -> char {
        let key = u32::from(character);
        let parts = |pair: &[u8; 8]| {
            let (from, to) = pair.split_at(4);
            let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
            (number(from), number(to))
        };
        if self.forms.first().is_none_or(|first| key < parts(first).0) {
            return character;
        }
        let found = self.forms.binary_search_by_key(&key, |pair| parts(pair).0).ok();
        let form = found.and_then(|at| self.forms.get(at)).map(|pair| parts(pair).1);
        form.and_then(char::from_u32).unwrap_or(character)
    }

    fn spelling(&self, entry: u32) -> &'a [u8] {
        let end =
            |entry: u32| self.ends.get(entry as usize).map_or(0, |end| u32::from_le_bytes(*end) as usize);
        let begin = entry.checked_sub(1).map_or(0, end);
        self.text.get(begin..end(entry)).unwrap_or_default()
    }
}
