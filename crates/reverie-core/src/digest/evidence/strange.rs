//! Which word of a statement comes neither from its lines nor from ordinary language?
//!
//! Chinese and Japanese have no capital letters, and models do not always write them, so nobody can surely tell a name from another
//! word: 杭州 and 苏州, 京都 and パリ, "berlin". What can be told is which words the lines do not say. Of those a statement may use only
//! ordinary ones, as anybody needs them to tell a thing in other words: the lists beside this file. Every other word is one that somebody
//! made up, or that nobody can hold against the lines, and a statement with it is not believed.
//!
//! A word is said by the lines if they hold it, its stem, or all of its characters. Lists do not know every word, so a true
//! paraphrase in rare words is turned down; and they cannot see through names that are ordinary words or single ideographs, are made of characters of the
//! lines, or are written in hiragana in the middle of a sentence.

use std::collections::HashSet;
use std::sync::OnceLock;

use waken_snowball::{Algorithm, stem};

use super::Telling;
use super::numbers::is_number_word;
use super::words::{FOREIGN, OTHER_SURNAMES, is_one_of};
use crate::mind::terms::SPELLING;
use crate::words::{is_function_character, is_function_word, is_stop_word, words};

/// What the lines say, ready to be asked.
pub(super) struct Ground {
    /// In one spelling.
    text: String,
    chars: HashSet<char>,
    stems: HashSet<String>,
    words: HashSet<String>,
    /// Of those who speak and are there, in one spelling.
    names: Vec<String>,
}

impl Ground {
    pub(super) fn new(lines: &str, names: &[String]) -> Self {
        let text = SPELLING.fold(lines);
        let names: Vec<String> = names.iter().map(|name| SPELLING.fold(name)).collect();
        let all = names.iter().chain([&text]).flat_map(|text| letters(text));
        let words: HashSet<String> = all.map(|word| bare(word).to_owned()).collect();
        Self {
            chars: text.chars().collect(),
            stems: words.iter().map(|word| stemmed(word)).collect(),
            words,
            names,
            text,
        }
    }

    fn says(&self, word: &str) -> bool {
        // Whoever is called 林小雨 is 小雨 as well.
        self.text.contains(word)
            || word.chars().all(|c| self.chars.contains(&c))
            || self.names.iter().any(|name| name.contains(word))
    }

    /// In letters: the word, another form of it, or one of its family (allergic and allergy).
    pub(super) fn says_in_letters(&self, word: &str) -> bool {
        let shared = |other: &str| word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let is_kin = |other: &String| {
            let shorter = word.len().min(other.len());
            shared(other) >= 5.max(shorter * 2 / 3) && shorter >= 5
        };
        self.stems.contains(&stemmed(word)) || self.words.contains(word) || self.words.iter().any(is_kin)
    }
}

/// The first word that is neither said nor ordinary. The text has no names of anybody known and no words for times in it.
pub(super) fn strange(text: &str, ground: &Ground, telling: Telling) -> Option<String> {
    in_letters(text, ground, telling)
        .or_else(|| in_katakana(text, ground))
        .or_else(|| in_ideographs(text, ground))
        .or_else(|| in_hiragana(text, ground))
}

struct Lists {
    /// Stems of English words.
    english: HashSet<String>,
    ideographs: HashSet<String>,
    characters: HashSet<char>,
    loanwords: HashSet<&'static str>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let folded = |list: &'static str| list.split_whitespace().map(|word| SPELLING.fold(word));
        Lists {
            english: include_str!("ordinary/english.txt").split_whitespace().map(stemmed).collect(),
            ideographs: folded(include_str!("ordinary/chinese.txt"))
                .chain(folded(include_str!("ordinary/japanese.txt")))
                .collect(),
            characters: include_str!("ordinary/chinese_characters.txt").chars().collect(),
            loanwords: include_str!("ordinary/loanwords.txt").split_whitespace().collect(),
        }
    })
}

/// Words in letters, as they are written.
fn letters(text: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_alphabetic() && !is_east_asian(c);
    text.split(move |c: char| !(is_letter(c) || matches!(c, '\'' | '’'))).filter(|word| !word.is_empty())
}

fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Without what follows an apostrophe.
fn bare(word: &str) -> &str {
    word.split(['\'', '’']).next().unwrap_or(word)
}

pub(super) fn stemmed(word: &str) -> String {
    match word.is_ascii() {
        true => stem(Algorithm::English, word).into_owned(),
        false => word.to_owned(),
    }
}

/// Whether a word in lower case holds sentences together or belongs to everybody's language.
pub(super) fn is_ordinary(word: &str) -> bool {
    is_stop_word(word) || is_function_word(word) || lists().english.contains(&stemmed(word))
}

/// Words in letters, without what follows an apostrophe.
pub(in crate::digest) fn words_in_letters(text: &str) -> Vec<String> {
    letters(text).map(|word| bare(word).to_owned()).filter(|word| !word.is_empty()).collect()
}

/// Whether a word in one spelling, of any script, is one that anybody needs to tell something.
pub(crate) fn is_ordinary_word(word: &str) -> bool {
    let is_known_character =
        || word.chars().nth(1).is_none() && word.chars().all(|c| lists().characters.contains(&c));
    is_ordinary(word)
        || lists().english.contains(word)
        || lists().ideographs.contains(word)
        || lists().loanwords.contains(word)
        || is_known_character()
}

/// Lists are of English; of another language too few words are known for them to tell anything.
const LEAST_ENGLISH: usize = 3;

fn in_letters(text: &str, ground: &Ground, telling: Telling) -> Option<String> {
    // doesn't is a form of do.
    let is_glue = |word: &&str| word.replace('’', "'").ends_with("n't");
    let all: Vec<&str> = letters(text)
        .filter(|word| !is_glue(word))
        .map(bare)
        .filter(|word| word.chars().count() > 1)
        .collect();
    let ordinary = all.iter().filter(|word| is_ordinary(&word.to_lowercase())).count();
    if ordinary * LEAST_ENGLISH < all.len() {
        return None;
    }
    let mut before = "";
    for word in all {
        let lower = word.to_lowercase();
        // Numbers in words were held against those of the lines.
        let is_strange =
            !is_ordinary(&lower) && !is_number_word(&lower) && !ground.says_in_letters(&SPELLING.fold(word));
        let is_capital = word.chars().next().is_some_and(char::is_uppercase);
        let is_led_to = is_one_of(LEADING, &before.to_lowercase());
        // Who tells a whole day may use rare words, but none that stands where a name would.
        if is_strange && (telling == Telling::Statement || is_capital || is_led_to) {
            return Some(word.to_owned());
        }
        before = word;
    }
    None
}

/// Before places and people.
const LEADING: &str = "in, at, to, from, near, with, by, for, of, into, toward, towards, via, and, visit, visited, visits, met, \
    meets, meet, called, named, saw, told, asked, leave, left, reached, through, across";

/// Runs of katakana.
fn in_katakana(text: &str, ground: &Ground) -> Option<String> {
    let is_katakana = |c: char| matches!(c, '\u{30A1}'..='\u{30FA}' | '\u{30FC}');
    let runs = text.split(|c: char| !is_katakana(c)).filter(|run| run.chars().count() > 1);
    runs.into_iter()
        .find(|run| {
            let said = |part: &str| ground.says(&SPELLING.fold(part));
            let known = |part: &str| lists().loanwords.contains(part) || said(part);
            // サッカーチーム is made of two.
            let is_composed = run.char_indices().any(|(at, _)| {
                let (head, tail) = run.split_at(at);
                !head.is_empty() && known(head) && known(tail)
            });
            !known(run) && !is_composed
        })
        .map(str::to_owned)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Words of the dictionary, and neighbouring characters of which it makes no word.
fn in_ideographs(text: &str, ground: &Ground) -> Option<String> {
    let mut lonely = String::new();
    let mut end = 0;
    for word in words(text) {
        let at = text.get(end..)?.find(word)? + end;
        let is_next = at == end;
        end = at + word.len();
        let runs: Vec<&str> = word.split(|c: char| !is_ideograph(c)).filter(|run| !run.is_empty()).collect();
        let is_single = word.chars().count() == 1 && is_ideograph(word.chars().next()?);
        if !is_next || !is_single {
            lonely.clear();
        }
        if is_single {
            let c = SPELLING.fold(word).chars().next()?;
            // 嫌い: a character with an ending is a verb or an adjective.
            let has_ending = text.get(end..)?.starts_with(|c| matches!(c, '\u{3041}'..='\u{309F}'));
            let is_known = ground.chars.contains(&c) || lists().characters.contains(&c) || has_ending;
            match is_known {
                true => lonely.clear(),
                false => lonely.push_str(word),
            }
            // 华为, 武当: characters that names begin with, and hardly anything else.
            let is_of_names = [OTHER_SURNAMES, FOREIGN].iter().any(|list| list.contains(c));
            if !is_known && (is_of_names || lonely.chars().count() > 1) {
                return Some(lonely);
            }
            continue;
        }
        let is_strange = |run: &&str| {
            run.chars().count() > 1
                && !is_known(&SPELLING.fold(run), ground)
                && !is_covered(text, at, run, ground)
        };
        if let Some(unknown) = runs.into_iter().find(is_strange) {
            return Some(unknown.to_owned());
        }
    }
    None
}

/// Dictionaries cut some sentences wrongly: 考|上北|京的. Whether each character of a word belongs to a known word of the sentence,
/// wherever that begins, or holds sentences together.
fn is_covered(text: &str, at: usize, word: &str, ground: &Ground) -> bool {
    const LONGEST: usize = 4;
    let before: Vec<char> = text
        .get(..at)
        .unwrap_or_default()
        .chars()
        .rev()
        .take(LONGEST)
        .take_while(|c| is_ideograph(*c))
        .collect();
    let start = before.len();
    let rest = text.get(at..).unwrap_or_default().chars().take_while(|c| is_ideograph(*c));
    let around: String = before.into_iter().rev().chain(rest.take(word.chars().count() + LONGEST)).collect();
    let around: Vec<char> = SPELLING.fold(&around).chars().collect();
    (start..start + word.chars().count()).all(|place| {
        let is_common = |c: &char| ground.chars.contains(c) && lists().characters.contains(c);
        let is_glue = around
            .get(place)
            .is_some_and(|c| is_function_character(*c) || MEASURES.contains(*c) || is_common(c));
        let is_in_word = |from: usize, length: usize| {
            let piece: String = around.iter().skip(from).take(length).collect();
            let is_whole = piece.chars().count() == length && from + length > place;
            is_whole
                && (ground.text.contains(&piece)
                    || lists().ideographs.contains(&piece)
                    || is_stop_word(&piece))
        };
        is_glue
            || (place.saturating_sub(LONGEST - 1)..=place)
                .any(|from| (2..=LONGEST).any(|length| is_in_word(from, length)))
    })
}

/// What things are counted in.
const MEASURES: &str =
    "座束只条本块把首层位匹杯瓶名张辆场封颗双套份枚台栋支枝箱袋桶碗口间朵棵件篇幅副趟遍番顿些种样";

/// Behind a character of the lines they make another word for the same thing.
const ENDINGS: &str = "人们者里上下中后前时家店员子儿头着了过得到好完起出去来给成会等声天次个位岁掉住开见走死坏费钱馆所处物品事心力感师生边面身部车地的毁光尽断碎伤醒懂错满间回";
/// So do these before it.
const BEGINNINGS: &str = "不没再很最每这那某一二两三四五六七八九十几也都就还被把对为要会能想";

fn is_known(word: &str, ground: &Ground) -> bool {
    let lists = lists();
    // 三十 was held against the numbers of the lines.
    let is_number = word.chars().all(crate::numerals::is_numeral);
    if is_number || ground.says(word) || lists.ideographs.contains(word) || is_stop_word(word) {
        return true;
    }
    let chars: Vec<char> = word.chars().collect();
    match chars.as_slice() {
        [first, last] => {
            (ground.chars.contains(first) && ENDINGS.contains(*last))
                || (BEGINNINGS.contains(*first) && ground.chars.contains(last))
                || (BEGINNINGS.contains(*first) && ENDINGS.contains(*last))
        }
        _ => is_composed(&chars, ground),
    }
}

/// 咖啡店, 篮球比赛: whether a longer word is made of known ones.
fn is_composed(chars: &[char], ground: &Ground) -> bool {
    if chars.is_empty() {
        return true;
    }
    (1..=chars.len().min(4)).rev().any(|length| {
        let (head, rest) = chars.split_at(length);
        let word: String = head.iter().collect();
        let is_part = match head {
            [c] => {
                [ENDINGS, BEGINNINGS, MEASURES].iter().any(|list| list.contains(*c))
                    || ground.chars.contains(c)
            }
            _ => ground.text.contains(&word) || lists().ideographs.contains(&word),
        };
        is_part && length < chars.len().max(2) && is_composed(rest, ground) || is_part && rest.is_empty()
    })
}

/// ひろしは…: somebody at the beginning of a sentence.
fn in_hiragana(text: &str, ground: &Ground) -> Option<String> {
    const NOBODY: &str = "これ, それ, あれ, ここ, そこ, あそこ, わたし, あたし, ぼく, おれ, かれ, かのじょ, みんな, みな, だれ, \
        なに, いま, とき, こと, もの, ひと, ふたり, ひとり, いつも, もう, まだ, また, とても, すこし, たまに, \
        ときどき, おかあさん, おとうさん, おにいさん, おねえさん, おばあさん, おじいさん, こども, ともだち, \
        ねこ, いぬ, いつか, いずれ, ほか, ほんとう, じつ, つまり, そのあと, あと, それから, しかし, だから, \
        でも, そして, やはり, やっぱり, もともと, さいきん, むかし, ずっと, どちら, どれ, どこ, うち, いえ, \
        ごはん";
    text.split(['。', '！', '？', '\n']).find_map(|sentence| {
        let sentence = sentence.trim_start();
        let is_hiragana = |c: char| matches!(c, '\u{3041}'..='\u{3096}');
        let run: String = sentence.chars().take_while(|c| is_hiragana(*c)).collect();
        let (name, _) = run.split_once(['は', 'が', 'も'])?;
        let is_word = name.chars().count() > 1 && name.chars().count() < 6;
        (is_word && !is_one_of(NOBODY, name) && !ground.text.contains(name)).then(|| name.to_owned())
    })
}
