//! Into which entries of the table is a text cut?
//!
//! Chinese: the likeliest words that the table knows, by how rare each is; beside a long one the words of two characters in
//! it. Words with spaces: whole, else the longest piece first. Everything else by its spelling.

use unicode_normalization::char::decompose_canonical;

use crate::format::{HASH_BEGIN, INSIDE, LONGEST_PIECE, LONGEST_WORD, hash};
use crate::kind::{Kind, is_mark};
use crate::table::Table;

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Entry(u32),
    /// Unknown to the table, and how much it tells, in sixteenths of a rare word.
    Spelled(&'a str, i32),
}

/// Buffers that one text after the other uses.
#[derive(Default)]
pub(crate) struct Cutter {
    /// A word without its accents.
    bare: String,
    steps: Vec<Step>,
    found: Vec<u32>,
}

/// The cheapest way to a place in a run of Chinese characters.
#[derive(Clone, Copy)]
struct Step {
    cost: u32,
    /// Where the last word begins.
    from: u32,
    entry: Option<u32>,
    /// In bytes.
    at: u32,
}

/// A character that the table does not know is dearer than any word.
const UNKNOWN_COST: u32 = 300;
/// Characters from which on a Chinese word is long.
const LONG_WORD: usize = 3;
/// Between two syllables, it tells nothing by itself.
const LONG_SOUND: char = 'ー';

impl Cutter {
    /// `text` is folded.
    pub(crate) fn cut(&mut self, table: &Table<'_>, text: &str, mut take: impl FnMut(Piece<'_>)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let kind = Kind::of(first);
            let end = rest.find(|c| !kind.goes_on(c)).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            rest = behind;
            match kind {
                Kind::Han => self.cut_han(table, run, &mut take),
                Kind::Letters => self.cut_letters(table, run, &mut take),
                Kind::Digits => cut_word(table, run, &mut take),
                Kind::Hiragana => spell(run, 3, 1, &mut take),
                Kind::Syllables => spell(run, 12, 4, &mut take),
                Kind::Other => spell(run, 12, 0, &mut take),
                Kind::Symbol => spell(run, 4, 8, &mut take),
                Kind::Nothing => {}
            }
        }
    }

    /// The cheapest words from the beginning to every place, and back from the end.
    fn cut_han(&mut self, table: &Table<'_>, run: &str, take: &mut impl FnMut(Piece<'_>)) {
        self.steps.clear();
        let ends = run.char_indices().map(|(at, _)| at).chain([run.len()]);
        self.steps.extend(ends.map(|at| Step { cost: u32::MAX, from: 0, entry: None, at: at as u32 }));
        if let Some(first) = self.steps.first_mut() {
            first.cost = 0;
        }
        for from in 0..self.steps.len() {
            let Some((begin, ahead)) = self.steps.get_mut(from..).and_then(|steps| steps.split_first_mut())
            else {
                break;
            };
            let mut state = HASH_BEGIN;
            let mut end = begin.at as usize;
            for (length, step) in ahead.iter_mut().take(LONGEST_WORD).enumerate() {
                let more = run.as_bytes().get(end..step.at as usize).unwrap_or_default();
                state = more.iter().fold(state, |state, byte| hash(state, *byte));
                end = step.at as usize;
                let word = run.as_bytes().get(begin.at as usize..end).unwrap_or_default();
                let entry = table.find(state, &[], word);
                let cost = match entry {
                    Some(entry) => table.cost(entry),
                    None if length == 0 => UNKNOWN_COST,
                    None => continue,
                };
                let cost = begin.cost.saturating_add(cost);
                if cost < step.cost {
                    *step = Step { cost, from: from as u32, entry, at: step.at };
                }
            }
        }
        self.found.clear();
        let mut place = self.steps.len().saturating_sub(1);
        while place > 0 {
            self.found.push(place as u32);
            place = self.steps.get(place).map_or(0, |step| step.from as usize);
        }
        for place in self.found.iter().rev() {
            let Some(step) = self.steps.get(*place as usize) else { continue };
            let word = self.steps.get(step.from as usize..=*place as usize).unwrap_or_default();
            match step.entry {
                Some(entry) => take(Piece::Entry(entry)),
                None => take(Piece::Spelled(between(run, word), 12)),
            }
            // 新年快乐 is about 新年 and about 快乐: a long word also means the words in it.
            if word.len() > LONG_WORD {
                let pairs = word.windows(3).filter_map(|pair| table.find_word(between(run, pair).as_bytes()));
                pairs.for_each(|entry| take(Piece::Entry(entry)));
            }
        }
    }

    fn cut_letters(&mut self, table: &Table<'_>, run: &str, take: &mut impl FnMut(Piece<'_>)) {
        if run.is_ascii() {
            return cut_word(table, run, take);
        }
        self.bare.clear();
        let bare = &mut self.bare;
        for letter in run.chars() {
            decompose_canonical(letter, |part| bare.extend((!is_mark(part)).then_some(part)));
        }
        cut_word(table, &self.bare, take);
    }
}

/// What lies between the first and the last of some places.
fn between<'a>(run: &'a str, steps: &[Step]) -> &'a str {
    let place = |step: Option<&Step>| step.map_or(0, |step| step.at as usize);
    run.get(place(steps.first())..place(steps.last())).unwrap_or_default()
}

/// The whole word, else the longest piece first.
fn cut_word(table: &Table<'_>, word: &str, take: &mut impl FnMut(Piece<'_>)) {
    if let Some(entry) = table.find_word(word.as_bytes()) {
        return take(Piece::Entry(entry));
    }
    let mut rest = word;
    let mut before: &[u8] = &[];
    while !rest.is_empty() {
        let mut state = before.iter().fold(HASH_BEGIN, |state, byte| hash(state, *byte));
        let mut longest = None;
        for (at, letter) in rest.char_indices().take(LONGEST_PIECE) {
            let end = at + letter.len_utf8();
            let bytes = rest.as_bytes();
            state =
                bytes.get(at..end).unwrap_or_default().iter().fold(state, |state, byte| hash(state, *byte));
            if let Some(entry) = table.find(state, before, bytes.get(..end).unwrap_or_default()) {
                longest = Some((entry, end));
            }
        }
        let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
        let (piece, end) = match longest {
            Some((entry, end)) => (Piece::Entry(entry), end),
            None => (Piece::Spelled(rest.get(..first).unwrap_or(rest), 4), first),
        };
        take(piece);
        rest = rest.get(end..).unwrap_or_default();
        before = &[INSIDE];
    }
}

/// Two neighbouring characters at a time, and each by itself, with these weights; one that has no neighbour tells all.
fn spell(run: &str, of_pair: i32, of_one: i32, take: &mut impl FnMut(Piece<'_>)) {
    let mut before = None;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        if let Some(begin) = before.replace(at) {
            take(Piece::Spelled(run.get(begin..end).unwrap_or_default(), of_pair));
        }
        let is_alone = c.len_utf8() == run.len();
        let weight = if is_alone { of_pair.max(of_one) } else { of_one };
        if weight > 0 && c != LONG_SOUND {
            take(Piece::Spelled(run.get(at..end).unwrap_or_default(), weight));
        }
    }
}
