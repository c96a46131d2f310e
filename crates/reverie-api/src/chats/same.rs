//! Is a chat there already, under another name?
//!
//! By itself it has the name of its file; among the files of a folder the name of its character or group stands before it. It is the same chat
//! if what a user says first in it was said there in the same way, or all of it, where no user says anything.

use reverie_core::{Attribute, Conversation, Engine, Result, WorldId};
use reverie_formats::chat::{self, ChatDocument, ChatPlan, PlanOptions, Recorded};

use super::Talk;
use crate::conversations;

/// Between what a file belongs to and its own name.
const BEHIND: &str = " - ";

/// The conversation that a chat with this name goes into, if it is there.
pub fn there(
    engine: &Engine,
    world: &WorldId,
    name: &str,
    document: &ChatDocument,
) -> Result<Option<Conversation>> {
    let all = conversations::all(engine, world)?;
    if let Some(named) = all.iter().find(|one| one.name.as_deref() == Some(name)) {
        return Ok(Some(named.clone()));
    }
    under_another_name(engine, world, name, document, all.iter())
}

/// The same among these, none of which has the name itself.
pub fn under_another_name<'c>(
    engine: &Engine,
    world: &WorldId,
    name: &str,
    document: &ChatDocument,
    all: impl Iterator<Item = &'c Conversation>,
) -> Result<Option<Conversation>> {
    let is_like = |one: &&Conversation| one.name.as_deref().is_some_and(|other| is_another_name(name, other));
    let mut alike = all.filter(is_like).peekable();
    if alike.peek().is_none() {
        return Ok(None);
    }
    let plan = chat::plan(document, &PlanOptions::default())?;
    for one in alike {
        let talk = Talk::read(engine, world, one.clone())?;
        let mut recorded = Recorded::default();
        talk.lines.iter().for_each(|line| recorded.add(line, &talk.keepsakes));
        if is_said_in(&plan, &recorded) {
            return Ok(Some(talk.conversation));
        }
    }
    Ok(None)
}

fn is_another_name(name: &str, other: &str) -> bool {
    let is_behind = |long: &str, short: &str| {
        !short.is_empty() && long.strip_suffix(short).is_some_and(|before| before.ends_with(BEHIND))
    };
    is_behind(name, other) || is_behind(other, name)
}

fn is_said_in(plan: &ChatPlan, recorded: &Recorded) -> bool {
    let is_there = |id: Option<&str>| id.is_some_and(|id| recorded.find(id).is_some());
    let mut lines = plan.lines.iter();
    match lines.clone().find(|line| line.attribute == Attribute::User) {
        Some(first) => is_there(first.host_id.as_deref()),
        None => !plan.lines.is_empty() && lines.all(|line| is_there(line.host_id.as_deref())),
    }
}
