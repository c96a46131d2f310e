//! Can a reader find their way through the files, and do the files speak to everybody?

use anyhow::Result;

use super::project::{Findings, Project};

const MOST_LINES: usize = 500;
const NORMAL_LINES: usize = 300;

pub(super) fn files_open_with_their_question(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for path in project.ending(".rs") {
        if !project.text(path)?.starts_with("//! ") {
            findings.add(format!("{path} does not open with `//! ` and what question it answers"));
        }
    }
    Ok(findings)
}

pub(super) fn files_stay_readable(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for path in project.ending(".rs") {
        let lines = project.text(path)?.lines().count();
        if lines > MOST_LINES {
            findings
                .add(format!("{path} has {lines} lines; divide it by subject ({MOST_LINES} are the most)"));
        } else if lines > NORMAL_LINES {
            findings.warn(format!("{path} has {lines} lines; normal is up to {NORMAL_LINES}"));
        }
    }
    Ok(findings)
}

/// Folders of somebody's machine. Written apart, so that this file keeps the rule itself.
const MACHINE_PATHS: &[&str] = &[concat!("/", "work/"), concat!("/", "root/"), concat!("/", "home/")];
/// Somebody who exists only in examples.
const EXAMPLE_HOME: &str = concat!("/", "home/mei");
/// Hosts from which packages come; which mirror a machine uses is its own business.
const REGISTRY_HOSTS: &[&str] = &[
    concat!("index.crates", ".io"),
    concat!("static.crates", ".io"),
    concat!("registry.npmjs", ".org"),
    concat!("files.pythonhosted", ".org"),
    concat!("pypi", ".org"),
    concat!("rsproxy", ".cn"),
    concat!("deb.debian", ".org"),
];
/// Written by cargo.
const NOT_OURS: &[&str] = &["Cargo.lock"];

pub(super) fn no_words_of_one_machine(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for path in project.files.iter().filter(|path| !NOT_OURS.contains(&path.as_str())) {
        // What is no text has no words.
        let Ok(text) = project.text(path) else { continue };
        for (index, line) in text.lines().enumerate() {
            for word in machine_words(line) {
                findings.add(format!("{path}:{}: {word:?} belongs to one machine", index + 1));
            }
        }
    }
    Ok(findings)
}

fn machine_words(line: &str) -> Vec<&'static str> {
    let paths = MACHINE_PATHS.iter().copied().filter(|path| {
        line.match_indices(path).any(|(at, _)| {
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            let is_start =
                before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-' | '}' | '~'));
            is_start && !line.get(at..).is_some_and(|rest| rest.starts_with(EXAMPLE_HOME))
        })
    });
    paths.chain(REGISTRY_HOSTS.iter().copied().filter(|host| line.contains(host))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_machine_are_found_where_they_begin() {
        let found = |line: String| !machine_words(&line).is_empty();
        assert!(found(format!("open {}thing", MACHINE_PATHS[0])));
        assert!(found(format!("\"{}\"", MACHINE_PATHS[1])));
        assert!(found(format!("https://{}/x", REGISTRY_HOSTS[0])));
        assert!(!found(format!("{EXAMPLE_HOME}/.config")));
        assert!(!found(format!("https://a.example{}x", MACHINE_PATHS[0])));
        assert!(!found(format!("at{}", MACHINE_PATHS[0])));
    }
}
