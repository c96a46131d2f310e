//! Which memories speak of what somebody looks for?
//!
//! A plain search by words, for people who look through a character's memories: no model, no index. Upper and lower case, full
//! and half width, traditional, simplified and Japanese characters are the same. A word of the query is found in a memory's text as a
//! word, as the beginning of one (*hunt* in *hunting*), or, where a script writes no spaces, inside of a longer run; among its
//! keywords, topics and emotions; or in the names of those whom it is about. Words that few memories have count for more.

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap, HashSet};

use crate::lore::fold::Folding;
use crate::memory::Held;
use crate::time::Tick;
use crate::words::{keywords, words};

/// A memory that was found, by its place in the list that was searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub place: usize,
    /// Comparable within one search.
    pub score: f64,
}

const SPELLING: Folding = Folding { case: true, width: true, script: true };
/// A query is a few words; of more, the first count.
const TERMS: usize = 32;
/// Longer endings make another word.
const ENDING: usize = 3;
/// Shorter beginnings begin everything.
const BEGINNING: usize = 4;

/// A memory in which is searched.
#[derive(Debug, Clone, Copy)]
pub struct Searched<'s> {
    pub held: &'s Held,
    /// What those are called whom it is about.
    pub names: &'s [String],
}

/// Those that match, the best first, of equals the newest. They are found one after the other: whoever wants a few does not pay for
/// cutting all texts into words.
pub fn search<'s>(query: &str, all: &'s [Searched<'s>]) -> Matches<'s> {
    let terms = terms(&SPELLING.fold(query.trim()));
    let mut with_it = vec![0_usize; terms.len()];
    let mut held: Vec<(usize, Vec<f64>)> = Vec::new();
    for (place, one) in all.iter().enumerate() {
        let most = Spelled::of(one).strengths(&terms, |_| 1.0);
        if most.iter().all(|strength| *strength == 0.0) {
            continue;
        }
        let present = with_it.iter_mut().zip(&most).filter(|(_, strength)| **strength > 0.0);
        present.for_each(|(count, _)| *count += 1);
        held.push((place, most));
    }
    let weight = |count: &usize| 2.0 - *count as f64 / all.len().max(1) as f64;
    let weights: Vec<f64> = with_it.iter().map(weight).collect();
    let rank = |(place, most): (usize, Vec<f64>)| Rank::of(all, place, score(&most, &weights));
    let mut waiting: Vec<Rank> = held.into_iter().map(rank).collect();
    waiting.sort_unstable();
    Matches { all, terms, weights, waiting, found: BinaryHeap::new() }
}

/// What a search finds.
pub struct Matches<'s> {
    all: &'s [Searched<'s>],
    terms: Vec<String>,
    weights: Vec<f64>,
    /// By the best that each could be; the best last.
    waiting: Vec<Rank>,
    /// By what each is.
    found: BinaryHeap<Rank>,
}

impl Iterator for Matches<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        // Nothing that waits is better than it could be.
        while self.waiting.last().is_some_and(|could_be| self.found.peek().is_none_or(|best| best < could_be))
        {
            let Some(next) = self.waiting.pop() else { break };
            let Some(one) = self.all.get(next.place) else { continue };
            let spelled = Spelled::of(one);
            let in_words: HashSet<&str> = words(&spelled.text).collect();
            let strengths = spelled.strengths(&self.terms, |term| in_text(term, &in_words));
            let rank = Rank { score: score(&strengths, &self.weights), ..next };
            self.found.extend((rank.score > 0.0).then_some(rank));
        }
        self.found.pop().map(|best| Found { place: best.place, score: best.score })
    }
}

fn score(strengths: &[f64], weights: &[f64]) -> f64 {
    strengths.iter().zip(weights).map(|(strength, weight)| strength * weight).sum()
}

/// Greater is better; of equals the newer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    score: f64,
    newness: (Option<Tick>, i64, u64),
    place: usize,
}

impl Rank {
    fn of(all: &[Searched<'_>], place: usize, score: f64) -> Self {
        let memory = all.get(place).map(|one| &one.held.memory);
        let newness = memory.map(|memory| (memory.tick, memory.wall_ms, memory.id.get()));
        Self { score, newness: newness.unwrap_or_default(), place }
    }
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_newness = || self.newness.cmp(&other.newness).then_with(|| self.place.cmp(&other.place));
        self.score.total_cmp(&other.score).then_with(by_newness)
    }
}

/// The words of a query, each once: those that tell something, or all if none does.
fn terms(query: &str) -> Vec<String> {
    let telling: BTreeSet<String> = keywords([query], &[], TERMS).into_iter().collect();
    let tells = |word: &str| telling.contains(word) || word.chars().all(char::is_numeric);
    let some: Vec<&str> = words(query).filter(|word| tells(word)).collect();
    let all = if some.is_empty() { runs(query) } else { some };
    let mut terms: Vec<String> = Vec::new();
    for word in all {
        if !terms.iter().any(|term| term == word) && terms.len() < TERMS {
            terms.push(word.to_owned());
        }
    }
    terms
}

/// Words, but single characters that stand together are one: the dictionary does not know it.
fn runs(query: &str) -> Vec<&str> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    let mut ends_single = false;
    for word in words(query) {
        let from = word.as_ptr() as usize - query.as_ptr() as usize;
        let is_single = word.chars().nth(1).is_none() && word.chars().all(is_unspaced_char);
        match runs.last_mut() {
            Some(run) if ends_single && is_single && run.end == from => run.end += word.len(),
            _ => runs.push(from..from + word.len()),
        }
        ends_single = is_single;
    }
    runs.into_iter().filter_map(|run| query.get(run)).collect()
}

/// A memory as it is compared.
struct Spelled {
    text: String,
    labels: Vec<String>,
    names: Vec<String>,
}

impl Spelled {
    fn of(Searched { held, names }: &Searched<'_>) -> Self {
        let fold =
            |words: &[String]| -> Vec<String> { words.iter().map(|word| SPELLING.fold(word)).collect() };
        let memory = &held.memory;
        let labels = [&memory.keywords, &memory.topics, &memory.emotions];
        Self {
            text: SPELLING.fold(held.text()),
            labels: labels.into_iter().flat_map(|labels| fold(labels)).collect(),
            names: fold(names),
        }
    }

    /// How well each term is found: 0 if not at all. `in_text` says how well one that the text holds.
    fn strengths(&self, terms: &[String], in_text: impl Fn(&str) -> f64) -> Vec<f64> {
        let strength = |term: &String| {
            let in_text = if self.text.contains(term.as_str()) { in_text(term) } else { 0.0 };
            let is_label = self.labels.iter().any(|label| is_in_phrase(label, term));
            let is_name = self.names.iter().any(|name| is_in_phrase(name, term));
            in_text.max(if is_label { 1.0 } else { 0.0 }).max(if is_name { 0.5 } else { 0.0 })
                + if is_label && in_text > 0.0 { 0.5 } else { 0.0 }
        };
        terms.iter().map(strength).collect()
    }
}

/// How well a term is found among words, in whose text it stands somehow.
fn in_text(term: &str, in_words: &HashSet<&str>) -> f64 {
    if in_words.contains(term) {
        return 1.0;
    }
    if is_unspaced(term) {
        return 0.75;
    }
    let letters = term.chars().count();
    let begins =
        |word: &&&str| word.strip_prefix(term).is_some_and(|ending| ending.chars().count() <= ENDING);
    if letters >= BEGINNING && in_words.iter().any(|word| begins(&word)) { 0.5 } else { 0.0 }
}

/// Names and keywords may have several words.
fn is_in_phrase(phrase: &str, term: &str) -> bool {
    phrase == term
        || (is_unspaced(term) && phrase.contains(term))
        || phrase.split(|c: char| !c.is_alphanumeric()).any(|word| word == term)
}

/// Whether a word begins in a script without spaces, and says something by itself: one kana is in every text.
fn is_unspaced(term: &str) -> bool {
    let mut chars = term.chars();
    match (chars.next(), chars.next()) {
        (Some('\u{3040}'..='\u{30FF}'), None) => false,
        (Some(first), _) => is_unspaced_char(first),
        _ => false,
    }
}

fn is_unspaced_char(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::{Searched, search};
    use crate::id::{CharacterId, MemoryId};
    use crate::memory::{Held, Kind, Layer, Memory, Origin, State};

    fn held(number: u64, text: &str, keywords: &[&str], about: &[&str]) -> Held {
        let id = |text: &str| CharacterId::new(text).unwrap();
        let memory = Memory {
            id: MemoryId::new(number).unwrap(),
            kind: Kind::Episodic,
            origin: Origin::Round,
            text: text.to_owned(),
            sources: Vec::new(),
            from: Vec::new(),
            about: about.iter().map(|one| id(one)).collect(),
            importance: 0.6,
            keywords: keywords.iter().map(|word| (*word).to_owned()).collect(),
            topics: Vec::new(),
            emotions: Vec::new(),
            tick: Some(number as i64),
            model: None,
            wall_ms: 0,
            revision: 1,
        };
        Held {
            memory,
            holder: id("a"),
            state: State::new(Some(Layer::Active), None),
            version: 0,
            live: true,
            summarised: None,
            superseded: None,
            refreshed: None,
        }
    }

    /// The numbers of the memories that a query finds, the best first.
    fn found(query: &str) -> Vec<u64> {
        let held = [
            held(1, "张三: \"明天我们去北山打猎吧。\"", &["北山", "打猎"], &["张三", "李四"]),
            held(2, "李四: \"我不会打猎，我去钓鱼。\"", &["打猎", "钓鱼"], &["李四"]),
            held(3, "張三答應把獵刀借給李四。", &[], &["zhang"]),
            held(4, "We went hunting by the old lighthouse, and Mary lost her ring.", &["ring"], &["mary"]),
            held(5, "Mary hunts for her ring in the harbour.", &["ring", "harbour"], &["mary"]),
            held(6, "明日、灯台でドラゴンの話をする約束をした。", &["灯台", "ドラゴン"], &["健"]),
            held(7, "健さんは猫が好きだ。", &["猫"], &["健"]),
            held(8, "The ＤＲＡＧＯＮ sleeps. Room 42.", &[], &[]),
        ];
        let name_of = |id: &CharacterId| match id.as_str() {
            "zhang" => "张三".to_owned(),
            other => other.to_owned(),
        };
        let names: Vec<Vec<String>> =
            held.iter().map(|held| held.memory.about.iter().map(name_of).collect()).collect();
        let all: Vec<Searched<'_>> =
            held.iter().zip(&names).map(|(held, names)| Searched { held, names }).collect();
        search(query, &all)
            .filter_map(|found| held.get(found.place))
            .map(|held| held.memory.id.get())
            .collect()
    }

    #[test]
    fn words_are_found_in_chinese_japanese_and_english() {
        for (query, expected) in [
            ("打猎", &[2, 1][..]),
            ("北山打猎", &[1, 2]),
            ("谁会钓鱼？", &[2]),
            // Traditional and simplified, the name of one whom it is about.
            ("张三答应", &[3, 1]),
            ("獵刀", &[3]),
            ("ring", &[5, 4]),
            ("RING harbour", &[5, 4]),
            ("hunt", &[5, 4]),
            ("the", &[8, 5, 4]),
            ("灯台", &[6]),
            ("ﾄﾞﾗｺﾞﾝ", &[6]),
            ("猫が好き", &[7]),
            ("dragon", &[8]),
            ("42", &[8]),
            ("rin", &[]),
            ("？！", &[]),
            ("", &[]),
        ] {
            assert_eq!(found(query), expected, "{query}");
        }
    }
}
