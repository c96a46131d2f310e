//! Do the programs in the guide to clients print what the guide says they print?
//!
//! Each is run as it stands there, but for the server's address, against the real binary and its model `echo`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::packages::{node, python};
use crate::report::Tally;
use crate::run::output;
use crate::server::Server;

const GUIDE: &str = "docs/guides/clients.md";
/// Where the guide says that the server is.
const ADDRESS: &str = "http://127.0.0.1:7878";
const PYTHON: &[&str] = &["openai==3.49.0"];
const NODE: &[&str] = &["openai@7.53.0"];
const LIMIT: Duration = Duration::from_secs(2 * 60);

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let guide = std::fs::read_to_string(environment.root.join(GUIDE))?;
    let mut tally = Tally::default();
    tally.add(match python(environment, "clients-openai", PYTHON, &[]) {
        Ok(python) => {
            let scratch = Scratch::new("guide")?;
            compare(environment, &guide, "python", &python, scratch.path(), "chat.py")?
        }
        Err(why) => skip("Python", &why),
    });
    // Node.js looks for packages from where a program is, not from where it is run.
    tally.add(match node(environment, "clients-node", NODE) {
        Ok((node, folder)) => compare(environment, &guide, "js", &node, &folder, "chat.mjs")?,
        Err(why) => skip("JavaScript", &why),
    });
    Ok(tally)
}

fn skip(what: &str, why: &anyhow::Error) -> Tally {
    println!("skipped: the OpenAI SDK for {what} is not to be had: {why:#}");
    Tally::SKIPPED
}

/// Runs the guide's program in this language and compares what it prints with the text that follows it.
fn compare(
    environment: &Environment,
    guide: &str,
    language: &str,
    program: &Path,
    folder: &Path,
    file: &str,
) -> Result<Tally> {
    let (code, rest) =
        block(guide, language).with_context(|| format!("{GUIDE} has no block of {language}"))?;
    let (expected, _) = block(rest, "text").with_context(|| format!("{GUIDE}: what does {file} print?"))?;
    if !code.contains(ADDRESS) {
        bail!("{GUIDE}: {file} does not talk to {ADDRESS}");
    }
    let scratch = Scratch::new("clients")?;
    let server = Server::start(&docs::binary(environment)?, scratch.path(), &[])?;
    let script = folder.join(file);
    std::fs::write(&script, code.replace(ADDRESS, &server.address))?;
    let printed =
        output(Command::new(program).arg(&script).env("PYTHONUTF8", "1").current_dir(folder), LIMIT)?;
    if printed.trim_end() != expected.trim_end() {
        println!("FAILED {file} of {GUIDE} prints\n{printed}and not\n{expected}");
        return Ok(Tally::FAILED);
    }
    println!("ok {file} of {GUIDE}");
    Ok(Tally::PASSED)
}

/// The first fenced block in this language, and what follows it.
fn block<'t>(markdown: &'t str, language: &str) -> Option<(&'t str, &'t str)> {
    let (_, rest) = markdown.split_once(&format!("\n```{language}\n"))?;
    rest.split_once("\n```\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_by_their_language_one_after_the_other() {
        let page = "# Page\n\n```python\nprint(1)\n```\n\nIt prints\n\n```text\n1\n```\n";
        let (code, rest) = block(page, "python").unwrap();
        assert_eq!((code, block(rest, "text").unwrap().0), ("print(1)", "1"));
        assert!(block(page, "js").is_none());
    }
}
