//! Does a statement speak of other days than its lines?
//!
//! A word for a time is borne out if a line says the same, or if both mean the same days: 下周五 and the date on which that Friday
//! falls. A coarser word is borne out by a finer one (tomorrow is in this week), never the other way round. The day on which a
//! line was said may be named where the statement tells that it was said, or where the line itself speaks of now.

use super::words::phrases;
use super::{Evidence, Telling};
use crate::time::{Calendar, Language, Moment};
use crate::time_words::{Days, Meaning, TimeWord, WhichYear, bare, date, day_of, named};
use crate::words::mentions;

/// What a statement says about time, held against its lines.
pub(in crate::digest) struct Times {
    /// In the order of the text.
    words: Vec<Held>,
    /// Dates of the world's own calendar that follow from the lines.
    stamps: Vec<String>,
}

/// A word for a time.
struct Held {
    word: TimeWord,
    /// None: no line says so. Otherwise the days that it means and the moment from which they count, where all lines that
    /// bear it out agree.
    borne_out: Option<Option<(Days, Moment)>>,
}

impl Times {
    pub(in crate::digest) fn new(text: &str, evidence: &Evidence<'_>) -> Self {
        let calendar = evidence.calendar;
        // 张三五天前 speaks of five days, not of thirty-five.
        let text = &masked(text, evidence.names.iter().chain(evidence.cast));
        let lines: Vec<(Moment, Vec<TimeWord>)> = evidence
            .said
            .iter()
            .map(|said| {
                let words = masked(said.words, evidence.names.iter().chain(evidence.cast));
                (said.moment, named(&words, said.moment, calendar))
            })
            .collect();
        // The same words are found whenever they are said; only their days differ.
        let mut readings: Vec<(Moment, Vec<TimeWord>)> = Vec::new();
        for (moment, _) in &lines {
            if !readings.iter().any(|(known, _)| known == moment) {
                readings.push((*moment, named(text, *moment, calendar)));
            }
        }
        let told_of_then = may_name_the_day(text, evidence);
        let count = readings.first().map_or(0, |(_, words)| words.len());
        let words = (0..count).filter_map(|place| {
            let readings: Vec<(Moment, &TimeWord)> =
                readings.iter().filter_map(|(moment, words)| Some((*moment, words.get(place)?))).collect();
            let word = readings.first().map(|(_, word)| (*word).clone())?;
            let borne_out = held(text, &readings, &lines, told_of_then, calendar)
                .or_else(|| is_year_in_words(&word, evidence).then_some(None));
            Some(Held { word, borne_out })
        });
        Self { words: words.collect(), stamps: stamps(&lines, told_of_then, calendar) }
    }

    /// The first word that no line bears out.
    pub(in crate::digest) fn unsaid<'t>(&self, text: &'t str) -> Option<&'t str> {
        let unsaid =
            self.words.iter().find(|held| held.borne_out.is_none() && !self.is_in_stamp(text, held))?;
        text.get(unsaid.word.at.clone())
    }

    fn is_in_stamp(&self, text: &str, held: &Held) -> bool {
        self.stamps.iter().any(|stamp| {
            text.match_indices(stamp.as_str())
                .any(|(at, found)| at <= held.word.at.start && held.word.at.end <= at + found.len())
        })
    }

    /// The text without what it says about time, so that its numbers are not asked for twice.
    pub(in crate::digest) fn without(&self, text: &str) -> String {
        let mut rest = text.to_owned();
        for held in &self.words {
            rest.replace_range(held.word.at.clone(), &" ".repeat(held.word.at.len()));
        }
        let stamps = self.stamps.iter().filter(|stamp| text.contains(stamp.as_str()));
        for (at, found) in stamps.flat_map(|stamp| text.match_indices(stamp.as_str())) {
            rest.replace_range(at..at + found.len(), &" ".repeat(found.len()));
        }
        rest
    }

    /// Words that count from the day on which they were said: each with its days, where they are sure, and that moment.
    pub(in crate::digest) fn to_date(&self) -> impl Iterator<Item = (&TimeWord, Option<(Days, Moment)>)> {
        self.words.iter().map(|held| (&held.word, held.borne_out.flatten()))
    }
}

fn held(
    text: &str,
    readings: &[(Moment, &TimeWord)],
    lines: &[(Moment, Vec<TimeWord>)],
    told_of_then: bool,
    calendar: Option<&Calendar>,
) -> Option<Option<(Days, Moment)>> {
    let mut all: Vec<(Option<Days>, Moment)> = Vec::new();
    for (moment, word) in readings {
        for (said, other) in lines.iter().flat_map(|(said, words)| words.iter().map(move |word| (said, word)))
        {
            if word.is_repeated && !other.is_repeated && !other.meaning.comes_again() {
                continue;
            }
            let meant = meant(word, other);
            // The same word means the same only on the same day.
            if word.meaning == other.meaning && (moment == said || word.meaning.is_fixed()) {
                all.push((word.sure(), *moment));
            } else if !meant.is_empty() {
                let only = meant.first().copied().filter(|_| meant.len() == 1);
                all.push((only, *moment));
            }
        }
        let is_then =
            day_of(*moment, calendar).is_some_and(|then| word.days.iter().any(|days| days.contains(then)));
        let names_a_day = !word.counts_from_then() || word.meaning == Meaning::Day(0);
        if is_then && names_a_day && !word.is_repeated && told_of_then {
            all.push((word.sure(), *moment));
        }
    }
    if let (true, Some((moment, word))) = (all.is_empty(), readings.last()) {
        let is_age = word.meaning.is_this_year() && is_before_an_age(text, word.at.end);
        return is_age.then(|| word.sure().map(|days| (days, *moment)));
    }
    let (first, moment) = *all.first()?;
    let all_agree = all.iter().all(|(days, _)| *days == first);
    Some(first.filter(|_| all_agree).map(|days| (days, moment)))
}

/// Nineteen ninety two: a year that a line writes in words.
fn is_year_in_words(word: &TimeWord, evidence: &Evidence<'_>) -> bool {
    let Meaning::Year(WhichYear::Number(year)) = word.meaning else { return false };
    evidence.said.iter().any(|said| super::numbers::may_say(said.words, year))
}

/// Those of the days of a word that another one names, or that lie around them.
fn meant(word: &TimeWord, other: &TimeWord) -> Vec<Days> {
    let is_named = |days: &&Days| {
        other.days.iter().any(|others| days.holds(*others))
            || other.counted.is_some_and(|day| **days == Days { first: day, last: day })
    };
    word.days.iter().filter(is_named).copied().collect()
}

/// With blanks in place of names, so that everything else stays where it is.
fn masked<'n>(text: &str, names: impl Iterator<Item = &'n String>) -> String {
    let mut masked = text.to_owned();
    for name in names.filter(|name| name.chars().nth(1).is_some()) {
        if mentions(&masked, name) {
            masked = masked.replace(name.as_str(), &" ".repeat(name.len()));
        }
    }
    masked
}

/// 今年25岁: how old somebody is, is so in the year in which it is said.
fn is_before_an_age(text: &str, end: usize) -> bool {
    let behind = text.get(end..).unwrap_or_default().trim_start_matches(['已', '经', '才', '刚', '满', ' ']);
    let number = behind.trim_start_matches(|c: char| c.is_ascii_digit() || crate::numerals::is_numeral(c));
    number.len() < behind.len() && number.starts_with(['岁', '歲', '歳'])
}

fn may_name_the_day(text: &str, evidence: &Evidence<'_>) -> bool {
    const TOLD: &str = "说, 說, 告诉, 告訴, 表示, 提到, 透露, 承认, 答应, 約束, 言った, 話した, 述べた, 伝えた, 語った, said, \
        told, mentioned, promised, admitted, explained, asked";
    const NOW: &str =
        "刚才, 剛才, 刚刚, 剛剛, 现在, 現在, 此刻, さっき, いま, たった今, just, right now, now";
    let lower = text.to_lowercase();
    evidence.telling == Telling::Days
        || phrases(TOLD).any(|word| lower.contains(word))
        || evidence.said.iter().any(|said| {
            let lower = said.words.to_lowercase();
            phrases(NOW).any(|word| match word.is_ascii() {
                true => mentions(&lower, word),
                false => lower.contains(word),
            })
        })
}

/// Dates as the world's own calendar writes them: with the hour, and without what follows the first comma.
fn stamps(lines: &[(Moment, Vec<TimeWord>)], told_of_then: bool, calendar: Option<&Calendar>) -> Vec<String> {
    let Some(own) = calendar.filter(|calendar| !calendar.is_gregorian()) else { return Vec::new() };
    let mut stamps = Vec::new();
    for (moment, words) in lines {
        let edges = words.iter().flat_map(|word| &word.days).flat_map(|days| [days.first, days.last]);
        for language in Language::ALL {
            stamps.extend(edges.clone().filter_map(|day| date(day, *moment, calendar, language)));
            stamps.extend(own.format(*moment, language).filter(|_| told_of_then).map(|stamp| bare(&stamp)));
        }
    }
    let days: Vec<String> =
        stamps.iter().filter_map(|stamp| Some(stamp.split_once([',', '，'])?.0.to_owned())).collect();
    stamps.extend(days);
    stamps.retain(|stamp| !stamp.is_empty());
    stamps
}
