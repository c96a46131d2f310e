//! Does the world-book engine keep every rule, in English, Chinese and Japanese?
//!
//! The rules are data: `cases/*.lore`. `script` says how such a file is read, `stage` plays a case, `show` puts what came
//! of it into words.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that breaks here has found something"
)]

mod fields;
mod fuzz;
mod hostile;
mod properties;
mod script;
mod show;
mod stage;

use script::Case;

/// Every family of rules is shown in each of them.
const LANGUAGES: [&str; 3] = ["en", "zh", "ja"];

#[track_caller]
fn check(family: &str) {
    let path = format!("{}/tests/lore/cases/{family}.lore", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases = Case::read_all(&text).unwrap_or_else(|problem| panic!("{family}.lore: {problem}"));
    for language in LANGUAGES {
        assert!(
            cases.iter().any(|case| case.language == language),
            "{family}.lore has no case in {language}"
        );
    }
    let failed: Vec<String> = cases.iter().filter_map(|case| stage::play(case).err()).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

macro_rules! families {
    ($($family:ident),* $(,)?) => { $(#[test] fn $family() { check(stringify!($family)); })* };
}

families!(
    books, budget, chance, decorators, depth, filters, groups, keys, macros, places, recursion, regex,
    secondary, sources, spelling, timing, triggers,
);
