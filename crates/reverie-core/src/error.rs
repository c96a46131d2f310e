//! What can go wrong, and what should the caller do about it?

/// The closed list of what an error means to a caller; mapped once to HTTP and once per binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The request is wrong; sending it again unchanged fails again.
    Invalid,
    /// What was asked for does not exist.
    NotFound,
    /// The request is right, but something else happened in between.
    Conflict,
    /// Not now: a dependency (disk, lock, model) does not answer. Try again later.
    Unavailable,
    /// Stored data cannot be read as what it should be.
    Corrupt,
    /// Not allowed.
    Denied,
    /// A defect of Reverie.
    Internal,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Unavailable => "unavailable",
            Self::Corrupt => "corrupt",
            Self::Denied => "denied",
            Self::Internal => "internal",
        }
    }
}

/// An error with a code, a message that says what happened, and a hint that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: Code,
    message: String,
    hint: Option<String>,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::Invalid, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, message)
    }

    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(Code::Conflict, message)
    }

    /// What the caller can do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says in which part of what was handed in it happened.
    pub fn within(mut self, part: impl std::fmt::Display) -> Self {
        self.message = format!("{part}: {}", self.message);
        self
    }

    pub fn code(&self) -> Code {
        self.code
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}
