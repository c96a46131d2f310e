//! How does the code describe itself? Writes docs/reference/*.md from what the programs print.

mod api;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::environment::Environment;
use crate::run::{Echo, output, run, succeeded};

const BUILD_LIMIT: Duration = Duration::from_secs(20 * 60);
const RUN_LIMIT: Duration = Duration::from_secs(60);
const GENERATED: &str = "<!-- Written by `cargo xtask docs`; change the code instead. -->\n\n";

/// Writes every page. Always true.
pub(crate) fn write(environment: &Environment) -> Result<bool> {
    for (path, page) in pages(environment)? {
        let file = environment.root.join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        std::fs::write(&file, page).with_context(|| format!("cannot write {path}"))?;
        println!("wrote {path}");
    }
    Ok(true)
}

/// Path and text of each page, as the code has it now.
pub(crate) fn pages(environment: &Environment) -> Result<Vec<(&'static str, String)>> {
    let programs = Programs::build(environment)?;
    Ok(vec![
        ("docs/reference/settings.md", settings(&programs)?),
        (
            "docs/reference/api.md",
            format!("{GENERATED}{}", api::page(&programs.ask("examples/openapi", &[])?)?),
        ),
        ("docs/reference/cli.md", cli(&programs)?),
    ])
}

/// The freshly built binary `reverie`.
pub(crate) fn binary(environment: &Environment) -> Result<PathBuf> {
    Ok(Programs::build(environment)?.path("reverie"))
}

struct Programs {
    folder: PathBuf,
}

impl Programs {
    fn build(environment: &Environment) -> Result<Self> {
        // The whole workspace at once: the same features, and so the same artefacts, as its tests have.
        let arguments =
            ["build", "--quiet", "--locked", "--workspace", "--exclude", "xtask", "--bins", "--examples"];
        let mut command = environment.cargo(&arguments);
        let ended = run(&mut command, BUILD_LIMIT, Echo::None)?;
        succeeded(&command, &ended, BUILD_LIMIT)?;
        Ok(Self { folder: environment.target()?.join("debug") })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// What one of them prints, wherever and by whomever it is run.
    fn ask(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(self.path(name));
        command.args(arguments).env("COLUMNS", "100").current_dir(Path::new(&self.folder));
        output(&mut command, RUN_LIMIT)
    }
}

fn settings(programs: &Programs) -> Result<String> {
    let server = programs.ask("reverie", &["config", "--reference"])?;
    let server = server.replacen("# Settings\n", "# Settings\n\n## Of the server\n", 1);
    let world = programs.ask("examples/world_settings", &[])?;
    Ok(format!(
        "{GENERATED}{}\n\n### What no setting moves\n\n\
         Some bounds are part of the format, so that a file, a save and a client of one Reverie fit every other: an id has at most 128 bytes, \
         a tick lies within ±2^53, a world has fewer than 2^40 lines, a data file fewer than 2^23 worlds, and the parts of a calendar and of a \
         profile have the sizes that are said below.\n\n\
         ## Of a world\n\n\
         Sent with `PUT /v1/worlds/{{world}}` as `settings`, as dotted keys or nested objects; an empty value goes back to the default.\n\n{}",
        server.trim_end(),
        world
    ))
}

fn cli(programs: &Programs) -> Result<String> {
    let help = programs.ask("reverie", &["--help"])?;
    let mut page = format!(
        "{GENERATED}# Command line\n\n\
         Besides what stands here, every command takes the flags of [the server's settings](settings.md#of-the-server).\n\n\
         ## reverie\n\n{}",
        block(&help)
    );
    for command in commands(&help) {
        let own = programs.ask("reverie", &[command, "--help"])?;
        page.push_str(&format!("\n## reverie {command}\n\n{}", block(&own)));
    }
    Ok(page)
}

/// A help text as a block, without the flags that every command has and without the blank lines between flags.
fn block(help: &str) -> String {
    let mut shown = String::new();
    let mut lines = help.trim_end().lines().peekable();
    let mut in_settings = false;
    while let Some(line) = lines.next() {
        in_settings = line == "Settings:" || (in_settings && (line.is_empty() || line.starts_with(' ')));
        let between_flags = line.is_empty() && lines.peek().is_none_or(|next| next.starts_with("  "));
        if !in_settings && !between_flags {
            shown.push_str(line.trim_end());
            shown.push('\n');
        }
    }
    format!("```text\n{}\n```\n", shown.trim_end())
}

/// The names below `Commands:` in a help text.
fn commands(help: &str) -> Vec<&str> {
    let below = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = below.take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_read_from_the_help() {
        let help =
            "About\n\nCommands:\n  serve   Serve it\n          on HTTP\n  help    Help\n\nOptions:\n  -x\n";
        assert_eq!(super::commands(help), ["serve"]);
    }
}
