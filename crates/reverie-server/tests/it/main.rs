//! The real binary, from its command line and its socket.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "all of this is test code; a failed step fails the test"
)]

mod backups;
mod caller;
mod chats;
mod client;
mod commands;
mod connections;
mod containers;
mod data_files;
mod embedders;
mod endpoints;
mod eval;
mod explained;
mod first_start;
mod folders;
#[cfg(target_os = "linux")]
mod full_disk;
mod guard;
mod imports_again;
mod kill;
mod large_worlds;
#[cfg(unix)]
mod late_data;
mod library_files;
mod limits;
mod lore_tour;
mod mcp;
mod mem0;
mod mem0_import;
mod memory_tour;
mod models;
mod naming;
mod nasty;
mod pages;
mod pictures;
mod proxy;
mod readme;
mod round_trips;
mod run;
mod saves;
mod serving;
#[cfg(unix)]
mod signals;
mod stopping;
mod talking;
mod tokens;
mod transcripts;
mod two_servers;
mod worker;
mod working;
