//! Which characters besides ASCII take part in `merges`?

/// Those that the vocabulary often joins with ASCII: typographic quotes and dashes, and the marks that end a
/// line of Chinese or Japanese. The order is part of the table format: the n-th has the symbol 128 + n.
pub(super) const JOINERS: [char; 24] = [
    '’', '‘', '“', '”', '…', '—', '–', '\u{3000}', '。', '，', '！', '？', '：', '；', '、', '（', '）',
    '「', '」', '『', '』', '【', '】', '～',
];

/// The symbol of an ASCII character or a joiner.
pub(super) fn symbol_of(c: char) -> Option<u16> {
    if c.is_ascii() {
        return u16::try_from(u32::from(c)).ok();
    }
    // Most characters are far from any joiner; do not search the list for those.
    if !matches!(c, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3011}' | '\u{ff01}'..='\u{ff5e}') {
        return None;
    }
    let position = JOINERS.iter().position(|&joiner| joiner == c)?;
    u16::try_from(128 + position).ok()
}

/// Does a space before this joiner take some of its bytes, and hold them when others could join?
pub(super) fn is_torn_by_space(c: char) -> bool {
    matches!(c, '”' | '\u{ff01}'..='\u{ff5e}')
}
