//! Does any chat come back as it was read, and become a tree?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::chat(bytes));
