//! Do any settings and calendars of a world leave texts whole?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_core::fuzz::settings(bytes));
