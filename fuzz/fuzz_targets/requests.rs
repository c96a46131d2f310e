//! Do any requests leave a store from which worlds can be taken along?

#![no_main]

#[path = "../store.rs"]
mod store;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| store::with(|api| reverie_api::fuzz::requests(api, bytes)));
