//! Of whom does each clause of a line speak?

use super::pronouns::{is_address, is_subject_there, says_i, speaks_of_another, speaks_to_others};
use crate::digest::evidence::Said;
use crate::digest::evidence::words::phrases;
use crate::digest::language::{Tongue, tongue_of};
use crate::time_words::named;
use crate::words::{is_function_character, mentions};

/// Whom a clause may be said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Its speaker, who says I.
    Oneself,
    /// Its speaker, who says I, and then you: what is done to whom must not be turned round.
    OneselfAndListeners,
    /// Nobody is named. In Chinese and Japanese that is whoever speaks, unless something else stands there.
    Unnamed,
    /// Those who listen, somebody named, somebody else.
    Anybody,
}

pub(super) struct Clause<'a> {
    pub(super) words: &'a str,
    pub(super) speaker: Option<&'a str>,
    pub(super) of: Of,
}

impl Clause<'_> {
    /// Whether it may be said of somebody by that name.
    pub(super) fn reaches(&self, name: &str) -> bool {
        self.of == Of::Anybody || is_subject_there(self.words, name)
    }

    /// What follows the word for its speaker.
    pub(super) fn behind_i(&self) -> &str {
        says_i(self.words).and_then(|(_, end)| self.words.get(end..)).unwrap_or(self.words)
    }
}

/// The clauses of a line, without those that only call somebody.
pub(super) fn clauses<'a>(said: &Said<'a>, names: &[&str]) -> Vec<Clause<'a>> {
    let tongue = tongue_of([said.words]);
    let mut all: Vec<Clause<'a>> = Vec::new();
    let mut is_called = false;
    let mut before = None;
    for sentence in sentences(said.words) {
        let is_asked = sentence.ends_with(['？', '?']);
        let is_cried = sentence.ends_with(['！', '!']);
        let mut within = None;
        for words in parts(sentence).flat_map(|part| split_at_subjects(part, names)) {
            if is_address(words, names) {
                is_called = true;
                continue;
            }
            let stands_alone = Alone { tongue, is_called, is_asked, is_cried };
            let of = of(words, names).unwrap_or_else(|| stands_alone.of(words, within, before));
            // 李四和我打赌，赌注是一头牛: what follows may be of both.
            let is_of_more = names.iter().any(|name| is_subject_there(words, name));
            within = Some(if is_of_more { Of::Anybody } else { of });
            all.push(Clause { words, speaker: said.speaker, of });
        }
        before = within.or(before);
    }
    all
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['。', '！', '？', '!', '?', '.', '\n']).filter(|part| !is_blank(part))
}

/// What stands between commas.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let ends = ['，', '。', '！', '？', '；', '、', '：', ',', '.', '!', '?', ';', ':', '\n', '"', '“', '”'];
    text.split(ends).filter(|part| !is_blank(part))
}

fn is_blank(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// I bought a horse | and Bob sold a cow.
fn split_at_subjects<'a>(part: &'a str, names: &[&str]) -> Vec<&'a str> {
    const SUBJECTS: &str = "i, i'm, i've, i'll, i'd, you, he, she, they, we, it, my, your, his, her";
    let begins_anew = |rest: &str| {
        let lower = rest.trim_start().to_lowercase();
        let first = lower.split_whitespace().next().unwrap_or_default();
        let has_more = lower.split_whitespace().nth(1).is_some();
        let is_named = names.iter().any(|name| rest.trim_start().starts_with(name));
        has_more && (phrases(SUBJECTS).any(|word| word == first) || is_named && !is_address(rest, names))
    };
    split_at_words(part, |before, rest| begins_anew(rest) && !is_address(before, names))
}

/// Splits at "and", "but" and their like, where both sides allow it.
pub(super) fn split_at_words(part: &str, may_part: impl Fn(&str, &str) -> bool) -> Vec<&str> {
    const WORDS: &[&str] = &[" and ", " but ", " because ", " while ", " so "];
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut looked = 0;
    let next = |from: usize| {
        let rest = part.get(from..)?;
        WORDS.iter().filter_map(|word| Some((from + rest.find(word)?, word.len()))).min()
    };
    while let Some((at, length)) = next(looked) {
        let (before, behind) =
            (part.get(start..at).unwrap_or_default(), part.get(at + length..).unwrap_or_default());
        if may_part(before, behind) {
            pieces.push(before);
            start = at + length;
        }
        looked = at + length - 1;
    }
    pieces.extend(part.get(start..).filter(|rest| !is_blank(rest)));
    pieces
}

/// Of whom a clause speaks that says so.
fn of(clause: &str, names: &[&str]) -> Option<Of> {
    let own = says_i(clause);
    if let Some((at, _)) = own {
        let (before, behind) = clause.split_at_checked(at).unwrap_or((clause, ""));
        return Some(match (speaks_to_others(before), speaks_to_others(behind)) {
            (true, _) => Of::Anybody,
            (false, true) => Of::OneselfAndListeners,
            (false, false) => Of::Oneself,
        });
    }
    let is_of_others = speaks_to_others(clause)
        || speaks_of_another(clause)
        || names.iter().any(|name| mentions(clause, name));
    is_of_others.then_some(Of::Anybody)
}

/// What stands around a clause that names nobody.
#[derive(Clone, Copy)]
struct Alone {
    tongue: Tongue,
    /// Somebody was called before.
    is_called: bool,
    is_asked: bool,
    is_cried: bool,
}

impl Alone {
    /// `within` is the clause before it in its sentence, `before` that of the sentence before.
    fn of(self, clause: &str, within: Option<Of>, before: Option<Of>) -> Of {
        if let Some(of) = within.filter(|of| *of != Of::Unnamed) {
            return if of == Of::OneselfAndListeners { Of::Oneself } else { of };
        }
        if self.is_asked || self.tongue == Tongue::Alphabetic {
            return if !self.is_asked && begins_with_a_deed(clause) { Of::Unnamed } else { Of::Anybody };
        }
        if before == Some(Of::Anybody) || self.is_cried || is_wish_or_praise(clause, self.tongue) {
            return Of::Anybody;
        }
        let is_past = clause.contains(['了', '过']) || clause.ends_with('た');
        if self.is_called && !is_past { Of::Anybody } else { Of::Unnamed }
    }
}

/// Lost an arm in the war: I is left out.
fn begins_with_a_deed(clause: &str) -> bool {
    const DEEDS: &str = "bought, sold, lost, went, saw, met, found, got, had, made, took, gave, came, left, ate, drank, broke, \
        caught, fell, felt, fought, grew, heard, kept, knew, learnt, paid, ran, read, rode, slept, spent, stole, taught, \
        thought, won, wrote, been, am, love, hate";
    const BEFORE: &str = "and, then, just, also, yesterday, today, recently, once, never, already, finally";
    let lower = clause.to_lowercase();
    let first = lower.split_whitespace().find(|word| !phrases(BEFORE).any(|known| known == *word));
    first.is_some_and(|word| {
        phrases(DEEDS).any(|deed| deed == word) || word.len() > 4 && word.ends_with("ed") && word != "indeed"
    })
}

/// What is wished, ordered or praised is about those who listen.
fn is_wish_or_praise(clause: &str, tongue: Tongue) -> bool {
    const CHINESE_BEGIN: &str = "请, 快, 别, 去, 来, 给, 帮, 让, 把, 不要, 不许, 必须, 应该, 记得, 小心, 等, 看, 听, 要, 好好, 一定, \
        难怪, 原来, 果然, 真, 好, 太, 多";
    const CHINESE_END: &str = "吧, 吗, 呢, 么, 嘛, 啊, 呀";
    const JAPANESE_END: &str = "ください, 下さい, なさい, ましょう, よう, こう, おう, ろう, て, てね, てよ, ろ, か, かな, ね, よね, \
        でしょ, でしょう, だろう, れ, え, ちょうだい, ほしい, 欲しい, お願い, さすが";
    let clause = clause.trim();
    match tongue {
        Tongue::Chinese => {
            let is_over = clause.contains(['了', '过']);
            phrases(CHINESE_BEGIN).any(|word| clause.starts_with(word)) && !is_over
                || phrases(CHINESE_END).any(|word| clause.ends_with(word))
                || ["得真", "得好", "得很", "得不错", "真是", "太"].iter().any(|word| clause.contains(word))
        }
        _ => phrases(JAPANESE_END).any(|word| clause.ends_with(word)),
    }
}

/// Whether nothing stands here but words for times and such as hold sentences together.
pub(super) fn names_nothing(text: &str) -> bool {
    const GLUE: &str = "从小, 一直, 其实, 曾经, 已经, 刚刚, 刚才, 最近, 终于, 又, 也, 还, 就, 才, 都, 很, 最, 真, 总是, 经常, 然后, \
        所以, 因为, 但是, 不过, 而且, 实は, 実は, もう, まだ, また, とても, 最近, やっと, ずっと, よく, and, but, then, \
        also, yesterday, just, so, now, today";
    let mut rest = text.to_owned();
    for word in named(text, crate::time::Moment::default(), None) {
        rest.replace_range(word.at.clone(), &" ".repeat(word.at.len()));
    }
    let rest = phrases(GLUE).fold(rest, |rest, word| rest.replace(word, " "));
    rest.chars()
        .all(|c| !c.is_alphanumeric() || is_function_character(c) || matches!(c, '\u{3041}'..='\u{309F}'))
}
