//! How many tokens does `o200k_base` make of a text, exactly?

/// The library recurses once per character of a run of whitespace and panics near a million. No window
/// longer than this is handed to it.
const WINDOW: usize = 256 * 1024;

/// Exact up to `WINDOW` bytes. A longer text is cut where the encoding has a seam anyway, so that the
/// sum stays exact; only a window without any seam (no space, no line end, no stop) is cut blindly.
pub(super) fn count(text: &str) -> usize {
    let encoding = tiktoken_rs::o200k_base_singleton();
    let mut rest = text;
    let mut tokens = 0;
    while !rest.is_empty() {
        let (window, after) = rest.split_at(window_end(rest));
        tokens += encoding.count_ordinary(window);
        rest = after;
    }
    tokens
}

fn window_end(text: &str) -> usize {
    if text.len() <= WINDOW {
        return text.len();
    }
    let blind = (0..=WINDOW).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
    let window = text.get(..blind).unwrap_or(text);
    let mut after = text.get(blind..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    for (start, before) in window.char_indices().rev() {
        if is_seam(before, after) {
            return start + before.len_utf8();
        }
        after = before;
    }
    blind
}

/// Does every encoding start a new piece between these two characters?
fn is_seam(before: char, after: char) -> bool {
    match after {
        ' ' => !before.is_whitespace(),
        '\n' | '，' | '。' | '！' | '？' | '、' => {
            before.is_ascii_alphanumeric() || matches!(before, '\u{4e00}'..='\u{9fff}')
        }
        _ => false,
    }
}
