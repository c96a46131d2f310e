//! Does a summary tell what its holder has put right since?
//!
//! A summary is made once, and says what its parts said then. Whoever rewords one of these corrects it; told by the summary, the old
//! wording would come back as if nothing had been done.

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
    let parts = memory.from.iter().filter_map(|part| mind.note(mind.slot_of(*part)?));
    let mut reworded =
        parts.filter_map(|part| Some((&part.held.memory.text, part.held.state.text.as_ref()?)));
    // How a model worded it, nobody can tell from what.
    reworded.any(|(old, new)| memory.model.is_some() || still_tells(&memory.text, old, new))
}

/// Whether a text has a sentence of the old wording that the new one has not.
fn still_tells(text: &str, old: &str, new: &str) -> bool {
    let old = meant(old);
    let mut sentences = old.split(['\n', '。', '！', '？', '.', '!', '?', ';', '；']).map(str::trim);
    sentences.any(|sentence| {
        sentence.chars().count() >= SHORTEST && text.contains(sentence) && !new.contains(sentence)
    })
}
