//! Is any export of a world read whole or not at all?

#![no_main]

#[path = "../store.rs"]
mod store;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| store::with(|api| reverie_api::fuzz::import(api, bytes)));
