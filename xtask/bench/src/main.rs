//! Which benchmarks are there? Each measures a promise in one run, against something that was measured in the same run.

#![expect(clippy::print_stdout, reason = "benchmarks are read where they are run")]

mod appends;
mod copies;
mod dialogue;
mod digest;
mod drop_in;
mod history;
mod load;
mod lore;
mod meaning;
mod measure;
mod minds;
mod opening;
mod peers;
mod perspective;
mod raw;
mod recall;
mod remembered;
mod server;
mod table;
mod world;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use table::Row;

/// Where files are made, and kept where making them takes long.
pub(crate) struct Workshop {
    pub(crate) folder: PathBuf,
    /// A Python that has the other stores.
    pub(crate) peers: Option<PathBuf>,
    /// The real server.
    pub(crate) server: Option<PathBuf>,
    /// How long loads last, if somebody says.
    pub(crate) seconds: Option<u64>,
}

type Bench = fn(&Workshop) -> Result<Vec<Row>>;

const BENCHES: &[(&str, &str, Bench)] = &[
    ("perspective", "one character's view of 10 000 lines, against copying the same text", perspective::run),
    ("history", "history(limit=10) at 1 000 000 lines, against the same at 10 000", history::run),
    ("appends", "durable appends, against plain SQLite", appends::run),
    ("opening", "opening a file of 1 000 000 lines, against one of 10 000", opening::run),
    ("recall", "a prompt of 16 000 tokens", recall::run),
    ("meaning", "the nearest of 100 000 vectors, with --peers against NumPy, LanceDB and mem0", meaning::run),
    (
        "remembered",
        "a prompt of one who has 100 000 memories, against 10 000; of one of 10 000 characters, against one alone",
        remembered::run,
    ),
    (
        "load",
        "200 clients at once record and recall for two minutes (--seconds=N) while memories are made",
        load::run,
    ),
    (
        "drop-in",
        "chats through Reverie: until the first word, in a prompt cache, and 500 at once for a minute (--seconds=N)",
        drop_in::run,
    ),
    ("lore", "one search of 10 000 world-book entries, against a single pass over the text", lore::run),
    (
        "digest",
        "1000 characters with 100 rounds each become memories, against ten times 100 characters",
        digest::run,
    ),
    ("copies", "export, import and fork of a world of 10 000 lines", copies::run),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|word| word.starts_with("--"));
    let json = options.iter().any(|option| *option == "--json");
    let value = |name: &str| options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
    let workshop = Workshop {
        folder: PathBuf::from(value("--folder").context("name a folder: --folder=DIR")?),
        peers: value("--peers").map(PathBuf::from),
        server: value("--server").map(PathBuf::from),
        seconds: value("--seconds").map(str::parse).transpose().context("--seconds=N is a number")?,
    };
    std::fs::create_dir_all(&workshop.folder)?;
    if names.iter().any(|name| *name == "list") {
        BENCHES.iter().for_each(|(name, about, _)| println!("{name:12} {about}"));
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| !BENCHES.iter().any(|(known, ..)| known == *name)) {
        bail!("there is no benchmark {unknown}; `list` names them");
    }
    let mut rows = Vec::new();
    for (name, about, bench) in
        BENCHES.iter().filter(|(name, ..)| names.is_empty() || names.iter().any(|n| n == name))
    {
        eprintln!("{name}: {about}");
        rows.push((*name, bench(&workshop)?));
        if !json && let Some((_, rows)) = rows.last() {
            println!("{}", table::text(name, rows));
        }
    }
    if json {
        println!("{}", table::json(&rows));
    }
    Ok(())
}
