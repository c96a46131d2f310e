//! Which of the user's newest messages are the client's?
//!
//! Some clients send an instruction in the user's name with every request, behind or before what the user says, and leave it
//! out of the history. Nothing tells it from the user's words the first time. Later it is known by its place: it was recorded
//! beside something that the user said, and the list has what stood around it, but not the message itself.

use super::pairs::is_run;
use super::{Stored, words_of};
use crate::completions::dialogue::{By, Dialogue, Said};
use crate::completions::words::Words;

/// Places in [`Dialogue::said`] of what is not dialogue; at least one of the newest messages always is.
pub(super) fn instructions<K>(lines: &[Stored<K>], dialogue: &Dialogue) -> Vec<usize> {
    let said = &dialogue.said;
    let block = said.iter().rposition(|said| said.by == By::Assistant).map_or(0, |answer| answer + 1);
    // Nearly always there is one new message.
    if said.len() < block + 2 || lines.is_empty() {
        return Vec::new();
    }
    let said: Vec<Words<'_>> = said.iter().map(words_of_said).collect();
    let path: Vec<Words<'_>> = lines.iter().map(words_of).collect();
    let (before, newest) = said.split_at(block);
    let is_one = |message: &Words<'_>| {
        let places = || path.iter().enumerate().filter(|(_, line)| message.is_same(line));
        message.is_telling() && places().any(|(place, _)| was_left_out(message, &path, place, before))
    };
    let found: Vec<usize> =
        newest.iter().enumerate().filter(|(_, message)| is_one(message)).map(|(at, _)| block + at).collect();
    if found.len() < newest.len() { found } else { Vec::new() }
}

/// Whether the line at this place is beside another one of the user, and the list does not have it where it has the rest.
fn was_left_out(message: &Words<'_>, path: &[Words<'_>], place: usize, before: &[Words<'_>]) -> bool {
    if !is_beside_user(path, place) {
        return false;
    }
    let around = place.checked_sub(1).and_then(|at| path.get(at)).zip(path.get(place + 1));
    let is_closed_up = around.is_some_and(|(one, next)| is_run(before, &[one, next]));
    // Long ago, so that the list may begin behind it: what it ends with was said later.
    let later = path.get(place + 1..).unwrap_or_default();
    let last: Vec<&Words<'_>> = before.iter().skip(before.len().saturating_sub(2)).collect();
    let goes_on_later = !last.is_empty() && is_run(later, &last);
    is_closed_up || (goes_on_later && !before.iter().any(|said| said.is_same(message)))
}

/// Whether a line that says what an instruction says was recorded as one.
pub(super) fn is_beside_user(path: &[Words<'_>], place: usize) -> bool {
    let is_user = |at: usize| path.get(at).is_some_and(|line| line.by == By::User);
    is_user(place) && (place.checked_sub(1).is_some_and(is_user) || is_user(place + 1))
}

pub(super) fn words_of_said(said: &Said) -> Words<'_> {
    Words::new(said.by, said.name.as_deref(), &said.text)
}
