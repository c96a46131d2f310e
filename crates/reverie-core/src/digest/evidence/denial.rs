//! Does a statement deny what its lines affirm, or affirm what they deny?
//!
//! Looked at are the words that a denial stands beside: "don't *like*", 不*喜欢*, *飲め*ない. If the lines only ever deny such a word and the
//! statement only affirms it, or the other way round, it says the opposite; so it does with "hates" for "likes". Where a sentence
//! has words that turn it round by themselves (quit, without, 戒, やめ), denies twice, or asks, nothing is concluded.

use waken_snowball::{Algorithm, stem};

use super::words::{is_one_of, phrases};
use crate::words::words;

/// The word that is turned round.
pub(in crate::digest) fn turned_round(statement: &str, lines: &[&str]) -> Option<String> {
    Said::of([statement]).turns_round(&Said::of(lines.iter().copied()))
}

/// How many words of a text deny something, or turn a sentence round by themselves.
pub(in crate::digest) fn how_many(text: &str) -> usize {
    let text = without_no_denials(text);
    denials(&text)
        + text.matches("なかった").count()
        + phrases(TURNING).map(|word| text.matches(word).count()).sum::<usize>()
}

/// Words by whether they are denied; some may be either.
#[derive(Default)]
pub(super) struct Said {
    pub(super) affirmed: Vec<String>,
    pub(super) denied: Vec<String>,
}

impl Said {
    /// The word of these that those turn round.
    fn turns_round(&self, said: &Self) -> Option<String> {
        let only = |of: &[String], not: &[String], word: &String| of.contains(word) && !not.contains(word);
        let denied = self
            .affirmed
            .iter()
            .find(|word| only(&said.denied, &said.affirmed, word) && !self.denied.contains(word));
        let affirmed = self
            .denied
            .iter()
            .find(|word| only(&said.affirmed, &said.denied, word) && !self.affirmed.contains(word));
        denied
            .or(affirmed)
            .map(|word| word.trim_end_matches('〜').to_owned())
            .or_else(|| opposite(self, said))
    }

    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let ends = ['，', '。', '！', '；', ',', '.', '!', ';', '\n', '、'];
        let sentences = texts.into_iter().flat_map(|text| text.split_inclusive(['？', '?']));
        let mut said = Self::default();
        for clause in sentences.flat_map(|part| part.split(ends)) {
            said.add(Self::of_clause(clause));
        }
        said
    }

    fn of_clause(clause: &str) -> Self {
        let is_asked = clause.ends_with(['？', '?']);
        let clause = without_no_denials(clause);
        let mut said = Self::default();
        english(&clause, &mut said);
        chinese(&clause, &mut said);
        japanese(&clause, &mut said);
        let is_doubtful = phrases(TURNING).any(|word| clause.contains(word)) || denials(&clause) > 1;
        if is_asked || is_doubtful {
            let (affirmed, denied) = (said.affirmed.clone(), said.denied.clone());
            said.add(Self { affirmed: denied, denied: affirmed });
        }
        said
    }

    fn add(&mut self, other: Self) {
        self.affirmed.extend(other.affirmed);
        self.denied.extend(other.denied);
    }
}

/// In lower case, without words in which no is not no.
fn without_no_denials(text: &str) -> String {
    let text = text.to_lowercase().replace('’', "'");
    phrases(NO_DENIALS).fold(text, |text, word| text.replace(word, " "))
}

/// Words in which no is not no.
const NO_DENIALS: &str = "别人, 特别, 分别, 别的, 区别, 告别, 离别, 个别, 性别, 别墅, 未来, 未婚, 未必, 没落, 不知不觉, 不禁, 不仅, \
    不但, 不过, 不管, 不论, 不错, 不少, 不久, 不客气, 不好意思, 不同, 不断, 不得不, 不已, 差不多, 了不起, \
    对不起, 没事, 没关系, 没问题, 没想到, 要不要, 是不是, 有没有, 能不能, 会不会, 好不好, 行不行, 可不可以, \
    不停, 不如, 不安, 不满, 不幸, 要不, 不一会儿, 忍不住, 舍不得, 不由, 不小心, 不光, 不单, 莫不, 无非, 无论, \
    なければ, なくては, ないといけ, ないと, かもしれない, かもしれません, しかない, じゃない？, 少ない, 危ない, \
    つまらない, すみません, ごめん, 仕方ない, 仕方がない, ませんか, くだらない, もったいない, とんでもない, \
    に違いない, not only, no doubt, no problem, not bad, can't wait, cannot wait, why not, don't mind, \
    nothing but, no matter, not just, no wonder";

/// Words that turn a sentence round, or leave open what holds.
const TURNING: &str = "quit, stop, gave up, give up, without, fail, refus, avoid, forget, forgot, lack, unless, hardly, barely, \
    rarely, seldom, instead, rather than, used to, unable, until, if , only, except, 戒, 停止, 拒绝, 除非, \
    除了, 避免, 忘, 放弃, 如果, 要是, 假如, 只有, 只是, 直到, 否则, 几乎, やめ, 辞め, 忘れ, 以外, だけ, まで, \
    なら, たら, しか, ほとんど, めったに, 無法";

fn denials(clause: &str) -> usize {
    let east = clause.chars().filter(|c| matches!(c, '不' | '没' | '沒' | '未' | '别' | '無' | '无')).count();
    let west = tokens(clause).filter(|word| is_no(word)).count();
    east + west + clause.matches("ない").count() + clause.matches("ません").count()
}

fn tokens(clause: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    clause.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty())
}

fn is_no(word: &str) -> bool {
    word.ends_with("n't")
        || matches!(
            word,
            "not" | "no" | "never" | "cannot" | "nobody" | "nothing" | "neither" | "nor" | "cant" | "dont"
        )
}

/// They stand between a denial and what is denied.
const BETWEEN: &str = "really, even, actually, very, much, always, often, ever, to, be, been, a, an, the, any, that, so, too, \
    have, has, had, do, does, did, am, is, are, was, were, longer, more, anymore, going, being, get, got, able, \
    quite, at, all, my, her, his, their, our, your, yet, will, would, can, could, should, i, she, he, they, we, \
    it, one";

/// The first word behind a denial is denied. What follows in its sentence may be denied with it ("I don't like cats" and "not
/// cats"), or not ("I don't think that he likes it"), so it counts as both.
fn english(clause: &str, said: &mut Said) {
    // Whoever does not think so thinks that it is not so.
    const RAISING: &[&str] = &["think", "believ", "suppos", "expect", "feel", "seem"];
    let mut is_denied = false;
    let mut is_open = false;
    for word in tokens(clause) {
        if is_no(word) {
            (is_denied, is_open) = (true, false);
            continue;
        }
        if matches!(word, "but" | "and" | "because" | "so" | "while" | "although" | "though") {
            (is_denied, is_open) = (false, false);
        }
        if is_one_of(BETWEEN, word) || word.len() < 2 {
            continue;
        }
        let root = stem(Algorithm::English, word.trim_end_matches("'s")).into_owned();
        if is_denied && !RAISING.contains(&root.as_str()) {
            said.denied.push(root);
            (is_denied, is_open) = (false, true);
            continue;
        }
        is_open |= std::mem::take(&mut is_denied);
        if is_open {
            said.denied.push(root.clone());
        }
        said.affirmed.push(root);
    }
}

fn chinese(clause: &str, said: &mut Said) {
    if has_kana(clause) {
        return;
    }
    const NO: &str = "不是, 不太, 不会, 不能, 不想, 不敢, 不愿意, 不愿, 不要, 不再, 不怎么, 没有, 沒有, 从不, 从没, 从未, \
        并不, 不, 没, 沒, 未, 别, 无法";
    let mut open: Vec<String> = Vec::new();
    let mut rest = clause;
    while let Some(first) = rest.chars().next() {
        let no = phrases(NO).find(|no| rest.starts_with(*no));
        let Some(no) = no else {
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        };
        rest = rest.get(no.len()..).unwrap_or_default();
        let bare = rest.trim_start_matches(AUXILIARY);
        let bare = if bare.is_empty() { rest } else { bare };
        let mut behind = words(bare).filter(|word| is_ideographic(word)).map(str::to_owned);
        if bare.starts_with(|c| matches!(c, '\u{3400}'..='\u{9FFF}')) {
            said.denied.extend(behind.next());
        }
        open.extend(behind);
    }
    // What no denial stands right before is affirmed.
    for word in words(clause).filter(|word| is_ideographic(word)) {
        let is_denied = said.denied.iter().any(|denied| denied == word)
            && clause.match_indices(word).all(|(at, _)| is_behind_no(clause.get(..at).unwrap_or_default()));
        if !is_denied {
            said.affirmed.push(word.to_owned());
        }
    }
    said.denied.extend(open);
}

/// They stand between a denial and what is denied.
const AUXILIARY: &[char] = &[
    '再', '太', '很', '怎', '么', '过', '在', '被', '人', '了', '会', '能', '想', '敢', '要', '是', '有',
    '愿', '意',
];

fn has_kana(clause: &str) -> bool {
    clause.chars().any(|c| matches!(c, '\u{3041}'..='\u{309F}'))
}

fn is_behind_no(before: &str) -> bool {
    before.trim_end_matches(AUXILIARY).ends_with(['不', '没', '沒', '未', '别'])
}

fn is_ideographic(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '\u{3400}'..='\u{9FFF}'))
}

/// The verb or adjective before ない, ません and their kin, by its ideographs or first kana.
fn japanese(clause: &str, said: &mut Said) {
    const NO: &[&str] = &["なかった", "ません", "ない", "なく", "ねえ", "ずに"];
    if !has_kana(clause) {
        return;
    }
    for no in NO {
        for (at, _) in clause.match_indices(no) {
            let before = clause.get(..at).unwrap_or_default();
            let is_inside = NO.iter().any(|longer| {
                longer.len() > no.len()
                    && clause.get(..at + no.len()).is_some_and(|text| text.ends_with(longer))
            });
            if let Some(root) = root_before(before).filter(|_| !is_inside) {
                said.affirmed.retain(|word| *word != root);
                said.denied.push(root);
            }
        }
    }
    // 歩けず、…
    if let Some(root) = clause.trim_end().strip_suffix('ず').and_then(root_before) {
        said.denied.push(root);
    }
    let roots: Vec<String> = roots(clause);
    let affirmed = roots.into_iter().filter(|root| !said.denied.contains(root));
    let affirmed: Vec<String> = affirmed.collect();
    said.affirmed.extend(affirmed);
}

/// 好きじゃ → 好, 飲め → 飲: the last ideographs, with only kana behind them.
fn root_before(before: &str) -> Option<String> {
    let kana = before.chars().rev().take_while(|c| matches!(c, '\u{3041}'..='\u{309F}')).count();
    let rest: Vec<char> =
        before.chars().rev().skip(kana).take_while(|c| matches!(c, '\u{3400}'..='\u{9FFF}' | '々')).collect();
    (kana < 9 && !rest.is_empty()).then(|| rest.first().map(|c| root(*c))).flatten()
}

/// So that it is not taken for a Chinese word.
fn root(c: char) -> String {
    format!("{c}〜")
}

/// Ideographs with an ending in kana.
fn roots(clause: &str) -> Vec<String> {
    let chars: Vec<char> = clause.chars().collect();
    let pairs = chars.iter().zip(chars.iter().skip(1));
    pairs
        .filter(|(c, next)| matches!(c, '\u{3400}'..='\u{9FFF}') && matches!(next, '\u{3041}'..='\u{309F}'))
        .map(|(c, _)| root(*c))
        .collect()
}

/// What cannot both hold, in words as they are compared here.
pub(super) const OPPOSITES: &[(&[&str], &[&str])] = &[
    (&["like", "love", "enjoy", "ador"], &["hate", "dislik", "detest", "loath", "despis"]),
    (&["喜欢", "喜爱", "热爱", "喜歡"], &["讨厌", "厌恶", "憎恨", "討厭"]),
    (&["好〜"], &["嫌〜"]),
    (&["buy", "bought"], &["sell", "sold"]),
    (&["买"], &["卖"]),
    (&["win", "won"], &["lose", "lost"]),
    (&["赢"], &["输"]),
    (&["trust"], &["distrust", "mistrust"]),
    (&["信任", "相信"], &["怀疑"]),
    (&["擅长"], &["不擅长"]),
    (&["marri"], &["divorc"]),
    (&["结婚"], &["离婚", "分手"]),
    (&["答应", "同意"], &["拒绝"]),
    (&["agre", "accept"], &["refus", "declin", "reject"]),
];

/// A word of a statement whose opposite alone the lines say.
fn opposite(stated: &Said, said: &Said) -> Option<String> {
    let says =
        |said: &Said, all: &[&str]| said.affirmed.iter().find(|word| all.contains(&word.as_str())).cloned();
    let holds = |said: &Said, all: &[&str]| {
        says(said, all).is_some() || said.denied.iter().any(|word| all.contains(&word.as_str()))
    };
    OPPOSITES.iter().find_map(|(one, other)| {
        let turned = |a: &[&str], b: &[&str]| {
            says(stated, a).filter(|_| says(said, b).is_some() && !holds(said, a) && !holds(stated, b))
        };
        turned(one, other).or_else(|| turned(other, one))
    })
}
