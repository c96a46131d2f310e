//! How does a test of Reverie read like a scene? For tests only.
//!
//! # The dialogue language
//! One line per line; blank lines and indentation mean nothing.
//!
//! ```text
//! #钦灵: 你叫钦灵                        a direction (system line) to 钦灵
//! #: 今天是圣诞节                        a direction to nobody in particular
//! @莱姆: 你好呀                          the player speaks as 莱姆
//! 旁白: 天黑了                           anybody else speaks (assistant line)
//! 钦灵: 【开心】来啦<はい>（摇尾巴）     with emotion, text for speech synthesis, action
//! 钦灵[role_id=1]: 好啦                  with an id; also script_role_id and display_name,
//! [role_id=1, script_role_id=x]: 好啦    several with commas, with or without a name
//! 钦灵 →莱姆、旁白: 嘘                   a whisper: only the speaker, 莱姆 and 旁白 witness it
//! ```
//!
//! Emotion, speech and action are written as messages show them. `【】` is an emotion that is there but empty,
//! and so on. `⏎` is a line break, `␠` a space that must be seen, `\` takes the next character as it is
//! (`\（笑\）` at the end is content, not an action). A name cannot hold `:` `[` `→`. Whoever is asked about
//! is written like a speaker: `钦灵`, `[role_id=1]`, `钦灵[role_id=1]`.
//!
//! Expected messages are written `role | content`, with the same `⏎`, and `␠` at both ends.

mod dialogue;
pub mod digest_suite;
pub mod faulty_disk;
mod faulty_vfs;
pub mod letters;
mod line;
pub mod model_store;
pub mod recall_suite;
pub mod remindings;
mod rendered;
pub mod scripted_model;
mod slow;
pub mod store_suite;
pub mod story;
pub mod strategies;
pub mod twins;

pub use dialogue::{parse_dialogue, parse_speaker};
pub use line::{Line, Speaker, seen_by};
use proptest::test_runner::Config;
pub use rendered::{difference, render};
use reverie_core::perspective::{Profile, perspective};
pub use slow::{SlowMessage, slow_perspective};

/// So many cases of a property, or as many as `PROPTEST_CASES` says, so that a long run is one variable away.
pub fn cases(count: u32) -> Config {
    let default = Config { failure_persistence: None, ..Config::default() };
    // Without the variable.
    if default.cases == 256 { Config { cases: count, ..default } } else { default }
}

/// Panics with a readable difference unless the dialogue looks like this to `target`.
#[track_caller]
pub fn check_perspective(target: &str, dialogue: &str, expected: &str) {
    check_perspective_with(&Profile::example(), target, dialogue, expected);
}

/// The same in both presets, `example` and `rule-text`, which may punctuate it differently.
#[track_caller]
pub fn check_perspective_in_both(target: &str, dialogue: &str, example: &str, rule_text: &str) {
    check_perspective_with(&Profile::example(), target, dialogue, example);
    check_perspective_with(&Profile::rule_text(), target, dialogue, rule_text);
}

/// The same, punctuated by any profile.
#[track_caller]
pub fn check_perspective_with(profile: &Profile, target: &str, dialogue: &str, expected: &str) {
    let speaker = parse_speaker(target);
    let lines = parse_dialogue(dialogue);
    let messages = perspective(seen_by(&speaker, &lines).map(|(_, seen)| seen), profile);
    if let Some(difference) = difference(expected, &render(messages.iter())) {
        panic!("{target} sees it otherwise (- expected, + actual)\n{difference}");
    }
}
