//! Where do a model's words begin, if it thinks aloud before it speaks?

/// How thoughts begin and end. Nobody is told them.
const ASIDES: &[(&str, &str)] = &[("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The words alone.
pub(super) fn without_thoughts(text: &str) -> &str {
    beginning(text, true).and_then(|from| text.get(from..)).unwrap_or_default()
}

/// At which byte the words begin; None as long as more must come before that can be told.
pub(super) fn beginning(text: &str, is_over: bool) -> Option<usize> {
    let begun = text.trim_start();
    for (begin, end) in ASIDES {
        if let Some(thought) = begun.strip_prefix(begin) {
            let said = thought.split_once(end).map_or("", |(_, said)| said.trim_start());
            return (is_over || !said.is_empty()).then_some(text.len() - said.len());
        }
    }
    if let Some(said) = behind_the_unopened(begun) {
        return (is_over || !said.is_empty()).then_some(text.len() - said.len());
    }
    let may_be_a_thought = ASIDES.iter().any(|(begin, _)| begin.starts_with(begun));
    (is_over || !may_be_a_thought).then_some(0)
}

/// Some chat templates write the opening tag into the prompt, and the answer has only the closing one. What is quoted closes nothing.
fn behind_the_unopened(text: &str) -> Option<&str> {
    ASIDES.iter().find_map(|(begin, end)| {
        let (thought, said) = text.split_once(end)?;
        let is_quoted = thought.ends_with('`') || said.starts_with('`');
        (!is_quoted && !thought.contains(begin)).then(|| said.trim_start())
    })
}

/// How many bytes at the end may be the beginning of the tag that ends a thought.
pub(super) fn begun_end(text: &str) -> usize {
    let Some(at) = text.rfind('<') else { return 0 };
    let begun = text.get(at..).unwrap_or_default();
    if ASIDES.iter().any(|(_, end)| end.starts_with(begun)) { begun.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_behind_thoughts() {
        for (text, so_far, whole) in [
            ("", None, ""),
            ("  ", None, "  "),
            ("<", None, "<"),
            ("\n<thin", None, "\n<thin"),
            ("<think>", None, ""),
            ("<think>hm</think>", None, ""),
            ("<think>hm</think>\n\n", None, ""),
            ("<think>hm</think>\n\n你好", Some("你好"), "你好"),
            ("<thinking>hm</think></thinking>はい", Some("はい"), "はい"),
            ("<thinks>", Some("<thinks>"), "<thinks>"),
            ("Hi <think>", Some("Hi <think>"), "Hi <think>"),
            ("Hi <think>hm</think> there", Some("Hi <think>hm</think> there"), "Hi <think>hm</think> there"),
            ("Okay the user wants it.\n</think>", None, ""),
            ("Okay the user wants it.\n</think>\n\nWith joy.", Some("With joy."), "With joy."),
            ("嗯……</thinking>好。", Some("好。"), "好。"),
            (
                "It ends with `</think>`, always.",
                Some("It ends with `</think>`, always."),
                "It ends with `</think>`, always.",
            ),
        ] {
            assert_eq!(beginning(text, false).map(|from| &text[from..]), so_far, "{text:?}");
            assert_eq!(without_thoughts(text), whole, "{text:?}");
        }
    }
}
