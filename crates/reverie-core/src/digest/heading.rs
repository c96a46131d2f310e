//! What of a memory's text is only its form?

use std::borrow::Cow;

use crate::time::Language;

/// How the first line of a round begins, by the language of its world.
const CHINESE_ROUND: &str = "[对话参与者：";
const ROUND: &str = "[Participants: ";
/// How the first line of a summary by rules begins, by its language.
pub(super) const CHINESE_SUMMARY: &str = "[小结：";
pub(super) const JAPANESE_SUMMARY: &str = "[まとめ：";
pub(super) const SUMMARY: &str = "[Summary: ";
/// They name who was there and when: that means nothing by itself, and all of one's memories have it in common.
const HEADINGS: [&str; 5] = [CHINESE_ROUND, ROUND, CHINESE_SUMMARY, JAPANESE_SUMMARY, SUMMARY];
/// Of the longest name that stands before what somebody said.
const NAME_CHARS: usize = 64;

/// How a language writes who was there.
struct Form {
    begin: &'static str,
    between: &'static str,
    /// Whoever was there and was erased since.
    erased: &'static str,
}

const fn form(language: Language) -> Form {
    match language {
        Language::Zh => Form { begin: CHINESE_ROUND, between: "、", erased: "某人" },
        Language::En => Form { begin: ROUND, between: ", ", erased: "someone" },
    }
}

/// The first line of a round; None is somebody who was erased since.
pub(super) fn round_heading(names: &[Option<&str>], language: Language) -> String {
    let Form { begin, between, erased } = form(language);
    let names: Vec<&str> = names.iter().map(|name| name.unwrap_or(erased)).collect();
    format!("{begin}{}]", names.join(between))
}

/// The language in which the text of a round names who was there; None for what is no such text.
pub(super) fn language_of_round(text: &str) -> Option<Language> {
    let first = text.lines().next().filter(|first| is_heading(first))?;
    Language::ALL.into_iter().find(|language| first.starts_with(form(*language).begin))
}

/// The text of a round as it is told in a world of that language: who was there stands in its words, what was said stays.
pub(crate) fn round_told_in(text: &str, language: Language) -> Cow<'_, str> {
    let Some(written_in) = language_of_round(text).filter(|written_in| *written_in != language) else {
        return Cow::Borrowed(text);
    };
    let Form { begin, between, erased } = form(written_in);
    let (first, rest) = text.split_once('\n').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let names = first.strip_prefix(begin).and_then(|names| names.strip_suffix(']')).unwrap_or_default();
    let names: Vec<Option<&str>> =
        names.split(between).map(|name| Some(name).filter(|name| *name != erased)).collect();
    let heading = round_heading(&names, language);
    Cow::Owned(rest.map_or_else(|| heading.clone(), |rest| format!("{heading}\n{rest}")))
}

/// A text without the words that every round begins with: they make no two of them alike, and differ between languages.
pub(crate) fn without_form(text: &str) -> &str {
    [CHINESE_ROUND, ROUND].iter().find_map(|begin| text.strip_prefix(begin)).unwrap_or(text)
}

/// What was said or happened, without who was there and who said it; all of it where there is nothing else. For what a text means
/// names are noise; by them memories are found in other ways.
pub fn meant(text: &str) -> Cow<'_, str> {
    let Some((first, rest)) = text.split_once('\n') else { return Cow::Borrowed(text) };
    if !is_heading(first) || rest.trim().is_empty() {
        return Cow::Borrowed(text);
    }
    let words = |line| speech(line).map_or(line, |(_, words)| words.strip_suffix('"').unwrap_or(words));
    Cow::Owned(rest.lines().map(words).collect::<Vec<_>>().join("\n"))
}

/// Whether the first line of a text names who was there, and nothing that was said.
pub(crate) fn is_heading(first: &str) -> bool {
    first.ends_with(']') && HEADINGS.iter().any(|heading| first.starts_with(heading))
}

/// A line that begins what somebody said: `张三: "`, and `你好"`.
pub(crate) fn speech(line: &str) -> Option<(&str, &str)> {
    let (name, words) = line.split_once(": \"")?;
    let opening = line.get(..line.len() - words.len())?;
    (name.chars().count() <= NAME_CHARS).then_some((opening, words))
}

#[cfg(test)]
mod tests {
    use super::{meant, round_told_in};
    use crate::time::Language;

    #[test]
    fn only_what_was_said_is_meant() {
        for (text, expected) in [
            ("[对话参与者：张三、李四]\n张三: \"你好。\"\n李四: \"他说: \"走\"\"", "你好。\n他说: \"走\""),
            ("[Participants: Ann, Bob]\nAnn: \"Hi.\"\nBob: \"Good day: \"sir\"\"", "Hi.\nGood day: \"sir\""),
            ("[Summary: May 1; Ann; 2 conversations]\nAnn: \"I lost my ring.\"", "I lost my ring."),
            ("[对话参与者：张三]\n张三: \"一行\n又一行\"", "一行\n又一行\""),
            ("[对话参与者：张三]", "[对话参与者：张三]"),
            ("[随便]\n张三: \"你好。\"", "[随便]\n张三: \"你好。\""),
            ("下雨了", "下雨了"),
            ("", ""),
        ] {
            assert_eq!(meant(text), expected, "{text}");
        }
    }

    #[test]
    fn who_was_there_is_told_in_the_language_of_the_world() {
        for (chinese, english) in [
            (
                "[对话参与者：张三、某人、Ann]\n张三: \"你好、再见\"",
                "[Participants: 张三, someone, Ann]\n张三: \"你好、再见\"",
            ),
            ("[对话参与者：Sam]\nSam: \"a, b\"\n", "[Participants: Sam]\nSam: \"a, b\"\n"),
            ("[对话参与者：花子、???]", "[Participants: 花子, ???]"),
        ] {
            assert_eq!(round_told_in(chinese, Language::En), english);
            assert_eq!(round_told_in(english, Language::Zh), chinese);
            assert_eq!(round_told_in(chinese, Language::Zh), chinese);
            assert_eq!(round_told_in(english, Language::En), english);
        }
        for other in ["", "下雨了", "[小结：一天；张三；1轮对话]\n下雨了", "[对话参与者：没有完\n下雨了"]
        {
            assert_eq!(round_told_in(other, Language::En), other);
        }
    }
}
