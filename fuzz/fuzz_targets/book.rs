//! Does any book come back as it was read, and lose nothing on its way to other formats?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::book(bytes));
