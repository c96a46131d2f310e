//! How good is a table, by what it was made from?

use std::collections::HashMap;

use reverie_offline::Table;

use crate::linear::normalise;
use crate::matrix::{Matrix, Panels};
use crate::sha256::sha256;
use crate::sources::Sources;
use crate::vocabulary::{Vocabulary, english_words, tokens};

/// Words and meanings that are tried.
const TRIED: usize = 1_000;
/// English words among which a translation is looked for.
const CHOICE: usize = 15_000;

pub(crate) fn report(
    sources: &Sources,
    words: &Vocabulary,
    table: &Table<'_>,
    bytes: &[u8],
    nearness: f64,
) -> String {
    let (first, tenth) = translations(sources, words, table);
    let kept = nearest_kept(sources, table);
    let entries = words.entries.len();
    let (digest, bytes) = (sha256(bytes), bytes.len());
    format!(
        "sha256 of the table: {digest}\nentries: {entries} ({} English, {} Chinese)\nbytes: {bytes}\n\
         stored against exact vectors, mean cosine: {nearness:.4}\n\
         of {TRIED} frequent Chinese words, the nearest of {CHOICE} English words is one of the dictionary's: {first:.3}; one of the nearest ten: {tenth:.3} (the dictionary also made the vectors: this says how much of it the table keeps, not how well words are translated that it lacks)\n\
         of {TRIED} English phrases, the one that the transformer finds nearest is among the table's nearest ten: {kept:.3}\n",
        words.english,
        entries - words.english,
    )
}

fn translations(sources: &Sources, words: &Vocabulary, table: &Table<'_>) -> (f64, f64) {
    let is_word = |word: &&str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let english = words.entries.iter().take(words.english).map(|entry| entry.spelling.as_str());
    let english: Vec<&str> = english.filter(is_word).take(CHOICE).collect();
    let mut tried = Vec::new();
    for entry in words.entries.iter().skip(words.english) {
        let meanings = sources.glosses.get(&entry.spelling).into_iter().flatten();
        let right: Vec<String> = meanings
            .filter_map(|gloss| <[String; 1]>::try_from(english_words(&gloss.said)).ok())
            .flatten()
            .collect();
        if !right.is_empty() && tried.len() < TRIED && sources.chinese.contains_key(&entry.spelling) {
            tried.push((entry.spelling.as_str(), right));
        }
    }
    let queries: Vec<&str> = tried.iter().map(|(word, _)| *word).collect();
    let near = nearest(&matrix(table.vectors(&queries)), &matrix(table.vectors(&english)), 10);
    let hit = |most: usize| {
        let hits = tried.iter().zip(&near).filter(|((_, right), near)| {
            near.iter()
                .take(most)
                .filter_map(|at| english.get(*at))
                .any(|word| right.iter().any(|right| right == word))
        });
        hits.count() as f64 / tried.len().max(1) as f64
    };
    (hit(1), hit(10))
}

fn nearest_kept(sources: &Sources, table: &Table<'_>) -> f64 {
    let known: HashMap<String, u32> = sources.pieces.iter().cloned().zip(0..).collect();
    let all = sources.glosses.values().flatten().map(|gloss| gloss.said.as_str());
    let all = all.filter(|gloss| english_words(gloss).len() >= 3);
    let phrases: Vec<&str> = all.step_by(41).take(TRIED).collect();
    let read: Vec<Vec<u32>> = phrases.iter().map(|phrase| tokens(&known, phrase)).collect();
    let mut exact = sources.transformer.means(&read);
    normalise(&mut exact);
    let ours = matrix(table.vectors(&phrases));
    // The nearest of all is the phrase itself.
    let (wanted, found) = (nearest(&exact, &exact, 2), nearest(&ours, &ours, 11));
    let kept = wanted
        .iter()
        .zip(&found)
        .filter(|(wanted, found)| wanted.last().is_some_and(|best| found.contains(best)));
    kept.count() as f64 / phrases.len().max(1) as f64
}

fn matrix(rows: Vec<Vec<f32>>) -> Matrix {
    let columns = rows.first().map_or(0, Vec::len);
    Matrix { rows: rows.len(), columns, values: rows.concat() }
}

fn nearest(queries: &Matrix, among: &Matrix, most: usize) -> Vec<Vec<usize>> {
    let scores = Panels::of(&among.transposed()).after(queries);
    let row = |row: usize| {
        let mut order: Vec<(f32, usize)> = scores.row(row).iter().copied().zip(0..).collect();
        order.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        order.into_iter().take(most).map(|(_, at)| at).collect()
    };
    (0..queries.rows).map(row).collect()
}
