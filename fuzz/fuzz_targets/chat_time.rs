//! Does any date of a chat stay harmless?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::chat_time(bytes));
