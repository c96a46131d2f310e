//! Does every link between the project's pages lead somewhere?

use anyhow::Result;

use super::project::{Findings, Project};

pub(super) fn resolve(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for page in project.ending(".md") {
        let text = project.text(page)?;
        for link in links(&text) {
            if let Some(problem) = broken(project, page, &link) {
                findings.add(format!("{page}: {link} {problem}"));
            }
        }
    }
    Ok(findings)
}

/// Why a link leads nowhere; None: it is fine, or leads outside.
fn broken(project: &Project<'_>, page: &str, link: &str) -> Option<&'static str> {
    let has_scheme = link.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '#']));
    if has_scheme {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let target = if path.is_empty() { page.to_owned() } else { format!("{folder}/{path}") };
    let target = target.trim_start_matches('/');
    if !project.has(target) {
        return Some("leads to no file");
    }
    if anchor.is_empty() || !target.ends_with(".md") {
        return None;
    }
    let text = project.text(target).unwrap_or_default();
    let anchors = text.lines().filter(|line| line.starts_with('#')).map(anchor_of);
    if anchors.into_iter().any(|known| known == anchor.to_lowercase()) {
        None
    } else {
        Some("leads to no heading")
    }
}

/// The targets of `[text](target)` outside of code.
fn links(markdown: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced || line.starts_with("    ") {
            continue;
        }
        // Every second part stands between backticks.
        let prose: String =
            line.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "x" }).collect();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        found.extend(targets.map(|(target, _)| target.split_whitespace().next().unwrap_or("").to_owned()));
    }
    found
}

/// How code forges make an anchor of a heading.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "See [a](a.md) and [b](b.md#part \"title\"), not `[c](c.md)`.\n```\n[d](d.md)\n```\n";
        assert_eq!(links(text), ["a.md", "b.md#part"]);
        assert_eq!(anchor_of("## What it is, and 是什么？"), "what-it-is-and-是什么");
    }
}
