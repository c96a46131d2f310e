//! What does the scene say of a fact, and does a condition on it hold?
//!
//! A fact with several values stands in the scene once for each of them. Numbers are compared as numbers, digit by digit, so
//! that long ids are not rounded until they are the same.

use super::entry::{Condition, Test};
use super::why::Present;

/// What the fact is; nothing: nobody says it.
pub(super) fn present(condition: &Condition, facts: &[(String, String)]) -> Present {
    Present::new(&values(condition, facts).collect::<Vec<_>>())
}

pub(super) fn holds(condition: &Condition, facts: &[(String, String)]) -> bool {
    let values = || values(condition, facts);
    let is_one_of = |wanted: &[String]| values().any(|value| wanted.iter().any(|one| is_same(one, value)));
    let is_set = || values().any(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false"));
    let mut numbers = values().filter_map(|value| value.parse::<f64>().ok());
    match &condition.test {
        Test::Is(wanted) => is_one_of(wanted),
        Test::IsNot(unwanted) => !is_one_of(unwanted),
        Test::Set => is_set(),
        Test::NotSet => !is_set(),
        Test::AtLeast(least) => numbers.any(|number| number >= *least),
        Test::AtMost(most) => numbers.any(|number| number <= *most),
        Test::Unreadable(_) => false,
    }
}

fn values<'f>(condition: &'f Condition, facts: &'f [(String, String)]) -> impl Iterator<Item = &'f str> {
    facts.iter().filter(|(fact, _)| *fact == condition.fact).map(|(_, value)| value.trim())
}

fn is_same(wanted: &str, value: &str) -> bool {
    let wanted = wanted.trim();
    wanted == value || decimal(wanted).is_some_and(|wanted| decimal(value) == Some(wanted))
}

/// A number as it could only be written in one way.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    /// Without zeros at either end.
    digits: String,
    /// Of the last digit, as a power of ten.
    exponent: i64,
}

/// Numbers as JSON writes them: 007 is a name.
fn decimal(text: &str) -> Option<Decimal> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let ends_in_point = mantissa.ends_with('.');
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || ends_in_point || is_padded || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let power: i64 = power.parse().ok()?;
    let all = format!("{whole}{fraction}");
    let kept = all.trim_end_matches('0');
    let digits = kept.trim_start_matches('0').to_owned();
    if digits.is_empty() {
        return Some(Decimal { is_negative: false, digits, exponent: 0 });
    }
    let shift = i64::try_from(all.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    Some(Decimal { is_negative, digits, exponent: power.checked_add(shift)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_the_scene() {
        let facts = [
            ("place", "酒馆"),
            ("quest", "true"),
            ("rank", "3"),
            ("war", "false"),
            ("guild", "thieves"),
            ("guild", "商会"),
            ("guild", "7"),
        ]
        .map(|(fact, value)| (fact.to_owned(), value.to_owned()));
        let is = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        for (fact, test, expected) in [
            ("place", Test::Is(is(&["港口", "酒馆"])), true),
            ("place", Test::Is(is(&["港口"])), false),
            ("nowhere", Test::Is(is(&["港口"])), false),
            ("place", Test::IsNot(is(&["港口"])), true),
            ("nowhere", Test::IsNot(is(&["港口"])), true),
            ("quest", Test::Set, true),
            ("war", Test::Set, false),
            ("war", Test::NotSet, true),
            ("rank", Test::AtLeast(3.0), true),
            ("rank", Test::AtMost(2.0), false),
            ("place", Test::AtLeast(0.0), false),
            ("rank", Test::Is(is(&["3.0"])), true),
            ("guild", Test::Is(is(&["商会"])), true),
            ("guild", Test::Is(is(&["mages"])), false),
            ("guild", Test::IsNot(is(&["商会"])), false),
            ("guild", Test::AtLeast(7.0), true),
            ("guild", Test::NotSet, false),
            ("place", Test::Unreadable("?".to_owned()), false),
        ] {
            let condition = Condition { fact: fact.to_owned(), test };
            assert_eq!(holds(&condition, &facts), expected, "{condition:?}");
        }
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        for (one, other, expected) in [
            ("3", "3.0", true),
            ("-0.0", "0", true),
            ("1e3", "1000", true),
            ("0.050", "5E-2", true),
            ("-3", "3", false),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993.0", "9007199254740993", true),
            ("007", "7", false),
            ("3.", "3", false),
            (".5", "0.5", false),
            ("٣", "3", false),
            ("1e9223372036854775807", "10e9223372036854775807", false),
            ("三", "三", true),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} and {other}");
        }
    }
}
