//! Which numbers does a text say, in digits or in words?
//!
//! Two texts say the same number however they write it: 350, 三百五十, 三百五, 3百50; 25 and twenty-five. What a line might mean is
//! counted generously; what a statement says, only where it surely counts something.

use std::collections::{HashMap, HashSet};

use super::words::{
    DOINGS, ENGLISH_NUMBERS, ENGLISH_ORDINALS, KANA_NUMBERS, MEASURES, NO_NUMBERS, each, numbered,
};
use crate::numerals::{end_of, is_numeral, values};

/// A number as it is written, and its value in thousandths.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Number {
    written: String,
    value: i128,
}

/// The first number of a statement that its lines do not say. What it says about time stands no longer in it.
pub(super) fn unsaid(statement: &str, lines: &str) -> Option<String> {
    let said: HashSet<i128> = possible(lines).into_iter().map(|number| number.value).collect();
    certain(statement).into_iter().find(|number| !said.contains(&number.value)).map(|number| number.written)
}

/// Whether a text may say a whole number in words.
pub(super) fn may_say(text: &str, whole: i64) -> bool {
    let value = i128::from(whole).saturating_mul(1000);
    written_in_letters(text, true).into_iter().any(|number| number.value == value)
}

/// The values of what surely is a number, in thousandths.
pub(in crate::digest) fn values_in(text: &str) -> Vec<i128> {
    certain(text).into_iter().map(|number| number.value).collect()
}

/// All that could be a number.
fn possible(text: &str) -> Vec<Number> {
    let mut found = written_in_digits(text, &|_, _| true);
    found.extend(written_in_letters(text, true));
    found.extend(words_in(text, KANA_NUMBERS));
    found
}

/// What is surely a number, and more than one: 一起 and 一个 count nothing.
fn certain(text: &str) -> Vec<Number> {
    let mut found = written_in_digits(text, &counts);
    found.extend(written_in_letters(text, false));
    found.extend(words_in(text, KANA_NUMBERS).filter(|number| number.written != "ふたり"));
    found
}

fn words_in<'a>(text: &'a str, list: &'static str) -> impl Iterator<Item = Number> + use<'a> {
    numbered(list).filter(move |(word, _)| text.contains(word)).map(|(word, value)| number(word, value))
}

fn number(written: &str, value: f64) -> Number {
    Number { written: written.to_owned(), value: (value * 1000.0).round() as i128 }
}

/// Whether a Chinese numeral, with what stands before and behind it, counts something.
fn counts(numeral: &str, around: (&str, &str)) -> bool {
    let (before, behind) = around;
    let is_short = numeral.chars().count() == 1;
    let is_idiom = each(NO_NUMBERS).any(|word| {
        word.match_indices(numeral).any(|(at, _)| {
            let (head, tail) =
                (word.get(..at).unwrap_or_default(), word.get(at + numeral.len()..).unwrap_or_default());
            before.ends_with(head) && behind.starts_with(tail)
        })
    });
    // 十分高兴 is very glad, 十分钟 ten minutes.
    let is_very = numeral == "十"
        && behind.starts_with('分')
        && !["分钟", "分鐘", "分之"].iter().any(|word| behind.starts_with(word));
    if is_idiom || is_very || matches!(numeral, "一" | "百" | "千" | "万" | "亿" | "億" | "零" | "〇")
    {
        return false;
    }
    // The two of them are whoever was spoken of.
    let is_both = matches!(numeral, "两" | "二" | "兩")
        && ["人", "个人", "個人", "者", "位"].iter().any(|word| behind.starts_with(word));
    !is_both && (!is_short || each(MEASURES).any(|word| behind.starts_with(word)))
}

/// Whether a numeral between two texts is one.
type IsOne<'a> = &'a dyn Fn(&str, (&str, &str)) -> bool;

/// Runs of digits, Chinese numerals and their units.
fn written_in_digits(text: &str, is_one: IsOne<'_>) -> Vec<Number> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = text.get(rest..).and_then(|text| text.find(is_numeral)).map(|at| rest + at) {
        let run = text.get(start..).unwrap_or_default();
        let end = start + end_of(run);
        let (written, before, behind) = (
            text.get(start..end).unwrap_or_default(),
            text.get(..start).unwrap_or_default(),
            text.get(end..).unwrap_or_default(),
        );
        rest = end;
        let has_digits = written.chars().any(|c| c.is_ascii_digit());
        if has_digits || is_one(written, (before, behind)) {
            found.extend(values(written).into_iter().map(|value| number(written, value)));
        }
    }
    found
}

/// English words for numbers: twenty-five, two hundred and six, a dozen. Ordinals may be meant by a line (the third of May).
fn written_in_letters(text: &str, generously: bool) -> Vec<Number> {
    let numbers: HashMap<&str, f64> = numbered(ENGLISH_NUMBERS).collect();
    let ordinals: HashMap<&str, f64> = numbered(ENGLISH_ORDINALS).filter(|_| generously).collect();
    let lower = text.to_lowercase();
    let tokens: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    let mut run: Vec<(&str, f64)> = Vec::new();
    let ends = tokens.iter().copied().chain([""]).enumerate();
    for (place, word) in ends {
        if let Some(value) = numbers.get(word) {
            run.push((word, *value));
            continue;
        }
        // Nineteen oh five.
        if word == "oh" && run.len() == 1 && run.iter().any(|(_, value)| (10.0..100.0).contains(value)) {
            run.push((word, 0.0));
            continue;
        }
        if word == "and" && run.last().is_some_and(|(_, value)| *value >= 100.0) {
            continue;
        }
        let does = each(DOINGS).any(|doing| doing == word);
        let is_both = run.len() == 1
            && run.first().is_some_and(|(_, value)| *value == 2.0)
            && (word == "of"
                || does
                    && place.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(|word| *word == "the"));
        if !run.is_empty() && (generously || !is_both) {
            let value = spoken(&run);
            let written = run.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
            found.extend((generously || value != 1.0).then(|| number(&written, value)));
        }
        let ordinal = ordinals.get(word);
        // The twenty-first.
        if let (Some((ten, tens)), Some(value)) = (run.last(), ordinal)
            && *tens >= 20.0
            && *value < 10.0
        {
            found.push(number(&format!("{ten} {word}"), tens + value));
        }
        run.clear();
        found.extend(ordinal.map(|value| number(word, *value)));
    }
    found
}

/// Whether an English word in lower case is, or is part of, a number.
pub(super) fn is_number_word(word: &str) -> bool {
    numbered(ENGLISH_NUMBERS).chain(numbered(ENGLISH_ORDINALS)).any(|(known, _)| known == word)
}

fn spoken(run: &[(&str, f64)]) -> f64 {
    if let Some(year) = year(run) {
        return year;
    }
    let (mut total, mut section) = (0.0, 0.0);
    for (word, value) in run {
        match *word {
            "hundred" | "dozen" => section = f64::max(section, 1.0) * value,
            "thousand" | "million" | "billion" => {
                total += f64::max(section, 1.0) * value;
                section = 0.0;
            }
            _ => section += value,
        }
    }
    total + section
}

/// Nineteen ninety two, twenty twenty-four, nineteen oh five: two numbers below a hundred, one behind the other; and one nine nine two.
fn year(run: &[(&str, f64)]) -> Option<f64> {
    let values: Vec<f64> = run.iter().map(|(_, value)| *value).collect();
    if values.len() > 2 && values.iter().all(|value| *value < 10.0) {
        return Some(values.iter().fold(0.0, |sum, digit| sum * 10.0 + digit));
    }
    if values.iter().any(|value| *value >= 100.0) {
        return None;
    }
    let mut parts: Vec<f64> = Vec::new();
    let mut may_go_on = false;
    for value in values {
        match parts.last_mut().filter(|_| may_go_on && value < 10.0) {
            Some(part) => *part += value,
            None => parts.push(value),
        }
        // Behind twenty one more may stand, behind nineteen and behind oh, which counts no tens, too.
        may_go_on = value >= 20.0 || value == 0.0;
    }
    match parts.as_slice() {
        [century, rest] if *century >= 10.0 => Some(century * 100.0 + rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{certain, possible};

    fn values(numbers: Vec<super::Number>) -> Vec<f64> {
        numbers.into_iter().map(|number| number.value as f64 / 1000.0).collect()
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (text, expected) in [
            ("三百", vec![300.0]),
            ("两千", vec![2000.0]),
            ("三百五", vec![350.0]),
            ("三百零五", vec![305.0]),
            ("一万二", vec![12_000.0]),
            ("3万5千", vec![35_000.0]),
            ("3.5万", vec![35_000.0]),
            ("1,000 and 2,50", vec![1000.0, 2.0, 50.0]),
            ("十二", vec![12.0]),
            ("二零二四年", vec![2024.0]),
            ("2024-05-02", vec![2024.0, 5.0, 2.0]),
            ("二億三千万円", vec![230_000_000.0]),
            ("twenty-five", vec![25.0]),
            ("three thousand two hundred and six", vec![3206.0]),
            ("half a dozen eggs", vec![12.0]),
            ("thirty-one", vec![31.0]),
            ("nineteen ninety two", vec![1992.0]),
            ("nineteen-ninety-two", vec![1992.0]),
            ("twenty twenty-four", vec![2024.0]),
            ("twenty twenty", vec![2020.0]),
            ("nineteen oh five", vec![1905.0]),
            ("eighteen hundred", vec![1800.0]),
            ("two thousand and six", vec![2006.0]),
            ("one nine nine two", vec![1992.0]),
            ("nine thousand nine hundred ninety-nine", vec![9999.0]),
            ("zero", vec![0.0]),
            ("the twenty-first", vec![20.0, 21.0, 1.0]),
            ("oh, fine", vec![]),
            ("一九九二年", vec![1992.0]),
            ("三十一", vec![31.0]),
            ("九千九百九十九", vec![9999.0]),
            ("みっつ", vec![3.0]),
            ("", vec![]),
        ] {
            assert_eq!(values(possible(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_counts_nothing_is_no_number() {
        for text in [
            "十分高兴",
            "一起去",
            "一个人",
            "万一下雨",
            "千万别去",
            "四处走走",
            "两人约好了",
            "二人は友達",
            "二度と会わない",
            "十分に休む",
            "one of them",
            "the two met",
            "for a second",
            "五彩的",
            "三心二意",
        ] {
            assert_eq!(certain(text), [], "{text}");
        }
        for (text, expected) in [
            ("三天", 3.0),
            ("两只猫", 2.0),
            ("十分钟", 10.0),
            ("二十岁", 20.0),
            ("三つ", 3.0),
            ("two cats", 2.0),
        ] {
            assert_eq!(values(certain(text)), [expected], "{text}");
        }
    }
}
