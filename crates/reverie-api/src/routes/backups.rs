//! Copies of the data file: only whoever has the file can make them.

use reverie_core::{Code, Error, Result};

use crate::Api;
use crate::api::Backups;
use crate::request::{Call, Reply};

pub(super) fn create(api: &Api, _: &Call<'_>) -> Result<Reply> {
    Reply::made(true, &(of(api)?.make)()?)
}

pub(super) fn list(api: &Api, _: &Call<'_>) -> Result<Reply> {
    Reply::ok(&(of(api)?.list)()?)
}

fn of(api: &Api) -> Result<&Backups> {
    api.backups.as_ref().ok_or_else(|| {
        Error::new(Code::Unavailable, "nobody here makes backups")
            .hint("a server of Reverie does; a program that links the library calls Memory::backup")
    })
}
