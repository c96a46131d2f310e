//! Does every setting of recall change a prompt?

mod rows;

use std::sync::Arc;

use reverie_core::settings::recall::KEYS;
use reverie_core::{Limits, Store};

use super::prompter::Prompter;
use super::thesaurus::Thesaurus;
use rows::{ROWS, Row};

pub fn every_setting_does_something(store: Arc<dyn Store>) {
    let shown: Vec<&str> = ROWS.iter().map(|row| row.key).collect();
    let known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
    assert_eq!(shown, known, "each key once, in the table's order");
    let mut otherwise = Vec::new();
    for Row { key, value, story, and, asked, before, after } in ROWS {
        let thesaurus = Arc::new(Thesaurus::new());
        let mut prompter = Prompter::with(store.clone(), key, Limits::default(), Some(thesaurus));
        prompter.play(story);
        prompter.play(and);
        let without = on_one_line(&prompter.play(asked));
        prompter.play(&format!("put {key} = {value}"));
        let with = on_one_line(&prompter.play(asked));
        assert_ne!(before, after, "{key} = {value}");
        if (without.as_str(), with.as_str()) != (*before, *after) {
            otherwise.push(format!("{key} = {value}: {without} | {with}"));
        }
    }
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
}

/// For one character alone, and no other.
pub fn every_setting_counts_for_one_character(store: Arc<dyn Store>) {
    for Row { key, value, story, and, asked, before, after } in ROWS {
        let thesaurus = Arc::new(Thesaurus::new());
        let mut prompter = Prompter::with(store.clone(), key, Limits::default(), Some(thesaurus));
        prompter.play(story);
        prompter.play(and);
        let name = if story.contains("Snow") { "Snow" } else { "小雪" };
        prompter.play(&format!("put {key}@路人 = {value}"));
        assert_eq!(on_one_line(&prompter.play(asked)), *before, "with {key} = {value} for somebody else");
        prompter.play(&format!("put {key}@{name} = {value}"));
        assert_eq!(on_one_line(&prompter.play(asked)), *after, "with {key}@{name} = {value}");
    }
}

fn on_one_line(answer: &str) -> String {
    let lines = answer.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" / ")
}
