//! How much may all patterns take together?
//!
//! A book has as many patterns as its author likes. Each pays before it is read and before it is compiled; when the purse
//! is empty, the others are not looked for, and their authors are told.

use super::Refusal;

/// Bytes of all compiled patterns of a shelf as they are reckoned (what they take is at most twice that): fifty thousand
/// of the usual kind, and some hundred of the worst.
const SHELF_BYTES: usize = 128 << 20;
/// The same for keys that name somebody, which are compiled in every search anew.
const SCAN_BYTES: usize = 8 << 20;
/// Time to read them, in tenths of a microsecond.
const SHELF_WORK: usize = 10_000_000;
const SCAN_WORK: usize = 1_000_000;
/// What any pattern costs, however short.
const LEAST_WORK: usize = 100;

#[derive(Debug)]
pub(in crate::lore) struct Purse {
    bytes: usize,
    work: usize,
}

impl Purse {
    pub(in crate::lore) fn for_shelf() -> Self {
        Self { bytes: SHELF_BYTES, work: SHELF_WORK }
    }

    pub(in crate::lore) fn for_scan() -> Self {
        Self { bytes: SCAN_BYTES, work: SCAN_WORK }
    }

    /// Bytes that a shelf's patterns take once all are compiled.
    pub(in crate::lore) fn spent_by_shelf(&self) -> usize {
        SHELF_BYTES.saturating_sub(self.bytes)
    }

    /// For those who have paid, and read it once more.
    pub(super) fn bottomless() -> Self {
        Self { bytes: usize::MAX, work: usize::MAX }
    }

    /// For a pattern of that length, however little it says.
    pub(super) fn pay_pattern(&mut self, length: usize) -> Result<(), Refusal> {
        self.pay_work(length.saturating_add(LEAST_WORK))
    }

    pub(super) fn pay_work(&mut self, work: usize) -> Result<(), Refusal> {
        pay(&mut self.work, work, "time")
    }

    pub(super) fn pay_bytes(&mut self, bytes: usize) -> Result<(), Refusal> {
        pay(&mut self.bytes, bytes, "memory")
    }
}

fn pay(purse: &mut usize, price: usize, what: &str) -> Result<(), Refusal> {
    match purse.checked_sub(price) {
        Some(left) => {
            *purse = left;
            Ok(())
        }
        None => Err(Refusal::TooMuch(format!("all patterns together take more {what} than they may"))),
    }
}
