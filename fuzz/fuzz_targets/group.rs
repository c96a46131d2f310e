//! Does any group come back as it was read?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::group(bytes));
