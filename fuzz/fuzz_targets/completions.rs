//! Is any request of a chat client passed on as it came, and recorded once?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::completions(bytes));
