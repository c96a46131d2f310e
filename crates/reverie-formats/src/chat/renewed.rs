//! What does a chat say otherwise than the conversation that it came into would be written now?
//!
//! Words are not asked about here: those are lines. An answer is what is to be kept anew; a chat that was written from the
//! conversation, and the file that it came in, bring nothing.

use std::collections::HashMap;

use reverie_core::keepsake::KeptFor;
use reverie_core::{ConversationId, LineId};
use serde_json::Value;

use super::{ChatDocument, ChatPlan, Composed};

/// `composed` is the conversation as a chat before this one came; `line` tells for a line of the plan which one it is there.
pub fn renewed(
    (document, plan): (&ChatDocument, &ChatPlan),
    (conversation, composed): (&ConversationId, &Composed),
    line: impl Fn(usize) -> Option<LineId>,
) -> Vec<(KeptFor, Option<String>)> {
    let mut renewed = Vec::new();
    let first = document.messages.iter().take_while(|message| message.wordings.is_empty());
    let is_same_beginning = first.map(|message| &message.source).eq(composed.first.iter());
    if document.header != composed.header || !is_same_beginning {
        renewed.push((KeptFor::Conversation(conversation.clone()), Some(plan.keepsake.clone())));
    }
    let there: HashMap<LineId, &Vec<Value>> = composed.messages.iter().map(|(id, all)| (*id, all)).collect();
    for planned in &plan.messages {
        let sources = document.messages.get(planned.sources.clone()).unwrap_or_default();
        let there = line(planned.chosen).and_then(|id| there.get(&id));
        let is_same = there.is_some_and(|there| {
            sources.len() == there.len()
                && sources.iter().zip(there.iter()).all(|(message, there)| is_same(&message.source, there))
        });
        if is_same {
            continue;
        }
        for row in planned.lines.clone() {
            if let (Some(id), Some(text)) = (line(row), plan.keepsakes.get(row)) {
                renewed.push((KeptFor::Line(id), Some(text.clone())));
            }
        }
    }
    renewed
}

/// Whether a message is hidden is told by its line.
fn is_same(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else { return one == other };
    one.len() == other.len()
        && one
            .iter()
            .all(|(key, value)| other.get(key).is_some_and(|there| value == there || key == "is_system"))
}
