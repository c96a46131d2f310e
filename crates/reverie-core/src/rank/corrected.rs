//! Does a summary tell what its holder has put right since?
//!
//! A summary says what its parts said when it was made. Whoever rewords one of these has it told anew (`engine/putting_right.rs`); one that
//! still has the old words, because it could not be or was not, would bring them back as if nothing had been done.

use crate::digest::meant;
use crate::mind::{Mind, Note};

/// A piece of a sentence that is shorter may stand anywhere.
const SHORTEST: usize = 4;

pub(super) fn tells_what_was_corrected(note: &Note, mind: &Mind) -> bool {
    // In words of the holder's own it tells what they want it to.
    if note.held.state.text.is_some() {
        return false;
    }
    let memory = &note.held.memory;
    let parts = || memory.from.iter().filter_map(|part| mind.note(mind.slot_of(*part)?));
    let reworded = parts().filter(|part| part.held.state.text.is_some());
    // What another part says as well is still said.
    let is_said = |sentence: &str| parts().any(|part| part.held.text().contains(sentence));
    reworded.map(|part| meant(&part.held.memory.text)).any(|old| {
        let sentences = old.split(['\n', '。', '！', '？', '.', '!', '?', ';', '；']).map(str::trim);
        let mut telling = sentences.filter(|sentence| sentence.chars().count() >= SHORTEST);
        telling.any(|sentence| memory.text.contains(sentence) && !is_said(sentence))
    })
}
