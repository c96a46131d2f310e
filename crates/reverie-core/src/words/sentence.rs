//! Where does a sentence end?

/// The sentences of a text, with whatever closes or follows them: together they are the text.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut is_ended = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let goes_on = is_closing(c) || c.is_whitespace();
        let is_end = is_sentence_end(c, next) || c == '\n';
        if is_ended && !goes_on && !is_end {
            found.extend(text.get(begin..at));
            (begin, is_ended) = (at, false);
        }
        is_ended |= is_end;
    }
    found.extend(text.get(begin..).filter(|rest| !rest.is_empty()));
    found
}

/// `next` is what follows; None: nobody knows.
pub(crate) fn is_sentence_end(c: char, next: Option<char>) -> bool {
    match c {
        '。' | '！' | '？' | '…' | '!' | '?' | '｡' => true,
        // Neither 3.5 nor what ends where we do not see on.
        '.' => next.is_some_and(|next| next.is_whitespace() || matches!(next, '"' | '”' | ')')),
        _ => false,
    }
}

/// What closes with a sentence.
pub(crate) fn is_closing(c: char) -> bool {
    matches!(c, '」' | '』' | '”' | '’' | '）' | ')')
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn sentences_end_where_a_reader_would_pause() {
        for (text, expected) in [
            ("你好。今天天气真好！适合打猎", vec!["你好。", "今天天气真好！", "适合打猎"]),
            ("「行こう。」と言った。", vec!["「行こう。」", "と言った。"]),
            ("It costs 3.5 a day. Really?! Yes", vec!["It costs 3.5 a day. ", "Really?! ", "Yes"]),
            ("一行\n\n又一行", vec!["一行\n\n", "又一行"]),
            ("……走吧", vec!["……", "走吧"]),
            ("", vec![]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
            assert_eq!(sentences(text).concat(), text);
        }
    }
}
