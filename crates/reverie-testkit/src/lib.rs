//! What the tests of several crates share. For development only.

pub mod faulty_disk;
mod faulty_vfs;
pub mod model_store;
pub mod store_suite;
pub mod story;
pub mod twins;
