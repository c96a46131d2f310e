//! How are messages written down for comparison by eye?

use reverie_core::perspective::Message;
use std::fmt::Write;

/// One line per message, `role | content`; what the eye cannot see is made visible.
pub fn render<'a>(messages: impl IntoIterator<Item = Message<'a>>) -> String {
    let mut text = String::new();
    for message in messages {
        let _ = writeln!(text, "{:<9} | {}", message.role.as_str(), visible(message.content));
    }
    text
}

/// `None` if both say the same, however they are indented. Otherwise both, line by line, behind `-` and `+`.
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    let (expected, actual) = (rows(expected), rows(actual));
    if expected == actual {
        return None;
    }
    let same_start = expected.iter().zip(&actual).take_while(|(left, right)| left == right).count();
    let most_at_end = expected.len().min(actual.len()) - same_start;
    let same_end = (expected.iter().rev())
        .zip(actual.iter().rev())
        .take(most_at_end)
        .take_while(|(left, right)| left == right)
        .count();
    let differing = |rows: &[String]| rows.len() - same_end;
    let mut text = String::new();
    let mut put = |mark: &str, rows: &[String], from: usize, to: usize| {
        for row in rows.iter().take(to).skip(from) {
            let _ = writeln!(text, "{mark} {row}");
        }
    };
    put(" ", &expected, 0, same_start);
    put("-", &expected, same_start, differing(&expected));
    put("+", &actual, same_start, differing(&actual));
    put(" ", &actual, differing(&actual), actual.len());
    Some(text)
}

/// Rows in one shape, so that a test may indent and align them as it likes.
fn rows(text: &str) -> Vec<String> {
    (text.lines().map(str::trim))
        .filter(|row| !row.is_empty())
        .map(|row| match row.split_once('|') {
            Some((role, content)) => format!("{:<9} | {}", role.trim(), content.trim()),
            None => row.to_owned(),
        })
        .collect()
}

/// Line breaks everywhere, spaces at both ends (where an editor would eat them).
fn visible(content: &str) -> String {
    let without_start = content.trim_start_matches(' ');
    let core = without_start.trim_end_matches(' ');
    let start = "␠".repeat(content.len() - without_start.len());
    let end = "␠".repeat(without_start.len() - core.len());
    (start + core + &end).replace('\n', "⏎")
}

#[cfg(test)]
mod tests {
    use super::*;
    use reverie_core::perspective::Role;

    #[test]
    fn what_the_eye_cannot_see_is_shown() {
        let message = |role, content| Message { role, content, lines: 0..1, last_line: 0 };
        let messages = [
            message(Role::User, "{旁白：天黑了} \n 晚安 "),
            message(Role::Assistant, "  "),
            message(Role::System, ""),
        ];
        assert_eq!(render(messages), "user      | {旁白：天黑了} ⏎ 晚安␠\nassistant | ␠␠\nsystem    | \n");
    }

    #[test]
    fn indentation_is_no_difference() {
        assert_eq!(difference("\n  user | 一\n\n  system|二", "user      | 一\nsystem    | 二\n"), None);
    }

    #[test]
    fn only_the_differing_rows_are_marked() {
        let expected = "system | 一\nuser | 二\nassistant | 四";
        let actual = "system | 一\nuser | 二\nuser | 三\nassistant | 四";
        assert_eq!(
            difference(expected, actual).unwrap(),
            "  system    | 一\n  user      | 二\n+ user      | 三\n  assistant | 四\n"
        );
        assert_eq!(difference("user | 一", "user | 二").unwrap(), "- user      | 一\n+ user      | 二\n");
    }
}
