//! Are the estimate's tables what the vocabulary says?
//!
//! Derives them anew and compares. To write them:
//!
//! ```text
//! cargo test -p reverie-core --test token_tables -- --ignored
//! ```

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

mod chars;
#[path = "../../src/tokens/joiners.rs"]
mod joiners;
mod merges;
mod tears;
mod vocabulary;

use std::path::PathBuf;

use vocabulary::Vocabulary;

#[test]
fn tables_are_what_the_vocabulary_says() {
    for (name, derived) in tables() {
        let committed = std::fs::read(path_of(name)).unwrap();
        assert!(committed == derived, "{name} is stale: run the ignored test of this file and commit");
    }
}

#[test]
#[ignore = "writes the tables into the source tree"]
fn write_tables() {
    for (name, derived) in tables() {
        println!("{name}: {} bytes", derived.len());
        std::fs::write(path_of(name), derived).unwrap();
    }
}

fn path_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/tokens").join(name)
}

fn tables() -> [(&'static str, Vec<u8>); 3] {
    let vocabulary = Vocabulary::load();
    [
        ("merges.bin", merges::table(&vocabulary)),
        ("chars.bin", chars::table(&vocabulary)),
        ("bonds.bin", chars::bonds_table(&vocabulary)),
    ]
}
