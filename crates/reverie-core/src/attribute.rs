//! In which capacity was a line spoken?

use crate::{Error, Result};

/// A host says it per line, by one of a few names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// The player.
    User,
    /// Any character that the player does not voice, the narrator included.
    Assistant,
    /// A direction to a character (or, addressed to nobody, to all of them); never spoken aloud.
    System,
}

impl Attribute {
    /// Every accepted spelling. `character` is an assistant as group histories call it.
    const NAMES: [(&'static str, Self); 4] = [
        ("user", Self::User),
        ("assistant", Self::Assistant),
        ("character", Self::Assistant),
        ("system", Self::System),
    ];

    /// Upper and lower case ASCII letters mean the same.
    pub fn from_name(name: &str) -> Result<Self> {
        Self::NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, attribute)| *attribute)
            .ok_or_else(|| {
                Error::invalid(format!("unknown attribute {name:?}"))
                    .hint("use user, assistant (or character) or system")
            })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn names_are_read_in_any_case() {
        for (name, expected) in [
            ("user", Attribute::User),
            ("User", Attribute::User),
            ("ASSISTANT", Attribute::Assistant),
            ("character", Attribute::Assistant),
            ("Character", Attribute::Assistant),
            ("system", Attribute::System),
        ] {
            assert_eq!(Attribute::from_name(name), Ok(expected), "{name}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for attribute in [Attribute::User, Attribute::Assistant, Attribute::System] {
            assert_eq!(Attribute::from_name(attribute.as_str()), Ok(attribute));
        }
    }

    #[test]
    fn an_unknown_name_is_refused_by_name() {
        for name in ["", "tool", " user", "users", "旁白"] {
            let error = Attribute::from_name(name).unwrap_err();
            assert_eq!(error.code(), Code::Invalid);
            assert!(error.message().contains(&format!("{name:?}")), "{error}");
            assert!(error.hint_text().unwrap().contains("assistant"));
        }
    }
}
