//! Does any pattern of JavaScript compile or fail in bounds, and need what it says it needs?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_core::lore::fuzz::pattern(bytes));
