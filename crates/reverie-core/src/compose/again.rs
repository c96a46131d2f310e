//! Which recorded lines does a history say once more that the host brings along?
//!
//! A host that keeps its own history need not know which of its lines are recorded, and under which numbers. So they are known
//! again by their words, however these are spelled.

use std::collections::{HashMap, HashSet};

use super::verbatim::spelled;
use crate::cue::InlineLine;
use crate::id::LineId;

/// By their words, recorded lines that are said once more.
#[derive(Debug, Clone, Default)]
pub struct SaidAgain(HashMap<String, Vec<LineId>>);

impl SaidAgain {
    /// `recorded` are lines that may be, and what they say.
    pub fn new(history: &[InlineLine], recorded: Vec<(LineId, String)>) -> Self {
        let brought: HashSet<String> = history.iter().map(|line| spelled(&line.wording.content)).collect();
        let mut by_words: HashMap<String, Vec<LineId>> = HashMap::new();
        for (line, words) in recorded {
            let words = spelled(&words);
            if brought.contains(&words) {
                by_words.entry(words).or_default().push(line);
            }
        }
        Self(by_words)
    }

    /// The lines that say the same as these words.
    pub(super) fn with(&self, words: &str) -> &[LineId] {
        // Most prompts tell what is recorded.
        if self.0.is_empty() {
            return &[];
        }
        self.0.get(&spelled(words)).map(Vec::as_slice).unwrap_or_default()
    }
}
