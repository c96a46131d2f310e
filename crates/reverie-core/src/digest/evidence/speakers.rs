//! Does a statement say of somebody what another one said of themselves?
//!
//! "I like hotpot" is about whoever says it, and so is what nobody is named in, in Chinese and Japanese. Each clause of a statement is
//! held against the clauses of the lines from which its words come: its subject must be the one who says them, or be spoken to
//! there ("you"), or be named where nothing is said of oneself before. Whoever is only called ("Bob, I am afraid") is not named
//! by that. Questions, wishes and praise that name no "I" are not judged.

mod clauses;
mod pronouns;

use std::collections::BTreeSet;

use super::strange::stemmed;
use super::words::phrases;
use super::{Evidence, REPORTING, Telling, names_that_open};
use crate::words::{is_content_word, mentions, words};
use clauses::{Clause, Of, clauses, names_nothing, parts, split_at_words};
use pronouns::{is_address, is_subject_there, says_i, speaks_of_another};

pub(super) fn objection(text: &str, evidence: &Evidence<'_>) -> Option<String> {
    // Somebody whom nobody knows may be told of as well: I told Carl that I am pregnant.
    let strangers = names_that_open(text).into_iter();
    let strangers: Vec<String> =
        strangers.filter(|name| evidence.said.iter().any(|said| mentions(said.words, name))).collect();
    let known = evidence.names.iter().chain(evidence.cast);
    let names: Vec<&str> = known.chain(&strangers).map(String::as_str).collect();
    let lines: Vec<Clause<'_>> = evidence.said.iter().flat_map(|said| clauses(said, &names)).collect();
    let told = told(text, &names, evidence.telling);
    told.iter().find_map(|told| {
        let (subject, speaker) = told.is_anothers(&lines, evidence, &names)?;
        Some(format!("its lines do not say so of {subject}: {speaker} speaks of themselves"))
    })
}

/// A clause of a statement, and of whom it tells.
struct Told<'t> {
    text: &'t str,
    subject: Option<&'t str>,
    /// Whether its subject stands in it, or before it.
    is_named: bool,
}

/// `张三买了马，卖了牛`: the second tells of whom the first does.
fn told<'t>(text: &'t str, names: &[&'t str], telling: Telling) -> Vec<Told<'t>> {
    let is_of_one =
        names.iter().collect::<BTreeSet<_>>().into_iter().filter(|name| mentions(text, name)).count() < 2;
    let both_say_something =
        |before: &str, behind: &str| !is_address(before, names) && !is_address(behind, names);
    let mut all: Vec<Told<'t>> = Vec::new();
    let mut subject = None;
    for text in parts(text).flat_map(|part| split_at_words(part, both_say_something)) {
        let named = first_named(text, names);
        let begins = named.filter(|(at, _)| names_nothing(text.get(..*at).unwrap_or_default()));
        let is_named = match (begins, all.is_empty()) {
            (Some((_, name)), _) => {
                subject = Some(name);
                true
            }
            (None, true) => {
                subject = named.map(|(_, name)| name);
                named.is_some()
            }
            (None, false) => false,
        };
        let is_unclear = !is_named && !is_of_one && (speaks_of_another(text) || telling == Telling::Days);
        all.push(Told { text, subject: subject.filter(|_| !is_unclear), is_named });
    }
    all
}

/// Who is named first, of those whom the world knows. Of names that begin at one place the longest is meant.
fn first_named<'t>(text: &str, names: &[&'t str]) -> Option<(usize, &'t str)> {
    let named = names.iter().filter(|name| mentions(text, name));
    named
        .filter_map(|name| Some((text.find(*name)?, *name)))
        .min_by_key(|(at, name)| (*at, usize::MAX - name.len()))
}

fn is_one(name: &str, other: &str) -> bool {
    mentions(other, name) || mentions(name, other) || name == other
}

impl<'t> Told<'t> {
    /// Of whom it tells, and who said so of themselves; None: it may be so.
    fn is_anothers<'l>(
        &self,
        lines: &[Clause<'l>],
        evidence: &Evidence<'l>,
        names: &[&str],
    ) -> Option<(&'t str, &'l str)> {
        let subject = self.subject?;
        let is_theirs = |clause: &&Clause<'_>| clause.speaker.is_some_and(|speaker| is_one(subject, speaker));
        let (own, others): (Vec<&Clause<'l>>, Vec<&Clause<'l>>) = lines.iter().partition(is_theirs);
        let content = self.content(names);
        let covered = |of: &dyn Fn(&Clause<'_>) -> bool, clauses: &[&Clause<'l>]| -> BTreeSet<String> {
            let clauses = clauses.iter().filter(|clause| of(clause));
            clauses.flat_map(|clause| said_in(&content, clause.words)).collect()
        };
        let by_them = covered(&|_| true, &own);
        let open = covered(&|clause| clause.reaches(subject) || clause.speaker.is_none(), &others);
        let only = |words: BTreeSet<String>| -> BTreeSet<String> {
            words.into_iter().filter(|word| !by_them.contains(word) && !open.contains(word)).collect()
        };
        let is_of_oneself = |clause: &Clause<'_>| clause.of == Of::Oneself && !clause.reaches(subject);
        let foreign = only(covered(&is_of_oneself, &others));
        let unnamed = only(covered(&|clause| self.takes_unnamed(clause, &content), &others));
        let speaker_of = |words: &BTreeSet<String>, of: &dyn Fn(&Clause<'_>) -> bool| {
            let clause = others.iter().find(|clause| {
                of(clause) && said_in(&content, clause.words).any(|word| words.contains(&word))
            });
            clause.and_then(|clause| clause.speaker)
        };
        let turned = others.iter().find(|clause| self.turns_round(clause, subject, names));
        let speaker = match turned.and_then(|clause| clause.speaker) {
            Some(speaker) => speaker,
            None if !foreign.is_empty() && foreign.len() >= by_them.len() => {
                speaker_of(&foreign, &is_of_oneself)?
            }
            None if self.is_named && by_them.is_empty() && open.is_empty() && !unnamed.is_empty() => {
                speaker_of(&unnamed, &|clause| clause.of == Of::Unnamed)?
            }
            None => {
                let has_words =
                    !by_them.is_empty() || !open.is_empty() || !foreign.is_empty() || !unnamed.is_empty();
                only_speaker(lines, evidence, subject).filter(|_| !has_words && self.is_named)?
            }
        };
        let is_answer = agrees(&own) || !by_them.is_empty() && (self.tells_of(speaker) || commits(&own));
        let is_excused = turned.is_none() && is_answer
            || joins_the_speaker(self.text, subject, speaker)
            || leads_to(self.text, subject, speaker)
            || self.is_mutual(speaker, &others)
            || self.is_promised(&own)
            || !self.is_named && mentions(self.text, speaker);
        (!is_excused).then_some((subject, speaker))
    }

    /// Its words that say something, without names and such as only report.
    fn content(&self, names: &[&str]) -> Vec<String> {
        let bare = names.iter().fold(self.text.to_owned(), |text, name| text.replace(name, " "));
        let bare = REPORTING.iter().fold(bare, |text, word| text.replace(word, " "));
        content_of(&bare)
    }

    /// Whether a clause in which nobody is named says what this one tells of somebody else.
    fn takes_unnamed(&self, clause: &Clause<'_>, content: &[String]) -> bool {
        let Some(subject) = self.subject.filter(|_| clause.of == Of::Unnamed) else { return false };
        let behind = self.text.split_once(subject).map_or(self.text, |(_, behind)| behind);
        // 李四的马死了 tells of a horse.
        let is_of_something = ["的", "の", "'s", "’s"].iter().any(|of| behind.starts_with(of));
        let lower = clause.words.to_lowercase();
        let first = content.iter().filter_map(|word| lower.find(word.as_str())).min();
        let before = first.and_then(|at| lower.get(..at)).unwrap_or_default();
        !is_of_something && names_nothing(before)
    }

    /// "I love you" is told as that the other one loves the speaker.
    fn turns_round(&self, clause: &Clause<'_>, subject: &str, names: &[&str]) -> bool {
        let Some(speaker) = clause.speaker.filter(|_| clause.of == Of::OneselfAndListeners) else {
            return false;
        };
        let Some((_, behind)) = self.text.split_once(subject) else { return false };
        let Some((between, _)) = behind.split_once(speaker) else { return false };
        let done = content_of(&names.iter().fold(between.to_owned(), |text, name| text.replace(name, " ")));
        let first = content_of(clause.behind_i()).into_iter().next();
        first.is_some() && done.into_iter().next() == first && !is_subject_there(clause.words, subject)
    }

    /// Whoever met somebody was met by them.
    fn is_mutual(&self, speaker: &str, others: &[&Clause<'_>]) -> bool {
        const MUTUAL: &str = "met, meet, meets, married, marries, divorced, 认识, 遇见, 遇到, 碰到, 见面, 结婚, 离婚, 出会, 会った, 結婚";
        let says = |text: &str| {
            let lower = text.to_lowercase();
            phrases(MUTUAL).any(|word| match word.is_ascii() {
                true => pronouns::whole_word(&lower, word).is_some(),
                false => lower.contains(word),
            })
        };
        let is_of_both = |clause: &&Clause<'_>| {
            says(clause.words) && self.subject.is_some_and(|subject| mentions(clause.words, subject))
        };
        mentions(self.text, speaker) && says(self.text) && others.iter().any(is_of_both)
    }

    /// Whether it tells that they agreed, and they did.
    fn is_promised(&self, own: &[&Clause<'_>]) -> bool {
        const AGREEING: &str = "答应, 同意, 承诺, 約束, 引き受け, promise, agree";
        const ASSENT: &str = "行, 好, 好的, 好吧, 可以, 没问题, 成, 嗯, 当然, いいよ, わかった, うん, はい, もちろん, sure, ok, okay, \
            yes, fine, of course, all right, alright, gladly, with pleasure";
        let lower = self.text.to_lowercase();
        phrases(AGREEING).any(|word| lower.contains(word))
            && own.iter().any(|clause| {
                let lower = clause.words.trim().to_lowercase();
                phrases(ASSENT).any(|word| lower == word)
            })
    }

    /// Whether it names the other one too, or speaks of them.
    fn tells_of(&self, speaker: &str) -> bool {
        mentions(self.text, speaker) || speaks_of_another(self.text)
    }
}

/// In one form, in their order.
fn content_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let says_something = |word: &&str| {
        (is_content_word(word) || is_single(word)) && !phrases(OF_THE_DAY).any(|known| known == *word)
    };
    words(&lower).filter(says_something).map(one_form).collect()
}

/// They are in everybody's mouth.
const OF_THE_DAY: &str =
    "morning, evening, night, noon, afternoon, 早上, 上午, 中午, 下午, 晚上, 夜里, 朝, 昼, 晩, 夜, 夕方";

fn one_form(word: &str) -> String {
    if word.is_ascii() { stemmed(word) } else { word.to_owned() }
}

/// Those of the words that a clause says.
fn said_in<'c>(content: &'c [String], clause: &str) -> impl Iterator<Item = String> + use<'c> {
    let lower = clause.to_lowercase();
    let said: BTreeSet<String> = words(&lower).map(one_form).collect();
    content
        .iter()
        .filter(
            move |word| if word.is_ascii() { said.contains(*word) } else { lower.contains(word.as_str()) },
        )
        .cloned()
}

/// One ideograph may be a word that counts: 茶, 猫.
fn is_single(word: &&str) -> bool {
    word.chars().count() == 1
        && word
            .chars()
            .all(|c| matches!(c, '\u{3400}'..='\u{9FFF}') && !crate::words::is_function_character(c))
}

/// Where one line alone is cited, and in other words, it is still about whoever says I in it.
fn only_speaker<'l>(lines: &[Clause<'l>], evidence: &Evidence<'l>, subject: &str) -> Option<&'l str> {
    let [only] = evidence.said.as_slice() else { return None };
    let speaker = only.speaker.filter(|speaker| !is_one(subject, speaker))?;
    let says_so = lines.iter().any(|clause| says_i(clause.words).is_some());
    let reaches = lines.iter().any(|clause| {
        clause.of == Of::OneselfAndListeners
            || pronouns::speaks_to_others(clause.words)
            || is_subject_there(clause.words, subject)
    });
    (says_so && !reaches).then_some(speaker)
}

/// 我也是, me too, 私も: what the other one said of themselves holds for them as well.
fn agrees(own: &[&Clause<'_>]) -> bool {
    const EAST: &str =
        "我也, 俺也, 咱也, 私も, 僕も, 俺も, わたしも, あたしも, ぼくも, おれも, 同じ, 同感, 一样, 彼此";
    const WEST: &str = "me too, so do i, so am i, so have i, so did i, same here, same, neither, nor, me neither, i do too, as well, \
        likewise, too";
    own.iter().any(|clause| {
        let lower = clause.words.to_lowercase();
        phrases(EAST).any(|word| lower.contains(word))
            || phrases(WEST).any(|word| pronouns::whole_word(&lower, word).is_some())
    })
}

/// I'll drive, 我来, 任せて: what the other one needs is done by them.
fn commits(own: &[&Clause<'_>]) -> bool {
    const EAST: &str = "我来, 我会, 我去, 我答应, 我陪, 我帮, 我教, 交给我, 任せ, 約束, 手伝";
    const WEST: &str = "i will, i'll, i’ll, i promise, i can, let me";
    own.iter().any(|clause| {
        let lower = clause.words.to_lowercase();
        phrases(EAST).chain(phrases(WEST)).any(|word| lower.contains(word))
    })
}

/// Bob knows that Ann is afraid, Bob asked Ann to sing: what follows is said of her.
fn leads_to(text: &str, subject: &str, speaker: &str) -> bool {
    const KNOWING: &str = "know, knew, learn, hear, think, thought, believ, see, saw, notic, realis, realiz, remember, understand, \
        asked, asks, told, tells, begged, ordered, 要求, 请, 叫, 劝, 命令, 求, 告诉, 让, 頼, 知道, 得知, 听说, 听, 发现, 看到, 看见, 记得, 明白, 相信, 认为, 觉得, 注意到, 了解, 知っ, 聞い, 思っ, 気づ, 覚え";
    let behind = text.split_once(subject).map_or("", |(_, behind)| behind);
    let between = behind.split_once(speaker).map(|(between, _)| between.to_lowercase());
    between.is_some_and(|between| phrases(KNOWING).any(|word| between.contains(word)))
        || behind.contains(&format!("{speaker}が")) && phrases(KNOWING).any(|word| behind.contains(word))
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
