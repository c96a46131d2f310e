//! What of a memory is told that is too long to be told whole?
//!
//! The sentences that are nearest to what is being said, with what stands around them, in their order and behind the names of
//! those who said them. Where no words are in common, its beginning.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::digest::{is_heading, speech};
use crate::mind::{Said, Term, each_term};
use crate::words::{sentences, words};

/// Stands for what is left out.
const GAP: &str = "…";
/// What tells who spoke, or who was there, takes at most this part of an excerpt.
const FRAME: usize = 3;

/// What is being said, as terms: how much each of them says.
pub(super) struct Wanted {
    terms: HashMap<Term, f32>,
}

impl Wanted {
    pub(super) fn of(said: &Said) -> Self {
        let mut terms: HashMap<Term, f32> = HashMap::new();
        for (text, weight) in &said.parts {
            each_term(text, |term, tells| {
                let known = terms.entry(term).or_default();
                *known = known.max(weight * tells);
            });
        }
        Self { terms }
    }

    /// How much of it a text has; each term counts once.
    fn found_in(&self, text: &str) -> f32 {
        let mut found: Vec<(Term, f32)> = Vec::new();
        each_term(text, |term, _| found.extend(self.terms.get(&term).map(|weight| (term, *weight))));
        found.sort_by_key(|(term, _)| *term);
        found.dedup_by_key(|(term, _)| *term);
        found.into_iter().map(|(_, weight)| weight).sum()
    }
}

/// At most so many characters of a text; all of it if it is not longer. None: that is too few for any of its words.
pub(super) fn excerpt<'t>(text: &'t str, wanted: &Wanted, most: usize) -> Option<Cow<'t, str>> {
    if chars(text) <= most {
        return Some(Cow::Borrowed(text));
    }
    let (heading, rest) = match text.split_once('\n') {
        Some((first, rest)) if is_heading(first) && !rest.trim().is_empty() => (first, rest),
        _ => ("", text),
    };
    let heading = if chars(heading) <= most / FRAME { heading } else { "" };
    // Whatever is left out behind all that is told has a line of its own too.
    let room = most.saturating_sub(chars(heading) + chars(GAP) + 1);
    let pieces = pieces(rest, room);
    let is_told = chosen(&pieces, wanted, room);
    is_told.contains(&true).then(|| Cow::Owned(write(heading, &pieces, &is_told)))
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A part of what somebody said that is told or left out.
struct Piece<'t> {
    text: &'t str,
    /// Which speech it belongs to.
    speech: usize,
    /// `张三: "` and `"`, around whatever is told of the speech.
    opening: &'t str,
    closing: &'t str,
}

impl Piece<'_> {
    /// What it adds at most: a mark for what is left out behind it, and if it is the first of its speech, what stands around that.
    fn chars(&self, is_first: bool) -> usize {
        chars(self.text) + chars(GAP) + if is_first { frame(self.opening, self.closing) } else { 0 }
    }
}

/// Around what is told of a speech: who said it, and marks for what is left out before it, in the speech and as a line of its own.
fn frame(opening: &str, closing: &str) -> usize {
    let line = 1;
    chars(opening) + chars(closing) + chars(GAP) + line + chars(GAP) + line
}

fn pieces(text: &str, room: usize) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for (number, (opening, words)) in speeches(text).into_iter().enumerate() {
        let ended = if opening.is_empty() { None } else { words.strip_suffix('"') };
        let (words, closing) = ended.map_or((words, ""), |words| (words, "\""));
        let opening = if chars(opening) <= room / FRAME { opening } else { "" };
        let closing = if opening.is_empty() { "" } else { closing };
        let piece = |text| Piece { text, speech: number, opening, closing };
        let most = room.saturating_sub(frame(opening, closing) + chars(GAP));
        pieces.extend(sentences(words).into_iter().flat_map(|text| broken(text, most)).map(piece));
    }
    pieces
}

/// What each said, behind what tells who it was. A line that names nobody belongs to the speech before it.
fn speeches(text: &str) -> Vec<(&str, &str)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((opening, _)) = speech(line) {
            found.push((at, at + opening.len()));
        }
        at += line.len();
    }
    if found.first().is_none_or(|(begin, _)| *begin > 0) {
        found.insert(0, (0, 0));
    }
    let ends = found.iter().skip(1).map(|(begin, _)| *begin).chain([text.len()]);
    let speeches = found.iter().zip(ends).filter_map(|((begin, words), end)| {
        Some((text.get(*begin..*words)?, text.get(*words..end)?.trim_end()))
    });
    speeches.collect()
}

/// A sentence that is too long is broken between words, and a word that is too long wherever it must be.
fn broken(sentence: &str, most: usize) -> Vec<&str> {
    let most = most.max(1);
    if chars(sentence) <= most {
        return vec![sentence];
    }
    let mut ends: Vec<usize> = Vec::new();
    let mut behind = 0;
    for word in words(sentence) {
        let Some(at) = sentence.get(behind..).and_then(|rest| rest.find(word)) else { break };
        ends.push(behind + at);
        behind += at + word.len();
    }
    let mut parts = Vec::new();
    let mut begin = 0;
    while let Some(rest) = sentence.get(begin..).filter(|rest| !rest.is_empty()) {
        let last = rest.char_indices().nth(most).map_or(rest.len(), |(at, _)| at);
        let fitting = ends.iter().copied().filter(|end| *end > begin && *end <= begin + last).max();
        let end = if last == rest.len() { sentence.len() } else { fitting.unwrap_or(begin + last) };
        parts.extend(sentence.get(begin..end));
        begin = end;
    }
    parts
}

/// Places of the pieces that are told: those that have the most of what is wanted, then what stands around them.
fn chosen(pieces: &[Piece<'_>], wanted: &Wanted, room: usize) -> Vec<bool> {
    let found: Vec<f32> = pieces.iter().map(|piece| wanted.found_in(piece.text)).collect();
    let score = |place: &usize| found.get(*place).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    let best =
        order.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a))).unwrap_or_default();
    order.sort_by(|a, b| {
        let around = |place: &usize| (place.abs_diff(best), *place);
        score(b).total_cmp(&score(a)).then(around(a).cmp(&around(b)))
    });
    let mut is_told = vec![false; pieces.len()];
    let mut left = room;
    for place in order {
        let Some(piece) = pieces.get(place) else { continue };
        let told = pieces.iter().zip(&is_told).filter(|(_, is_told)| **is_told);
        let is_first = !told.into_iter().any(|(other, _)| other.speech == piece.speech);
        let cost = piece.chars(is_first);
        if cost <= left {
            left -= cost;
            is_told.iter_mut().skip(place).take(1).for_each(|told| *told = true);
        }
    }
    is_told
}

fn write(heading: &str, pieces: &[Piece<'_>], is_told: &[bool]) -> String {
    let mut lines: Vec<String> = if heading.is_empty() { Vec::new() } else { vec![heading.to_owned()] };
    let mut told = is_told.iter().copied();
    let mut is_gap = false;
    for speech in pieces.chunk_by(|one, next| one.speech == next.speech) {
        let told: Vec<bool> = told.by_ref().take(speech.len()).collect();
        if !told.contains(&true) {
            is_gap = true;
            continue;
        }
        lines.extend(is_gap.then(|| GAP.to_owned()));
        lines.push(write_speech(speech, &told));
        is_gap = false;
    }
    lines.extend(is_gap.then(|| GAP.to_owned()));
    lines.join("\n")
}

fn write_speech(speech: &[Piece<'_>], is_told: &[bool]) -> String {
    let first = speech.first();
    let mut written = first.map(|piece| piece.opening).unwrap_or_default().to_owned();
    let mut is_gap = false;
    for (piece, is_told) in speech.iter().zip(is_told) {
        match (is_told, is_gap) {
            (true, true) => written.push_str(piece.text.trim_start()),
            (true, false) => written.push_str(piece.text),
            (false, true) => {}
            (false, false) => {
                written.truncate(written.trim_end().len());
                written.push_str(GAP);
            }
        }
        is_gap = !is_told;
    }
    written.truncate(written.trim_end().len());
    written.push_str(first.map(|piece| piece.closing).unwrap_or_default());
    written
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str, said: &str, most: usize) -> String {
        excerpt(text, &Wanted::of(&Said::of([said].into_iter())), most).unwrap_or_default().into_owned()
    }

    #[test]
    fn the_nearest_sentences_are_told_with_what_stands_around_them() {
        let teahouse = "[对话参与者：阿默、小夏]\n\
            阿默: \"今天海上起雾了。灯塔的灯坏了一盏。我得去镇上买灯芯。\"\n\
            小夏: \"那我陪你去。顺便去看看外婆。她昨天摔了一跤。医生说要躺一个月。\"\n\
            阿默: \"走吧。天黑前要回来。\"";
        let storm =
            "Ann: \"The storm came at noon. We lost the boat. Nobody was hurt. Father wept all night long.\"";
        for (text, said, most, expected) in [
            (teahouse, "外婆还好吗", 200, teahouse.to_owned()),
            (
                teahouse,
                "外婆还好吗",
                50,
                "[对话参与者：阿默、小夏]\n…\n小夏: \"那我陪你去。顺便去看看外婆。她昨天摔了一跤。…\"\n…"
                    .to_owned(),
            ),
            (
                teahouse,
                "灯芯",
                50,
                "[对话参与者：阿默、小夏]\n阿默: \"…灯塔的灯坏了一盏。我得去镇上买灯芯。\"\n…".to_owned(),
            ),
            // Nothing in common: its beginning.
            (
                teahouse,
                "xyz",
                50,
                "[对话参与者：阿默、小夏]\n阿默: \"今天海上起雾了。灯塔的灯坏了一盏。…\"\n…".to_owned(),
            ),
            (
                storm,
                "what about the boat?",
                60,
                "Ann: \"The storm came at noon. We lost the boat.…\"".to_owned(),
            ),
            (
                "きのう港で古い地図を見つけた。宝の場所が書いてある。誰にも言うな。",
                "地図",
                24,
                "きのう港で古い地図を見つけた。…".to_owned(),
            ),
        ] {
            assert_eq!(told(text, said, most), expected, "{said} {most}");
        }
    }

    #[test]
    fn a_mark_for_what_is_left_out_tells_nothing() {
        for text in ["她从小就怕黑。", "She has always been afraid of the dark.", "甲: \"她从小就怕黑。\""]
        {
            assert_eq!(told(text, "怕", 1), "");
            assert!(told(text, "怕", 12).contains(char::is_alphanumeric), "{text}");
        }
    }

    #[test]
    fn a_sentence_without_end_is_broken_between_words() {
        let long = "the lighthouse keeper counted every single wave ".repeat(20);
        let told = told(&long, "wave", 80);
        assert!(told.chars().count() <= 80, "{told}");
        assert!(
            told.split(['…', ' ', '\n'])
                .filter(|word| !word.is_empty())
                .all(|word| long.contains(&format!("{word} "))),
            "{told}"
        );
    }

    proptest! {
        #[test]
        fn an_excerpt_is_never_too_long_and_never_empty(
            text in "(\\[对话参与者：甲\\]\n)?((甲|Ann): \"[a-zA-Z。，！. 字符\n\"…]{0,90}\"\n?){0,5}[ -~。字]{1,60}",
            said in "[a-z字符 ]{0,12}",
            most in 24_usize..120,
        ) {
            let told = told(&text, &said, most);
            prop_assert!(told.chars().count() <= most.max(24), "{told}");
            prop_assert_eq!(told.trim().is_empty(), text.trim().is_empty());
        }
    }
}
