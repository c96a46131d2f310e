//! What does a world call its ticks?

use reverie_core::time::Language;
use reverie_core::{Error, Result};

use super::world;
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::DatesView;

/// More ticks are not worded at once.
pub(crate) const MOST_DATES: usize = 500;

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let number = |text: &str| {
        text.parse::<i64>().map_err(|_| {
            Error::invalid(format!("tick cannot be {text:?}"))
                .hint("use a whole number: the host's own ticks")
        })
    };
    let ticks = call.query.all("tick").map(number).collect::<Result<Vec<i64>>>()?;
    if ticks.len() > MOST_DATES {
        return Err(Error::invalid(format!("{} ticks are too many", ticks.len()))
            .hint(format!("at most {MOST_DATES} at once")));
    }
    let language = call.query.one("language")?.map(Language::from_name).transpose()?;
    Reply::ok(&DatesView::from(api.engine.dates(&world(call)?, &ticks, language)?))
}
