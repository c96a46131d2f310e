//! Does everything hold, on a machine that has only a Rust toolchain?

use std::time::Duration;

use anyhow::{Result, bail};

use crate::environment::Environment;
use crate::report::{Report, Tally};
use crate::run::{Echo, run, succeeded};
use crate::{browser, clients, console, real_model, tidy};

const MINUTE: Duration = Duration::from_secs(60);
const FETCH_LIMIT: Duration = Duration::from_secs(10 * 60);
const BUILD_LIMIT: Duration = Duration::from_secs(20 * 60);
/// Building and running the tests.
const TEST_LIMIT: Duration = Duration::from_secs(25 * 60);

/// True if nothing failed.
pub(crate) fn test(environment: &Environment) -> bool {
    let mut report = Report::new();
    report.step("set up", || set_up(environment));
    report.step("format", || format(environment));
    report.step("lints", || lints(environment));
    report.step("tidy", || tidy::check(environment, &[]));
    report.step("tests", || tests(environment));
    report.step("browser", || browser::check(environment));
    report.step("console", || console::check(environment, &[]));
    report.step("real model", || real_model::check(environment));
    report.step("real clients", || clients::check(environment));
    report.close()
}

/// One step alone.
pub(crate) fn model(environment: &Environment) -> bool {
    let mut report = Report::new();
    report.step("real model", || real_model::check(environment));
    report.close()
}

/// One step alone, or some flows of it.
pub(crate) fn console(environment: &Environment, flows: &[String]) -> bool {
    let mut report = Report::new();
    report.step("console", || console::check(environment, flows));
    report.close()
}

/// One step alone.
pub(crate) fn clients(environment: &Environment) -> bool {
    let mut report = Report::new();
    report.step("real clients", || clients::check(environment));
    report.close()
}

/// The parts of the toolchain and the crates, so that everything after it needs no network.
fn set_up(environment: &Environment) -> Result<Tally> {
    for (part, command) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let present = run(&mut environment.cargo(&[command, "--version"]), MINUTE, Echo::None)?.success;
        if present {
            continue;
        }
        let Some(rustup) = environment.program("rustup") else {
            bail!("`cargo {command}` is missing; install {part}");
        };
        let mut add = std::process::Command::new(rustup);
        add.args(["component", "add", part]).current_dir(&environment.root);
        let ended = run(&mut add, FETCH_LIMIT, Echo::Live)?;
        succeeded(&add, &ended, FETCH_LIMIT)?;
    }
    let mut fetch = environment.cargo_online(&["fetch", "--locked", "--target", &environment.host]);
    let ended = run(&mut fetch, FETCH_LIMIT, Echo::Live)?;
    succeeded(&fetch, &ended, FETCH_LIMIT)?;
    Ok(Tally::PASSED)
}

fn format(environment: &Environment) -> Result<Tally> {
    one_check(environment, &["fmt", "--all", "--check"], 2 * MINUTE, "`cargo fmt --all` puts it right")
}

fn lints(environment: &Environment) -> Result<Tally> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    one_check(environment, &arguments, BUILD_LIMIT, "see the warnings above")
}

fn one_check(environment: &Environment, arguments: &[&str], limit: Duration, hint: &str) -> Result<Tally> {
    let ended = run(&mut environment.cargo(arguments), limit, Echo::Live)?;
    match (ended.success, ended.timed_out) {
        (true, _) => Ok(Tally::PASSED),
        (_, true) => bail!("cargo {} was ended after {} s", arguments.join(" "), limit.as_secs()),
        _ => bail!("cargo {} failed: {hint}", arguments.join(" ")),
    }
}

/// Unit, integration and documentation tests of every crate.
fn tests(environment: &Environment) -> Result<Tally> {
    let mut command = environment.cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]);
    command.env("RUST_BACKTRACE", "1");
    let ended = run(&mut command, TEST_LIMIT, Echo::Live)?;
    let mut tally = Tally::default();
    ended.stdout.lines().filter_map(result_line).for_each(|counted| tally.add(counted));
    let skipped = ended.stderr.lines().filter(|line| is_skipped(line)).count().min(tally.passed);
    tally.passed -= skipped;
    tally.skipped += skipped;
    // A test program that was killed or did not end says nothing about its tests.
    let dead = dead_programs(&ended.stdout, &ended.stderr);
    if dead > 0 {
        println!("error: {dead} test programs died");
        tally.failed += dead;
    }
    if ended.timed_out {
        println!("error: the tests were ended after {} s", TEST_LIMIT.as_secs());
    }
    if tally == Tally::default() {
        println!("error: no test was run");
    }
    // Nor does one that did not build.
    if tally.failed == 0 && (!ended.success || tally.passed == 0) {
        tally.failed = 1;
    }
    Ok(tally)
}

/// A test that finds nothing to do here says so on stderr and ends; its runner takes that for success.
fn is_skipped(line: &str) -> bool {
    line.starts_with("skipped: ")
}

/// How many programs cargo calls failed that reported no failure themselves.
fn dead_programs(stdout: &str, stderr: &str) -> usize {
    let failed = stderr.lines().filter(|line| line.starts_with("error: test failed, to rerun")).count();
    let reported = stdout.lines().filter(|line| line.starts_with("test result: FAILED")).count();
    failed.saturating_sub(reported)
}

/// Reads `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn result_line(line: &str) -> Option<Tally> {
    let rest = line.strip_prefix("test result: ")?;
    let counts = rest.split_once(". ")?.1;
    let count = |word: &str| {
        counts.split("; ").find_map(|part| part.strip_suffix(word)?.trim().parse::<usize>().ok())
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted_and_others_are_not() {
        let line = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        assert_eq!(result_line(line), Some(Tally { passed: 12, failed: 2, skipped: 1 }));
        assert_eq!(result_line("test a ... ok"), None);
    }

    #[test]
    fn a_test_that_did_nothing_is_told_from_one_that_passed() {
        assert!(is_skipped("skipped: full_disk::a: a file system of 3m cannot be mounted here"));
        assert!(!is_skipped("test skipped: x ... ok"));
    }

    #[test]
    fn a_program_that_died_is_counted() {
        let stderr =
            "error: test failed, to rerun pass `-p a --test b`\nerror: test failed, to rerun pass `-p c`\n";
        assert_eq!(dead_programs("test result: FAILED. 1 passed; 1 failed; 0 ignored", stderr), 1);
        assert_eq!(dead_programs("", ""), 0);
    }
}
