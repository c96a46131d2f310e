//! Which messages are which lines? The run that weighs most; of several, the one that ends latest.

use crate::completions::dialogue::By;
use crate::completions::words::Words;

/// A message and the lines that it is: several, if the client has joined them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) said: usize,
    pub(super) line: usize,
    pub(super) lines: usize,
}

/// What a message that follows another one on both sides weighs more: runs count for more than what is scattered.
const IN_A_ROW: u32 = 8;
/// Long messages do not outweigh everything else.
const MOST_WEIGHT: usize = 16;
/// So many messages in a row are joined at most.
const MOST_JOINED: usize = 4;
/// Most lists are the end of the path and a few new messages.
const FEW_NEW: usize = 4;

pub(super) fn pairs(said: &[Words<'_>], path: &[Words<'_>]) -> Vec<Pair> {
    at_the_end(said, path).unwrap_or_else(|| anywhere(said, path))
}

/// The whole list up to a few new messages, if it is the end of the path: nothing that was said earlier outweighs that. Several
/// new ones have to be fewer than the others, or nowhere on the path.
fn at_the_end(said: &[Words<'_>], path: &[Words<'_>]) -> Option<Vec<Pair>> {
    let most = FEW_NEW.min(said.len().saturating_sub(1));
    let is_end = |known: &[Words<'_>], end: usize| {
        let begin = end.checked_sub(known.len())?;
        let lines = path.get(begin..end)?;
        let same = known.iter().zip(lines).all(|(said, line)| said.is_same(line));
        (same && !known.is_empty()).then_some(begin)
    };
    let pairs = |begin: usize, count: usize| {
        (0..count).map(|said| Pair { said, line: begin + said, lines: 1 }).collect::<Vec<_>>()
    };
    // All of it, without the answers that are asked for anew.
    let answers = path.iter().rev().take_while(|line| line.by == By::Assistant).count();
    let whole = (0..=answers).find_map(|answers| Some((is_end(said, path.len() - answers)?, answers)));
    // Where the same was said twice, the end of a chat may be asked for anew or be said once more: what has all from the beginning is asked
    // anew, and no words are lost.
    let is_said_again = |begin: usize| {
        let (last, known) = said.split_last()?;
        (begin > 0 && last.by == By::User).then(|| is_end(known, path.len()))?
    };
    match whole {
        Some((begin, answers)) if answers == 0 || is_said_again(begin).is_none() => {
            return Some(pairs(begin, said.len()));
        }
        _ => {}
    }
    (1..=most).find_map(|new| {
        let known = said.get(..said.len() - new)?;
        let begin = is_end(known, path.len())?;
        let is_new = |said: &Words<'_>| !path.iter().any(|line| said.is_same(line));
        let is_clear = new == 1 || known.len() > new || said.get(known.len()..)?.iter().all(is_new);
        is_clear.then(|| pairs(begin, known.len()))
    })
}

/// Whether these lines stand in the list directly behind one another.
pub(super) fn is_run(said: &[Words<'_>], lines: &[&Words<'_>]) -> bool {
    let is_same = |run: &[Words<'_>]| run.iter().zip(lines).all(|(said, line)| said.is_same(line));
    said.windows(lines.len().max(1)).any(is_same)
}

/// How many lines a message is, if it is what stands at this place.
fn lines_of(said: &Words<'_>, path: &[Words<'_>], line: usize) -> Option<usize> {
    let first = path.get(line)?;
    if said.by != first.by {
        return None;
    }
    if said.is_same(first) {
        return Some(1);
    }
    if first.flat.is_empty() {
        return None;
    }
    let mut rest = said.flat.strip_prefix(first.flat.as_str())?;
    for joined in 2..=MOST_JOINED {
        let next = path.get(line + joined - 1).filter(|next| next.by == said.by)?;
        rest = rest.strip_prefix(next.flat.as_str())?;
        if rest.is_empty() {
            return Some(joined);
        }
    }
    None
}

fn weight(said: &Words<'_>, line: &Words<'_>) -> u32 {
    let named = if said.is_same_name(line) { 2 } else { 0 };
    said.size.clamp(1, MOST_WEIGHT) as u32 + named
}

/// The best from a place on both sides: with these two as the first pair (None: they are none), and at all.
#[derive(Clone, Copy, Default)]
struct Best {
    paired: Option<(u32, usize)>,
    at_all: u32,
}

/// Backwards over all places of both, so that the way can be read forwards.
fn anywhere(said: &[Words<'_>], path: &[Words<'_>]) -> Vec<Pair> {
    let width = path.len() + 1;
    let mut table = vec![Best::default(); (said.len() + 1) * width];
    let get = |table: &[Best], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or_default();
    for (i, message) in said.iter().enumerate().rev() {
        for (j, line) in path.iter().enumerate().rev() {
            let paired = lines_of(message, path, j).map(|lines| {
                let next = get(&table, i + 1, j + lines);
                let in_a_row = next.paired.map_or(0, |(weight, _)| weight + IN_A_ROW);
                (weight(message, line) + in_a_row.max(next.at_all), lines)
            });
            let skipped = get(&table, i + 1, j).at_all.max(get(&table, i, j + 1).at_all);
            let at_all = paired.map_or(0, |(weight, _)| weight).max(skipped);
            if let Some(place) = table.get_mut(i * width + j) {
                *place = Best { paired, at_all };
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    let mut follows = false;
    while i < said.len() && j < path.len() {
        let here = get(&table, i, j);
        let Some((weight, lines)) = here.paired.filter(|(weight, _)| follows || *weight == here.at_all)
        else {
            // Later on the path, if it is worth as much.
            match get(&table, i, j + 1).at_all == here.at_all {
                true => j += 1,
                false => i += 1,
            }
            continue;
        };
        if !follows && get(&table, i, j + 1).at_all == weight {
            j += 1;
            continue;
        }
        pairs.push(Pair { said: i, line: j, lines });
        let next = get(&table, i + 1, j + lines);
        follows = next.paired.is_some_and(|(weight, _)| weight + IN_A_ROW >= next.at_all);
        (i, j) = (i + 1, j + lines);
    }
    pairs
}
