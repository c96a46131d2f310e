//! Is the JSON in any text of a model found, or refused, in bounded time?

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reverie_formats::fuzz::model_json(bytes));
