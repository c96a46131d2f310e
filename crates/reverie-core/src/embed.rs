//! What turns a text into a place in a space of meanings, and which texts are too long for one place?

mod languages;

use std::sync::Arc;

use crate::dot::dot;
use crate::id::{CharacterId, DocumentId, MemoryId, WorldId};
use crate::{Error, Result};
pub use languages::{Evidence, Languages, Tongue};

/// Knows where texts stand in a space of meanings.
pub trait Embedder: Send + Sync {
    /// The name of the space. Vectors of different spaces are never compared, so whatever changes what a vector means changes
    /// the name: the provider, the model, its version, the number of dimensions.
    fn space(&self) -> &str;

    /// True if it never waits for a network: then it may be asked inside a slice.
    fn is_local(&self) -> bool;

    /// What besides the space decides which texts it takes: where it is asked, and how. Texts that it refused are tried again when
    /// this changes. No secrets.
    fn settings(&self) -> String {
        String::new()
    }

    /// How nearness in its space is to be read.
    fn reading(&self) -> Reading {
        Reading::default()
    }

    /// A vector of length 1 for each text, in their order. Gives up at the deadline (milliseconds since 1970). An error with the code
    /// [`Invalid`](crate::Code::Invalid) says that it will never take one of these texts, one with [`Internal`](crate::Code::Internal) that it
    /// was asked and broke down: if it goes on doing so at one text alone, that one is set aside.
    fn embed(&self, texts: &[&str], deadline_ms: i64) -> Result<Vec<Vec<f32>>>;
}

/// How nearness in a space is to be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// How much it says beside the words in common, from 0 to 1: a space that is made of single words repeats much of what they say.
    pub beside_words: f32,
    /// How much of what all of a mind's memories have in common is left out of what is asked, from 0 to 1: in a space that is made of
    /// single words some texts are near to everything.
    pub without_common: f32,
    /// How near texts are that say the same in other words, as a cosine: what is as near as this is wholly near.
    pub same: f32,
}

impl Default for Reading {
    fn default() -> Self {
        Self { beside_words: 1.0, without_common: 0.0, same: 1.0 }
    }
}

/// Where a text stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(pub Arc<[f32]>);

impl Vector {
    /// From -1 to 1, for vectors of length 1. The same everywhere, to the last bit.
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(&self.0, &other.0)
    }

    /// The same direction, of length 1; None where there is no direction.
    pub fn normal(values: Vec<f32>) -> Option<Self> {
        let length = dot(&values, &values).sqrt();
        let is_direction = length.is_normal() && values.iter().all(|value| value.is_finite());
        is_direction.then(|| Self(values.into_iter().map(|value| value / length).collect()))
    }
}

/// A text that has no vector in a space yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    pub what: Embeddable,
    /// Of the text, as a number: a vector is of this text alone.
    pub digest: [u8; 16],
    pub text: String,
}

/// What can have a vector.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Embeddable {
    /// A memory's own text.
    Memory { world: WorldId, memory: MemoryId },
    /// As a holder reworded it.
    Own { world: WorldId, memory: MemoryId, holder: CharacterId },
    /// An entry of a book that is searched by meaning.
    Entry { book: DocumentId, entry: Arc<str> },
}

/// A text's vectors: one for each of its chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub what: Embeddable,
    pub digest: [u8; 16],
    pub chunks: Vec<Vector>,
}

/// A text that an embedder refused: it has no vector, and is not asked about again before its wording, the space or the embedder's
/// settings change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    pub space: String,
    pub what: Embeddable,
    pub digest: [u8; 16],
    /// Why, in our own words.
    pub reason: String,
    pub at_ms: i64,
    /// As the embedder told them: [`Embedder::settings`].
    pub settings: String,
}

/// Of one vector.
pub const MOST_DIMENSIONS: usize = 8192;

impl Embedded {
    /// All chunks have the same number of dimensions, within bounds, and only finite values.
    pub fn check(&self) -> Result<()> {
        let dimensions = self.chunks.first().map(|chunk| chunk.0.len());
        for chunk in &self.chunks {
            let count = chunk.0.len();
            if count == 0 || count > MOST_DIMENSIONS {
                return Err(Error::invalid(format!("a vector has {count} dimensions"))
                    .hint(format!("1 to {MOST_DIMENSIONS} are possible; choose another embedding model")));
            }
            if Some(count) != dimensions {
                return Err(Error::invalid("the vectors of one text differ in their dimensions")
                    .hint("vectors of one space all have the same number"));
            }
            if chunk.0.iter().any(|value| !value.is_finite()) {
                return Err(Error::invalid("a vector holds a value that is no number")
                    .hint("the embedding model is broken; ask another one"));
            }
        }
        Ok(())
    }
}

/// Characters of a chunk, where nothing is set.
pub const CHUNK_CHARS: usize = 300;

/// Cuts a long text into chunks of at most so many characters: at the end of a line or sentence where there is one in the
/// second half of a chunk, else between words, else anywhere between two characters.
pub fn chunks(text: &str, most_chars: usize) -> Vec<&str> {
    let most = most_chars.max(1);
    let mut chunks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = match rest.char_indices().nth(most) {
            None => rest.len(),
            Some((end, _)) => cut(rest.get(..end).unwrap_or(rest), most),
        };
        let (chunk, behind) = rest.split_at(end);
        chunks.push(chunk.trim());
        rest = behind.trim_start();
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

/// Where to end a chunk that is this long at most.
fn cut(text: &str, chars: usize) -> usize {
    let half = text.char_indices().nth(chars / 2).map_or(0, |(at, _)| at);
    let last = |ends: fn(char) -> bool| {
        text.char_indices().rev().find(|(at, c)| *at >= half && ends(*c)).map(|(at, c)| at + c.len_utf8())
    };
    last(|c| c == '\n')
        .or_else(|| last(|c| matches!(c, '。' | '！' | '？' | '!' | '?' | '；' | '…')))
        .or_else(|| last(|c| c == '.'))
        .or_else(|| last(|c| c.is_whitespace() || matches!(c, '，' | '、' | ',')))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::chunks;

    #[test]
    fn long_texts_are_cut_where_they_pause() {
        for (text, most, expected) in [
            ("", 5, vec![]),
            ("短", 5, vec!["短"]),
            ("今天天气很好。我们去打猎。", 8, vec!["今天天气很好。", "我们去打猎。"]),
            ("一二三四五六七八九十", 4, vec!["一二三四", "五六七八", "九十"]),
            ("one two three four", 9, vec!["one two", "three", "four"]),
            ("a\nb\nc", 3, vec!["a", "b\nc"]),
            ("👨‍👩‍👧", 1, vec!["👨", "\u{200d}", "👩", "\u{200d}", "👧"]),
        ] {
            assert_eq!(chunks(text, most), expected, "{text}");
        }
    }
}
