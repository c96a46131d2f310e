//! Is a closed file likely to be whole, without reading all of it?
//!
//! A few pages are looked at: the roots of all tables and indexes, the head of the free list, and some in between.
//! What is seen costs the same however large the file is. Only what no SQLite would have written counts as damage, so that a
//! sound file is never refused.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

pub(super) const HEADER: usize = 100;

/// How many pages are looked at between the first and the last one.
const SAMPLES: u64 = 64;

/// What a file's first bytes say.
pub(super) struct Header<'h>(pub(super) &'h [u8; HEADER]);

impl Header<'_> {
    pub(super) fn application(&self) -> i32 {
        number(self.0, 68) as i32
    }

    pub(super) fn version(&self) -> i64 {
        i64::from(number(self.0, 60))
    }

    /// The database's size; 0 where an older library left it open.
    pub(super) fn length(&self) -> u64 {
        let (change_counter, pages, valid_for) = (number(self.0, 24), number(self.0, 28), number(self.0, 92));
        if change_counter == valid_for { self.page() * u64::from(pages) } else { 0 }
    }

    fn page(&self) -> u64 {
        match u16::from_be_bytes([self.0[16], self.0[17]]) {
            1 => 65536,
            size => u64::from(size),
        }
    }
}

/// What is wrong with the file, if anything is; `roots` are the pages at which its tables and indexes begin.
pub(super) fn find_damage(file: &mut File, header: &Header<'_>, roots: &[u32]) -> io::Result<Option<String>> {
    let page = header.page();
    if !page.is_power_of_two() || page < 512 {
        return Ok(Some(format!("its pages would have {page} bytes")));
    }
    let pages = file.metadata()?.len() / page;
    let mut look =
        Look { file, page, usable: (page as usize).saturating_sub(usize::from(header.0[20])), pages };
    for root in roots {
        if !look.at(u64::from(*root), |look, bytes| look.is_tree(bytes))? {
            return Ok(Some(format!("page {root}, where a table or an index begins, is broken")));
        }
    }
    let free = u64::from(number(header.0, 32));
    if free > 0 && !look.at(free, Look::is_list_of_free_pages)? {
        return Ok(Some(format!("page {free}, where the list of free pages begins, is broken")));
    }
    let step = (pages / SAMPLES).max(1);
    for at in (2..=pages).step_by(step as usize) {
        if !look.at(at, |look, bytes| look.is_tree(bytes) || look.is_link(bytes))? {
            return Ok(Some(format!("page {at} is broken")));
        }
    }
    Ok(None)
}

struct Look<'f> {
    file: &'f mut File,
    page: u64,
    /// Bytes of a page that SQLite uses.
    usable: usize,
    pages: u64,
}

impl Look<'_> {
    fn at(&mut self, number: u64, is_sound: impl Fn(&Self, &[u8]) -> bool) -> io::Result<bool> {
        let Some(before) = number.checked_sub(1).filter(|_| number <= self.pages) else { return Ok(false) };
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(before * self.page))?;
        (&mut *self.file).take(self.page).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != self.page {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(is_sound(self, &bytes))
    }

    /// A page of a table's or an index's tree: its head is in order, and its cells lie inside of it.
    fn is_tree(&self, bytes: &[u8]) -> bool {
        let bytes_before_cells = match bytes.first() {
            Some(2 | 5) => 12,
            Some(10 | 13) => 8,
            _ => return false,
        };
        let (first_free, cells) = (short(bytes, 1), short(bytes, 3));
        let content = match short(bytes, 5) {
            0 => 65536,
            content => content,
        };
        let pointers = bytes_before_cells;
        let end_of_pointers = pointers + 2 * cells;
        let is_inside = |at: usize| at >= content && at < self.usable;
        let is_in_order = content >= end_of_pointers
            && content <= self.usable
            && (first_free == 0 || is_inside(first_free));
        let has_right_child = bytes_before_cells == 8 || self.is_page(number(bytes, 8));
        is_in_order && has_right_child && (0..cells).all(|cell| is_inside(short(bytes, pointers + 2 * cell)))
    }

    /// The rest of a long text, or a free page: it begins with the number of another page, or with none.
    fn is_link(&self, bytes: &[u8]) -> bool {
        let next = number(bytes, 0);
        next == 0 || self.is_page(next)
    }

    fn is_list_of_free_pages(&self, bytes: &[u8]) -> bool {
        let listed = number(bytes, 4) as usize;
        self.is_link(bytes)
            && listed <= self.usable / 4 - 2
            && (0..listed).all(|index| self.is_page(number(bytes, 8 + 4 * index)))
    }

    fn is_page(&self, number: u32) -> bool {
        number > 0 && u64::from(number) <= self.pages
    }
}

fn short(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map_or(0, u16::from_be_bytes).into()
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_be_bytes)
}
