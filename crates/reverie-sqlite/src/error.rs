//! What does an SQLite failure mean to the caller?

use reverie_core::Code;
use rusqlite::ErrorCode;

/// A failure inside the store: the engine's own kind, or SQLite's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Core(#[from] reverie_core::Error),
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl From<Error> for reverie_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => error,
            Error::Sql(error) => explain(&error),
        }
    }
}

/// True if SQLite says that the file itself is damaged or is none of its own.
pub(crate) fn is_corrupt(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

pub(crate) fn is_busy(error: &Error) -> bool {
    let Error::Sql(sql) = error else { return false };
    matches!(sql.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

pub(crate) fn explain(error: &rusqlite::Error) -> reverie_core::Error {
    let new = |code, message: &str| reverie_core::Error::new(code, message);
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => new(Code::Unavailable, "the disk is full: nothing was recorded")
            .hint("free some space; the same request works again as soon as there is room"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            new(Code::Unavailable, "another process has held the data file for too long")
                .hint("try again; if it persists, look for a process that holds a write transaction open")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            new(Code::Unavailable, "the data file cannot be written: nothing was recorded")
                .hint("make the file and its folder writable for this user")
        }
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => {
            new(Code::Unavailable, &format!("the data file cannot be reached: {error}"))
                .hint("check the disk, the folder and its permissions; nothing was recorded")
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            new(Code::Corrupt, &format!("the data file is damaged: {error}"))
                .hint("stop, keep a copy of the file, and restore a backup; `reverie doctor` tells more")
        }
        Some(ErrorCode::TooBig) => new(Code::Invalid, "a text is larger than the store can hold"),
        Some(ErrorCode::OperationInterrupted) => new(Code::Unavailable, "the operation was interrupted"),
        _ => new(Code::Internal, &format!("the store failed: {error}")),
    }
}
