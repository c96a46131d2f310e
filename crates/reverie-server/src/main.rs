//! The binary `reverie`: settings, command line and HTTP over the transport-free API.

mod backups;
mod cli;
mod connections;
mod current;
mod data;
mod embedding;
mod http;
mod lifetime;
mod log;
mod mcp;
mod memory;
mod models;
mod output;
mod progress;
mod proxy;
mod sample;
mod secret;
mod settings;
mod worker;

/// A server lives long, and its threads free what others took.
#[cfg(all(unix, not(target_env = "musl")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os().collect())
}
