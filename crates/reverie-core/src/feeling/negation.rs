//! Is it felt, or said not to be? `不太开心`, `no longer afraid`, `怖くない`.
//!
//! Chinese and English deny before the word, and few words may stand in between; Japanese denies right behind it.

/// Words that deny what follows.
const ZH_NOT: [&str; 12] = ["不", "没", "别", "未", "莫", "勿", "甭", "毫无", "并无", "无法", "无需", "无须"];
/// Words that only end like one.
const ZH_NOT_NOT: [&str; 24] = [
    "得不", "差不", "是不", "会不", "能不", "想不", "要不", "好不", "离别", "告别", "分别", "道别", "送别",
    "临别", "区别", "个别", "性别", "辞别", "惜别", "诀别", "沉没", "淹没", "吞没", "埋没",
];
/// What may stand between such a word and what it denies, the longer ones first.
const ZH_BETWEEN: [&str; 64] = [
    "表现出",
    "那么",
    "这么",
    "怎么",
    "什么",
    "觉得",
    "感到",
    "感觉",
    "特别",
    "非常",
    "十分",
    "真的",
    "需要",
    "应该",
    "可能",
    "可以",
    "让我",
    "让你",
    "让他",
    "让她",
    "使我",
    "令我",
    "令人",
    "为此",
    "为我",
    "为你",
    "为他",
    "为她",
    "因为",
    "对你",
    "对我",
    "对他",
    "对她",
    "跟我",
    "跟你",
    "和我",
    "和你",
    "一点",
    "一丝",
    "半点",
    "丝毫",
    "任何",
    "过分",
    "过于",
    "显得",
    "变得",
    "太",
    "很",
    "是",
    "会",
    "再",
    "要",
    "用",
    "必",
    "敢",
    "能",
    "够",
    "曾",
    "有",
    "多",
    "大",
    "该",
    "好",
    "在",
];
/// Denies from behind.
const ZH_BEHIND: &str = "不起来";

const EN_NOT: [&str; 17] = [
    "not", "no", "never", "neither", "nor", "without", "hardly", "barely", "scarcely", "cannot", "nobody",
    "nothing", "none", "dont", "isnt", "wasnt", "cant",
];
const EN_BETWEEN: [&str; 51] = [
    "a",
    "all",
    "am",
    "an",
    "any",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "been",
    "being",
    "bit",
    "even",
    "ever",
    "exactly",
    "feel",
    "feeling",
    "feels",
    "felt",
    "get",
    "got",
    "had",
    "has",
    "have",
    "in",
    "is",
    "least",
    "little",
    "longer",
    "look",
    "make",
    "makes",
    "made",
    "me",
    "more",
    "much",
    "of",
    "one",
    "particularly",
    "quite",
    "really",
    "seem",
    "slightest",
    "so",
    "such",
    "that",
    "the",
    "this",
    "too",
    "very",
];
/// `never so happy`, `couldn't be more proud`: what seems to deny says how much.
const EN_ABSOLUTE: [&str; 4] = ["never", "couldn't", "can't", "cannot"];
const EN_UTMOST: [&str; 4] = ["so", "this", "such", "more"];

/// What stands between a word and the ない that denies it.
const JA_BETWEEN: [&str; 16] = [
    "く",
    "くは",
    "くも",
    "くて",
    "じゃ",
    "では",
    "でも",
    "い",
    "は",
    "も",
    "でき",
    "し",
    "して",
    "してい",
    "られ",
    "くなんか",
];
const JA_NOT: [&str; 4] = ["ない", "なかっ", "ません", "ありませ"];

/// So many words or characters are looked at.
const MOST_STEPS: usize = 6;

/// Whether what stands between the two places of a folded text is denied by what stands around it.
pub(super) fn is_denied(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let behind = text.get(end..).unwrap_or_default();
    is_denied_in_chinese(before)
        || behind.starts_with(ZH_BEHIND)
        || is_denied_in_english(before)
        || is_denied_in_japanese(behind)
}

fn is_denied_in_chinese(before: &str) -> bool {
    let mut before = before.trim_end_matches(' ');
    for _ in 0..MOST_STEPS {
        let ends_with = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
        let shorter = ZH_BETWEEN.iter().find_map(|between| before.strip_suffix(between));
        match shorter {
            _ if ends_with(&ZH_NOT_NOT) => return false,
            Some(shorter) => before = shorter,
            None => return ends_with(&ZH_NOT),
        }
    }
    false
}

fn is_denied_in_english(before: &str) -> bool {
    let mut before = before;
    let mut utmost = false;
    for _ in 0..MOST_STEPS {
        let trimmed = before.trim_end_matches([' ', '-']);
        let shorter =
            trimmed.trim_end_matches(|char: char| char.is_ascii_alphanumeric() || is_apostrophe(char));
        let word = trimmed.get(shorter.len()..).unwrap_or_default().replace(is_apostrophe, "'");
        let is_not = word.ends_with("n't") || EN_NOT.contains(&word.as_str());
        if is_not {
            return !(utmost && EN_ABSOLUTE.contains(&word.as_str()));
        }
        if !EN_BETWEEN.contains(&word.as_str()) {
            return false;
        }
        utmost |= EN_UTMOST.contains(&word.as_str());
        before = shorter;
    }
    false
}

fn is_apostrophe(char: char) -> bool {
    matches!(char, '\'' | '’')
}

fn is_denied_in_japanese(behind: &str) -> bool {
    let is_not = |text: &str| JA_NOT.iter().any(|not| text.starts_with(not));
    is_not(behind) || JA_BETWEEN.iter().any(|between| behind.strip_prefix(between).is_some_and(is_not))
}
