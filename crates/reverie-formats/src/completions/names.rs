//! Who said a message, where a client writes names before the words or into the field that is for them?

/// Of longer names nothing is stripped.
const MOST_CHARS: usize = 80;

/// The words without the name of their speaker before them, if it is one of these.
///
/// `Alice: Hello` becomes `Hello`. Models that see names before every message write them, too, and clients take them away
/// again: an answer is recorded so.
pub fn spoken<'t, N: AsRef<str>>(text: &'t str, names: &[N]) -> &'t str {
    split(text, names).map_or(text, |(_, words)| words)
}

/// What looks like the name of a speaker before the words: a few words without any mark of a sentence.
///
/// `Mei: good morning` is said by Mei, if the client writes names before everything.
pub fn name_before(text: &str) -> Option<&str> {
    let (name, words) = prefix(text)?;
    let is_mark = |c: char| "!?,;.\"“”*()[]{}<>/\\|#`。，！？；、「」（）【】《》…".contains(c);
    let is_short = name.chars().count() <= 40 && name.split_whitespace().count() <= 4;
    let is_name = is_short && !name.contains(is_mark) && name.contains(char::is_alphabetic);
    (is_name && !words.is_empty() && !words.starts_with("//")).then_some(name)
}

/// Which of these names stands before the words, and the words.
pub(super) fn split<'t, 'n, N: AsRef<str>>(text: &'t str, names: &'n [N]) -> Option<(&'n str, &'t str)> {
    let (before, words) = prefix(text)?;
    let known = names.iter().map(AsRef::as_ref).find(|name| name.trim() == before)?;
    Some((known, words))
}

/// What may be a name before words, and the words.
pub(super) fn prefix(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (at, colon) = text.char_indices().take(MOST_CHARS).find(|(_, c)| matches!(c, ':' | '：' | '\n'))?;
    if colon == '\n' {
        return None;
    }
    let (name, words) = (text.get(..at)?.trim(), text.get(at + colon.len_utf8()..)?);
    (!name.is_empty()).then(|| (name, words.trim_start()))
}

/// Whom the name field of a message means. It holds only ASCII letters, digits, `_` and `-`, so that clients replace all
/// others by `_`: of a name in Chinese nothing is left.
pub(super) fn from_field<'n, N: AsRef<str>>(field: &str, names: &'n [N]) -> Option<&'n str> {
    let mut known = names.iter().map(AsRef::as_ref);
    known.clone().find(|name| *name == field).or_else(|| {
        let bare = |c: char| c.is_ascii_alphanumeric();
        if !field.contains(bare) {
            return None;
        }
        known.find(|name| sanitised(name) == field)
    })
}

/// Whether anything is left of a name in such a field.
pub(super) fn says_something(field: &str) -> bool {
    field.contains(char::is_alphanumeric)
}

/// Whether what stands before the words is the one whom the field names.
pub(super) fn is_one_of<N: AsRef<str>>(before: &str, field: &str, names: &[N]) -> bool {
    before == field || sanitised(before) == field || names.iter().any(|name| name.as_ref().trim() == before)
}

fn sanitised(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.chars().map(|c| if keep(c) { c } else { '_' }).take(64).collect()
}
