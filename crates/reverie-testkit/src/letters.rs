//! An embedder for tests that is no model and no mock: texts are near each other when they share letters.

use reverie_core::Result;
use reverie_core::embed::Embedder;

/// Counts pairs of neighbouring letters. Two with different names are different spaces.
pub struct LetterEmbedder {
    space: String,
}

const DIMS: usize = 256;

impl LetterEmbedder {
    pub fn new(space: &str) -> Self {
        Self { space: space.to_owned() }
    }
}

impl Embedder for LetterEmbedder {
    fn space(&self) -> &str {
        &self.space
    }

    fn is_local(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| counts(text)).collect())
    }
}

fn counts(text: &str) -> Vec<f32> {
    let letters: Vec<u32> =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).map(u32::from).collect();
    let mut counts = vec![0.0; DIMS];
    for two in letters.windows(2) {
        let place =
            two.iter().fold(7u32, |hash, letter| hash.wrapping_mul(31).wrapping_add(*letter)) as usize;
        if let Some(count) = counts.get_mut(place % DIMS) {
            *count += 1.0;
        }
    }
    counts
}
