//! What does a list without any answer say? It comes from a client that sends only what the user said last, or is the
//! beginning of a chat.

use super::verdict::Scene;
use super::{Alignment, Stored, Then};
use crate::completions::dialogue::By;

/// Of the path only the user's lines can be in such a list, and only as its end: the most of them that are.
pub(super) fn judge<K: Copy + Eq>(
    scene: &Scene<'_, K>,
    children: &mut impl FnMut(K) -> Vec<Stored<K>>,
) -> Alignment<K> {
    let users: Vec<usize> = lines_of_users(scene);
    let known = (1..=scene.said.len().min(users.len())).rev().find(|count| ends_with(scene, &users, *count));
    let Some(known) = known else { return Alignment::elsewhere(false) };
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
        Some(_) if is_new => found.then = Then::Append { from: scene.skipped + known },
        // One message alone, long after the chat began: the user says the same again.
        Some(_) if scene.said.len() == 1 && (users.len() > 1 || !scene.path.is_whole) => {
            return Alignment::elsewhere(false);
        }
        Some(beside) => found.then = Then::Regenerate { beside },
        None => found.then = Then::Append { from: scene.skipped + known },
    }
    // An answer that was taken back is still there, behind the head: the next one stands beside it.
    if let (None, false, Some(head)) = (answer, is_new, scene.path.lines.get(last)) {
        let answered = children(head.key).into_iter().find(|line| line.by == By::Assistant);
        if let Some(answered) = answered {
            found.then = Then::Regenerate { beside: answered.key };
        }
    }
    found
}

fn lines_of_users<K>(scene: &Scene<'_, K>) -> Vec<usize> {
    let words = scene.path_words.iter().enumerate();
    words.filter(|(_, words)| words.by == By::User).map(|(index, _)| index).collect()
}

/// True if the first `count` messages are the user's last lines.
fn ends_with<K>(scene: &Scene<'_, K>, users: &[usize], count: usize) -> bool {
    let begin = users.len() - count;
    let last = users.get(begin..).unwrap_or_default();
    scene
        .said_words
        .iter()
        .zip(last)
        .all(|(said, line)| scene.path_words.get(*line).is_some_and(|line| said.is_same(line)))
}
