//! What of a memory's text is only its form?

use std::borrow::Cow;

/// How the first line of a round begins.
pub(super) const ROUND: &str = "[对话参与者：";
/// How the first line of a summary by rules begins, by its language.
pub(super) const CHINESE_SUMMARY: &str = "[小结：";
pub(super) const JAPANESE_SUMMARY: &str = "[まとめ：";
pub(super) const SUMMARY: &str = "[Summary: ";
/// They name who was there and when: that means nothing by itself, and all of one's memories have it in common.
const HEADINGS: [&str; 4] = [ROUND, CHINESE_SUMMARY, JAPANESE_SUMMARY, SUMMARY];
/// Of the longest name that stands before what somebody said.
const NAME_CHARS: usize = 64;

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
    use super::meant;

    #[test]
    fn only_what_was_said_is_meant() {
        for (text, expected) in [
            ("[对话参与者：张三、李四]\n张三: \"你好。\"\n李四: \"他说: \"走\"\"", "你好。\n他说: \"走\""),
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
}
