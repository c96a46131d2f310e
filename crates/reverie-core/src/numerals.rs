//! What does a run of digits and Chinese numerals mean?

use std::borrow::Cow;

pub(crate) fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || digit(c).is_some() || unit(c).is_some()
}

/// Where a number ends: 1,000 and 3.5 are one, 2024-05-02 and 3, 4 are several.
pub(crate) fn end_of(run: &str) -> usize {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let is_digit = |place: usize| chars.get(place).is_some_and(|(_, c)| c.is_ascii_digit());
    for (place, (at, c)) in chars.iter().enumerate() {
        let goes_on = match c {
            ',' => (1..4).all(|ahead| is_digit(place + ahead)) && !is_digit(place + 4),
            '.' => is_digit(place + 1),
            c => is_numeral(*c),
        };
        let after_digit = place > 0 && is_digit(place - 1);
        if !goes_on || (matches!(c, ',' | '.') && !after_digit) {
            return *at;
        }
    }
    run.len()
}

fn digit(c: char) -> Option<f64> {
    let place = match c {
        '〇' => 0,
        '两' | '兩' => 2,
        c => "零一二三四五六七八九".chars().position(|digit| digit == c)?,
    };
    Some(place as f64)
}

fn unit(c: char) -> Option<f64> {
    match c {
        '十' => Some(10.0),
        '百' => Some(100.0),
        '千' => Some(1000.0),
        '万' | '萬' => Some(10_000.0),
        '亿' | '億' => Some(100_000_000.0),
        _ => None,
    }
}

/// What it may mean: mostly one value.
pub(crate) fn values(written: &str) -> Vec<f64> {
    let bare: String = written.chars().filter(|c| *c != ',').collect();
    if let Ok(value) = bare.parse::<f64>() {
        return vec![value];
    }
    let digits: Option<Vec<f64>> = bare.chars().map(digit).collect();
    if let Some(digits) = digits {
        return match digits.as_slice() {
            // 三四个 are three or four.
            [one, next] if *next == *one + 1.0 && *one > 0.0 => vec![*one, *next, *one * 10.0 + *next],
            digits => vec![digits.iter().fold(0.0, |sum, digit| sum * 10.0 + digit)],
        };
    }
    vec![counted(&bare)]
}

/// A text with its Chinese numerals in digits: 二十把 and 20把 are one. What may mean several numbers (三四个), units alone (万一, 千万别)
/// and what is no one number (周三5点) stay as they are.
pub(crate) fn in_digits(text: &str) -> Cow<'_, str> {
    let is_in_words = |c: char| digit(c).is_some() || unit(c).is_some();
    if !text.contains(is_in_words) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_numeral) {
        let (before, from) = rest.split_at(at);
        let (run, behind) = from.split_at(end_of(from));
        written.push_str(before);
        match value_in_words(run) {
            Some(value) => written.push_str(&value.to_string()),
            None => written.push_str(run),
        }
        rest = behind;
    }
    written.push_str(rest);
    Cow::Owned(written)
}

/// The one whole number that a run means which is not all digits.
fn value_in_words(run: &str) -> Option<u64> {
    const MOST: f64 = 1e15;
    let in_words = run.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_one = !in_words.is_empty() && !in_words.contains(|c: char| c.is_ascii_digit());
    let first = run.chars().next()?;
    let begins = first.is_ascii_digit() || digit(first).is_some() || first == '十';
    match values(run).as_slice() {
        [value] if is_one && begins && value.fract() == 0.0 && (0.0..MOST).contains(value) => {
            Some(*value as u64)
        }
        _ => None,
    }
}

/// A numeral with units. 三百五 is 350, 三百零五 is 305.
fn counted(numeral: &str) -> f64 {
    let (mut total, mut section, mut last): (f64, f64, Option<f64>) = (0.0, 0.0, None);
    let (mut smallest, mut has_zero) = (1.0, false);
    let mut written = String::new();
    let read = |written: &mut String, last: &mut Option<f64>| {
        if let Ok(value) = std::mem::take(written).parse::<f64>() {
            *last = Some(value);
        }
    };
    for c in numeral.chars() {
        if c.is_ascii_digit() || c == '.' {
            written.push(c);
            continue;
        }
        read(&mut written, &mut last);
        if let Some(value) = digit(c) {
            has_zero |= value == 0.0;
            last = Some(value);
        } else if let Some(unit) = unit(c) {
            if unit >= 10_000.0 {
                total += (section + last.unwrap_or(if section == 0.0 { 1.0 } else { 0.0 })) * unit;
                section = 0.0;
            } else {
                section += last.unwrap_or(1.0) * unit;
            }
            (smallest, has_zero, last) = (unit, false, None);
        }
    }
    read(&mut written, &mut last);
    let is_short_for_more = smallest >= 100.0 && !has_zero && last.is_some_and(|last| last < 10.0);
    let end = last.unwrap_or(0.0) * if is_short_for_more { smallest / 10.0 } else { 1.0 };
    total + section + end
}

/// What one or two English words for a number below a hundred mean.
pub(crate) fn spoken_number(words: &[&str]) -> Option<i64> {
    const SMALL: [&str; 19] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let place = |list: &[&str], word: &str| list.iter().position(|known| *known == word).map(|at| at as i64);
    match words {
        [word] => place(&SMALL, word).map(|at| at + 1).or_else(|| place(&TENS, word).map(|at| (at + 2) * 10)),
        [tens, ones] => {
            let ones = place(&SMALL, ones).filter(|at| *at < 9)?;
            Some((place(&TENS, tens)? + 2) * 10 + ones + 1)
        }
        _ => None,
    }
}
