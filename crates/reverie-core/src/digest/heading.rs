//! What of a memory's text is only its heading?

/// How the first lines of rounds and of summaries by rules begin. They name who was there and when: that means nothing by itself, and all
/// of one's memories have it in common.
const HEADINGS: [&str; 4] = ["[对话参与者：", "[小结：", "[まとめ：", "[Summary: "];

/// What was said or happened, without who was there; all of it where there is nothing else.
pub fn without_heading(text: &str) -> &str {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let is_heading = first.ends_with(']') && HEADINGS.iter().any(|heading| first.starts_with(heading));
    if is_heading && !rest.trim().is_empty() { rest } else { text }
}
