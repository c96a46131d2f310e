//! Where a prompt gives a voice to several: which of them know an entry?
//!
//! What not all of them know enters all the same, and says who does, as memories do. Whatever names the character means the one who
//! knows it, if there is only one.

use super::admission;
use super::macros::Names;
use super::rules::{Request, Voice};
use super::shelf::Item;

/// Those of the voices for whom its book is, each with its place.
pub(super) fn readers<'q, 'r>(
    item: &Item,
    request: &'q Request<'r>,
) -> impl Iterator<Item = (usize, &'q Voice<'r>)> {
    let private = request.private.get(&*item.book);
    let has_book = move |place: usize| private.is_none_or(|owners| owners.contains(&place));
    request.voices.iter().enumerate().filter(move |(place, _)| has_book(*place))
}

/// Which of the voices may know it, by place.
pub(super) fn who(item: &Item, request: &Request<'_>) -> Vec<usize> {
    let is_admitted = |voice: &Voice<'_>| {
        admission::refuse_person(&item.entry, &voice.known_as, voice.tags.as_deref()).is_none()
    };
    readers(item, request).filter(|(_, voice)| is_admitted(voice)).map(|(place, _)| place).collect()
}

/// Names of those who know it. Empty: it is not for some of them only.
pub(super) fn known_by(item: &Item, request: &Request<'_>) -> Vec<String> {
    let entry = &item.entry;
    let is_for_some = request.private.contains_key(&*item.book)
        || !entry.known_by.is_empty()
        || !entry.filter.names.is_empty()
        || !entry.filter.tags.is_empty();
    if request.voices.is_empty() || !is_for_some {
        return Vec::new();
    }
    let voices = who(item, request).into_iter().filter_map(|place| request.voices.get(place));
    voices.map(|voice| voice.name.to_owned()).collect()
}

/// Whom `{{char}}` and `{{user}}` name in it.
pub(super) fn names(item: &Item, request: &Request<'_>) -> Names {
    let alone = match known_by(item, request).as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    Names { char: alone.unwrap_or_else(|| request.names.char.clone()), user: request.names.user.clone() }
}
