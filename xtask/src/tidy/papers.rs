//! Are the papers there, and do they agree with each other?

use anyhow::Result;

use super::project::{Findings, Project};
use crate::json::text;

const PAPERS: &[&str] = &[
    "README.md",
    "README.zh-CN.md",
    "ARCHITECTURE.md",
    "STYLE.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "NOTICE",
];

pub(super) fn are_there(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for path in PAPERS {
        match project.text(path) {
            Ok(text) if !text.trim().is_empty() => {}
            Ok(_) => findings.add(format!("{path} is empty")),
            Err(_) => findings.add(format!("{path} is missing")),
        }
    }
    Ok(findings)
}

pub(super) fn changelog_speaks_of_this_version(project: &Project<'_>) -> Result<Findings> {
    let changelog = project.text("CHANGELOG.md")?;
    let server = project.packages().find(|(name, _)| *name == "reverie-server");
    let version = server.and_then(|(_, package)| text(package, "/version")).unwrap_or_default();
    let has = changelog.lines().filter_map(|line| line.strip_prefix("## ")).any(|title| {
        let word = title.split_whitespace().next().unwrap_or_default().trim_matches(['[', ']']);
        word.eq_ignore_ascii_case("unreleased") || word.trim_start_matches('v') == version
    });
    let problem = format!("CHANGELOG.md has neither a section `## Unreleased` nor `## {version}`");
    Ok(if has { Findings::default() } else { Findings::problem(problem) })
}

pub(super) fn readmes_have_the_same_commands(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    let (english, chinese) = ("README.md", "README.zh-CN.md");
    let (in_english, in_chinese) = (commands(&project.text(english)?), commands(&project.text(chinese)?));
    if in_english.is_empty() {
        findings.add(format!("{english} documents no command"));
    }
    for (have, lack, name) in [(&in_english, &in_chinese, chinese), (&in_chinese, &in_english, english)] {
        for command in have.iter().filter(|command| !lack.contains(command)) {
            findings.add(format!("{name} lacks: {command}"));
        }
    }
    Ok(findings)
}

/// The cargo, reverie and curl commands in blocks of code, without comments, each on one line.
fn commands(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = code_lines(markdown).into_iter();
    while let Some(line) = lines.next() {
        let line = line.trim().trim_start_matches("$ ");
        if !["cargo ", "reverie ", "curl "].iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let mut command = without_comment(line).to_owned();
        while command.ends_with('\\') || command.matches('\'').count() % 2 == 1 {
            let Some(more) = lines.next() else { break };
            command = format!("{} {}", command.trim_end_matches('\\').trim_end(), more.trim());
        }
        found.push(command);
    }
    found
}

fn without_comment(line: &str) -> &str {
    line.split_once("  #").map_or(line, |(command, _)| command).trim_end()
}

/// The lines of fenced and indented blocks.
fn code_lines(markdown: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            found.push(line);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_code_and_nowhere_else() {
        let text = "cargo in prose\n\n    cargo run -- x\n\n```sh\n# curl in a comment\ncargo test   # runs\n$ curl -d '{\n  \"a\":1}' \\\n  http://x\n```\n`reverie y`\n";
        assert_eq!(commands(text), ["cargo run -- x", "cargo test", "curl -d '{ \"a\":1}' http://x"]);
    }
}
