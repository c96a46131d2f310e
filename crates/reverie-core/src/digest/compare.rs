//! Do two memories about the same subject say the same, does one say more, or does it say something else in its place?
//!
//! Two texts are held against each other by what must not be confused (numbers, names, dates, denials) and by their other words, of
//! which some mean the same: to love and to like, 害怕 and 怕.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::evidence::{Stance, is_ordinary_word, numbers_in, phrases, words_in_letters};
use crate::memory::Kind;
use crate::mind::terms::SPELLING;
use crate::reconcile::is_alike;
use crate::time::{Language, Moment};
use crate::time_words::{dates, named};
use crate::words::{is_function_character, is_function_word, words};

/// What a new text is to a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    Same,
    /// It says all of it, and more.
    More,
    Less,
    /// Almost the same, but with another number, name or date, or with a no.
    Changed,
    /// They have little to do with each other.
    Other,
}

pub(crate) fn compare(kind: Kind, known: &str, new: &str) -> Compared {
    let (a, b) = (Facts::of(known), Facts::of(new));
    let (old_words, new_words) = (a.words_without(&b), b.words_without(&a));
    let is_denied = Stance::of(&a.text).differs_from(&Stance::of(&b.text));
    if is_alike(kind, &a.text, &b.text) {
        let is_named = |words: &[&String]| words.iter().any(|word| !is_ordinary_word(word));
        let is_changed = a.differs(&b) || is_denied || is_named(&old_words) && is_named(&new_words);
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        return match letters(&b.text).cmp(&letters(&a.text)) {
            _ if is_changed => Compared::Changed,
            Ordering::Greater => Compared::More,
            Ordering::Equal => Compared::Same,
            Ordering::Less => Compared::Less,
        };
    }
    // What happened is told twice only if it is told almost alike.
    if kind == Kind::Episodic {
        return Compared::Other;
    }
    if is_another_value(&a, &b, &old_words, &new_words, is_denied) {
        return Compared::Changed;
    }
    if is_denied || a.differs(&b) || a.words.len().min(b.words.len()) < FEWEST {
        return Compared::Other;
    }
    let is_whole = |mine: &[&String], facts: &Facts, other: &Facts| {
        mine.is_empty() && facts.times.is_subset(&other.times) && facts.numbers.is_subset(&other.numbers)
    };
    let speak_of_one = speaks_of_kin(&a.text) == speaks_of_kin(&b.text);
    match (is_whole(&old_words, &a, &b), is_whole(&new_words, &b, &a)) {
        _ if !speak_of_one => Compared::Other,
        (true, true) => Compared::Same,
        (true, false) => Compared::More,
        (false, true) => Compared::Less,
        (false, false) => Compared::Other,
    }
}

/// In texts that are less alike: all the same but for a no, for a number or a date, or for the one value that there can be.
fn is_another_value(a: &Facts, b: &Facts, old: &[&String], new: &[&String], is_denied: bool) -> bool {
    let shared = a.words.intersection(&b.words).count();
    let is_of_the_past = |facts: &Facts| phrases(PAST).any(|word| facts.text.contains(word));
    if is_of_the_past(a) != is_of_the_past(b) || speaks_of_kin(&a.text) != speaks_of_kin(&b.text) {
        return false;
    }
    // Likes and hates are a word each.
    let is_turned_round = is_denied && old.len() < 2 && new.len() < 2 && shared > 0;
    let is_moved = a.differs(b) && old.is_empty() && new.is_empty() && shared >= FEWEST;
    let is_swapped =
        old.len() == 1 && new.len() == 1 && !old.iter().chain(new).any(|word| is_ordinary_word(word));
    let is_one_valued = a.words.intersection(&b.words).any(|word| ONE_VALUED.contains(&word.as_str()));
    is_turned_round || is_moved || is_swapped && is_one_valued && !a.differs(b)
}

/// Of these there is one at a time: where somebody lives, what they are called, when they were born.
const ONE_VALUED: &[&str] =
    &["live", "birthday", "born", "name", "住", "生日", "名字", "出生", "诞生日", "名前", "岁"];
/// What was once so may have changed without being wrong.
const PAST: &str = "lived, used to, once , 曾, 以前, 过去, 当年, 昔, かつて, was born, 小时候, 子供の頃";

/// Mira's brother, 张三的弟弟, さくらの妹: somebody else is spoken of.
fn speaks_of_kin(text: &str) -> bool {
    phrases(KIN).any(|kin| ["'s ", "’s ", "的", "の"].iter().any(|of| text.contains(&format!("{of}{kin}"))))
}

/// Two words at least, so that not every mention of tea is one.
const FEWEST: usize = 2;

/// What a text says, ready to be compared.
struct Facts {
    /// Without dates in brackets.
    text: String,
    words: BTreeSet<String>,
    numbers: BTreeSet<i128>,
    times: BTreeSet<String>,
}

impl Facts {
    fn of(text: &str) -> Self {
        let (text, mut times) = without_stamps(text);
        let mut bare = text.clone();
        for word in named(&text, Moment::default(), None) {
            bare.replace_range(word.at.clone(), &" ".repeat(word.at.len()));
            let is_stamped = !word.meaning.is_fixed() && !word.meaning.comes_again() && !times.is_empty();
            let date = word.sure().and_then(|days| dates(days, Moment::default(), None, Language::En, "/"));
            if !is_stamped {
                times.insert(date.unwrap_or_else(|| format!("{:?}", word.meaning)));
            }
        }
        let numbers = numbers_in(&bare).into_iter().collect();
        Self { words: terms(&bare), text, numbers, times }
    }

    /// Whether each has a number or a time that the other one has not.
    fn differs(&self, other: &Self) -> bool {
        let numbers = !self.numbers.is_subset(&other.numbers) && !other.numbers.is_subset(&self.numbers);
        let times = !self.times.is_subset(&other.times) && !other.times.is_subset(&self.times);
        numbers || times
    }

    fn words_without(&self, other: &Self) -> Vec<&String> {
        let folded = SPELLING.fold(&other.text);
        self.words.iter().filter(|word| !other.words.contains(*word) && !is_in(word, &folded)).collect()
    }
}

/// Dictionaries cut words in different places.
fn is_in(word: &str, text: &str) -> bool {
    word.chars().all(|c| !c.is_ascii()) && text.contains(word)
}

/// Takes out the dates that digest put behind words for times, and gives them back.
fn without_stamps(text: &str) -> (String, BTreeSet<String>) {
    let mut rest = text;
    let mut bare = String::with_capacity(text.len());
    let mut stamps = BTreeSet::new();
    while let Some(at) = rest.find(['(', '（']) {
        let (before, from) = rest.split_at(at);
        let Some(end) = from.find([')', '）']) else { break };
        let inside: String = from.get(..end).unwrap_or_default().chars().skip(1).collect();
        let close = from.get(end..).and_then(|text| text.chars().next()).map_or(1, char::len_utf8);
        let is_fixed = named(&inside, Moment::default(), None)
            .first()
            .is_some_and(|word| word.at.start == 0 && !word.counts_from_then());
        let is_year = inside.len() == 4 && inside.parse::<u32>().is_ok();
        let is_date = is_fixed || is_year || inside.starts_with("said ") || inside.starts_with("说于");
        bare.push_str(before);
        match is_date {
            true => drop(stamps.insert(inside)),
            false => bare.push_str(from.get(..end + close).unwrap_or_default()),
        }
        rest = from.get(end + close..).unwrap_or_default();
    }
    bare.push_str(rest);
    (bare.replace(" .", "."), stamps)
}

/// What a text is about, each word in one form.
fn terms(text: &str) -> BTreeSet<String> {
    let folded = SPELLING.fold(text);
    let mut terms: BTreeSet<String> = words_in_letters(&folded)
        .into_iter()
        .filter(|word| !is_function_word(word) && !is_stress(word))
        .map(|word| one_form(&stem(&word)))
        .collect();
    let has_kana = folded.chars().any(|c| matches!(c, '\u{3041}'..='\u{309F}'));
    for word in words(&folded).filter(|word| word.chars().all(is_east_asian)) {
        let is_glue = word
            .chars()
            .all(|c| is_function_character(c) || is_hiragana(c) || !has_kana && STRESSING.contains(c));
        if is_glue || is_function_word(word) || is_stress(word) {
            continue;
        }
        // 怖い and 怖がる are one.
        let bare: String = word.chars().filter(|c| !has_kana || !is_hiragana(*c)).collect();
        terms.insert(one_form(&bare));
    }
    // The verb of a wish is all kana.
    if has_kana && ["たい", "つもり"].iter().any(|wish| folded.contains(wish)) {
        terms.insert(one_form("想"));
    }
    terms
}

fn stem(word: &str) -> String {
    match word.is_ascii() {
        true => waken_snowball::stem(waken_snowball::Algorithm::English, word).into_owned(),
        false => word.to_owned(),
    }
}

fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}')
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

fn is_stress(word: &str) -> bool {
    phrases(STRESS).any(|known| known == word)
}

/// They only stress what is said, or that it is so by now.
const STRESS: &str = "very, really, always, also, much, quite, so, too, just, still, deeply, truly, especially, lot, extremely, \
    非常, 特别, 十分, 一直, 总是, 经常, 极其, 尤其, 一般, 比较, 本当, 一番, 大変, 特, \
    now, nowadays, currently, presently, anymore, 现在, 如今, 目前, 眼下, 今, 今では";
const STRESSING: &str = "最很太真极好挺";

/// Words that mean the same, the first for all of them; English ones by their stems.
const ALIKE: &[&[&str]] = &[
    &["like", "love", "enjoy", "ador", "fond", "prefer", "favorit", "favourit"],
    &["hate", "dislik", "detest", "loath"],
    &["want", "wish", "hope", "plan", "intend", "aim", "would"],
    &["fear", "afraid", "scare", "terrifi", "frighten"],
    &["live", "resid", "dwell"],
    &["喜欢", "喜爱", "热爱", "爱", "爱好", "偏爱", "最喜欢", "好", "大好", "爱吃"],
    &["讨厌", "厌恶", "嫌", "大嫌"],
    &["想", "想要", "打算", "计划", "希望", "准备", "要", "愿望", "予定", "梦想", "梦"],
    &["怕", "害怕", "恐惧", "畏惧", "惧怕", "怖"],
    &["住", "居住", "住在", "暮"],
    &["会", "能", "能够", "擅长"],
];

fn one_form(word: &str) -> String {
    let group = ALIKE.iter().find(|group| group.contains(&word));
    group.and_then(|group| group.first()).map_or(word, |first| first).to_owned()
}

/// Whoever has one speaks of somebody else: Mira's brother likes tea.
const KIN: &str = "brother, sister, mother, father, parent, son, daughter, husband, wife, friend, boss, uncl, aunt, cousin, \
    teacher, neighbour, neighbor, child, grandmoth, grandfath, 弟弟, 哥哥, 姐姐, 妹妹, 妈妈, 爸爸, 母亲, 父亲, \
    父母, 爷爷, 奶奶, 外婆, 外公, 儿子, 女儿, 丈夫, 妻子, 老公, 老婆, 朋友, 同事, 同学, 老板, 邻居, 老师, 母, \
    父, 兄, 姉, 弟, 妹, 息子, 娘, 夫, 妻, 友人, 友达, 先生";
