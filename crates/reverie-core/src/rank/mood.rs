//! Which memories were felt as it is felt now, and what is that worth?
//!
//! A feeling in common raises what is near for other reasons. By itself it brings to mind what was felt so, behind what is near by
//! words or meaning: the more surely it is felt and the fewer memories share it, the nearer. Of somebody who is always happy, happiness
//! brings nothing to mind.

use super::Question;
use super::nearest::LOOKED_AT;
use crate::feeling::{self, Feeling, own_name, says_something};
use crate::mind::{Mind, Mood, Note};
use crate::settings::recall::RecallRules;

/// What is in the air, ready to be met with notes.
pub(super) struct InTheAir<'q> {
    question: &'q Question,
    rules: &'q RecallRules,
    /// Each feeling with its rarity.
    feelings: Vec<(Feeling, f32)>,
    /// The same for names of the host's own.
    names: Vec<(String, f32)>,
    sureness: f32,
}

/// What a note has of what is in the air.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Felt {
    /// How much was felt then of what is felt now, times what that is worth for its kind.
    pub(super) near: f32,
    /// How near that makes it by itself.
    pub(super) alone: f32,
}

/// A feeling that one in some memories shares says as much as can be: of a hundred, ten.
const RARE: f32 = 1.5;
/// By itself a feeling must say more than beside other reasons, or nothing would ever be brought to mind by it.
const ALONE: f32 = 6.0;
/// What is felt in a memory's words is less sure than what somebody said of it.
const READ: f32 = 0.8;

impl<'q> InTheAir<'q> {
    pub(super) fn new(mind: &Mind, question: &'q Question, rules: &'q RecallRules) -> Self {
        let is_silent = rules.legs.emotional == 0.0;
        let felt = question.feelings.iter().filter(|_| !is_silent);
        let rare = |mood: Mood<'_>| (RARE * mind.rarity_of_mood(mood)).min(1.0);
        let feelings = felt.clone().map(|(feeling, _)| (*feeling, rare(Mood::Feeling(*feeling)))).collect();
        let names = question.moods.iter().filter(|_| !is_silent).filter_map(|label| own_name(label));
        let names: Vec<(String, f32)> = names.map(|name| (name.clone(), rare(Mood::Name(&name)))).collect();
        let heard: f32 = felt.map(|(_, part)| part).sum();
        let sureness = if question.moods.is_empty() { heard.min(1.0) } else { 1.0 };
        Self { question, rules, feelings, names, sureness }
    }

    /// What was felt so, of each feeling what was remembered last.
    pub(super) fn brings(&self, mind: &Mind, is_admitted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let feelings = self.feelings.iter().map(|(feeling, rare)| (Mood::Feeling(*feeling), *rare));
        let names = self.names.iter().map(|(name, rare)| (Mood::Name(name), *rare));
        let moods = feelings.chain(names).filter(|(_, rare)| *rare > 0.0);
        moods
            .flat_map(|(mood, _)| mind.by_mood(mood).filter(|slot| is_admitted(*slot)).take(LOOKED_AT))
            .collect()
    }

    pub(super) fn of(&self, note: &Note) -> Felt {
        if self.feelings.is_empty() && self.names.is_empty() {
            return Felt::default();
        }
        let emotions = &note.held.memory.emotions;
        let by_feeling = feeling::nearness(&note.feelings, &self.question.feelings);
        let by_name = feeling::label_nearness(emotions, &self.question.moods);
        let near = by_feeling.max(by_name) * self.rules.of(note.held.memory.kind).emotional_weight;
        let shared =
            self.feelings.iter().filter(|(feeling, _)| note.feelings.iter().any(|(own, _)| own == feeling));
        let is_named = |name: &str| emotions.iter().any(|label| own_name(label).as_deref() == Some(name));
        let named = self.names.iter().filter(|(name, _)| is_named(name)).map(|(_, rare)| *rare);
        let rare = shared.map(|(_, rare)| *rare).chain(named).fold(0.0, f32::max);
        let is_told_of = emotions.iter().any(|emotion| says_something(emotion));
        let sureness = self.sureness * if is_told_of { 1.0 } else { READ };
        Felt { near, alone: (ALONE * self.rules.legs.emotional * near * rare * sureness).min(1.0) }
    }
}

impl Felt {
    /// Behind whatever is near for another reason.
    pub(super) fn order(self) -> f32 {
        self.alone / ALONE
    }
}
