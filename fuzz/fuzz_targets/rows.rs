//! Does any table of lines become chains in which parents come first?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::rows(bytes));
