//! Which answers did no character give? Some clients put a note into the list in the character's name, so many messages before
//! its end: it moves on with every turn, while answers stay where they are.

use std::collections::HashSet;

use super::instructions::words_of_said;
use super::pairs::is_run;
use super::{Stored, words_of};
use crate::completions::dialogue::{By, Dialogue, Said};
use crate::completions::words::Words;

/// Places in [`Dialogue::said`] of what was recorded as an answer elsewhere, where the list does not have it any more.
pub(super) fn moved<K>(lines: &[Stored<K>], dialogue: &Dialogue) -> Vec<usize> {
    let answers = lines.iter().filter(|line| line.by == By::Assistant);
    let answers: HashSet<&str> = answers.map(|line| line.text.trim()).collect();
    let is_known = |said: &&Said| said.by == By::Assistant && answers.contains(said.text.trim());
    if !dialogue.said.iter().any(|said| is_known(&said)) {
        return Vec::new();
    }
    let said: Vec<Words<'_>> = dialogue.said.iter().map(words_of_said).collect();
    let path: Vec<Words<'_>> = lines.iter().map(words_of).collect();
    let known = dialogue.said.iter().enumerate().filter(|(_, said)| is_known(said));
    known.map(|(place, _)| place).filter(|place| has_moved(*place, &said, &path)).collect()
}

fn has_moved(place: usize, said: &[Words<'_>], path: &[Words<'_>]) -> bool {
    let Some(message) = said.get(place).filter(|message| message.is_telling()) else { return false };
    let lines = || (0..path.len()).filter(|line| path.get(*line).is_some_and(|line| message.is_same(line)));
    !lines().any(|line| is_its_place(place, line, said, path))
        && (is_beside_the_newest(place, said) || lines().any(|line| is_closed_up(line, said, path)))
}

/// Whether it stands behind the newest answer or behind all else, where no answer is.
fn is_beside_the_newest(place: usize, said: &[Words<'_>]) -> bool {
    let follows_answer =
        place.checked_sub(1).and_then(|at| said.get(at)).map(|before| before.by == By::Assistant);
    let behind = said.get(place + 1..).unwrap_or_default();
    match follows_answer {
        Some(true) => behind.iter().all(|said| said.by == By::User),
        Some(false) => behind.is_empty(),
        None => false,
    }
}

/// Whether the message can be this line: what stands before it is the same, or nothing stands behind the line yet.
fn is_its_place(place: usize, line: usize, said: &[Words<'_>], path: &[Words<'_>]) -> bool {
    let before = place.checked_sub(1).and_then(|at| said.get(at));
    let line_before = line.checked_sub(1).and_then(|at| path.get(at));
    let follows_the_same = before.zip(line_before).is_some_and(|(said, line)| said.is_same(line));
    let behind = said.get(place + 1).zip(path.get(line + 1));
    let is_followed_by_the_same = behind.is_some_and(|(said, line)| said.is_telling() && said.is_same(line));
    follows_the_same || is_followed_by_the_same || line + 1 == path.len()
}

/// Whether the list has what stands around the line, and not the line between.
fn is_closed_up(line: usize, said: &[Words<'_>], path: &[Words<'_>]) -> bool {
    let around = line.checked_sub(1).and_then(|at| path.get(at)).zip(path.get(line + 1));
    around.is_some_and(|(one, next)| is_run(said, &[one, next]))
}
