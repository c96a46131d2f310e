//! What does a list without any answer say? It comes from a client that sends only what the user said last, or is the
//! beginning of a chat.

use super::verdict::Scene;
use super::{Alignment, Stored, Then};
use crate::completions::dialogue::{By, Said};
use crate::completions::words::Words;

/// Of the path only the user's lines can be in such a list, and only as its end: the most of them that are. `answers`: who is
/// about to answer, by an id. Words that others have answered and this one has not are the same words.
pub(super) fn judge<K: Copy + Eq>(
    scene: &Scene<'_, K>,
    children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    answers: Option<&str>,
) -> Alignment<K> {
    let users: Vec<usize> = lines_of_users(scene);
    let known =
        (1..=scene.said.len().min(users.len())).rev().find(|count| ends_with(scene, &users, *count, answers));
    let Some(known) = known else { return said_before_others(scene, &users, answers) };
    let begin = users.len() - known;
    let mut found = Alignment::elsewhere(false);
    for (said, line) in scene.said.iter().zip(users.get(begin..).unwrap_or_default()) {
        let key = scene.path.lines.get(*line).map(|line| line.key);
        found.seen.extend(key.map(|key| (said.at, key)));
        found.closeness.size += scene.path_words.get(*line).map_or(0, |words| words.size);
    }
    (found.closeness.users, found.closeness.goes_on) = (known, true);
    let is_new = known < scene.said.len();
    let last = users.last().copied().unwrap_or_default();
    let answer = scene.path.lines.get(last + 1).map(|line| line.key);
    match answer {
        Some(_) if is_new || is_left_to(scene, last, answers) => {
            found.then = Then::Append { from: scene.skipped + known };
        }
        // One message alone, long after the chat began: the user says the same again.
        Some(_) if scene.said.len() == 1 && (users.len() > 1 || !scene.path.is_whole) => {
            return Alignment::elsewhere(false);
        }
        Some(beside) => found.then = Then::Regenerate { beside },
        None => found.then = Then::Append { from: scene.skipped + known },
    }
    // An answer that was taken back is still there, behind the head: the next one stands beside it.
    if let (None, false, Some(head)) = (answer, is_new, scene.path.lines.get(last)) {
        let is_theirs = |line: &Stored<K>| answers.is_none_or(|who| is_of(line, who).unwrap_or(true));
        let mut behind = children(head.key).into_iter();
        let answered = behind.find(|line| line.by == By::Assistant && is_theirs(line));
        if let Some(answered) = answered {
            found.then = Then::Regenerate { beside: answered.key };
        }
    }
    found
}

/// One message that is the last that its speaker said, but others have spoken since: whoever has not answered it answers it now.
fn said_before_others<K: Copy>(scene: &Scene<'_, K>, users: &[usize], answers: Option<&str>) -> Alignment<K> {
    let mut found = Alignment::elsewhere(false);
    let ([said], [words]) = (scene.said, scene.said_words) else { return found };
    let Some(speaker) = said.speaker.as_deref() else { return found };
    let lines = users.iter().filter_map(|line| Some((*line, scene.path.lines.get(*line)?)));
    let Some((line, newest)) = lines.rev().find(|(_, line)| is_of(line, speaker) == Some(true)) else {
        return found;
    };
    let is_said = scene.path_words.get(line).is_some_and(|line| words.is_same(line));
    if is_said && is_left_to(scene, line, answers) {
        found.seen.push((said.at, newest.key));
        (found.closeness.users, found.closeness.size) = (1, words.size);
        found.then = Then::Append { from: scene.skipped + 1 };
    }
    found
}

/// Whether others have said something behind this line, and whoever is about to answer has not.
fn is_left_to<K>(scene: &Scene<'_, K>, line: usize, answers: Option<&str>) -> bool {
    let Some(who) = answers else { return false };
    let behind = scene.path.lines.get(line + 1..).unwrap_or_default();
    let is_anothers = |line: &Stored<K>| is_of(line, who) == Some(false);
    !behind.is_empty() && behind.iter().all(is_anothers)
}

/// Whether a line is this one's; None: nobody knows whose it is.
fn is_of<K>(line: &Stored<K>, who: &str) -> Option<bool> {
    line.speaker.as_deref().map(|speaker| speaker == who)
}

fn lines_of_users<K>(scene: &Scene<'_, K>) -> Vec<usize> {
    let words = scene.path_words.iter().enumerate();
    words.filter(|(_, words)| words.by == By::User).map(|(index, _)| index).collect()
}

/// True if the first `count` messages are the users' last lines: what somebody else says in the same words is new. But a chat that
/// keeps a history is known by its words alone.
fn ends_with<K>(scene: &Scene<'_, K>, users: &[usize], count: usize, answers: Option<&str>) -> bool {
    let begin = users.len() - count;
    let last = users.get(begin..).unwrap_or_default();
    let is_speakers = |said: &Said, line: usize| {
        let whose = said.speaker.as_deref().filter(|_| answers.is_some()).zip(scene.path.lines.get(line));
        whose.is_none_or(|(speaker, line)| is_of(line, speaker) != Some(false))
    };
    let is_same =
        |words: &Words<'_>, line: usize| scene.path_words.get(line).is_some_and(|line| words.is_same(line));
    let messages = scene.said.iter().zip(scene.said_words).zip(last);
    messages.into_iter().all(|((said, words), line)| is_speakers(said, *line) && is_same(words, *line))
}
