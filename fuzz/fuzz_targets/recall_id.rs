//! Does any id of a prompt mean what it says, and begin nothing twice?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_core::fuzz::recall_id(bytes));
