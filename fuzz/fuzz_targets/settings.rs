//! Do any settings stay harmless?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::settings(bytes));
