//! Do any timers that can be read come back as they were?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_core::lore::fuzz::timers(bytes));
