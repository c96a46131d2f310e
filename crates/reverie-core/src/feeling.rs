//! What is felt in a text, what does a host's label for an emotion mean, and how near are feelings to each other?
//!
//! A small lexicon of Chinese, English and Japanese. It hears what is said outright and no more: neither irony nor what stands
//! between the lines. All sums are of whole numbers, so that no order of words or labels changes a result.

mod lexicon;
mod negation;

use std::collections::BTreeMap;

use crate::lore::fold::Folding;
use lexicon::Lexicon;

/// What can be felt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feeling {
    Joy,
    Love,
    Calm,
    Surprise,
    Longing,
    Sadness,
    Anger,
    Fear,
    Disgust,
    Shame,
}

const SPELLING: Folding = Folding { case: true, width: true, script: true };
/// Labels that say that there is nothing to say.
const NOTHING_FELT: [&str; 14] = [
    "",
    "neutral",
    "none",
    "normal",
    "default",
    "中性",
    "普通",
    "正常",
    "默认",
    "无",
    "无表情",
    "ふつう",
    "なし",
    "ニュートラル",
];
/// Weights count to the thousandth.
const PARTS: f32 = 1000.0;

impl Feeling {
    pub const ALL: &[Self] = &[
        Self::Joy,
        Self::Love,
        Self::Calm,
        Self::Surprise,
        Self::Longing,
        Self::Sadness,
        Self::Anger,
        Self::Fear,
        Self::Disgust,
        Self::Shame,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Joy => "joy",
            Self::Love => "love",
            Self::Calm => "calm",
            Self::Surprise => "surprise",
            Self::Longing => "longing",
            Self::Sadness => "sadness",
            Self::Anger => "anger",
            Self::Fear => "fear",
            Self::Disgust => "disgust",
            Self::Shame => "shame",
        }
    }

    /// 1: good to feel, -1: bad, 0: either.
    pub fn valence(self) -> i8 {
        match self {
            Self::Joy | Self::Love | Self::Calm => 1,
            Self::Surprise | Self::Longing => 0,
            Self::Sadness | Self::Anger | Self::Fear | Self::Disgust | Self::Shame => -1,
        }
    }
}

/// What a label for an emotion means, as hosts write them: `happy`, `开心`, `難過`, `嬉しい`, `a bit angry`. None: it says nothing,
/// several things, or nothing that is known.
pub fn named(label: &str) -> Option<Feeling> {
    let folded = SPELLING.fold(label.trim());
    named_as_folded(&folded)
}

fn named_as_folded(label: &str) -> Option<Feeling> {
    if NOTHING_FELT.contains(&label) {
        return None;
    }
    Lexicon::get().label(label).or_else(|| {
        let found = found(label);
        let [only] = *found.keys().collect::<Vec<_>>().as_slice() else { return None };
        Some(*only)
    })
}

/// Whether a label says anything of what is felt, known or not: `neutral` does not.
pub fn says_something(label: &str) -> bool {
    !NOTHING_FELT.contains(&SPELLING.fold(label.trim()).as_str())
}

/// What is felt in a text, each feeling once, with its part of all that is felt; the parts add up to 1. What is denied (`不开心`,
/// `not happy`, `怖くない`) is not felt.
pub fn felt(text: &str) -> Vec<(Feeling, f32)> {
    let found = found(&SPELLING.fold(text));
    let all: u64 = found.values().sum();
    found.into_iter().map(|(feeling, times)| (feeling, times as f32 / all as f32)).collect()
}

/// The same in what is being said: here the parts add up to how sure it is that this is felt. One word is soon said, and several of
/// them mean it.
pub fn heard(text: &str) -> Vec<(Feeling, f32)> {
    let found = found(&SPELLING.fold(text));
    let all: u64 = found.values().sum();
    let sureness = 1.0 - DOUBT.powi(all.min(16) as i32);
    found.into_iter().map(|(feeling, times)| (feeling, sureness * times as f32 / all as f32)).collect()
}

/// What each word leaves open.
const DOUBT: f32 = 0.6;

/// How a label is spelled that is the host's own: none that says nothing or means a feeling.
pub fn own_name(label: &str) -> Option<String> {
    let folded = SPELLING.fold(label.trim());
    let is_known = NOTHING_FELT.contains(&folded.as_str()) || named_as_folded(&folded).is_some();
    (!is_known).then_some(folded)
}

fn found(folded: &str) -> BTreeMap<Feeling, u64> {
    let mut found = BTreeMap::new();
    for hit in Lexicon::get().hits(folded) {
        if !negation::is_denied(folded, hit.start, hit.end) {
            *found.entry(hit.feeling).or_default() += 1;
        }
    }
    found
}

/// From 0 to 1: 1 if the same is felt in the same parts; what has only its valence in common counts 0.4 of that. Nothing is near
/// to nothing.
pub fn nearness(a: &[(Feeling, f32)], b: &[(Feeling, f32)]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let weighed = |felt: &[(Feeling, f32)]| {
        let mut weights: BTreeMap<Sense, u64> = BTreeMap::new();
        for (feeling, weight) in felt {
            // What is no number counts nothing.
            let parts = (weight.clamp(0.0, PARTS) * PARTS).round() as u64;
            *weights.entry(Sense::Feeling(*feeling)).or_default() += parts;
        }
        weights
    };
    in_common(&weighed(a), &weighed(b))
}

/// The same for labels. Of those whose meaning is not known, only equal ones are near to each other; spelling does not matter.
pub fn label_nearness(a: &[String], b: &[String]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let counted = |labels: &[String]| {
        let mut counts: BTreeMap<Sense, u64> = BTreeMap::new();
        let folded = labels.iter().map(|label| SPELLING.fold(label.trim()));
        for label in folded.filter(|label| !NOTHING_FELT.contains(&label.as_str())) {
            let sense = named_as_folded(&label).map_or(Sense::Word(label), Sense::Feeling);
            *counts.entry(sense).or_default() += 1;
        }
        counts
    };
    in_common(&counted(a), &counted(b))
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sense {
    Feeling(Feeling),
    /// A label of the host's own.
    Word(String),
}

impl Sense {
    fn valence(&self) -> Option<i8> {
        match self {
            Self::Feeling(feeling) => Some(feeling.valence()),
            Self::Word(_) => None,
        }
    }
}

/// Each side is a whole, however much there is of it: of what is the same the smaller part counts, of the rest what has its
/// valence in common.
fn in_common(a: &BTreeMap<Sense, u64>, b: &BTreeMap<Sense, u64>) -> f32 {
    let sum = |side: &BTreeMap<Sense, u64>| side.values().map(|weight| u128::from(*weight)).sum::<u128>();
    let (all_a, all_b) = (sum(a), sum(b));
    if all_a == 0 || all_b == 0 {
        return 0.0;
    }
    let part = |side: &BTreeMap<Sense, u64>, sense: &Sense, other: u128| {
        side.get(sense).map_or(0, |weight| u128::from(*weight) * other)
    };
    let same = |sense: &Sense| part(a, sense, all_b).min(part(b, sense, all_a));
    let rest = |side: &BTreeMap<Sense, u64>, other: u128, valence: i8| {
        let alike = side.keys().filter(|sense| sense.valence() == Some(valence));
        alike.map(|sense| part(side, sense, other) - same(sense)).sum::<u128>()
    };
    let equal: u128 = a.keys().map(same).sum();
    let akin: u128 =
        [-1, 0, 1].map(|valence| rest(a, all_b, valence).min(rest(b, all_a, valence))).iter().sum();
    ((equal * 10 + akin * 4) as f64 / (all_a * all_b * 10) as f64) as f32
}
