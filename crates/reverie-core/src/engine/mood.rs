//! What is felt while this is being said?
//!
//! As the host says. Else as the newest words have it: by the label of their line, if they are recorded and have one that says
//! something, or as it is heard in them. Only where they say nothing of it, what was felt just before is still in the air.

use crate::cue::Cue;
use crate::feeling::{Feeling, heard, named, says_something};
use crate::line::Wording;

/// What is in the air.
#[derive(Default)]
pub(super) struct InTheAir {
    pub(super) feelings: Vec<(Feeling, f32)>,
    /// The labels by which somebody told of it. Empty: it was only heard.
    pub(super) moods: Vec<String>,
}

/// So many lines before count.
const JUST_BEFORE: usize = 2;

/// `told` are the lines that are listened to, oldest first, without the cue's message.
pub(super) fn in_the_air(cue: &Cue, told: &[&Wording]) -> InTheAir {
    let moods = cue.mood.iter().filter(|mood| says_something(mood)).cloned().collect::<Vec<_>>();
    if !moods.is_empty() {
        return InTheAir::named(moods);
    }
    let (said, before) = match (&cue.message, told) {
        (Some(message), before) => (message.content.as_str(), before),
        (None, [before @ .., newest]) => match label(newest) {
            Some(label) => return InTheAir::named(vec![label]),
            None => (newest.content.as_str(), before),
        },
        (None, []) => return InTheAir::default(),
    };
    let feelings = heard(said);
    if !feelings.is_empty() {
        return InTheAir { feelings, moods: Vec::new() };
    }
    let just_before = JUST_BEFORE - usize::from(cue.message.is_none());
    let label = before.iter().rev().take(just_before).find_map(|wording| label(wording));
    label.map(|label| InTheAir::named(vec![label])).unwrap_or_default()
}

impl InTheAir {
    fn named(moods: Vec<String>) -> Self {
        Self { feelings: moods.iter().filter_map(|mood| Some((named(mood)?, 1.0))).collect(), moods }
    }
}

fn label(wording: &Wording) -> Option<String> {
    let labels = [&wording.predicted_emotion, &wording.original_emotion].into_iter().flatten();
    labels.into_iter().find(|label| says_something(label)).cloned()
}
