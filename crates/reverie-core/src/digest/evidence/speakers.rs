//! Does a statement say of somebody what another one said of themselves?
//!
//! "I like hotpot" is about whoever says it. Where the words of a statement come from what one person says of themselves, its subject
//! is that person: a listener may be it only if they are named where nothing is said of oneself before, are spoken to ("you"), or
//! speak themselves. Questions and wishes that name no "I" are not judged, and neither are the sources of a whole day, in which several speak.

use super::words::phrases;
use super::{Evidence, Said, Telling};
use crate::words::{is_content_word, is_written_together, mentions, words};

pub(super) fn objection(text: &str, evidence: &Evidence<'_>) -> Option<String> {
    if evidence.telling == Telling::Days {
        return None;
    }
    let subject = subject(text, evidence)?;
    let supporting: Vec<&Said<'_>> = supporting(text, evidence, subject);
    let first = supporting.first()?;
    let speaker = first.speaker?;
    let is_by_one = supporting.iter().all(|said| said.speaker == Some(speaker));
    if !is_by_one || is_named_in(subject, speaker) || is_named_in(speaker, subject) {
        return None;
    }
    let is_about_oneself = supporting.iter().all(|said| {
        let clauses: Vec<&str> = clauses(said.words).collect();
        clauses.iter().any(|clause| says_i(clause).is_some())
            && !clauses.iter().any(|clause| speaks_to_others(clause) || is_subject_there(clause, subject))
    });
    let joins = joins_the_speaker(text, subject, speaker);
    (is_about_oneself && !joins)
        .then(|| format!("its lines do not say so of {subject}: {speaker} speaks of themselves"))
}

/// Who is named first, of those whom the world knows.
fn subject<'e>(text: &str, evidence: &'e Evidence<'_>) -> Option<&'e str> {
    let named = evidence.names.iter().chain(evidence.cast).filter(|name| mentions(text, name));
    // Of names that begin at one place the longest is meant.
    let place = |name: &&String| (text.find(name.as_str()).unwrap_or(usize::MAX), usize::MAX - name.len());
    named.min_by_key(place).map(String::as_str)
}

fn is_named_in(name: &str, other: &str) -> bool {
    mentions(other, name) || name == other
}

/// The lines from which the words of a statement come; none, where its subject says some of them.
fn supporting<'e>(text: &str, evidence: &'e Evidence<'_>, subject: &str) -> Vec<&'e Said<'e>> {
    let mut nameless = text.to_lowercase();
    for name in evidence.names.iter().chain(evidence.cast) {
        nameless = nameless.replace(&name.to_lowercase(), " ");
    }
    let content: Vec<&str> =
        words(&nameless).filter(|word| is_content_word(word) || is_single(word)).collect();
    let supports = |said: &&Said<'_>| {
        let lower = said.words.to_lowercase();
        content.iter().any(|word| lower.contains(stem(word)))
    };
    let all: Vec<&Said<'_>> = match evidence.said.as_slice() {
        [only] => vec![only],
        several => several.iter().filter(supports).collect(),
    };
    let is_their_own =
        all.iter().any(|said| said.speaker.is_some_and(|speaker| is_named_in(subject, speaker)));
    if is_their_own { Vec::new() } else { all }
}

/// One ideograph may be a word that counts: 茶, 猫.
fn is_single(word: &str) -> bool {
    word.chars().count() == 1
        && word
            .chars()
            .all(|c| matches!(c, '\u{3400}'..='\u{9FFF}') && !crate::words::is_function_character(c))
}

fn stem(word: &str) -> &str {
    super::stem(word)
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(['，', '。', '！', '？', '；', '、', ',', '.', '!', '?', ';', '\n'])
        .filter(|clause| !clause.trim().is_empty())
}

/// Where somebody speaks of themselves as the one who does or is something: the place of the word for it.
fn says_i(clause: &str) -> Option<usize> {
    const CHINESE: &[&str] = &["我", "俺", "咱", "本人", "老子", "本小姐", "本王"];
    const JAPANESE: &str = "私, 僕, 俺, わたし, あたし, ぼく, おれ, わし, 自分";
    let plural =
        |behind: &str| ["们", "們", "俩", "倆", "たち", "達", "ら"].iter().any(|end| behind.starts_with(end));
    let east = CHINESE.iter().copied().chain(phrases(JAPANESE)).filter_map(|word| {
        let (at, found) = clause.match_indices(word).next()?;
        let behind = clause.get(at + found.len()..).unwrap_or_default();
        (!plural(behind)).then_some(at)
    });
    let lower = clause.to_lowercase();
    let english =
        ["i", "i'm", "i’m", "i've", "i’ve", "i'll", "i’ll", "i'd", "i’d", "my", "me", "mine", "myself"];
    let west = english.iter().filter_map(|word| whole_word(&lower, word));
    east.chain(west).min()
}

fn whole_word(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_written_together(c));
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|text| text.chars().next());
        !is_letter(before) && !is_letter(behind)
    })
}

/// You, we, let us: others may be meant.
fn speaks_to_others(clause: &str) -> bool {
    const EAST: &str = "你, 您, 妳, 我们, 我們, 咱们, 咱們, 我俩, 大家, 一起, あなた, 君, きみ, お前, おまえ, 私たち, 僕たち, \
        俺たち, 私達, 僕達, 俺達, 一緒, 二人, みんな";
    const WEST: &str = "you, your, yours, we, us, our, let's, together, we're, we'll, we've, you're, you'll";
    let lower = clause.to_lowercase().replace('’', "'");
    phrases(EAST).any(|word| clause.contains(word))
        || phrases(WEST).any(|word| whole_word(&lower, word).is_some())
}

/// Whether somebody is named in a clause before its speaker speaks of themselves, or after "my" and "I think", so that it may be said of them.
fn is_subject_there(clause: &str, name: &str) -> bool {
    const OPINION: &str = "我觉得, 我认为, 我知道, 我听说, 我看见, 我看到, 我发现, 我猜, 我相信, 我希望, 我覺得, 我認為, 我聽說, \
        i think, i know, i heard, i believe, i saw, i guess, i hope, i bet, i found out, i noticed, と思, \
        って聞, らしい";
    /// Whoever comes next is spoken of.
    const OWNERS: &str = "我的, 我妈, 我爸, 我哥, 我姐, 我弟, 我妹, 我朋友, 我同学, 我同事, 我老公, 我老婆, 我女儿, 我儿子, 我家, \
        私の, 僕の, 俺の, my ";
    let Some(at) = clause.find(name).filter(|_| mentions(clause, name)) else { return false };
    let lower = clause.to_lowercase();
    let is_before = says_i(clause).is_none_or(|own| at < own);
    let before = clause.get(..at).unwrap_or_default();
    let behind = clause.get(at + name.len()..).unwrap_or_default();
    // I was saved by Tom, 我被李四救过, 太郎に助けられた: Tom saved somebody.
    let is_done_to_them = ["れた", "れま", "れて"].iter().any(|ending| behind.contains(ending));
    let does_it =
        before.ends_with("by ") || before.ends_with('被') || behind.starts_with('に') && is_done_to_them;
    let is_spoken_of = |word: &str| lower.find(word).is_some_and(|own| own < at || word.starts_with('と'));
    is_before || does_it || phrases(OPINION).chain(phrases(OWNERS)).any(is_spoken_of)
}

/// 李四和张三…, Tom and Mira…, or somebody to whom the speaker did it: 被, by.
fn joins_the_speaker(text: &str, subject: &str, speaker: &str) -> bool {
    if !mentions(text, speaker) {
        return false;
    }
    let behind =
        text.find(subject).and_then(|at| text.get(at + subject.len()..)).unwrap_or_default().trim_start();
    let with = ["和", "跟", "与", "與", "同", "、", "と", "and ", "&", ", "];
    let is_joined = with
        .iter()
        .any(|word| behind.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with(speaker)));
    let is_done_to =
        text.contains('被') || text.contains(" by ") || text.contains("られ") || text.contains("され");
    is_joined || is_done_to
}
