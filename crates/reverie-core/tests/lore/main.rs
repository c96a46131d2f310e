//! Does the world-book engine keep every rule, in English, Chinese and Japanese?
//!
//! The rules are data. `rules/rules.list` gives every rule a name, and `rules/*.lore` shows each of them in every
//! language; `cases/*.lore` goes on to the edges. `script` says how such a file is read, `variants` how a case is written
//! for all languages at once, `stage` plays a case, `show` puts what came of it into words.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that breaks here has found something"
)]

mod complete;
mod fields;
mod fuzz;
mod hostile;
mod properties;
mod script;
mod show;
mod stage;
mod variants;

use script::Case;

/// Every family of rules is shown in each of them.
const LANGUAGES: [&str; 3] = ["en", "zh", "ja"];

/// Reads a file of the suite, named without its ending.
#[track_caller]
fn read(file: &str) -> Vec<Case> {
    let path = format!("{}/tests/lore/{file}.lore", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Case::read_all(&text).unwrap_or_else(|problem| panic!("{file}.lore: {problem}"))
}

#[track_caller]
fn check(file: &str) {
    let cases = read(file);
    for language in LANGUAGES {
        assert!(cases.iter().any(|case| case.language == language), "{file}.lore has no case in {language}");
    }
    let failed: Vec<String> = cases.iter().filter_map(|case| stage::play(case).err()).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

macro_rules! families {
    ($directory:ident: $($family:ident),* $(,)?) => {
        mod $directory {
            /// What is played; `complete` sees to it that no file is forgotten.
            pub(crate) const PLAYED: &[&str] = &[$(stringify!($family)),*];

            $(#[test] fn $family() {
                super::check(concat!(stringify!($directory), "/", stringify!($family)));
            })*
        }
    };
}

families!(rules:
    buffer, cards, chance, decorators, defaults, groups, keys, macros, own, places, recursion, regex, scene, secondary,
    skips, stack, timers,
);

families!(cases:
    books, budget, chance, combined, decorators, depth, filters, groups, keys, macros, places, recursion, regex, secondary,
    sources, spelling, timing, triggers, why,
);
