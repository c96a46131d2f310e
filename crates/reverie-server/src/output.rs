//! How does a command answer: for people, or with `--json` for programs?
//!
//! Answers go to stdout. Errors go to stderr as `error: …` and `hint: …`; with `--json` they are one JSON document on
//! stdout, where the program that started us is already reading. The exit code tells them apart: 0 it worked, 1 it did
//! not, 2 the command line or a setting is wrong, 130 somebody broke it off.

use std::io::Write;

use reverie_api::wire::ErrorView;
use reverie_core::{Code, Error};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

/// Why a command ends without having done its work.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) exit: u8,
    /// A JSON answer that carries the error has been given: there is only ever one document.
    is_in_json: bool,
}

/// The error as it stands in every JSON document.
pub(crate) fn error_json(error: &Error) -> Value {
    let view = ErrorView::new(error.code(), error.message(), error.hint_text());
    serde_json::to_value(view.error).unwrap_or_default()
}

impl Failure {
    /// The command line or a setting is wrong.
    pub(crate) fn usage(error: Error) -> Self {
        Self { error, exit: 2, is_in_json: false }
    }

    /// By Ctrl-C; the exit code is the one that shells give to that.
    pub(crate) fn broken_off() -> Self {
        Self { error: Error::new(Code::Unavailable, "you broke it off"), exit: 130, is_in_json: false }
    }

    pub(crate) fn already_in_json(self) -> Self {
        Self { is_in_json: true, ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, exit: 1, is_in_json: false }
    }
}

impl Output {
    /// The same answer twice; only one is shown.
    pub(crate) fn answer(self, text: &str, json: &Value) {
        let shown = if self.json { json.to_string() } else { text.trim_end().to_owned() };
        // A reader that has closed its end wants no answer.
        let _ = writeln!(std::io::stdout().lock(), "{shown}");
    }

    pub(crate) fn failure(self, failure: &Failure) {
        let error = &failure.error;
        if self.json {
            if !failure.is_in_json {
                let json = json!({"error": error_json(error)});
                let _ = writeln!(std::io::stdout().lock(), "{json}");
            }
            return;
        }
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "error: {}", error.message());
        if let Some(hint) = error.hint_text() {
            let _ = writeln!(stderr, "hint: {hint}");
        }
    }

    /// Something to know while it works; on stderr, and for people only.
    pub(crate) fn note(self, text: &str) {
        if !self.json {
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// On stderr in both forms: not an answer.
    pub(crate) fn warning(self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "warning: {text}");
    }
}

/// One thing, or many.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
