//! Which of the user's newest messages are the client's?
//!
//! Some clients send an instruction in the user's name with every request, behind or before what the user says, and leave it
//! out of the history. Nothing tells it from the user's words the first time. Later it is known by its place: it was recorded
//! beside something that the user said, and the list has what stood around it, but not the message itself. Where a client sends no
//! history at all, and in the first request of another chat, it is known because it stood beside other words before.

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
    let words: Vec<Words<'_>> = said.iter().map(words_of_said).collect();
    let path: Vec<Words<'_>> = lines.iter().map(words_of).collect();
    let (before, newest) = words.split_at(block);
    let is_one = |at: usize, message: &Words<'_>| {
        let mut places = path.iter().enumerate().filter(|(_, line)| message.is_same(line));
        let is_sent_again = |place: usize| {
            let is_answered = lines.iter().skip(place).any(|line| line.by == By::Assistant);
            before.is_empty() && is_answered && is_beside_others(lines, place, dialogue, at)
        };
        message.is_telling()
            && places.any(|(place, _)| was_left_out(message, &path, place, before) || is_sent_again(place))
    };
    let newest = newest.iter().enumerate().map(|(at, message)| (block + at, message));
    let found: Vec<usize> = newest.clone().filter(|(at, said)| is_one(*at, said)).map(|(at, _)| at).collect();
    if found.len() < newest.count() { found } else { Vec::new() }
}

/// Places in [`Dialogue::said`] of what a client sends in the user's name in each of its chats, for the first request of a new one. `chats`:
/// the beginnings of others of the same people; nearly always nobody needs to know them.
///
/// What was found out to be the client's in one of them (it is hidden there) is so in all. Anything else must be long enough to be
/// an instruction, and stand beside other words of the same user than there, or with its answer, which nobody gave here, before all else.
pub fn sent_in_other_chats<K, E>(
    dialogue: &Dialogue,
    chats: impl FnOnce() -> Result<Vec<Vec<Stored<K>>>, E>,
) -> Result<Vec<usize>, E> {
    let said = &dialogue.said;
    let is_first = |at: usize| at == 0 && said.get(1).is_some_and(|next| next.by == By::Assistant);
    let is_in_question = |(at, message): &(usize, Words<'_>)| {
        let has_company = said_around(said, *at).next().is_some();
        message.by == By::User && message.is_telling() && (has_company || is_first(*at))
    };
    let mut found: Vec<(usize, Words<'_>)> =
        said.iter().map(words_of_said).enumerate().filter(is_in_question).collect();
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let chats = chats()?;
    found.retain(|(at, words)| {
        chats.iter().any(|chat| {
            let mut same = chat.iter().enumerate().filter(|(_, line)| words.is_same(&words_of(line)));
            same.any(|(place, line)| {
                line.hidden
                    || is_beside_others(chat, place, dialogue, *at)
                    || (is_first(*at) && words.is_instructive() && is_told_alike(chat, said))
            })
        })
    });
    let mut found: Vec<usize> = found.into_iter().map(|(at, _)| at).collect();
    // Somebody has said something.
    let block = said.iter().rposition(|said| said.by == By::Assistant).map_or(0, |answer| answer + 1);
    if (block..said.len()).all(|at| found.contains(&at)) {
        found.retain(|at| *at < block);
    }
    Ok(found)
}

/// Whether a chat and a list begin with the same words and the same answer, and it was the client that told both.
fn is_told_alike<K>(chat: &[Stored<K>], said: &[Said]) -> bool {
    let ([asked, answer, ..], [said, answered, ..]) = (chat, said) else { return false };
    let is_told = asked.exchange.is_none() && answer.exchange.is_none();
    let is_same = |line: &Stored<K>, said: &Said| words_of_said(said).is_same(&words_of(line));
    is_told && answer.by == By::Assistant && is_same(asked, said) && is_same(answer, answered)
}

/// Whether a message that says what a line says stands beside other words of the same user than the line does, and is long enough
/// to be no chance.
fn is_beside_others<K>(lines: &[Stored<K>], place: usize, dialogue: &Dialogue, at: usize) -> bool {
    let mut then = lines_around(lines, place).map(words_of).peekable();
    let now: Vec<Words<'_>> = said_around(&dialogue.said, at).map(words_of_said).collect();
    let is_long = dialogue.said.get(at).is_some_and(|said| words_of_said(said).is_instructive());
    is_long
        && !now.is_empty()
        && then.peek().is_some()
        && then.all(|line| !now.iter().any(|said| said.is_same(&line)))
}

/// What the same user says directly before and behind a message.
fn said_around(said: &[Said], at: usize) -> impl Iterator<Item = &Said> {
    let speaker = said.get(at).and_then(|said| said.speaker.as_deref());
    let is_theirs = move |other: &&Said| other.by == By::User && other.speaker.as_deref() == speaker;
    let before = said.get(..at).unwrap_or_default().iter().rev().take_while(is_theirs);
    before.chain(said.get(at + 1..).unwrap_or_default().iter().take_while(is_theirs))
}

/// The same of a line.
fn lines_around<K>(lines: &[Stored<K>], place: usize) -> impl Iterator<Item = &Stored<K>> {
    let speaker = lines.get(place).and_then(|line| line.speaker.as_deref());
    let is_theirs = move |other: &&Stored<K>| other.by == By::User && other.speaker.as_deref() == speaker;
    let before = lines.get(..place).unwrap_or_default().iter().rev().take_while(is_theirs);
    before.chain(lines.get(place + 1..).unwrap_or_default().iter().take_while(is_theirs))
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
