//! Can any answer of a model be read, or refused?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::answer(bytes));
