//! Makes the table of word vectors that the offline embedder ships with, from the packages that sources.txt names.
//!
//! `cargo run --release -p reverie-table -- FOLDER [TABLE]`: reads the packages in FOLDER, writes the table (by default where the
//! embedder has it) and its quality beside it; `bench` instead of a TABLE measures the embedder against the transformer. One
//! thread, no random numbers, no function that a machine may round otherwise: every run on every machine writes the same
//! bytes. `RUSTFLAGS="-C target-cpu=x86-64-v3"` makes it three times as fast.

mod arithmetic;
mod bench;
mod forms;
mod glosses;
mod layout;
mod linear;
mod matrix;
mod packages;
mod recipe;
mod report;
mod sha256;
mod sources;
#[cfg(test)]
mod tests;
mod transformer;
mod vocabulary;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use reverie_offline::Table;

/// In the repository and in the program.
const MOST_BYTES: usize = 12_000_000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let folder =
        arguments.next().context("name the folder that holds the packages of xtask/table/sources.txt")?;
    let place = arguments.next().unwrap_or_else(|| PathBuf::from("crates/reverie-offline/src/table.bin"));
    let sources = sources::Sources::read(&folder)?;
    if place.as_os_str() == "bench" {
        eprint!("{}", bench::run(&sources)?);
        return Ok(());
    }
    let words = vocabulary::Vocabulary::choose(&sources);
    let space = recipe::space(&sources, &words);
    let (bytes, nearness) = layout::table(&words, &space, &sources.forms);
    if bytes.len() > MOST_BYTES {
        bail!("the table has {} bytes; at most {MOST_BYTES} may ship", bytes.len());
    }
    let table = Table::read(&bytes).context("the table that was made cannot be read")?;
    let quality = report::report(&sources, &words, &table, &bytes, nearness);
    std::fs::write(&place, &bytes)?;
    std::fs::write(place.with_extension("txt"), &quality)?;
    eprint!("{quality}");
    Ok(())
}
