//! What went wrong with a model, and what should whoever set it up do about it?
//!
//! A message is made of our own words, the server's name, its status and its machine-readable code, so that it may be
//! logged and shown in `/health`. The server's own words may repeat what it was asked, which is somebody's dialogue:
//! they are kept apart, in [`Error::server_said`], without the key.

use std::time::Duration;

use reverie_core::Code;

/// What kind of failure it is; decides whether trying again can help and whose fault it counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What was configured or asked for makes no sense.
    Invalid,
    /// No connection: no such host, nobody listens, no trusted certificate.
    Unreachable,
    /// 401, 403, and what some servers say instead.
    KeyRefused,
    /// The account has no credit left.
    Unpaid,
    /// 404: neither the model nor the address is known there.
    NoSuchModel,
    /// 429.
    TooManyRequests,
    /// The question is longer than the model can read.
    TooLong,
    /// The server does not like this request (other 4xx).
    Refused,
    /// 5xx.
    ServerFault,
    /// One of the limits on waiting was reached.
    TimedOut,
    /// The answer broke off.
    Cut,
    /// The answer is larger than allowed.
    TooLarge,
    /// The answer is not what this API answers with.
    NotUnderstood,
    /// The answer holds no text.
    Empty,
    /// The provider's filter let nothing through.
    Filtered,
    /// The server points elsewhere; it is not followed, because the key would go along.
    Redirected,
    /// It failed lately and is left alone for a while; nothing was sent.
    Resting,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Unreachable => "unreachable",
            Self::KeyRefused => "key_refused",
            Self::Unpaid => "unpaid",
            Self::NoSuchModel => "no_such_model",
            Self::TooManyRequests => "too_many_requests",
            Self::TooLong => "too_long",
            Self::Refused => "refused",
            Self::ServerFault => "server_fault",
            Self::TimedOut => "timed_out",
            Self::Cut => "cut",
            Self::TooLarge => "too_large",
            Self::NotUnderstood => "not_understood",
            Self::Empty => "empty",
            Self::Filtered => "filtered",
            Self::Redirected => "redirected",
            Self::Resting => "resting",
        }
    }

    /// May the same request succeed in a moment?
    pub fn is_passing(self) -> bool {
        matches!(
            self,
            Self::Unreachable | Self::TooManyRequests | Self::ServerFault | Self::TimedOut | Self::Cut
        )
    }

    /// Would any other request have failed as well? The others say that the server is well.
    pub fn is_of_the_server(self) -> bool {
        self.is_passing()
            || matches!(
                self,
                Self::KeyRefused | Self::Unpaid | Self::NoSuchModel | Self::NotUnderstood | Self::Redirected
            )
    }
}

/// A failure in words; see the module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: Kind,
    message: String,
    hint: Option<String>,
    status: Option<u16>,
    retry_after: Option<Duration>,
    server_said: Option<String>,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, status: None, retry_after: None, server_said: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn status_is(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    pub(crate) fn retry_after_is(mut self, pause: Option<Duration>) -> Self {
        self.retry_after = pause;
        self
    }

    pub(crate) fn said(mut self, words: Option<String>) -> Self {
        self.server_said = words.filter(|words| !words.is_empty());
        self
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What happened; safe to log.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it; safe to log.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The HTTP status, where there was an answer.
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// How long the server wants to be left alone, or how long it is left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The beginning of what the server said, without the key. It may repeat dialogue: for whoever looks into a job,
    /// never for a log.
    pub fn server_said(&self) -> Option<&str> {
        self.server_said.as_deref()
    }

    /// Is this word in what the server said? Servers differ in what they refuse, and tell it only in prose.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        let said = self.server_said.as_deref().unwrap_or_default().to_lowercase();
        words.iter().any(|word| said.contains(word))
    }
}

impl From<Error> for reverie_core::Error {
    fn from(error: Error) -> Self {
        let code = match error.kind {
            Kind::Invalid | Kind::TooLong => Code::Invalid,
            Kind::KeyRefused | Kind::Unpaid => Code::Denied,
            _ => Code::Unavailable,
        };
        let passed_on = Self::new(code, error.message);
        match error.hint {
            Some(hint) => passed_on.hint(hint),
            None => passed_on,
        }
    }
}
