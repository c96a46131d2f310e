//! What became of a file that was brought in, on the wire.

use reverie_core::Error;
use reverie_formats::Warning;
use reverie_formats::chat::{ChatDocument, Member, Zone};
use schemars::JsonSchema;
use serde::Serialize;

use super::{DegradedCode, DegradedView};
use crate::chats::Imported;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ImportedChat")]
pub struct ImportedChatView {
    pub conversation: String,
    /// Whose chat it is; of a group the first who speaks. Absent: nobody but the user does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Everybody who is there.
    pub participants: Vec<String>,
    /// Of the chat, every wording (swipe) of it included.
    pub lines: usize,
    /// Those that were not there yet.
    pub new_lines: usize,
    /// Lines that are shown or hidden now, as in the chat.
    pub changed: usize,
    /// Lines, and the conversation, of which the chat says other things besides the words than before.
    pub details: usize,
    /// Lines that were deleted here, and are not brought back.
    pub stay_deleted: usize,
    /// The newest line of the path. Absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// What is odd about the file, or was left aside.
    pub degraded: Vec<DegradedView>,
}

impl ImportedChatView {
    pub(crate) fn new(document: &ChatDocument, done: Imported, zone: &Zone) -> Self {
        Self {
            character: character(document, &done.people).map(|member| member.id.to_string()),
            participants: done.people.iter().map(|member| member.id.to_string()).collect(),
            conversation: done.conversation.to_string(),
            lines: done.lines,
            new_lines: done.new,
            changed: done.changed,
            details: done.details,
            stay_deleted: done.gone,
            head: done.head.map(|head| head.to_string()),
            degraded: degraded(document, &done, zone),
        }
    }
}

/// Whom the header names, if they speak; else the first who is no user.
fn character<'m>(document: &ChatDocument, people: &'m [Member]) -> Option<&'m Member> {
    let header = document.header.as_ref();
    let named = header.and_then(|header| header.get("character_name")?.as_str()).unwrap_or_default();
    let characters = || people.iter().filter(|member| !member.is_user);
    characters().find(|member| member.name == named).or_else(|| characters().next())
}

/// A file of a thousand odd lines need not fill the answer.
const MOST_TOLD: usize = 100;

fn degraded(document: &ChatDocument, done: &Imported, zone: &Zone) -> Vec<DegradedView> {
    let odd = |message: String| DegradedView {
        code: DegradedCode::FileOdd.as_str(),
        message,
        hint: "the rest was brought in; mend the file and send it again if this matters".to_owned(),
    };
    let mut all: Vec<DegradedView> =
        document.warnings.iter().take(MOST_TOLD).map(|warning: &Warning| odd(warning.to_string())).collect();
    if let Some(more) = document.warnings.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        all.push(odd(format!("{more} more lines are odd")));
    }
    if done.local_times > 0 {
        all.push(DegradedView {
            code: DegradedCode::DatesWithoutZone.as_str(),
            message: format!("{} dated without a time zone, taken as {zone}", lines(done.local_times)),
            hint: "add ?timezone=Asia/Shanghai, or whatever zone the chat was written in, to a first import"
                .to_owned(),
        });
    }
    if done.gone > 0 {
        all.push(DegradedView {
            code: DegradedCode::LinesStayDeleted.as_str(),
            message: format!("{} deleted here since, and not brought back", lines(done.gone)),
            hint: "to have all of the chat, bring it in under another name".to_owned(),
        });
    }
    all
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line is".to_owned() } else { format!("{count} lines are") }
}

/// For whoever sends something else to where chats come in.
pub(crate) fn no_chat(looks_like: &str) -> Error {
    Error::invalid(format!("this looks like {looks_like}, which is no chat")).hint(
        "send the .jsonl file of a chat as it is; cards go to PUT /v1/cards/{card}, world books to PUT /v1/books/{book}, exports to \
         POST /v1/import, lines to POST …/conversations/{conversation}/lines",
    )
}
