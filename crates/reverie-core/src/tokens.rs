//! How many tokens does a text cost?
//!
//! Budgets are hard, so the answer may be too high and must not be too low. Two counters, chosen by name:
//!
//! - `o200k` counts exactly as OpenAI's `o200k_base` does. The first use unpacks the vocabulary that ships
//!   inside the binary (about 0.1 s and 50 MB, once per process).
//! - `estimate`, the default, needs no vocabulary: three small tables derived from it, one pass, no
//!   allocation. It never answers less than `o200k` on Chinese, Japanese and English, with digits,
//!   punctuation, emoji, markup, code and whitespace in any mixture, and stays within about a quarter of it.
//!
//! Why the estimate does not undercount. Byte-pair encoding splits a text into pieces and merges inside each
//! piece, always the pair that the vocabulary ranks first. A merge never adds a token, so any part of the
//! merges that must happen gives an upper bound. `estimate` finds the same pieces and performs
//!
//! - in words and punctuation, every merge up to a fixed rank, which is exactly where full encoding stands
//!   at that moment (`merges`), and some of the later ones that cannot fail to happen;
//! - in other characters, the merges inside each character (`chars`), and for ideographs and kana those
//!   between neighbours that no complete encoding can leave apart (`ideographs`).
//!
//! The exceptions are characters torn by a token that ends in the middle of one; the tables list those and
//! charge for them. Scripts that the tables do not know cost one token per byte, which is always enough.
//! Both counters read special-token text such as `<|endoftext|>` as ordinary text.

mod bonds;
mod chars;
mod estimate;
mod ideographs;
mod joiners;
mod merges;
mod o200k;

use crate::{Error, Result};

/// A way of counting tokens, chosen by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counter {
    /// Fast and never too low; see the module's text for what that rests on.
    #[default]
    Estimate,
    /// Exact for models that use `o200k_base`.
    O200k,
}

impl Counter {
    const ALL: [Self; 2] = [Self::Estimate, Self::O200k];

    pub fn name(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::O200k => "o200k",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|counter| counter.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::invalid(format!("there is no token counter named {name:?}"))
                .hint(format!("use one of: {known}"))
        })
    }

    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Estimate => estimate::count(text),
            Self::O200k => o200k::count(text),
        }
    }
}

/// The `index`th little-endian `u16` of a table.
fn u16_at(table: &[u8], index: usize) -> Option<u16> {
    let bytes = table.get(index * 2..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}
