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

/// Prompts are made of many small texts: with the system's own allocator a chat waits for its memory a tenth longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os().collect())
}
