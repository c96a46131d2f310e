//! On whose side does somebody speak? In a room of several bots each sends its own words as the assistant's and all others' as
//! users': the same speaker with the same words is the same line, on whichever side it was recorded.
//!
//! Only what is recorded is known again so, by who said it. What is new is said on the side that the request says.

use std::borrow::Cow;

use super::{Stored, words_of};
use crate::completions::dialogue::{By, Dialogue, Said};
use crate::completions::words::Words;

/// The list with every message that was recorded on the other side there. Nearly always it is as it was.
pub(super) fn as_recorded<'d, K>(lines: &[Stored<K>], dialogue: &'d Dialogue) -> Cow<'d, Dialogue> {
    let is_turned = |said: &Said| was_said(said, other(said.by), lines) && !was_said(said, said.by, lines);
    if !dialogue.said.iter().any(is_turned) {
        return Cow::Borrowed(dialogue);
    }
    let mut recorded = dialogue.clone();
    for said in recorded.said.iter_mut().filter(|said| is_turned(said)) {
        said.by = other(said.by);
    }
    Cow::Owned(recorded)
}

fn was_said<K>(said: &Said, by: By, lines: &[Stored<K>]) -> bool {
    if said.speaker.is_none() {
        return false;
    }
    let mut theirs = lines.iter().filter(|line| line.by == by && line.speaker == said.speaker).peekable();
    if theirs.peek().is_none() {
        return false;
    }
    let words = Words::new(by, said.name.as_deref(), &said.text);
    theirs.any(|line| words.is_same(&words_of(line)))
}

fn other(by: By) -> By {
    match by {
        By::User => By::Assistant,
        By::Assistant => By::User,
    }
}
