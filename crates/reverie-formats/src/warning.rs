//! What was odd about a file that could be read all the same?

use std::fmt;

/// Something that its author should hear about. Nothing is changed in the file because of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line of the file, counted from 1.
    pub line: Option<usize>,
    /// The entry of a book, by id.
    pub entry: Option<String>,
    pub field: Option<String>,
    pub message: String,
}

impl Warning {
    pub fn new(message: impl Into<String>) -> Self {
        Self { line: None, entry: None, field: None, message: message.into() }
    }

    pub(crate) fn field(field: &str, message: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(message) }
    }

    pub(crate) fn at_line(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::new(message) }
    }

    pub(crate) fn of_entry(mut self, id: &str) -> Self {
        self.entry = Some(id.to_owned());
        self
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = &self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(entry) = &self.entry {
            write!(f, "entry {entry}: ")?;
        }
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// How many of one kind are told one by one.
const TOLD: usize = 100;

/// Keeps a list of warnings from growing with a hostile file.
pub(crate) fn cap(warnings: &mut Vec<Warning>) {
    if warnings.len() > TOLD {
        let more = warnings.len() - TOLD;
        warnings.truncate(TOLD);
        warnings.push(Warning::new(format!("and {more} more of this kind")));
    }
}

/// Something of a file in a message, short.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
