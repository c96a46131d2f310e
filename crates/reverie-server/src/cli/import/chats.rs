//! `reverie import` of one chat: where it goes, and what is said of it.

use reverie_api::chats::{Target, check_alone, import_alone};
use reverie_core::{ConversationId, Result, WorldId};
use reverie_formats::chat;
use serde_json::json;

use super::afterwards::{self, Before};
use super::{Options, filled, limits, open, stem, tell};
use crate::output::{Failure, Output};
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    bytes: &[u8],
) -> Result<(), Failure> {
    let zone = options.zone()?;
    // A file that cannot be understood makes no data file.
    let document = chat::read(bytes, &limits(settings))?;
    check_alone(&settings.limits.of_engine(), &document)?;
    let name = stem(&options.path);
    let world = world.map_or_else(|| WorldId::new(&name), Ok)?;
    let name = options.conversation.as_deref().unwrap_or(&name);
    ConversationId::new(name)?;
    let api = open(settings)?;
    let there = match options.conversation {
        Some(_) => options.there(api.engine(), &world, name)?,
        None => reverie_api::chats::there(api.engine(), &world, name, &document)?,
    };
    let before = Before::of(api.engine(), &world)?;
    let done = import_alone(api.engine(), Target { world: &world, name, there }, &document, &zone)?;
    let warnings = tell(output, &document.warnings);
    let head = done.head.map(|head| head.to_string());
    let local = done.local_times;
    let text = format!(
        "imported a chat of {} messages: {} lines ({} new) in conversation {} of world {world}; its head is line {}{}{}{}{}",
        document.messages.len(),
        done.lines,
        done.new,
        done.conversation,
        head.as_deref().unwrap_or("none"),
        counted(done.changed, "shown or hidden now, as in the chat"),
        counted(done.details, "with other details now, as in the chat"),
        counted(done.gone, "deleted here, and not brought back"),
        counted(local, &format!("dated without a time zone, taken as {zone}"))
    );
    let json = json!({"world": world.as_str(), "conversation": done.conversation.as_str(),
        "messages": document.messages.len(), "lines": done.lines, "new": done.new, "changed": done.changed,
        "details": done.details, "gone": done.gone, "head": head, "dates_without_zone": local, "timezone": zone.to_string(),
        "warnings": warnings});
    output.answer(&text, &filled(json));
    Ok(afterwards::tell(output, api.engine(), &world, before, done.new)?)
}

/// Nothing is said about nothing.
fn counted(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("; {count} {what}") }
}
