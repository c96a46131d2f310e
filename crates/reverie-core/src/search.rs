//! Which memories speak of what somebody looks for?
//!
//! A plain search by words, for people who look through a character's memories: no model, no index. Upper and lower case, full
//! and half width, traditional, simplified and Japanese characters are the same. A word of the query is found in a memory's text as a
//! word, as the beginning of one (*hunt* in *hunting*), or, where a script writes no spaces, inside of a longer run; among its
//! keywords, topics and emotions; or in the names of those whom it is about. Words that few memories have count for more.

use std::collections::{BTreeSet, HashSet};

use crate::lore::fold::Folding;
use crate::memory::Held;
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

/// Those that match, the best first, of equals the newest.
pub fn search(query: &str, all: &[Searched<'_>]) -> Vec<Found> {
    let query = SPELLING.fold(query.trim());
    let terms = terms(&query);
    let strengths: Vec<Vec<f64>> = all.iter().map(|one| strengths(one, &terms)).collect();
    let mut weights = Vec::with_capacity(terms.len());
    for term in 0..terms.len() {
        let with_it = strengths.iter().filter(|of| of.get(term).is_some_and(|strength| *strength > 0.0));
        weights.push(2.0 - with_it.count() as f64 / all.len().max(1) as f64);
    }
    let mut found: Vec<Found> = Vec::new();
    for (place, of) in strengths.iter().enumerate() {
        let score: f64 = of.iter().zip(&weights).map(|(strength, weight)| strength * weight).sum();
        if score > 0.0 {
            found.push(Found { place, score });
        }
    }
    let newest = |place: usize| {
        let memory = all.get(place).map(|one| &one.held.memory);
        memory.map(|memory| (memory.tick, memory.wall_ms, memory.id))
    };
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| newest(b.place).cmp(&newest(a.place))));
    found
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

/// How well each term is found in a memory: 0 if not at all.
fn strengths(Searched { held, names }: &Searched<'_>, terms: &[String]) -> Vec<f64> {
    let text = SPELLING.fold(held.text());
    let memory = &held.memory;
    let labels = memory.keywords.iter().chain(&memory.topics).chain(&memory.emotions);
    let labels: Vec<String> = labels.map(|label| SPELLING.fold(label)).collect();
    let names: Vec<String> = names.iter().map(|name| SPELLING.fold(name)).collect();
    // Cutting a text into words is dear, and most texts hold no term at all.
    let in_words: HashSet<&str> = match terms.iter().any(|term| text.contains(term.as_str())) {
        true => words(&text).collect(),
        false => HashSet::new(),
    };
    let strength = |term: &String| {
        let in_text = match text.contains(term.as_str()) {
            true => in_text(term, &in_words),
            false => 0.0,
        };
        let is_label = labels.iter().any(|label| is_in_phrase(label, term));
        let is_name = names.iter().any(|name| is_in_phrase(name, term));
        in_text.max(if is_label { 1.0 } else { 0.0 }).max(if is_name { 0.5 } else { 0.0 })
            + if is_label && in_text > 0.0 { 0.5 } else { 0.0 }
    };
    terms.iter().map(strength).collect()
}

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
            summarised: false,
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
            .into_iter()
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
