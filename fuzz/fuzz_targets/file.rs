//! Does any picture, archive or JSON file keep everything but the card when the card is replaced?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::file(bytes));
