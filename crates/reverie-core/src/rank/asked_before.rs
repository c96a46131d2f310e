//! In which memories did somebody say just what is being said?

use crate::digest::speech;
use crate::mind::terms::SPELLING;
use crate::mind::{Mind, Said};

/// So many of the nearest by words may be what was asked before.
const ASKED_BEFORE: usize = 8;

/// Those in which somebody says just what is being said.
pub(super) fn asked_before(mind: &Mind, words: &[f32], slots: &[usize], said: &Said) -> Vec<usize> {
    let Some(newest) = said.newest() else { return Vec::new() };
    let bare = |text: &str| {
        let spelled = SPELLING.fold(text);
        spelled.chars().filter(|char| char.is_alphanumeric()).collect::<String>()
    };
    let newest = bare(newest);
    let score = |slot: &usize| words.get(*slot).copied().unwrap_or_default();
    let mut nearest: Vec<usize> = slots.iter().copied().filter(|slot| score(slot) > 0.0).collect();
    nearest.sort_unstable_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    nearest.truncate(ASKED_BEFORE);
    let is_said = |slot: &usize| {
        let text = mind.note(*slot).map(|note| note.held.text()).unwrap_or_default();
        text.lines().any(|line| bare(speech(line).map_or(line, |(_, words)| words)) == newest)
    };
    nearest.retain(|slot| !newest.is_empty() && is_said(slot));
    nearest
}
