//! How do English and Chinese words come into one space?
//!
//! Every word is looked at twice. First by what the transformer says of it: of an English word itself, of a Chinese one the
//! words that the dictionary explains it with. Then by its company in Chinese texts: of a Chinese word its own vector, of an
//! English one those of the Chinese words it translates. What one view lacks, a linear map from the other gives. Both views
//! stand beside each other, are turned so that the first dimensions say most, and cut.

use reverie_offline::format::DIMENSIONS;

use crate::glosses::Meaning;
use crate::linear::{directions, map, normalise, normalise_row, products, remove_common};
use crate::matrix::{Matrix, Panels};
use crate::sources::Sources;
use crate::vocabulary::{Vocabulary, english_words};

/// What came of it.
pub(crate) struct Space {
    pub(crate) vectors: Matrix,
    /// How much an entry tells.
    pub(crate) weights: Vec<f32>,
}

/// Smooth inverse frequency: words more frequent than this count ever less.
const FREQUENT: f64 = 2e-4;
/// Chinese words this frequent that an encyclopedia's vectors leave out are grammar.
const GRAMMAR: f64 = 3e-5;
const GRAMMAR_WEIGHT: f64 = 0.1;
/// What is only inferred from the other view counts less.
const INFERRED: f32 = 0.7;
/// Of the company view beside the meaning view.
const COMPANY: f32 = 0.5;
/// Meanings of a word that count, each less than the one before.
const MEANINGS: usize = 4;
const RIDGE: f64 = 50.0;
/// The most frequent English entries: what they have in common is in every text.
const COMMON_ENGLISH: usize = 14_000;
const STOP: &[&str] = &[
    "a", "an", "the", "of", "or", "and", "to", "in", "for", "with", "be", "by", "on", "as", "at", "from",
    "etc", "sth", "sb", "one", "s",
];

pub(crate) fn space(sources: &Sources, words: &Vocabulary) -> Space {
    let texts: Vec<Vec<u32>> =
        words.entries.iter().take(words.english).map(|entry| entry.tokens.clone()).collect();
    let mut english = sources.transformer.means(&texts);
    normalise(&mut english);
    let common: Vec<usize> = (0..COMMON_ENGLISH.min(english.rows)).collect();
    remove_common(&mut english, &common, 1);
    normalise(&mut english);

    let (mut company, has_company) = chinese_company(sources, words);
    let (mut meaning, has_meaning) = chinese_meaning(sources, words, &english);
    let both: Vec<usize> =
        (0..words.entries.len()).filter(|at| is(&has_company, *at) && is(&has_meaning, *at)).collect();
    let (known_company, known_meaning) = (pick(&company, &both), pick(&meaning, &both));
    let to_meaning = Panels::of(&map(&known_company, &known_meaning, RIDGE));
    let to_company = Panels::of(&map(&known_meaning, &known_company, RIDGE));

    let is_grammar = |at: usize| {
        at >= words.english
            && !is(&has_company, at)
            && words.entries.get(at).is_some_and(|entry| entry.share > GRAMMAR)
    };
    let only_company: Vec<usize> = (words.english..words.entries.len())
        .filter(|at| is(&has_company, *at) && !is(&has_meaning, *at))
        .collect();
    put(&mut meaning, &only_company, &inferred(&to_meaning, &pick(&company, &only_company)));
    let only_meaning: Vec<usize> = (words.english..words.entries.len())
        .filter(|at| is(&has_meaning, *at) && !is(&has_company, *at) && !is_grammar(*at))
        .collect();
    put(&mut company, &only_meaning, &inferred(&to_company, &pick(&meaning, &only_meaning)));

    let translated = english_company(sources, words, &company, &has_company);
    let guessed = inferred(&to_company, &english);
    for at in 0..words.english {
        meaning.row_mut(at).copy_from_slice(english.row(at));
        let place = company.row_mut(at);
        place.copy_from_slice(guessed.row(at));
        if translated.row(at).iter().any(|value| *value != 0.0) {
            place.iter_mut().zip(translated.row(at)).for_each(|(value, own)| *value = own + *value * 0.7);
            normalise_row(place);
        }
    }
    let weights = words.entries.iter().enumerate().map(|(at, entry)| {
        let weight = FREQUENT / (FREQUENT + entry.share);
        (if is_grammar(at) { weight * GRAMMAR_WEIGHT } else { weight }) as f32
    });
    turn(&meaning, &company, weights.collect())
}

/// Of Chinese words that have a vector of their own.
fn chinese_company(sources: &Sources, words: &Vocabulary) -> (Matrix, Vec<bool>) {
    let mut company = Matrix::zeros(words.entries.len(), sources.chinese_vectors.columns);
    let mut has = vec![false; words.entries.len()];
    for (at, entry) in words.entries.iter().enumerate().skip(words.english) {
        let Some(row) = sources.chinese.get(&entry.spelling) else { continue };
        company.row_mut(at).copy_from_slice(sources.chinese_vectors.row(*row));
        has.iter_mut().skip(at).take(1).for_each(|has| *has = true);
    }
    let own: Vec<usize> = (0..has.len()).filter(|at| is(&has, *at)).collect();
    normalise(&mut company);
    remove_common(&mut company, &own, 3);
    normalise(&mut company);
    (company, has)
}

/// Of Chinese words that the dictionary explains: the words that it explains them with, the rarer the more.
fn chinese_meaning(sources: &Sources, words: &Vocabulary, english: &Matrix) -> (Matrix, Vec<bool>) {
    let mut meaning = Matrix::zeros(words.entries.len(), english.columns);
    let mut has = vec![false; words.entries.len()];
    for (at, entry) in words.entries.iter().enumerate().skip(words.english) {
        let place = meaning.row_mut(at);
        for read in [gloss_entries, all_gloss_entries] {
            if place.iter().any(|value| *value != 0.0) {
                break;
            }
            for (order, gloss) in glosses(sources, &entry.spelling).enumerate() {
                let mut sum = vec![0.0f32; english.columns];
                for word in [&gloss.said, &gloss.which].into_iter().flat_map(|text| read(words, text)) {
                    let share = words.entries.get(word).map_or(1.0, |entry| entry.share);
                    let weight = (3e-4 / (3e-4 + share)) as f32;
                    sum.iter_mut().zip(english.row(word)).for_each(|(sum, value)| *sum += weight * value);
                }
                normalise_row(&mut sum);
                place.iter_mut().zip(&sum).for_each(|(place, value)| *place += value / (1 + order) as f32);
            }
        }
        normalise_row(place);
        let is_there = place.iter().any(|value| *value != 0.0);
        has.iter_mut().skip(at).take(1).for_each(|has| *has = is_there);
    }
    (meaning, has)
}

/// Of English words that translate Chinese ones by themselves.
fn english_company(sources: &Sources, words: &Vocabulary, company: &Matrix, has: &[bool]) -> Matrix {
    let mut translated = Matrix::zeros(words.english, company.columns);
    for (at, entry) in words.entries.iter().enumerate().skip(words.english).filter(|(at, _)| is(has, *at)) {
        for (order, gloss) in glosses(sources, &entry.spelling).enumerate() {
            if let [word] = gloss_entries(words, &gloss.said).as_slice() {
                let place = translated.row_mut(*word);
                place
                    .iter_mut()
                    .zip(company.row(at))
                    .for_each(|(place, value)| *place += value / (1 + order) as f32);
            }
        }
    }
    normalise(&mut translated);
    translated.values.iter_mut().for_each(|value| *value *= 1.4);
    translated
}

fn glosses<'a>(sources: &'a Sources, word: &str) -> impl Iterator<Item = &'a Meaning> {
    sources.glosses.get(word).into_iter().flatten().take(MEANINGS)
}

/// Without the words that tell nothing beside others.
fn gloss_entries(words: &Vocabulary, gloss: &str) -> Vec<usize> {
    let telling = english_words(gloss).into_iter().filter(|word| !STOP.contains(&word.as_str()));
    telling.flat_map(|word| words.english_word(&word)).collect()
}

/// With them: one is all that some words mean.
fn all_gloss_entries(words: &Vocabulary, gloss: &str) -> Vec<usize> {
    english_words(gloss).iter().flat_map(|word| words.english_word(word)).collect()
}

/// Both views in one, the strongest dimensions first and toned down a little: otherwise a few topics drown the rest.
fn turn(meaning: &Matrix, company: &Matrix, weights: Vec<f32>) -> Space {
    let mut both = Matrix::zeros(meaning.rows, meaning.columns + company.columns);
    for at in 0..both.rows {
        let (left, right) = both.row_mut(at).split_at_mut(meaning.columns);
        left.copy_from_slice(meaning.row(at));
        right.iter_mut().zip(company.row(at)).for_each(|(place, value)| *place = COMPANY * value);
    }
    let mut weighted = both.clone();
    for (at, weight) in weights.iter().enumerate() {
        weighted.row_mut(at).iter_mut().for_each(|value| *value *= weight);
    }
    let (rows, strengths) = directions(&products(&weighted, &weighted));
    let strongest = strengths.first().copied().unwrap_or(1.0);
    let mut kept = Matrix::zeros(DIMENSIONS, rows.columns);
    for (at, strength) in strengths.iter().take(DIMENSIONS).enumerate() {
        // The eighth root of the share: a tenth of the strength becomes three quarters of it.
        let tone = 1.0 / (strength / strongest).max(1e-6).sqrt().sqrt().sqrt();
        kept.row_mut(at).iter_mut().zip(rows.row(at)).for_each(|(place, value)| *place = value * tone as f32);
    }
    Space { vectors: Panels::of(&kept.transposed()).after(&both), weights }
}

fn inferred(map: &Panels, from: &Matrix) -> Matrix {
    let mut rows = map.after(from);
    normalise(&mut rows);
    rows.values.iter_mut().for_each(|value| *value *= INFERRED);
    rows
}

fn is(flags: &[bool], at: usize) -> bool {
    flags.get(at).copied().unwrap_or(false)
}

fn pick(matrix: &Matrix, rows: &[usize]) -> Matrix {
    let values = rows.iter().flat_map(|row| matrix.row(*row)).copied().collect();
    Matrix { rows: rows.len(), columns: matrix.columns, values }
}

fn put(matrix: &mut Matrix, rows: &[usize], values: &Matrix) {
    for (from, to) in rows.iter().enumerate() {
        matrix.row_mut(*to).copy_from_slice(values.row(from));
    }
}
