//! Is there a case for every rule in every language, and is every case played?

use std::collections::{BTreeMap, BTreeSet};

use crate::{LANGUAGES, cases, read, rules};

/// The names in `rules.list`: one a line, with what the rule says behind it.
fn listed() -> Vec<String> {
    let path = format!("{}/tests/lore/rules/rules.list", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rules = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("--"));
    let name = |line: &str| {
        let (name, says) = line.split_once(' ').unwrap_or((line, ""));
        assert!(!says.trim().is_empty(), "what does {name} say?");
        name.to_owned()
    };
    rules.map(name).collect()
}

#[test]
fn every_rule_has_a_case_in_every_language() {
    let listed = listed();
    let mut shown: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for rule in &listed {
        assert!(shown.insert(rule, BTreeSet::new()).is_none(), "{rule} is listed twice");
    }
    for family in rules::PLAYED {
        for case in read(&format!("rules/{family}")) {
            let title = &case.title;
            assert!(!case.rules.is_empty(), "{family}.lore, line {}: {title} shows no rule", case.line);
            for rule in &case.rules {
                let Some(languages) = shown.get_mut(rule.as_str()) else {
                    panic!("{family}.lore, line {}: there is no rule {rule}", case.line);
                };
                languages.insert(case.language.clone());
            }
        }
    }
    let missing: Vec<String> = shown
        .iter()
        .flat_map(|(rule, languages)| {
            let missing = LANGUAGES.iter().filter(|language| !languages.contains(**language));
            missing.map(move |language| format!("{rule} has no case in {language}"))
        })
        .collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn every_file_is_played() {
    for (directory, played) in [("rules", rules::PLAYED), ("cases", cases::PLAYED)] {
        let path = format!("{}/tests/lore/{directory}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name());
        let files = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".lore")?.to_owned()));
        let files: BTreeSet<String> = files.collect();
        assert_eq!(files, played.iter().map(|family| (*family).to_owned()).collect(), "{directory}");
    }
}
