//! What is a legal id, and when are two ids the same?

use std::fmt;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::text::is_illegal_in_xml;
use crate::{Error, Result};

/// The longest id, in bytes after normalisation.
pub const MAX_ID_BYTES: usize = 128;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $noun:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and normalises (NFC) a host's id: any text of 1 to 128 bytes.
            pub fn new(text: &str) -> Result<Self> {
                checked_id(text, $noun).map(Self)
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

text_id!(
    /// One save, one bot. Nothing crosses it.
    WorldId, "world"
);
text_id!(
    /// Whoever speaks or witnesses, in one world.
    CharacterId, "character"
);
text_id!(
    /// A tree of lines in one world.
    ConversationId, "conversation"
);
text_id!(
    /// A host-chosen name for a revision of one world.
    CheckpointId, "checkpoint"
);
text_id!(
    /// A book or card in the library that worlds share.
    DocumentId, "document"
);

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident, $noun:literal, $hint:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// Numbers stay below this, so that a store can pack world and number into one integer key.
            pub const LIMIT: u64 = 1 << 40;

            pub fn new(number: u64) -> Result<Self> {
                if number == 0 || number >= Self::LIMIT {
                    return Err(Error::not_found(format!("there is no {} {number}", $noun)));
                }
                Ok(Self(number))
            }

            pub fn parse(text: &str) -> Result<Self> {
                let number = text.parse().map_err(|_| {
                    Error::not_found(format!("there is no {} {text:?}", $noun)).hint($hint)
                })?;
                Self::new(number)
            }

            pub fn get(self) -> u64 {
                self.0
            }
        }

    };
}

impl fmt::Display for LineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for RoundId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line() {
            Some(line) => write!(f, "line:{line}"),
            None => self.0.fmt(f),
        }
    }
}

impl MemoryId {
    /// What came to mind of lines that nobody remembers yet, by the first of them: no memory has such a number.
    pub(crate) fn of_line(line: LineId) -> Self {
        Self(Self::LIMIT + line.get())
    }

    /// The first of the lines that came to mind, if this is no memory.
    pub fn line(self) -> Option<LineId> {
        self.0.checked_sub(Self::LIMIT).map(LineId)
    }
}

number_id!(
    /// A line's place in its world: lines are numbered from 1 in the order in which they were recorded.
    LineId, "line", "a line's id is the number that recording it returned"
);
number_id!(
    /// A round's place in its world: rounds are numbered from 1 in the order in which they began or were found.
    RoundId, "round", "a round's id is the number that opening it returned"
);
number_id!(
    /// A memory's place in its world: memories are numbered from 1 in the order in which they were made.
    MemoryId, "memory", "a memory's id is the number that stands in the list of memories"
);

fn checked_id(text: &str, noun: &str) -> Result<Arc<str>> {
    // A text can shrink when composed, but not below a third; longer input is refused before any work.
    if text.len() > 3 * MAX_ID_BYTES {
        return Err(too_long(noun));
    }
    let normal: Arc<str> = if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
    if normal.is_empty() {
        return Err(Error::invalid(format!("a {noun} id must not be empty")));
    }
    if normal.len() > MAX_ID_BYTES {
        return Err(too_long(noun));
    }
    if let Some(bad) = normal.chars().find(|c| is_illegal_in_xml(*c)) {
        return Err(Error::invalid(format!(
            "the {noun} id holds the control character U+{:04X}",
            bad as u32
        ))
        .hint("use any text without control characters"));
    }
    Ok(normal)
}

fn too_long(noun: &str) -> Error {
    Error::invalid(format!("a {noun} id is at most {MAX_ID_BYTES} bytes long"))
        .hint("keep the id short and stable; a long label belongs into display_name")
}
