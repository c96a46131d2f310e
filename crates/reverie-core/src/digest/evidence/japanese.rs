//! What in a Japanese text looks like somebody's name?

use super::names::Reading;
use super::words::{HONORIFICS, JAPANESE_SURNAMES, LOANWORDS, ROLES, each};

/// The first name that the lines do not give.
pub(super) fn invented(reading: &Reading, ground: &str) -> Option<String> {
    (0..reading.chars.len()).find_map(|place| {
        let found = addressed(reading, place)
            .or_else(|| family(reading, place))
            .or_else(|| called(reading, place))
            .or_else(|| in_katakana(reading, place));
        found.filter(|name| !ground.contains(name.as_str()))
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Katakana,
    Hiragana,
}

fn script(c: Option<char>) -> Option<Script> {
    match c? {
        '\u{30A0}'..='\u{30FF}' => Some(Script::Katakana),
        '\u{3041}'..='\u{309F}' => Some(Script::Hiragana),
        '\u{3400}'..='\u{9FFF}' | '々' => Some(Script::Han),
        _ => None,
    }
}

/// The characters of one script that end here.
fn run_before(reading: &Reading, end: usize, most: usize) -> Option<(usize, Script)> {
    let script_of = script(reading.at(end.checked_sub(1)?))?;
    let count =
        (0..most.min(end)).take_while(|back| script(reading.at(end - 1 - back)) == Some(script_of)).count();
    Some((count, script_of))
}

/// 田中さん, ひかりちゃん, ケン君.
fn addressed(reading: &Reading, place: usize) -> Option<String> {
    let honorific = each(HONORIFICS).find(|word| reading.begins_with(place, word))?;
    let (count, script) = run_before(reading, place, 6)?;
    // 君 and 様 are parts of other words.
    let is_in_a_word = matches!(honorific, "君" | "様") && (script == Script::Hiragana || count < 2);
    // Of kana before it nobody knows where they begin.
    let count = if script == Script::Hiragana { count.min(2) } else { count };
    let before = reading.text(place - count, count);
    let is_role = each(ROLES).any(|role| reading.ends_with(place, role));
    (!is_in_a_word && !is_role && count >= 1 && reading.is_new(place - count, count)).then_some(before)
}

fn family(reading: &Reading, place: usize) -> Option<String> {
    let name = each(JAPANESE_SURNAMES).find(|name| reading.begins_with(place, name))?;
    let length = name.chars().count();
    reading.is_new(place, length).then(|| (*name).to_owned())
}

/// リンという犬, ポチと名付けた, ポチと呼ばれる.
fn called(reading: &Reading, place: usize) -> Option<String> {
    let is_called = ["という", "っていう", "と名付け", "と名づけ", "と呼"]
        .iter()
        .any(|cue| reading.begins_with(place, cue));
    if !is_called {
        return None;
    }
    let (count, script) = run_before(reading, place, 8)?;
    let count = if script == Script::Hiragana { count.min(2) } else { count };
    let of_somebody = reading.begins_with(place, "と名")
        || reading.begins_with(place, "と呼")
        || (place + 3..place + 6)
            .any(|at| matches!(reading.at(at), Some('人' | '名' | '犬' | '猫' | '子' | '男' | '女' | '友')));
    (of_somebody && count >= 2 && reading.is_new(place - count, count))
        .then(|| reading.text(place - count, count))
}

/// A word in katakana that does something, or with whom something is done, and is no loanword.
fn in_katakana(reading: &Reading, place: usize) -> Option<String> {
    let is_kana = |at: usize| script(reading.at(at)) == Some(Script::Katakana);
    let begins_word = is_kana(place) && !place.checked_sub(1).is_some_and(is_kana);
    if !begins_word {
        return None;
    }
    let length = (place..).take_while(|at| is_kana(*at)).count();
    let end = place + length;
    let begins = place == 0 || reading.at(place - 1).is_some_and(|c| "。！？、\n".contains(c));
    let does = begins && ["は", "が", "も"].iter().any(|particle| reading.begins_with(end, particle));
    let is_met =
        ["と結婚", "と一緒", "と会", "と友", "と付き合", "に会", "に恋", "とデート", "と出会", "と約束"]
            .iter()
            .any(|cue| reading.begins_with(end, cue));
    let name = reading.text(place, length);
    let is_name = length >= 2 && (does || is_met) && !each(LOANWORDS).any(|word| word == name);
    (is_name && reading.is_new(place, length)).then_some(name)
}
