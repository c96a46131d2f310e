//! Does any memory come back, each record an entry of its own?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::memory(bytes));
