//! The embedder that needs nothing.

use reverie_core::Result;
use reverie_core::embed::{Embedder, Reading};

use crate::fold::fold_into;
use crate::pieces::{Cutter, Piece};
use crate::spelled::Spelled;
use crate::sum::Sum;
use crate::table::{BUILT_IN, Table};

/// Embeds with a table of words: some microseconds a sentence, no start-up, no network.
#[derive(Debug, Clone, Copy)]
pub struct OfflineEmbedder {
    table: Table<'static>,
}

/// What says the same in other words is seldom nearer, and what says something else hardly ever is as near.
const SAME: f32 = 0.6;
/// Another table, or another way to fold or cut a text, is another space.
const SPACE: &str = "reverie-offline-zh-en-256-v2";

impl OfflineEmbedder {
    #[must_use]
    pub const fn new() -> Self {
        Self { table: BUILT_IN }
    }

    /// A vector of length 1 for each text. A text without anything to read stands somewhere, far from all others.
    #[must_use]
    pub fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        vectors(&self.table, texts)
    }
}

impl Default for OfflineEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for OfflineEmbedder {
    fn space(&self) -> &str {
        SPACE
    }

    fn is_local(&self) -> bool {
        true
    }

    /// Sums of words: much of what they say is said by the words themselves, and what speaks of many things is near to all.
    fn reading(&self) -> Reading {
        Reading { beside_words: 0.5, without_common: 0.5, same: SAME }
    }

    /// Never late: a thousand sentences take some milliseconds.
    fn embed(&self, texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        Ok(self.vectors(texts))
    }
}

/// With any table: for whoever makes one.
pub(crate) fn vectors(table: &Table<'_>, texts: &[&str]) -> Vec<Vec<f32>> {
    let mut cutter = Cutter::default();
    let mut sum = Sum::new();
    let mut folded = String::new();
    let embed = |text: &&str| {
        folded.clear();
        fold_into(table, text, &mut folded);
        sum.clear();
        cutter.cut(table, &folded, |piece| match piece {
            Piece::Entry(entry) => {
                if let Some(row) = table.row(entry) {
                    sum.add(&row);
                }
            }
            Piece::Spelled(spelling, weight) => {
                let scale = table.spelled_scale as i32 / 16 * weight;
                sum.add_spelled(Spelled::of(spelling.as_bytes()), scale);
            }
        });
        if sum.is_nothing() {
            sum.add_spelled(Spelled::of(folded.trim().as_bytes()), 1);
        }
        sum.direction()
    };
    texts.iter().map(embed).collect()
}

impl Table<'_> {
    /// A vector of length 1 for each text, with this table.
    #[must_use]
    pub fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        vectors(self, texts)
    }
}
