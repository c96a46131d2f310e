//! The servers of models: only whoever serves can say where they are.

use reverie_core::{Code, Error, Result};

use crate::Api;
use crate::api::Connections;
use crate::request::{Call, Reply};
use crate::wire::ConnectionBody;

pub(super) fn list(api: &Api, _: &Call<'_>) -> Result<Reply> {
    Reply::ok(&(of(api)?.list)())
}

pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body = body(call)?;
    Reply::ok(&(of(api)?.save)(call.segment(0), body)?)
}

pub(super) fn test(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body = body(call)?;
    Reply::ok(&(of(api)?.test)(call.segment(0), body)?)
}

pub(super) fn reset(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&(of(api)?.reset)(call.segment(0), ())?)
}

/// An error of the parser may quote what it stands before, and that may be a key.
fn body(call: &Call<'_>) -> Result<ConnectionBody> {
    call.text()?;
    call.parse().map_err(|_| {
        Error::invalid("the body is no connection")
            .hint("send a JSON object with url, api, model and key as texts, and dims as a whole number; all of them may be absent")
    })
}

fn of(api: &Api) -> Result<&Connections> {
    api.connections.as_ref().ok_or_else(|| {
        Error::new(Code::Unavailable, "nobody here uses models")
            .hint("a server of Reverie does; a program that links the library answers questions itself")
    })
}
