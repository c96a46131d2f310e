//! Which chores are there? `cargo xtask` alone lists them.

#![expect(clippy::print_stdout, reason = "chores talk to whoever runs them")]

mod bench;
mod browser;
mod clients;
mod console;
mod docs;
mod environment;
mod json;
mod llama;
mod packages;
mod real_model;
mod report;
mod run;
mod server;
mod test;
mod tidy;
mod worldinfo;

use std::process::ExitCode;

use anyhow::{Result, bail};
use environment::Environment;

const HELP: &str = "\
cargo xtask COMMAND

  test                    set up and run everything: format, lints, tidy, all tests, the reference page and the
                          console in a browser, a real small chat model, real clients
  model                   of these, a real small chat model that drives the whole loop once
  console [FLOW…]         of these, what people do in the web console, in a real browser; --shots=FOLDER keeps pictures;
                          `--release large` measures it with 50 000 memories
  clients                 of these, the SDKs that people use against the real binary: OpenAI's before that model, MCP's, mem0's calls
  tidy [RULE…]            check the rules that no compiler knows; alone it lists them as it goes
  docs                    write docs/reference from the code
  worldinfo CASES.jsonl   run recorded cases of world books through the stateless scan, with a score
  bench [NAME…] [--json]  build in release and measure; `bench list` names what there is. --peers also installs NumPy,
                          LanceDB and mem0 and measures against them; --seconds=N is how long loads last";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// True if all is well.
fn run(arguments: &[String]) -> Result<bool> {
    let Some((command, rest)) = arguments.split_first() else {
        println!("{HELP}");
        return Ok(true);
    };
    let environment = Environment::read()?;
    match (command.as_str(), rest) {
        ("test", []) => Ok(test::test(&environment)),
        ("model", []) => Ok(test::model(&environment)),
        ("console", flows) => Ok(test::console(&environment, flows)),
        ("clients", []) => Ok(test::clients(&environment)),
        ("tidy", rules) => tidy::run(&environment, rules),
        ("docs", []) => docs::write(&environment),
        ("worldinfo", [cases]) => worldinfo::run(&environment, cases),
        ("bench", rest) => bench::run(&environment, rest),
        ("help" | "--help" | "-h", _) => {
            println!("{HELP}");
            Ok(true)
        }
        _ => bail!("there is no such chore: {}\n\n{HELP}", arguments.join(" ")),
    }
}
