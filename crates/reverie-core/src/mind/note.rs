//! What does finding a memory need besides the memory?

use super::when;
use crate::digest::meant;
use crate::embed::Tongue;
use crate::feeling::{Feeling, felt, named, says_something};
use crate::likeness::Outline;
use crate::memory::Held;
use crate::recollection::Place;
use crate::time::Calendar;
use crate::time_words::day_of;

/// A memory, and what finding it needs besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub held: Held,
    /// Where it stands in a conversation.
    pub place: Option<Place>,
    /// What those whom it is about are called.
    pub names: Vec<String>,
    /// Words for when it was.
    pub when: String,
    /// The number of the day on which it was; None: nobody knows.
    pub day: Option<i64>,
    /// What was felt: as its emotions say, else as its words do.
    pub feelings: Vec<(Feeling, f32)>,
    /// What it is written in.
    pub tongue: Option<Tongue>,
    /// Of its text.
    pub(crate) outline: Outline,
}

impl Note {
    /// `calendar` is the world's own.
    pub fn new(held: Held, place: Option<Place>, names: Vec<String>, calendar: Option<&Calendar>) -> Self {
        let told = held.memory.emotions.iter().filter_map(|emotion| Some((named(emotion)?, 1.0)));
        let told: Vec<(Feeling, f32)> = told.collect();
        let is_told_of = held.memory.emotions.iter().any(|emotion| says_something(emotion));
        let feelings = if is_told_of { told } else { felt(held.text()) };
        let tongue = Tongue::of(&meant(held.text()));
        let moment = held.memory.moment();
        let when = when::words(moment, calendar);
        let outline = Outline::of(held.text());
        Self { day: day_of(moment, calendar), held, place, names, when, feelings, tongue, outline }
    }

    /// The same memory as it stands now, with the same words: what they are and what is felt in them need not be found out again.
    pub(super) fn as_now(
        &self,
        held: Held,
        place: Option<Place>,
        names: Vec<String>,
        calendar: Option<&Calendar>,
    ) -> Self {
        let moment = held.memory.moment();
        let when = when::words(moment, calendar);
        let (feelings, tongue, outline) = (self.feelings.clone(), self.tongue, self.outline.clone());
        Self { day: day_of(moment, calendar), held, place, names, when, feelings, tongue, outline }
    }
}
