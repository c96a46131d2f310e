//! How are many messages kept without a piece of memory for each?

use std::ops::Range;

use super::Role;

/// Messages for a chat model, oldest first: one text, and where in it each of them stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    pub(super) text: String,
    pub(super) spans: Vec<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) role: Role,
    pub(super) text: Range<usize>,
    pub(super) lines: Range<usize>,
    /// Where in the text its last line begins.
    pub(super) last_line: usize,
}

/// One message as chat models take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    pub role: Role,
    pub content: &'a str,
    /// Which lines of the input it was made of, by index.
    pub lines: Range<usize>,
    /// What of the content the last of them has become: where that begins, in bytes.
    pub last_line: usize,
}

impl Messages {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Message<'_>> + ExactSizeIterator {
        self.spans.iter().map(|span| Message {
            role: span.role,
            content: self.text.get(span.text.clone()).unwrap_or_default(),
            lines: span.lines.clone(),
            last_line: span.last_line.saturating_sub(span.text.start),
        })
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}
