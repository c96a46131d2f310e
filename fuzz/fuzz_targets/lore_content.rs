//! Do the orders and macros of any content end, and leave the text?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_core::lore::fuzz::content(bytes));
