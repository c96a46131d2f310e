//! Are the papers there, and do they agree with each other?

use std::collections::BTreeSet;

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

/// Every guide is there in both languages, with the same code and the same commands, and each leads to the other.
pub(super) fn guides_have_the_same_commands(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    let (english, chinese) = ("docs/guides/", "docs/guides/zh-CN/");
    let names = |folder: &str| -> BTreeSet<String> {
        let pages = project.ending(".md").filter_map(|page| page.strip_prefix(folder).map(str::to_owned));
        pages.filter(|name| !name.contains('/')).collect()
    };
    let (in_english, in_chinese) = (names(english), names(chinese));
    if in_english.is_empty() {
        findings.add(format!("{english} has no guides"));
    }
    for name in in_english.symmetric_difference(&in_chinese) {
        findings.add(format!("{name} is only in one of {english} and {chinese}"));
    }
    for name in in_english.intersection(&in_chinese) {
        let (one, other) = (format!("{english}{name}"), format!("{chinese}{name}"));
        let (in_one, in_other) = (project.text(&one)?, project.text(&other)?);
        for (page, text, link) in
            [(&one, &in_one, format!("(zh-CN/{name})")), (&other, &in_other, format!("(../{name})"))]
        {
            if !text.contains(&link) {
                findings.add(format!("{page} does not lead to its other language: {link}"));
            }
        }
        for (page, line) in unlike(&code(&in_one), &code(&in_other)) {
            let page = if page { &one } else { &other };
            findings.add(format!("{page} has code that its other language lacks: {line}"));
        }
        if code(&in_one).len() == code(&in_other).len() && code(&in_one) != code(&in_other) {
            findings.add(format!("{other} has its code in another order"));
        }
    }
    Ok(findings)
}

/// What only one of two has; true: the first.
fn unlike<'t>(one: &[&'t str], other: &[&'t str]) -> Vec<(bool, &'t str)> {
    let only = |these: &[&'t str], those: &[&'t str]| -> Vec<&'t str> {
        let mut those = those.to_vec();
        let is_missing = |line: &&&str| match those.iter().position(|that| that == *line) {
            Some(place) => {
                those.remove(place);
                false
            }
            None => true,
        };
        these.iter().filter(is_missing).copied().collect()
    };
    let first = only(one, other).into_iter().map(|line| (true, line));
    first.chain(only(other, one).into_iter().map(|line| (false, line))).collect()
}

/// Lines of code without their comments, then the requests and commands that stand in sentences.
fn code(markdown: &str) -> Vec<&str> {
    const COMMANDS: &[&str] = &["GET ", "PUT ", "POST ", "PATCH ", "DELETE ", "cargo ", "reverie "];
    let lines = code_lines(markdown).into_iter().map(without_comment);
    let blocks = lines.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("# "));
    let spans = prose_lines(markdown).into_iter().flat_map(|line| line.split('`').skip(1).step_by(2));
    let mut spans: Vec<&str> =
        spans.filter(|span| COMMANDS.iter().any(|start| span.starts_with(start))).collect();
    // Sentences are ordered otherwise in another language.
    spans.sort_unstable();
    blocks.chain(spans).collect()
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
    lines(markdown).into_iter().filter(|(is_code, _)| *is_code).map(|(_, line)| line).collect()
}

fn prose_lines(markdown: &str) -> Vec<&str> {
    lines(markdown).into_iter().filter(|(is_code, _)| !is_code).map(|(_, line)| line).collect()
}

/// Each line but those that open or close a block, and whether it is code.
fn lines(markdown: &str) -> Vec<(bool, &str)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else {
            found.push((fenced || line.starts_with("    "), line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_the_same_in_two_languages() {
        let english =
            "Do it: `POST /x` then `reverie y`, `z`.\n\n    reverie a   # why\n```sh\n# how\ncurl b\n```\n";
        let chinese =
            "先 `reverie y`，再 `POST /x`。\n\n    reverie a       # 为什么\n```sh\n# 怎样\ncurl b\n```\n";
        assert_eq!(code(english), ["    reverie a", "curl b", "POST /x", "reverie y"]);
        assert_eq!(code(english), code(chinese));
        let drifted = chinese.replace("curl b", "curl c");
        assert_eq!(unlike(&code(english), &code(&drifted)), [(true, "curl b"), (false, "curl c")]);
    }

    #[test]
    fn commands_are_read_from_code_and_nowhere_else() {
        let text = "cargo in prose\n\n    cargo run -- x\n\n```sh\n# curl in a comment\ncargo test   # runs\n$ curl -d '{\n  \"a\":1}' \\\n  http://x\n```\n`reverie y`\n";
        assert_eq!(commands(text), ["cargo run -- x", "cargo test", "curl -d '{ \"a\":1}' http://x"]);
    }
}
