//! Which commands are there, and what does the command line mean?
//!
//! A command is a module with `run(output, …)`. To add one: a variant of `Command`, a module, an arm in `run`.

mod backup;
mod character;
mod chat;
mod config;
mod conversations;
mod digest;
mod doctor;
mod eval;
mod events;
mod export;
mod import;
mod jobs;
mod lore;
mod mcp;
mod memories;
mod memory;
mod models;
mod notice;
mod people;
mod perspective;
mod rebuild;
mod recall;
mod round;
mod rounds;
mod serve;
mod stats;
mod token;
mod worlds;
mod written;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use reverie_core::Error;

use crate::output::{Failure, Output};
use crate::settings::{Environment, Flags, Settings};

/// Memory for AI characters: who said what in front of whom, and the right words at the right moment.
#[derive(Debug, Parser)]
#[command(
    name = "reverie",
    version,
    after_help = "Without a command: serve.\n\
                  Exit codes: 0 it worked, 1 it did not, 2 the command line or a setting is wrong."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Answer with JSON, one document on stdout; errors too.
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
    /// For `reverie` alone, which serves.
    #[command(flatten)]
    serve: serve::Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the HTTP API (what `reverie` does without a command).
    Serve(serve::Options),
    /// Offer memory as tools to an MCP client that starts this program, over standard input and output.
    Mcp(mcp::Options),
    /// Show what one character lived through in a file of lines, as chat messages. Needs no store.
    Perspective(perspective::Options),
    /// Try world books without storing anything.
    #[command(subcommand)]
    Lore(lore::Command),
    /// Talk to a character in the terminal: with a model behind an upstream, or with `echo` for a first look.
    ///
    /// Each line is said, empty ones are passed over; one that begins with `/` is a command (`/help` lists them), and `//TEXT` says `/TEXT`. Ctrl-D
    /// or `/quit` ends. What comes from a file or a pipe is said to its end: a command that is none is told on stderr, and the exit code is 1.
    Chat(chat::Options),
    /// Make the prompt for a character about to speak, or explain which memories come to mind and why.
    Recall(recall::Options),
    /// List or search what a character remembers.
    Memories(memories::Options),
    /// Write, read, pin, reword, forget or bring back one memory.
    #[command(subcommand)]
    Memory(memory::Command),
    /// Say what happened in a world, and who saw it.
    #[command(subcommand)]
    Events(events::Command),
    /// Remove a character for good.
    #[command(subcommand)]
    Character(character::Command),
    /// List the rounds of a conversation.
    Rounds(rounds::Options),
    /// Open a round, complete it or break it off.
    #[command(subcommand)]
    Round(round::Command),
    /// Turn what was said into memories now; a server does so by itself.
    Digest(digest::Options),
    /// Derive everything anew that was derived from lines; pins, rewordings, events and what was forgotten stay as they are.
    Rebuild(rebuild::Options),
    /// List what models are asked, how far it has come and what went wrong; or ask again now.
    Jobs(jobs::Options),
    /// See whether the configured chat models work.
    #[command(subcommand)]
    Models(models::Command),
    /// Count what a world holds, and what each character can recall.
    Stats(stats::Options),
    /// Measure how well recall finds what it should, on a corpus and questions of your own. Needs no store.
    Eval(eval::Options),
    /// Write a world, one checkpoint of it, a chat, a book or a card to a file or to standard output.
    Export(export::Options),
    /// Read an export, a table of lines, a world book, a card, a chat, a SillyTavern folder, or a folder of such files.
    Import(import::Options),
    /// Copy the data file, also while a server works on it.
    Backup(backup::Options),
    /// Check that everything in the data file is as it should be.
    Doctor,
    /// Show the effective settings and where each comes from; secrets stay hidden.
    Config(config::Options),
    /// Make a new token.
    Token,
    /// Show whose data is in this program, and under which licences.
    Notice,
}

/// From the command line to the exit code.
pub(crate) fn run(arguments: Vec<OsString>) -> ExitCode {
    let parsed = command().try_get_matches_from(&arguments).and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, &arguments),
    };
    let output = Output { json: cli.json };
    match run_command(cli, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(failure.exit)
        }
    }
}

/// Commands that need no settings take them and do not show them.
fn command() -> clap::Command {
    let hidden = |command: clap::Command| Flags::hidden(command);
    Cli::command()
        .mut_subcommand("perspective", hidden)
        .mut_subcommand("lore", |lore| hidden(lore).mut_subcommand("try", hidden))
        .mut_subcommand("eval", hidden)
        .mut_subcommand("token", hidden)
        .mut_subcommand("notice", hidden)
}

fn run_command(cli: Cli, output: Output) -> Result<(), Failure> {
    let settings = || load_settings(&cli.flags, output);
    match cli.command {
        None => serve::run(output, settings()?, cli.serve),
        Some(Command::Serve(options)) => serve::run(output, settings()?, options.or(cli.serve)),
        Some(Command::Mcp(options)) => mcp::run(settings()?, &options),
        Some(Command::Perspective(options)) => perspective::run(output, options),
        Some(Command::Lore(command)) => lore::run(output, command),
        Some(Command::Chat(options)) => chat::run(output, &settings()?, &options),
        Some(Command::Recall(options)) => recall::run(output, &settings()?, &options),
        Some(Command::Memories(options)) => memories::run(output, &settings()?, &options),
        Some(Command::Memory(command)) => memory::run(output, &settings()?, command),
        Some(Command::Events(command)) => events::run(output, &settings()?, command),
        Some(Command::Character(command)) => character::run(output, &settings()?, &command),
        Some(Command::Rounds(options)) => rounds::run(output, &settings()?, &options),
        Some(Command::Round(command)) => round::run(output, &settings()?, command),
        Some(Command::Digest(options)) => digest::run(output, &settings()?, &options),
        Some(Command::Rebuild(options)) => rebuild::run(output, &settings()?, &options),
        Some(Command::Jobs(options)) => jobs::run(output, &settings()?, &options),
        Some(Command::Models(command)) => models::run(output, &settings()?, &command),
        Some(Command::Stats(options)) => stats::run(output, &settings()?, &options),
        Some(Command::Eval(options)) => eval::run(output, &options),
        Some(Command::Export(options)) => export::run(output, &settings()?, options),
        Some(Command::Import(options)) => import::run(output, &settings()?, &options),
        Some(Command::Backup(options)) => backup::run(output, &settings()?, &options),
        Some(Command::Doctor) => doctor::run(output, &settings()?),
        Some(Command::Config(options)) => config::run(output, settings, options),
        Some(Command::Token) => token::run(output),
        Some(Command::Notice) => notice::run(output),
    }
}

fn load_settings(flags: &Flags, output: Output) -> Result<Settings, Failure> {
    let settings = Settings::load(flags, &Environment::read()).map_err(Failure::usage)?;
    for warning in &settings.warnings {
        output.warning(warning);
    }
    Ok(settings)
}

/// A file that the user named.
fn read_file(path: &Path) -> reverie_core::Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| cannot_read(path, &error))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Error {
    Error::not_found(format!("cannot read {}: {error}", path.display()))
        .hint("check the name and its permissions")
}

/// Also the way by which clap shows help and version.
fn not_understood(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if error.exit_code() == 0 {
        // A reader that has closed its end wants no help.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let json = arguments.iter().any(|argument| argument == "--json");
    let failure = Failure::usage(in_our_form(&error.render().to_string(), &asked_of(arguments)));
    Output { json }.failure(&failure);
    ExitCode::from(failure.exit)
}

/// `reverie memory edit`: the command whose help says what is wrong with its arguments.
fn asked_of(arguments: &[OsString]) -> String {
    let mut at = command();
    let mut path = at.get_name().to_owned();
    for argument in arguments.iter().skip(1) {
        let Some(below) = at.find_subcommand(argument).cloned() else { continue };
        path = format!("{path} {}", below.get_name());
        at = below;
    }
    path
}

/// clap's first paragraph is the message; its tips, if any, are the hint.
fn in_our_form(rendered: &str, command: &str) -> Error {
    let first_paragraph = rendered.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let message = first_paragraph.collect::<Vec<_>>().join(" ");
    let tips = rendered.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let help = format!("see `{command} --help`");
    let hint = tips.chain([help.as_str()]).collect::<Vec<_>>().join("; ");
    Error::invalid(message.trim_start_matches("error: ")).hint(hint)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }

    #[test]
    fn a_command_without_a_store_shows_no_settings() {
        let help = |words: &[&str]| {
            let refused = super::command().try_get_matches_from(words).expect_err("help");
            refused.render().to_string()
        };
        for words in [["reverie", "lore", "try"], ["reverie", "perspective", "x"], ["reverie", "token", "x"]]
        {
            let [program, command, _] = words;
            let all: Vec<&str> = if command == "lore" { words.into() } else { vec![program, command] };
            assert!(!help(&[&all[..], &["--help"]].concat()).contains("--limits"), "{words:?}");
        }
        assert!(help(&["reverie", "import", "--help"]).contains("--limits-import-bytes"));
        // Who has set them for all commands need not take them away for one.
        let taken = super::command().try_get_matches_from(["reverie", "--data", "d", "token"]);
        assert!(taken.is_ok());
    }
}
