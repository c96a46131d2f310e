//! Which rules does the house have that no compiler knows, and are they kept?
//!
//! A rule is a function from the project to what it finds. To add one: write it, name it in `RULES`.

mod dependencies;
mod links;
mod notice;
mod papers;
mod project;
mod sources;

use anyhow::{Result, bail};
use project::{Findings, Project};

use crate::docs;
use crate::environment::Environment;
use crate::report::Tally;

type Rule = fn(&Project<'_>) -> Result<Findings>;

const RULES: &[(&str, Rule)] = &[
    ("dependencies_point_down_the_house", dependencies::point_down_the_house),
    ("core_stays_pure", dependencies::core_stays_pure),
    ("libraries_have_errors_of_their_own", dependencies::libraries_have_errors_of_their_own),
    ("cargo_run_finds_one_binary", dependencies::cargo_run_finds_one_binary),
    ("crates_inherit_the_lints", dependencies::crates_inherit_the_lints),
    ("files_open_with_their_question", sources::files_open_with_their_question),
    ("files_stay_readable", sources::files_stay_readable),
    ("no_words_of_one_machine", sources::no_words_of_one_machine),
    ("notice_names_shipped_data", notice::names_shipped_data),
    ("papers_are_there", papers::are_there),
    ("changelog_speaks_of_this_version", papers::changelog_speaks_of_this_version),
    ("readmes_have_the_same_commands", papers::readmes_have_the_same_commands),
    ("guides_have_the_same_commands", papers::guides_have_the_same_commands),
    ("links_resolve", links::resolve),
    ("references_are_current", references_are_current),
];

/// True if every rule is kept.
pub(crate) fn run(environment: &Environment, names: &[String]) -> Result<bool> {
    let tally = check(environment, names)?;
    println!("{tally}");
    Ok(tally.failed == 0)
}

/// Checks the named rules, or all.
pub(crate) fn check(environment: &Environment, names: &[String]) -> Result<Tally> {
    if let Some(unknown) = names.iter().find(|name| !RULES.iter().any(|(known, _)| known == name)) {
        let known: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        bail!("there is no rule {unknown}; the rules are\n  {}", known.join("\n  "));
    }
    let project = Project::read(environment)?;
    let mut tally = Tally::default();
    for (name, rule) in RULES.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name)) {
        let findings = rule(&project).unwrap_or_else(|error| Findings::problem(format!("{error:#}")));
        for warning in &findings.warnings {
            println!("  warning: {warning}");
        }
        for problem in &findings.problems {
            println!("  problem: {problem}");
        }
        let kept = findings.problems.is_empty();
        println!("tidy {name} ... {}", if kept { "ok" } else { "FAILED" });
        tally.add(if kept { Tally::PASSED } else { Tally::FAILED });
    }
    Ok(tally)
}

/// Are docs/reference/*.md what the code would write now?
fn references_are_current(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for (path, page) in docs::pages(project.environment)? {
        match project.text(path) {
            Ok(there) if there == page => {}
            Ok(_) => findings.add(format!("{path} is not what the code says; `cargo xtask docs` writes it")),
            Err(_) => findings.add(format!("{path} is missing; `cargo xtask docs` writes it")),
        }
    }
    Ok(findings)
}
