//! Dates in digits: 2024-05-03, 10/20.

use super::ideographs::Read;
use super::meaning::{Meaning, WhichMonth, WhichYear};
use super::scan::Text;

/// 2024-05-03, 2024/5/3, and 2024-05.
pub(super) fn iso(text: &Text, place: usize) -> Read {
    let digits = |at: usize, most: usize| {
        let digits: Vec<u32> = (at..at + most).map_while(|at| text.at(at)?.to_digit(10)).collect();
        (!digits.is_empty())
            .then(|| (digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(*digit)), at + digits.len()))
    };
    let is_digit = |at: usize| text.at(at).is_some_and(|c| c.is_ascii_digit());
    if text.before(place).is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.')) {
        return None;
    }
    let (year, end) = digits(place, 4).filter(|(_, end)| *end == place + 4)?;
    let joint = text.at(end).filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (month, end) = digits(end + 1, 2).filter(|(month, _)| (1..=12).contains(month))?;
    let month = WhichMonth::Named { month, year: WhichYear::Number(year) };
    let day = (text.at(end) == Some(joint)).then(|| digits(end + 1, 2)).flatten();
    match day {
        Some((day, end)) if (1..=31).contains(&day) && !is_digit(end) => {
            Some((Meaning::Date { month, day }, end))
        }
        // 2024.5 is a number, 2019-20 a span.
        _ if joint == '-' && !is_digit(end) && end == place + 7 => Some((Meaning::Month(month), end)),
        _ => None,
    }
}

/// On 10/20, 10/20那天: a month and a day that no month is, and only where something says that it is one; else it may be a score.
pub(super) fn slashed(text: &Text, place: usize) -> Read {
    const LED: &[&str] = &["on", "by", "since", "until", "till", "before", "after", "due"];
    const BEHIND: &[&str] = &["那天", "当天", "见", "出发", "晚上", "早上", "上午", "下午", "に"];
    const POINTS: &[&str] = &["point", "correct", "right", "mark", "of", "inch"];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '$');
    if text.before(place).is_some_and(is_part) {
        return None;
    }
    let (month, end) = text.number(place)?;
    let (day, end) = text.number(text.skip(end, "/")?)?;
    let is_sure = (1..=12).contains(&month) && (13..=31).contains(&day);
    if !is_sure || text.at(end).is_some_and(|c| is_part(c) && c != '.' || c == '%') {
        return None;
    }
    let behind = text.skip_any(end, &[" "]);
    let is_followed = BEHIND.iter().any(|word| text.skip(end, word).is_some());
    let is_led = text.before(place).is_some_and(|c| "在于".contains(c))
        || LED.contains(&word_before(text, place).as_str());
    let is_score = POINTS.iter().any(|word| text.skip(behind, word).is_some()) || text.at(end) == Some('分');
    let month = WhichMonth::Named { month, year: WhichYear::Any };
    (!is_score && (is_followed || is_led)).then_some((Meaning::Date { month, day }, end))
}

/// The English word that ends before a place, in lower case.
fn word_before(text: &Text, place: usize) -> String {
    const MOST: usize = 8;
    let back = (1..=MOST).map_while(|back| text.at(place.checked_sub(back)?));
    let letters: Vec<char> = back.skip_while(|c| *c == ' ').take_while(|c| c.is_ascii_alphabetic()).collect();
    letters.iter().rev().map(char::to_ascii_lowercase).collect()
}
