//! What in a Chinese text looks like somebody's name?

use super::names::Reading;
use super::words::{
    BEHIND_NAMES, CUES, DOUBLE_SURNAMES, FOREIGN, GIVEN_NAMES, NAMING, OTHER_SURNAMES, SOUND_FOREIGN,
    SURE_SURNAMES, TITLES, each,
};
use crate::words::words;

/// The first name that the lines do not give.
pub(super) fn invented(text: &str, reading: &Reading, ground: &str, known: &[String]) -> Option<String> {
    let words = Words::new(text);
    (0..reading.chars.len()).find_map(|place| {
        let found = named(reading, place, ground)
            .or_else(|| with_title(reading, place, ground, known))
            .or_else(|| with_surname(reading, &words, place))
            .or_else(|| familiar(reading, &words, place))
            .or_else(|| foreign(reading, place));
        found.filter(|name| !ground.contains(name.as_str()))
    })
}

/// Where words begin, and how long they are.
struct Words(Vec<usize>);

impl Words {
    fn new(text: &str) -> Self {
        let mut lengths = vec![0; text.chars().count()];
        let mut rest = text;
        let mut place = 0;
        for word in words(text) {
            let Some((before, behind)) = rest.split_once(word) else { break };
            place += before.chars().count();
            let length = word.chars().count();
            if let Some(slot) = lengths.get_mut(place) {
                *slot = length;
            }
            place += length;
            rest = behind;
        }
        Self(lengths)
    }

    /// A character that the dictionary makes part of no word.
    fn is_alone(&self, place: usize) -> bool {
        self.0.get(place) == Some(&1)
    }

    fn length(&self, place: usize) -> usize {
        self.0.get(place).copied().unwrap_or(0)
    }
}

fn is_han(c: Option<char>) -> bool {
    c.is_some_and(|c| matches!(c, '\u{3400}'..='\u{9FFF}'))
}

fn in_name(c: Option<char>) -> bool {
    is_han(c) && c.is_some_and(|c| !BEHIND_NAMES.contains(c))
}

/// Behind 名叫, 取名, 姓 and the like stands a name, whatever it looks like.
fn named(reading: &Reading, place: usize, ground: &str) -> Option<String> {
    let is_named = each(NAMING).any(|cue| reading.ends_with(place, cue));
    let is_family = reading.ends_with(place, "姓")
        && !reading.ends_with(place, "老百姓")
        && !reading.ends_with(place, "百姓");
    // 叫 alone may call somebody; 叫年糕的猫 has a name.
    let is_called =
        reading.ends_with(place, "叫") && (2..=4).any(|count| reading.at(place + count) == Some('的'));
    if !(is_named || is_family || is_called) {
        return None;
    }
    let most = if is_family { 2 } else { 4 };
    let length = (0..most).take_while(|ahead| in_name(reading.at(place + ahead))).count();
    let name = reading.text(place, length);
    let is_said = match is_family {
        true => ground.contains(&name) || reading.at(place).is_some_and(|c| ground.contains(c)),
        false => ground.contains(&reading.text(place, length.min(2))),
    };
    (length > 0 && !is_said).then_some(name)
}

/// 王医生, 欧阳老师.
fn with_title(reading: &Reading, place: usize, ground: &str, known: &[String]) -> Option<String> {
    let length = surname(reading, place, &[SURE_SURNAMES, OTHER_SURNAMES])?;
    let title = each(TITLES).find(|title| reading.begins_with(place + length, title))?;
    let family = reading.text(place, length);
    let is_theirs = ground.contains(&format!("姓{family}"))
        || ["小", "老"].iter().any(|before| ground.contains(&format!("{before}{family}")))
        || known.iter().any(|name| name.starts_with(&family));
    (reading.is_new(place, length) && !is_theirs).then(|| format!("{family}{title}"))
}

/// A family name and one or two characters that make no word with it.
fn with_surname(reading: &Reading, words: &Words, place: usize) -> Option<String> {
    let sure = surname(reading, place, &[SURE_SURNAMES]);
    let length = sure.or_else(|| surname(reading, place, &[OTHER_SURNAMES]))?;
    let is_counted = place
        .checked_sub(1)
        .and_then(|before| reading.at(before))
        .is_some_and(|c| "一二两三四五六七八九十几这那每半0123456789".contains(c));
    if (length == 1 && !words.is_alone(place)) || is_counted || !reading.is_new(place, length) {
        return None;
    }
    let given = given(reading, place + length)?;
    if sure.is_none() && !is_somebody(reading, place, place + length + given) {
        return None;
    }
    Some(reading.text(place, length + given))
}

/// 小李, 老陈, 阿强, 朵朵, and given names that are common.
fn familiar(reading: &Reading, words: &Words, place: usize) -> Option<String> {
    if let Some(name) = each(GIVEN_NAMES).find(|name| reading.begins_with(place, name)) {
        let length = name.chars().count();
        return (reading.is_new(place, length) && words.length(place) <= length).then(|| (*name).to_owned());
    }
    let is_before = matches!(reading.at(place), Some('小' | '老' | '阿'));
    let is_family = surname(reading, place + 1, &[SURE_SURNAMES]).is_some();
    let is_name = is_before && is_family && words.length(place) <= 2 && reading.is_new(place, 2);
    is_name.then(|| reading.text(place, 2))
}

/// 艾丽莎, 汤姆: characters that only sound.
fn foreign(reading: &Reading, place: usize) -> Option<String> {
    let is_foreign = |c: Option<char>| c.is_some_and(|c| FOREIGN.contains(c) || c == '·');
    let begins = place.checked_sub(1).is_none_or(|before| !is_foreign(reading.at(before)));
    let length = (place..).take_while(|at| is_foreign(reading.at(*at)) && reading.is_new(*at, 1)).count();
    let is_no_word = !each(SOUND_FOREIGN).any(|word| word == reading.text(place, length));
    (begins && length >= 2 && is_no_word).then(|| reading.text(place, length))
}

/// How many characters of a family name stand here.
fn surname(reading: &Reading, place: usize, lists: &[&str]) -> Option<usize> {
    if each(DOUBLE_SURNAMES).any(|name| reading.begins_with(place, name)) {
        return Some(2);
    }
    let c = reading.at(place)?;
    lists.iter().any(|list| list.contains(c)).then_some(1)
}

/// How many characters of a given name stand here: one or two, until something else begins.
fn given(reading: &Reading, place: usize) -> Option<usize> {
    let count = (0..2)
        .take_while(|ahead| in_name(reading.at(place + ahead)) && reading.is_new(place + ahead, 1))
        .count();
    (count > 0).then_some(count)
}

/// Whether what stands around tells that it is somebody: a word before it, or a deed behind it.
fn is_somebody(reading: &Reading, place: usize, end: usize) -> bool {
    let is_led_to = each(CUES).any(|cue| reading.ends_with(place, cue));
    let begins = place == 0 || reading.at(place - 1).is_some_and(|c| "，。！？；：\n".contains(c));
    let does = reading.at(end).is_some_and(|c| "是在有去来说想要会把被给对也很爱住和跟与教送买".contains(c));
    does && (is_led_to || begins)
        || is_led_to && reading.begins_with(end, "一起")
        || is_led_to && reading.begins_with(end, "结婚")
}
