//! Which English words ask, and which of them ask for what is remembered?

use super::{Heard, Piece};
use crate::words::is_function_word;

/// Begin a question, unless it begins with one of the open words.
const BEGIN: &str = "do does did is are was were have has had can could will would any ever don't didn't doesn't isn't haven't hasn't \
    can't couldn't won't remember";
const OPEN: &str = "what who whom whose where which what's who's where's";
const MANNER: &str = "how how's";
const TELLING: &str = "tell tells told telling say says said saying talk talks talked talking speak speaks spoke spoken hear heard \
    happen happens happened mention mentions mentioned";
const REMEMBERING: &str =
    "remember remembers remembered recall recalls recalled know knows knew known memory memories";
/// Ask for a memory, and say of what.
const OF_SOMETHING: &str = "promise promised meet met seen learn learned learnt";
/// Tell nothing.
const LIGHT: &str = "anything something everything thing things lately recently still ever please kind sort person much lot else well \
    hey ok okay oh story stories";
const ME: &str = "i me my mine myself";
/// Before a question begins.
const BEFORE: &str = "and so but hey well ok okay oh please then";
/// What stands before the name of one who is spoken of.
const BEFORE_NAMES: &str = "about of with to from for by and or on than is was are were know knew remember recall meet met tell told \
    saw see seen heard mention mentioned did does do has have what who";
/// With these somebody is asked to tell a person something.
const REQUESTS: &str = "can could will would please tell";

pub(super) fn listen(pieces: &[Piece<'_>], heard: &mut Heard) {
    let words: Vec<Option<&str>> = pieces.iter().map(word).collect();
    let spoken = || words.iter().flatten().copied();
    let Some(first) = spoken().find(|word| !is_in(BEFORE, word)) else { return };
    let is_first_name = matches!(pieces.first(), Some(Piece::Name));
    let tells_me = words.windows(2).any(|pair| is_tell_me(pair));
    let begins = is_in(BEGIN, first) || is_in(OPEN, first) || is_in(MANNER, first);
    heard.is_question |= begins && !is_first_name || tells_me;
    heard.is_called |= is_called(pieces, &words) || is_asked_to_tell(pieces, &words, first);
    for (place, word) in words.iter().enumerate() {
        let Some(word) = *word else { continue };
        // Whoever says `tell me` does not speak of themselves.
        if place > 0 && words.get(place - 1..=place).is_some_and(is_tell_me) {
            continue;
        }
        heard.open |= is_in(OPEN, word);
        heard.who |= matches!(word, "who" | "whom" | "who's");
        heard.manner |= is_in(MANNER, word);
        heard.telling |= is_in(TELLING, word) || is_in(OF_SOMETHING, word);
        heard.remembering |= is_in(REMEMBERING, word);
        heard.me |= is_in(ME, word);
        let asks = [BEGIN, OPEN, MANNER, TELLING, REMEMBERING, LIGHT, ME, BEFORE];
        heard.something |= !is_function_word(word) && !asks.iter().any(|list| is_in(list, word));
    }
}

/// As it stands in the lists.
fn word<'t>(piece: &Piece<'t>) -> Option<&'t str> {
    match piece {
        Piece::Word(word) => Some(word.strip_suffix("'s").filter(|rest| !rest.is_empty()).unwrap_or(word)),
        _ => None,
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

fn is_tell_me(pair: &[Option<&str>]) -> bool {
    matches!(pair, [Some("tell"), Some("me" | "us")])
}

/// `Lime what did you say`, `how are you Lime`.
fn is_called(pieces: &[Piece<'_>], words: &[Option<&str>]) -> bool {
    let is_first = match (pieces.first(), words.get(1).copied().flatten()) {
        (Some(Piece::Name), Some(next)) => {
            is_in(OPEN, next)
                || is_in(MANNER, next)
                || matches!(next, "you" | "do" | "don't" | "tell" | "remember")
        }
        _ => false,
    };
    let is_spoken_to = words.iter().flatten().any(|word| matches!(*word, "you" | "your" | "you're"));
    let is_last = match pieces {
        [.., before, Piece::Name] => word(before).is_some_and(|before| !is_in(BEFORE_NAMES, before)),
        _ => false,
    };
    is_first || is_last && is_spoken_to
}

/// `Can you tell Lime that dinner is ready?`
fn is_asked_to_tell(pieces: &[Piece<'_>], words: &[Option<&str>], first: &str) -> bool {
    let tells = words.iter().position(|word| *word == Some("tell"));
    let is_told = tells.and_then(|place| pieces.get(place + 1)).is_some_and(|next| *next == Piece::Name);
    is_told && is_in(REQUESTS, first)
}
